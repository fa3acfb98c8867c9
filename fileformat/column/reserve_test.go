package column

import (
	"bytes"
	"errors"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestReserve: a page's memory is reserved before it is decompressed and released
// before the next page; a refused reservation is not damage.
func TestReserve(t *testing.T) {
	refused := errors.New("no memory")
	for _, limit := range []int64{64, 7} {
		c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Codec: fileformat.Snappy, Rows: 4}
		for i := range int32(2) {
			p := chunktest.V1(2, fileformat.Plain, snappy.Encode(nil, chunktest.Int32s(i, i)))
			p.UncompressedSize = 8
			c.Pages = append(c.Pages, p)
		}
		chunk, file, _ := c.Build()
		held, most := int64(0), int64(0)
		r, err := NewReader(chunk, Options{
			Source: bytes.NewReader(file),
			Reserve: func(n int64) error {
				if held+n > limit {
					return refused
				}
				held += n
				most = max(most, held)
				return nil
			},
			Release: func() { held = 0 },
		})
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Read(4)
		var corrupt *errs.CorruptError
		switch {
		case limit == 7 && (!errors.Is(err, refused) || errors.As(err, &corrupt)):
			t.Errorf("refused: %v", err)
		case limit == 64 && (err != nil || b.Rows != 4 || most != 8):
			t.Errorf("%v, %d bytes at most", err, most)
		}
		if r.Close(); held != 0 {
			t.Errorf("%d bytes are held after Close", held)
		}
	}
}

// TestInterrupt: reading two billion values stored in a few bytes stops when the query
// is canceled, and that is not damage.
func TestInterrupt(t *testing.T) {
	const n = 1<<31 - 1
	def := run(n, 1)
	h := fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: n, NumRows: n, Encoding: fileformat.RLEDictionary, DefLength: int32(len(def))}
	c := &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: n, Pages: []chunktest.Page{
		chunktest.Dictionary(1, chunktest.Int32s(42)), chunktest.Of(h, chunktest.Join(def, []byte{8}, run(n, 0))),
	}}
	calls, canceled := 0, errors.New("canceled")
	r := newReader(t, c, Options{Interrupt: func() error {
		if calls++; calls > 2 {
			return canceled
		}
		return nil
	}})
	_ = r.Skip(n - 1)
	var corrupt *errs.CorruptError
	if _, err := r.Read(1); !errors.Is(err, canceled) || errors.As(err, &corrupt) || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
