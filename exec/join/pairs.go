package join

import (
	"errors"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// pairs are probe rows with candidates, at most a batch of them.
type pairs struct {
	probe []int32  // places in the vectors of the probe batch
	which []int32  // the selected rows of the probe batch that these are
	build []uint32 // rows of the table, or none
}

// source is where the candidates of the selected rows of a batch are.
type source struct {
	group
	ids []uint32 // by selected row: the id in keys, any without keys; Missing: no candidate
	one bool     // the first candidate is enough
	// A row that has found what it looks for needs no other candidate. So, with width above 0, rows try their candidates in
	// rounds: of each row from tried on, as many as width, which is twice as large in each round.
	tried, width int

	spans []span // by selected row, with Order: which of the rows of the id are candidates
}

// rounds lets rows try their first candidate, then as many as they have tried so far; or, without on, all at once.
func (s *source) rounds(on bool) {
	s.tried, s.width = 0, 0
	if on {
		s.width = 1
	}
}

// nextRound begins the next round, after one whose candidates were all tried; false: there is none.
func (p *prober) nextRound(s *source, stop uint8) bool {
	if s.width == 0 {
		return false
	}
	s.tried += s.width
	s.width = min(s.tried, vector.BatchSize)
	for i, id := range s.ids {
		if id != hashtable.Missing && p.state[i] < stop && len(p.candidates(s, i, id)) > s.tried {
			p.i, p.k = i, 0
			return true
		}
	}
	return false
}

// never is a state that no row has.
const never = matched + 1

// collect takes the next candidates, of the rows whose state is below stop. It returns
// false if there are none left.
func (p *prober) collect(s *source, stop uint8) bool {
	for !p.collectRound(s, stop) {
		if !p.nextRound(s, stop) {
			return false
		}
	}
	return true
}

// collectRound is collect within a round.
func (p *prober) collectRound(s *source, stop uint8) bool {
	c := &p.pairs
	c.probe, c.which, c.build = c.probe[:0], c.which[:0], c.build[:0]
	// Rows without candidates can be between the pairs if each pair is a match.
	pad := p.KeepProbe && p.on == nil && p.only
	if s == &p.all && stop == never && p.i == 0 && p.single && len(s.ids) <= vector.BatchSize {
		return p.collectSingle(s.ids, pad)
	}
	if s == &p.all && stop == never && p.i == 0 && p.k == 0 && p.plain(s) {
		p.collectShort(s, pad)
		if p.i == len(s.ids) {
			return len(c.build) > 0
		}
	}
	for ; p.i < len(s.ids); p.i, p.k = p.i+1, 0 {
		id := s.ids[p.i]
		switch {
		case len(c.build) == vector.BatchSize:
			return true
		case id == hashtable.Missing && pad:
			p.add(none)
			continue
		case id == hashtable.Missing || p.state[p.i] >= stop:
			continue
		}
		rows := p.candidates(s, p.i, id)[p.k:]
		if len(rows) == 0 {
			continue
		}
		if p.k == 0 && p.flagged(rows[0]) {
			continue
		}
		if s.width > 0 {
			if p.k == 0 {
				if len(rows) <= s.tried {
					continue
				}
				rows, p.k = rows[s.tried:], s.tried
			}
			rows = rows[:min(len(rows), s.tried+s.width-p.k)]
		}
		if s.one {
			rows = rows[:1]
		}
		n := min(len(rows), vector.BatchSize-len(c.build))
		if n == 1 && (s.keys == nil || s.rows == nil) {
			p.add(rows[0])
		} else if s.keys != nil && s.rows != nil {
			for _, k := range rows[:n] {
				p.add(s.rows[k])
			}
		} else {
			p.addAll(rows[:n])
		}
		if n < len(rows) {
			p.k += n
			return true
		}
	}
	return len(c.build) > 0
}

// collectSingle is collect for a whole batch if each key has one row.
func (p *prober) collectSingle(ids []uint32, pad bool) bool {
	c := &p.pairs
	n := len(ids)
	c.probe, c.which, c.build = vector.Resize(c.probe, n), vector.Resize(c.which, n), vector.Resize(c.build, n)
	k := 0
	for i, id := range ids {
		row := uint32(none)
		if id != hashtable.Missing {
			row = id
			if p.singles != nil {
				row = p.singles[id]
			}
		} else if !pad {
			continue
		}
		c.probe[k], c.which[k], c.build[k] = int32(i), int32(i), row
		k++
	}
	c.probe, c.which, c.build = c.probe[:k], c.which[:k], c.build[:k]
	if p.b.Sel != nil {
		for i, k := range c.which {
			c.probe[i] = p.b.Sel[k]
		}
	}
	p.i = n
	return k > 0
}

// plain reports whether the candidates of a row are all rows of its key, each once.
func (p *prober) plain(s *source) bool {
	return s.keys != nil && s.rows == nil && !s.one && s.width == 0 && s.spans == nil && p.t.tree == nil && p.union == nil && p.Result == Pairs
}

// collectShort is collect up to a row with more candidates than are left of a batch: without growing three lists
// for each pair.
func (p *prober) collectShort(s *source, pad bool) {
	c := &p.pairs
	probe, which, build := vector.Resize(c.probe, vector.BatchSize), vector.Resize(c.which, vector.BatchSize), vector.Resize(c.build, vector.BatchSize)
	n, i := 0, 0
	for ; i < len(s.ids) && n < vector.BatchSize; i++ {
		id := s.ids[i]
		if id == hashtable.Missing {
			which[n], build[n] = int32(i), none
			if pad {
				n++
			}
			continue
		}
		rows := s.keys.Rows(id, &p.one)
		if n+len(rows) > vector.BatchSize {
			break
		}
		for _, row := range rows {
			which[n], build[n] = int32(i), row
			n++
		}
	}
	copy(probe, which[:n])
	if p.b.Sel != nil {
		for k, at := range which[:n] {
			probe[k] = p.b.Sel[at]
		}
	}
	p.i, c.probe, c.which, c.build = i, probe[:n], which[:n], build[:n]
}

// list is the candidates of a group; it has at least one. It is one, or part of the group.
func (g *group) list(id uint32, one *[1]uint32) []uint32 {
	if g.keys == nil {
		return g.rows
	}
	return g.keys.Rows(id, one)
}

// candidates are the rows that the pairs of the i-th selected row are made with, from the
// first on. id is its group.
func (p *prober) candidates(s *source, i int, id uint32) []uint32 {
	if p.t.tree == nil && p.union == nil {
		rows := s.list(id, &p.one)
		if s.spans != nil {
			rows = rows[s.spans[i].from:s.spans[i].to]
		}
		return rows
	}
	if p.k > 0 && p.madeFor == i {
		return p.made // those of the call before
	}
	p.madeFor = i
	if p.union != nil {
		p.made = p.appendUnion(p.made[:0], i)
		return p.made
	}
	return p.search(i)
}

func (p *prober) add(row uint32) {
	c := &p.pairs
	c.probe, c.which, c.build = append(c.probe, int32(p.b.Row(p.i))), append(c.which, int32(p.i)), append(c.build, row)
}

// addAll is add for many rows of the table.
func (p *prober) addAll(rows []uint32) {
	c, at := &p.pairs, len(p.pairs.build)
	end := at + len(rows)
	c.build = append(c.build, rows...)
	c.probe, c.which = slices.Grow(c.probe, len(rows))[:end], slices.Grow(c.which, len(rows))[:end]
	place, which := int32(p.b.Row(p.i)), int32(p.i)
	for i := at; i < end; i++ {
		c.probe[i], c.which[i] = place, which
	}
}

// flagged reports whether a build row, and those of the same key, have a match already
// and need no other.
func (p *prober) flagged(row uint32) bool {
	return p.on == nil && p.Order == nil && p.union == nil && (p.Result == MatchedBuild || p.Result == UnmatchedBuild) && p.t.has(row)
}

// filter drops the pairs for which On is not TRUE.
func (p *prober) filter() error {
	if p.on == nil {
		return nil
	}
	c := &p.pairs
	k := 0
	err := p.evaluate(func(b *vector.Batch) error {
		if err := p.on.Apply(b); err != nil {
			return err
		}
		for i := range b.Rows() {
			at := b.Row(i)
			c.probe[k], c.which[k], c.build[k] = c.probe[at], c.which[at], c.build[at]
			k++
		}
		return nil
	})
	c.probe, c.which, c.build = c.probe[:k], c.which[:k], c.build[:k]
	return err
}

// evaluate calls f with the pairs as a batch, or with parts of them if their texts
// would be too long for one batch.
func (p *prober) evaluate(f func(b *vector.Batch) error) error {
	n := len(p.pairs.build)
	if n == 0 {
		return nil
	}
	b, err := p.out.candidates(p.b, p.pairs.probe, p.pairs.build)
	if err != nil {
		return err
	}
	return p.part(b, 0, n, f)
}

func (p *prober) part(b *vector.Batch, from, to int, f func(b *vector.Batch) error) error {
	part := vector.Batch{Len: b.Len, Cols: b.Cols}
	if to-from < b.Len {
		for i := from; i < to; i++ {
			part.Sel = append(part.Sel, int32(i))
		}
	}
	err := f(&part)
	if to-from == 1 || !errors.Is(err, quota.ErrBatchTooLong) {
		return err
	}
	middle := (from + to) / 2
	if err := p.part(b, from, middle, f); err != nil {
		return err
	}
	return p.part(b, middle, to, f)
}
