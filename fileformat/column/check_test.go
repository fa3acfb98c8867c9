package column

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestWholePages: damage in the middle of a page loses exactly that page, for any
// number of rows read at a time.
func TestWholePages(t *testing.T) {
	lists := func(rep, def []uint8, values []byte) chunktest.Page {
		return chunktest.V1(len(rep), fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(rep...)), chunktest.Prefixed(chunktest.Runs(def...)), values))
	}
	cut := chunktest.ByteArrays("c", "d", "e")
	good := lists([]uint8{0, 1, 0}, []uint8{1, 1, 1}, chunktest.Int32s(1, 2, 3))
	listsV2 := func(rep, def []uint8, values []byte, rows int32) chunktest.Page {
		r, d := chunktest.Runs(rep...), chunktest.Runs(def...)
		return chunktest.Of(fileformat.PageHeader{
			Type: fileformat.DataPageV2, NumValues: int32(len(rep)), NumRows: rows, Encoding: fileformat.Plain, RepLength: int32(len(r)), DefLength: int32(len(d)),
		}, chunktest.Join(r, d, values))
	}
	for name, c := range map[string]struct {
		chunktest.Chunk
		want records
		lost [2]int64
	}{
		"text": {chunktest.Chunk{Leaf: chunktest.RequiredText, Rows: 6, Pages: []chunktest.Page{
			chunktest.V1(2, fileformat.Plain, chunktest.ByteArrays("a", "b")), chunktest.V1(3, fileformat.Plain, cut[:len(cut)-1]), chunktest.V1(1, fileformat.Plain, chunktest.ByteArrays("f"))}},
			records{`"a"`, `"b"`, `"f"`}, [2]int64{2, 5}},
		"codes": {chunktest.Chunk{Leaf: chunktest.RequiredText, Rows: 7, Pages: []chunktest.Page{
			chunktest.Dictionary(2, chunktest.ByteArrays("a", "b")), chunktest.V1(2, fileformat.RLEDictionary, chunktest.Codes(1, 0)), chunktest.V1(4, fileformat.RLEDictionary, chunktest.Codes(0, 1, 1, 2)), chunktest.V1(1, fileformat.RLEDictionary, chunktest.Codes(1))}},
			records{`"b"`, `"a"`, `"b"`}, [2]int64{2, 6}},
		"few codes": {chunktest.Chunk{Leaf: chunktest.RequiredText, Rows: 6, Pages: []chunktest.Page{
			chunktest.Dictionary(2, chunktest.ByteArrays("a", "b")), chunktest.V1(2, fileformat.RLEDictionary, chunktest.Codes(1, 0)), chunktest.V1(3, fileformat.RLEDictionary, chunktest.Codes(0, 1)), chunktest.V1(1, fileformat.RLEDictionary, chunktest.Codes(1))}},
			records{`"b"`, `"a"`, `"b"`}, [2]int64{2, 5}},
		"no dictionary": {chunktest.Chunk{Leaf: chunktest.OptionalText, Rows: 6, Pages: []chunktest.Page{
			chunktest.V1(2, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0)), chunktest.ByteArrays("a"))), chunktest.V1(3, fileformat.RLEDictionary, chunktest.Join(chunktest.Prefixed(chunktest.Runs(0, 0, 1)), chunktest.Codes(0))), chunktest.V1(1, fileformat.RLEDictionary, chunktest.Prefixed(chunktest.Runs(0)))}},
			records{`"a"`, "NULL:0", "NULL:0"}, [2]int64{2, 5}},
		"definition levels": {chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: 6, Pages: []chunktest.Page{
			chunktest.V1(2, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0)), chunktest.Int32s(1))), chunktest.V1(3, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 1)), chunktest.Int32s(2, 3))), chunktest.V1(1, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1)), chunktest.Int32s(4)))}},
			records{"1", "NULL:0", "4"}, [2]int64{2, 5}},
		"fewer values than levels": {chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: 6, Pages: []chunktest.Page{
			chunktest.V1(2, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0)), chunktest.Int32s(1))), chunktest.V1(3, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0, 1)), chunktest.Int32s(2))), chunktest.V1(1, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1)), chunktest.Int32s(4)))}},
			records{"1", "NULL:0", "4"}, [2]int64{2, 5}},
		// A page's num_values is wrong, and it is unknown which page's.
		"a count too low": {chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 6, Pages: []chunktest.Page{
			chunktest.V1(1, fileformat.Plain, chunktest.Int32s(1, 2)), chunktest.V1(2, fileformat.Plain, chunktest.Int32s(3, 4)), chunktest.V1(2, fileformat.Plain, chunktest.Int32s(5, 6))}},
			nil, [2]int64{0, 6}},
		"a count too high": {chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 6, Pages: []chunktest.Page{
			chunktest.V1(3, fileformat.Plain, chunktest.Int32s(1, 2)), chunktest.V1(2, fileformat.Plain, chunktest.Int32s(3, 4)), chunktest.V1(2, fileformat.Plain, chunktest.Int32s(5, 6))}},
			nil, [2]int64{0, 6}},
		// The last header cannot be read, so the first one's count cannot be checked.
		"a count too high, and a header that does not parse": {chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 6, Pages: []chunktest.Page{
			chunktest.V1(3, fileformat.Plain, chunktest.Int32s(1, 2)), chunktest.V1(2, fileformat.Plain, chunktest.Int32s(3, 4)), chunktest.V1(-2, fileformat.Plain, chunktest.Int32s(5, 6))}},
			nil, [2]int64{0, 6}},
		// A V1 page of a repeated column does not state its number of rows: all that
		// follows is lost with it, and the row before it, which might continue.
		"lists": {chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 5, Values: 8, Pages: []chunktest.Page{
			good, lists([]uint8{0, 1, 0}, []uint8{1, 1, 1}, chunktest.Int32s(4, 5)), lists([]uint8{0, 1}, []uint8{1, 1}, chunktest.Int32s(7, 8))}},
			records{"0 1 | 1 2"}, [2]int64{1, 5}},
		"more lists than rows": {chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 4, Values: 8, Pages: []chunktest.Page{
			good, lists([]uint8{0, 1, 0, 0, 0}, []uint8{1, 1, 1, 1, 1}, chunktest.Int32s(4, 5, 6, 7, 8))}},
			records{"0 1 | 1 2"}, [2]int64{1, 4}},
		"lists, V2": {chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 5, Values: 8, Pages: []chunktest.Page{
			listsV2([]uint8{0, 1, 0}, []uint8{1, 1, 1}, chunktest.Int32s(1, 2, 3), 2), listsV2([]uint8{0, 1, 0}, []uint8{1, 1, 1}, chunktest.Int32s(4, 5), 2),
			listsV2([]uint8{0, 1}, []uint8{1, 1}, chunktest.Int32s(7, 8), 1)}},
			records{"0 1 | 1 2", "0 3", "0 7 | 1 8"}, [2]int64{2, 4}},
	} {
		for _, o := range []Options{{}, {Levels: true}, {NoDictionaryCodes: true}} {
			for _, n := range []int{1, 2, 3, 1000} {
				o.WholePages = true
				got, lost := readSalvage(t, newReader(t, &c.Chunk, o), n)
				if !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(lost, [][2]int64{c.lost}) {
					t.Errorf("%s, %+v, %d at a time: got %q without %v, want %q without %v", name, o, n, got, lost, c.want, c.lost)
				}
			}
		}
	}
}

// TestWholePagesOfType: values that are not of the column's type damage their page;
// in a dictionary, they damage all pages that need it.
func TestWholePagesOfType(t *testing.T) {
	errB := errors.New("a b")
	o := Options{WholePages: true, Check: func(v *Values, n int) error {
		if slices.Contains(v.Bytes[:n], "b") {
			return errB
		}
		return nil
	}}
	last := chunktest.V1(1, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1)), chunktest.ByteArrays("c")))
	for name, pages := range map[string][]chunktest.Page{
		"values": {chunktest.V1(3, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0, 1)), chunktest.ByteArrays("a", "b"))), chunktest.V1(1, fileformat.Plain, chunktest.Prefixed(chunktest.Runs(0))), last},
		"dictionary": {chunktest.Dictionary(2, chunktest.ByteArrays("a", "b")), chunktest.V1(3, fileformat.RLEDictionary, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0, 1)), chunktest.Codes(0, 0))),
			chunktest.V1(1, fileformat.RLEDictionary, chunktest.Join(chunktest.Prefixed(chunktest.Runs(0)), chunktest.Codes())), last},
	} {
		c := chunktest.Chunk{Leaf: chunktest.OptionalText, Rows: 5, Pages: pages}
		for _, n := range []int{1, 2, 1000} {
			got, lost := readSalvage(t, newReader(t, &c, o), n)
			if !reflect.DeepEqual(got, records{"NULL:0", `"c"`}) || !reflect.DeepEqual(lost, [][2]int64{{0, 3}}) {
				t.Errorf("%s, %d at a time: %q without %v", name, n, got, lost)
			}
		}
	}
}

// TestWholePagesOfGoodFiles: checking pages in advance does not change the rows.
func TestWholePagesOfGoodFiles(t *testing.T) {
	foreignFiles(t, func(path, _ string) {
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 100<<10 {
			return
		}
		if want, got := salvaged(data, 100, false), salvaged(data, 100, true); got != want {
			t.Errorf("%s: other rows:\n%.500s\n%.500s", path, want, got)
		}
	})
}

// TestWholePagesOfMutants: which rows of a damaged file can be read does not depend on
// how many are read at a time.
func TestWholePagesOfMutants(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var files [][]byte
	foreignFiles(t, func(path, _ string) {
		if data, err := os.ReadFile(path); err == nil && len(data) < 4096 {
			files = append(files, data)
		}
	})
	if len(files) == 0 {
		t.Skip("no files")
	}
	mutants := 5000
	if testing.Short() {
		mutants = 500
	}
	for i := range mutants {
		data := bytes.Clone(files[r.IntN(len(files))])
		for range 1 + r.IntN(3) {
			data[4+r.IntN(max(1, len(data)/2))] ^= 1 << r.IntN(8)
		}
		want := salvaged(data, 1000, true)
		for _, n := range []int{1, 2, 7} {
			if got := salvaged(data, n, true); got != want {
				t.Fatalf("mutant %d, %d rows at a time:\n%s\n1000:\n%s", i, n, got, want)
			}
		}
	}
}

// salvaged returns the text of all rows of a file that can be read, n at a time.
func salvaged(data []byte, n int, whole bool) string {
	source := bytes.NewReader(data)
	f, err := fileformat.Open(source, int64(len(data)), fileformat.Options{Name: "test"})
	if err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	for _, g := range f.RowGroups() {
		for _, c := range g.Columns {
			r, err := NewReader(c, Options{Source: source, Levels: true, NoDictionaryCodes: true, WholePages: whole})
			if err != nil {
				fmt.Fprintln(&out, err)
				continue
			}
			salvageChunk(&out, r, n)
		}
	}
	return out.String()
}

// salvageChunk writes rows and entries, values and losses separately: batches divide
// them in different ways.
func salvageChunk(out *bytes.Buffer, r *Reader, n int) {
	defer r.Close()
	var def, rep []uint8
	var values, lost []string
	const most = 5000
	rows := 0
	for r.Row() < r.total && rows < most {
		b, err := r.Read(min(n, most-rows))
		var damage *DamageError
		var corrupt *errs.CorruptError
		switch {
		case err == nil:
			rows += b.Rows
			def, rep = append(def, b.Def...), append(rep, b.Rep...)
			for i := range b.NonNull {
				values = append(values, b.valueAt(i))
			}
		case errors.As(err, &damage) && errors.As(err, &corrupt):
			lost = append(lost, fmt.Sprintf("%d-%d %v", damage.FirstRow, damage.EndRow, err))
			err = r.Skip(damage.EndRow - r.Row())
		}
		if err != nil { // not damage: the query fails, so the rows before it do not matter
			fmt.Fprintln(out, err)
			return
		}
	}
	fmt.Fprintln(out, rows, def, rep, values, lost)
}

// endless returns one value per call, without end, and uses no memory.
type endless struct{ calls int }

func (d *endless) Reset([]byte, int) error          { return nil }
func (d *endless) Skip(n int) (int, error)          { return n, nil }
func (d *endless) Decode(dst []string) (int, error) { d.calls++; return min(1, len(dst)), nil }

// TestWholePagesGrown: checking a page in advance builds no more than a batch may
// hold; 1 MiB of DELTA_BYTE_ARRAY can expand to terabytes.
func TestWholePagesGrown(t *testing.T) {
	var d endless
	v := typedValues[string]{decoder: &d, slice: func(v *Values) *[]string { return &v.Bytes }}
	if err := v.check(1<<20, nil); !errors.Is(err, errs.ErrMemoryLimit) || d.calls > maxShortDecodes {
		t.Errorf("%v after %d calls", err, d.calls)
	}
}
