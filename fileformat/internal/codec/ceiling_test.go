package codec

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"math"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/parquetsql/parquetsql/fileformat"
)

// TestCeiling: what compresses best is within the ceilings of GZIP and Brotli, and sizes
// that no input can have are refused for every codec.
func TestCeiling(t *testing.T) {
	if testing.Short() {
		t.Skip("it compresses 64 MiB")
	}
	zeros := make([]byte, 64<<20)
	var gzipped, brotlied bytes.Buffer
	g, err := gzip.NewWriterLevel(&gzipped, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	b := brotli.NewWriterLevel(&brotlied, brotli.BestSpeed)
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{g, b} {
		if _, err := w.Write(zeros); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for id, src := range map[fileformat.Codec][]byte{fileformat.Gzip: gzipped.Bytes(), fileformat.Brotli: brotlied.Bytes()} {
		if err := Check(id, src, len(zeros)); err != nil {
			t.Errorf("%v: %v", id, err)
		}
	}
	for id := fileformat.Uncompressed; id <= fileformat.LZ4Raw; id++ {
		if err := Check(id, []byte{1, 2, 3, 4, 5, 6, 7, 8}, math.MaxInt32); err == nil {
			t.Errorf("%v: 2 GiB of 8 bytes", id)
		}
	}
}
