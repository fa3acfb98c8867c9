package column

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/fileformat/page"
)

// wantRecords reads the chunk in several ways; each must return want.
func wantRecords(t *testing.T, c *chunktest.Chunk, want records) {
	t.Helper()
	for _, o := range []Options{{}, {Levels: true}, {NoDictionaryCodes: true}} {
		for _, n := range []int{1, 2, 3, 1000} {
			got, err := readAllRows(t, newReader(t, c, o), n)
			if err != nil {
				t.Fatalf("%+v, %d at a time: %v", o, n, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, %d at a time:\ngot  %q\nwant %q", o, n, got, want)
			}
		}
	}
}

// wantDamage reads the chunk and skips damaged parts.
func wantDamage(t *testing.T, c *chunktest.Chunk, want records, lost ...[2]int64) {
	t.Helper()
	for _, n := range []int{1, 1000} {
		got, gone := readSalvage(t, newReader(t, c, Options{}), n)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gone, lost) {
			t.Fatalf("%d at a time:\ngot  %q without %v\nwant %q without %v", n, got, gone, want, lost)
		}
	}
}

func TestPagesPassedOver(t *testing.T) {
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 5, Pages: []chunktest.Page{
		chunktest.Of(fileformat.PageHeader{Type: fileformat.IndexPage}, []byte("an index")),
		chunktest.V1(2, fileformat.Plain, chunktest.Int32s(1, 2)),
		chunktest.V1(0, fileformat.Plain, nil),
		chunktest.Of(fileformat.PageHeader{Type: 77}, []byte("of another time")),
		chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, Encoding: fileformat.Plain}, nil),
		chunktest.V1(3, fileformat.Plain, chunktest.Int32s(3, 4, 5)),
	}}
	wantRecords(t, c, records{"1", "2", "3", "4", "5"})
	r := newReader(t, c, Options{})
	if _, err := readAllRows(t, r, 9); err != nil {
		t.Fatal(err)
	}
	if want := (Stats{PagesDecoded: 2, PagesSkipped: 2, BytesDecoded: 20}); r.Stats() != want {
		t.Errorf("got %+v, want %+v", r.Stats(), want)
	}
}

// TestPagesInFront: an index page or a page of an unknown type may come before the
// pages that the metadata refers to, and total_compressed_size includes it.
func TestPagesInFront(t *testing.T) {
	dict, coded := chunktest.Dictionary(2, chunktest.Int32s(7, 9)), chunktest.V1(3, fileformat.RLEDictionary, chunktest.Codes(1, 0, 1))
	for _, first := range []chunktest.Page{chunktest.Of(fileformat.PageHeader{Type: fileformat.IndexPage}, []byte("an index")), chunktest.Of(fileformat.PageHeader{Type: 77}, bytes.Repeat([]byte("x"), 1000))} {
		for name, c := range map[string]struct {
			pages []chunktest.Page
			data  int // index of the page
			dict  int // index of the page; 0: not in the metadata
			want  records
		}{
			"data":                        {[]chunktest.Page{first, chunktest.V1(3, fileformat.Plain, chunktest.Int32s(1, 2, 3))}, 1, 0, records{"1", "2", "3"}},
			"dictionary":                  {[]chunktest.Page{first, dict, coded}, 2, 1, records{"9", "7", "9"}},
			"dictionary, not mentioned":   {[]chunktest.Page{first, dict, coded}, 1, 0, records{"9", "7", "9"}},
			"between dictionary and data": {[]chunktest.Page{dict, first, coded}, 2, 0, records{"9", "7", "9"}},
			"data offset of the page":     {[]chunktest.Page{first, dict, coded}, 0, 0, records{"9", "7", "9"}},
		} {
			chunk, file, offsets := (&chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 3, Pages: c.pages}).Build()
			chunk.Meta.DataPageOffset = offsets[c.data]
			if c.dict > 0 {
				chunk.Meta.DictionaryPageOffset = offsets[c.dict]
			}
			for _, index := range []int64{-1, 0, 4, offsets[1], 1 << 40, -1 << 40} {
				chunk.Meta.IndexPageOffset = index
				source := bytes.NewReader(file)
				if name == "between dictionary and data" && index != 4 {
					continue // nothing refers to the dictionary
				}
				r, err := NewReader(chunk, Options{Source: source})
				if err != nil {
					t.Errorf("page type %v before %s, index at %d: %v", first.Type, name, index, err)
					continue
				}
				if got, err := readAllRows(t, r, 2); err != nil || !reflect.DeepEqual(got, c.want) {
					t.Errorf("page type %v before %s, index at %d: %q, %v", first.Type, name, index, got, err)
				}
				rows := int32(0)
				err = page.Each(chunk, source, func(p *page.Page) error {
					if p.Type == fileformat.DataPage {
						rows += p.NumValues
					}
					return nil
				})
				if err != nil || rows != 3 {
					t.Errorf("pages of type %v before %s, index at %d: %d rows, %v", first.Type, name, index, rows, err)
				}
			}
		}
	}
}

func TestLevelsV1(t *testing.T) {
	nulls := []uint8{1, 0, 1, 1, 0, 0, 1, 1, 1, 0}
	packed := chunktest.V1(10, fileformat.Plain, chunktest.Join(chunktest.MSBPacked(1, nulls...), chunktest.Int32s(0, 2, 3, 6, 7, 8)))
	packed.DefEncoding, packed.RepEncoding = fileformat.BitPacked, fileformat.BitPacked
	want := records{"0", "NULL:0", "2", "3", "NULL:0", "NULL:0", "6", "7", "8", "NULL:0"}
	wantRecords(t, &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: 10, Pages: []chunktest.Page{packed}}, want)
	wantRecords(t, &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: 10, Pages: []chunktest.Page{
		chunktest.V1(10, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(nulls...)), chunktest.Int32s(0, 2, 3, 6, 7, 8))),
	}}, want)

	nested := fileformat.Node{Name: "c", Physical: fileformat.Int32, MaxRep: 2, MaxDef: 3}
	rep, def := []uint8{0, 2, 1, 0, 0, 1}, []uint8{3, 3, 2, 1, 0, 3}
	packed = chunktest.V1(6, fileformat.Plain, chunktest.Join(chunktest.MSBPacked(2, rep...), chunktest.MSBPacked(2, def...), chunktest.Int32s(7, 8, 9)))
	packed.DefEncoding, packed.RepEncoding = fileformat.BitPacked, fileformat.BitPacked
	wantRecords(t, &chunktest.Chunk{Leaf: nested, Rows: 3, Values: 6, Pages: []chunktest.Page{packed}},
		records{"0 7 | 2 8 | 1 NULL:2", "0 NULL:1", "0 NULL:0 | 1 9"})
}

func TestPagesV2(t *testing.T) {
	body := snappy.Encode(nil, chunktest.Int32s(1, 3))
	def := chunktest.Runs(1, 0, 1)
	compressed := chunktest.Of(fileformat.PageHeader{
		Type: fileformat.DataPageV2, NumValues: 3, NumNulls: 1, NumRows: 3, Encoding: fileformat.Plain, IsCompressed: true,
		DefLength: int32(len(def)), UncompressedSize: int32(len(def)) + 8,
	}, chunktest.Join(def, body))
	plain := chunktest.Of(fileformat.PageHeader{
		Type: fileformat.DataPageV2, NumValues: 3, NumNulls: 1, NumRows: 3, Encoding: fileformat.Plain, DefLength: int32(len(def)),
	}, chunktest.Join(def, chunktest.Int32s(4, 6)))
	allNull := chunktest.Of(fileformat.PageHeader{
		Type: fileformat.DataPageV2, NumValues: 2, NumNulls: 2, NumRows: 2, Encoding: fileformat.Plain, IsCompressed: true, DefLength: 2,
	}, chunktest.Runs(0, 0))
	emptied := allNull // Snappy compresses no bytes to one byte
	emptied.Body, emptied.UncompressedSize = append(chunktest.Runs(0, 0), 0), 2
	c := &chunktest.Chunk{Leaf: chunktest.OptionalInt, Codec: fileformat.Snappy, Rows: 10, Pages: []chunktest.Page{compressed, plain, allNull, emptied}}
	wantRecords(t, c, records{"1", "NULL:0", "3", "4", "NULL:0", "6", "NULL:0", "NULL:0", "NULL:0", "NULL:0"})
}

func TestDictionaryFallback(t *testing.T) {
	coded := func(codes ...uint8) chunktest.Page {
		return chunktest.V1(len(codes), fileformat.RLEDictionary, chunktest.Codes(codes...))
	}
	c := &chunktest.Chunk{Leaf: chunktest.RequiredText, Rows: 9, Pages: []chunktest.Page{
		chunktest.Dictionary(3, chunktest.ByteArrays("a", "", "ccc")),
		coded(2, 0, 1), chunktest.V1(2, fileformat.Plain, chunktest.ByteArrays("x", "y")), chunktest.V1(2, fileformat.PlainDictionary, chunktest.Codes(1, 2)), coded(0, 0),
	}}
	want := records{`"ccc"`, `"a"`, `""`, `"x"`, `"y"`, `""`, `"ccc"`, `"a"`, `"a"`}
	wantRecords(t, c, want)
	r := newReader(t, c, Options{})
	d, err := r.Dictionary()
	if err != nil || !reflect.DeepEqual(d.Values.Bytes, []string{"a", "", "ccc"}) {
		t.Fatal(d, err)
	}
	if b, err := r.Read(3); err != nil || b.Dict != d || len(b.Codes) != 3 {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err := r.Read(3); err != nil || b.Dict != nil || b.Codes != nil {
		t.Errorf("across the boundary: %+v, %v", b, err)
	}

	// The dictionary comes after the pages that need it.
	late := *c
	late.Pages = []chunktest.Page{coded(2, 0, 1), coded(1, 1, 1), coded(2, 2, 2), chunktest.Dictionary(3, chunktest.ByteArrays("a", "", "ccc"))}
	_, _, offsets := late.Build()
	late.DictionaryOffset = offsets[3]
	wantRecords(t, &late, records{`"ccc"`, `"a"`, `""`, `""`, `""`, `""`, `"ccc"`, `"ccc"`, `"ccc"`})
}

func TestDictionaryDamage(t *testing.T) {
	dict := chunktest.Dictionary(2, chunktest.Int32s(10, 20))
	coded := func(codes ...uint8) chunktest.Page {
		return chunktest.V1(len(codes), fileformat.RLEDictionary, chunktest.Codes(codes...))
	}
	plain := chunktest.V1(2, fileformat.Plain, chunktest.Int32s(1, 2))
	two := [2]int64{0, 2}

	wantDamage(t, &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 4, Pages: []chunktest.Page{coded(0, 1), plain}}, records{"1", "2"}, two)
	wantDamage(t, &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 4, Pages: []chunktest.Page{dict, coded(2, 0), plain}}, records{"1", "2"}, two)
	wantDamage(t, &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 4, Pages: []chunktest.Page{dict, coded(0, 1), dict, plain}}, records{"10", "20"}, [2]int64{2, 4})
	for _, bad := range []chunktest.Page{chunktest.Dictionary(3, chunktest.Int32s(10, 20)), chunktest.Dictionary(1<<31-1, chunktest.Int32s(10, 20)), chunktest.Of(fileformat.PageHeader{Type: fileformat.DictionaryPage, NumValues: 2, Encoding: fileformat.Plain, HasCRC: true, CRC: 1}, chunktest.Int32s(10, 20))} {
		c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 4, Verify: true, Pages: []chunktest.Page{bad, coded(0, 1), plain}}
		wantDamage(t, c, records{"1", "2"}, two)
		var corrupt *errs.CorruptError
		if _, err := newReader(t, c, Options{}).Dictionary(); !errors.As(err, &corrupt) || corrupt.Offset != 4 {
			t.Errorf("%v", err)
		}
	}

	// Only NULLs: neither codes nor a dictionary are needed.
	for _, values := range [][]byte{nil, {1}, {0}} {
		nulls := chunktest.V1(2, fileformat.RLEDictionary, chunktest.Join(chunktest.Prefixed(chunktest.Runs(0, 0)), values))
		wantRecords(t, &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: 2, Pages: []chunktest.Page{nulls}}, records{"NULL:0", "NULL:0"})
	}
	// Entries of no bytes must not need memory.
	empty := fileformat.Node{Name: "c", Physical: fileformat.FixedLenByteArray}
	c := &chunktest.Chunk{Leaf: empty, Rows: 1, Pages: []chunktest.Page{chunktest.Dictionary(1<<31-1, nil), coded(0)}}
	if _, err := readAllRows(t, newReader(t, c, Options{}), 1); err == nil {
		t.Error("no error for two billion entries of no bytes")
	}
}

func TestChecksums(t *testing.T) {
	zero := []byte{0x9d, 0x0a, 0xd9, 0x6d}
	if crc32.ChecksumIEEE(zero) != 0 {
		t.Fatal("the text's checksum is not 0")
	}
	good := []chunktest.Page{chunktest.WithCRC(chunktest.Dictionary(1, chunktest.Int32s(7))), chunktest.WithCRC(chunktest.V1(1, fileformat.Plain, zero)), chunktest.WithCRC(chunktest.V1(2, fileformat.RLEDictionary, chunktest.Codes(0, 0))), chunktest.V1(1, fileformat.Plain, chunktest.Int32s(9))}
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 4, Verify: true, Pages: good}
	wantRecords(t, c, records{"1842940573", "7", "7", "9"})

	// A checksum of 0 is checked like any other; it is wrong here.
	bad := good[2]
	bad.CRC = 0
	c.Pages = []chunktest.Page{good[0], good[1], bad, good[3]}
	wantDamage(t, c, records{"1842940573", "9"}, [2]int64{1, 3})
	r := newReader(t, c, Options{})
	_ = r.Skip(1)
	_, _, offsets := c.Build()
	var corrupt *errs.CorruptError
	if _, err := r.Read(1); !errors.As(err, &corrupt) || corrupt.Offset != offsets[2] || !errors.Is(err, page.ErrChecksum) {
		t.Errorf("got %v, want an error at %d", err, offsets[2])
	}
	c.Verify = false
	wantRecords(t, c, records{"1842940573", "7", "7", "9"})

	// In V2 the checksum includes the levels.
	def := chunktest.Runs(1, 0)
	v2 := chunktest.WithCRC(chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: 2, NumNulls: 1, NumRows: 2, Encoding: fileformat.Plain, DefLength: int32(len(def))}, chunktest.Join(def, chunktest.Int32s(5))))
	wantRecords(t, &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: 2, Verify: true, Pages: []chunktest.Page{v2}}, records{"5", "NULL:0"})
}

// TestLyingHeaders has headers with sizes far larger than the data.
func TestLyingHeaders(t *testing.T) {
	page := func(change func(*fileformat.PageHeader)) chunktest.Page {
		p := chunktest.V1(2, fileformat.Plain, chunktest.Int32s(1, 2))
		p.CompressedSize, p.UncompressedSize = 8, 8
		change(&p.PageHeader)
		return p
	}
	var before, after runtime.MemStats
	for i, p := range []chunktest.Page{
		page(func(h *fileformat.PageHeader) { h.CompressedSize = 9 }),
		page(func(h *fileformat.PageHeader) { h.CompressedSize = 1<<31 - 1 }),
		page(func(h *fileformat.PageHeader) { h.CompressedSize = -1 }),
		page(func(h *fileformat.PageHeader) { h.UncompressedSize = 1<<31 - 1 }),
		page(func(h *fileformat.PageHeader) { h.UncompressedSize = 9 }),
		page(func(h *fileformat.PageHeader) { h.NumValues = -2 }),
		page(func(h *fileformat.PageHeader) { h.NumValues = 1<<31 - 1 }),
		page(func(h *fileformat.PageHeader) {
			h.Type, h.NumRows, h.DefLength, h.RepLength = fileformat.DataPageV2, 2, 1<<31-1, 1<<31-1
		}),
		page(func(h *fileformat.PageHeader) { h.Type, h.NumRows, h.DefLength = fileformat.DataPageV2, 2, 9 }),
		chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPage}, bytes.Repeat([]byte{0x15}, 100_000)),
	} {
		for _, codec := range []fileformat.Codec{fileformat.Uncompressed, fileformat.Snappy, fileformat.Gzip, fileformat.LZO, fileformat.Brotli, fileformat.LZ4, fileformat.Zstd, fileformat.LZ4Raw} {
			c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Codec: codec, Rows: 2, Pages: []chunktest.Page{p}}
			runtime.ReadMemStats(&before)
			_, err := readAllRows(t, newReader(t, c, Options{}), 2)
			runtime.ReadMemStats(&after)
			var corrupt *errs.CorruptError
			if !errors.As(err, &corrupt) {
				t.Errorf("%d, %v: %v", i, codec, err)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 1<<22 {
				t.Errorf("%d, %v: allocated %d bytes for a false size", i, codec, n)
			}
		}
	}
	for _, c := range []*chunktest.Chunk{
		{Leaf: chunktest.RequiredInt, Rows: 1, Codec: 99, Pages: []chunktest.Page{chunktest.V1(1, fileformat.Plain, chunktest.Int32s(1))}},
		{Leaf: chunktest.RequiredInt, Rows: 1, Pages: []chunktest.Page{chunktest.V1(1, 55, chunktest.Int32s(1))}},
		{Leaf: chunktest.RequiredInt, Rows: 1, Pages: []chunktest.Page{chunktest.Of(fileformat.PageHeader{Type: fileformat.DictionaryPage, NumValues: 1, Encoding: 55}, chunktest.Int32s(1)), chunktest.V1(1, fileformat.RLEDictionary, chunktest.Codes(0))}},
		{Leaf: chunktest.OptionalInt, Rows: 1, Pages: []chunktest.Page{chunktest.Of(fileformat.PageHeader{Type: fileformat.DataPage, NumValues: 1, DefEncoding: 55}, chunktest.Int32s(1))}},
	} {
		if _, err := readAllRows(t, newReader(t, c, Options{}), 2); !errors.Is(err, errs.ErrUnsupported) || !strings.Contains(err.Error(), "test") {
			t.Errorf("got %v, want an unsupported encoding or codec by name", err)
		}
	}
}

// TestManyPages has more pages than 16 bits can count.
func TestManyPages(t *testing.T) {
	c := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 40_000}
	var want records
	for i := range 40_000 {
		c.Pages = append(c.Pages, chunktest.V1(1, fileformat.Plain, chunktest.Int32s(int32(i))))
		want = append(want, fmt.Sprint(i))
	}
	for _, n := range []int{1000, 1 << 20} {
		got, err := readAllRows(t, newReader(t, c, Options{}), n)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatal(err)
		}
	}
}
