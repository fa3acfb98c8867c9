package rowstore

import "github.com/parquetsql/parquetsql/vector"

// Scatter appends rows to many stores, a column at a time. It is what Append to each of
// them would do, without its cost for each store and column.
type Scatter struct {
	at     []int32 // by store: the first of its rows that it does not have yet
	chunks []chunkRun
	runs   []vector.Run
}

// chunkRun is rows that go to a chunk.
type chunkRun struct {
	rows    *Rows
	chunk   []*Column
	from, n int
	room    int // of the chunk before
}

// Append appends rows[ends[i-1]:ends[i]] of the columns to stores[i], which share strings, but
// for short ones, and those of the columns for which copied is true: then the stores must be of
// NewChunks. The stores are all of one kind. A column of from that is nil is lost for all rows of
// the chunks that get some of these. After an error only Clear of the stores
// may be called.
func (s *Scatter) Append(stores []*Rows, from []*Column, copied []bool, rows, ends []int32) error {
	s.at = vector.Resize(s.at, len(stores))
	for i := range stores {
		if s.at[i] = 0; i > 0 {
			s.at[i] = ends[i-1]
		}
	}
	for s.next(stores, ends) {
		for c, col := range from {
			if err := s.column(c, col, copied[c], rows); err != nil {
				return err
			}
		}
		clear(s.chunks)
		clear(s.runs)
	}
	return nil
}

// next makes runs of the rows that the last chunks have room for. It returns false when
// there are none left.
func (s *Scatter) next(stores []*Rows, ends []int32) bool {
	s.chunks = s.chunks[:0]
	for i, r := range stores {
		left := int(ends[i] - s.at[i])
		if left == 0 {
			continue
		}
		room := r.room(left)
		n, from := min(left, room), int(s.at[i])
		s.chunks = append(s.chunks, chunkRun{r, r.chunks[len(r.chunks)-1], from, n, room})
		s.at[i] += int32(n)
		r.n += n
	}
	return len(s.chunks) > 0
}

// column appends the rows of a column to their chunks.
func (s *Scatter) column(c int, col *Column, copied bool, rows []int32) error {
	if col == nil {
		for _, run := range s.chunks {
			run.chunk[c] = lost
		}
		return nil
	}
	text, strings := col.Vec.Type.Storage() == vector.StoreString, col.StringBytes()
	packed := false
	s.runs = s.runs[:0]
	for _, run := range s.chunks {
		to := run.rows.column(run.chunk, c, run.room)
		if to == lost {
			continue
		}
		s.runs = append(s.runs, vector.Run{To: &to.Vec, From: run.from, N: run.n})
		packed = text && run.rows.inStep
		if packed && to.pack(&col.Vec, rows[run.from:run.from+run.n], copied) {
			continue
		}
		if strings > 0 {
			to.shared += strings * int64(run.n) / int64(col.Vec.Len)
		}
	}
	if packed {
		return col.Vec.ScatterValidity(rows, s.runs)
	}
	return col.Vec.Scatter(rows, s.runs)
}

// pack appends texts to those that have no pointers. It reports whether they are copies.
func (c *Column) pack(v *vector.Vector, rows []int32, copied bool) bool {
	if c.texts == nil {
		c.texts = &texts{copies: c.copies}
	}
	return c.texts.add(v, rows, !copied)
}
