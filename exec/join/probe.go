package join

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// What is known about a probe row so far. A greater state is the OR of two.
const (
	unmatched uint8 = iota
	unknown         // Test was NULL for a match
	matched
)

// prober joins batches of the probe side with a table. It belongs to one goroutine.
type prober struct {
	*joiner
	t    *table
	out  *output
	on   *expr.Filter // nil: TRUE
	mark *marker

	find    *hashtable.Probe
	union   *union    // with Either
	all     source    // the candidates by all keys
	single  bool      // each key has one candidate:
	singles []uint32  // by id of all, which is the candidate if this is nil
	one     [1]uint32 // the candidates of an id

	b     *vector.Batch // in the layout of the probe side; nil: none
	state []uint8       // by selected row of b
	only  bool          // no other table has met b
	last  bool          // no other table will meet b
	done  bool          // all candidates of b were tried

	moved vector.Vector // with Bound.Shift

	i, k  int // the next candidate is the k-th of the i-th selected row of b
	pairs pairs
	loop  loop

	found   []int32  // with Boxes: what the tree finds
	made    []uint32 // with Boxes and Either: the candidates of the selected row madeFor
	madeFor int

	own []uint8
	sel []int32
}

func (j *joiner) newProber(t *table) *prober {
	p := &prober{joiner: j, t: t, out: newOutput(j, t), all: source{group: group{keys: t.keys}}}
	if t.keys == nil {
		p.all.group = t.all
	}
	if j.On != nil {
		p.on = expr.NewFilter(j.On)
		p.on.Meter = j.env.Meter()
	}
	if t.keys != nil {
		p.find = t.keys.NewProbe()
		if t.order == nil {
			p.singles, p.single = t.keys.Single()
		}
	}
	if len(t.either) > 0 {
		p.union = t.newUnion()
	}
	if j.Result == MarkProbe {
		p.mark = newMarker(p)
	}
	return p
}

// forget drops the table, which is given up. The prober cannot be used any longer.
func (p *prober) forget() {
	p.out.forget()
	*p = prober{joiner: p.joiner}
}

// start begins a batch in the layout of the probe side, which must stay valid until
// next returns nil. state, by selected row, is what other tables have found out; it
// is nil if the table has all rows of the build side.
func (p *prober) start(b *vector.Batch, state []uint8, last bool) error {
	n := b.Rows()
	p.only = state == nil
	if p.only {
		p.own = vector.Resize(p.own, n)
		clear(p.own)
		state, last = p.own, true
	}
	p.b, p.state, p.last = b, state, last
	p.i, p.k, p.done = 0, 0, false
	if p.mark != nil {
		p.mark.stage = 0
	}
	if p.startLoop() {
		return nil
	}
	p.all.rounds((p.semiLoop() && p.on != nil || p.mark != nil) && p.t.keys != nil && !p.single)
	err := p.lookUp(&p.all, p.find, p.hashed)
	switch {
	case err != nil:
	case p.t.order != nil:
		err = p.narrow(&p.all)
	case p.union != nil && p.t.rows.Len() > 0 && !p.never():
		err = p.findEither(&p.all)
	}
	return err
}

// lookUp finds the candidates of the batch by some keys.
func (p *prober) lookUp(s *source, find *hashtable.Probe, keys int) error {
	s.ids = vector.Resize(s.ids, p.b.Rows())
	switch {
	case p.t.rows.Len() == 0 || p.never():
		for i := range s.ids {
			s.ids[i] = hashtable.Missing
		}
	case find == nil:
		clear(s.ids)
	default:
		err := find.Find(p.b.Cols[:keys], p.b, s.ids)
		p.reject(s.ids)
		if err == nil && s.keys != nil && !(p.single && s == &p.all) && (p.on != nil || p.Result == Pairs) {
			s.keys.Fetch(s.ids)
		}
		return err
	}
	return nil
}

// reject takes their candidates from rows that cannot match.
func (p *prober) reject(ids []uint32) {
	for _, c := range p.Rejects {
		v := p.b.Cols[p.probe.place[c]]
		if !v.MayHaveNulls() {
			continue
		}
		for i := range ids {
			if v.IsNull(p.b.Row(i)) {
				ids[i] = hashtable.Missing
			}
		}
	}
}

// next returns the next rows of the result for the current batch, nil after the last
// ones.
func (p *prober) next(ctx context.Context) (*vector.Batch, error) {
	for p.b != nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var out *vector.Batch
		var err error
		if p.done {
			out = p.rest()
			p.b = nil
		} else {
			out, err = p.step(ctx)
		}
		if out != nil || err != nil {
			return out, err
		}
	}
	return nil, nil
}

// step handles some pairs.
func (p *prober) step(ctx context.Context) (*vector.Batch, error) {
	if p.loop.on {
		return p.stepLoop()
	}
	switch p.Result {
	case Pairs:
		return p.join()
	case MatchedBuild, UnmatchedBuild:
		return p.flag()
	case MarkProbe:
		return nil, p.mark.step(ctx)
	}
	return nil, p.semi(&p.all)
}

// semi notes which probe rows have a match.
func (p *prober) semi(s *source) error {
	if p.on == nil { // a candidate is a match
		for i, id := range s.ids {
			if id != hashtable.Missing {
				p.state[i] = matched
			}
		}
		p.done = true
		return nil
	}
	if !p.collect(s, matched) {
		p.done = true
		return nil
	}
	err := p.filter()
	for _, i := range p.pairs.which {
		p.state[i] = matched
	}
	return err
}

// join returns pairs that match.
func (p *prober) join() (*vector.Batch, error) {
	if !p.collect(&p.all, never) {
		p.done = true
		return nil, nil
	}
	if err := p.filter(); err != nil || len(p.pairs.which) == 0 {
		return nil, err
	}
	for _, i := range p.pairs.which {
		if p.Single && p.state[i] == matched {
			return nil, p.Span.Mark(errSecond)
		}
		p.state[i] = matched
	}
	if p.t.matched != nil {
		for _, row := range p.pairs.build {
			if row != none {
				p.t.mark(row)
			}
		}
	}
	return p.out.joined(p.b, p.pairs.probe, p.pairs.build)
}

var errSecond = errs.State("21000", errors.New("a subquery used as a value returned more than one row; add LIMIT 1 or an aggregate such as MAX to it"))

// flag notes which build rows have a match. For MatchedBuild it returns those that had
// none before.
func (p *prober) flag() (*vector.Batch, error) {
	if !p.collect(&p.all, never) {
		p.done = true
		return nil, nil
	}
	if err := p.filter(); err != nil {
		return nil, err
	}
	fresh := p.pairs.build[:0]
	for _, row := range p.pairs.build {
		if p.t.mark(row) {
			fresh = append(fresh, row)
		}
	}
	if len(fresh) == 0 || p.Result == UnmatchedBuild {
		return nil, nil
	}
	return p.out.buildRows(fresh)
}

// rest is what is left to return when all candidates of the batch were tried.
func (p *prober) rest() *vector.Batch {
	state := unmatched
	switch {
	case !p.last:
		return nil
	case p.Result == MarkProbe:
		return p.mark.result()
	case p.Result == MatchedProbe:
		state = matched
	case !p.probeAlone():
		return nil
	}
	p.sel = p.sel[:0]
	for i, s := range p.state {
		if s == state {
			p.sel = append(p.sel, int32(p.b.Row(i)))
		}
	}
	if len(p.sel) == 0 {
		return nil
	}
	return p.out.probeRows(p.b, p.sel)
}
