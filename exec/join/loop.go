package join

import "github.com/parquetsql/parquetsql/vector"

// leastLoop is how many rows a probe batch must have to meet the build rows one by one: a batch for each pays from there on.
const leastLoop = vector.BatchSize / 16

// loop meets a whole probe batch with one build row after the other, where all build rows are candidates of
// all probe rows. The columns of the pairs are those of the batch as they are and constants: nothing is
// gathered, and what the condition computes of the build row alone it computes once.
type loop struct {
	on     bool    // the batch is met so
	next   int     // the build row
	live   []int32 // the rows that are met; nil: all of the batch
	memory []int32 // of live
	index  []int32 // by row of the vectors: the selected row, where the batch has a selection
}

// startLoop begins a batch and reports whether it is met by a loop.
func (p *prober) startLoop() bool {
	l := &p.loop
	rows := p.t.rows.Len()
	l.on = p.hashed == 0 && p.union == nil && p.t.tree == nil && p.t.order == nil && rows > 0 && p.b.Rows() > 0 && !p.never() &&
		p.Result != MarkProbe && (p.on != nil || p.Result == Pairs) && (rows == 1 || p.b.Rows() >= leastLoop)
	if !l.on {
		return false
	}
	l.next, l.live = 0, p.b.Sel
	if p.b.Sel != nil {
		l.index = vector.Resize(l.index, p.b.Len)
		for i, row := range p.b.Sel {
			l.index[row] = int32(i)
		}
	}
	if p.semiLoop() && !p.only {
		p.dropMatched()
	}
	return true
}

// semiLoop reports whether a probe row that has a match needs no other.
func (p *prober) semiLoop() bool { return p.Result == MatchedProbe || p.Result == UnmatchedProbe }

// selected is the number of the selected row at a place of the vectors.
func (p *prober) selected(row int) int {
	if p.b.Sel != nil {
		return int(p.loop.index[row])
	}
	return row
}

// dropMatched takes the rows that have a match out of those that are met.
func (p *prober) dropMatched() {
	l := &p.loop
	n := 0
	l.memory = vector.Resize(l.memory, p.b.Len)
	for i, state := range p.state {
		if l.memory[n] = int32(p.b.Row(i)); state != matched {
			n++
		}
	}
	l.live = l.memory[:n]
}

// stepLoop meets the next build row.
func (p *prober) stepLoop() (*vector.Batch, error) {
	l := &p.loop
	if l.next == p.t.rows.Len() || l.live != nil && len(l.live) == 0 {
		p.done = true
		return nil, nil
	}
	row := uint32(l.next)
	l.next++
	flags := p.Result == MatchedBuild || p.Result == UnmatchedBuild
	if flags && p.t.has(row) {
		return nil, nil
	}
	sel, some, err := p.matches(row)
	switch {
	case err != nil || !some:
		return nil, err
	case flags:
		if !p.t.mark(row) || p.Result == UnmatchedBuild {
			return nil, nil
		}
		return p.out.buildRows([]uint32{row})
	}
	if err := p.noteMatches(sel); err != nil || p.Result != Pairs {
		return nil, err
	}
	if p.t.matched != nil {
		p.t.mark(row)
	}
	return p.out.beside(p.b, sel, row)
}

// matches is the rows that match a build row, as a selection that the next call changes, and whether there
// are any.
func (p *prober) matches(row uint32) (sel []int32, some bool, err error) {
	l := &p.loop
	if p.on == nil {
		return l.live, true, nil
	}
	b, err := p.out.around(p.b, row)
	if err != nil {
		return nil, false, err
	}
	b.Sel = l.live
	err = p.on.Apply(b)
	return b.Sel, b.Rows() > 0, err
}

// noteMatches notes which probe rows have a match.
func (p *prober) noteMatches(sel []int32) error {
	if !p.KeepProbe && !p.Single && !p.semiLoop() {
		return nil
	}
	b := vector.Batch{Len: p.b.Len, Sel: sel}
	for i := range b.Rows() {
		state := &p.state[p.selected(b.Row(i))]
		if p.Single && *state == matched {
			return p.Span.Mark(errSecond)
		}
		*state = matched
	}
	if p.semiLoop() {
		p.dropMatched()
	}
	return nil
}

// around is a batch and a build row as pairs, with the columns that On reads.
func (o *output) around(b *vector.Batch, row uint32) (*vector.Batch, error) {
	o.pairs.Len = b.Len
	o.selectOne(row)
	for _, c := range o.needed {
		k := c - len(o.probe.place)
		if k < 0 {
			o.pairs.Cols[c] = b.Cols[o.probe.place[c]]
			continue
		}
		o.pairs.Cols[c] = o.own[c]
		if err := o.build(k, b.Len, o.own[c]); err != nil {
			return nil, err
		}
	}
	return &o.pairs, nil
}

// beside is the result of the selected rows of a batch with a build row.
func (o *output) beside(b *vector.Batch, sel []int32, row uint32) (*vector.Batch, error) {
	o.batch.Len, o.batch.Sel = b.Len, sel
	o.selectOne(row)
	left, right := o.columns()
	unreadLeft, unreadRight := o.divide(o.unread)
	for c, at := range o.probe.place {
		if !leave(unreadLeft[c], b.Len, &left[c]) {
			left[c] = b.Cols[at]
		}
	}
	for c := range o.built.place {
		if leave(unreadRight[c], b.Len, &right[c]) {
			continue
		}
		right[c] = o.own[len(o.probe.place)+c]
		if err := o.build(c, b.Len, right[c]); err != nil {
			return nil, err
		}
	}
	return &o.batch, nil
}

// selectOne is selectRows for one row, which all rows of a batch meet.
func (o *output) selectOne(row uint32) {
	o.one[0] = row
	o.selectRows(o.one[:])
	o.constant = true
}
