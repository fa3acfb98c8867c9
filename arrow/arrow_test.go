package arrow_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/parquetsql/parquetsql"
	sqlarrow "github.com/parquetsql/parquetsql/arrow"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

const testdata = "../testdata"

func open(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("parquet", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// checked is an allocator that knows at the end of the test that all was released.
func checked(t *testing.T) *memory.CheckedAllocator {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return mem
}

// files are all files of testdata that the driver reads, but for the largest.
func files(t *testing.T) (out []string) {
	err := filepath.WalkDir(testdata, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "corrupt" || d.Name() == "delta" || d.Name() == "iceberg" || d.Name() == "slt"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".parquet"):
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > 1<<20 {
			return err
		}
		out = append(out, path)
		return nil
	})
	if err != nil || len(out) < 100 {
		t.Fatal(len(out), err)
	}
	return out
}

// table is the name of a file's table.
func table(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".parquet")
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// read is all rows, each column in one array.
func read(r array.RecordReader, mem memory.Allocator) (columns []arrow.Array, rows int64, err error) {
	parts := make([][]arrow.Array, r.Schema().NumFields())
	for r.Next() {
		b := r.RecordBatch()
		rows += b.NumRows()
		for i := range parts {
			b.Column(i).Retain()
			parts[i] = append(parts[i], b.Column(i))
		}
	}
	defer func() {
		for _, p := range parts {
			for _, a := range p {
				a.Release()
			}
		}
	}()
	if r.Err() != nil {
		return nil, rows, r.Err()
	}
	for i, p := range parts {
		if len(p) == 0 {
			p = append(p, array.MakeArrayOfNull(mem, r.Schema().Field(i).Type, 0))
			parts[i] = p
		}
		all, err := array.Concatenate(p, mem)
		if err != nil {
			return nil, rows, err
		}
		columns = append(columns, all)
	}
	return columns, rows, nil
}

func release(columns []arrow.Array) {
	for _, c := range columns {
		c.Release()
	}
}

// TestAgainstArrow reads each file with arrow-go's own reader, too.
func TestAgainstArrow(t *testing.T) {
	leaktest.Check(t)
	equal, left := map[string]int{}, map[string]int{}
	for _, path := range files(t) {
		theirs, err := theirColumns(path)
		if err != nil {
			left["arrow-go does not read the file"]++
			continue
		}
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		r, err := sqlarrow.Options{Allocator: mem}.Query(context.Background(), open(t, path+"?parallelism=1"), "SELECT * FROM "+table(path))
		if err != nil {
			left["the driver does not read the file, or Arrow has no type"]++
			continue
		}
		ours, _, err := read(r, mem)
		if err != nil {
			left["the driver does not read the rows, or Arrow has not their values"]++
		}
		for i, a := range ours {
			name := r.Schema().Field(i).Name
			b, ok := theirs[name]
			switch {
			case !ok || b == nil:
				left["arrow-go does not read the column"]++
			default:
				compare(t, path, name, a, b, equal, left)
			}
		}
		release(ours)
		r.Release()
		mem.AssertSize(t, 0)
	}
	t.Log("equal:", equal)
	t.Log("left out:", left)
	for _, kind := range []string{"bool", "int8", "uint64", "float16", "float32", "float64", "decimal", "decimal256", "date32", "time64", "timestamp", "utf8", "binary", "list", "map", "struct", "extension<arrow.json>", "extension<geoarrow.wkb>", "extension<arrow.uuid>"} {
		if equal[kind] == 0 {
			t.Errorf("no column of %s was compared", kind)
		}
	}
}

// kindOf is the name of a type without parameters.
func kindOf(t arrow.DataType) string {
	if e, ok := t.(arrow.ExtensionType); ok {
		return "extension<" + e.ExtensionName() + ">"
	}
	return t.Name()
}

// theirFaults are columns that arrow-go reads otherwise, each with the reason.
var theirFaults = map[string]string{
	"bit_packed_levels.parquet xs":  "levels in BIT_PACKED",
	"chunks_out_of_order.parquet a": "column chunks are not in the schema's order in the row group",
	"chunks_out_of_order.parquet b": "column chunks are not in the schema's order in the row group",
	"empty_pages.parquet x":         "pages without rows before others",
}

func compare(t *testing.T, path, name string, ours, theirs arrow.Array, equal, left map[string]int) {
	t.Helper()
	if reason, ok := theirFaults[filepath.Base(path)+" "+name]; ok {
		left[reason]++
		return
	}
	if !sameTypes(ours.DataType(), theirs.DataType()) {
		left[fmt.Sprintf("%s, which arrow-go reads as %s", ours.DataType(), theirs.DataType())]++
		return
	}
	if ours.Len() != theirs.Len() {
		t.Errorf("%s, %s: %d rows, arrow-go has %d", path, name, ours.Len(), theirs.Len())
		return
	}
	for i := range ours.Len() {
		a, b := text(ours, i), text(theirs, i)
		if ours.IsNull(i) != theirs.IsNull(i) || !ours.IsNull(i) && a != b {
			t.Errorf("%s, %s, row %d: %s, arrow-go has %s", path, name, i, a, b)
			return
		}
	}
	count(ours.DataType(), equal)
}

// count counts a type and those within.
func count(t arrow.DataType, into map[string]int) {
	into[kindOf(t)]++
	if n, ok := t.(arrow.NestedType); ok {
		for _, f := range n.Fields() {
			count(f.Type, into)
		}
	}
}

// text is a value, the same for all types that keep it as bytes.
func text(a arrow.Array, i int) string {
	switch a := a.(type) {
	case array.ExtensionArray:
		return text(a.Storage(), i)
	case *array.String:
		return a.Value(i)
	case *array.Binary:
		return string(a.Value(i))
	case *array.FixedSizeBinary:
		return string(a.Value(i))
	case *array.Float16: // arrow-go shows subnormal ones wrongly
		return fmt.Sprintf("%04x", a.Value(i).Uint16())
	}
	return a.ValueStr(i)
}

// sameTypes compares types without names of elements, without what may be NULL, and extensions as what
// they are kept as.
func sameTypes(a, b arrow.DataType) bool {
	a, b = kept(a), kept(b)
	if a.Name() != b.Name() {
		return false
	}
	n, nested := a.(arrow.NestedType)
	if !nested {
		return arrow.TypeEqual(a, b)
	}
	o := b.(arrow.NestedType)
	if n.NumFields() != o.NumFields() {
		return false
	}
	for i, f := range n.Fields() {
		if x, y := f.Type, o.Fields()[i].Type; !sameTypes(x, y) || x.ID() != y.ID() { // what is within is compared as its text
			return false
		}
	}
	return true
}

// kept is what a type is kept as; all bytes are the same.
func kept(t arrow.DataType) arrow.DataType {
	if e, ok := t.(arrow.ExtensionType); ok {
		t = e.StorageType()
	}
	switch t.ID() {
	case arrow.STRING, arrow.BINARY, arrow.FIXED_SIZE_BINARY:
		return arrow.BinaryTypes.Binary
	}
	return t
}

// theirColumns is a file as arrow-go reads it; nil for columns that it does not read.
func theirColumns(path string) (out map[string]arrow.Array, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.NewGoAllocator())
	if err != nil {
		return nil, err
	}
	s, err := r.Schema()
	if err != nil {
		return nil, err
	}
	all, err := r.ReadTable(context.Background())
	if err != nil {
		return nil, err
	}
	defer all.Release()
	out = map[string]arrow.Array{}
	for i, field := range s.Fields() {
		chunks := all.Column(i).Data().Chunks()
		if len(chunks) == 0 {
			continue
		}
		if out[field.Name], err = array.Concatenate(chunks, memory.NewGoAllocator()); err != nil {
			out[field.Name] = nil
		}
	}
	return out, nil
}

// result is the rows of a query as database/sql has them, and the names of the types.
func result(db *sql.DB, query string) (types []string, out [][]any, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	columns, err := parquetsql.Columns(context.Background(), db, query)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range columns {
		types = append(types, c.String())
	}
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			return nil, nil, err
		}
		for i := range values {
			values[i] = *values[i].(*any)
		}
		out = append(out, values)
	}
	return types, out, rows.Err()
}

// TestRoundTrip writes each file anew as Parquet, and its rows are the same afterwards, of the same types.
func TestRoundTrip(t *testing.T) {
	leaktest.Check(t)
	folder := t.TempDir()
	kept, left := map[string]int{}, map[string]int{}
	for i, path := range files(t) {
		db := open(t, path+"?parallelism=1")
		query := "SELECT * FROM " + table(path)
		types, want, err := result(db, query)
		if err != nil {
			continue // not every file is one that is read
		}
		var b bytes.Buffer
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		err = sqlarrow.Options{Allocator: mem}.WriteParquet(context.Background(), &b, sqlarrow.ParquetOptions{RowGroupRows: 1000}, db, query)
		mem.AssertSize(t, 0)
		if errors.Is(err, parquetsql.ErrUnsupported) || errors.Is(err, parquetsql.ErrOutOfRange) {
			left[fmt.Sprintf("%s: %v", filepath.Base(path), err)]++
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		copied := filepath.Join(folder, fmt.Sprintf("copy%d.parquet", i))
		if err := os.WriteFile(copied, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		typesAfter, got, err := result(open(t, copied+"?parallelism=1"), "SELECT * FROM "+table(copied))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !reflect.DeepEqual(types, typesAfter) && filepath.Base(path) != "map_no_value.parquet" { // its values are NULL there
			t.Errorf("%s: types\n%q\n%q", path, types, typesAfter)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d rows, %d afterwards", path, len(want), len(got))
			continue
		}
		for row := range want {
			if w, g := fmt.Sprintf("%#v", want[row]), fmt.Sprintf("%#v", got[row]); w != g {
				t.Errorf("%s, row %d:\n%s\n%s", path, row, w, g)
				break
			}
		}
		for _, name := range types {
			for _, word := range strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsUpper(c) }) {
				kept[word]++
			}
		}
	}
	t.Log("kept:", kept)
	for reason := range left {
		t.Log("left out:", reason)
	}
	for _, name := range strings.Fields("BOOLEAN TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT HALF FLOAT DOUBLE DECIMAL DATE TIME TIMESTAMP TIMESTAMPTZ INTERVAL VARCHAR ENUM JSON BSON UUID BLOB GEOMETRY GEOGRAPHY VARIANT LIST MAP STRUCT") {
		if kept[name] == 0 {
			t.Errorf("no column of %s was written", name)
		}
	}
}

// same compares the values of two arrays, those of an extension that nothing registers as what they
// are kept as, and the bits of halves, of which arrow-go compares subnormal ones wrongly.
func same(a, b arrow.Array) bool {
	switch a := a.(type) {
	case *sqlarrow.WKBArray:
		return array.Equal(a.Storage(), b)
	case *array.Float16:
		for i := range a.Len() {
			if text(a, i) != text(b, i) || a.IsNull(i) != b.IsNull(i) {
				return false
			}
		}
		return true
	}
	return array.ApproxEqual(a, b, array.WithNaNsEqual(true), array.WithAbsTolerance(0))
}

// TestStreams: what the IPC of Arrow brings is what the reader gives, dictionaries too.
func TestStreams(t *testing.T) {
	leaktest.Check(t)
	ctx := context.Background()
	for _, path := range files(t) {
		for _, o := range []sqlarrow.Options{{}, {Dictionaries: true}} {
			db := open(t, path+"?parallelism=1")
			query := "SELECT * FROM " + table(path)
			mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
			o.Allocator = mem
			want, err := o.Query(ctx, db, query)
			if err != nil {
				continue
			}
			var stream, whole bytes.Buffer
			if err = o.WriteStream(ctx, &stream, db, query); err == nil {
				err = o.WriteFile(ctx, &whole, db, query)
			}
			if errors.Is(err, parquetsql.ErrUnsupported) || errors.Is(err, parquetsql.ErrOutOfRange) || err != nil && want.Schema().NumFields() == 0 {
				want.Release()
				continue
			}
			var damaged *parquetsql.CorruptError
			if errors.As(err, &damaged) {
				want.Release()
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			got, err := ipc.NewReader(&stream, ipc.WithAllocator(mem))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for want.Next() {
				if !got.Next() {
					t.Fatalf("%s: the stream ends early: %v", path, got.Err())
				}
				a, b := want.RecordBatch(), got.RecordBatch()
				for i := range int(a.NumCols()) {
					if !same(a.Column(i), b.Column(i)) {
						t.Fatalf("%s, %s: another value in the stream", path, a.ColumnName(i))
					}
				}
			}
			if got.Next() || got.Err() != nil || want.Err() != nil {
				t.Errorf("%s: behind the rows: %v, %v", path, got.Err(), want.Err())
			}
			f, err := ipc.NewFileReader(bytes.NewReader(whole.Bytes()), ipc.WithAllocator(mem))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			f.Close()
			got.Release()
			want.Release()
			mem.AssertSize(t, 0)
		}
	}
}
