package page_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/storage"
)

// farBlock is a Snappy block of data whose second half is the first one: copies reach back
// that far.
func farBlock(data []byte) []byte {
	half := len(data) / 2
	src := binary.AppendUvarint(nil, uint64(len(data)))
	src = append(binary.LittleEndian.AppendUint32(append(src, 63<<2), uint32(half-1)), data[:half]...)
	for at := half; at < len(data); at += 64 {
		src = binary.LittleEndian.AppendUint32(append(src, byte(min(64, len(data)-at)-1)<<2|3), uint32(half))
	}
	return src
}

// longPage has n numbers, some of them NULL, whose second half is the first one, and its
// values; nil is NULL.
func longPage(r *rand.Rand, n int, far, version2 bool) (p chunktest.Page, want []*int64) {
	var levels []uint8
	var body []byte
	half := make([]*int64, n/2)
	for i := range half {
		if r.IntN(7) > 0 {
			v := int64(r.Uint64() >> (r.IntN(8) * 8))
			half[i] = &v
		}
	}
	want = append(append(want, half...), half...)
	for _, v := range want {
		if v == nil {
			levels = append(levels, 0)
			continue
		}
		levels, body = append(levels, 1), binary.LittleEndian.AppendUint64(body, uint64(*v))
	}
	def := chunktest.Runs(levels...)
	encode := func(b []byte) []byte { return snappy.Encode(nil, b) }
	if version2 {
		p = chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: int32(len(want)), NumRows: int32(len(want)), Encoding: fileformat.Plain, DefLength: int32(len(def)), IsCompressed: true}, nil)
		if far {
			encode = farBlock
		}
		p.Body = chunktest.Join(def, encode(body))
		p.UncompressedSize = int32(len(def) + len(body))
		return p, want
	}
	p = chunktest.V1(len(want), fileformat.Plain, nil)
	body = chunktest.Join(chunktest.Prefixed(def), body)
	p.Body, p.UncompressedSize = encode(body), int32(len(body))
	return p, want
}

// numbersOf are the rows of a batch.
func numbersOf(b *column.Batch) []*int64 {
	out, at := make([]*int64, b.Rows), 0
	for i := range out {
		if b.Valid == nil || b.Valid[i/64]>>(i%64)&1 != 0 {
			out[i] = &b.Values.Int64[at]
			at++
		}
	}
	return out
}

func sameNumber(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// TestNumbersInPieces reads long pages of both versions, with and without checksums, some of
// which cannot be decompressed in pieces, through windows of random lengths. No memory is
// charged in the end, and never as much as the pages are long, but of those that have to be
// decompressed as a whole.
func TestNumbersInPieces(t *testing.T) {
	for range 20 {
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 7))
		c := &chunktest.Chunk{Leaf: fileformat.Node{Name: "c", Physical: fileformat.Int64, Repetition: fileformat.Optional, MaxDef: 1}, Codec: fileformat.Snappy, Verify: r.IntN(2) == 0}
		var want []*int64
		short := r.IntN(2) == 0
		whole := c.Verify // the bytes in the file
		for range 1 + r.IntN(3) {
			far := r.IntN(3) == 0
			p, values := longPage(r, 60_000+r.IntN(60_000), far, r.IntN(2) == 0)
			if r.IntN(2) == 0 {
				p = chunktest.WithCRC(p)
			}
			whole = whole || far
			c.Pages, want = append(c.Pages, p), append(want, values...)
		}
		c.Rows = int64(len(want))
		chunk, file, _ := c.Build()
		budget, charged, most := quota.New(0), int64(0), int64(0)
		windows := fetch.New(bytes.NewReader(file), []fetch.Range{{Off: 4, N: int64(len(file)) - 4, Users: []int{0}}}, budget, 1, 0, storage.Local)
		view := windows.Column(0)
		var source io.ReaderAt = view
		if r.IntN(3) == 0 {
			source, whole = bytes.NewReader(file), true // its reads are longer
		}
		reader, err := column.NewReader(chunk, column.Options{
			Source: source, ShortPieces: short,
			Reserve: func(n int64) error { charged += n; most = max(most, charged); return nil },
			Release: func(n int64) { charged -= n },
		})
		if err != nil {
			t.Fatal(err)
		}
		for reader.Row() < c.Rows {
			b, rows := readSome(t, r, reader, c.Rows, false)
			for i, v := range numbersOf(b) {
				if !sameNumber(v, want[rows[i]]) {
					t.Fatalf("row %d has another number (seed %d)", rows[i], seed)
				}
			}
		}
		reader.Close()
		view.Close()
		windows.Close()
		if budget.Used()+charged != 0 {
			t.Errorf("%d bytes are charged at the end (seed %d)", budget.Used()+charged, seed)
		}
		if least := int64(8 * 50_000); !whole && most >= least {
			t.Errorf("%d bytes are charged for pages of at least %d (seed %d)", most, least, seed)
		}
	}
}

// TestDamageInPieces: a page that is damaged behind its first piece is damage that names the
// page, and a query that is canceled in the middle of a page is not.
func TestDamageInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	p, want := longPage(r, 200_000, false, false)
	c := &chunktest.Chunk{Leaf: fileformat.Node{Name: "c", Physical: fileformat.Int64, Repetition: fileformat.Optional, MaxDef: 1}, Codec: fileformat.Snappy, Rows: int64(len(want))}
	all := func(p chunktest.Page, o column.Options) (rows int64, err error) {
		c.Pages = []chunktest.Page{p}
		chunk, file, _ := c.Build()
		o.Source = bytes.NewReader(file)
		reader, err := column.NewReader(chunk, o)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		for reader.Row() < c.Rows {
			b, err := reader.Read(2048)
			if err != nil {
				return reader.Row(), err
			}
			for i, v := range numbersOf(b) {
				if row := reader.Row() - int64(b.Rows-i); !sameNumber(v, want[row]) {
					t.Fatalf("row %d has another number", row)
				}
			}
		}
		return reader.Row(), nil
	}
	changed := func(change func(p *chunktest.Page)) chunktest.Page {
		out := p
		out.Body = bytes.Clone(p.Body)
		change(&out)
		return out
	}
	for name, bad := range map[string]chunktest.Page{
		"cut off":       changed(func(p *chunktest.Page) { p.Body = p.Body[:len(p.Body)*3/4] }),
		"longer":        changed(func(p *chunktest.Page) { p.Body = append(p.Body, 0, 'x') }),
		"other size":    changed(func(p *chunktest.Page) { p.UncompressedSize++ }),
		"no such bytes": changed(func(p *chunktest.Page) { p.UncompressedSize = 1 << 30 }),
	} {
		var corrupt *errs.CorruptError
		if _, err := all(bad, column.Options{ShortPieces: true}); !errors.As(err, &corrupt) || corrupt.Offset != 4 {
			t.Errorf("%s: %v", name, err)
		}
	}
	canceled, calls := errors.New("canceled"), 0
	rows, err := all(p, column.Options{ShortPieces: true, Interrupt: func() error {
		if calls++; calls == 10 {
			return canceled
		}
		return nil
	}})
	if !errors.Is(err, canceled) || errors.As(err, new(*errs.CorruptError)) || rows == 0 || rows == c.Rows {
		t.Errorf("canceled: after %d rows %v", rows, err)
	}
	if n, err := all(p, column.Options{ShortPieces: true}); err != nil || n != c.Rows {
		t.Error(fmt.Sprint(n, " rows: ", err))
	}
}
