//go:build !race

package codec

import (
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/parquetsql/parquetsql/fileformat"
)

// The race detector makes a sync.Pool drop decoders at random, so that this test
// does not run under it.

// TestZstdAllocations: after the first page, a decoder allocates nothing.
func TestZstdAllocations(t *testing.T) {
	data := samples()["text"]
	src, dst := must(zstd.NewWriter(nil)).EncodeAll(data, nil), make([]byte, len(data))
	if n := testing.AllocsPerRun(20, func() { must(Decompress(fileformat.Zstd, dst, src, len(data), nil)) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}
