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

const wideRows, wideLength = 2000, 10_000

func wideText(row int64) string { return fmt.Sprintf("%0*d", wideLength, row) }

// wideTexts is a column of long texts in one page.
func wideTexts() *chunktest.Chunk {
	var body []byte
	for row := range int64(wideRows) {
		body = append(binary.LittleEndian.AppendUint32(body, wideLength), wideText(row)...)
	}
	p := chunktest.V1(wideRows, fileformat.Plain, nil)
	p.Body, p.UncompressedSize = snappy.Encode(nil, body), int32(len(body))
	return &chunktest.Chunk{Leaf: chunktest.RequiredText, Codec: fileformat.Snappy, Rows: wideRows, Pages: []chunktest.Page{p}}
}

// TestWideTexts: where memory is short, a batch ends in the middle of a page of long texts.
func TestWideTexts(t *testing.T) {
	const short, most = 2 << 20, 5 << 20
	chunk, file, _ := wideTexts().Build()
	charged, peak := int64(0), int64(0)
	reader, err := column.NewReader(chunk, column.Options{
		Source: bytes.NewReader(file), Lent: true,
		Crowded: func() bool { return charged > short },
		Reserve: func(n int64) error { charged += n; peak = max(peak, charged); return nil },
		Release: func(n int64) { charged -= n },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for reader.Row() < wideRows {
		from := reader.Row()
		b, err := reader.Read(wideRows)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range b.Values.Bytes {
			if text != wideText(from+int64(i)) {
				t.Fatalf("row %d has another text", from+int64(i))
			}
		}
	}
	if peak > most {
		t.Errorf("%d bytes were charged where %d are too many", peak, short)
	}
}

// TestSkippedTexts: long texts of a page that are skipped take no memory, neither before those of
// a batch nor between two of them.
func TestSkippedTexts(t *testing.T) {
	const most = 2 << 20
	c := wideTexts()
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
				if b.Values.Bytes[i] != wideText(row) {
					t.Errorf("row %d has another text", row)
				}
			}
		}
		reader.Close()
		if peak > most || charged != 0 {
			t.Errorf("lent: %v: %d bytes were charged for texts of %d, and %d at the end", lent, peak, 3*wideLength, charged)
		}
	}
}
