package page_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/internal/slab"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/storage"
)

// TestLentTexts reads random chunks whose texts are lent, or not, while others write to all
// memory that is not lent: each batch has the right texts until the next call, and batches
// that were kept have them for ever. What a batch points to is charged until the next call,
// and in the end no memory is charged.
func TestLentTexts(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for range rounds {
		seed := rand.Uint64()
		lentTexts(t, seed, rand.New(rand.NewPCG(seed, 3)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// memory is what one reader leaves to the next.
var memory column.Memory

func lentTexts(t *testing.T, seed uint64, r *rand.Rand) {
	c, want := textChunk(r)
	chunk, file, _ := c.Build()
	budget := quota.New(0)
	var source io.ReaderAt = bytes.NewReader(file)
	var windows *fetch.Source
	var view *fetch.Column
	if r.IntN(3) > 0 {
		var needed []fetch.Range
		for at := int64(4); at < int64(len(file)); {
			n := min(int64(len(file))-at, 20_000+r.Int64N(200_000))
			needed = append(needed, fetch.Range{Off: at, N: n, Users: []int{0}})
			at += n
		}
		windows = fetch.New(source, needed, budget, 1, 1, storage.Remote)
		view = windows.Column(0)
		source = view
	}
	charged, lent, crowded := int64(0), r.IntN(3) > 0, r.IntN(3) == 0
	reader, err := column.NewReader(chunk, column.Options{
		Source: source, Lent: lent, LentDictionary: lent && r.IntN(2) == 0, Memory: &memory, WholePages: r.IntN(4) == 0, ShortPieces: r.IntN(2) == 0,
		Reserve: func(n int64) error { charged += n; return nil },
		Release: func(n int64) { charged -= n },
		Crowded: func() bool { return crowded && r.IntN(2) == 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	var kept, keptWant []string
	for reader.Row() < c.Rows && !t.Failed() {
		b, rows := readSome(t, r, reader, c.Rows, crowded)
		coded := c.Pages[0].Type == fileformat.DictionaryPage // then many texts are one
		if n := int64(len(strings.Join(b.Values.Bytes, ""))); n > charged+budget.Used() && !coded {
			t.Fatalf("a batch points to %d bytes, of which %d are charged (seed %d)", n, charged+budget.Used(), seed)
		}
		got, expected := textsOf(b), []string{}
		for _, row := range rows {
			if want[row] != nil {
				expected = append(expected, *want[row])
			}
		}
		scribble(r)
		if !slices.Equal(got, expected) {
			t.Fatalf("rows %d to %d have other texts (seed %d)", rows[0], rows[len(rows)-1], seed)
		}
		if !lent || r.IntN(4) == 0 {
			reader.Keep()
			kept, keptWant = append(kept, got...), append(keptWant, expected...)
		}
	}
	reader.Close()
	if windows != nil {
		view.Close()
		windows.Close()
	}
	if used := budget.Used() + charged; used != 0 {
		t.Errorf("%d bytes are charged at the end", used)
	}
	for range 5 {
		scribble(r)
	}
	if !slices.Equal(kept, keptWant) {
		t.Error("texts that were kept have changed")
	}
}

// textChunk is a chunk of random texts and NULLs, as plain values and as dictionary codes.
func textChunk(r *rand.Rand) (c *chunktest.Chunk, want []*string) {
	c = &chunktest.Chunk{Leaf: chunktest.OptionalText, Codec: []fileformat.Codec{fileformat.Uncompressed, fileformat.Snappy}[r.IntN(2)]}
	add := func(p chunktest.Page, levels, values []byte) {
		if p.Type == fileformat.DataPageV2 {
			p.DefLength, p.IsCompressed = int32(len(levels)), true
		} else if p.Type == fileformat.DataPage {
			levels, values = nil, chunktest.Join(chunktest.Prefixed(levels), values)
		}
		p.UncompressedSize = int32(len(levels) + len(values))
		if c.Codec == fileformat.Snappy {
			values = snappy.Encode(nil, values)
		}
		p.Body = chunktest.Join(levels, values)
		c.Pages = append(c.Pages, p)
	}
	text := func() string {
		return strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(60)) + fmt.Sprint(r.IntN(1000))
	}
	var entries []string
	if r.IntN(2) == 0 {
		for range 100 + r.IntN(2)*3000 { // few entries, or many that slab lends
			entries = append(entries, text())
		}
		add(chunktest.Dictionary(len(entries), nil), nil, chunktest.ByteArrays(entries...))
	}
	for range 1 + r.IntN(12) {
		n := 1 + r.IntN(2500)
		if r.IntN(16) == 0 {
			n = 20_000 + r.IntN(60_000) // a page that is decompressed in pieces
		}
		var levels, codes []uint8
		var values []string
		coded := entries != nil && r.IntN(3) == 0
		for range n {
			if r.IntN(10) == 0 {
				levels, want = append(levels, 0), append(want, nil)
				continue
			}
			value := text()
			if coded {
				codes = append(codes, uint8(r.IntN(100)))
				value = entries[codes[len(codes)-1]]
			}
			levels, values, want = append(levels, 1), append(values, value), append(want, &value)
		}
		body, e := chunktest.ByteArrays(values...), fileformat.Plain
		if coded {
			body, e = chunktest.Codes(codes...), fileformat.RLEDictionary
		}
		p := chunktest.V1(n, e, nil)
		if r.IntN(2) == 0 {
			p = chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: int32(n), NumRows: int32(n), Encoding: e}, nil)
		}
		add(p, chunktest.Runs(levels...), body)
	}
	c.Rows = int64(len(want))
	return c, want
}

// readSome skips some rows and reads some, and returns the numbers of those that it read. It
// gets all that it wants unless few are allowed.
func readSome(t *testing.T, r *rand.Rand, reader *column.Reader, total int64, few bool) (*column.Batch, []int64) {
	t.Helper()
	if r.IntN(4) == 0 {
		if err := reader.Skip(r.Int64N(min(3000, total-reader.Row()))); err != nil {
			t.Fatal(err)
		}
	}
	var rows []int64
	first, n := reader.Row(), min(1+r.Int64N(3000), total-reader.Row())
	if r.IntN(3) == 0 {
		for row := first; row < first+n; row += 1 + r.Int64N(5) {
			rows = append(rows, row)
		}
		b, err := reader.ReadSelected(rows)
		if err != nil || b.Rows != len(rows) && (!few || b.Rows == 0) {
			t.Fatalf("%d selected rows: %+v, %v", len(rows), b, err)
		}
		return b, rows[:b.Rows]
	}
	for row := first; row < first+n; row++ {
		rows = append(rows, row)
	}
	b, err := reader.Read(len(rows))
	if err != nil || b.Rows != len(rows) && (!few || b.Rows == 0) {
		t.Fatalf("%d rows: %+v, %v", len(rows), b, err)
	}
	return b, rows[:b.Rows]
}

// textsOf are the texts of a batch that are not NULL.
func textsOf(b *column.Batch) []string {
	if b.Dict == nil {
		return b.Values.Bytes
	}
	out := []string{}
	for _, code := range b.Codes {
		out = append(out, b.Dict.Values.Bytes[code])
	}
	return out
}

// scribble writes to memory that is not lent.
func scribble(r *rand.Rand) {
	var pieces [][]byte
	for size := 8 << 10; size <= 512<<10; size += size / 3 {
		b := slab.Get(size)
		for i := range b {
			b[i] = '#'
		}
		pieces = append(pieces, b)
	}
	for _, i := range r.Perm(len(pieces)) {
		slab.Put(pieces[i])
	}
}
