package fileformat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
)

func TestOpen(t *testing.T) {
	f := mustOpen(t, testFile(
		tf{5, structs(ts{{1, "k"}, {2, "v"}}, ts{{1, "alone"}})},
		tf{6, "parquet-mr version 1.8.0rc2 (build abc)"},
		tf{7, structs(ts{{1, ts{}}}, ts{{9, ts{}}})},
		tf{100, ts{{1, list(tStruct, ts{{3, "unknown"}})}}}, // of a later version
	))
	if f.NumRows() != 3 || len(f.RowGroups()) != 1 || f.Meta.Version != 2 {
		t.Fatalf("%+v", f.Meta)
	}
	if kv := f.Meta.KeyValues; len(kv) != 2 || kv[0] != (KeyValue{"k", "v", true}) || kv[1] != (KeyValue{Key: "alone"}) {
		t.Errorf("key values %+v", kv)
	}
	if o := f.Meta.ColumnOrders; o[0] != OrderType || o[1] != OrderUnknown {
		t.Errorf("orders %v", o)
	}
	if w := f.Meta.Writer; w != (Writer{Application: "parquet-mr", Major: 1, Minor: 8, HasVersion: true, Suffix: "rc2", Build: "abc"}) {
		t.Errorf("writer %+v", w)
	}
	leaf := f.Schema.Leaves[1]
	if leaf.Dotted() != "xs.list.element" || leaf.MaxDef != 3 || leaf.MaxRep != 1 || leaf.Logical.Kind != LogicalString || leaf.Parent.Parent.Logical.Kind != LogicalList {
		t.Errorf("leaf %+v", leaf)
	}
	c := f.RowGroups()[0].Columns[1]
	if off, n, err := c.Range(); off != 14 || n != 10 || err != nil || c.Meta.Codec != Snappy || c.Leaf != leaf {
		t.Errorf("range %d %d %v", off, n, err)
	}
}

// TestCorruptFooters has one file for each check of Open.
func TestCorruptFooters(t *testing.T) {
	group := func(changes ...tf) tl { return structs(testGroup(testChunks()...).with(changes...)) }
	schema := func(elements ...ts) []byte {
		return testFile(tf{2, structs(elements...)}, tf{3, int64(0)}, tf{4, structs[ts]()})
	}
	root := func(children int32) ts { return ts{{4, "schema"}, {5, children}} }
	leaf := ts{{1, int32(1)}, {3, int32(0)}, {4, "a"}}
	good := testFile()
	length := func(n uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[len(b)-8:], n)
		return b
	}
	deep := strings.Repeat("\x1c", 100000) // a struct in a struct in a struct
	for name, b := range map[string][]byte{
		"empty":                         {},
		"eleven bytes":                  good[:11],
		"only magic":                    []byte(magic + magic + magic),
		"cut off":                       good[:len(good)-1],
		"no magic in front":             append([]byte("PARX"), good[4:]...),
		"footer longer than the file":   length(uint32(len(good))),
		"footer of 4 GiB":               length(0xffffffff),
		"footer shorter than it is":     length(5),
		"empty footer":                  wrap("", nil),
		"no schema":                     testFile(tf{2, nil}),
		"no rows":                       testFile(tf{3, nil}),
		"schema is a number":            testFile(tf{2, int32(1)}),
		"list of 2^60":                  testFile(tf{4, raw{tList, "\xfc\x80\x80\x80\x80\x80\x80\x80\x80\x10"}}),
		"string of 98 MiB":              testFile(tf{6, raw{tBinary, "\x80\x80\x80\x31"}}),
		"varint of 11 bytes":            testFile(tf{1, raw{tI32, strings.Repeat("\xff", 10) + "\x01"}}),
		"i32 of 33 bits":                testFile(tf{1, int64(0)}, tf{1, raw{tI32, "\x80\x80\x80\x80\x20"}}),
		"unknown nested too deep":       testFile(tf{200, raw{tStruct, deep}}),
		"unknown type on the wire":      testFile(tf{200, raw{14, ""}}),
		"empty schema":                  schema(),
		"root is a leaf":                schema(ts{{1, int32(1)}, {4, "schema"}}),
		"too many children":             schema(root(2), leaf),
		"too many grandchildren":        schema(root(2), ts{{3, int32(0)}, {4, "g"}, {5, int32(1)}}, leaf),
		"2^31 children":                 schema(root(1<<31-1), leaf),
		"negative children":             schema(root(-1), leaf),
		"elements left over":            schema(root(1), leaf, leaf),
		"leaf with children":            schema(root(1), leaf.with(tf{5, int32(1)}), leaf),
		"no name":                       schema(root(1), leaf.with(tf{4, nil})),
		"row group without chunks":      testFile(tf{4, group(tf{1, structs[ts]()})}),
		"row group without rows":        testFile(tf{4, group(tf{3, nil})}),
		"negative rows":                 testFile(tf{4, group(tf{3, int64(-3)})}),
		"rows that overflow":            testFile(tf{4, structs(testGroup(testChunks()...).with(tf{3, int64(1<<63 - 1)}), testGroup(testChunks()...))}),
		"rows that disagree":            testFile(tf{3, int64(4)}),
		"three chunks":                  testFile(tf{4, structs(testGroup(append(testChunks(), testChunks()[0])...))}),
		"a path of no column":           chunkFile(tf{3, list(tBinary, "b")}),
		"a column twice":                testFile(tf{4, structs(testGroup(testChunks()[1], testChunks()[1]))}),
		"chunk without metadata":        testFile(tf{4, structs(testGroup(ts{{2, int64(0)}}, testChunks()[1]))}),
		"metadata without offset":       chunkFile(tf{9, nil}),
		"metadata without a value type": chunkFile(tf{1, "text"}),
	} {
		_, err := openBytes(b)
		var corrupt *errs.CorruptError
		if !errors.As(err, &corrupt) || corrupt.File != "test" || corrupt.Offset > int64(len(b)) {
			t.Errorf("%s: %v", name, err)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: io.EOF leaves the package", name)
		}
	}
}

// TestCorruptChunks: damage of one chunk's metadata is found when the chunk is used,
// and does not affect the other chunk.
func TestCorruptChunks(t *testing.T) {
	for name, change := range map[string]tf{
		"another type":                  {1, int32(2)},
		"fewer values than rows":        {5, int64(2)},
		"more values than rows":         {5, int64(4)},
		"negative values":               {5, int64(-1)},
		"negative uncompressed size":    {6, int64(-1)},
		"negative size":                 {7, int64(-1)},
		"size beyond the data":          {7, int64(21)},
		"size that overflows":           {7, int64(1<<63 - 1)},
		"offset before the data":        {9, int64(3)},
		"negative offset":               {9, int64(-4)},
		"offset in the footer":          {9, int64(25)},
		"dictionary with the magic":     {11, int64(3)},
		"dictionary before, size short": {11, int64(1)},
	} {
		f := mustOpen(t, chunkFile(change))
		_, _, err := f.RowGroups()[0].Columns[0].Range()
		var corrupt *errs.CorruptError
		if !errors.As(err, &corrupt) || corrupt.RowGroup != 0 || corrupt.Column != "a" {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := f.RowGroups()[0].Columns[1].Range(); err != nil {
			t.Errorf("%s: the other chunk: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		change []tf
		off, n int64
	}{
		"dictionary offset 0":       {[]tf{{11, int64(0)}}, 4, 10},
		"dictionary first":          {[]tf{{9, int64(9)}, {11, int64(5)}}, 5, 10},
		"dictionary at the data":    {[]tf{{11, int64(4)}}, 4, 10},
		"dictionary after the data": {[]tf{{11, int64(8)}}, 4, 10},
		"index page first":          {[]tf{{9, int64(9)}, {10, int64(6)}}, 6, 10},
		"index page offset 0":       {[]tf{{10, int64(0)}}, 4, 10},
		"index page elsewhere":      {[]tf{{9, int64(14)}, {10, int64(4)}}, 14, 10},
		"pages in front":            {[]tf{{9, int64(20)}}, 20, 4},
	} {
		off, n, err := mustOpen(t, chunkFile(c.change...)).RowGroups()[0].Columns[0].Range()
		if off != c.off || n != c.n || err != nil {
			t.Errorf("%s: %d bytes at %d, %v", name, n, off, err)
		}
	}
	// parquet-mr before 1.2.9 left the dictionary page's header out, and in some
	// files all mention of the page.
	for writer, want := range map[string]int64{"parquet-mr version 1.2.8": 20, "parquet-mr": 20, "parquet-mr version 1.2.9": 10, "impala version 1.2.0": 10} {
		for _, dictionary := range []int64{0, 4} {
			f := mustOpen(t, testFile(tf{6, writer}, tf{4, structs(testGroup(ts{{2, int64(0)}, {3, testMeta(1, 3, 4, "a").with(tf{11, dictionary})}}, testChunks()[1]))}))
			if off, n, err := f.RowGroups()[0].Columns[0].Range(); off != 4 || n != want || err != nil {
				t.Errorf("%s, dictionary at %d: %d bytes at %d, %v", writer, dictionary, n, off, err)
			}
		}
	}
}

func TestChunkOrder(t *testing.T) {
	chunks := testChunks()
	f := mustOpen(t, testFile(tf{4, structs(testGroup(chunks[1], chunks[0]))}))
	for i, c := range f.RowGroups()[0].Columns {
		if c.Leaf.Leaf != i || c.Meta.Type != c.Leaf.Physical {
			t.Errorf("chunk %d belongs to %s", i, c.Leaf.Dotted())
		}
	}
}

// TestEncrypted: without keys, an encrypted footer is an error of the file, an encrypted
// column is an error of the column.
func TestEncrypted(t *testing.T) {
	isLocked := func(err error, what string) bool {
		var corrupt *errs.CorruptError
		return errors.Is(err, errs.ErrKeyMissing) && !errors.As(err, &corrupt) && strings.Contains(err.Error(), what)
	}
	sealed := wrap(testData, append(appendThrift(nil, ts{{1, ts{{1, ts{{2, "unique"}}}}}}), "length, nonce, footer, tag"...))
	copy(sealed, encryptedMagic)
	copy(sealed[len(sealed)-4:], encryptedMagic)
	if _, err := openBytes(sealed); !isLocked(err, "footer") {
		t.Error(err)
	}
	described := testMeta(1, 3, 4, "a")
	for name, chunk := range map[string]ts{
		"footer key":      {{2, int64(0)}, {3, described}, {8, ts{{1, ts{}}}}},
		"column key":      {{2, int64(0)}, {8, ts{{2, ts{{1, list(tBinary, "a")}}}}}, {9, "sealed"}},
		"column metadata": {{2, int64(0)}, {9, "sealed"}},
	} {
		footer := testFooter().with(tf{4, structs(testGroup(chunk.with(tf{4, int64(4)}, tf{5, int32(8)}, tf{6, int64(4)}, tf{7, int32(8)}), testChunks()[1]))}, tf{8, ts{{1, ts{}}}}, tf{9, "key"})
		b := wrap(testData, append(appendThrift(nil, footer), "nonce (12).. and tag, of 16."...))
		r := bytes.NewReader(b)
		columns := mustOpen(t, b).RowGroups()[0].Columns
		if _, _, err := columns[0].Range(); !isLocked(err, `"a"`) {
			t.Errorf("%s: %v", name, err)
		}
		offsets, err1 := columns[0].OffsetIndex(r)
		bounds, err2 := columns[0].ColumnIndex(r)
		filter, err3 := columns[0].BloomFilter(r)
		if err := errors.Join(err1, err2, err3); err != nil || offsets != nil || bounds != nil || filter != nil {
			t.Errorf("%s: %v, %v, %v, %v", name, offsets, bounds, filter, err)
		}
		if _, _, err := columns[1].Range(); err != nil {
			t.Errorf("%s: the other column: %v", name, err)
		}
	}
}

// TestShortReads: a source that ends early is corruption; any other error is returned
// as it is.
func TestShortReads(t *testing.T) {
	b := testFile()
	_, err := Open(bytes.NewReader(b[:len(b)-3]), int64(len(b)), Options{Name: "x"})
	var corrupt *errs.CorruptError
	if !errors.As(err, &corrupt) || errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if _, err := Open(failingReader{}, int64(len(b)), Options{Name: "x"}); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	if _, err := Open(sparse{}, 1<<40, Options{Name: "x"}); !errors.As(err, &corrupt) {
		t.Error(err)
	}
}

type failingReader struct{}

func (failingReader) ReadAt([]byte, int64) (int, error) { return 0, fs.ErrPermission }

// sparse claims a footer of 2 GiB that it does not have.
type sparse struct{}

func (sparse) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	if off == 0 {
		copy(p, magic)
		return len(p), nil
	}
	if off+int64(len(p)) == 1<<40 {
		copy(p[len(p)-8:], "\xff\xff\xff\x7f"+magic)
		return len(p), nil
	}
	return 0, io.EOF
}

// TestAllocation: the memory that Open allocates is in proportion to the footer.
func TestAllocation(t *testing.T) {
	many := make([]ts, 5000)
	for i := range many {
		many[i] = ts{}
	}
	nodes := []ts{{{4, "schema"}, {5, int32(1)}}}
	for range 190 {
		nodes = append(nodes, ts{{3, int32(1)}, {4, "g"}, {5, int32(1)}})
	}
	nodes[len(nodes)-1] = nodes[len(nodes)-1].with(tf{5, int32(20000)})
	for range 20000 {
		nodes = append(nodes, ts{{1, int32(1)}, {3, int32(0)}, {4, "x"}})
	}
	for name, b := range map[string][]byte{
		"row groups of nothing": testFile(tf{4, structs(many...)}),
		"chunks of nothing":     testFile(tf{4, structs(testGroup(many...))}),
		"deep and wide schema":  testFile(tf{2, structs(nodes...)}, tf{3, int64(0)}, tf{4, structs[ts]()}),
		"claims":                testFile(tf{4, raw{tList, "\xfc\xff\xff\x03" + strings.Repeat("\x00", 50000)}}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := openBytes(b)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 200*uint64(len(b))+1<<20 {
			t.Errorf("%s: %d bytes for a file of %d (%v)", name, used, len(b), err)
		}
	}
}

const parquetTesting = "../testdata/files/parquet-testing"

// TestParquetTesting opens all files of parquet-testing with their indexes.
func TestParquetTesting(t *testing.T) {
	corrupt := map[string]string{
		"ARROW-GH-41317.parquet":              "path",          // a chunk of no column
		"ARROW-RS-GH-6229-DICTHEADER.parquet": "column chunk",  // chunks in the footer
		"PARQUET-1481.parquet":                "physical type", // -7
	}
	files := 0
	err := filepath.WalkDir(parquetTesting, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		encrypted := strings.HasSuffix(p, ".encrypted")
		if !encrypted && filepath.Ext(p) != ".parquet" {
			return nil
		}
		files++
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		err = readAllMetadata(b)
		want := corrupt[filepath.Base(p)]
		switch {
		case encrypted:
			if !errors.Is(err, errs.ErrKeyMissing) {
				t.Errorf("%s: %v", p, err)
			}
		case want != "":
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", p, err)
			}
		case err != nil:
			t.Errorf("%s: %v", p, err)
		}
		return nil
	})
	if files < 100 || err != nil {
		t.Errorf("%d files at %s: %v", files, parquetTesting, err)
	}
}

// readAllMetadata opens a file and reads everything that is not a page.
func readAllMetadata(b []byte) error {
	r := bytes.NewReader(b)
	f, err := Open(r, int64(len(b)), Options{Name: "test"})
	if err != nil {
		return err
	}
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	for _, g := range f.RowGroups() {
		for _, c := range g.Columns {
			_, _, err := c.Range()
			keep(err)
			_, err = c.OffsetIndex(r)
			keep(err)
			_, err = c.ColumnIndex(r)
			keep(err)
			b, err := c.BloomFilter(r)
			keep(err)
			if b != nil {
				b.MayContainHash(1<<63 + 1)
			}
		}
	}
	return first
}

// FuzzFooter mutates whole files: every answer is metadata, a CorruptError or
// ErrUnsupported.
func FuzzFooter(f *testing.F) {
	f.Add(testFile())
	f.Add(testFile(tf{6, "x"}, tf{7, structs(ts{{1, ts{}}}, ts{{2, ts{}}})}))
	f.Add(indexFile())
	f.Fuzz(func(t *testing.T, b []byte) {
		var corrupt *errs.CorruptError
		if err := readAllMetadata(b); err != nil && !errors.As(err, &corrupt) && !errors.Is(err, errs.ErrUnsupported) {
			t.Fatal(err)
		}
	})
}
