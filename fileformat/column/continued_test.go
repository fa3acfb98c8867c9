package column

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// deltaInts encodes one or two numbers in DELTA_BINARY_PACKED.
func deltaInts(values ...int) []byte {
	b := append([]byte{128, 1, 4}, byte(len(values)))
	b = binary.AppendVarint(b, int64(values[0]))
	if len(values) == 1 {
		return b
	}
	return append(binary.AppendVarint(b, int64(values[1]-values[0])), 0, 0, 0, 0)
}

// deltaText encodes one or two values in DELTA_BYTE_ARRAY.
func deltaText(prefixes []int, suffixes ...string) []byte {
	var lengths []int
	var text []byte
	for _, s := range suffixes {
		lengths = append(lengths, len(s))
		text = append(text, s...)
	}
	return chunktest.Join(deltaInts(prefixes...), deltaInts(lengths...), text)
}

// continuedChunk is a chunk as parquet-mr wrote it before 1.8.0: DeltaByteArrayWriter
// kept the last value at the end of a page (PARQUET-246).
func continuedChunk() (*chunktest.Chunk, records) {
	levels := func(def ...uint8) []byte { return chunktest.Prefixed(chunktest.Runs(def...)) }
	page := func(def []uint8, values []byte) chunktest.Page {
		return chunktest.V1(len(def), fileformat.DeltaByteArray, chunktest.Join(levels(def...), values))
	}
	c := &chunktest.Chunk{Leaf: chunktest.OptionalText, Rows: 10, Pages: []chunktest.Page{
		page([]uint8{1, 1}, deltaText([]int{0, 6}, "alpha one", "two")),
		page([]uint8{1, 0, 1}, deltaText([]int{7, 3}, "hree", "iste")),
		page([]uint8{0}, nil),
		page([]uint8{1, 1}, deltaText([]int{4, 5}, "n", "a")),
		page([]uint8{1, 1}, deltaText([]int{5, 0}, "e", "beta")),
	}}
	return c, records{`"alpha one"`, `"alpha two"`, `"alpha three"`, "NULL:0", `"alpiste"`, "NULL:0", `"alpin"`, `"alpina"`, `"alpine"`, `"beta"`}
}

func continuedReader(t *testing.T, c *chunktest.Chunk, createdBy string, o Options) *Reader {
	t.Helper()
	chunk, file, _ := c.Build()
	o.Source = bytes.NewReader(file)
	meta := chunk.File().Meta
	meta.CreatedBy = createdBy
	if createdBy == "parquet-mr version 1.7.0" {
		meta.Writer = fileformat.Writer{Application: "parquet-mr", Major: 1, Minor: 7, HasVersion: true}
	} else if createdBy == "parquet-mr version 1.8.0" {
		meta.Writer = fileformat.Writer{Application: "parquet-mr", Major: 1, Minor: 8, HasVersion: true}
	}
	r, err := NewReader(chunk, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestContinuedPrefixes: a value may begin with a prefix of the last value of the
// page before, for any rows skipped.
func TestContinuedPrefixes(t *testing.T) {
	c, want := continuedChunk()
	for _, by := range []string{"parquet-mr version 1.7.0", "", "written by hand"} {
		for _, whole := range []bool{false, true} {
			for skip := range 10 {
				for _, n := range []int{1, 3, 10} {
					name := fmt.Sprintf("created_by %q, whole pages %t, %d rows skipped, %d at a time", by, whole, skip, n)
					r := continuedReader(t, c, by, Options{WholePages: whole})
					first, err := r.Read(min(skip, 1))
					if err != nil || first.Rows != min(skip, 1) {
						t.Fatalf("%s: %v", name, err)
					}
					if err := r.Skip(int64(max(skip-1, 0))); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					got := records{}
					for r.Row() < c.Rows {
						b, err := r.Read(n)
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						got = appendRecords(t, got, &c.Leaf, Options{}, b)
					}
					if !reflect.DeepEqual(got, want[skip:]) {
						t.Fatalf("%s: got %q, want %q", name, got, want[skip:])
					}
				}
			}
		}
	}
}

// TestContinuedPrefixesRefused: such a prefix is damage in files of writers without
// the defect, and after a lost page.
func TestContinuedPrefixesRefused(t *testing.T) {
	c, want := continuedChunk()
	got, lost := readSalvage(t, continuedReader(t, c, "parquet-mr version 1.8.0", Options{WholePages: true}), 10)
	if !reflect.DeepEqual(lost, [][2]int64{{2, 5}, {6, 8}, {8, 10}}) || !reflect.DeepEqual(got, records{want[0], want[1], want[5]}) {
		t.Errorf("parquet-mr 1.8.0: got %q without %v", got, lost)
	}
	body := c.Pages[1].Body
	c.Pages[1].Body = body[:len(body)-1]
	got, lost = readSalvage(t, continuedReader(t, c, "parquet-mr version 1.7.0", Options{WholePages: true}), 10)
	if !reflect.DeepEqual(lost, [][2]int64{{2, 5}, {6, 8}, {8, 10}}) || !reflect.DeepEqual(got, records{want[0], want[1], want[5]}) {
		t.Errorf("after a lost page: got %q without %v", got, lost)
	}
}
