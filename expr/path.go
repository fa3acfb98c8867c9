package expr

import (
	"slices"

	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// step goes from a value to one within it.
type step struct {
	key   Expr // of a LIST the position, of a MAP the key; nil: a field of a STRUCT
	base  int64
	field int
}

// newPath is the value at the end of the steps, of its own type.
func newPath(name string, args []Expr, x Expr, steps []step) (Expr, error) {
	t := x.Type()
	for _, s := range steps {
		switch t.Kind {
		case vector.List:
			t = t.Fields[0].Type
		case vector.Map:
			t = t.Fields[1].Type
		default:
			t = t.Fields[s.field].Type
		}
	}
	if t.Kind == vector.Null {
		return NewConst(vector.NullOf(t)), nil
	}
	impl := &routine{node: func() node {
		p := &pathNode{x: x.compile(), steps: steps, typ: t}
		for _, s := range steps {
			var key node
			if s.key != nil {
				key = s.key.compile()
			}
			p.keys = append(p.keys, key)
		}
		return p
	}}
	return &Call{Name: name, Args: args, T: t, impl: impl}, nil
}

// pathNode follows all rows step by step. After each step every row is at a
// place in one and the same child vector, or nowhere.
type pathNode struct {
	x     node
	steps []step
	keys  []node
	typ   vector.Type

	at  []int32 // the row's place; -1: there is none
	sel []int32
	out result
}

func (p *pathNode) eval(f *frame, rows []int32) (*vector.Vector, error) {
	v, err := p.x.eval(f, rows)
	if err != nil {
		return nil, err
	}
	p.at = vector.Resize(p.at, f.n)
	for i := range p.at {
		p.at[i] = -1
	}
	for _, i := range listed(rows, f.n) {
		p.at[i] = i
	}
	for k, s := range p.steps {
		var key *vector.Vector
		if p.keys[k] != nil {
			if key, err = p.keys[k].eval(f, rows); err != nil {
				return nil, err
			}
		}
		v = p.take(v, s, key, listed(rows, f.n))
		if v == nil {
			return p.out.setNull(p.typ, f.n), nil
		}
	}
	return p.collect(v, rows, f.n)
}

// take moves every row by one step and returns the vector that it leads to.
func (p *pathNode) take(v *vector.Vector, s step, key *vector.Vector, rows []int32) *vector.Vector {
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
		return v.Children[s.field]
	case vector.List:
		for _, i := range rows {
			if at := p.at[i]; at >= 0 {
				p.at[i] = position(v, at, cell[int64](key, i), s.base)
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

// position is where the n-th element of a list lies, counted from base, or from
// the end where n is negative; -1 where there is none.
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

// collect makes the output of the values at the rows' places.
func (p *pathNode) collect(v *vector.Vector, rows []int32, n int) (*vector.Vector, error) {
	if v.Len == 0 {
		return p.out.setNull(p.typ, n), nil
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
	p.out.Type, p.out.owned = p.typ, false
	for _, i := range listed(rows, n) {
		if p.at[i] < 0 {
			p.out.null(int(i))
		}
	}
	return &p.out.Vector, nil
}

// collectNested is collect for lists and groups, of which rows without a place
// take no copy.
func (p *pathNode) collectNested(v *vector.Vector) (*vector.Vector, error) {
	picks := make([]vector.Pick, len(p.at))
	for i, at := range p.at {
		if picks[i].Row = at; at < 0 {
			picks[i] = vector.Pick{Source: 1}
		}
	}
	null := vector.NewConstant(vector.NullOf(p.typ), 1)
	p.out.owned = false
	return &p.out.Vector, p.out.Pick(p.typ, []*vector.Vector{v, null}, picks)
}

// NewRender is a LIST, MAP or STRUCT as its JSON text and BSON as extended JSON
// text. The type keeps its name, but for a STRUCT, which becomes JSON; other
// expressions pass.
func NewRender(x Expr) Expr {
	t := x.Type()
	switch {
	case t.Kind == vector.Struct:
		return &Render{X: x, T: typeJSON}
	case t.IsNested() || t.Kind == vector.BSON:
		return &Render{X: x, T: vector.RenderedType(t)}
	}
	return x
}

// renderMixed is a list of expressions whose common type is t, as JSON text where
// they are nested values of different types: what is shown of a value depends on
// its own type, down to the names of its fields.
func renderMixed(list []Expr, t vector.Type) ([]Expr, vector.Type) {
	if !slices.ContainsFunc(list, func(e Expr) bool { return t.Storage() == vector.StoreNested && !e.Type().Equal(t) }) {
		return list, t
	}
	out := make([]Expr, len(list))
	for i, x := range list {
		out[i] = NewRender(x)
	}
	return out, out[0].Type()
}

func (e *Render) compile() node {
	if e.X.Type().Kind == vector.BSON {
		return newStrict(e.T, &routine{args: []Expr{e.X}, careful: true, make: text1(func(dst []byte, doc string) ([]byte, outcome) {
			dst, err := nested.AppendBSON(dst, doc)
			return dst, outcome{err: err}
		})})
	}
	return newStrict(e.T, &routine{args: []Expr{e.X}, careful: true, make: jsonKernel})
}

// jsonKernel writes values of any type as JSON.
func jsonKernel() kernel {
	t := &textBuffer{}
	return func(args []*vector.Vector, rows []int32, n int, out *result) error {
		v := args[0]
		return t.fill(rows, n, out, func(dst []byte, i int32) ([]byte, outcome) {
			return nested.AppendJSON(dst, v, int(i)), outcome{}
		})
	}
}
