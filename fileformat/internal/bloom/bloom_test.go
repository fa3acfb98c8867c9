package bloom

import (
	"encoding/binary"
	"testing"
)

// TestBlock inserts by a separate implementation of the specification's pseudocode:
// every inserted hash is found, and most others are not.
func TestBlock(t *testing.T) {
	const blocks = 3
	bits := make([]byte, blocks*BlockBytes)
	insert := func(hash uint64) {
		block := hash >> 32 * blocks >> 32
		for i, s := range []uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31} {
			at := block*32 + uint64(i)*4
			word := binary.LittleEndian.Uint32(bits[at:])
			binary.LittleEndian.PutUint32(bits[at:], word|1<<(uint32(hash)*s>>27))
		}
	}
	var hashes []uint64
	for i := range 20 {
		hashes = append(hashes, HashUint64(uint64(i)))
	}
	hashes = append(hashes, 0, ^uint64(0), 1<<63, 1<<32-1)
	for _, h := range hashes {
		if New(make([]byte, blocks*BlockBytes)).MayContain(h) {
			t.Errorf("an empty filter may contain %#x", h)
		}
		insert(h)
	}
	for _, h := range hashes {
		if !New(bits).MayContain(h) {
			t.Errorf("%#x was inserted and is denied", h)
		}
	}
	absent := 0
	for i := range 1000 {
		if !New(bits).MayContain(HashUint64(uint64(1000 + i))) {
			absent++
		}
	}
	if absent < 900 {
		t.Errorf("only %d of 1000 absent values are denied", absent)
	}
}
