package join

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Order makes a join find candidates by comparisons: the build rows with equal keys are
// sorted by one value, so that those which fulfil the bounds are neighbours and are
// found by binary search. A NULL fulfils no bound. With Keys, build rows without a match
// cannot be part of the result.
type Order struct {
	Build  expr.Expr // what the build rows are sorted by; not nested
	Bounds []Bound   // conjuncts, at least one
	// Nearest keeps only one of the rows that fulfil the bound, which is the only one:
	// the last one for >= and >, the first one for <= and <.
	Nearest bool
	// Reach, unless nil, narrows the neighbours further; only without Keys and Nearest.
	Reach *Reach
	// Asked says that On has the bounds, too: they only save pairs, where many rows have equal keys.
	Asked bool
	// Alone says that On is the only bound: whether a probe row has a match is decided by the last row for < and <=, else by the first.
	Alone bool
}

// manyRows is how many rows a key has from which on it saves time to sort them, if On has the bounds.
const manyRows = 8

// sorts reports whether the rows of a table are sorted.
func (t *table) sorts() bool {
	o := t.j.Order
	return o != nil && (!o.Asked || t.keys == nil || t.rows.Len()/manyRows >= t.keys.Distinct())
}

// Bound is the condition Probe Op Order.Build; both have the same storage, and the
// order of values is that of vector.Compare.
type Bound struct {
	Op    expr.Op // OpLt, OpLe, OpGt or OpGe
	Probe expr.Expr
	// Shift, unless nil, is added to the values of Probe: a BIGINT or a DOUBLE, as these are. What is
	// out of range is the end of it.
	Shift *vector.Scalar
}

// shifted is the values of a column plus a number.
func shifted(v *vector.Vector, by *vector.Scalar, into *vector.Vector) *vector.Vector {
	if by == nil {
		return v
	}
	into.Reset(v.Type, v.Len)
	into.Valid = v.Valid
	if v.Type.Storage() == vector.StoreFloat64 {
		for i, x := range v.F64[:v.Len] {
			into.F64[i] = x + by.F64
		}
		return into
	}
	for i, x := range v.I64[:v.Len] {
		sum := x + by.I64
		if sum < x != (by.I64 < 0) {
			if sum = math.MaxInt64; by.I64 < 0 {
				sum = math.MinInt64
			}
		}
		into.I64[i] = sum
	}
	return into
}

// Up reports whether the bound holds for great values of the build side.
func (b Bound) Up() bool { return b.Op == expr.OpLt || b.Op == expr.OpLe }

// span is neighbours in a sorted list.
type span struct{ from, to int }

// sortRows sorts the lists of rows of a table. NULLs are left out of t.all.rows.
func (t *table) sortRows(ctx context.Context) error {
	s := &sorted{ticker: quota.NewTicker(ctx, quota.RowsPerLook), column: t.column(t.j.hashed)}
	t.order = s
	if t.j.built.types[t.j.hashed].Storage() == vector.StoreInt64 {
		s.ints = make([]int64, 0, t.rows.Len())
		for _, v := range s.column {
			s.ints = append(s.ints, v.I64[:v.Len]...)
		}
	}
	if t.keys == nil {
		t.all.rows = slices.DeleteFunc(t.all.rows, s.null)
		s.sort(t.all.rows)
		if s.ints != nil {
			s.all = make([]int64, len(t.all.rows))
			for i, row := range t.all.rows {
				s.all[i] = s.ints[row]
			}
		}
		if err := s.ticker.Err(); err != nil || t.j.Order.Reach == nil {
			return err
		}
		var err error
		t.reach, err = t.newReach(ctx, t.j.Order.Reach)
		return err
	}
	t.keys.EachList(s.sort)
	return s.ticker.Err()
}

// column is a column of a table, by chunk.
type column []*vector.Vector

func (t *table) column(c int) column {
	list := make(column, t.rows.Chunks())
	var chunk vector.Batch
	for i := range list {
		t.rows.Chunk(i, &chunk)
		list[i] = chunk.Cols[c]
	}
	return list
}

// at is where the value of a row is.
func (c column) at(row uint32) (*vector.Vector, int) {
	chunk, i := rowstore.Place(row)
	return c[chunk], i
}

func (c column) null(row uint32) bool {
	v, i := c.at(row)
	return v.IsNull(i)
}

// sorted has the values by which rows of a table are sorted.
type sorted struct {
	column
	ints []int64 // the values by row, if that is their storage
	all  []int64 // without keys: the same in order

	ticker quota.Ticker // of sorting
}

func (s *sorted) sort(rows []uint32) {
	slices.SortFunc(rows, func(a, b uint32) int {
		switch {
		case s.ticker.Work(1) != nil: // all are equal, so that sorting ends soon
			return 0
		case s.ints != nil:
			return cmp.Compare(s.ints[a], s.ints[b])
		}
		v, i := s.at(a)
		w, k := s.at(b)
		return vector.Compare(v, i, w, k)
	})
}

// search is the number of rows whose value is less than that of row i of v, with equal
// also those whose value is equal.
func (s *sorted) search(rows []uint32, v *vector.Vector, i int, equal bool) int {
	limit := 0 // a row is counted if it compares below
	if equal {
		limit = 1
	}
	from, to := 0, len(rows)
	if s.ints != nil {
		x := v.I64[i]
		if s.all != nil {
			for from < to {
				if middle := int(uint(from+to) / 2); s.all[middle] < x || equal && s.all[middle] == x {
					from = middle + 1
				} else {
					to = middle
				}
			}
			return from
		}
		for from < to {
			if middle := (from + to) / 2; cmp.Compare(s.ints[rows[middle]], x) < limit {
				from = middle + 1
			} else {
				to = middle
			}
		}
		return from
	}
	for from < to {
		middle := (from + to) / 2
		if w, k := s.at(rows[middle]); vector.Compare(w, k, v, i) < limit {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// narrow finds for each probe row the rows of its list that fulfil the bounds.
func (p *prober) narrow(s *source) error {
	s.spans = vector.Resize(s.spans, len(s.ids))
	if p.Order.Alone && p.semiLoop() {
		for i, id := range s.ids {
			if id == hashtable.Missing {
				continue
			}
			if n := len(s.group.list(id, &p.one)); p.Order.Bounds[0].Up() {
				s.spans[i] = span{n - 1, n}
			} else {
				s.spans[i] = span{0, 1}
			}
		}
		return nil
	}
	for i, id := range s.ids {
		if id != hashtable.Missing {
			s.spans[i] = span{0, len(s.group.list(id, &p.one))}
		}
	}
	for k, bound := range p.Order.Bounds {
		err := p.bounded(s, k, func(i int, v *vector.Vector, row int) {
			rows, in := s.group.list(s.ids[i], &p.one), &s.spans[i]
			switch at := p.t.order.search(rows, v, row, bound.Op == expr.OpLt || bound.Op == expr.OpGe); bound.Op {
			case expr.OpLt, expr.OpLe: // the values above
				in.from = max(in.from, at)
			default:
				in.to = min(in.to, at)
			}
		})
		if err != nil {
			return err
		}
	}
	if p.t.reach != nil {
		if err := p.reach(s); err != nil {
			return err
		}
	}
	for i, id := range s.ids {
		in := &s.spans[i]
		switch {
		case id == hashtable.Missing:
		case in.from >= in.to:
			s.ids[i] = hashtable.Missing
		case !p.Order.Nearest:
		case p.Order.Bounds[0].Up():
			in.to = in.from + 1
		default:
			in.from = in.to - 1
		}
	}
	return nil
}

// bounded calls f for each selected row i that has candidates and a value in v, at row, for bound
// k; that of Reach is the last one. Without a value the row has no candidates any longer.
func (p *prober) bounded(s *source, k int, f func(i int, v *vector.Vector, row int)) error {
	v, err := p.b.Cols[p.hashed+k].Flatten(nil)
	if err != nil {
		return err
	}
	if k < len(p.Order.Bounds) {
		v = shifted(v, p.Order.Bounds[k].Shift, &p.moved)
	}
	for i, id := range s.ids {
		if id == hashtable.Missing {
			continue
		}
		if row := p.b.Row(i); v.IsNull(row) {
			s.ids[i] = hashtable.Missing
		} else {
			f(i, v, row)
		}
	}
	return nil
}
