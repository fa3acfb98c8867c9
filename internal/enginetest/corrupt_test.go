package enginetest

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// fate is the expected outcome of reading a file of testdata/corrupt. Each file has
// the rows 0 to 15 with v = id+100, in row groups of 12 and 4 rows; the damage is in
// the rows 4 to 7 or in v's chunk of the first row group (testdata/gen/corrupt.go).
type fate struct {
	name     string
	fails    bool     // on_corrupt=fail must be an error; otherwise it must not be, unless lenient
	lenient  bool     // an error is accepted as well
	other    error    // the error may be this instead of a *CorruptError
	file     bool     // nothing of the file can be read
	located  bool     // row group and column are known
	atOffset bool     // and so is the offset
	keeps    [][2]int // rows that on_corrupt=skip must return
	loses    [][2]int // rows that it must not return
}

var (
	allRows     = [][2]int{{0, 15}}
	badRows     = [][2]int{{4, 7}}
	secondGroup = [][2]int{{12, 15}}

	readsRight  = fate{name: "reads right", keeps: allRows}
	mayRead     = fate{name: "reads right or fails", lenient: true, keeps: secondGroup}
	losesPage   = fate{name: "loses a page", fails: true, located: true, atOffset: true, keeps: [][2]int{{0, 3}, {8, 15}}, loses: badRows}
	losesRest   = fate{name: "loses the rest of a chunk", fails: true, located: true, atOffset: true, keeps: [][2]int{{0, 3}, {12, 15}}, loses: badRows}
	losesChunk  = fate{name: "loses a chunk", fails: true, located: true, keeps: secondGroup, loses: badRows}
	losesFile   = fate{name: "loses the file", fails: true, file: true}
	unsupported = fate{name: "is unsupported", fails: true, other: parquetsql.ErrUnsupported, loses: badRows}
	unknownFile = fate{name: "is unsupported as a whole", fails: true, other: parquetsql.ErrUnsupported, file: true}
)

// fates are matched by pattern; the first match counts.
var fates = []struct {
	fate  fate
	names string
}{
	{unknownFile, "schema-deep"},
	{readsRight, "schema-root-is-a-leaf schema-repetition-missing"},                                 // as segmentio/parquet-go and hyparquet write them
	{readsRight, "page-v2-rows-few page-v2-rows-many page-v2-rows-negative records-more-than-rows"}, // num_rows of a V2 page is a hint
	{fate{name: "has no row of a column of no known type", fails: true, located: true, loses: allRows}, "schema-fixed-length-* schema-type-[9n]* schema-repetition-7"},
	{fate{name: "has no row of a column of no supported type", fails: true, other: parquetsql.ErrUnsupported, loses: allRows}, "schema-repetition-vector"},
	{losesFile, `footer-* magic-* file-empty file-of-* thrift-* schema-[^pt]* schema-paths-quadratic row-counts-disagree row-count-negative row-count-overflow
		chunks-* chunk-path-* chunk-without-metadata chunk-statistics-98mib chunk-encodings-2e9 chunk-histogram-2e9 file-path-*`},
	{fate{name: "has no row of the schema's type", fails: true, located: true, loses: allRows}, "schema-type-differs"},
	{mayRead, "chunk-offset-in-magic chunk-values-few chunk-values-many chunk-size-cuts-last-page dictionary-offset-* dictionary-late dictionary-last"},
	{losesChunk, "chunk-offset-* chunk-size-* chunk-values-negative column-without-pages"},
	{unsupported, "chunk-codec-99"},
	{losesChunk, "column-of-fewer-rows column-of-more-rows"}, // it is not known which page has the wrong number
	{fate{name: "loses rows 8 to 11 at least", fails: true, located: true, keeps: secondGroup, loses: [][2]int{{8, 11}}}, "columns-of-unequal-rows"},
	{fate{name: "loses a row group", fails: true, keeps: secondGroup, loses: badRows}, "row-count-past-pages"},
	{losesRest, `page-size-* page-uncompressed-2gib page-uncompressed-negative page-header-* page-values-2e9 page-values-negative
		page-v2-levels-* page-v2-nulls-* repetition-length-past-page`},
	{losesRestAndRowBefore(), "repetitions-and-no-values-v1"},
	{losesRest, "records-fewer-than-rows"}, // it is not known where the rows of the next page begin
	{losesRows(), "repetition-of-a-null-list repetition-of-an-empty-list"},
	{unsupported, "page-encoding-99 page-encoding-of-other-type levels-encoding-plain"},
	{mayRead, "gzip-trailing-garbage zstd-trailing-garbage zstd-window-huge"},
	{losesPage, "page-uncompressed-* page-values-few-bytes page-of-no-bytes page-of-no-bytes-* page-crc-* page-cut-* page-garbage-* null-in-required-column bytes-length-*"},
	{losesPage, "gzip-* snappy-* lz4-* lzo-* zstd-*"},
	{mayRead, "delta-block-size-2e31 delta-miniblocks-not-whole delta-total-count-2e9 delta-width-40-of-int32"},
	{fate{}, "delta-byte-array-prefix-grows bomb-*"}, // see TestBombs
	{losesPage, "delta-*"},
	{unsupportedPage(), "alp-mode-9"},
	{losesPage, "alp-* byte-stream-split-short"},
	{readsRight, "wkb-counts-lie"},
	{mayRead, "rle-zero-length-then-all rle-run-longer rle-run-2e31 rle-run-2e62 rle-packed-run-2e31 rle-packed-run-cut v2-nulls-disagree"},
	{losesPage, "level-* levels-* rle-* values-few values-few-v2 repetition* first-repetition-not-0"},
	{fate{name: "loses a chunk from its start", fails: true, located: true, keeps: secondGroup, loses: [][2]int{{0, 3}}}, "first-repetition-of-chunk-not-0"},
	{fate{name: "loses row 5", fails: true, located: true, keeps: secondGroup, loses: [][2]int{{5, 5}}}, "lists-of-unequal-length"},
	{losesChunk, "dictionary-twice dictionary-entries-2e9 dictionary-entries-negative dictionary-size-2gib dictionary-without-part"},
	{unsupported, "dictionary-encoding-rle"},
	{readsRight, "dictionary-of-empty-strings"},
	{losesPage, "dictionary-*"},
	{readsRight, "statistics-* column-index-* boundary-order-* index-* bloom-*"},
	{mayRead, "offset-index-*"},
}

// losesRestAndRowBefore is for a V1 page of a repeated column: the row before it may
// continue in it.
func losesRestAndRowBefore() fate {
	f := losesRest
	f.keeps = [][2]int{{0, 2}, {12, 15}}
	return f
}

// losesRows is for damage that shows only when rows are made from levels: no offset
// is known.
func losesRows() fate {
	f := losesRest
	f.atOffset = false
	return f
}

// unsupportedPage is for a page of a later version of the format.
func unsupportedPage() fate {
	f := losesPage
	f.other = parquetsql.ErrUnsupported
	f.keeps = nil
	return f
}

// TestCorruptFiles reads the files of testdata/corrupt with on_corrupt=fail and skip.
func TestCorruptFiles(t *testing.T) {
	used := map[string]bool{}
	for _, file := range corruptFiles(t) {
		want, pattern := fateOf(t, file.name)
		used[pattern] = true
		if want.name == "" {
			continue
		}
		t.Run(file.name, func(t *testing.T) {
			checkFailing(t, file, want)
			checkSkipping(t, file, want)
			if want.file {
				checkBesideGood(t, file, want)
			} else if file.name != "row-count-past-pages" {
				checkOtherColumn(t, file)
			}
		})
	}
	for _, f := range fates {
		for _, p := range strings.Fields(f.names) {
			if !used[p] {
				t.Errorf("no file is left for pattern %s", p)
			}
		}
	}
}

func corruptFiles(t *testing.T) []corpusFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "corrupt", "*.parquet"))
	if err != nil || len(paths) < 300 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	var out []corpusFile
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, corpusFile{strings.TrimSuffix(filepath.Base(p), ".parquet"), data})
	}
	return out
}

func fateOf(t *testing.T, name string) (fate, string) {
	t.Helper()
	for _, f := range fates {
		for _, p := range strings.Fields(f.names) {
			if ok, err := path.Match(p, name); ok || err != nil {
				return f.fate, p
			}
		}
	}
	t.Fatalf("nothing is said of %s", name)
	return fate{}, ""
}
