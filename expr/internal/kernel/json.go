package kernel

import (
	"slices"

	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// RenderJSON writes values of any type as JSON.
func RenderJSON() Func {
	t := &TextBuffer{}
	w := nested.JSON{More: func(text []byte) error { return t.ask(len(text)) }}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		v := args[0]
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
			dst, err := w.Append(dst, v, int(i))
			return dst, Outcome{Err: err}
		})
	}
}

// WithJSON makes a kernel that writes JSON one for which JSON values within others are such
// values, and not strings.
func WithJSON(render func() Func) func() Func {
	return func() Func {
		f := render()
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			return f([]*vector.Vector{asRendered(args[0])}, rows, n, out)
		}
	}
}

// asRendered is a vector of which JSON values within count as text that is rendered already.
func asRendered(v *vector.Vector) *vector.Vector {
	t, has := renderedWithin(v.Type)
	if !has {
		return v
	}
	out := *v
	out.Type = t
	if v.Dict != nil {
		out.Dict = asRendered(v.Dict)
	}
	out.Children = make([]*vector.Vector, len(v.Children))
	for i, c := range v.Children {
		out.Children[i] = asRendered(c)
	}
	return &out
}

// renderedWithin is a type with rendered text in place of JSON; has says that there is some.
func renderedWithin(t vector.Type) (out vector.Type, has bool) {
	switch {
	case t.Kind == vector.JSON:
		return vector.RenderedType(t), true
	case !t.IsNested():
		return t, false
	}
	fields := slices.Clone(t.Fields)
	for i := range fields {
		field, within := renderedWithin(fields[i].Type)
		fields[i].Type, has = field, has || within
	}
	t.Fields = fields
	return t, has
}
