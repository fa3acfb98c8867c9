// Package spill keeps rows on disk that do not fit into memory: blocks of
// columns in one temporary file a query operator.
//
// The file is a private scratch pad and no format to exchange. A block is
//
//	4 bytes   CRC-32C of all that follows
//	uvarint   rows
//	columns, one after the other, each
//	  1 byte    1 where a validity bitmap follows, else 0
//	  bitmap    (rows+7)/8 bytes, least significant bit first, set for values
//	  values    bool: a byte each; int64, uint64, float64: 8 bytes each,
//	            little-endian; float32: 4; Int128: 16, low half first;
//	            interval: three int64; string: a uvarint length each, then all
//	            bytes; LIST, MAP: a uvarint length each, then the children, as
//	            columns of so many rows; STRUCT: its children
//
// The types are not stored: who reads a block knows its columns.
package spill

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"sync"

	"github.com/parquetsql/parquetsql/vector"
)

// File is a temporary file that several goroutines append blocks to and read
// them from. It is made at the first Append and removed by Close.
type File struct {
	dir string

	mu   sync.Mutex
	f    *os.File
	size int64
}

// Block is where a block lies.
type Block struct {
	off int64
	len int
}

// Len is the block's bytes.
func (b Block) Len() int { return b.len }

// New is a file in the folder dir.
func New(dir string) *File { return &File{dir: dir} }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Append writes a block. data is what Encode made.
func (s *File) Append(data []byte) (Block, error) {
	binary.LittleEndian.PutUint32(data, crc32.Checksum(data[4:], castagnoli))
	s.mu.Lock()
	if s.f == nil {
		f, err := os.CreateTemp(s.dir, "parquetsql-spill-*")
		if err != nil {
			s.mu.Unlock()
			return Block{}, fmt.Errorf("parquet: spilling to temp_dir: %w", err)
		}
		s.f = f
	}
	b := Block{s.size, len(data)}
	s.size += int64(len(data))
	f := s.f
	s.mu.Unlock()
	if _, err := f.WriteAt(data, b.off); err != nil {
		return Block{}, fmt.Errorf("parquet: spilling to temp_dir: %w", err)
	}
	return b, nil
}

// Read is a block's bytes for Decode, in memory of its own.
func (s *File) Read(b Block) ([]byte, error) {
	data := make([]byte, b.len)
	if _, err := s.f.ReadAt(data, b.off); err != nil {
		return nil, fmt.Errorf("parquet: reading what was spilled to temp_dir: %w", err)
	}
	if crc32.Checksum(data[4:], castagnoli) != binary.LittleEndian.Uint32(data) {
		return nil, errSpilled
	}
	return data, nil
}

var errSpilled = errors.New("parquet: what was spilled to temp_dir has changed on disk")

// Close removes the file. It may be called twice.
func (s *File) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f == nil {
		return nil
	}
	err := errors.Join(s.f.Close(), os.Remove(s.f.Name()))
	s.f = nil
	return err
}

// Begin starts a block of n rows in the memory of data.
func Begin(data []byte, n int) []byte {
	data = append(data[:0], 0, 0, 0, 0)
	return binary.AppendUvarint(data, uint64(n))
}

// AppendColumn puts a flat vector into a block.
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
		if v.Type.Kind != vector.Struct {
			for i := range n {
				data = binary.AppendUvarint(data, uint64(v.Offsets[i+1]-v.Offsets[i]))
			}
		}
		for _, c := range v.Children {
			data = AppendColumn(data, c)
		}
	default:
		data = appendFixed(data, v, n)
	}
	return data
}

// AppendBytes puts a column of byte strings into a block: the i-th ends at
// ends[i] of all.
func AppendBytes(data, all []byte, ends []int) []byte {
	from := 0
	for _, end := range ends {
		data = binary.AppendUvarint(data, uint64(end-from))
		from = end
	}
	return append(data, all[:from]...)
}
