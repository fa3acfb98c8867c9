package page_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/slab"
)

// TestReserve: memory for the bytes of the file and for a decompressed page is reserved
// before it is used and released before the next page; a refused reservation is not damage.
func TestReserve(t *testing.T) {
	refused := errors.New("no memory")
	for _, refuse := range []bool{false, true} {
		c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Codec: fileformat.Snappy, Rows: 4}
		for i := range int32(2) {
			p := chunktest.V1(2, fileformat.Plain, snappy.Encode(nil, chunktest.Int32s(i, i)))
			p.UncompressedSize = 8
			c.Pages = append(c.Pages, p)
		}
		chunk, file, _ := c.Build()
		held, most, calls := int64(0), int64(0), 0
		stored := int64(len(file))
		r, err := column.NewReader(chunk, column.Options{
			Source: bytes.NewReader(file),
			Reserve: func(n int64) error {
				if calls++; calls == 2 && refuse { // for a page; the first is for the bytes of the file
					return refused
				}
				held += n
				most = max(most, held)
				return nil
			},
			Release: func(n int64) { held -= n },
		})
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Read(4)
		var corrupt *errs.CorruptError
		switch {
		case refuse && (!errors.Is(err, refused) || errors.As(err, &corrupt)):
			t.Errorf("refused: %v", err)
		case !refuse && (err != nil || b.Rows != 4 || most < stored || most > stored+1<<10):
			t.Errorf("%v, %d bytes at most", err, most)
		}
		if r.Close(); held != 0 {
			t.Errorf("%d bytes are held after Close", held)
		}
	}
}

// TestReserveDictionary: the bytes and the values of a dictionary stay reserved.
func TestReserveDictionary(t *testing.T) {
	codes := []byte{1, 4, 1} // the width of a code, and a run of two times the code 1
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Codec: fileformat.Snappy, Rows: 4}
	dictionary := chunktest.Dictionary(2, snappy.Encode(nil, chunktest.Int32s(7, 8)))
	dictionary.UncompressedSize = 8
	c.Pages = append(c.Pages, dictionary)
	for range 2 {
		p := chunktest.V1(2, fileformat.RLEDictionary, snappy.Encode(nil, codes))
		p.UncompressedSize = int32(len(codes))
		c.Pages = append(c.Pages, p)
	}
	chunk, file, _ := c.Build()
	held := int64(0)
	r, err := column.NewReader(chunk, column.Options{
		Source:  bytes.NewReader(file),
		Reserve: func(n int64) error { held += n; return nil },
		Release: func(n int64) { held -= n },
	})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := r.Dictionary(); err != nil || d.Len != 2 {
		t.Fatal(d, err)
	}
	before := held
	if b, err := r.Read(4); err != nil || b.Rows != 4 {
		t.Fatal(b, err)
	}
	if pages := held - before; held < 8+2*4+int64(slab.Size(1)) || pages > 256<<10 {
		t.Errorf("%d bytes are charged, %d of them for pages", held, pages)
	}
	if r.Close(); held != 0 {
		t.Errorf("%d bytes are held after Close", held)
	}
}

// TestExpansion: a page of a few kilobytes that expands to more than 256 MiB is refused
// before any memory is reserved for it, unless the options allow it.
func TestExpansion(t *testing.T) {
	const blocks = 2049                              // of 128 KiB, each of 4 bytes: "Block_Header" in RFC 8878, section 3.1.1.2
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0xa8} // a magic number, no size of content, a window of 2 GiB
	for i := range blocks {
		header := 128<<10<<3 | 1<<1
		if i == blocks-1 {
			header |= 1
		}
		frame = append(frame, byte(header), byte(header>>8), byte(header>>16), 0)
	}
	const size = blocks * 128 << 10
	p := chunktest.V1(size/4, fileformat.Plain, frame)
	p.UncompressedSize = size
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Codec: fileformat.Zstd, Rows: size / 4, Pages: []chunktest.Page{p}}
	asked := errors.New("asked")
	for _, most := range []int64{0, size - 1, size} {
		reserve := func(n int64) error {
			if n == size {
				return asked
			}
			return nil
		}
		chunk, file, _ := c.Build()
		r, err := column.NewReader(chunk, column.Options{Source: bytes.NewReader(file), MostExpanded: most, Reserve: reserve, Release: func(int64) {}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Read(1)
		if want := map[bool]error{true: asked, false: errs.ErrMemoryLimit}[most == size]; !errors.Is(err, want) {
			t.Errorf("at most %d bytes: %v", most, err)
		}
		var corrupt *errs.CorruptError
		if errors.As(err, &corrupt) {
			t.Errorf("it is no damage: %v", err)
		}
	}
}

// leased is a file in memory that notes how leases end.
type leased struct {
	*bytes.Reader
	file           []byte
	kept, released *int
}

func (l leased) View(off int64, n int) ([]byte, page.Lease) { return l.file[off : off+int64(n)], l }
func (l leased) Release()                                   { *l.released++ }
func (l leased) Keep()                                      { *l.kept++ }

// TestDictionaryIsCopied: a dictionary that is not compressed does not keep the memory
// around it.
func TestDictionaryIsCopied(t *testing.T) {
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Codec: fileformat.Uncompressed, Rows: 2}
	c.Pages = append(c.Pages, chunktest.Dictionary(2, chunktest.Int32s(7, 8)), chunktest.V1(2, fileformat.RLEDictionary, []byte{1, 4, 1}))
	chunk, file, _ := c.Build()
	var kept, released int
	r, err := column.NewReader(chunk, column.Options{Source: leased{bytes.NewReader(file), file, &kept, &released}})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := r.Read(2); err != nil || b.Rows != 2 {
		t.Fatal(b, err)
	}
	if r.Close(); kept != 0 || released == 0 {
		t.Errorf("%d leases were kept, %d released", kept, released)
	}
}
