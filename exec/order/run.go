package order

import (
	"encoding/binary"
	"slices"

	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// sortRows collects rows and their keys until they become a run.
type sortRows struct {
	enc   *keyEncoder
	types []vector.Type
	cols  []*rowstore.Column
	keys  keyBuf
	n     int

	order, spare []sortRef
}

// sortRef is a row and the first 16 bytes of its key as two numbers, so that most
// comparisons read nothing else.
type sortRef struct {
	hi, lo uint64
	row    int32
}

// refBytes is what sorting needs for a row: two references, and its number.
const refBytes = 2*24 + 4

// run is sorted rows, in memory or on disk.
type run struct {
	input  int // the number of the input whose rows it has; of a merged run the least
	n      int
	cols   []*vector.Vector // flat
	keys   keyBuf
	bytes  int64         // reserved of the budget while it is in memory
	blocks []spill.Block // on disk; nil in memory
}

func newSortRows(schema vector.Schema, enc *keyEncoder) *sortRows {
	s := &sortRows{enc: enc}
	for _, c := range schema {
		s.types = append(s.types, c.Type)
	}
	s.clear()
	return s
}

// clear forgets the rows and frees their memory.
func (s *sortRows) clear() {
	s.n, s.keys, s.cols = 0, keyBuf{}, nil
	for _, t := range s.types {
		s.cols = append(s.cols, rowstore.NewColumn(t))
	}
}

// reset forgets the rows and keeps the memory.
func (s *sortRows) reset() {
	s.n = 0
	s.keys.reset()
	for _, c := range s.cols {
		c.Reset()
	}
}

func (s *sortRows) bytes() int64 {
	n := s.keys.bytes() + refBytes*int64(s.n)
	for _, c := range s.cols {
		n += c.Bytes()
	}
	return n
}

// add appends the rows of a batch.
func (s *sortRows) add(b *vector.Batch) error { return s.enc.each(b, s.addPart) }

func (s *sortRows) addPart(values []*vector.Vector, b *vector.Batch) error {
	if err := s.enc.encode(values, b, &s.keys); err != nil {
		return err
	}
	for i, c := range s.cols {
		if err := c.Append(s.enc.partition.kept(i, b, c)); err != nil {
			return err
		}
	}
	s.n += b.Rows()
	return nil
}

// sort returns all rows in order.
func (s *sortRows) sort() []sortRef {
	rows := make([]int32, s.n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return s.sortSome(rows)
}

// sortSome returns the listed rows in order. Those with the same key stay in the order
// of the list, which ascends.
func (s *sortRows) sortSome(rows []int32) []sortRef {
	s.order = vector.Resize(s.order, len(rows))
	longest := 0
	for i, row := range rows {
		hi, lo, n := s.keys.words(int(row))
		longest = max(longest, n)
		s.order[i] = sortRef{hi, lo, row}
	}
	s.spare = vector.Resize(s.spare, len(rows))
	radixSort(s.order, s.spare)
	if longest > 16 || s.enc.vary {
		s.sortTies(s.order, 16)
	}
	return s.order
}

// words returns the first 16 bytes of a key, padded with zeros, and its length.
func (k *keyBuf) words(row int) (hi, lo uint64, n int) {
	key := k.key(row)
	n = len(key)
	if n >= 16 || cap(key) < 16 {
		hi, lo = keyWords(key)
		return hi, lo, n
	}
	key = key[:16] // the bytes behind it are those of the next key
	hi, lo = binary.BigEndian.Uint64(key), binary.BigEndian.Uint64(key[8:])
	if n <= 8 {
		return hi &^ (1<<(64-8*uint(n)) - 1), 0, n
	}
	return hi, lo &^ (1<<(128-8*uint(n)) - 1), n
}

// keyWords returns the first 16 bytes of a key, padded with zeros.
func keyWords(key []byte) (hi, lo uint64) {
	n := len(key)
	switch { // of a short key the last bytes are read once more: to copy it would be slow, as it was written shortly before
	case n >= 16:
		return binary.BigEndian.Uint64(key), binary.BigEndian.Uint64(key[8:])
	case n >= 8:
		return binary.BigEndian.Uint64(key), binary.BigEndian.Uint64(key[n-8:]) << (8 * (16 - n))
	case n >= 4:
		return uint64(binary.BigEndian.Uint32(key))<<32 | uint64(binary.BigEndian.Uint32(key[n-4:]))<<(8*(8-n)), 0
	}
	for i, c := range key {
		hi |= uint64(c) << (56 - 8*i)
	}
	return hi, 0
}

// toMemory makes a run of the sorted rows.
func (s *sortRows) toMemory(sorted []sortRef) (*run, error) {
	r := &run{n: len(sorted)}
	rows := make([]int32, len(sorted))
	for i, ref := range sorted {
		rows[i] = ref.row
	}
	if !s.enc.vary && s.enc.fixed <= 16 {
		r.keys = shortKeys(sorted, s.enc.fixed)
	} else {
		r.keys.data = make([]byte, 0, len(s.keys.data))
		r.keys.ends = make([]int, len(sorted))
		for i, ref := range sorted {
			r.keys.data = append(r.keys.data, s.keys.key(int(ref.row))...)
			r.keys.ends[i] = len(r.keys.data)
		}
	}
	r.bytes = r.keys.bytes()
	for _, c := range s.cols {
		v := &vector.Vector{}
		if err := v.Gather(&c.Vec, rows); err != nil {
			return nil, err
		}
		r.cols = append(r.cols, v)
		r.bytes += v.Bytes() + c.StringBytes()
	}
	return r, nil
}

// shortKeys is the keys of sorted rows, of which the references have all bytes.
func shortKeys(sorted []sortRef, width int) keyBuf {
	k := keyBuf{data: make([]byte, len(sorted)*width+16), ends: make([]int, len(sorted))}
	end := 0
	for i := range sorted {
		binary.BigEndian.PutUint64(k.data[end:], sorted[i].hi)
		binary.BigEndian.PutUint64(k.data[end+8:], sorted[i].lo)
		end += width
		k.ends[i] = end
	}
	k.data = k.data[:end]
	return k
}

const (
	// blockRows is about how many rows a block on disk has at most.
	blockRows = vector.BatchSize
)

// toDisk writes the sorted rows as a run.
func (s *sortRows) toDisk(sorted []sortRef, file *spill.File) (*run, error) {
	r := &run{n: len(sorted)}
	w := runWriter{file: file}
	rows := make([]int32, 0, blockRows)
	col := &vector.Vector{}
	for len(sorted) > 0 {
		w.start()
		rows = rows[:0]
		for _, ref := range sorted {
			row := int(ref.row)
			w.add(s.keys.key(row))
			rows = append(rows, ref.row)
			for _, c := range s.cols {
				w.bytes += valueBytes(&c.Vec, row)
			}
			if w.full() {
				break
			}
		}
		sorted = sorted[len(rows):]
		w.begin()
		for _, c := range s.cols {
			if err := col.Gather(&c.Vec, rows); err != nil {
				return nil, err
			}
			w.column(col)
		}
		if err := w.end(r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// valueBytes is about the length of a value in a block.
func valueBytes(v *vector.Vector, row int) int64 { return 8 + v.TextBytes(row) }

// runWriter writes the blocks of a run: keys, then columns.
type runWriter struct {
	file  *spill.File
	keys  keyBuf
	last  []byte // the last key, where it is long and not in keys
	bytes int64  // of the block so far
	data  []byte
	long  *spill.Writer // of a long block, which has no copy in data
}

// start begins to collect the keys of a block.
func (w *runWriter) start() {
	w.keys.reset()
	w.last, w.bytes, w.long = nil, 0, nil
}

// add adds a key, which is valid until the block is written.
func (w *runWriter) add(key []byte) {
	if len(key) < quota.RunBlockBytes {
		w.keys.data = append(w.keys.data, key...)
	} else {
		w.last = key // the block has no more rows
	}
	w.keys.ends = append(w.keys.ends, len(w.keys.data)+len(w.last))
	w.bytes += int64(len(key))
}

// full reports whether the block should have no more rows.
func (w *runWriter) full() bool {
	return w.bytes >= quota.RunBlockBytes || len(w.keys.ends) == blockRows
}

// longBlock is the length from which on a block is written without a copy of its texts.
const longBlock = 8 * quota.RunBlockBytes

// begin writes the keys.
func (w *runWriter) begin() {
	if w.bytes >= longBlock {
		w.long = w.file.NewWriter(len(w.keys.ends))
		w.long.Bytes(block.AppendLengths(nil, w.keys.ends))
		w.long.Bytes(w.keys.data)
		w.long.Bytes(w.last)
		return
	}
	w.data = slices.Grow(w.data[:0], int(w.bytes)) // appending would make it in ever longer pieces
	w.data = block.AppendLengths(block.Begin(w.data, len(w.keys.ends)), w.keys.ends)
	w.data = append(append(w.data, w.keys.data...), w.last...)
}

func (w *runWriter) column(v *vector.Vector) {
	if w.long != nil {
		w.long.Column(v)
		return
	}
	w.data = block.AppendColumn(w.data, v)
}

func (w *runWriter) end(r *run) (err error) {
	var b spill.Block
	if w.long != nil {
		b, err = w.long.End()
	} else {
		b, err = w.file.Append(w.data)
	}
	r.blocks = append(r.blocks, b)
	return err
}
