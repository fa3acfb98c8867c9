package exec

import "github.com/parquetsql/parquetsql/vector"

// absent is the place of an element that is not there.
const absent = -1

// outerRows are the rows of parents without elements. If there is an On, which elements a
// parent has is known only behind the last one. So every parent has such a row there, and it
// is dropped where an element has fulfilled On.
type outerRows struct {
	count   int    // in the output
	matched []bool // by selected row of the input: whether an element fulfilled On
	picks   []vector.Pick
	sel     []int32
}

// ownRow reports whether the current parent, after its elements, gets a row of its own.
func (n *unnest) ownRow(empty bool) bool { return n.u.Outer && (empty || n.on != nil) }

// addAbsent adds the own row of the current parent, unless the batch is full.
func (n *unnest) addAbsent() bool {
	if n.rows == vector.BatchSize {
		return false
	}
	n.stretches = append(n.stretches, stretch{parent: int32(n.i), from: absent, count: 1})
	n.rows, n.outer.count = n.rows+1, n.outer.count+1
	return true
}

// pick makes a column of elements, NULL in the parents' own rows.
func (n *unnest) pick(out, v *vector.Vector, t vector.Type) error {
	picks := n.outer.picks[:0]
	for _, r := range n.stretches {
		for i := range r.count {
			if r.from == absent {
				picks = append(picks, vector.Pick{Source: 1})
			} else {
				picks = append(picks, vector.Pick{Row: r.from + i})
			}
		}
	}
	n.outer.picks = picks
	*out = vector.Vector{} // it may have been a slice
	return out.Pick(t, []*vector.Vector{v, vector.NewConstant(vector.NullOf(t), 1)}, picks)
}

// filter keeps the elements that fulfil On, and the own rows of parents that have none.
func (n *unnest) filter() error {
	o := &n.outer
	if o.count > 0 {
		if o.sel = o.sel[:0]; o.sel == nil {
			o.sel = []int32{} // nil would select the parents' own rows too
		}
		n.eachRow(func(row int32, r stretch) {
			if r.from != absent {
				o.sel = append(o.sel, row)
			}
		})
		n.out.Sel = o.sel
	}
	if n.out.Rows() > 0 {
		if err := n.on.Apply(&n.out); err != nil {
			return err
		}
	}
	if !n.u.Outer {
		return nil
	}
	fulfils := make([]bool, n.rows)
	for i := range n.out.Rows() {
		fulfils[n.out.Row(i)] = true
	}
	kept := make([]int32, 0, n.rows)
	n.eachRow(func(row int32, r stretch) {
		if fulfils[row] {
			o.matched[r.parent] = true
		}
		if fulfils[row] || r.from == absent && !o.matched[r.parent] {
			kept = append(kept, row)
		}
	})
	n.out.Sel = kept
	return nil
}

// eachRow calls f with the rows of the output and their stretches.
func (n *unnest) eachRow(f func(row int32, r stretch)) {
	row := int32(0)
	for _, r := range n.stretches {
		for range r.count {
			f(row, r)
			row++
		}
	}
}
