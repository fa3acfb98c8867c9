package deltas

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/parquet-go/parquet-go"
)

func writeJSON(name string, actions []Action) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, a := range actions {
		if err := e.Encode(a); err != nil {
			return err
		}
	}
	return os.WriteFile(name, out.Bytes(), 0o600)
}

// node is a column in a data file. Variants of a type are as parquet-go has them.
func (t *Table) node(c *Column) parquet.Node {
	var n parquet.Node
	switch c.Type {
	case "long":
		n = parquet.Int(64)
	case "integer":
		n = parquet.Int(32)
	case "double":
		n = parquet.Leaf(parquet.DoubleType)
	case "float":
		n = parquet.Leaf(parquet.FloatType)
	case "date":
		n = parquet.Date()
	case "boolean":
		n = parquet.Leaf(parquet.BooleanType)
	case "timestamp", "timestamp_ntz":
		n = parquet.TimestampAdjusted(parquet.Microsecond, c.Type == "timestamp")
	case "variant":
		g := parquet.Group{"metadata": parquet.Leaf(parquet.ByteArrayType), "value": parquet.Leaf(parquet.ByteArrayType)}
		if t.shreds {
			g["value"], g["typed_value"] = parquet.Optional(g["value"]), parquet.Optional(parquet.Int(64))
		}
		n = g
	case "struct":
		g := parquet.Group{}
		for _, f := range c.Fields {
			g[f.Physical] = t.node(f)
		}
		n = g
	default:
		n = parquet.String()
	}
	n = parquet.Optional(n)
	if t.mapping != "none" {
		n = parquet.FieldID(n, c.ID)
	}
	return n
}

// writeData writes a data file and returns its size.
func (t *Table) writeData(name string, rows []Row) (int64, error) {
	t.shreds = t.r.Intn(2) == 0
	g := parquet.Group{}
	byPath := map[string]*Column{}
	inStruct := map[string]*Column{}
	for _, c := range t.columns {
		if c.Partition {
			continue
		}
		g[c.Physical] = t.node(c)
		byPath[c.Physical] = c
		for _, part := range []string{"metadata", "value", "typed_value"} {
			byPath[c.Physical+"\x00"+part] = c // of a variant
		}
		for _, f := range c.Fields {
			path := c.Physical + "\x00" + f.Physical
			byPath[path], inStruct[path] = f, c
		}
	}
	schema := parquet.NewSchema("table", g)
	out, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	w := parquet.NewWriter(out, schema, parquet.PageBufferSize(256+t.r.Intn(4096)))
	for _, row := range rows {
		var values parquet.Row
		for i, path := range schema.Columns() {
			key := strings.Join(path, "\x00")
			c := byPath[key]
			v, levels := row[c.ID], 1
			if c.Type == "variant" {
				values = append(values, t.variantLeaf(v, path[1], i))
				continue
			}
			if s := inStruct[key]; s != nil {
				if levels = 2; v == nil && !slices.ContainsFunc(s.Fields, func(f *Column) bool { return row[f.ID] != nil }) {
					levels = 1 // the whole struct is NULL
				}
			}
			if v == nil {
				values = append(values, parquet.Value{}.Level(0, levels-1, i))
				continue
			}
			values = append(values, valueOf(v, c.Type).Level(0, levels, i))
		}
		if _, err := w.WriteRows([]parquet.Row{values}); err != nil {
			return 0, err
		}
		if t.r.Intn(max(20, len(rows)/4)) == 0 {
			if err := w.Flush(); err != nil { // the row group ends
				return 0, err
			}
		}
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	info, err := out.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// variantLeaf is what a leaf of a VARIANT has of a value.
func (t *Table) variantLeaf(v any, leaf string, column int) parquet.Value {
	if v == nil {
		return parquet.Value{}.Level(0, 0, column)
	}
	levels := 1
	if t.shreds && leaf != "metadata" {
		levels = 2
	}
	number, isNumber := v.(Variant).of.(int64)
	switch {
	case leaf == "metadata":
		return parquet.ValueOf([]byte{1, 0, 0}).Level(0, levels, column)
	case leaf == "typed_value" && isNumber:
		return parquet.ValueOf(number).Level(0, levels, column)
	case leaf == "typed_value" || t.shreds && isNumber:
		return parquet.Value{}.Level(0, 1, column)
	case isNumber:
		return parquet.ValueOf(binary.LittleEndian.AppendUint64([]byte{6 << 2}, uint64(number))).Level(0, levels, column)
	}
	text := v.(Variant).of.(string)
	return parquet.ValueOf(append(binary.LittleEndian.AppendUint32([]byte{16 << 2}, uint32(len(text))), text...)).Level(0, levels, column)
}

func valueOf(v any, typ string) parquet.Value {
	switch typ {
	case "long":
		return parquet.ValueOf(v.(int64))
	case "integer":
		return parquet.ValueOf(int32(v.(int64)))
	case "double":
		return parquet.ValueOf(v.(float64))
	case "float":
		return parquet.ValueOf(float32(v.(float64)))
	case "date":
		at, err := time.Parse(time.DateOnly, v.(string))
		if err != nil {
			panic(err)
		}
		return parquet.ValueOf(int32(at.Unix() / 86400))
	}
	if typ == "timestamp" || typ == "timestamp_ntz" {
		at, err := time.Parse(timestampForm, v.(string))
		if err != nil {
			panic(err)
		}
		return parquet.ValueOf(at.UnixMicro())
	}
	return parquet.ValueOf(v)
}

// stats are the statistics of a file. Where rows are deleted the bounds are still those of all.
func (t *Table) stats(f *file) string {
	out := map[string]any{"numRecords": len(f.rows)}
	if f.vector != nil {
		out["tightBounds"] = false
	}
	if f.stats {
		low, high, nulls := map[string]any{}, map[string]any{}, map[string]any{}
		f.bounds(f.columns, low, high, nulls)
		out["minValues"], out["maxValues"], out["nullCount"] = low, high, nulls
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (f *file) bounds(list []*Column, low, high, nulls map[string]any) {
	for _, c := range list {
		if c.Partition {
			continue
		}
		if c.Type == "struct" {
			l, h, n := map[string]any{}, map[string]any{}, map[string]any{}
			f.bounds(c.Fields, l, h, n)
			low[c.Physical], high[c.Physical], nulls[c.Physical] = l, h, n
			continue
		}
		count := 0
		for _, row := range f.rows {
			v := row[c.ID]
			if v == nil {
				count++
				continue
			}
			if c.Type == "variant" || c.Type == "boolean" { // which have no bounds
				continue
			}
			if m, ok := low[c.Physical]; !ok || less(v, m) {
				low[c.Physical] = v
			}
			if m, ok := high[c.Physical]; !ok || less(m, v) {
				high[c.Physical] = v
			}
		}
		nulls[c.Physical] = count
		for _, m := range []map[string]any{low, high} { // writers cut texts, and timestamps at milliseconds
			if s, ok := m[c.Physical].(string); ok && strings.HasPrefix(c.Type, "timestamp") {
				m[c.Physical] = strings.Replace(s[:len("2006-01-02 15:04:05.000")], " ", "T", 1)
				if c.Type == "timestamp" {
					m[c.Physical] = m[c.Physical].(string) + "Z"
				}
			}
			if s, ok := m[c.Physical].(string); ok && c.Type == "string" && len([]rune(s)) > 32 {
				m[c.Physical] = string([]rune(s)[:32])
			}
		}
	}
}

func less(a, b any) bool {
	switch a := a.(type) {
	case int64:
		return a < b.(int64)
	case float64:
		return a < b.(float64)
	}
	return a.(string) < b.(string)
}

// vector writes a deletion vector in a random place.
func (t *Table) vector(gone map[int]bool) (*Vector, error) {
	b := roaring64.New()
	for i := range gone {
		b.Add(uint64(i))
	}
	if t.r.Intn(2) == 0 {
		b.RunOptimize()
	}
	var bitmap bytes.Buffer
	if _, err := b.WriteTo(&bitmap); err != nil {
		return nil, err
	}
	body := append(binary.LittleEndian.AppendUint32(nil, 1681511377), bitmap.Bytes()...)
	v := &Vector{Size: int32(len(body)), Cardinality: int64(len(gone))}
	if t.r.Intn(3) == 0 && len(body) < 4096 {
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
		v.Storage, v.Path = "i", z85(body)
		return v, nil
	}
	file := []byte{1}
	if t.r.Intn(2) == 0 { // another vector before it
		file = frame(file, []byte("another vector"))
	}
	offset := int32(len(file))
	v.Offset = &offset
	file = frame(file, body)
	var id [16]byte
	t.r.Read(id[:])
	name := fmt.Sprintf("deletion_vector_%x-%x-%x-%x-%x.bin", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	prefix := []string{"", "ab"}[t.r.Intn(2)]
	full := filepath.Join(t.Dir, prefix, name)
	v.Storage, v.Path = "u", prefix+z85(id[:])
	if t.r.Intn(4) == 0 {
		v.Storage, v.Path = "p", (&url.URL{Scheme: "file", Path: filepath.ToSlash(full)}).String()
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return nil, err
	}
	return v, os.WriteFile(full, file, 0o600)
}

func frame(file, body []byte) []byte {
	file = append(binary.BigEndian.AppendUint32(file, uint32(len(body))), body...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(body))
}

// z85 encodes bytes, a multiple of four of them.
func z85(b []byte) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
	var out []byte
	for ; len(b) > 0; b = b[4:] {
		v, group := binary.BigEndian.Uint32(b), [5]byte{}
		for i := 4; i >= 0; i-- {
			group[i], v = digits[v%85], v/85
		}
		out = append(out, group[:]...)
	}
	return string(out)
}
