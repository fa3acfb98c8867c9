package column

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/fileformat/page"
)

// indexOf returns the offset index of a built chunk whose pages are all data pages
// with the given numbers of rows.
func indexOf(offsets []int64, end int64, rows ...int64) *fileformat.OffsetIndex {
	x, row := &fileformat.OffsetIndex{}, int64(0)
	for i, n := range rows {
		next := end
		if i+1 < len(offsets) {
			next = offsets[i+1]
		}
		x.Pages = append(x.Pages, fileformat.PageLocation{Offset: offsets[i], CompressedSize: int32(next - offsets[i]), FirstRow: row})
		row += n
	}
	return x
}

// tenPages returns pages of ten rows each; those listed in broken have a body that
// cannot be decompressed.
func tenPages(broken ...int) *chunktest.Chunk {
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Codec: fileformat.Snappy, Rows: 100}
	for p := range 10 {
		var values []int32
		for i := range 10 {
			values = append(values, int32(10*p+i))
		}
		page := chunktest.V1(10, fileformat.Plain, snappy.Encode(nil, chunktest.Int32s(values...)))
		page.UncompressedSize = 40
		c.Pages = append(c.Pages, page)
	}
	for _, p := range broken {
		c.Pages[p].Body = bytes.Repeat([]byte{0xff}, len(c.Pages[p].Body))
	}
	return c
}

// TestSkipPages skips whole pages: their content must not matter.
func TestSkipPages(t *testing.T) {
	c := tenPages(0, 2, 3, 4, 6, 8, 9)
	_, file, offsets := c.Build()
	index := indexOf(offsets, int64(len(file)), 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
	for _, o := range []Options{{}, {Offset: index}} {
		source := &chunktest.Recorder{ReaderAt: bytes.NewReader(file)}
		o.Source = source
		r := newReader(t, c, o)
		var got records
		for _, step := range []struct{ skip, read int }{{12, 3}, {36, 5}, {15, 6}, {23, 0}} {
			if err := r.Skip(int64(step.skip)); err != nil {
				t.Fatal(err)
			}
			b, err := r.Read(step.read)
			if err != nil {
				t.Fatal(err)
			}
			got = appendRecords(t, got, r.leaf, o, b)
		}
		want := records{"12", "13", "14", "51", "52", "53", "54", "55", "71", "72", "73", "74", "75", "76"}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %q", got)
		}
		stats := Stats{PagesDecoded: 3, PagesSkipped: 5, BytesDecoded: int64(len(c.Pages[1].Body) + len(c.Pages[5].Body) + len(c.Pages[7].Body))}
		if r.Stats() != stats || r.Row() != 100 {
			t.Errorf("got %+v at row %d, want %+v", r.Stats(), r.Row(), stats)
		}
		if o.Offset != nil && source.Reads[0][0] != offsets[1] {
			t.Errorf("read %v, though the first page was skipped", source.Reads)
		}
	}
}

// pageViews has some pages in memory and nothing else.
type pageViews struct {
	file  []byte
	pages []fileformat.PageLocation
}

func (v pageViews) ReadAt([]byte, int64) (int, error) { return 0, errDisk }

func (v pageViews) View(offset int64, n int) ([]byte, page.Lease) {
	for _, p := range v.pages {
		if offset >= p.Offset && offset+int64(n) <= p.Offset+int64(p.CompressedSize) {
			return v.file[offset : offset+int64(n)], v
		}
	}
	return nil, nil
}

func (pageViews) Release() {}
func (pageViews) Keep()    {}

// TestViewer reads only pages that were fetched, not their neighbours.
func TestViewer(t *testing.T) {
	for _, codec := range []fileformat.Codec{fileformat.Uncompressed, fileformat.Snappy} {
		c := &chunktest.Chunk{Leaf: chunktest.RequiredText, Codec: codec, Rows: 6}
		for _, text := range []string{"a", "b", "c"} {
			body := chunktest.ByteArrays(text, text+text)
			p := chunktest.V1(2, fileformat.Plain, body)
			if codec == fileformat.Snappy {
				p.UncompressedSize, p.Body = int32(len(body)), snappy.Encode(nil, body)
			}
			c.Pages = append(c.Pages, p)
		}
		_, file, offsets := c.Build()
		index := indexOf(offsets, int64(len(file)), 2, 2, 2)
		r := newReader(t, c, Options{Source: pageViews{file, []fileformat.PageLocation{index.Pages[0], index.Pages[2]}}, Offset: index})
		first, err := r.Read(2)
		if err != nil {
			t.Fatal(err)
		}
		got := append([]string(nil), first.Values.Bytes...)
		if err := r.Skip(2); err != nil {
			t.Fatal(err)
		}
		last, err := r.Read(2)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, last.Values.Bytes...)
		if want := []string{"a", "aa", "c", "cc"}; !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %q", codec, got)
		}
		r.Close()
		if _, err := newReader(t, c, Options{Source: pageViews{file, nil}, Offset: index}).Read(1); !errors.Is(err, errDisk) {
			t.Errorf("got %v", err)
		}
	}
}

// TestStringsStay reads strings of pages that share the reader's buffers and compares
// them after the last page.
func TestStringsStay(t *testing.T) {
	for _, codec := range []fileformat.Codec{fileformat.Uncompressed, fileformat.Snappy} {
		c := &chunktest.Chunk{Leaf: chunktest.RequiredText, Codec: codec}
		var want, got []string
		for p := range 40 {
			text := fmt.Sprintf("%d ", p) + string(bytes.Repeat([]byte{byte('a' + p%26)}, 10_000))
			body := chunktest.ByteArrays(text)
			page := chunktest.V1(1, fileformat.Plain, body)
			if codec == fileformat.Snappy {
				page.UncompressedSize, page.Body = int32(len(body)), snappy.Encode(nil, body)
			}
			c.Pages, c.Rows, want = append(c.Pages, page), c.Rows+1, append(want, text)
		}
		for range 3 {
			r := newReader(t, c, Options{})
			for r.Row() < c.Rows {
				b, err := r.Read(3)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, b.Values.Bytes...)
			}
			r.Close()
		}
		for i := range got {
			if got[i] != want[i%40] {
				t.Fatalf("%v: string %d has changed", codec, i)
			}
		}
	}
}

// TestSkipAtOnce checks that Skip itself reads nothing, even to the end.
func TestSkipAtOnce(t *testing.T) {
	c := tenPages()
	_, file, _ := c.Build()
	source := &chunktest.Recorder{ReaderAt: bytes.NewReader(file)}
	r := newReader(t, c, Options{Source: source})
	for range 10 {
		if err := r.Skip(10); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := r.Read(5); err != nil || b.Rows != 0 {
		t.Errorf("%+v, %v", b, err)
	}
	if len(source.Reads) > 0 {
		t.Errorf("read %v", source.Reads)
	}
	if r.Skip(1) == nil || r.Skip(-1) == nil {
		t.Error("skipped past the end of the row group")
	}
}

// TestDamagedPages: if a page's data is damaged, that page is lost; if its header is
// damaged, all the rest is lost.
func TestDamagedPages(t *testing.T) {
	span := func(from, to int) (out records) {
		for i := from; i < to; i++ {
			out = append(out, fmt.Sprint(i))
		}
		return out
	}
	wantDamage(t, tenPages(0), span(10, 100), [2]int64{0, 10})
	wantDamage(t, tenPages(4, 5), append(span(0, 40), span(60, 100)...), [2]int64{40, 50}, [2]int64{50, 60})
	wantDamage(t, tenPages(9), span(0, 90), [2]int64{90, 100})

	c := tenPages()
	_, file, offsets := c.Build()
	copy(file[offsets[3]:], bytes.Repeat([]byte{0xff}, 12))
	o := Options{Source: bytes.NewReader(file)}
	for _, n := range []int{1, 7, 1000} {
		got, lost := readSalvage(t, newReader(t, c, o), n)
		if !reflect.DeepEqual(got, span(0, 30)) || !reflect.DeepEqual(lost, [][2]int64{{30, 100}}) {
			t.Errorf("got %q without %v", got, lost)
		}
	}
	o.Offset = indexOf(offsets, int64(len(file)), 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
	for _, n := range []int{1, 7, 1000} {
		got, lost := readSalvage(t, newReader(t, c, o), n)
		if want := append(span(0, 30), span(40, 100)...); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(lost, [][2]int64{{30, 40}}) {
			t.Errorf("with an index: got %q without %v", got, lost)
		}
	}
	// An offset index that disagrees with the pages.
	o.Offset = indexOf(offsets, int64(len(file)), 10, 10, 10, 11, 9, 10, 10, 10, 10, 10)
	if _, lost := readSalvage(t, newReader(t, c, o), 1000); !reflect.DeepEqual(lost, [][2]int64{{30, 41}, {41, 50}}) {
		t.Errorf("lost %v", lost)
	}

	// If a value cannot be decoded, the rest of its page is lost, too.
	text := &chunktest.Chunk{Leaf: chunktest.OptionalText, Rows: 6, Pages: []chunktest.Page{
		chunktest.V1(4, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0, 1, 1)), chunktest.ByteArrays("a", "b"), []byte{9, 0, 0, 0, 'c'})),
		chunktest.V1(2, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0)), chunktest.ByteArrays("d"))),
	}}
	got, lost := readSalvage(t, newReader(t, text, Options{}), 1)
	if want := (records{`"a"`, "NULL:0", `"b"`, `"d"`, "NULL:0"}); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(lost, [][2]int64{{3, 4}}) {
		t.Errorf("got %q without %v", got, lost)
	}
}

type failing struct {
	io.ReaderAt
	after int
}

var errDisk = errors.New("disk on fire")

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.after--; f.after < 0 {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(p, off)
}

// TestSourceFails distinguishes errors of the source from errors of the file.
func TestSourceFails(t *testing.T) {
	c := tenPages()
	_, file, _ := c.Build()
	r := newReader(t, c, Options{Source: &failing{ReaderAt: bytes.NewReader(file)}})
	var damage *DamageError
	if _, err := r.Read(1); !errors.Is(err, errDisk) || errors.As(err, &damage) {
		t.Errorf("got %v", err)
	}
	// A file that has become shorter is an error of the file.
	r = newReader(t, c, Options{Source: bytes.NewReader(file[:len(file)/2])})
	if _, err := readAllRows(t, r, 1000); !errors.As(err, &damage) || errors.Is(err, io.EOF) || damage.EndRow != 100 {
		t.Errorf("got %v", err)
	}
	r.Close()
	if _, err := r.Read(1); err == nil {
		t.Error("read after Close")
	}
}

// hugeFile is a huge file of zeros with some pieces.
type hugeFile map[int64][]byte

func (s hugeFile) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	for at, b := range s {
		for i := range b {
			if k := at + int64(i) - off; k >= 0 && k < int64(len(p)) {
				p[k] = b[i]
			}
		}
	}
	return len(p), nil
}

// TestHugeChunk has its data page beyond 4 GiB.
func TestHugeChunk(t *testing.T) {
	filler := fileformat.PageHeader{Type: fileformat.IndexPage, CompressedSize: 1<<31 - 1, UncompressedSize: 1<<31 - 1}
	file, at := hugeFile{}, int64(4)
	for range 3 {
		h := chunktest.EncodeHeader(filler)
		file[at] = h
		at += int64(len(h)) + 1<<31 - 1
	}
	page := chunktest.V1(3, fileformat.Plain, chunktest.Int32s(7, 8, 9))
	page.CompressedSize, page.UncompressedSize = 12, 12
	file[at] = append(chunktest.EncodeHeader(page.PageHeader), page.Body...)
	end := at + int64(len(file[at]))
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 3}
	r, err := NewReader(c.Metadata(end, 7<<30), Options{Source: file})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readAllRows(t, r, 10); err != nil || !reflect.DeepEqual(got, records{"7", "8", "9"}) {
		t.Errorf("%q, %v", got, err)
	}
}
