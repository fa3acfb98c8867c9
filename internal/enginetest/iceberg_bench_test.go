package enginetest

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// BenchmarkIcebergPlanning counts the rows of a table of 100,000 data files in 1,000 manifests, with
// bounds of one column, of which no file is opened: first by all of them, then by one of a key.
func BenchmarkIcebergPlanning(b *testing.B) {
	m := newModel(rand.New(rand.NewPCG(1, 1)))
	m.version, m.sequence = 2, 1
	var list []icebergList
	for n := range 1000 {
		var files []icebergFile
		for i := range 100 {
			id := int64(n*100 + i)
			files = append(files, icebergFile{
				status: 1, path: fmt.Sprintf("%s/data/%08d-9c12d441-03fe-4693-9a96-a0705ddf69c1.parquet", m.location, id), format: "PARQUET", records: 1000, size: 1 << 20, sequence: 1,
				lower: id * 1000, upper: id*1000 + 999, firstRow: -1, offset: -1, contentSize: -1,
			})
		}
		file := icebergManifest(2, modelSpecs[0], "", false, files)
		list = append(list, icebergList{path: m.put("m", "avro", file), length: int64(len(file)), sequence: 1, added: 100, firstRow: -1})
	}
	m.snapshot(list, 0)
	config := parquetsql.NewConfig()
	config.FS, config.Path = m.files, "."
	for _, c := range []struct {
		name, query string
		want        int
	}{{"All", "SELECT COUNT(*) FROM t", 100_000_000}, {"None", "SELECT COUNT(*) FROM t WHERE id > 1000000000", 0}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				connector, err := parquetsql.NewConnector(config)
				if err != nil {
					b.Fatal(err)
				}
				db := sql.OpenDB(connector)
				var n int
				if err := db.QueryRow(c.query).Scan(&n); err != nil || n != c.want {
					b.Fatal(n, err)
				}
				if err := db.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkIcebergDeletes sums a column of 500,000 rows: of a file without deletes, with one row in a
// hundred deleted by position, with as many deleted by a vector, and with as many by their key. The table
// is opened once.
func BenchmarkIcebergDeletes(b *testing.B) {
	const rows = 500_000
	for _, kind := range []string{"None", "Positions", "Vector", "Equality"} {
		b.Run(kind, func(b *testing.B) {
			m := newModel(rand.New(rand.NewPCG(1, 1)))
			m.version, m.sequence = 2, 1
			var all []*modelRow
			for i := range int64(rows) {
				all = append(all, &modelRow{id: i, k: i % 7, s: "a"})
			}
			m.append(all, 0)
			m.commit()
			m.sequence, m.data[0].status = 2, 0
			var paths, keys []any
			var positions []int64
			for i := range int64(rows / 100) {
				paths, keys, positions = append(paths, m.data[0].path), append(keys, 100*i), append(positions, 100*i)
			}
			f := icebergFile{status: 1, format: "PARQUET", records: int64(len(keys)), sequence: -1, firstRow: -1, offset: -1, contentSize: -1, upper: rows}
			var data []byte
			switch kind {
			case "Positions":
				f.content, data = 1, parquetOf(withID(texts("file_path", paths...), 2147483546), withID(longs("pos", keys...), 2147483545))
			case "Vector":
				m.version = 3
				blob := vectorBlob(positions)
				f.content, f.format, f.referenced, f.offset, f.contentSize = 1, "PUFFIN", m.data[0].path, 4, int64(len(blob))
				data = puffinFile(blob, f.referenced, len(positions))
			case "Equality":
				f.content, f.equality, data = 2, []int64{1}, parquetOf(withID(longs("id", keys...), 1))
			}
			want := int64(rows)
			if data != nil {
				f.path, f.size = m.put("x", "parquet", data), int64(len(data))
				m.pending, m.specs = append(m.pending, f), append(m.specs, 0)
				want -= int64(len(keys))
			}
			m.commit()
			config := parquetsql.NewConfig()
			config.FS, config.Path = m.files, "."
			connector, err := parquetsql.NewConnector(config)
			if err != nil {
				b.Fatal(err)
			}
			db := sql.OpenDB(connector)
			defer db.Close()
			for b.Loop() {
				var n, sum int64
				if err := db.QueryRow("SELECT COUNT(k), SUM(k) FROM t WHERE k >= 0").Scan(&n, &sum); err != nil || n != want {
					b.Fatal(n, want, err)
				}
			}
		})
	}
}
