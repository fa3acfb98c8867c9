package fileformat

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
)

// wantRecords reads the chunk in several ways, which must all give want.
func wantRecords(t *testing.T, c *testChunk, want records) {
	t.Helper()
	for _, o := range []ReadOptions{{}, {Levels: true}, {NoDictionaryCodes: true}} {
		for _, n := range []int{1, 2, 3, 1000} {
			got, err := readAllRows(t, c.reader(t, o), n)
			if err != nil {
				t.Fatalf("%+v, %d at a time: %v", o, n, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, %d at a time:\ngot  %q\nwant %q", o, n, got, want)
			}
		}
	}
}

// wantDamage reads the chunk with damage passed over.
func wantDamage(t *testing.T, c *testChunk, want records, lost ...[2]int64) {
	t.Helper()
	for _, n := range []int{1, 1000} {
		got, gone := readSalvage(t, c.reader(t, ReadOptions{}), n)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gone, lost) {
			t.Fatalf("%d at a time:\ngot  %q without %v\nwant %q without %v", n, got, gone, want, lost)
		}
	}
}

func TestPagesPassedOver(t *testing.T) {
	c := &testChunk{leaf: requiredInt, rows: 5, pages: []testPage{
		{PageHeader{Type: IndexPage}, []byte("an index")},
		v1(2, Plain, int32s(1, 2)),
		v1(0, Plain, nil),
		{PageHeader{Type: 77}, []byte("of another time")},
		{PageHeader{Type: DataPageV2, Encoding: Plain}, nil},
		v1(3, Plain, int32s(3, 4, 5)),
	}}
	wantRecords(t, c, records{"1", "2", "3", "4", "5"})
	r := c.reader(t, ReadOptions{})
	if _, err := readAllRows(t, r, 9); err != nil {
		t.Fatal(err)
	}
	if want := (ReadStats{PagesDecoded: 2, PagesSkipped: 2, BytesDecoded: 20}); r.Stats() != want {
		t.Errorf("got %+v, want %+v", r.Stats(), want)
	}
}

// TestPagesInFront: an index page or one of a type to come may stand before the
// pages that the metadata knows of, and total_compressed_size counts it.
func TestPagesInFront(t *testing.T) {
	dict, coded := dictPage(2, int32s(7, 9)), v1(3, RLEDictionary, codesOf(1, 0, 1))
	for _, first := range []testPage{{PageHeader{Type: IndexPage}, []byte("an index")}, {PageHeader{Type: 77}, bytes.Repeat([]byte("x"), 1000)}} {
		for name, c := range map[string]struct {
			pages []testPage
			data  int // of the pages
			dict  int // of the pages; 0: not in the metadata
			want  records
		}{
			"data":                        {[]testPage{first, v1(3, Plain, int32s(1, 2, 3))}, 1, 0, records{"1", "2", "3"}},
			"dictionary":                  {[]testPage{first, dict, coded}, 2, 1, records{"9", "7", "9"}},
			"dictionary, not mentioned":   {[]testPage{first, dict, coded}, 1, 0, records{"9", "7", "9"}},
			"between dictionary and data": {[]testPage{dict, first, coded}, 2, 0, records{"9", "7", "9"}},
			"data offset of the page":     {[]testPage{first, dict, coded}, 0, 0, records{"9", "7", "9"}},
		} {
			chunk, file, offsets := (&testChunk{leaf: requiredInt, rows: 3, pages: c.pages}).build()
			chunk.Meta.DataPageOffset = offsets[c.data]
			if c.dict > 0 {
				chunk.Meta.DictionaryPageOffset = offsets[c.dict]
			}
			for _, index := range []int64{-1, 0, 4, offsets[1], 1 << 40, -1 << 40} {
				chunk.Meta.IndexPageOffset = index
				source := bytes.NewReader(file)
				if name == "between dictionary and data" && index != 4 {
					continue // nothing leads to the dictionary
				}
				r, err := chunk.NewReader(ReadOptions{Source: source})
				if err != nil {
					t.Errorf("page type %v before %s, index at %d: %v", first.Type, name, index, err)
					continue
				}
				if got, err := readAllRows(t, r, 2); err != nil || !reflect.DeepEqual(got, c.want) {
					t.Errorf("page type %v before %s, index at %d: %q, %v", first.Type, name, index, got, err)
				}
				rows := int32(0)
				err = chunk.Pages(source, func(p PageInfo) error {
					if p.Type == DataPage {
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
	packed := v1(10, Plain, join(msbPacked(1, nulls...), int32s(0, 2, 3, 6, 7, 8)))
	packed.DefEncoding, packed.RepEncoding = BitPacked, BitPacked
	want := records{"0", "NULL:0", "2", "3", "NULL:0", "NULL:0", "6", "7", "8", "NULL:0"}
	wantRecords(t, &testChunk{leaf: optionalInt, rows: 10, pages: []testPage{packed}}, want)
	wantRecords(t, &testChunk{leaf: optionalInt, rows: 10, pages: []testPage{
		v1(10, Plain, join(prefixed(runs(nulls...)), int32s(0, 2, 3, 6, 7, 8))),
	}}, want)

	nested := Node{Name: "c", Physical: Int32, MaxRep: 2, MaxDef: 3}
	rep, def := []uint8{0, 2, 1, 0, 0, 1}, []uint8{3, 3, 2, 1, 0, 3}
	packed = v1(6, Plain, join(msbPacked(2, rep...), msbPacked(2, def...), int32s(7, 8, 9)))
	packed.DefEncoding, packed.RepEncoding = BitPacked, BitPacked
	wantRecords(t, &testChunk{leaf: nested, rows: 3, values: 6, pages: []testPage{packed}},
		records{"0 7 | 2 8 | 1 NULL:2", "0 NULL:1", "0 NULL:0 | 1 9"})
}

func TestPagesV2(t *testing.T) {
	body := snappy.Encode(nil, int32s(1, 3))
	def := runs(1, 0, 1)
	compressed := testPage{PageHeader{
		Type: DataPageV2, NumValues: 3, NumNulls: 1, NumRows: 3, Encoding: Plain, IsCompressed: true,
		DefLength: int32(len(def)), UncompressedSize: int32(len(def)) + 8,
	}, join(def, body)}
	plain := testPage{PageHeader{
		Type: DataPageV2, NumValues: 3, NumNulls: 1, NumRows: 3, Encoding: Plain, DefLength: int32(len(def)),
	}, join(def, int32s(4, 6))}
	allNull := testPage{PageHeader{
		Type: DataPageV2, NumValues: 2, NumNulls: 2, NumRows: 2, Encoding: Plain, IsCompressed: true, DefLength: 2,
	}, runs(0, 0)}
	emptied := allNull // what Snappy makes of nothing is a byte
	emptied.body, emptied.UncompressedSize = append(runs(0, 0), 0), 2
	c := &testChunk{leaf: optionalInt, codec: Snappy, rows: 10, pages: []testPage{compressed, plain, allNull, emptied}}
	wantRecords(t, c, records{"1", "NULL:0", "3", "4", "NULL:0", "6", "NULL:0", "NULL:0", "NULL:0", "NULL:0"})
}

// repeatedV2 is a DATA_PAGE_V2 whose header tells of so many rows.
func repeatedV2(rows int, rep, def []uint8, values ...int32) testPage {
	r, d := runs(rep...), runs(def...)
	return testPage{PageHeader{Type: DataPageV2, NumValues: int32(len(rep)), NumRows: int32(rows), Encoding: Plain,
		RepLength: int32(len(r)), DefLength: int32(len(d))}, join(r, d, int32s(values...))}
}

func TestRecordsOverPages(t *testing.T) {
	page := func(rep, def []uint8, values ...int32) testPage {
		return v1(len(rep), Plain, join(prefixed(runs(rep...)), prefixed(runs(def...)), int32s(values...)))
	}
	c := &testChunk{leaf: repeatedInt, rows: 4, values: 9, pages: []testPage{
		page([]uint8{0, 1, 0}, []uint8{1, 1, 1}, 1, 2, 3),
		page([]uint8{1, 1}, []uint8{1, 1}, 4, 5),
		page([]uint8{1, 0, 0}, []uint8{1, 0, 1}, 6, 7),
		page([]uint8{1}, []uint8{1}, 8),
	}}
	want := records{"0 1 | 1 2", "0 3 | 1 4 | 1 5 | 1 6", "0 NULL:0", "0 7 | 1 8"}
	wantRecords(t, c, want)
	for skip := range want {
		for n := range len(want) - skip {
			r := c.reader(t, ReadOptions{})
			if err := r.Skip(int64(skip)); err != nil {
				t.Fatal(err)
			}
			b, err := r.Read(n + 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := appendRecords(t, nil, r.leaf, r.options, b); !reflect.DeepEqual(got, want[skip:skip+n+1]) {
				t.Errorf("skip %d, read %d: %q", skip, n+1, got)
			}
		}
	}

	c.pages = []testPage{
		repeatedV2(2, []uint8{0, 1, 0}, []uint8{1, 1, 1}, 1, 2, 3), repeatedV2(1, []uint8{1, 0}, []uint8{1, 1}, 4, 5),
		repeatedV2(1, []uint8{0}, []uint8{1}, 6),
	}
	// The second page does not begin with a record; it is lost, alone.
	wantDamage(t, c, records{"0 1 | 1 2", "0 3", "0 6"}, [2]int64{2, 3})
	// It has fewer, then more records than its header says: then nothing says with
	// which row the third begins, unless there is an offset index.
	c.pages[1] = repeatedV2(2, []uint8{0, 1}, []uint8{1, 1}, 4, 5)
	c.pages[2] = repeatedV2(1, []uint8{0}, []uint8{1}, 6)
	c.rows = 5
	wantDamage(t, c, records{"0 1 | 1 2", "0 3"}, [2]int64{2, 5})
	c.pages[1] = repeatedV2(1, []uint8{0, 0}, []uint8{1, 1}, 4, 5)
	c.rows = 4
	wantDamage(t, c, records{"0 1 | 1 2", "0 3"}, [2]int64{2, 4})
}

// TestUnevenRows has chunks whose pages have more or fewer rows than the row group.
func TestUnevenRows(t *testing.T) {
	lists := func(rep ...uint8) testPage {
		values := make([]int32, len(rep))
		return v1(len(rep), Plain, join(prefixed(runs(rep...)), prefixed(runs(bytes.Repeat([]byte{1}, len(rep))...)), int32s(values...)))
	}
	for name, c := range map[string]*testChunk{
		"fewer":                  {leaf: requiredInt, rows: 3, pages: []testPage{v1(2, Plain, int32s(1, 2))}},
		"none":                   {leaf: requiredInt, rows: 3},
		"more":                   {leaf: requiredInt, rows: 3, pages: []testPage{v1(4, Plain, int32s(1, 2, 3, 4))}},
		"fewer values":           {leaf: requiredInt, rows: 3, pages: []testPage{v1(3, Plain, int32s(1, 2))}},
		"fewer values than set":  {leaf: optionalInt, rows: 3, pages: []testPage{v1(3, Plain, join(prefixed(runs(1, 1, 1)), int32s(1, 2)))}},
		"fewer levels":           {leaf: optionalInt, rows: 3, pages: []testPage{v1(3, Plain, join(prefixed(runs(1, 1)), int32s(1, 2)))}},
		"level above maximum":    {leaf: optionalInt, rows: 2, pages: []testPage{v1(2, Plain, join(prefixed(runs(1, 2)), int32s(1, 2)))}},
		"levels past the page":   {leaf: optionalInt, rows: 2, pages: []testPage{v1(2, Plain, []byte{200, 0, 0, 0, 4, 1})}},
		"negative level length":  {leaf: optionalInt, rows: 2, pages: []testPage{v1(2, Plain, []byte{255, 255, 255, 255, 4, 1})}},
		"fewer records":          {leaf: repeatedInt, rows: 3, values: 4, pages: []testPage{lists(0, 1, 0, 1)}},
		"more records":           {leaf: repeatedInt, rows: 1, values: 4, pages: []testPage{lists(0, 1, 0, 1)}},
		"first repetition not 0": {leaf: repeatedInt, rows: 1, values: 4, pages: []testPage{lists(1, 1, 0, 1)}},
		"more values":            {leaf: requiredInt, rows: 2, values: 3, pages: []testPage{v1(3, Plain, int32s(1, 2, 3))}},
		"two billion values":     {leaf: requiredInt, rows: 1<<31 - 1, pages: []testPage{v1(1<<31-1, Plain, int32s(1, 2, 3))}},
	} {
		chunk, file, _ := c.build()
		r, err := chunk.NewReader(ReadOptions{Source: bytes.NewReader(file)})
		if err == nil {
			_, err = readAllRows(t, r, 2)
		}
		var corrupt *errs.CorruptError
		if !errors.As(err, &corrupt) || corrupt.File != "test" || corrupt.Column != "c" || corrupt.RowGroup != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDictionaryFallback(t *testing.T) {
	coded := func(codes ...uint8) testPage { return v1(len(codes), RLEDictionary, codesOf(codes...)) }
	c := &testChunk{leaf: requiredText, rows: 9, pages: []testPage{
		dictPage(3, byteArrays("a", "", "ccc")),
		coded(2, 0, 1), v1(2, Plain, byteArrays("x", "y")), v1(2, PlainDictionary, codesOf(1, 2)), coded(0, 0),
	}}
	want := records{`"ccc"`, `"a"`, `""`, `"x"`, `"y"`, `""`, `"ccc"`, `"a"`, `"a"`}
	wantRecords(t, c, want)
	r := c.reader(t, ReadOptions{})
	d, err := r.Dictionary()
	if err != nil || !reflect.DeepEqual(d.Values.Bytes, []string{"a", "", "ccc"}) {
		t.Fatal(d, err)
	}
	if b, err := r.Read(3); err != nil || b.Dict != d || len(b.Codes) != 3 {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err := r.Read(3); err != nil || b.Dict != nil || b.Codes != nil {
		t.Errorf("over the boundary: %+v, %v", b, err)
	}

	// The dictionary behind the pages that need it.
	late := *c
	late.pages = []testPage{coded(2, 0, 1), coded(1, 1, 1), coded(2, 2, 2), dictPage(3, byteArrays("a", "", "ccc"))}
	_, _, offsets := late.build()
	late.dictionaryOffset = offsets[3]
	wantRecords(t, &late, records{`"ccc"`, `"a"`, `""`, `""`, `""`, `""`, `"ccc"`, `"ccc"`, `"ccc"`})
}

func TestDictionaryDamage(t *testing.T) {
	dict := dictPage(2, int32s(10, 20))
	coded := func(codes ...uint8) testPage { return v1(len(codes), RLEDictionary, codesOf(codes...)) }
	plain := v1(2, Plain, int32s(1, 2))
	two := [2]int64{0, 2}

	wantDamage(t, &testChunk{leaf: requiredInt, rows: 4, pages: []testPage{coded(0, 1), plain}}, records{"1", "2"}, two)
	wantDamage(t, &testChunk{leaf: requiredInt, rows: 4, pages: []testPage{dict, coded(2, 0), plain}}, records{"1", "2"}, two)
	wantDamage(t, &testChunk{leaf: requiredInt, rows: 4, pages: []testPage{dict, coded(0, 1), dict, plain}}, records{"10", "20"}, [2]int64{2, 4})
	for _, bad := range []testPage{dictPage(3, int32s(10, 20)), dictPage(1<<31-1, int32s(10, 20)), {PageHeader{Type: DictionaryPage, NumValues: 2, Encoding: Plain, HasCRC: true, CRC: 1}, int32s(10, 20)}} {
		c := &testChunk{leaf: requiredInt, rows: 4, verify: true, pages: []testPage{bad, coded(0, 1), plain}}
		wantDamage(t, c, records{"1", "2"}, two)
		var corrupt *errs.CorruptError
		if _, err := c.reader(t, ReadOptions{}).Dictionary(); !errors.As(err, &corrupt) || corrupt.Offset != 4 {
			t.Errorf("%v", err)
		}
	}

	// Only NULLs: neither codes nor a dictionary are needed.
	for _, values := range [][]byte{nil, {1}, {0}} {
		nulls := v1(2, RLEDictionary, join(prefixed(runs(0, 0)), values))
		wantRecords(t, &testChunk{leaf: optionalInt, rows: 2, pages: []testPage{nulls}}, records{"NULL:0", "NULL:0"})
	}
	// Entries without bytes must not cost any.
	empty := Node{Name: "c", Physical: FixedLenByteArray}
	c := &testChunk{leaf: empty, rows: 1, pages: []testPage{dictPage(1<<31-1, nil), coded(0)}}
	if _, err := readAllRows(t, c.reader(t, ReadOptions{}), 1); err == nil {
		t.Error("no error for two billion entries of no bytes")
	}
}

func TestChecksums(t *testing.T) {
	zero := []byte{0x9d, 0x0a, 0xd9, 0x6d}
	if crc32.ChecksumIEEE(zero) != 0 {
		t.Fatal("not a text with a checksum of 0")
	}
	good := []testPage{withCRC(dictPage(1, int32s(7))), withCRC(v1(1, Plain, zero)), withCRC(v1(2, RLEDictionary, codesOf(0, 0))), v1(1, Plain, int32s(9))}
	c := &testChunk{leaf: requiredInt, rows: 4, verify: true, pages: good}
	wantRecords(t, c, records{"1842940573", "7", "7", "9"})

	// A checksum of 0 is one, and wrong here.
	bad := good[2]
	bad.CRC = 0
	c.pages = []testPage{good[0], good[1], bad, good[3]}
	wantDamage(t, c, records{"1842940573", "9"}, [2]int64{1, 3})
	r := c.reader(t, ReadOptions{})
	_ = r.Skip(1)
	_, _, offsets := c.build()
	var corrupt *errs.CorruptError
	if _, err := r.Read(1); !errors.As(err, &corrupt) || corrupt.Offset != offsets[2] || !errors.Is(err, errCRC) {
		t.Errorf("got %v, want an error at %d", err, offsets[2])
	}
	c.verify = false
	wantRecords(t, c, records{"1842940573", "7", "7", "9"})

	// In V2 the checksum is of the levels, too.
	def := runs(1, 0)
	v2 := withCRC(testPage{PageHeader{Type: DataPageV2, NumValues: 2, NumNulls: 1, NumRows: 2, Encoding: Plain, DefLength: int32(len(def))}, join(def, int32s(5))})
	wantRecords(t, &testChunk{leaf: optionalInt, rows: 2, verify: true, pages: []testPage{v2}}, records{"5", "NULL:0"})
}

// TestLyingHeaders gives headers sizes that nothing is behind.
func TestLyingHeaders(t *testing.T) {
	page := func(change func(*PageHeader)) testPage {
		p := v1(2, Plain, int32s(1, 2))
		p.CompressedSize, p.UncompressedSize = 8, 8
		change(&p.PageHeader)
		return p
	}
	var before, after runtime.MemStats
	for i, p := range []testPage{
		page(func(h *PageHeader) { h.CompressedSize = 9 }),
		page(func(h *PageHeader) { h.CompressedSize = 1<<31 - 1 }),
		page(func(h *PageHeader) { h.CompressedSize = -1 }),
		page(func(h *PageHeader) { h.UncompressedSize = 1<<31 - 1 }),
		page(func(h *PageHeader) { h.UncompressedSize = 9 }),
		page(func(h *PageHeader) { h.NumValues = -2 }),
		page(func(h *PageHeader) { h.NumValues = 1<<31 - 1 }),
		page(func(h *PageHeader) {
			h.Type, h.NumRows, h.DefLength, h.RepLength = DataPageV2, 2, 1<<31-1, 1<<31-1
		}),
		page(func(h *PageHeader) { h.Type, h.NumRows, h.DefLength = DataPageV2, 2, 9 }),
		{PageHeader{Type: DataPage}, bytes.Repeat([]byte{0x15}, 100_000)},
	} {
		for _, codec := range []Codec{Uncompressed, Snappy, Gzip, LZO, Brotli, LZ4, Zstd, LZ4Raw} {
			c := &testChunk{leaf: requiredInt, codec: codec, rows: 2, pages: []testPage{p}}
			runtime.ReadMemStats(&before)
			_, err := readAllRows(t, c.reader(t, ReadOptions{}), 2)
			runtime.ReadMemStats(&after)
			var corrupt *errs.CorruptError
			if !errors.As(err, &corrupt) {
				t.Errorf("%d, %v: %v", i, codec, err)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 1<<22 {
				t.Errorf("%d, %v: %d bytes for a lie", i, codec, n)
			}
		}
	}
	for _, c := range []*testChunk{
		{leaf: requiredInt, rows: 1, codec: 99, pages: []testPage{v1(1, Plain, int32s(1))}},
		{leaf: requiredInt, rows: 1, pages: []testPage{v1(1, 55, int32s(1))}},
		{leaf: requiredInt, rows: 1, pages: []testPage{{PageHeader{Type: DictionaryPage, NumValues: 1, Encoding: 55}, int32s(1)}, v1(1, RLEDictionary, codesOf(0))}},
		{leaf: optionalInt, rows: 1, pages: []testPage{{PageHeader{Type: DataPage, NumValues: 1, DefEncoding: 55}, int32s(1)}}},
	} {
		if _, err := readAllRows(t, c.reader(t, ReadOptions{}), 2); !errors.Is(err, errs.ErrUnsupported) || !strings.Contains(err.Error(), "test") {
			t.Errorf("got %v, want an unsupported encoding or codec by name", err)
		}
	}
}

// TestManyPages has more pages than 16 bits can count.
func TestManyPages(t *testing.T) {
	c := &testChunk{leaf: requiredInt, rows: 40_000}
	var want records
	for i := range 40_000 {
		c.pages = append(c.pages, v1(1, Plain, int32s(int32(i))))
		want = append(want, fmt.Sprint(i))
	}
	for _, n := range []int{1000, 1 << 20} {
		got, err := readAllRows(t, c.reader(t, ReadOptions{}), n)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatal(err)
		}
	}
}

// TestRecordsOverPagesV2 is what arrow-go wrote before 18.8.0 (apache/arrow-go#882),
// the issue's own file among it: num_rows is how many records begin in a page.
func TestRecordsOverPagesV2(t *testing.T) {
	c := &testChunk{leaf: repeatedInt, rows: 4, values: 9, writer: Writer{Application: "parquet-go", HasVersion: true, Major: 18, Minor: 4}, pages: []testPage{
		repeatedV2(1, []uint8{0}, []uint8{1}, 1),
		repeatedV2(1, []uint8{1, 0}, []uint8{1, 1}, 2, 3),
		repeatedV2(0, []uint8{1, 1}, []uint8{1, 1}, 4, 5),
		repeatedV2(2, []uint8{1, 0, 0}, []uint8{1, 0, 1}, 6, 7),
		repeatedV2(0, []uint8{1}, []uint8{1}, 8),
	}}
	want := records{"0 1 | 1 2", "0 3 | 1 4 | 1 5 | 1 6", "0 NULL:0", "0 7 | 1 8"}
	wantRecords(t, c, want)
	for skip := range want {
		r := c.reader(t, ReadOptions{})
		if err := r.Skip(int64(skip)); err != nil {
			t.Fatal(err)
		}
		b, err := r.Read(1)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendRecords(t, nil, r.leaf, r.options, b); !reflect.DeepEqual(got, want[skip:skip+1]) {
			t.Errorf("skip %d: %q", skip, got)
		}
	}
}
