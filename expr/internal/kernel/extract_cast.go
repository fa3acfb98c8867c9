package kernel

import (
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// Casting converts the values found in VARIANTs to a SQL type, each as a CAST converts
// the column that Parquet has for values of its kind, kind by kind.
type Casting struct {
	to     vector.Type
	text   bool // bytes become base64
	fails  bool // only Failed counts
	casts  []*naturalCast
	picks  []vector.Pick
	none   *vector.Vector
	out    vector.Vector
	failed []int32

	buffer TextBuffer
	writer variant.TextWriter
	texts  Result // of objects and arrays
}

// NewCasting converts to t, or to text as ->> does.
func NewCasting(t vector.Type, text bool) *Casting {
	return &Casting{to: t, text: text, none: vector.NewConstant(vector.NullOf(t), 1)}
}

// Cast converts the values of the listed rows; all others are unspecified. The result
// is valid until the next call.
func (c *Casting) Cast(found variant.Located, rows []int32, n int) (*vector.Vector, error) {
	c.failed = c.failed[:0]
	switch {
	case found.Rest != nil || found.Typed != nil && found.Text != nil:
		return c.several(found, rows, n)
	case found.Typed != nil:
		return c.typed(found.Typed, rows)
	case found.Text != nil:
		c.out = *found.Text
		c.out.Type = c.to
		return &c.out, nil
	}
	c.out = *vector.NewConstant(vector.NullOf(c.to), n)
	return &c.out, nil
}

// several is Cast where the values come from several vectors.
func (c *Casting) several(found variant.Located, rows []int32, n int) (*vector.Vector, error) {
	c.picks = vector.Resize(c.picks, n)
	clear(c.picks) // source 0 is NULL
	sources := []*vector.Vector{c.none}
	for _, whole := range []*vector.Vector{found.Typed, found.Text} {
		if whole == nil {
			continue
		}
		v := whole
		if whole == found.Typed {
			var err error
			if v, err = c.typed(v, rows); err != nil {
				return nil, err
			}
		}
		for _, row := range Listed(rows, n) {
			if !v.IsNull(int(row)) {
				c.picks[row] = vector.Pick{Source: int32(len(sources)), Row: row}
			}
		}
		sources = append(sources, v)
	}
	if found.Rest != nil {
		var err error
		if sources, err = c.rest(found.Rest, rows, n, sources); err != nil {
			return nil, err
		}
	}
	slices.Sort(c.failed)
	if err := c.out.Pick(c.to, sources, c.picks); err != nil {
		return nil, err
	}
	return &c.out, nil
}

// rest converts the values that are not shredded, and picks them.
func (c *Casting) rest(v *vector.Vector, rows []int32, n int, sources []*vector.Vector) ([]*vector.Vector, error) {
	groups, containers, err := variant.NaturalGroups(v, Listed(rows, n))
	if err != nil {
		return nil, Damaged(err)
	}
	for _, g := range groups {
		converted, err := c.convert(g.Values, nil, false)
		if err != nil {
			return nil, err
		}
		for i, row := range g.Rows {
			if converted.IsNull(i) {
				c.failed = append(c.failed, row)
				continue
			}
			c.picks[row] = vector.Pick{Source: int32(len(sources)), Row: int32(i)}
		}
		sources = append(sources, converted)
	}
	switch {
	case len(containers) == 0:
		return sources, nil
	case !c.makesText():
		c.failed = append(c.failed, containers...)
		return sources, nil
	}
	if c.fails {
		return sources, nil
	}
	c.texts.Reset(c.to, n)
	if err := c.buffer.Fill(containers, n, &c.texts, func(dst []byte, i int32) ([]byte, Outcome) {
		return appendVariant(&c.writer, dst, v, int(i))
	}); err != nil {
		return nil, err
	}
	for _, row := range containers {
		c.picks[row] = vector.Pick{Source: int32(len(sources)), Row: row}
	}
	return append(sources, &c.texts.Vector), nil
}

// Wanted is what is needed of values: objects and arrays become JSON text, which never
// fails; to other types they do not convert. A string that becomes VARCHAR stays as it is.
func (c *Casting) Wanted() variant.Wanted {
	switch {
	case !c.makesText():
		return variant.Values
	case c.fails:
		return variant.Binaries
	case c.to.Kind == vector.Varchar:
		return variant.Strings
	}
	return variant.ValuesAndText
}

func (c *Casting) makesText() bool { return c.to.Kind == vector.Varchar || c.to.Kind == vector.JSON }

// OnlyFails says that nothing but Failed will be asked for.
func (c *Casting) OnlyFails() { c.fails = true }

// Failed are the rows of the last Cast whose value does not convert, ascending.
func (c *Casting) Failed() []int32 { return c.failed }

// typed converts shredded values, which come as they are where the type is the same.
func (c *Casting) typed(v *vector.Vector, rows []int32) (*vector.Vector, error) {
	out, err := c.convert(v, rows, true)
	if err != nil || out == v {
		return out, err
	}
	for _, row := range Listed(rows, v.Len) {
		if out.IsNull(int(row)) && !v.IsNull(int(row)) {
			c.failed = append(c.failed, row)
		}
	}
	return out, nil
}

// naturalCast converts values of one type. It is a node of the values at hand.
type naturalCast struct {
	from vector.Type
	// shredded is whether it is for the shredded values.
	shredded bool
	run      *Strict // nil: there is no conversion
	same     bool    // only the type changes
	in       *vector.Vector
	view     vector.Vector
}

// Eval implements Node.
func (n *naturalCast) Eval(*Frame, []int32) (*vector.Vector, error) { return n.in, nil }

// convert converts the shredded values, or a group. They may have the same type, and both
// results are needed at once: so each has a cast of its own.
func (c *Casting) convert(v *vector.Vector, rows []int32, shredded bool) (*vector.Vector, error) {
	if v.Type.Equal(c.to) {
		return v, nil
	}
	at := slices.IndexFunc(c.casts, func(n *naturalCast) bool { return n.shredded == shredded && n.from.Equal(v.Type) })
	if at < 0 {
		at = len(c.casts)
		c.casts = append(c.casts, c.newCast(v.Type))
		c.casts[at].shredded = shredded
	}
	n := c.casts[at]
	if n.same {
		return n.retyped(v, c.to), nil
	}
	if n.run == nil {
		return vector.NewConstant(vector.NullOf(c.to), v.Len), nil
	}
	n.in = v
	return n.run.Eval(&Frame{N: v.Len}, rows)
}

// retyped is v as a vector of another type of its storage.
func (n *naturalCast) retyped(v *vector.Vector, t vector.Type) *vector.Vector {
	n.view = *v
	n.view.Type = t
	if v.Dict != nil {
		dict := *v.Dict
		dict.Type = t
		n.view.Dict = &dict
	}
	return &n.view
}

// newCast is the conversion of a natural type.
func (c *Casting) newCast(from vector.Type) *naturalCast {
	n := &naturalCast{from: from}
	o, err := Conversion(from, c.to, true)
	switch {
	case c.text && from.Kind == vector.Blob:
		o, err = Operation{Careful: true, Make: Text1(func(dst []byte, s string) ([]byte, Outcome) {
			return base64.StdEncoding.AppendEncode(dst, []byte(s)), Outcome{}
		})}, nil
	case c.to.Kind == vector.JSON:
		o, err = Operation{Careful: true, Make: RenderJSON}, nil
	}
	if n.same = err == nil && o.Make == nil; err == nil && !n.same {
		n.run = NewStrict(c.to, o, []Node{n})
	}
	return n
}

// Error is the error for the first value that does not convert.
func (c *Casting) Error(found variant.Located) error {
	row := int(c.failed[0])
	text, from := "", ""
	if found.Typed != nil && !found.Typed.IsNull(row) {
		s := found.Typed.Get(row)
		text, from = LiteralText(s), s.Type.String()
	} else if v, ok := variant.Get(found.Rest, row); ok {
		text, from = string(v.AppendJSON(nil)), v.Kind().TypeName()
	}
	return fmt.Errorf("cannot cast the VARIANT %.100s, which is a %s, to %s; TRY_CAST and TRY_VARIANT_GET give NULL", text, from, c.to)
}
