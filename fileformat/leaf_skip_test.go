package fileformat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/golang/snappy"
)

// indexOf is the offset index of a built chunk whose pages are all data pages
// of the given numbers of rows.
func indexOf(offsets []int64, end int64, rows ...int64) *OffsetIndex {
	x, row := &OffsetIndex{}, int64(0)
	for i, n := range rows {
		next := end
		if i+1 < len(offsets) {
			next = offsets[i+1]
		}
		x.Pages = append(x.Pages, PageLocation{Offset: offsets[i], CompressedSize: int32(next - offsets[i]), FirstRow: row})
		row += n
	}
	return x
}

// tenPages are pages of ten rows each; those listed in broken have a body that
// cannot be decompressed.
func tenPages(broken ...int) *testChunk {
	c := &testChunk{leaf: requiredInt, codec: Snappy, rows: 100}
	for p := range 10 {
		var values []int32
		for i := range 10 {
			values = append(values, int32(10*p+i))
		}
		page := v1(10, Plain, snappy.Encode(nil, int32s(values...)))
		page.UncompressedSize = 40
		c.pages = append(c.pages, page)
	}
	for _, p := range broken {
		c.pages[p].body = bytes.Repeat([]byte{0xff}, len(c.pages[p].body))
	}
	return c
}

// TestSkipPages skips whole pages: what is in them must not matter.
func TestSkipPages(t *testing.T) {
	c := tenPages(0, 2, 3, 4, 6, 8, 9)
	_, file, offsets := c.build()
	index := indexOf(offsets, int64(len(file)), 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
	for _, o := range []ReadOptions{{}, {Offset: index}} {
		source := &recorder{ReaderAt: bytes.NewReader(file)}
		o.Source = source
		r := c.reader(t, o)
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
		stats := ReadStats{PagesDecoded: 3, PagesSkipped: 5, BytesDecoded: int64(len(c.pages[1].body) + len(c.pages[5].body) + len(c.pages[7].body))}
		if r.Stats() != stats || r.Row() != 100 {
			t.Errorf("got %+v at row %d, want %+v", r.Stats(), r.Row(), stats)
		}
		if o.Offset != nil && source.reads[0][0] != offsets[1] {
			t.Errorf("read %v, though the first page was skipped", source.reads)
		}
	}
}

// TestSkipAtOnce checks that a Skip alone reads nothing, nor one to the end.
func TestSkipAtOnce(t *testing.T) {
	c := tenPages()
	_, file, _ := c.build()
	source := &recorder{ReaderAt: bytes.NewReader(file)}
	r := c.reader(t, ReadOptions{Source: source})
	for range 10 {
		if err := r.Skip(10); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := r.Read(5); err != nil || b.Rows != 0 {
		t.Errorf("%+v, %v", b, err)
	}
	if len(source.reads) > 0 {
		t.Errorf("read %v", source.reads)
	}
	if r.Skip(1) == nil || r.Skip(-1) == nil {
		t.Error("skipped out of the row group")
	}
}

// TestDamagedPages loses what the format's rules say: a page whose data is
// damaged, and all the rest where a header is.
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
	_, file, offsets := c.build()
	copy(file[offsets[3]:], bytes.Repeat([]byte{0xff}, 12))
	o := ReadOptions{Source: bytes.NewReader(file)}
	for _, n := range []int{1, 7, 1000} {
		got, lost := readSalvage(t, c.reader(t, o), n)
		if !reflect.DeepEqual(got, span(0, 30)) || !reflect.DeepEqual(lost, [][2]int64{{30, 100}}) {
			t.Errorf("got %q without %v", got, lost)
		}
	}
	o.Offset = indexOf(offsets, int64(len(file)), 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
	for _, n := range []int{1, 7, 1000} {
		got, lost := readSalvage(t, c.reader(t, o), n)
		if want := append(span(0, 30), span(40, 100)...); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(lost, [][2]int64{{30, 40}}) {
			t.Errorf("with an index: got %q without %v", got, lost)
		}
	}
	// An offset index that disagrees with the pages.
	o.Offset = indexOf(offsets, int64(len(file)), 10, 10, 10, 11, 9, 10, 10, 10, 10, 10)
	if _, lost := readSalvage(t, c.reader(t, o), 1000); !reflect.DeepEqual(lost, [][2]int64{{30, 41}, {41, 50}}) {
		t.Errorf("lost %v", lost)
	}

	// A value that cannot be decoded takes the rest of its page along.
	text := &testChunk{leaf: optionalText, rows: 6, pages: []testPage{
		v1(4, Plain, join(prefixed(runs(1, 0, 1, 1)), byteArrays("a", "b"), []byte{9, 0, 0, 0, 'c'})),
		v1(2, Plain, join(prefixed(runs(1, 0)), byteArrays("d"))),
	}}
	got, lost := readSalvage(t, text.reader(t, ReadOptions{}), 1)
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

// TestSourceFails tells the source's errors from the file's.
func TestSourceFails(t *testing.T) {
	c := tenPages()
	_, file, _ := c.build()
	r := c.reader(t, ReadOptions{Source: &failing{ReaderAt: bytes.NewReader(file)}})
	var damage *DamageError
	if _, err := r.Read(1); !errors.Is(err, errDisk) || errors.As(err, &damage) {
		t.Errorf("got %v", err)
	}
	// A file that is shorter than it was is the file's.
	r = c.reader(t, ReadOptions{Source: bytes.NewReader(file[:len(file)/2])})
	if _, err := readAllRows(t, r, 1000); !errors.As(err, &damage) || errors.Is(err, io.EOF) || damage.EndRow != 100 {
		t.Errorf("got %v", err)
	}
	r.Close()
	if _, err := r.Read(1); err == nil {
		t.Error("read after Close")
	}
}

// hugeFile is a huge file that is zero but for some pieces.
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
	filler := PageHeader{Type: IndexPage, CompressedSize: 1<<31 - 1, UncompressedSize: 1<<31 - 1}
	file, at := hugeFile{}, int64(4)
	for range 3 {
		h := encodeHeader(filler)
		file[at] = h
		at += int64(len(h)) + 1<<31 - 1
	}
	page := v1(3, Plain, int32s(7, 8, 9))
	page.CompressedSize, page.UncompressedSize = 12, 12
	file[at] = append(encodeHeader(page.PageHeader), page.body...)
	end := at + int64(len(file[at]))
	c := &testChunk{leaf: requiredInt, rows: 3}
	r, err := c.chunk(end, 7<<30).NewReader(ReadOptions{Source: file})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readAllRows(t, r, 10); err != nil || !reflect.DeepEqual(got, records{"7", "8", "9"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestRandomAccess skips and reads at random in chunks of random pages.
func TestRandomAccess(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		c, want, pageRows := randomChunk(r)
		_, file, offsets := c.build()
		for _, indexed := range []bool{false, true} {
			o := ReadOptions{Levels: r.IntN(2) == 0, NoDictionaryCodes: r.IntN(2) == 0}
			if indexed && pageRows != nil {
				o.Offset = indexOf(offsets[len(offsets)-len(pageRows):], int64(len(file)), pageRows...)
			}
			reader := c.reader(t, o)
			for reader.Row() < c.rows {
				if err := reader.Skip(r.Int64N(min(60, c.rows-reader.Row()+1))); err != nil {
					t.Fatal(err)
				}
				at := reader.Row()
				b, err := reader.Read(r.IntN(40))
				if err != nil {
					t.Fatal(err)
				}
				got := appendRecords(t, nil, reader.leaf, o, b)
				if len(got) > 0 && !reflect.DeepEqual(got, want[at:reader.Row()]) {
					t.Fatalf("rows %d to %d:\ngot  %q\nwant %q", at, reader.Row(), got, want[at:reader.Row()])
				}
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
