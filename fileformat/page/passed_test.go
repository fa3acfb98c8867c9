//go:build !smallbatch

package page_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestPassedTexts: the memory of texts that are passed over is given back on the way. (With the tag
// smallbatch pieces of pages have 200 bytes, of which most are not texts.)
func TestPassedTexts(t *testing.T) {
	const rows = 60_000
	texts, levels := make([]string, rows), make([]uint8, rows)
	for i := range texts {
		texts[i], levels[i] = fmt.Sprintf("%0100d", i), 1
	}
	body := chunktest.Join(chunktest.Prefixed(chunktest.Runs(levels...)), chunktest.ByteArrays(texts...))
	p := chunktest.V1(rows, fileformat.Plain, snappy.Encode(nil, body))
	p.UncompressedSize = int32(len(body))
	c := &chunktest.Chunk{Leaf: chunktest.OptionalText, Codec: fileformat.Snappy, Rows: rows, Pages: []chunktest.Page{p}}
	chunk, file, _ := c.Build()
	charged, most := int64(0), int64(0)
	reader, err := column.NewReader(chunk, column.Options{
		Source: bytes.NewReader(file), Lent: true,
		Reserve: func(n int64) error { charged += n; most = max(most, charged); return nil },
		Release: func(n int64) { charged -= n },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, row := range []int64{0, 1000, rows - 1} {
		if err := reader.Skip(row - reader.Row()); err != nil {
			t.Fatal(err)
		}
		if b, err := reader.Read(1); err != nil || b.Values.Bytes[0] != texts[row] {
			t.Fatalf("row %d: %+v, %v", row, b, err)
		}
	}
	if most > int64(len(body)/2) {
		t.Errorf("%d bytes are charged for texts of %d, nearly all of which are passed over", most, len(body))
	}
}
