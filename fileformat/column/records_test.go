package column

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// repeatedV2 returns a DATA_PAGE_V2 whose header states that many rows.
func repeatedV2(rows int, rep, def []uint8, values ...int32) chunktest.Page {
	r, d := chunktest.Runs(rep...), chunktest.Runs(def...)
	return chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: int32(len(rep)), NumRows: int32(rows), Encoding: fileformat.Plain,
		RepLength: int32(len(r)), DefLength: int32(len(d))}, chunktest.Join(r, d, chunktest.Int32s(values...)))
}

func TestRecordsOverPages(t *testing.T) {
	page := func(rep, def []uint8, values ...int32) chunktest.Page {
		return chunktest.V1(len(rep), fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(rep...)), chunktest.Prefixed(chunktest.Runs(def...)), chunktest.Int32s(values...)))
	}
	c := &chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 4, Values: 9, Pages: []chunktest.Page{
		page([]uint8{0, 1, 0}, []uint8{1, 1, 1}, 1, 2, 3),
		page([]uint8{1, 1}, []uint8{1, 1}, 4, 5),
		page([]uint8{1, 0, 0}, []uint8{1, 0, 1}, 6, 7),
		page([]uint8{1}, []uint8{1}, 8),
	}}
	want := records{"0 1 | 1 2", "0 3 | 1 4 | 1 5 | 1 6", "0 NULL:0", "0 7 | 1 8"}
	wantRecords(t, c, want)
	for skip := range want {
		for n := range len(want) - skip {
			r := newReader(t, c, Options{})
			if err := r.Skip(int64(skip)); err != nil {
				t.Fatal(err)
			}
			b, err := r.Read(n + 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := appendRecords(t, nil, r.leaf, r.options, b); !reflect.DeepEqual(got, want[skip:skip+n+1]) {
				t.Errorf("skip %d, read %d: %q", skip, n+1, got)
			}
		}
	}

	c.Pages = []chunktest.Page{
		repeatedV2(2, []uint8{0, 1, 0}, []uint8{1, 1, 1}, 1, 2, 3), repeatedV2(1, []uint8{1, 0}, []uint8{1, 1}, 4, 5),
		repeatedV2(1, []uint8{0}, []uint8{1}, 6),
	}
	// The second page does not begin with a record; only that page is lost.
	wantDamage(t, c, records{"0 1 | 1 2", "0 3", "0 6"}, [2]int64{2, 3})
	// It has fewer, then more records than its header states, but the headers' sum is
	// the row group's number of rows: again only that page is lost.
	c.Pages[1] = repeatedV2(2, []uint8{0, 1}, []uint8{1, 1}, 4, 5)
	c.Pages[2] = repeatedV2(1, []uint8{0}, []uint8{1}, 6)
	c.Rows, c.Values = 5, 6
	wantDamage(t, c, records{"0 1 | 1 2", "0 3", "0 6"}, [2]int64{2, 4})
	c.Pages[1] = repeatedV2(1, []uint8{0, 0}, []uint8{1, 1}, 4, 5)
	c.Rows = 4
	wantDamage(t, c, records{"0 1 | 1 2", "0 3", "0 6"}, [2]int64{2, 3})
}

// TestWrongNumRows: several writers store in num_rows of version 2 the number of
// values, of all rows, 0 or worse. Rows are counted from the levels.
func TestWrongNumRows(t *testing.T) {
	for name, numRows := range map[string][3]int{"values": {3, 3, 2}, "all rows": {5, 5, 5}, "none": {0, 0, 0}, "negative": {-1, -1, -1}, "the first": {1, 2, 1}, "shifted": {3, 1, 1}} {
		lists := &chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 5, Values: 8, Verify: true, Pages: []chunktest.Page{
			chunktest.WithCRC(repeatedV2(numRows[0], []uint8{0, 1, 0}, []uint8{1, 1, 1}, 1, 2, 3)),
			chunktest.WithCRC(repeatedV2(numRows[1], []uint8{0, 1, 0}, []uint8{1, 1, 1}, 4, 5, 6)),
			chunktest.WithCRC(repeatedV2(numRows[2], []uint8{0, 1}, []uint8{1, 1}, 7, 8)),
		}}
		want := records{"0 1 | 1 2", "0 3", "0 4 | 1 5", "0 6", "0 7 | 1 8"}
		flat := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 8}
		for i, values := range [][]int32{{1, 2, 3}, {4, 5, 6}, {7, 8}} {
			h := fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: int32(len(values)), NumRows: int32(numRows[i])}
			flat.Pages = append(flat.Pages, chunktest.Of(h, chunktest.Int32s(values...)))
		}
		for c, want := range map[*chunktest.Chunk]records{lists: want, flat: {"1", "2", "3", "4", "5", "6", "7", "8"}} {
			wantRecords(t, c, want)
			for skip := range want {
				r := newReader(t, c, Options{})
				_ = r.Skip(int64(skip))
				if got, err := r.Read(100); err != nil || !reflect.DeepEqual(appendRecords(t, nil, r.leaf, r.options, got), want[skip:]) {
					t.Errorf("%s, skip %d: %v", name, skip, err)
				}
			}
		}
		// The number of rows of a damaged page is unknown.
		lists.Pages[1].Body = bytes.Clone(lists.Pages[1].Body)
		lists.Pages[1].Body[5] ^= 1
		if name == "shifted" { // nothing tells which of the pages is damaged
			wantDamage(t, lists, nil, [2]int64{0, 5})
			continue
		}
		wantDamage(t, lists, want[:2], [2]int64{2, 5})
	}
}

// TestUnevenRows has chunks whose pages have more or fewer rows than the row group.
func TestUnevenRows(t *testing.T) {
	lists := func(rep ...uint8) chunktest.Page {
		values := make([]int32, len(rep))
		return chunktest.V1(len(rep), fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(rep...)), chunktest.Prefixed(chunktest.Runs(bytes.Repeat([]byte{1}, len(rep))...)), chunktest.Int32s(values...)))
	}
	for name, c := range map[string]*chunktest.Chunk{
		"fewer":                  {Leaf: chunktest.RequiredInt, Rows: 3, Pages: []chunktest.Page{chunktest.V1(2, fileformat.Plain, chunktest.Int32s(1, 2))}},
		"none":                   {Leaf: chunktest.RequiredInt, Rows: 3},
		"more":                   {Leaf: chunktest.RequiredInt, Rows: 3, Pages: []chunktest.Page{chunktest.V1(4, fileformat.Plain, chunktest.Int32s(1, 2, 3, 4))}},
		"fewer values":           {Leaf: chunktest.RequiredInt, Rows: 3, Pages: []chunktest.Page{chunktest.V1(3, fileformat.Plain, chunktest.Int32s(1, 2))}},
		"fewer values than set":  {Leaf: chunktest.OptionalInt, Rows: 3, Pages: []chunktest.Page{chunktest.V1(3, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 1, 1)), chunktest.Int32s(1, 2)))}},
		"fewer levels":           {Leaf: chunktest.OptionalInt, Rows: 3, Pages: []chunktest.Page{chunktest.V1(3, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 1)), chunktest.Int32s(1, 2)))}},
		"level above maximum":    {Leaf: chunktest.OptionalInt, Rows: 2, Pages: []chunktest.Page{chunktest.V1(2, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 2)), chunktest.Int32s(1, 2)))}},
		"levels past the page":   {Leaf: chunktest.OptionalInt, Rows: 2, Pages: []chunktest.Page{chunktest.V1(2, fileformat.Plain, []byte{200, 0, 0, 0, 4, 1})}},
		"negative level length":  {Leaf: chunktest.OptionalInt, Rows: 2, Pages: []chunktest.Page{chunktest.V1(2, fileformat.Plain, []byte{255, 255, 255, 255, 4, 1})}},
		"fewer records":          {Leaf: chunktest.RepeatedInt, Rows: 3, Values: 4, Pages: []chunktest.Page{lists(0, 1, 0, 1)}},
		"more records":           {Leaf: chunktest.RepeatedInt, Rows: 1, Values: 4, Pages: []chunktest.Page{lists(0, 1, 0, 1)}},
		"first repetition not 0": {Leaf: chunktest.RepeatedInt, Rows: 1, Values: 4, Pages: []chunktest.Page{lists(1, 1, 0, 1)}},
		"more values":            {Leaf: chunktest.RequiredInt, Rows: 2, Values: 3, Pages: []chunktest.Page{chunktest.V1(3, fileformat.Plain, chunktest.Int32s(1, 2, 3))}},
		"two billion values":     {Leaf: chunktest.RequiredInt, Rows: 1<<31 - 1, Pages: []chunktest.Page{chunktest.V1(1<<31-1, fileformat.Plain, chunktest.Int32s(1, 2, 3))}},
	} {
		chunk, file, _ := c.Build()
		r, err := NewReader(chunk, Options{Source: bytes.NewReader(file)})
		if err == nil {
			_, err = readAllRows(t, r, 2)
		}
		var corrupt *errs.CorruptError
		if !errors.As(err, &corrupt) || corrupt.File != "test" || corrupt.Column != "c" || corrupt.RowGroup != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRecordsOverPagesV2 reads what arrow-go wrote before 18.8.0, with the file of the
// issue (apache/arrow-go#882): num_rows is the number of records that begin in a page.
func TestRecordsOverPagesV2(t *testing.T) {
	c := &chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 4, Values: 9, Writer: fileformat.Writer{Application: "parquet-go", HasVersion: true, Major: 18, Minor: 4}, Pages: []chunktest.Page{
		repeatedV2(1, []uint8{0}, []uint8{1}, 1),
		repeatedV2(1, []uint8{1, 0}, []uint8{1, 1}, 2, 3),
		repeatedV2(0, []uint8{1, 1}, []uint8{1, 1}, 4, 5),
		repeatedV2(2, []uint8{1, 0, 0}, []uint8{1, 0, 1}, 6, 7),
		repeatedV2(0, []uint8{1}, []uint8{1}, 8),
	}}
	want := records{"0 1 | 1 2", "0 3 | 1 4 | 1 5 | 1 6", "0 NULL:0", "0 7 | 1 8"}
	wantRecords(t, c, want)
	for skip := range want {
		r := newReader(t, c, Options{})
		if err := r.Skip(int64(skip)); err != nil {
			t.Fatal(err)
		}
		b, err := r.Read(1)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendRecords(t, nil, r.leaf, r.options, b); !reflect.DeepEqual(got, want[skip:skip+1]) {
			t.Errorf("skip %d: %q", skip, got)
		}
	}
}

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
