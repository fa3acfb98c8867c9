// Package spill keeps rows on disk that do not fit into memory: blocks of columns in
// one temporary file per operator. Partitions divide rows by the hash of their key,
// in memory while that suffices.
//
// The file is private to the process and its format may change. A block is
//
//	4 bytes   CRC-32C of all bytes that follow, as they are in the file
//	uvarint   rows
//	columns, one after the other, each
//	  1 byte    1 if a validity bitmap follows, else 0
//	  bitmap    (rows+7)/8 bytes, least significant bit first, set for values
//	  values    bool: one byte each; int64, uint64, float64: 8 bytes each,
//	            little-endian; float32: 4; Int128: 16, low half first;
//	            interval: three int64; string: a uvarint length each, then all
//	            bytes; LIST, MAP: a uvarint length each, then the children, as
//	            columns of that many rows; STRUCT: its children
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

	"github.com/parquetsql/parquetsql/internal/membudget"
	"github.com/parquetsql/parquetsql/vector"
)

// File is a temporary file. Several goroutines may append blocks to it and read them.
// It is created by the first Append and removed by Close. Where the system can, it has no
// name in between, so that nothing is left of it when the process is killed.
type File struct {
	dir     string
	encrypt bool
	budget  *membudget.Budget // is told what was written

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
			p, n := b.piece, min(pieceBytes, left)
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
func New(dir string, encrypt bool, budget *membudget.Budget) *File {
	return &File{dir: dir, encrypt: encrypt, budget: budget}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// pattern is the names of the files.
const pattern = "parquetsql-spill-*"

// crcSize is the length of the CRC.
const crcSize = 4

// pieceBytes is how much of a block is compressed at once: the block of one long row needs
// no memory of that length again.
const pieceBytes = 1 << 20

// Append writes a block. data is the result of Begin and the Append functions.
func (s *File) Append(data []byte) (Block, error) {
	b := Block{len: len(data)}
	for at := crcSize; at == crcSize || at < len(data); at += pieceBytes {
		p, err := s.append(data[at:min(at+pieceBytes, len(data))])
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
		f, err := create(s.dir)
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

// Read returns the bytes of a block for Open, in the memory of data if they fit there.
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
		return errSpilled
	}
	body := stored[crcSize:]
	if s.seal != nil {
		var err error
		if body, err = s.seal.Open(body[:0], nil, body, aad(p)); err != nil {
			return fmt.Errorf("%w: %w", errSpilled, err)
		}
	}
	if n, err := snappy.DecodedLen(body); err != nil || n != len(data) {
		return fmt.Errorf("%w: a piece of %d bytes instead of %d", errSpilled, n, len(data))
	}
	if _, err := snappy.Decode(data, body); err != nil {
		return fmt.Errorf("%w: %w", errSpilled, err)
	}
	return nil
}

var errSpilled = errors.New("a spill file in temp_dir was changed by another program")

// Close removes the file. It may be called twice.
func (s *File) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f == nil {
		return nil
	}
	err := errors.Join(s.f.Close(), remove(s.f))
	s.f = nil
	return err
}

// Begin starts a block of n rows in the memory of data.
func Begin(data []byte, n int) []byte {
	data = append(data[:0], make([]byte, crcSize)...)
	return binary.AppendUvarint(data, uint64(n))
}

// AppendColumn appends a flat vector to a block.
func AppendColumn(data []byte, v *vector.Vector) []byte {
	if v.Valid == nil {
		data = append(data, 0)
	} else {
		data = append(data, 1)
		for i := 0; i < v.Len; i += 8 {
			data = append(data, byte(v.Valid[i>>6]>>(uint(i)&63)))
		}
	}
	n := v.Len
	switch v.Type.Storage() {
	case vector.StoreBool:
		for _, b := range v.Bool[:n] {
			if b {
				data = append(data, 1)
			} else {
				data = append(data, 0)
			}
		}
	case vector.StoreString:
		for _, s := range v.Str[:n] {
			data = binary.AppendUvarint(data, uint64(len(s)))
		}
		for _, s := range v.Str[:n] {
			data = append(data, s...)
		}
	case vector.StoreNested:
		data = appendNested(data, v)
	default:
		data = appendFixed(data, v, n)
	}
	return data
}

func appendNested(data []byte, v *vector.Vector) []byte {
	if !v.Type.HasElements() {
		for _, c := range v.Children {
			data = AppendColumn(data, c)
		}
		return data
	}
	for i := range v.Len {
		data = binary.AppendUvarint(data, uint64(v.Offsets[i+1]-v.Offsets[i]))
	}
	first, last := int(v.Offsets[0]), int(v.Offsets[v.Len])
	for _, c := range v.Children {
		var elements vector.Vector
		elements.Slice(c, first, last-first)
		data = AppendColumn(data, &elements)
	}
	return data
}

// AppendBytes appends a column of byte strings to a block: the i-th ends at ends[i] of
// all.
func AppendBytes(data, all []byte, ends []int) []byte {
	from := 0
	for _, end := range ends {
		data = binary.AppendUvarint(data, uint64(end-from))
		from = end
	}
	return append(data, all[:from]...)
}
