package avro

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// container is a file of one block.
func container(schema, codec string, records int64, block []byte) []byte {
	var out []byte
	text := func(s string) { out = append(binary.AppendVarint(out, int64(len(s))), s...) }
	out = append(out, magic...)
	out = binary.AppendVarint(out, 2)
	text("avro.schema")
	text(schema)
	text("avro.codec")
	text(codec)
	out = append(out, 0)
	mark := strings.Repeat("m", markLen)
	out = append(out, mark...)
	out = binary.AppendVarint(out, records)
	text(string(block))
	return append(out, mark...)
}

// skipAll reads a file and nothing of it.
func skipAll(data []byte) (records int, err error) {
	b := quota.New(4 << 20)
	defer func() {
		if b.Used() != 0 {
			err = fmt.Errorf("%d bytes stay charged", b.Used())
		}
	}()
	f, err := Open(data, b)
	if err != nil {
		return 0, err
	}
	err = f.Each(func(d *Decoder) error {
		records++
		d.Skip(f.Schema)
		return d.Err()
	})
	return records, err
}

// The example of the specification (Schema Record): a is 27, b is "foo".
func TestRecord(t *testing.T) {
	schema := `{"type": "record", "name": "test", "fields": [{"name": "a", "type": "long", "field-id": 7}, {"name": "b", "type": "string"}]}`
	f, err := Open(container(schema, "null", 1, []byte{0x36, 0x06, 0x66, 0x6f, 0x6f}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Each(func(d *Decoder) error {
		a, _ := d.Int(f.Schema.Fields[0].Type)
		b, _ := d.Bytes(f.Schema.Fields[1].Type)
		if a != 27 || string(b) != "foo" || f.Schema.Fields[0].ID != 7 || f.Schema.Fields[1].ID != -1 {
			t.Error(a, b, f.Schema.Fields)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// The examples of arrays and unions (Arrays, Unions).
func TestNested(t *testing.T) {
	schema := `{"type": "record", "name": "t", "fields": [{"name": "a", "type": {"type": "array", "items": "long"}}, {"name": "u", "type": ["null", "string"]}, {"name": "v", "type": ["null", "string"]}]}`
	f, err := Open(container(schema, "null", 1, []byte{0x04, 0x06, 0x36, 0x00, 0x00, 0x02, 0x02, 0x61}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Each(func(d *Decoder) error {
		var list []int64
		d.Array(f.Schema.Fields[0].Type, func(of *Schema) {
			n, _ := d.Int(of)
			list = append(list, n)
		})
		_, u := d.Bytes(f.Schema.Fields[1].Type)
		v, _ := d.Bytes(f.Schema.Fields[2].Type)
		if len(list) != 2 || list[0] != 3 || list[1] != 27 || u || string(v) != "a" {
			t.Error(list, u, v)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// TestHostile: files that claim more than they have.
func TestHostile(t *testing.T) {
	record := func(fields string) string { return `{"type": "record", "name": "t", "fields": [` + fields + `]}` }
	long := binary.AppendVarint(nil, 1<<60)
	for name, c := range map[string][]byte{
		"a length":                    container(record(`{"name": "a", "type": "bytes"}`), "null", 1, long),
		"a number of elements":        container(record(`{"name": "a", "type": {"type": "array", "items": "null"}}`), "null", 1, append(bytes.Clone(long), 0)),
		"a number of records":         container(record(``), "null", 1<<60, nil),
		"a schema in itself":          container(record(`{"name": "a", "type": "t"}`), "null", 1, nil),
		"a depth":                     container(record(`{"name": "a", "type": `+strings.Repeat(`{"type": "array", "items": `, 100)+`"int"`+strings.Repeat(`}`, 100)+`}`), "null", 1, nil),
		"a size":                      container(record(`{"name": "a", "type": {"type": "fixed", "size": 1e30, "name": "f"}}`), "null", 1, nil),
		"a union":                     container(record(`{"name": "a", "type": ["null"]}`), "null", 1, []byte{9}),
		"a codec":                     container(record(``), "bzip2", 1, nil),
		"bytes that are too many":     container(record(`{"name": "a", "type": "int"}`), "null", 1, []byte{1, 1}),
		"a number of 80 bits":         container(record(`{"name": "a", "type": "int"}`), "null", 1, bytes.Repeat([]byte{0xff}, 12)),
		"snappy of four gigabytes":    container(record(`{"name": "a", "type": "int"}`), "snappy", 1, append(binary.AppendUvarint(nil, 1<<32-1), 0, 0, 0, 0)),
		"a boolean":                   container(record(`{"name": "a", "type": "boolean"}`), "null", 1, []byte{7}),
		"a type that is not there":    container(record(`{"name": "a", "type": "nothing"}`), "null", 1, nil),
		"an array with a long length": container(record(`{"name": "a", "type": {"type": "array", "items": "int"}}`), "null", 1, append(binary.AppendVarint(nil, -1<<63), 0)),
	} {
		if n, err := skipAll(c); err == nil {
			t.Errorf("%s: %d records", name, n)
		}
	}
	// A schema of 2^40 values of no bytes.
	fields := `{"name": "x0", "type": {"type": "record", "name": "r0", "fields": [{"name": "a", "type": "null"}]}}`
	for i := range 40 {
		prior := `"r` + string(rune('0'+i)) + `"`
		fields += `, {"name": "x` + string(rune('1'+i)) + `", "type": {"type": "record", "name": "r` + string(rune('1'+i)) + `", "fields": [{"name": "a", "type": ` + prior + `}, {"name": "b", "type": ` + prior + `}]}}`
	}
	if n, err := skipAll(container(record(fields), "null", 1, nil)); !errors.Is(err, errEmpty) {
		t.Errorf("%d records, %v", n, err)
	}
}

// manifests are the Avro files of the test data.
func manifests(t testing.TB) (out [][]byte) {
	err := filepath.WalkDir("../../../testdata/iceberg", func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".avro") {
			data, err := os.ReadFile(p)
			out = append(out, data)
			return err
		}
		return err
	})
	if err != nil || len(out) < 20 {
		t.Fatal(len(out), err)
	}
	return out
}

func TestManifests(t *testing.T) {
	for _, data := range manifests(t) {
		if n, err := skipAll(data); err != nil || n == 0 {
			t.Errorf("%d records, %v", n, err)
		}
	}
}

// FuzzFile: any bytes are an error or records.
func FuzzFile(f *testing.F) {
	for _, data := range manifests(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := skipAll(data); err != nil && strings.Contains(err.Error(), "stay charged") {
			t.Error(err)
		}
	})
}
