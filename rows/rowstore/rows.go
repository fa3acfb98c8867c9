package rowstore

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// chunkRows is how many rows a chunk of Rows has: few enough that the chunk which
// grows is cheap to copy, many enough that the headers of all chunks fit a cache.
const chunkRows = 32 * vector.BatchSize

// Rows keeps rows of several columns across batches: the build side of a join, the
// rows of a partition of a window. Rows have numbers in the order of Append, from 0.
// They lie in chunks of equal size, so that appending never moves more than one chunk
// and needs no memory beyond what the rows take, but for what the last chunk has room for.
// The chunks of NewChunks are of different sizes and never move.
type Rows struct {
	types  []vector.Type
	most   int // rows of a chunk
	inStep bool
	packs  bool        // texts that Append gets are without pointers, too
	chunks [][]*Column // by chunk, by column
	ends   []int       // by chunk: the number of the row behind it when it is full
	n      int
	full   int64 // bytes of all chunks but the last
	part   []int32
	copies []*textMemory // by column: of NewChunks' texts
}

// New is an empty store of rows with columns of these types. It keeps copies of their strings.
func New(types []vector.Type) *Rows {
	return &Rows{types: types, most: chunkRows}
}

// NewChunks is New with chunks of at most n rows, for rows that are only read in order, by
// Chunk. Each has about as many rows as those before it together, until it is n, and has
// room for them from the beginning.
func NewChunks(types []vector.Type, n int) *Rows {
	return &Rows{types: types, most: n, inStep: true}
}

// NewBatches is NewChunks for batches, which Append gets as they come: their texts are without pointers too, and
// of those that are codes of a dictionary the codes are kept. Reader.Read gives them back as such.
func NewBatches(types []vector.Type, n int) *Rows {
	r := NewChunks(types, n)
	r.packs = true
	return r
}

// lost is in place of the column of a chunk of which some rows came without it, see Scatter.
var lost = &Column{}

// leastRows is how many rows the first of NewChunks' chunks has room for, or more.
const leastRows = 64

// Len is the number of rows.
func (r *Rows) Len() int { return r.n }

// Bytes is the memory that the rows hold, including that of their strings.
func (r *Rows) Bytes() int64 {
	if len(r.chunks) == 0 {
		return 0
	}
	return r.full + r.copied() + chunkBytes(r.chunks[len(r.chunks)-1])
}

// copied is the memory of the copies of texts.
func (r *Rows) copied() int64 {
	n := int64(0)
	for _, p := range r.copies {
		if p != nil {
			n += p.Bytes()
		}
	}
	return n
}

// Used is the part of Bytes that the rows need: Bytes without room for more rows.
func (r *Rows) Used() int64 {
	if len(r.chunks) == 0 {
		return 0
	}
	n := r.full + r.copied()
	for _, c := range r.chunks[len(r.chunks)-1] {
		n += c.Used()
	}
	return n
}

func chunkBytes(chunk []*Column) int64 {
	n := int64(0)
	for _, c := range chunk {
		n += c.Bytes()
	}
	return n
}

// Append adds the rows of cols that sel lists, the first n if it is nil. After an
// error only Clear may be called.
func (r *Rows) Append(cols []*vector.Vector, sel []int32, n int) error {
	if sel != nil {
		n = len(sel)
	}
	part := sel
	return r.append(n, func(c int, col *Column, from, k int) error {
		if k < n && c == 0 {
			part = r.slice(sel, from, k)
		}
		if r.packs && col.copies != nil {
			return col.packRows(cols[c], part, k)
		}
		return col.AppendFirst(cols[c], part, k)
	})
}

// append makes room for n more rows and calls add for each column of each chunk that gets
// some of them: those from from on.
func (r *Rows) append(n int, add func(c int, col *Column, from, n int) error) error {
	for from := 0; from < n; {
		room := r.room(n - from)
		k := min(n-from, room)
		chunk := r.chunks[len(r.chunks)-1]
		for c := range chunk {
			if err := add(c, r.column(chunk, c, room), from, k); err != nil {
				return err
			}
		}
		from, r.n = from+k, r.n+k
	}
	return nil
}

// slice lists n rows of sel, or of all rows if it is nil.
func (r *Rows) slice(sel []int32, from, n int) []int32 {
	if sel != nil {
		return sel[from : from+n]
	}
	r.part = vector.Resize(r.part, n)
	for i := range r.part {
		r.part[i] = int32(from + i)
	}
	return r.part
}

// room is how many rows the last chunk has room for. If it has none, a new chunk is made for
// n rows and those that will follow.
func (r *Rows) room(n int) int {
	if k := len(r.chunks); k > 0 {
		if room := r.ends[k-1] - r.n; room > 0 {
			return room
		}
		r.full += chunkBytes(r.chunks[k-1])
	}
	size := r.most
	if r.inStep {
		size = min(size, max(leastRows, n, r.n))
	}
	if r.inStep && r.copies == nil {
		r.copies = make([]*textMemory, len(r.types))
	}
	r.chunks, r.ends = append(r.chunks, make([]*Column, len(r.types))), append(r.ends, r.n+size)
	return size
}

// column is a column of a chunk that has room for so many rows. It is made when the first rows come.
func (r *Rows) column(chunk []*Column, c, room int) *Column {
	if chunk[c] != nil {
		return chunk[c]
	}
	col, text := NewColumn(r.types[c]), r.types[c].Storage() == vector.StoreString
	switch {
	case r.inStep && text:
		if r.copies[c] == nil {
			r.copies[c] = &textMemory{}
		}
		col.copies = r.copies[c]
	case r.inStep:
		col.Vec.Reserve(room)
	}
	chunk[c] = col
	return col
}

// Join appends the rows of o, which has the same columns, and empties it. Chunks that are
// full are taken over, the rows of one other are copied, so that rows of r may get other
// numbers. After an error only Clear may be called.
func (r *Rows) Join(o *Rows) error {
	if o.n > r.n {
		*r, *o = *o, *r
	}
	whole := o.chunks[:o.n/r.most]
	r.chunks = slices.Insert(r.chunks, r.n/r.most, whole...)
	for range whole {
		r.ends = append(r.ends, (len(r.ends)+1)*r.most)
	}
	r.n += len(whole) * r.most
	r.full = 0
	for _, chunk := range r.chunks[:max(1, len(r.chunks))-1] {
		r.full += chunkBytes(chunk)
	}
	defer o.Clear()
	if o.n%r.most == 0 {
		return nil
	}
	last, rest := o.chunks[len(whole)], o.n%r.most
	return r.append(rest, func(c int, col *Column, from, n int) error {
		return col.take(last[c], from, n)
	})
}

// Clear forgets the rows and their memory.
func (r *Rows) Clear() { r.chunks, r.ends, r.n, r.full, r.copies = nil, nil, 0, 0, nil }

// Reset forgets the rows and keeps the memory of one chunk, except that of strings.
func (r *Rows) Reset() {
	if r.n == 0 {
		return
	}
	r.chunks, r.ends = slices.Delete(r.chunks, 1, len(r.chunks)), r.ends[:1]
	for i, c := range r.chunks[0] {
		if c == lost {
			r.chunks[0][i] = nil
			r.column(r.chunks[0], i, r.ends[0])
			continue
		}
		c.Reset()
	}
	for _, p := range r.copies {
		if p != nil {
			*p = textMemory{}
		}
	}
	r.n, r.full = 0, 0
}

// Drain calls f with all rows, in the batches of Chunk, and forgets each batch and its
// memory when f returns. After an error only Clear may be called.
func (r *Rows) Drain(f func(b *vector.Batch) error) error {
	var b vector.Batch
	for i := range r.Chunks() {
		r.Chunk(i, &b)
		if err := f(&b); err != nil {
			return err
		}
		r.chunks[i] = nil
	}
	r.Clear()
	return nil
}

// Chunks is the number of chunks.
func (r *Rows) Chunks() int {
	if r.n == 0 {
		return 0 // after Reset there is one for further rows
	}
	return len(r.chunks)
}

// ChunkLen is how many rows the i-th chunk has.
func (r *Rows) ChunkLen(i int) int {
	first := 0
	if i > 0 {
		first = r.ends[i-1]
	}
	return min(r.ends[i], r.n) - first
}

// Place is where a row is: the number of its chunk, and its number in it.
func Place(row uint32) (chunk, i int) { return int(row / chunkRows), int(row % chunkRows) }

// Chunk makes out a view of the i-th chunk, as Reader.Read does.
func (r *Rows) Chunk(i int, out *vector.Batch) {
	d := Reader{batch: *out}
	*out = *d.Read(r, i)
}

// A Gatherer reads rows of a store by their numbers. Each goroutine needs its own;
// the store must not grow while it is in use.
type Gatherer struct {
	rows    *Rows
	columns [][]*vector.Vector // by column, by chunk
	picks   []vector.Pick
	at      []int32
}

// NewGatherer returns a Gatherer for all columns.
func (r *Rows) NewGatherer() *Gatherer {
	g := &Gatherer{rows: r, columns: make([][]*vector.Vector, len(r.types))}
	for _, chunk := range r.chunks {
		for c, col := range chunk {
			g.columns[c] = append(g.columns[c], &col.Vec)
		}
	}
	return g
}

// Select sets the rows that Column reads.
func (g *Gatherer) Select(rows []uint32) {
	if len(g.rows.chunks) <= 1 {
		g.at = vector.Resize(g.at, len(rows))
		for i, row := range rows {
			g.at[i] = int32(row)
		}
		return
	}
	g.picks = vector.Resize(g.picks, len(rows))
	for i, row := range rows {
		g.picks[i] = vector.Pick{Source: int32(row / chunkRows), Row: int32(row % chunkRows)}
	}
}

// Column makes out column c of the selected rows, flat. Strings are shared with the
// store. It fails as vector.Gather does.
func (g *Gatherer) Column(c int, out *vector.Vector) error {
	switch len(g.rows.chunks) {
	case 0:
		out.Reset(g.rows.types[c], 0)
		return nil
	case 1:
		return out.Gather(g.columns[c][0], g.at)
	}
	return out.Pick(g.rows.types[c], g.columns[c], g.picks)
}
