package fileformat

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquetsql/parquetsql/fileformat/internal/bloom"
	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
)

// BloomFilter answers whether a chunk may hold a value (BloomFilter.md). Values
// are hashed by XXH64 with seed 0 over their PLAIN bytes, byte arrays without
// their length: see the Hash functions.
//
// A lookup needs one block of 32 bytes, and a filter may have megabytes, so only the
// needed blocks are read; after many lookups the whole filter is read. It is for one
// goroutine.
type BloomFilter struct {
	r      io.ReaderAt
	chunk  *ColumnChunk
	offset int64 // of the blocks, or of the module that has them
	length int64 // of the blocks
	asked  int
	whole  bloom.Filter // once it has been read
	loaded bool
	err    error // why the blocks of an encrypted filter cannot be read
}

// From is the same filter, read from r by another goroutine.
func (b *BloomFilter) From(r io.ReaderAt) *BloomFilter {
	return &BloomFilter{r: r, chunk: b.chunk, offset: b.offset, length: b.length}
}

// Err is the error of an encrypted filter that does not decrypt. It rules nothing out.
func (b *BloomFilter) Err() error { return b.err }

// manyLookups is the number of lookups after which the whole filter is read: so
// many single reads take about as long as one read of a megabyte.
const manyLookups = 64

// MayContainHash is false only if no value of the chunk has the hash. A filter that
// cannot be read rules nothing out.
func (b *BloomFilter) MayContainHash(h uint64) bool {
	if b.chunk.Encrypted() && !b.decrypt() {
		return true
	}
	if b.asked++; b.asked > manyLookups && !b.loaded {
		bits, err := readGrowing(io.NewSectionReader(b.r, b.offset, b.length), int(b.length))
		if err != nil || int64(len(bits)) < b.length {
			return true
		}
		b.whole, b.loaded = bloom.New(bits), true
	}
	if b.loaded {
		return b.whole.MayContain(h)
	}
	var block [bloom.BlockBytes]byte
	at := bloom.Block(h, uint64(b.length)/bloom.BlockBytes) * bloom.BlockBytes
	if n, _ := b.r.ReadAt(block[:], b.offset+int64(at)); n < len(block) {
		return true
	}
	return bloom.New(block[:]).MayContain(h)
}

// decrypt reads an encrypted filter as a whole, once: it is one module.
func (b *BloomFilter) decrypt() bool {
	if b.loaded || b.err != nil {
		return b.err == nil
	}
	var bits []byte
	if bits, b.err = b.chunk.readStructure(b.r, bloomBitset, b.offset, b.length+crypto.Overhead); b.err == nil {
		b.whole, b.loaded = bloom.New(bits), true
	}
	return b.loaded
}

// HashInt32 is the hash of an INT32.
func HashInt32(v int32) uint64 { return bloom.HashUint32(uint32(v)) }

// HashInt64 is the hash of an INT64.
func HashInt64(v int64) uint64 { return bloom.HashUint64(uint64(v)) }

// HashFloat is the hash of a FLOAT. -0.0 and 0.0 have different bytes, and so
// have the NaNs.
func HashFloat(v float32) uint64 { return bloom.HashFloat32(v) }

// HashDouble is the hash of a DOUBLE; see HashFloat about zeros and NaNs.
func HashDouble(v float64) uint64 { return bloom.HashFloat64(v) }

// HashBytes is the hash of a BYTE_ARRAY, a FIXED_LEN_BYTE_ARRAY or an INT96,
// and of any type's PLAIN bytes.
func HashBytes(v []byte) uint64 { return bloom.HashBytes(v) }

var (
	bloomHeader = structure{"bloom filter", crypto.BloomFilterHeader}
	bloomBitset = structure{"bloom filter", crypto.BloomFilterBitset}
)

const (
	// maxBloomHeader is more than a valid header takes.
	maxBloomHeader = 256
	// maxBloomBytes is the largest filter that the format allows (128 MiB).
	maxBloomBytes = 128 << 20
)

// bloomFields is struct BloomFilterHeader.
type bloomFields struct {
	numBytes int32
	known    bool // the algorithm, hash and compression are the ones specified today
}

// BloomFilter reads the header of the chunk's bloom filter. It returns nil without an
// error if the chunk has none, or if the filter's algorithm is unknown.
func (c *ColumnChunk) BloomFilter(r io.ReaderAt) (*BloomFilter, error) {
	offset := c.Meta.BloomFilterOffset
	if c.Locked() || offset <= 0 {
		return nil, nil
	}
	fail := func(err error) error { return c.Corrupt(offset, fmt.Errorf("bloom filter: %w", err)) }
	stated := int64(c.Meta.BloomFilterLength)
	if stated > 0 {
		if err := c.file.CheckRange(offset, stated); err != nil {
			return nil, fail(err)
		}
	} else { // older writers leave out the length
		stated = max(0, c.file.dataEnd-offset)
	}
	buf, module, err := c.readBloomModule(r, min(maxBloomHeader, stated))
	if err != nil {
		return nil, err
	}
	h, n, err := readBloomHeader(buf)
	if err != nil {
		return nil, fail(err)
	}
	if !h.known {
		return nil, nil
	}
	if h.numBytes <= 0 || h.numBytes%bloom.BlockBytes != 0 || h.numBytes > maxBloomBytes {
		return nil, fail(fmt.Errorf("%d bytes are not a whole number of blocks", h.numBytes))
	}
	header, size := int64(n), int64(h.numBytes)
	if c.Encrypted() {
		header, size = module, size+crypto.Overhead
		if err := c.fits(bloomBitset.name, size); err != nil { // it is read as a whole
			return nil, err
		}
	}
	if header+size > stated {
		return nil, fail(fmt.Errorf("%d bytes in a filter of %d", size, stated))
	}
	return &BloomFilter{r: r, chunk: c, offset: offset + header, length: int64(h.numBytes)}, nil
}

// readBloomModule reads the filter's header. n bytes are more than it needs. module is
// the length of an encrypted header in the file.
func (c *ColumnChunk) readBloomModule(r io.ReaderAt, n int64) (buf []byte, module int64, err error) {
	offset := c.Meta.BloomFilterOffset
	if !c.Encrypted() {
		buf, err = c.readStructure(r, bloomHeader, offset, n)
		return buf, 0, err
	}
	if buf, err = c.readBytes(r, bloomHeader.name, offset, min(n, crypto.LengthBytes)); err != nil {
		return nil, 0, err
	}
	if len(buf) < crypto.LengthBytes || crypto.Length(buf) > n {
		return nil, 0, c.Corrupt(offset, fmt.Errorf("bloom filter: %w", crypto.ErrLength))
	}
	module = crypto.Length(buf)
	buf, err = c.readStructure(r, bloomHeader, offset, module)
	return buf, module, err
}

func readBloomHeader(buf []byte) (h bloomFields, n int, err error) {
	r := thrift.NewReader(buf)
	known := 0
	sized := false
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			h.numBytes = r.I32(f)
			sized = r.Matched()
		case 2, 3, 4:
			// Each is a union, and today each has one member, with id 1.
			for f, ok := (thrift.Field{}), r.Struct(f); ok && r.Next(&f); {
				if f.ID == 1 {
					known++
				}
				r.Skip(f)
			}
		default:
			r.Skip(f)
		}
	}
	h.known = known == 3
	if r.Err() == nil && !sized {
		return h, 0, errors.New("its header lacks the size")
	}
	return h, r.Pos(), r.Err()
}
