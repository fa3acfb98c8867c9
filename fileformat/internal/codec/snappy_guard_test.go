//go:build linux

package codec

import (
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
)

// TestSnappyGuard decodes blocks that end where their memory ends, to output that ends where its
// memory ends: a byte read or written behind them is a fault.
func TestSnappyGuard(t *testing.T) {
	src, dst := guarded(t), guarded(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range 2000 {
		block, size := snappyBlock(r, i%2 == 0)
		if len(block) > len(src) || size > len(dst) {
			continue
		}
		end := src[len(src)-len(block):]
		copy(end, block)
		got := dst[len(dst)-size:]
		if _, err := decompressSnappy(got, end, size, &looks{}); err != nil && i%2 == 1 {
			t.Fatalf("%v: %x", err, block)
		}
		for _, loop := range []snappyLoop{snappyByElement, snappyByUnit} {
			if _, err := decodeLoop(got, end, loop); err != nil && i%2 == 1 {
				t.Fatalf("loop %d: %v: %x", loop, err, block)
			}
		}
	}
}

// guarded is memory with a page behind it that can be neither read nor written.
func guarded(t *testing.T) []byte {
	page := os.Getpagesize()
	size := (200_000 + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(b); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(b[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return b[:size:size]
}
