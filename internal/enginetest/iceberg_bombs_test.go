package enginetest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// compressedAvro is an object container file of one block, which is compressed.
func compressedAvro(t *testing.T, schema, codec string, records int64, block []byte) []byte {
	var b bytes.Buffer
	w := map[string]func() (io.WriteCloser, error){
		"deflate":   func() (io.WriteCloser, error) { return flate.NewWriter(&b, 9) },
		"zstandard": func() (io.WriteCloser, error) { return zstd.NewWriter(&b) },
	}[codec]
	z, err := w()
	if err == nil {
		_, err = z.Write(block)
		err = errors.Join(err, z.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	file := avroFile(schema, map[string]string{"partition-spec": "[]", "partition-spec-id": "0", "format-version": "2"})
	file = bytes.Replace(file, avroText(avroText(nil, "avro.codec"), "null"), avroText(avroText(nil, "avro.codec"), codec), 1)
	const mark = "0123456789abcdef"
	head := file[:bytes.Index(file, []byte(mark))+len(mark)]
	out := avroLong(avroLong(bytes.Clone(head), records), int64(b.Len()))
	return append(append(out, b.Bytes()...), mark...)
}

// TestIcebergBombs: metadata that become a hundred times as much in memory are an error before they do.
func TestIcebergBombs(t *testing.T) {
	const fields = `[{"id":1,"name":"x","required":false,"type":"long"}]`
	entry := fmt.Sprintf(oddEntry, "")
	many := func(n int, s string) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	head := `{"format-version":2,"location":"/t","current-schema-id":0,"schemas":[{"schema-id":0,"fields":[]}],"partition-specs":[],"default-spec-id":0,"last-partition-id":0,"sort-orders":[]`
	metadata := func(text string) func(*oddTable) {
		return func(r *oddTable) { r.put(t, "metadata/v1.metadata.json", []byte(text)) }
	}
	packed := func(text string) func(*oddTable) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		return metadata(b.String())
	}
	manifest := func(data []byte) func(*oddTable) {
		return func(r *oddTable) { r.put(t, "metadata/m1.avro", data) }
	}
	deep := strings.Repeat(`{"type":"struct","fields":[{"id":1,"name":"a","type":`, 90) + `"` + strings.Repeat("x", 4<<20) + `"` + strings.Repeat(`}]}`, 90)
	for name, put := range map[string]func(*oddTable){
		"snapshots":           metadata(head + `,"snapshots":[` + many(1_000_000, "{}") + `]}`),
		"schemas":             metadata(head + `,"schemas":[` + many(1_000_000, "{}") + `]}`),
		"fields":              metadata(head + `,"schemas":[{"fields":[` + many(1_000_000, "{}") + `]}]}`),
		"deep types":          metadata(head + `,"schemas":[{"fields":[{"id":1,"name":"a","type":` + deep + `}]}]}`),
		"properties":          metadata(head + `,"properties":{` + many(1_000_000, `"":""`) + `}}`),
		"names":               metadata(head + `,"properties":{"schema.name-mapping.default":"[` + many(1_000_000, "{}") + `]"}}`),
		"compressed metadata": packed(head + strings.Repeat(" ", 200<<20) + "}"),
		"compressed objects":  packed(head + `,"snapshots":[` + many(5_000_000, "{}") + `]}`),
		"deflate":             manifest(compressedAvro(t, entry, "deflate", 1, make([]byte, 60<<20))),
		"zstandard":           manifest(compressedAvro(t, entry, "zstandard", 1, make([]byte, 60<<20))),
		"a schema":            manifest(avroFile(`{"type":"record","name":"a","fields":[`+many(1_000_000, "{}")+`]}`, map[string]string{})),
		"entries":             manifest(avroFile(entry, map[string]string{"partition-spec": "[]"}, manyEntries(300_000)...)),
		"a list": func(r *oddTable) {
			var list []icebergList
			for range 400_000 {
				list = append(list, icebergList{path: "x"})
			}
			r.put(t, "metadata/l.avro", icebergManifestList(2, list))
		},
	} {
		r := newOddTable(t, "[]")
		r.add(t, "", r.data(t, withID(longs("x", int64(5)), 1)))
		r.commit(t, 2, fields)
		put(r)
		db := openDir(t, filepath.ToSlash(r.dir)+"?memory_limit=8MiB")
		before := leaktest.Allocated()
		_, _, err := answerOf(db, "SELECT x FROM t")
		used := int64(leaktest.Allocated()-before) >> 20
		t.Logf("%s: %d MiB, %.100v", name, used, err)
		if err == nil || used > 110 {
			t.Errorf("%s: %d MiB, %v", name, used, err)
		}
		if name != "deep types" && name != "schemas" && !errors.Is(err, parquetsql.ErrMemoryLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// manyEntries are entries of a manifest as short as they can be.
func manyEntries(n int) (out [][]byte) {
	r := avroOptional(avroOptional(avroLong(nil, 1), -1), -1)
	r = avroText(avroText(avroLong(r, 0), "x"), "")
	r = avroLong(avroLong(r, 1), 1)
	r = append(r, 0, 0, 0, 0) // bounds, equality_ids, referenced_data_file
	r = avroOptional(avroOptional(r, -1), -1)
	for range n {
		out = append(out, r)
	}
	return out
}
