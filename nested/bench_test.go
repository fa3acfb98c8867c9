package nested

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/vector"
)

// onceLeaf returns the same batch on each read, so that only assembly is measured.
type onceLeaf struct {
	fakeLeaf
	batch column.Batch
}

func (l *onceLeaf) Read(int) (*column.Batch, error) { return &l.batch, nil }
func (l *onceLeaf) Row() int64                      { return 0 }

// BenchmarkAssemble assembles 2,048 rows of lists or nullable integers per
// operation; ns/value is the time per entry of the levels.
func BenchmarkAssemble(b *testing.B) {
	for _, c := range []struct {
		name, schema  string
		length, nulls int // elements per list on average, NULLs of 16 values
	}{
		{"flat/no nulls", `optional int64 x;`, 0, 0},
		{"flat/few nulls", `optional int64 x;`, 0, 1},
		{"flat/many nulls", `optional int64 x;`, 0, 8},
		{"narrow/no nulls", `optional int32 x;`, 0, 0},
		{"list of 5", `optional group x (LIST) { repeated group list { optional int64 element; } }`, 5, 0},
		{"list of 5, nulls", `optional group x (LIST) { repeated group list { optional int64 element; } }`, 5, 2},
		{"list of 100", `optional group x (LIST) { repeated group list { optional int64 element; } }`, 100, 0},
		{"list of structs", `repeated group x { required int64 a; optional int64 b; }`, 5, 2},
		{"list of lists", `repeated group x { repeated int64 y; }`, 5, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			tb := listTable(c.schema, c.length, c.nulls)
			entries := 0
			reader, err := newReader(tb.columns["x"], nil, Options{}, func(leaf int, levels bool) (leafReader, error) {
				l := &onceLeaf{fakeLeaf: fakeLeaf{striped: tb.leaves[leaf], flat: !levels}}
				whole, err := l.fakeLeaf.Read(2048)
				l.batch = *whole
				entries = max(entries, whole.Count)
				return l, err
			})
			if err != nil {
				b.Fatal(err)
			}
			reader.rows, reader.entries = 1<<30, 1<<30 // no small portions
			var v vector.Vector
			b.ReportAllocs()
			for b.Loop() {
				if n, err := reader.Read(2048, &v); n != 2048 || err != nil {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(entries), "ns/value")
		})
	}
}

// listTable is 2,048 records of a schema: lists of up to twice length elements,
// and nulls NULLs of 16 values.
func listTable(schema string, length, nulls int) *table {
	r := rand.New(rand.NewPCG(1, 2))
	var t testing.T
	s := parseSchema(&t, schema)
	var fill func(n *fileformat.Node) any
	fill = func(n *fileformat.Node) any {
		if n.IsLeaf() {
			return r.Int64N(1000)
		}
		var out []any
		for _, child := range n.Children {
			switch {
			case child.Repetition == fileformat.Repeated:
				elements := []any{}
				for range r.IntN(2*length + 1) {
					elements = append(elements, fill(child))
				}
				out = append(out, elements)
			case child.Repetition == fileformat.Optional && r.IntN(16) < nulls:
				out = append(out, nil)
			default:
				out = append(out, fill(child))
			}
		}
		return out
	}
	var records []any
	for range 2048 {
		records = append(records, fill(s.Root))
	}
	return newTable(&t, s, records)
}
