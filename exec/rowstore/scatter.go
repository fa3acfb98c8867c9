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
	chunk   []*Column
	from, n int
}

// Append appends rows[ends[i-1]:ends[i]] of the columns to stores[i], which share strings, but
// for those of the columns for which copied is true. After an error only Clear of the stores
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
	s.chunks, s.runs = s.chunks[:0], s.runs[:0]
	for i, r := range stores {
		left := int(ends[i] - s.at[i])
		if left == 0 {
			continue
		}
		n := min(left, r.room(left))
		from := int(s.at[i])
		s.chunks = append(s.chunks, chunkRun{r.chunks[len(r.chunks)-1], from, n})
		s.runs = append(s.runs, vector.Run{From: from, N: n})
		s.at[i] += int32(n)
		r.n += n
	}
	return len(s.runs) > 0
}

// column appends the rows of a column to their chunks.
func (s *Scatter) column(c int, col *Column, copied bool, rows []int32) error {
	for i, run := range s.chunks {
		s.runs[i].To = &run.chunk[c].Vec
	}
	if err := col.Vec.Scatter(rows, s.runs); err != nil {
		return err
	}
	if copied {
		for _, run := range s.chunks {
			run.chunk[c].ownLast(run.n)
		}
		return nil
	}
	if strings := col.StringBytes(); strings > 0 {
		for _, run := range s.chunks {
			run.chunk[c].shared += strings * int64(run.n) / int64(col.Vec.Len)
		}
	}
	return nil
}
