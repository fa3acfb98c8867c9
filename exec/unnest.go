package exec

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Unnest describes how a LIST or MAP column, or a series, becomes rows.
type Unnest struct {
	Column int       // the LIST or MAP column of the input
	Series *Series   // unless nil, the elements are its values, and Column means nothing
	Keep   []int     // the input's columns in the output, in this order
	Fields []int     // then these vector.ElementColumns of the column's type; of a series 0, its values
	Pos    bool      // then pos, BIGINT: the element's index, from 0
	Outer  bool      // emit a parent without elements as a row with NULL for Fields and pos
	On     expr.Expr // optional, over the output's columns: only elements where it is TRUE
}

// unnest emits one row per element. Elements of consecutive parents are adjacent in
// the children already, so their columns are slices of the children. The parents'
// columns become dictionaries with the parents' rows as codes, or constants if one
// parent fills a batch. So the cost per row does not depend on how many or how wide
// the parents' columns are.
//
// With Outer the row of a parent without elements is in the place of its elements.
type unnest struct {
	in      Operator
	u       Unnest
	schema  vector.Schema
	types   vector.Schema // of the input
	columns []elementColumn
	series  *seriesElements // nil: the elements of a column
	on      *expr.Filter

	b      *vector.Batch
	kept   []*vector.Vector // Keep of b as dictionaries, made when needed
	fields []*vector.Vector // Fields of b, for all elements
	i      int              // the current parent: a selected row of b
	e      int64            // elements of it that were emitted
	outer  outerRows

	stretches  []stretch // the output's rows
	rows       int       // the number of rows in stretches
	contiguous bool      // whether their elements are adjacent
	elements   []int32
	out        vector.Batch
	pos        *vector.Vector
}

// stretch is consecutive elements of one parent.
type stretch struct {
	parent int32 // a selected row of b
	from   int32 // the first element's place in the children; absent for the row without element
	pos    int64 // the first element's index in the parent's list
	count  int32
}

// NewUnnest emits one row per element of a LIST or MAP column, or of a series.
func NewUnnest(env Env, in Operator, u Unnest) Operator {
	n := &unnest{in: in, u: u, types: in.Schema(), pos: &vector.Vector{}}
	for _, c := range u.Keep {
		n.schema = append(n.schema, n.types[c])
		n.out.Cols = append(n.out.Cols, &vector.Vector{})
	}
	all := n.elementColumns()
	for _, f := range u.Fields {
		c := elementColumn{all[f]}
		c.Nullable = c.Nullable || u.Outer
		n.columns = append(n.columns, c)
		n.schema = append(n.schema, c.Column)
		n.out.Cols = append(n.out.Cols, &vector.Vector{})
	}
	if u.Pos {
		n.schema = append(n.schema, vector.Column{Name: "pos", Type: vector.Of(vector.BigInt), Nullable: u.Outer})
		n.out.Cols = append(n.out.Cols, n.pos)
	}
	if u.On != nil {
		n.on = expr.NewFilter(u.On)
		n.on.Meter = env.Meter()
	}
	return n
}

// elementColumns is the columns that Fields counts.
func (n *unnest) elementColumns() []vector.ElementColumn {
	if n.u.Series == nil {
		return vector.ElementColumns(n.types[n.u.Column].Type)
	}
	n.series = newSeriesElements(n.u.Series, n.types)
	return []vector.ElementColumn{{Column: vector.Column{Name: "value", Type: n.series.t}}}
}

func (n *unnest) Schema() vector.Schema { return n.schema }
func (n *unnest) Close() error          { return n.in.Close() }

func (n *unnest) Next(ctx context.Context) (*vector.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if n.b == nil {
			b, err := n.in.Next(ctx)
			if b == nil || err != nil {
				return nil, err
			}
			if err := n.open(b); err != nil {
				return nil, err
			}
		}
		found, err := n.collect()
		if err != nil {
			return nil, err
		}
		if !found {
			n.b = nil
			continue
		}
		if err := n.emit(); err != nil {
			return nil, err
		}
		if n.on != nil {
			if err := n.filter(); err != nil {
				return nil, err
			}
		}
		if n.out.Rows() > 0 {
			return &n.out, nil
		}
	}
}

// open starts a batch of parents.
func (n *unnest) open(b *vector.Batch) error {
	n.b, n.i, n.e = b, 0, 0
	n.outer.matched = vector.Resize(n.outer.matched, b.Rows())
	clear(n.outer.matched)
	n.kept = make([]*vector.Vector, len(n.u.Keep))
	n.fields = n.fields[:0]
	if n.series != nil {
		n.series.started = false
		for range n.columns {
			n.fields = append(n.fields, &n.series.values)
		}
		return nil
	}
	for _, c := range n.columns {
		field, err := c.of(b.Cols[n.u.Column])
		if err != nil {
			return err
		}
		n.fields = append(n.fields, field)
	}
	return nil
}

// collect lists the next elements, up to a batch of them. It returns false if none is
// left. A parent that fills a batch alone begins a new one, so that its columns can be
// constants.
func (n *unnest) collect() (bool, error) {
	n.stretches, n.rows, n.contiguous, n.outer.count = n.stretches[:0], 0, true, 0
	switch {
	case n.series != nil:
		return n.collectSeries()
	case n.ownerless():
		return n.collectAll(), nil
	}
	v, parents, next := n.b.Cols[n.u.Column], n.b.Rows(), int32(0)
	for n.i < parents {
		lo, hi := span(v, n.b.Row(n.i))
		left := hi - lo - int32(n.e)
		if left <= 0 {
			if n.ownRow(hi == lo) && !n.addAbsent() {
				break
			}
			n.i, n.e = n.i+1, 0
			continue
		}
		room := int32(vector.BatchSize - n.rows)
		if room == 0 || left >= vector.BatchSize && n.rows > 0 {
			break
		}
		r := stretch{parent: int32(n.i), from: lo + int32(n.e), pos: n.e, count: min(left, room)}
		n.contiguous = n.contiguous && (n.rows == 0 || r.from == next)
		n.stretches, n.rows, n.e, next = append(n.stretches, r), n.rows+int(r.count), n.e+int64(r.count), r.from+r.count
	}
	return n.rows > 0, nil
}

// ownerless reports whether the elements of all parents are adjacent, and whose they are does
// not matter.
func (n *unnest) ownerless() bool {
	v := n.b.Cols[n.u.Column]
	return len(n.u.Keep) == 0 && !n.u.Pos && !n.u.Outer && n.b.Sel == nil && v.Form == vector.Flat && v.Valid == nil && n.b.Len > 0
}

// collectAll is collect for such elements, as if they were of one parent.
func (n *unnest) collectAll() bool {
	offsets := n.b.Cols[n.u.Column].Offsets
	from := offsets[0] + int32(n.e)
	n.rows = int(min(offsets[n.b.Len]-from, vector.BatchSize))
	n.stretches = append(n.stretches, stretch{from: from, count: int32(n.rows)})
	n.e += int64(n.rows)
	return n.rows > 0
}

// span is the range of a row's elements in the children.
func span(v *vector.Vector, row int) (lo, hi int32) {
	if v.IsNull(row) {
		return 0, 0
	}
	if v.Form == vector.Constant {
		row = 0
	}
	return v.Offsets[row], v.Offsets[row+1]
}

// emit makes the output of the listed rows.
func (n *unnest) emit() error {
	n.out.Len, n.out.Sel = n.rows, nil
	single := n.stretches[0].parent == n.stretches[len(n.stretches)-1].parent
	for k := range n.u.Keep {
		if err := n.keep(k, single); err != nil {
			return err
		}
	}
	next := len(n.u.Keep)
	if !n.contiguous && n.outer.count == 0 {
		n.listElements()
	}
	for f, v := range n.fields {
		out := n.out.Cols[next+f]
		switch {
		case n.outer.count > 0:
			if err := n.pick(out, v, n.columns[f].Type); err != nil {
				return err
			}
		case n.contiguous:
			out.Slice(v, int(n.stretches[0].from), n.rows)
		default:
			*out = vector.Vector{} // it may have been a slice
			if err := CopyVector(out, v, n.elements); err != nil {
				return err
			}
		}
	}
	if n.u.Pos {
		n.positions()
	}
	return nil
}

func (n *unnest) listElements() {
	n.elements = n.elements[:0]
	for _, r := range n.stretches {
		for i := range r.count {
			n.elements = append(n.elements, r.from+i)
		}
	}
}

func (n *unnest) positions() {
	n.pos.Reset(vector.Of(vector.BigInt), n.rows)
	to := n.pos.I64
	for _, r := range n.stretches {
		if r.from == absent {
			n.pos.SetNull(n.rows - len(to))
		}
		for i := range to[:r.count] {
			to[i] = r.pos + int64(i)
		}
		to = to[r.count:]
	}
}

// keep makes the k-th of the parents' columns.
func (n *unnest) keep(k int, single bool) error {
	src, out := n.b.Cols[n.u.Keep[k]], n.out.Cols[k]
	rows := n.rows
	switch {
	case single || src.Form == vector.Constant || src.Type.Kind == vector.Null:
		*out = vector.Vector{}
		if err := out.Gather(src, []int32{int32(n.b.Row(int(n.stretches[0].parent)))}); err != nil {
			return err
		}
		out.Form, out.Len = vector.Constant, rows
		return nil
	case src.Type.Storage() == vector.StoreNested:
		sel := make([]int32, 0, rows)
		for _, r := range n.stretches {
			for range r.count {
				sel = append(sel, int32(n.b.Row(int(r.parent))))
			}
		}
		return out.Gather(src, sel)
	}
	if n.kept[k] == nil {
		dict, err := n.dictionary(src)
		if err != nil {
			return err
		}
		n.kept[k] = dict
	}
	dict := n.kept[k]
	out.Type, out.Form, out.Len, out.Dict, out.Valid = dict.Type, vector.Dictionary, rows, dict.Dict, nil
	out.Codes = vector.Resize(out.Codes, rows)
	if dict.Valid != nil {
		out.Valid = vector.NewValidity(rows)
	}
	from := 0
	for _, r := range n.stretches {
		to, code := from+int(r.count), dict.Codes[r.parent]
		for i := range out.Codes[from:to] {
			out.Codes[from+i] = code
		}
		if dict.Valid != nil && !dict.Valid.Get(int(r.parent)) {
			for i := from; i < to; i++ {
				out.Valid.Clear(i)
			}
		}
		from = to
	}
	return nil
}

// dictionary returns the selected rows of a parents' column, densely, in dictionary
// form. A dictionary is never changed after it was returned, so each batch of parents
// gets a new one.
func (n *unnest) dictionary(src *vector.Vector) (*vector.Vector, error) {
	v := &vector.Vector{}
	if err := CopyVector(v, src, n.b.Sel); err != nil {
		return nil, err
	}
	if v.Form == vector.Dictionary {
		return v, nil
	}
	rows := &vector.Vector{Type: v.Type, Form: vector.Dictionary, Len: v.Len, Valid: v.Valid, Dict: v}
	v.Valid = nil // a dictionary's entries are never NULL
	rows.Codes = make([]int32, v.Len)
	for i := range rows.Codes {
		rows.Codes[i] = int32(i)
	}
	return rows, nil
}
