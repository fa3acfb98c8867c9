package join

import (
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// none is the build row of a probe row without a match.
const none = ^uint32(0)

// output makes batches of rows of both sides.
type output struct {
	*joiner
	t        *table
	gather   *rowstore.Gatherer
	pairs    vector.Batch // the columns that On and Test read, in the order of pairs
	batch    vector.Batch // the result
	own      []*vector.Vector
	sparse   []uint32
	rows     []uint32        // those of selectRows, with another row in place of none, or the others alone, if they are few
	present  vector.Validity // which of them are not none; nil if no one is
	places   []int32         // where rows belong; nil: in their order
	list     []int32         // the memory of places
	apart    vector.Vector   // a column of them
	constant bool            // the build side has one row, and all of them are it
	selected []uint32        // rows, or what selectRows got
	codes    []int32         // the same for encoded; empty: not made yet
	chunk    vector.Batch
	one      [1]uint32 // of selectOne

	unread []*vector.Vector // by column of the result: NULLs instead of it, or nil
}

func newOutput(j *joiner, t *table) *output {
	o := &output{joiner: j, t: t, gather: t.rows.NewGatherer()}
	width := len(j.probe.place) + len(j.built.place)
	for range width {
		o.own = append(o.own, &vector.Vector{})
	}
	o.pairs.Cols, o.batch.Cols = make([]*vector.Vector, width), make([]*vector.Vector, len(j.Schema))
	o.unread = make([]*vector.Vector, len(j.Schema))
	for c := range o.unread {
		if j.Result == Pairs && j.Unread != nil && j.Unread[c] {
			o.unread[c] = vector.NewConstant(vector.NullOf(j.Schema[c].Type), 0)
		}
	}
	return o
}

// forget drops the rows of the table, also from the result that the consumer had last.
func (o *output) forget() {
	exec.ForgetRows(&vector.Batch{Cols: o.own})
	*o = output{joiner: o.joiner}
}

// selectRows sets the build rows that build reads.
func (o *output) selectRows(rows []uint32) {
	o.present, o.places, o.constant, o.codes = nil, nil, false, o.codes[:0]
	for i, r := range rows {
		if r == none {
			o.padded(rows, i)
			return
		}
	}
	if o.t.rows.Len() == 1 && len(rows) > 0 {
		o.constant, rows = true, rows[:1]
	}
	o.selected = rows
	o.gather.Select(rows)
}

// padded is selectRows for rows with a gap at place i: another row stands in for it and becomes
// NULL later. Where most rows are gaps, the others alone are read and put in their places.
func (o *output) padded(rows []uint32, i int) {
	o.rows = append(o.rows[:0], rows...)
	o.present = vector.NewValidity(len(rows))
	found := i
	for ; i < len(rows); i++ {
		if rows[i] == none {
			o.rows[i] = 0
			o.present.Clear(i)
			continue
		}
		found++
	}
	if fewFound*found < len(rows) {
		o.list = o.present.Select(nil, len(rows), true, vector.Resize(o.list, len(rows)))
		o.places = o.list
		for k, at := range o.places {
			o.rows[k] = rows[at]
		}
		o.rows = o.rows[:len(o.places)]
	}
	o.selected = o.rows
	o.gather.Select(o.rows)
}

// fewFound is in how many rows there is a build row at most once, so that these are read alone.
const fewFound = 3

// build makes v column c of the build side, of the rows of selectRows.
func (o *output) build(c, n int, v *vector.Vector) error {
	at := o.built.place[c]
	if o.t.rows.Len() == 0 {
		*v = *vector.NewConstant(vector.NullOf(o.built.types[at]), n)
		return nil
	}
	if o.t.dicts != nil && o.t.dicts[at] != nil && !o.constant {
		o.encoded(at, n, v)
		return nil
	}
	if o.places != nil {
		if err := o.gather.Column(at, &o.apart); err != nil {
			return err
		}
		return v.Spread(&o.apart, o.places, n)
	}
	if err := o.gather.Column(at, v); err != nil {
		return err
	}
	if o.constant {
		v.Form, v.Len = vector.Constant, n
	}
	v.Valid = vector.And(v.Valid, o.present)
	return nil
}

// encoded makes v a column of strings that refers to those of the table.
func (o *output) encoded(at, n int, v *vector.Vector) {
	switch {
	case len(o.codes) > 0:
	case o.places != nil:
		o.codes = vector.Resize(o.codes, n)
		clear(o.codes)
		for k, at := range o.places {
			o.codes[at] = int32(o.selected[k])
		}
	default:
		for _, row := range o.selected {
			o.codes = append(o.codes, int32(row))
		}
	}
	*v = vector.Vector{Type: o.built.types[at], Form: vector.Dictionary, Len: len(o.codes), Codes: o.codes, Dict: o.t.dicts[at]}
	o.t.rows.Chunk(0, &o.chunk)
	valid := o.chunk.Cols[at].Valid
	if v.Valid = o.present; valid == nil {
		return
	}
	v.Valid = vector.NewValidity(v.Len)
	for i, code := range o.codes {
		if o.present != nil && !o.present.Get(i) || !valid.Get(int(code)) {
			v.Valid.Clear(i)
		}
	}
}

// candidates makes the columns of pairs that On and Test read.
func (o *output) candidates(b *vector.Batch, probe []int32, build []uint32) (*vector.Batch, error) {
	o.pairs.Len, o.pairs.Sel = len(probe), nil
	o.selectRows(build)
	for _, c := range o.needed {
		v := o.own[c]
		o.pairs.Cols[c] = v
		var err error
		if k := c - len(o.probe.place); k >= 0 {
			err = o.build(k, len(probe), v)
		} else {
			err = exec.CopyVector(v, b.Cols[o.probe.place[c]], probe)
		}
		if err != nil {
			return nil, err
		}
	}
	return &o.pairs, nil
}

// columns are the places of the two sides' columns in the result.
func (o *output) columns() (probe, build []*vector.Vector) { return o.divide(o.batch.Cols) }

// divide divides what there is by column of the result.
func (o *output) divide(of []*vector.Vector) (probe, build []*vector.Vector) {
	p, b := len(o.probe.place), len(o.built.place)
	if o.BuildFirst {
		return of[b:], of[:b]
	}
	return of[:p], of[p:]
}

// leave makes a column that nobody reads, if it is one.
func leave(unread *vector.Vector, n int, v **vector.Vector) bool {
	if unread == nil {
		return false
	}
	unread.Len, *v = n, unread
	return true
}

// joined is the result of pairs: rows of b, by their places in its vectors, and build
// rows. The build row may be none.
func (o *output) joined(b *vector.Batch, probe []int32, build []uint32) (*vector.Batch, error) {
	o.batch.Len, o.batch.Sel = len(probe), nil
	whole := false
	if whole = o.whole(b, probe); whole {
		o.batch.Len, o.batch.Sel = b.Len, probe
		if len(probe) == b.Len {
			o.batch.Sel = nil
		}
		build = o.spread(probe, build)
	}
	left, right := o.columns()
	unreadLeft, unreadRight := o.divide(o.unread)
	if slices.Contains(unreadRight, nil) {
		o.selectRows(build)
	}
	for c := range o.probe.place {
		src := b.Cols[o.probe.place[c]]
		if leave(unreadLeft[c], o.batch.Len, &left[c]) {
			continue
		}
		if whole {
			left[c] = src
			continue
		}
		left[c] = o.own[c]
		if err := exec.CopyVector(left[c], src, probe); err != nil {
			return nil, err
		}
	}
	for c := range o.built.place {
		if leave(unreadRight[c], o.batch.Len, &right[c]) {
			continue
		}
		right[c] = o.own[len(o.probe.place)+c]
		if err := o.build(c, o.batch.Len, right[c]); err != nil {
			return nil, err
		}
	}
	return &o.batch, nil
}

// whole reports whether the columns of b can be part of the result as they are: the
// pairs have different probe rows, ascending, and most rows of b.
func (o *output) whole(b *vector.Batch, probe []int32) bool {
	if 2*len(probe) < b.Len {
		return false
	}
	for i := 1; i < len(probe); i++ {
		if probe[i] <= probe[i-1] {
			return false
		}
	}
	return true
}

// spread puts build rows at the places of their probe rows; what is between is not
// selected.
func (o *output) spread(probe []int32, build []uint32) []uint32 {
	if o.batch.Sel == nil {
		return build
	}
	o.sparse = vector.Resize(o.sparse, o.batch.Len)
	clear(o.sparse)
	for i, row := range probe {
		o.sparse[row] = build[i]
	}
	return o.sparse
}

// probeRows is the result of rows of b alone; sel lists their places. For Pairs the
// columns of the build side are NULL.
func (o *output) probeRows(b *vector.Batch, sel []int32) *vector.Batch {
	o.batch.Len, o.batch.Sel = b.Len, sel
	left := o.batch.Cols
	if o.Result == Pairs {
		var right []*vector.Vector
		left, right = o.columns()
		for c, at := range o.built.place {
			right[c] = vector.NewConstant(vector.NullOf(o.built.types[at]), b.Len)
		}
	}
	for c, at := range o.probe.place {
		left[c] = b.Cols[at]
	}
	return &o.batch
}

// buildRows is the result of build rows alone; for Pairs the columns of the probe side
// are NULL.
func (o *output) buildRows(rows []uint32) (*vector.Batch, error) {
	o.batch.Len, o.batch.Sel = len(rows), nil
	o.selectRows(rows)
	right := o.batch.Cols
	if o.Result == Pairs {
		var left []*vector.Vector
		left, right = o.columns()
		for c, at := range o.probe.place {
			left[c] = vector.NewConstant(vector.NullOf(o.probe.types[at]), len(rows))
		}
	}
	for c := range o.built.place {
		right[c] = o.own[len(o.probe.place)+c]
		if err := o.build(c, len(rows), right[c]); err != nil {
			return nil, err
		}
	}
	return &o.batch, nil
}
