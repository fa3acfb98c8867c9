package column

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestRandomAccess skips and reads at random in chunks of random pages.
func TestRandomAccess(t *testing.T) {
	eachRandomChunk(t, func(r *rand.Rand, reader *Reader, want records) {
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

// eachRandomChunk calls step on chunks of random pages until they are read, without an
// offset index and, if the chunk can have one, with it.
func eachRandomChunk(t *testing.T, step func(r *rand.Rand, reader *Reader, want records)) {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r, memory := rand.New(rand.NewPCG(seed, 0)), &Memory{}
	for range 300 {
		c, want, pageRows := randomChunk(r)
		_, file, offsets := c.Build()
		for _, indexed := range []bool{false, true} {
			o := Options{Levels: r.IntN(2) == 0, NoDictionaryCodes: r.IntN(2) == 0, WholePages: r.IntN(2) == 0}
			if indexed && pageRows != nil {
				o.Offset = indexOf(offsets[len(offsets)-len(pageRows):], int64(len(file)), pageRows...)
			}
			if r.IntN(3) > 0 {
				o.Memory = memory
			}
			reader := newReader(t, c, o)
			for reader.Row() < c.Rows {
				step(r, reader, want)
			}
			reader.Close()
		}
	}
}

// randomChunk returns up to a dozen pages of both versions, with or without dictionary
// codes. pageRows is nil if records span pages: then there is no offset index.
func randomChunk(r *rand.Rand) (c *chunktest.Chunk, want records, pageRows []int64) {
	leaf := []fileformat.Node{chunktest.RequiredInt, chunktest.OptionalInt, chunktest.RepeatedInt}[r.IntN(3)]
	c = &chunktest.Chunk{Leaf: leaf}
	dictionary := []int32{100, 101, 102, 103}
	c.Pages = append(c.Pages, chunktest.Dictionary(4, chunktest.Int32s(dictionary...)))
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
		encoding, body := fileformat.Plain, chunktest.Int32s(values...)
		if r.IntN(2) == 0 {
			encoding, body = fileformat.RLEDictionary, chunktest.Codes(codes...)
		}
		c.Pages = append(c.Pages, randomPage(leaf, version2, encoding, rows, rep, def, len(values), body))
		c.Rows, c.Values, pageRows = c.Rows+rows, c.Values+int64(n), append(pageRows, rows)
	}
	if torn {
		pageRows = nil
	}
	return c, want, pageRows
}

func randomPage(leaf fileformat.Node, version2 bool, e fileformat.Encoding, rows int64, rep, def []uint8, values int, body []byte) chunktest.Page {
	var r, d []byte
	if leaf.MaxRep > 0 {
		r = chunktest.Runs(rep...)
	}
	if leaf.MaxDef > 0 {
		d = chunktest.Runs(def...)
	}
	if version2 {
		return chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: int32(len(def)), NumNulls: int32(len(def) - values), NumRows: int32(rows),
			Encoding: e, RepLength: int32(len(r)), DefLength: int32(len(d))}, chunktest.Join(r, d, body))
	}
	if leaf.MaxRep > 0 {
		r = chunktest.Prefixed(r)
	}
	if leaf.MaxDef > 0 {
		d = chunktest.Prefixed(d)
	}
	return chunktest.V1(len(def), e, chunktest.Join(r, d, body))
}

// run is one run of the RLE hybrid.
func run(n uint64, value uint8) []byte { return append(chunktest.Uvarint(n<<1), value) }

// TestBombs has pages of two billion entries in a few bytes: rows of a flat column
// are returned in batches as usual; one record of that length is refused.
func TestBombs(t *testing.T) {
	const n = 1<<31 - 1
	def := run(n, 1)
	coded := append([]byte{8}, run(n, 0)...)
	flat := &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: n, Pages: []chunktest.Page{chunktest.Dictionary(1, chunktest.Int32s(42)), chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: n, NumRows: n, Encoding: fileformat.RLEDictionary, DefLength: int32(len(def))}, chunktest.Join(def, coded))}}
	r := newReader(t, flat, Options{})
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
	endless := &chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 1, Values: n, Pages: []chunktest.Page{chunktest.Dictionary(1, chunktest.Int32s(42)), chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: n, NumRows: 1, Encoding: fileformat.RLEDictionary, DefLength: int32(len(def)), RepLength: int32(len(rep))},
		chunktest.Join(rep, def, coded))}}
	if _, err := newReader(t, endless, Options{}).Read(1); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("got %v", err)
	}
}
