package fileformat

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
)

// TestReadOnce reads chunks of short, middling, long and mixed pages: each byte
// of them must be read, and none twice.
func TestReadOnce(t *testing.T) {
	for _, leaf := range []Node{requiredInt, requiredText} {
		for _, sizes := range [][]int{{3, 1, 40_000}, {30_000, 30_000, 30_000}, {200_000, 200_001, 199_999}, {10, 300_000, 5, 100_000}} {
			t.Run(fmt.Sprint(leaf.Physical, sizes), func(t *testing.T) {
				c := &testChunk{leaf: leaf}
				for _, n := range sizes {
					var body []byte
					for i := range n {
						if leaf.Physical == ByteArray {
							body = binary.LittleEndian.AppendUint32(body, 0)
						} else {
							body = binary.LittleEndian.AppendUint32(body, uint32(int(c.rows)+i))
						}
					}
					c.pages = append(c.pages, v1(n, Plain, body))
					c.rows += int64(n)
				}
				chunk, file, _ := c.build()
				source := &recorder{ReaderAt: bytes.NewReader(file)}
				r, err := chunk.NewReader(ReadOptions{Source: source})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				for row := int64(0); row < c.rows; {
					b, err := r.Read(2048)
					if err != nil {
						t.Fatal(err)
					}
					for i, v := range b.Values.Int32 {
						if int64(v) != row+int64(i) {
							t.Fatalf("row %d is %d", row+int64(i), v)
						}
					}
					row += int64(b.Rows)
				}
				at := int64(4)
				for _, read := range source.reads {
					if read[0] != at {
						t.Errorf("read from %d on, where %d is next", read[0], at)
					}
					at = read[1]
				}
				if at != int64(len(file)) {
					t.Errorf("read up to %d of %d", at, len(file))
				}
			})
		}
	}
}
