// Package bloom is the split block Bloom filter of the format (BloomFilter.md).
//
// The filter is a sequence of blocks of 256 bits, each eight 32-bit words,
// little-endian:
//
//	block = (upper 32 bits of the hash × number of blocks) >> 32
//	bit of word i = (lower 32 bits of the hash × salt[i]) >> 27
//
// A value may be present if all eight of its bits are set in its block. So a lookup
// touches one cache line, and the number of blocks need not be a power of two.
package bloom

import (
	"encoding/binary"
	"math"

	"github.com/cespare/xxhash/v2"
)

// BlockBytes is the size of a block.
const BlockBytes = 32

// salt are the specification's constants: odd numbers that spread the hash
// differently for each word.
var salt = [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}

// Filter is a filter's bits; its length is a multiple of BlockBytes and not 0.
type Filter struct{ bits []byte }

// New uses bits as they are, without a copy.
func New(bits []byte) Filter { return Filter{bits} }

// Block returns the index of the block that has a hash's bits.
func Block(hash, blocks uint64) uint64 { return (hash >> 32) * blocks >> 32 }

// MayContain is false only if no value with the hash was inserted.
func (f Filter) MayContain(hash uint64) bool {
	at := Block(hash, uint64(len(f.bits)/BlockBytes)) * BlockBytes
	block := f.bits[at : at+BlockBytes]
	key := uint32(hash)
	for i, s := range salt {
		word := binary.LittleEndian.Uint32(block[4*i:])
		if word>>(key*s>>27)&1 == 0 {
			return false
		}
	}
	return true
}

// HashBytes is XXH64 with seed 0.
func HashBytes(b []byte) uint64 { return xxhash.Sum64(b) }

// HashUint32 is the hash of four bytes, little-endian.
func HashUint32(v uint32) uint64 {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	return xxhash.Sum64(b[:])
}

// HashUint64 is the hash of eight bytes, little-endian.
func HashUint64(v uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return xxhash.Sum64(b[:])
}

// HashFloat32 is the hash of the IEEE bits.
func HashFloat32(v float32) uint64 { return HashUint32(math.Float32bits(v)) }

// HashFloat64 is the hash of the IEEE bits.
func HashFloat64(v float64) uint64 { return HashUint64(math.Float64bits(v)) }
