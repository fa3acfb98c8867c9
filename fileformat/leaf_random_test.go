package fileformat

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestRandomAccess skips and reads at random in chunks of random pages.
func TestRandomAccess(t *testing.T) {
	eachRandomChunk(t, func(r *rand.Rand, reader *LeafReader, want records) {
		if err := reader.Skip(r.Int64N(min(60, reader.total-reader.Row()+1))); err != nil {
			t.Fatal(err)
		}
		at := reader.Row()
		b, err := reader.Read(r.IntN(40))
		if err != nil {
			t.Fatal(err)
		}
		got := appendRecords(t, nil, reader.leaf, reader.options, b)
		if len(got) > 0 && !reflect.DeepEqual(got, want[at:reader.Row()]) {
			t.Fatalf("rows %d to %d:\ngot  %q\nwant %q", at, reader.Row(), got, want[at:reader.Row()])
		}
	})
}

// eachRandomChunk takes steps in chunks of random pages until they are read, with
// an offset index where one can be and without.
func eachRandomChunk(t *testing.T, step func(r *rand.Rand, reader *LeafReader, want records)) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		c, want, pageRows := randomChunk(r)
		_, file, offsets := c.build()
		for _, indexed := range []bool{false, true} {
			o := ReadOptions{Levels: r.IntN(2) == 0, NoDictionaryCodes: r.IntN(2) == 0, WholePages: r.IntN(2) == 0}
			if indexed && pageRows != nil {
				o.Offset = indexOf(offsets[len(offsets)-len(pageRows):], int64(len(file)), pageRows...)
			}
			for reader := c.reader(t, o); reader.Row() < c.rows; {
				step(r, reader, want)
			}
		}
	}
}

// randomChunk has up to a dozen pages of both versions, coded or not. pageRows
// is nil where records go over pages, and so no offset index can be.
func randomChunk(r *rand.Rand) (c *testChunk, want records, pageRows []int64) {
	leaf := []Node{requiredInt, optionalInt, repeatedInt}[r.IntN(3)]
	c = &testChunk{leaf: leaf}
	dictionary := []int32{100, 101, 102, 103}
	c.pages = append(c.pages, dictPage(4, int32s(dictionary...)))
	torn, whole := false, true
	for range 1 + r.IntN(12) {
		n, rows := r.IntN(50), int64(0)
		version2 := r.IntN(2) == 0
		var rep, def, codes []uint8
		var values []int32
		for i := range n {
			level := uint8(0)
			if leaf.MaxRep > 0 && len(want) > 0 && r.IntN(2) == 0 && (i > 0 || !version2 && !whole) {
				level = 1
				torn = torn || i == 0
			}
			present := leaf.MaxDef == 0 || r.IntN(3) > 0
			text := "NULL:0"
			if present {
				code := uint8(r.IntN(4))
				codes, values = append(codes, code), append(values, dictionary[code])
				text = fmt.Sprint(dictionary[code])
			}
			if leaf.MaxRep > 0 {
				text = fmt.Sprintf("%d %s", level, text)
			}
			if level == 0 {
				want, rows = append(want, text), rows+1
			} else {
				want[len(want)-1] += " | " + text
			}
			d := uint8(0)
			if present {
				d = 1
			}
			rep, def = append(rep, level), append(def, d)
		}
		if n > 0 {
			whole = version2
		}
		encoding, body := Plain, int32s(values...)
		if r.IntN(2) == 0 {
			encoding, body = RLEDictionary, codesOf(codes...)
		}
		c.pages = append(c.pages, randomPage(leaf, version2, encoding, rows, rep, def, len(values), body))
		c.rows, c.values, pageRows = c.rows+rows, c.values+int64(n), append(pageRows, rows)
	}
	if torn {
		pageRows = nil
	}
	return c, want, pageRows
}

func randomPage(leaf Node, version2 bool, e Encoding, rows int64, rep, def []uint8, values int, body []byte) testPage {
	var r, d []byte
	if leaf.MaxRep > 0 {
		r = runs(rep...)
	}
	if leaf.MaxDef > 0 {
		d = runs(def...)
	}
	if version2 {
		return testPage{PageHeader{Type: DataPageV2, NumValues: int32(len(def)), NumNulls: int32(len(def) - values), NumRows: int32(rows),
			Encoding: e, RepLength: int32(len(r)), DefLength: int32(len(d))}, join(r, d, body)}
	}
	if leaf.MaxRep > 0 {
		r = prefixed(r)
	}
	if leaf.MaxDef > 0 {
		d = prefixed(d)
	}
	return v1(len(def), e, join(r, d, body))
}

// run is one run of the RLE hybrid.
func run(n uint64, value uint8) []byte { return append(uvarint(n<<1), value) }

// TestBombs has pages of two billion entries in a few bytes: rows of a flat
// column come in batches as ever; one record of that length is refused.
func TestBombs(t *testing.T) {
	const n = 1<<31 - 1
	def := run(n, 1)
	coded := append([]byte{8}, run(n, 0)...)
	flat := &testChunk{leaf: optionalInt, rows: n, pages: []testPage{dictPage(1, int32s(42)), {
		PageHeader{Type: DataPageV2, NumValues: n, NumRows: n, Encoding: RLEDictionary, DefLength: int32(len(def))}, join(def, coded),
	}}}
	r := flat.reader(t, ReadOptions{})
	for r.Row() < n {
		if err := r.Skip(min(400_000_000, n-r.Row())); err != nil {
			t.Fatal(err)
		}
		b, err := r.Read(2048)
		if err != nil || b.Rows > 2048 || b.Rows > 0 && b.valueAt(b.Rows-1) != "42" {
			t.Fatalf("%+v, %v", b, err)
		}
	}

	rep := append(run(1, 0), run(n-1, 1)...)
	endless := &testChunk{leaf: repeatedInt, rows: 1, values: n, pages: []testPage{dictPage(1, int32s(42)), {
		PageHeader{Type: DataPageV2, NumValues: n, NumRows: 1, Encoding: RLEDictionary, DefLength: int32(len(def)), RepLength: int32(len(rep))},
		join(rep, def, coded),
	}}}
	if _, err := endless.reader(t, ReadOptions{}).Read(1); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("got %v", err)
	}
}
