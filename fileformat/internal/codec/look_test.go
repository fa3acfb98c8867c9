package codec

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// TestLooks: while a long page is decompressed the function is called, its error ends that, and
// without one the bytes are right.
func TestLooks(t *testing.T) {
	if testing.Short() {
		t.Skip("compressing long pages in every way takes seconds")
	}
	var data []byte
	for i := 0; len(data) < 4*lookBytes; i++ {
		data = fmt.Appendf(data, "%d rows of %x; ", i, i*i)
	}
	// What is one step: blocks of LZ4 and LZO cannot be cut, nor can the frame of ZSTD whose window
	// is all of it.
	once := map[string]bool{"LZ4_RAW": true, "LZ4 bare block": true, "LZ4 Hadoop": true, "LZ4 Hadoop, two blocks": true, "LZ4 Hadoop, two chunks": true, "LZO Hadoop, two blocks": true, "LZO bare": true, "LZO Hadoop": true, "ZSTD single segment": true, "UNCOMPRESSED": true}
	chunks := func(compress func([]byte) []byte) (parts [][]byte) {
		for from := 0; from < len(data); from += lookBytes {
			parts = append(parts, data[from:min(from+lookBytes, len(data))])
		}
		return parts
	}
	all := append(encodings(data),
		encoded{fileformat.LZ4, "of many blocks", hadoopOf(lz4Of, chunks(lz4Of)...)},
		encoded{fileformat.LZO, "of many chunks", hadoopChunks(lzoLiterals, chunks(lzoLiterals)...)})
	stop := errors.New("stop")
	for _, e := range all {
		name := e.id.String()
		if e.name != "" {
			name += " " + e.name
		}
		t.Run(name, func(t *testing.T) {
			calls := 0
			out, err := Decompress(e.id, nil, e.src, len(data), func() error {
				calls++
				return nil
			})
			if err != nil || !bytes.Equal(out, data) {
				t.Fatalf("%d bytes, %v", len(out), err)
			}
			if once[name] {
				return
			}
			if calls < 2 {
				t.Errorf("%d calls for %d bytes", calls, len(data))
			}
			left := calls
			if _, err := Decompress(e.id, nil, e.src, len(data), func() error {
				if left--; left == 0 {
					return stop
				}
				return nil
			}); !errors.Is(err, stop) {
				t.Errorf("the last call's error became %v", err)
			}
		})
	}
}
