// Package spill keeps rows on disk that do not fit into memory: blocks of columns in
// one temporary file per operator. Partitions divide rows by the hash of their key,
// in memory while that suffices.
//
// The file is private to the process and its format may change. A block is 4 bytes of CRC-32C of
// all bytes that follow, as they are in the file, and then what package block describes.
//
// In the file a block is in pieces of 1 MiB, each with a CRC of its own. All bytes but the
// CRC are one Snappy block, because temp_dir may be small; this makes a sort that spills a
// tenth slower. In an encrypted file this Snappy block is sealed with AES-256-GCM: a nonce
// of 12 bytes, the ciphertext, a tag of 16. The types are not stored: the reader of a block
// knows its columns.
package spill

import (
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"os"
	"slices"
	"sync"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/internal/tempfile"
	"github.com/parquetsql/parquetsql/rows/block"
)

// File is a temporary file. Several goroutines may append blocks to it and read them.
// It is created by the first Append and removed by Close. Where the system can, it has no
// name in between, so that nothing is left of it when the process is killed.
type File struct {
	dir     string
	encrypt bool
	budget  *quota.Budget // counts what was written

	mu   sync.Mutex
	f    *os.File
	seal cipher.AEAD // nil where the file is not encrypted
	size int64

	buffers sync.Pool // *[]byte: a block as it is in the file
}

// Block is the place of a block in the file.
type Block struct {
	piece
	rest []piece // of a long block, behind the first
	len  int     // in memory
}

// piece is the place of a piece of a block.
type piece struct {
	off    int64
	stored int // bytes in the file
}

// pieces are the pieces of a block, each with its length in memory.
func (b Block) pieces() iter.Seq2[piece, int] {
	return func(yield func(piece, int) bool) {
		left := b.len - crcSize
		for i := -1; i < len(b.rest); i++ {
			p, n := b.piece, min(quota.BlockBytes, left)
			if i >= 0 {
				p = b.rest[i]
			}
			if !yield(p, n) {
				return
			}
			left -= n
		}
	}
}

// Len is the block's length in memory.
func (b Block) Len() int { return b.len }

// New returns a file in the folder dir. With encrypt its key is random and only in
// memory, so that nobody reads the rows in the file, not even after a crash. The budget
// counts what is written.
func New(dir string, encrypt bool, budget *quota.Budget) *File {
	return &File{dir: dir, encrypt: encrypt, budget: budget}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// pattern is the names of the files.
const pattern = "parquetsql-spill-*"

// crcSize is the length of the CRC.
const crcSize = block.Head

// Append writes a block. data is the result of block.Begin and the Append functions of that package.
func (s *File) Append(data []byte) (Block, error) {
	b := Block{len: len(data)}
	for at := crcSize; at == crcSize || at < len(data); at += quota.BlockBytes {
		p, err := s.append(data[at:min(at+quota.BlockBytes, len(data))])
		switch {
		case err != nil:
			return Block{}, spilling(err)
		case at == crcSize:
			b.piece = p
		default:
			b.rest = append(b.rest, p)
		}
	}
	return b, nil
}

func spilling(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("spilling to temp_dir: %w", err)
}

// append writes a piece.
func (s *File) append(data []byte) (piece, error) {
	buffer := s.buffer()
	defer s.buffers.Put(buffer)
	*buffer = slices.Grow((*buffer)[:0], crcSize+snappy.MaxEncodedLen(len(data))+sealBytes)
	*buffer = (*buffer)[:cap(*buffer)]
	*buffer = (*buffer)[:crcSize+len(snappy.Encode((*buffer)[crcSize:], data))]
	p := piece{stored: len(*buffer)}
	if s.encrypt {
		p.stored += sealBytes
	}
	f, seal, err := s.place(&p)
	if err != nil {
		return piece{}, err
	}
	if seal != nil {
		*buffer = seal.Seal((*buffer)[:crcSize], nil, (*buffer)[crcSize:], aad(p))
	}
	stored := *buffer
	binary.LittleEndian.PutUint32(stored, crc32.Checksum(stored[crcSize:], castagnoli))
	if _, err := f.WriteAt(stored, p.off); err != nil {
		return piece{}, err
	}
	s.budget.AddSpilled(int64(p.stored))
	return p, nil
}

// place gives a piece its place in the file, which the first one creates.
func (s *File) place(p *piece) (*os.File, cipher.AEAD, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f == nil {
		if s.encrypt {
			seal, err := newSeal()
			if err != nil {
				return nil, nil, err
			}
			s.seal = seal
		}
		f, err := tempfile.Create(s.dir, pattern)
		if err != nil {
			return nil, nil, err
		}
		s.f = f
	}
	p.off = s.size
	s.size += int64(p.stored)
	return s.f, s.seal, nil
}

func (s *File) buffer() *[]byte {
	if b, ok := s.buffers.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}

// Read returns the bytes of a block for block.Open, in the memory of data if they fit there.
func (s *File) Read(data []byte, b Block) ([]byte, error) {
	s.budget.Coming(int64(2 * b.len)) // with the texts, which Reader copies
	if cap(data) < b.len {
		data = make([]byte, b.len)
	}
	data = data[:b.len]
	at := crcSize
	for p, n := range b.pieces() {
		if err := s.read(data[at:at+n], p); err != nil {
			return nil, err
		}
		at += n
	}
	return data, nil
}

// read fills data with a piece.
func (s *File) read(data []byte, p piece) error {
	buffer := s.buffer()
	defer s.buffers.Put(buffer)
	*buffer = slices.Grow((*buffer)[:0], p.stored)[:p.stored]
	stored := *buffer
	if _, err := s.f.ReadAt(stored, p.off); err != nil {
		return fmt.Errorf("reading a spill file in temp_dir: %w", err)
	}
	if crc32.Checksum(stored[crcSize:], castagnoli) != binary.LittleEndian.Uint32(stored) {
		return block.ErrChanged
	}
	body := stored[crcSize:]
	if s.seal != nil {
		var err error
		if body, err = s.seal.Open(body[:0], nil, body, aad(p)); err != nil {
			return fmt.Errorf("%w: %w", block.ErrChanged, err)
		}
	}
	if n, err := snappy.DecodedLen(body); err != nil || n != len(data) {
		return fmt.Errorf("%w: a piece of %d bytes instead of %d", block.ErrChanged, n, len(data))
	}
	if _, err := snappy.Decode(data, body); err != nil {
		return fmt.Errorf("%w: %w", block.ErrChanged, err)
	}
	return nil
}

// Close removes the file. It may be called twice.
func (s *File) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f == nil {
		return nil
	}
	err := errors.Join(s.f.Close(), tempfile.Remove(s.f))
	s.f = nil
	return err
}
