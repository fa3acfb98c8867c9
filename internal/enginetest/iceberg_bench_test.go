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
