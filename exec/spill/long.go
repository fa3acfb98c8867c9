package spill

import (
	"strings"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/vector"
)

// A long row goes to disk as it is where there is no room for it: a copy that waits in memory,
// and another one that is its block, would be several times its length.

// room reserves memory until a row with long texts was copied, so that no other goroutine takes it,
// and reports whether there was enough.
func (s *Partitions) room(texts int64) bool {
	n := 2 * texts // the copy, and the block that it may become
	if s.budget.Reserve(n) != nil {
		return false
	}
	s.adding.ahead = n
	return true
}

// leaveRoom gives back what room has reserved.
func (s *Partitions) leaveRoom() {
	s.budget.Release(s.adding.ahead)
	s.adding.ahead = 0
}

// addLong writes the only row of b, whose columns these are, to disk.
func (s *Partitions) addLong(cols []*vector.Vector, b *vector.Batch) error {
	part := &s.list[s.layout.partition(s.adding.hashes[0], s.level)]
	w := s.file.NewWriter(1)
	row := []int32{int32(b.Row(0))}
	var value vector.Vector
	bytes := int64(0)
	for _, c := range cols {
		if err := value.Gather(c, row); err != nil {
			return err
		}
		bytes += 16 + value.TextBytes(0)
		w.Column(&value)
	}
	place, err := w.End()
	part.blocks = append(part.blocks, place)
	part.diskRows, part.diskBytes, s.disk = part.diskRows+1, part.diskBytes+bytes, true
	return err
}

// Writer writes a block whose bytes come one after the other, as Append does, without a copy of them all.
type Writer struct {
	file  *File
	data  []byte // not written yet
	block Block
	err   error
}

// NewWriter begins a block of n rows.
func (s *File) NewWriter(n int) *Writer {
	w := &Writer{file: s, block: Block{len: crcSize}}
	w.Bytes(block.Begin(nil, n)[block.Head:])
	return w
}

// Bytes appends to the block.
func (w *Writer) Bytes(data []byte) { addTo(w, data) }

// Column appends a flat vector to the block.
func (w *Writer) Column(v *vector.Vector) {
	w.Bytes(block.AppendPieces(nil, v, func(data []byte, text string) []byte {
		addTo(w, data)
		addTo(w, text)
		return data[:0]
	}))
}

// addTo appends to the block, until an error.
func addTo[T []byte | string](w *Writer, text T) {
	for len(text) > 0 && w.err == nil {
		n := min(len(text), quota.BlockBytes-len(w.data))
		w.data, text = append(w.data, text[:n]...), text[n:]
		if len(w.data) == quota.BlockBytes {
			w.write()
		}
	}
}

// write makes a piece of the data.
func (w *Writer) write() {
	var p piece
	p, w.err = w.file.append(w.data)
	if w.block.len == crcSize {
		w.block.piece = p
	} else {
		w.block.rest = append(w.block.rest, p)
	}
	w.block.len += len(w.data)
	w.data = w.data[:0]
}

// End is where the block is.
func (w *Writer) End() (Block, error) {
	if len(w.data) > 0 && w.err == nil {
		w.write()
	}
	return w.block, spilling(w.err)
}

// open is Read and Open of a block whose rows are long. The strings of the reader lie in the only
// copy of the block, which is made a piece at a time.
func (s *File) open(b Block) (*block.Reader, int, error) {
	s.budget.Coming(int64(b.len))
	var all strings.Builder
	all.Grow(b.len - crcSize)
	var buffer []byte
	for p, n := range b.pieces() {
		buffer = vector.Resize(buffer, n)
		if err := s.read(buffer, p); err != nil {
			return nil, 0, err
		}
		all.Write(buffer)
	}
	return block.OpenText(all.String())
}
