package list

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Step goes from a nested value to one of its elements or fields.
type Step struct {
	Key   expr.Expr // of a LIST the position, of a MAP the key; nil: a field of a STRUCT
	Base  int64     // what the first position of a LIST is, 0 or 1
	Field int
}

// NewPath builds the value at the end of the steps, in its own type.
func NewPath(call expr.Callee, args []expr.Expr, x expr.Expr, steps []Step) (expr.Expr, error) {
	t := x.Type()
	if c, ok := x.(*expr.Case); ok && t.Kind == vector.Struct {
		return ofArms(call, args, c, steps)
	}
	for _, s := range steps {
		switch t.Kind {
		case vector.List:
			t = t.Fields[0].Type
		case vector.Map:
			t = t.Fields[1].Type
		default:
			t = t.Fields[s.Field].Type
		}
	}
	if t.Kind == vector.Null {
		return expr.NewConst(vector.NullOf(t)), nil
	}
	impl := &expr.Routine{Args: []expr.Expr{x}, Node: func(by *expr.Compiler) kernel.Node {
		p := &pathNode{x: by.Node(x), steps: steps, typ: t}
		for _, s := range steps {
			var key kernel.Node
			if s.Key != nil {
				key = by.Node(s.Key)
			}
			p.keys = append(p.keys, key)
		}
		return p
	}}
	return expr.NewCall(call, args, t, impl), nil
}

// ofArms is the path from each arm of CASE of STRUCTs, whose other fields are not put together.
func ofArms(call expr.Callee, args []expr.Expr, c *expr.Case, steps []Step) (expr.Expr, error) {
	path := func(arm expr.Expr) (expr.Expr, error) {
		return NewPath(call, append([]expr.Expr{arm}, args[1:]...), arm, steps)
	}
	thens := make([]expr.Expr, len(c.Thens))
	var err error
	for i, arm := range c.Thens {
		if thens[i], err = path(arm); err != nil {
			return nil, err
		}
	}
	other, err := path(c.Else)
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, c.Whens, thens, other)
}

// pathNode evaluates all rows step by step. After each step every row has an index
// into the same child vector, or none.
type pathNode struct {
	x     kernel.Node
	steps []Step
	keys  []kernel.Node
	typ   vector.Type

	at    []int32 // each row's index in the child vector; -1: none
	sel   []int32
	out   kernel.Result
	field vector.Vector   // see fields
	valid vector.Validity // its memory
}

func (p *pathNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v, err := p.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	if out := p.fields(v, f.N); out != nil {
		return out, nil
	}
	p.at = vector.Resize(p.at, f.N)
	for i := range p.at {
		p.at[i] = -1
	}
	for _, i := range kernel.Listed(rows, f.N) {
		p.at[i] = i
	}
	for k, s := range p.steps {
		var key *vector.Vector
		if p.keys[k] != nil {
			if key, err = p.keys[k].Eval(f, rows); err != nil {
				return nil, err
			}
		}
		v = p.descend(v, s, key, kernel.Listed(rows, f.N))
		if v == nil {
			return p.out.SetNull(p.typ, f.N), nil
		}
	}
	return p.collect(v, rows, f.N)
}

// fields is the value of n rows where all steps go to fields of STRUCTs, in vectors whose
// rows are those of v, so that nothing is copied. Otherwise it is nil.
func (p *pathNode) fields(v *vector.Vector, n int) *vector.Vector {
	var valid vector.Validity // nil: no row has been NULL
	for _, s := range p.steps {
		if v.Type.Kind != vector.Struct || v.Form != vector.Flat || len(v.Children) == 0 {
			return nil
		}
		valid = p.both(valid, v.Valid, n)
		v = v.Children[s.Field]
	}
	if v.Len < n || v.Type.Kind == vector.Null || valid != nil && (v.Form == vector.Constant || v.Type.Storage() == vector.StoreNested) {
		return nil
	}
	p.field = *v
	p.field.Type, p.field.Len, p.field.Valid = p.typ, n, p.both(valid, v.Valid, n)
	return &p.field
}

// both says which of n rows have a value in both.
func (p *pathNode) both(a, b vector.Validity, n int) vector.Validity {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	p.valid = vector.Resize(p.valid, (n+63)/64)
	for i := range p.valid {
		p.valid[i] = a[i] & b[i]
	}
	return p.valid
}

// descend moves every row by one step and returns the vector that it leads to.
func (p *pathNode) descend(v *vector.Vector, s Step, key *vector.Vector, rows []int32) *vector.Vector {
	constant := v.Form == vector.Constant
	for _, i := range rows {
		at := p.at[i]
		if at >= 0 && (v.IsNull(int(at)) || key != nil && key.IsNull(int(i))) {
			p.at[i] = -1
		} else if at >= 0 && constant {
			p.at[i] = 0
		}
	}
	if len(v.Children) == 0 {
		return nil
	}
	switch v.Type.Kind {
	case vector.Struct:
		return v.Children[s.Field]
	case vector.List:
		for _, i := range rows {
			if at := p.at[i]; at >= 0 {
				p.at[i] = position(v, at, kernel.Cell[int64](key, i), s.Base)
			}
		}
		return v.Children[0]
	}
	find := findIn(v.Type.Fields[0].Type)
	for _, i := range rows {
		if at := p.at[i]; at >= 0 {
			p.at[i] = find(v.Children[0], v.Offsets[at], v.Offsets[at+1], key, i)
		}
	}
	return v.Children[1]
}

// position is the index of the n-th element of a list, counted from base, or from the
// end if n is negative; -1 if there is none.
func position(v *vector.Vector, row int32, n, base int64) int32 {
	from, to := int64(v.Offsets[row]), int64(v.Offsets[row+1])
	switch {
	case n < 0 && n >= from-to:
		return int32(to + n)
	case n >= base && n-base < to-from:
		return int32(from + n - base)
	}
	return -1
}

// collect copies the values at the rows' indexes to the output.
func (p *pathNode) collect(v *vector.Vector, rows []int32, n int) (*vector.Vector, error) {
	if v.Len == 0 {
		return p.out.SetNull(p.typ, n), nil
	}
	if p.typ.Storage() == vector.StoreNested {
		return p.collectNested(v)
	}
	p.sel = vector.Resize(p.sel, n)
	for i, at := range p.at {
		p.sel[i] = max(at, 0)
	}
	if err := p.out.Gather(v, p.sel); err != nil {
		return nil, err
	}
	p.out.Type, p.out.Owned = p.typ, false
	for _, i := range kernel.Listed(rows, n) {
		if p.at[i] < 0 {
			p.out.Null(int(i))
		}
	}
	return &p.out.Vector, nil
}

// collectNested is collect for nested types; rows without an index copy nothing.
func (p *pathNode) collectNested(v *vector.Vector) (*vector.Vector, error) {
	picks := make([]vector.Pick, len(p.at))
	for i, at := range p.at {
		if picks[i].Row = at; at < 0 {
			picks[i] = vector.Pick{Source: 1}
		}
	}
	null := vector.NewConstant(vector.NullOf(p.typ), 1)
	p.out.Owned = false
	return &p.out.Vector, p.out.Pick(p.typ, []*vector.Vector{v, null}, picks)
}
