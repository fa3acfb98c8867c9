package column

import (
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestPaddedNull: a NULL of DuckDB's type INTEGER[3] has three entries, even if most
// of the page are such entries. In files of other writers this is damage.
func TestPaddedNull(t *testing.T) {
	var rep, def []uint8
	var values []int32
	var want records
	for i := range 3000 {
		rep = append(rep, 0, 1, 1)
		if i%1000 == 0 {
			def, values = append(def, 1, 1, 1), append(values, 7, 8, 9)
			want = append(want, "0 7 | 1 8 | 1 9")
		} else {
			def, want = append(def, 0, 0, 0), append(want, "0 NULL:0")
		}
	}
	root := &fileformat.Node{}
	leaf := chunktest.RepeatedInt
	leaf.Parent = root
	c := &chunktest.Chunk{Leaf: leaf, Rows: 3000, Values: 9000, Writer: fileformat.Writer{Application: "duckdb"}, Pages: []chunktest.Page{
		chunktest.V1(9000, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(rep...)), chunktest.Prefixed(chunktest.Runs(def...)), chunktest.Int32s(values...))),
	}}
	wantRecords(t, c, want)
	for _, skip := range []int64{1, 2, 999, 1000, 2999} {
		r := newReader(t, c, Options{})
		_ = r.Skip(skip)
		b, err := r.Read(2)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendRecords(t, nil, r.leaf, r.options, b); !reflect.DeepEqual(got, want[skip:min(skip+2, 3000)]) {
			t.Errorf("skip %d: %q", skip, got)
		}
	}
	c.Writer = fileformat.Writer{}
	if _, err := readAllRows(t, newReader(t, c, Options{}), 100); err == nil {
		t.Error("no error for another writer")
	}
}
