package column

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestMemory: readers of chunks of several types have one memory after another. Each reads
// what is in its chunk, and one of the type of the one before makes nothing anew.
func TestMemory(t *testing.T) {
	ints := &chunktest.Chunk{Leaf: chunktest.RequiredInt, Rows: 3, Pages: []chunktest.Page{
		chunktest.V1(3, fileformat.Plain, chunktest.Int32s(1, 2, 3)),
	}}
	text := fileformat.Node{Name: "c", Physical: fileformat.ByteArray}
	texts := &chunktest.Chunk{Leaf: text, Rows: 3, Pages: []chunktest.Page{
		chunktest.V1(3, fileformat.Plain, chunktest.ByteArrays("a", "", "bc")),
	}}
	coded := &chunktest.Chunk{Leaf: text, Rows: 3, Pages: []chunktest.Page{
		chunktest.Dictionary(2, chunktest.ByteArrays("x", "y")), chunktest.V1(3, fileformat.RLEDictionary, chunktest.Codes(1, 0, 1)),
	}}
	memory := &Memory{}
	var before collector
	var of *chunktest.Chunk
	for _, c := range []*chunktest.Chunk{ints, ints, texts, coded, coded, texts, ints, texts} {
		want := map[*chunktest.Chunk]string{ints: "[1 2 3]", texts: `["a" "" "bc"]`, coded: `["y" "x" "y"]`}[c]
		r := newReader(t, c, Options{Memory: memory, Lent: true, LentDictionary: true})
		if same := of != nil && of.Leaf.Physical == c.Leaf.Physical; same != (r.values == before) {
			t.Errorf("what collected the values before is used again: %v", !same)
		}
		if memory.values != nil {
			t.Error("two readers may take what one has left")
		}
		got, err := readAllRows(t, r, 2)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
		before, of = r.values, c
		r.Close()
	}
	first, second := newReader(t, ints, Options{Memory: memory}), newReader(t, ints, Options{Memory: memory})
	one, err1 := readAllRows(t, first, 2)
	two, err2 := readAllRows(t, second, 3)
	if err1 != nil || err2 != nil || !reflect.DeepEqual(one, two) {
		t.Errorf("readers at the same time: %v and %v, %v, %v", one, two, err1, err2)
	}
}
