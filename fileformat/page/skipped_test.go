package page_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestSkippedTexts: long texts of a page that are skipped take no memory, neither before those of
// a batch nor between two of them.
func TestSkippedTexts(t *testing.T) {
	const rows, length, most = 2000, 10_000, 2 << 20
	text := func(row int64) string { return fmt.Sprintf("%0*d", length, row) }
	var body []byte
	for row := range int64(rows) {
		body = append(binary.LittleEndian.AppendUint32(body, length), text(row)...)
	}
	p := chunktest.V1(rows, fileformat.Plain, nil)
	p.Body, p.UncompressedSize = snappy.Encode(nil, body), int32(len(body))
	c := &chunktest.Chunk{Leaf: chunktest.RequiredText, Codec: fileformat.Snappy, Rows: rows, Pages: []chunktest.Page{p}}
	for _, lent := range []bool{false, true} {
		chunk, file, _ := c.Build()
		charged, peak := int64(0), int64(0)
		reader, err := column.NewReader(chunk, column.Options{
			Source: bytes.NewReader(file), Lent: lent,
			Reserve: func(n int64) error { charged += n; peak = max(peak, charged); return nil },
			Release: func(n int64) { charged -= n },
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range [][]int64{{700, 701}, {702, 1300, 1301}, {1302, 1999}} {
			b, err := reader.ReadSelected(want)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range want {
				if b.Values.Bytes[i] != text(row) {
					t.Errorf("row %d has another text", row)
				}
			}
		}
		reader.Close()
		if peak > most || charged != 0 {
			t.Errorf("lent: %v: %d bytes were charged for texts of %d, and %d at the end", lent, peak, 4*length, charged)
		}
	}
}
