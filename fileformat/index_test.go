package fileformat

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// withIndex is the test file with a structure after its pages, which field of
// the first chunk names with its length.
func withIndex(structure []byte, offsetField, lengthField int, meta ...tf) []byte {
	chunks := testChunks()
	chunks[0] = ts{{2, int64(0)}, {3, testMeta(1, 3, 4, "a").with(meta...)}}
	if offsetField != 0 {
		chunks[0] = chunks[0].with(tf{offsetField, int64(24)}, tf{lengthField, int32(len(structure))})
	}
	footer := testFooter().with(tf{4, structs(testGroup(chunks...))}, tf{7, structs(ts{{1, ts{}}}, ts{{1, ts{}}})})
	return wrap(testData+string(structure), appendThrift(nil, footer))
}

func page(offset int64, size int32, row int64) ts { return ts{{1, offset}, {2, size}, {3, row}} }

func goodOffsetIndex() ts {
	return ts{{1, structs(page(4, 3, 0), page(8, 6, 1))}, {2, list(tI64, int64(1), int64(2))}}
}

func goodColumnIndex() ts {
	return ts{{1, list(tTrue, false, false)}, {2, list(tBinary, "\x01", "")}, {3, list(tBinary, "\x02", "\x03")}, {4, int32(1)},
		{5, list(tI64, int64(0), int64(0))}, {7, list(tI64, int64(1), int64(2))}, {6, list(tI64, int64(1))}}
}

func indexFile() []byte { return withIndex(appendThrift(nil, goodOffsetIndex()), 4, 5) }

func TestOffsetIndex(t *testing.T) {
	read := func(index ts) (*OffsetIndex, error) {
		b := withIndex(appendThrift(nil, index), 4, 5)
		return mustOpen(t, b).RowGroups()[0].Columns[0].OffsetIndex(bytes.NewReader(b))
	}
	x, err := read(goodOffsetIndex())
	want := &OffsetIndex{Pages: []PageLocation{{4, 3, 0}, {8, 6, 1}}, UnencodedByteArrayBytes: []int64{1, 2}}
	if err != nil || !reflect.DeepEqual(x, want) {
		t.Fatalf("%+v, %v", x, err)
	}
	if first, end := x.Rows(0, 3); first != 0 || end != 1 {
		t.Errorf("rows %d to %d", first, end)
	}
	if first, end := x.Rows(1, 3); first != 1 || end != 3 {
		t.Errorf("rows %d to %d", first, end)
	}
	for name, pages := range map[string]tl{
		"no page":               structs[ts](),
		"first row not 0":       structs(page(4, 3, 1)),
		"rows descend":          structs(page(4, 3, 0), page(7, 3, 2), page(10, 3, 1)),
		"row behind the end":    structs(page(4, 3, 0), page(7, 3, 4)),
		"pages overlap":         structs(page(4, 4, 0), page(7, 3, 1)),
		"page outside":          structs(page(4, 3, 0), page(9, 6, 1)),
		"page before the chunk": structs(page(3, 3, 0)),
		"page of no bytes":      structs(page(4, 0, 0)),
		"negative size":         structs(page(4, -1, 0)),
		"offset that overflows": structs(page(math.MaxInt64, math.MaxInt32, 0)),
		"a page without fields": structs(ts{}),
		"page cut short":        {tStruct, []any{raw{0, ""}}},
	} {
		var corrupt *errs.CorruptError
		if _, err := read(goodOffsetIndex().with(tf{1, pages})); !errors.As(err, &corrupt) || corrupt.Column != "a" || corrupt.Offset != 24 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read(goodOffsetIndex().with(tf{1, nil})); err == nil {
		t.Error("no list of pages")
	}
	f := mustOpen(t, testFile())
	if x, err := f.RowGroups()[0].Columns[0].OffsetIndex(nil); x != nil || err != nil {
		t.Errorf("an absent index: %v, %v", x, err)
	}
}

func TestColumnIndex(t *testing.T) {
	read := func(index ts) (*ColumnIndex, error) {
		b := withIndex(appendThrift(nil, index), 6, 7)
		return mustOpen(t, b).RowGroups()[0].Columns[0].ColumnIndex(bytes.NewReader(b))
	}
	x, err := read(goodColumnIndex())
	want := &ColumnIndex{
		Order: OrderType, NullPages: []bool{false, false}, Min: [][]byte{{1}, {}}, Max: [][]byte{{2}, {3}}, Boundary: Ascending,
		NullCounts: []int64{0, 0}, DefinitionHistograms: []int64{1, 2}, // repetition: of the wrong length
	}
	if err != nil || !reflect.DeepEqual(x, want) {
		t.Fatalf("%+v, %v", x, err)
	}
	for name, change := range map[string]tf{
		"maxima missing":    {3, nil},
		"no boundary order": {4, nil},
		"minima of numbers": {2, list(tI32, int32(1), int32(2))},
	} {
		var corrupt *errs.CorruptError
		if _, err := read(goodColumnIndex().with(change)); !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A required column without values, null counts of -1, lists of different
	// lengths: some writers leave such indexes, and nothing may be concluded from
	// them.
	for name, change := range map[string]tf{
		"null page of a required column": {1, list(tTrue, true, false)},
		"negative null count":            {5, list(tI64, int64(-1), int64(0))},
		"fewer minima":                   {2, list(tBinary, "\x01")},
		"no maxima":                      {3, list[string](tBinary)},
		"more null pages":                {1, list(tTrue, false, false, false)},
	} {
		if x, err := read(goodColumnIndex().with(change)); x != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, x, err)
		}
	}
	if x, err := read(goodColumnIndex().with(tf{4, int32(9)})); err != nil || x.Boundary != Unordered {
		t.Errorf("an unknown boundary order: %+v, %v", x, err)
	}
}

// TestOffsetIndexLacking: sizes that end before the next page begins lack the pages'
// headers (xitongsys/parquet-go v1.6.2), and parquetjs-lite writes 0 for all rows.
// Such an index is ignored.
// TestIndexMemory: an index of entries of one byte takes many times its length, and is not read
// where that is more than it may take.
func TestIndexMemory(t *testing.T) {
	const n = 10_000
	flags, bounds := make([]any, n), make([]any, n)
	for i := range n {
		flags[i], bounds[i] = false, ""
	}
	b := withIndex(appendThrift(nil, ts{{1, list(tTrue, flags...)}, {2, list(tBinary, bounds...)}, {3, list(tBinary, bounds...)}, {4, int32(1)}}), 6, 7)
	for memory, refused := range map[int64]bool{0: false, 1 << 20: false, 1 << 19: true} {
		f, err := Open(bytes.NewReader(b), int64(len(b)), Options{Name: "test", Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.RowGroups()[0].Columns[0].ColumnIndex(bytes.NewReader(b))
		if refused != errors.Is(err, errs.ErrMemoryLimit) || !refused && (x == nil || len(x.Min) != n) {
			t.Errorf("with %d bytes: %v", memory, err)
		}
	}
}

func TestOffsetIndexLacking(t *testing.T) {
	for name, c := range map[string]struct {
		pages []ts
		none  bool
	}{
		"as they have to be":   {[]ts{page(4, 5, 0), page(9, 5, 2)}, false},
		"without headers":      {[]ts{page(4, 3, 0), page(9, 3, 2)}, true},
		"with values for rows": {[]ts{page(4, 3, 0), page(9, 3, 99)}, true},
		"without rows":         {[]ts{page(4, 5, 0), page(9, 5, 0)}, true},
		"padding behind one":   {[]ts{page(4, 3, 0), page(9, 5, 2)}, false},
	} {
		b := withIndex(appendThrift(nil, ts{{1, structs(c.pages...)}}), 4, 5)
		x, err := mustOpen(t, b).RowGroups()[0].Columns[0].OffsetIndex(bytes.NewReader(b))
		if err != nil || (x == nil) != c.none {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
}

// TestIndexOutside gives all three structures offsets and lengths outside the file.
func TestIndexOutside(t *testing.T) {
	for _, at := range []struct {
		offset int64
		length int32
	}{{-1, 5}, {3, 5}, {24, 1 << 30}, {math.MaxInt64, 5}, {1 << 40, 5}} {
		chunks := testChunks()
		chunks[0] = ts{{2, int64(0)}, {3, testMeta(1, 3, 4, "a").with(tf{14, at.offset}, tf{15, at.length})},
			{4, at.offset}, {5, at.length}, {6, at.offset}, {7, at.length}}
		b := testFile(tf{4, structs(testGroup(chunks...))})
		c := mustOpen(t, b).RowGroups()[0].Columns[0]
		var failed [3]error
		_, failed[0] = c.OffsetIndex(bytes.NewReader(b))
		_, failed[1] = c.ColumnIndex(bytes.NewReader(b))
		_, failed[2] = c.BloomFilter(bytes.NewReader(b))
		for i, err := range failed {
			var corrupt *errs.CorruptError
			if at.offset > 0 && !errors.As(err, &corrupt) {
				t.Errorf("structure %d at %d: %v", i, at.offset, err)
			}
		}
	}
}

func bloomHeaderBytes(size int32, changes ...tf) []byte {
	one := ts{{1, ts{}}}
	return appendThrift(nil, ts{{1, size}, {2, one}, {3, one}, {4, one}}.with(changes...))
}

func TestBloomFilter(t *testing.T) {
	read := func(filter []byte, length bool) (*BloomFilter, error) {
		meta := []tf{{14, int64(24)}}
		if length {
			meta = append(meta, tf{15, int32(len(filter))})
		}
		b := withIndex(filter, 0, 0, meta...)
		return mustOpen(t, b).RowGroups()[0].Columns[0].BloomFilter(bytes.NewReader(b))
	}
	full := append(bloomHeaderBytes(64), bytes.Repeat([]byte{0xff}, 64)...)
	for _, length := range []bool{true, false} {
		if b, err := read(full, length); err != nil || b == nil || !b.MayContainHash(12345) {
			t.Errorf("a filter, length stated %v: %v", length, err)
		}
	}
	for name, filter := range map[string][]byte{
		"size 0":               bloomHeaderBytes(0),
		"negative":             bloomHeaderBytes(-32),
		"no whole block":       append(bloomHeaderBytes(33), make([]byte, 64)...),
		"longer than file":     append(bloomHeaderBytes(1<<30), make([]byte, 64)...),
		"shorter than it says": append(bloomHeaderBytes(64), make([]byte, 63)...),
		"no size":              bloomHeaderBytes(64, tf{1, nil}),
		"no header":            {},
	} {
		for _, length := range []bool{true, false} {
			if length && len(filter) == 0 {
				continue
			}
			var corrupt *errs.CorruptError
			if _, err := read(filter, length); !errors.As(err, &corrupt) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	unknown := append(bloomHeaderBytes(64, tf{3, ts{{2, ts{}}}}), full[len(full)-64:]...)
	if b, err := read(unknown, true); b != nil || err != nil {
		t.Errorf("an unknown hash: %v, %v", b, err)
	}
}

// TestBloomForeign: a filter written by Arrow C++ has these four strings.
func TestBloomForeign(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(parquetTesting, "data", "bloom_filter.xxhash.bin"))
	if err != nil {
		t.Skip(err)
	}
	b := withIndex(raw, 0, 0, tf{14, int64(24)}, tf{15, int32(len(raw))})
	filter, err := mustOpen(t, b).RowGroups()[0].Columns[0].BloomFilter(bytes.NewReader(b))
	if err != nil || filter == nil {
		t.Fatal(filter, err)
	}
	for _, s := range []string{"hello", "parquet", "bloom", "filter"} {
		if !filter.MayContainHash(HashBytes([]byte(s))) {
			t.Errorf("%q is said to be absent", s)
		}
	}
	present := 0
	for i := range 1000 { // so many that the whole filter is read
		if filter.MayContainHash(HashBytes(fmt.Append(nil, "absent", i))) {
			present++
		}
	}
	if present > 10 {
		t.Errorf("%d of 1000 absent strings are said to be present", present)
	}
}

// TestHashes has XXH64's values of PLAIN bytes, computed with the reference
// implementation's test vectors where those exist.
func TestHashes(t *testing.T) {
	if got := HashBytes(nil); got != 0xef46db3751d8e999 {
		t.Errorf("XXH64 of no bytes is %#x", got)
	}
	if got := HashBytes([]byte("a")); got != 0xd24ec4f1a98c6e5b {
		t.Errorf("XXH64 of a is %#x", got)
	}
	for _, c := range []struct {
		got   uint64
		plain string
	}{
		{HashInt32(-2), "\xfe\xff\xff\xff"},
		{HashInt64(1 << 40), "\x00\x00\x00\x00\x00\x01\x00\x00"},
		{HashFloat(1.5), "\x00\x00\xc0\x3f"},
		{HashDouble(-0.5), "\x00\x00\x00\x00\x00\x00\xe0\xbf"},
	} {
		if c.got != HashBytes([]byte(c.plain)) {
			t.Errorf("the hash of %x", c.plain)
		}
	}
}
