package expr

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/variant/order"
	"github.com/parquetsql/parquetsql/vector"
)

// extractOf is an extraction from the canonical VARIANTs that x makes.
func extractOf(x kernel.Node, what Extraction) kernel.Node {
	if what.Form == FormEntries {
		return entriesOfCanonical(x, what)
	}
	return newExtractNode(x, kernel.NewLocator(what.Path), what)
}

// NewExtractor is an extraction from the VARIANTs of a file, which come as column 0 of
// batches and have the children of type t. All of them are checked. It fails if
// VARIANTs cannot have the type.
func NewExtractor(t vector.Type, what Extraction) (kernel.Node, error) {
	if what.Form == FormEntries {
		return entriesOfFile(t, what)
	}
	l, err := kernel.NewFileLocator(t, what.Path)
	if err != nil {
		return nil, err
	}
	return newExtractNode(firstColumn{}, l, what), nil
}

// firstColumn is column 0.
type firstColumn struct{}

func (firstColumn) Eval(f *kernel.Frame, _ []int32) (*vector.Vector, error) { return f.Cols[0], nil }

// extractNode locates values and brings them into a form.
type extractNode struct {
	x       kernel.Node
	locator *kernel.Locator
	what    Extraction
	casting *kernel.Casting // of text and typed forms
	values  vector.Vector
	out     kernel.Result
	keys    kernel.TextBuffer

	against  *order.Against // of FormSign
	compared vector.Validity
	signs    []int64 // of shredded values

	texts  variant.TextWriter
	wanted variant.Wanted
}

func newExtractNode(x kernel.Node, l *kernel.Locator, what Extraction) *extractNode {
	n := &extractNode{x: x, locator: l, what: what}
	switch what.Form {
	case FormText:
		n.casting = kernel.NewCasting(vector.Of(vector.Varchar), true)
	case FormTyped, FormTry, FormFails:
		n.casting = kernel.NewCasting(what.T, false)
	case FormJSON:
		n.wanted = variant.Text
	}
	if n.casting != nil {
		if what.Form == FormFails {
			n.casting.OnlyFails()
		}
		n.wanted = n.casting.Wanted()
	}
	return n
}

func (n *extractNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	if kernel.CountRows(rows, f.N) == 0 {
		return n.out.SetNull(n.what.Type(), f.N), nil
	}
	v, err := n.x.Eval(f, rows)
	if err != nil {
		return nil, err
	}
	n.out.Meter = f.Meter
	if n.what.Form == FormSign {
		return n.sign(v, rows, f.N)
	}
	found, err := n.locator.Locate(v, rows, n.wanted)
	if err != nil {
		return nil, err
	}
	switch n.what.Form {
	case FormVariant:
		return n.locator.Values(found, f.N, &n.values)
	case FormKey:
		return n.key(found, rows, f.N)
	case FormJSON:
		return n.json(found, rows, f.N)
	}
	cast, err := n.casting.Cast(found, rows, f.N)
	if err != nil {
		return nil, err
	}
	failed := n.casting.Failed()
	switch {
	case n.what.Form == FormFails:
		n.out.Reset(vector.Of(vector.Boolean), f.N)
		clear(n.out.Bool)
		for _, row := range failed {
			n.out.Bool[row] = true
		}
		return &n.out.Vector, nil
	case n.what.Form == FormTyped && len(failed) > 0:
		return nil, n.casting.Error(found)
	}
	return cast, nil
}

// key makes the keys of the values.
func (n *extractNode) key(found variant.Located, rows []int32, count int) (*vector.Vector, error) {
	v, err := n.locator.Values(found, count, &n.values)
	if err != nil {
		return nil, err
	}
	n.out.Reset(vector.Of(vector.Blob), count)
	numbers := order.NumbersOf(n.what.T)
	err = n.keys.Fill(rows, count, &n.out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
		x, ok := variant.Get(v, int(i))
		if !ok {
			return dst, kernel.Outcome{Null: true}
		}
		return order.AppendKeyAs(numbers, dst, &x), kernel.Outcome{}
	})
	return &n.out.Vector, err
}

// sign compares the values. Those that are shredded are compared as they are.
func (n *extractNode) sign(v *vector.Vector, rows []int32, count int) (*vector.Vector, error) {
	if n.against == nil {
		var err error
		if n.against, err = newAgainst(n.what.Against); err != nil {
			return nil, err
		}
	}
	n.out.Reset(n.what.Type(), count)
	n.compared = vector.Resize(n.compared, (count+63)/64)
	clear(n.compared)
	found, err := n.locator.Visit(v, rows, func(row int, x *variant.Value) {
		n.out.I64[row] = n.against.Value(x)
		n.compared.Set(row)
	})
	if err != nil {
		return nil, err
	}
	n.out.Valid = n.compared
	if t := found.Typed; t != nil {
		n.shredded(t, rows, count)
	}
	return &n.out.Vector, nil
}

// shredded compares the values of a column that has them shredded.
func (n *extractNode) shredded(t *vector.Vector, rows []int32, count int) {
	if n.compared.Count(count) == 0 && t.Form != vector.Constant {
		n.against.Column(t, n.out.I64)
		n.out.Valid = t.Valid
		return
	}
	n.signs = vector.Resize(n.signs, count)
	n.against.Column(t, n.signs)
	for _, row := range kernel.Listed(rows, count) {
		if !t.IsNull(int(row)) {
			n.out.I64[row] = n.signs[row]
			n.compared.Set(int(row))
		}
	}
}

// json makes the JSON text of the values.
func (n *extractNode) json(found variant.Located, rows []int32, count int) (*vector.Vector, error) {
	if found.Text != nil && found.Typed == nil && found.Rest == nil {
		n.values = *found.Text
		n.values.Type = n.what.Type()
		return &n.values, nil
	}
	n.out.Reset(n.what.Type(), count)
	err := n.keys.Fill(rows, count, &n.out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
		switch row := int(i); {
		case found.Text != nil && !found.Text.IsNull(row):
			return append(dst, found.Text.Str[row]...), kernel.Outcome{}
		case found.Typed != nil && !found.Typed.IsNull(row):
			dst, err := variant.AppendShredded(dst, found.Typed, row)
			return dst, kernel.Outcome{Err: err}
		case found.Rest != nil:
			if x, ok := variant.Get(found.Rest, row); ok {
				dst, err := n.texts.Append(dst, &x)
				return dst, kernel.Outcome{Err: err}
			}
		}
		return dst, kernel.Outcome{Null: true}
	})
	return &n.out.Vector, err
}

// newAgainst compares VARIANTs with a constant of SQL.
func newAgainst(s vector.Scalar) (*order.Against, error) {
	var w variant.Writer
	var made vector.Vector
	if err := w.Encode(vector.NewConstant(s, 1), nil, 1, &made); err != nil {
		return nil, err
	}
	c, _ := variant.Get(&made, 0)
	return order.NewAgainst(&c, s.Type)
}
