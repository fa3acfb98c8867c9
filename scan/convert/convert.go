// Package convert converts values from the type of a file's column to the type of
// the table's column: the reader converts vectors, pruning converts bounds and
// dictionaries.
package convert

import (
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Converter converts values from a file's type to the table's type. The table's type
// holds the values of all files: different values stay different unless Lossy, and their
// order stays the same if Ordered. It is for one goroutine.
type Converter struct {
	from, to vector.Type
	cast     *expr.Evaluator // nil: the values stay as they are
	back     *expr.Evaluator // see Original; nil: there is none
	shredded bool
	fields   []fieldConverter
	value    *vector.Scalar // see WhereNotNull
	memory   *memory        // nil: the values stay as they are
	dict     *vector.Vector // the last dictionary whose type was renamed,
	renamed  *vector.Vector // and the copy: consumers compare dictionaries by pointer
}

// memory is what a converter evaluates and makes. Most converters need none, and a scan of many
// short files makes many of them.
type memory struct {
	batch vector.Batch
	out   vector.Vector
}

func newMemory() *memory { return &memory{batch: vector.Batch{Cols: make([]*vector.Vector, 1)}} }

// fieldConverter converts one child of a nested value. from is the child's index in
// the file's type, -1 if the file has no such field.
type fieldConverter struct {
	from    int
	missing *vector.Scalar // its values where the file has no such field; nil: NULL
	convert *Converter
}

// New pairs the fields of structs by their names. It fails if the types do not convert.
func New(from, to vector.Type) (*Converter, error) { return Matched(from, to, nil) }

// Matched is New with another pairing of the fields within; nil: by name.
func Matched(from, to vector.Type, m *Match) (*Converter, error) {
	c := &Converter{from: from, to: to}
	switch {
	case from.Kind == vector.Variant && to.Kind == vector.Variant:
		return Extract(from, expr.Extraction{})
	case !hasNull(from) && (from.Equal(to) && m.straight() || sameBytes(from, to)):
		return c, nil
	}
	c.memory = newMemory()
	switch {
	case from.Kind == vector.Null:
		return c, nil
	case from.IsNested() && from.Kind == to.Kind:
		return c, c.convertFields(m)
	}
	cast, err := expr.NewCast(expr.NewColumn(0, "", from), to, false)
	if err != nil {
		return nil, err
	}
	c.cast = expr.NewEvaluator(cast)
	return c, nil
}

// WhereNotNull makes a value of each value of a type that is not NULL.
func WhereNotNull(from vector.Type, value vector.Scalar) *Converter {
	return &Converter{from: from, to: value.Type, value: &value, memory: newMemory()}
}

// hasNull reports whether the type is NULL or has it within: see onlyNulls.
func hasNull(t vector.Type) bool {
	return t.Kind == vector.Null || slices.ContainsFunc(t.Fields, func(f vector.Field) bool { return hasNull(f.Type) })
}

// Extract makes values of the VARIANTs of a file, which have the children of type
// from.
func Extract(from vector.Type, what expr.Extraction) (*Converter, error) {
	node, err := expr.NewExtractor(from, what)
	if err != nil {
		return nil, err
	}
	return &Converter{from: from, to: what.Type(), cast: &expr.Evaluator{Root: node}, memory: newMemory()}, nil
}

// Shredded makes of shredded values of type t what is extracted from the VARIANTs that
// they stand for: a key or a sign.
func Shredded(t vector.Type, what expr.Extraction) (*Converter, error) {
	made, err := expr.NewCast(expr.NewColumn(0, "", t), vector.VariantType(), false)
	if err != nil {
		return nil, err
	}
	what.Path = nil
	c := &Converter{from: t, to: what.Type(), cast: expr.NewEvaluator(expr.NewExtract(made, what)), shredded: true, memory: newMemory()}
	if !expr.TellsApart(what, t) {
		return c, nil
	}
	var back expr.Expr
	if what.Form == expr.FormSign {
		back, err = expr.NewCast(expr.NewConst(what.Against), t, true)
	} else {
		back = expr.NewExtract(expr.FromKey(expr.NewColumn(0, "", c.to), vector.VariantType()), expr.Extraction{Form: expr.FormTry, T: t})
	}
	if err == nil {
		c.back = expr.NewEvaluator(back)
	}
	return c, nil
}

// IsShredded reports whether Shredded has made the converter.
func (c *Converter) IsShredded() bool { return c.shredded }

// Original is the only shredded value that becomes s; false if it is not known whether
// there is one.
func (c *Converter) Original(s vector.Scalar) (vector.Scalar, bool) {
	if s.Null || c.back == nil {
		return s, false
	}
	c.memory.batch.Len, c.memory.batch.Cols[0], c.memory.batch.Sel = 1, vector.NewConstant(s, 1), nil
	v, err := c.back.Eval(&c.memory.batch)
	if err != nil || v.IsNull(0) {
		return vector.Scalar{}, false
	}
	original := v.Get(0)
	again, ok := c.Scalar(original)
	return original, ok && !again.Null && again.Compare(&s) == 0
}

// onlyNulls checks that a column has no value. Its type may be NULL because statistics say so: see
// nested.WithoutValues.
func onlyNulls(v *vector.Vector) error {
	if v.Type.Kind == vector.Null {
		return nil
	}
	for i := range v.Len {
		if !v.IsNull(i) {
			return &errs.CorruptError{RowGroup: -1, Offset: -1, Err: errors.New("the statistics count only NULLs, and there is a value")}
		}
	}
	return nil
}

// convertFields pairs the children of two nested types: as m says or else by name in a STRUCT, the
// n-th of a name with the n-th, by position in LIST and MAP.
func (c *Converter) convertFields(m *Match) error {
	if c.from.Kind != vector.Struct && len(c.from.Fields) != len(c.to.Fields) {
		return fmt.Errorf("%v does not convert to %v", c.from, c.to)
	}
	occurrences := map[string]int{}
	for i, f := range c.to.Fields {
		pair := FieldMatch{At: i}
		switch {
		case m != nil:
			pair = m.Fields[i]
		case c.from.Kind == vector.Struct:
			pair.At = fieldAt(c.from, c.to, f.Name, occurrences[f.Name])
			occurrences[f.Name]++
		}
		from := vector.Of(vector.Null)
		switch {
		case pair.At >= 0:
			from = c.from.Fields[pair.At].Type
		case pair.Default != nil:
			from = pair.Default.Type
		}
		child, err := Matched(from, f.Type, pair.Within)
		if err != nil {
			return err
		}
		c.fields = append(c.fields, fieldConverter{pair.At, pair.Default, child})
	}
	return nil
}

// sameBytes reports whether only the type's name changes: BLOB, ENUM and JSON become
// VARCHAR byte for byte (a cast would decode), geometries other ones or BLOB.
func sameBytes(from, to vector.Type) bool {
	switch to.Kind {
	case vector.Varchar:
		return from.IsText() || from.Kind == vector.Blob
	case vector.Blob:
		return from.IsGeospatial()
	}
	return to.IsGeospatial() && from.Kind == to.Kind
}

// Keeps reports whether the values stay as they are, so that no value is an error.
func (c *Converter) Keeps() bool { return c.memory == nil }

// From is the file's type.
func (c *Converter) From() vector.Type { return c.from }

// To is the table's type.
func (c *Converter) To() vector.Type { return c.to }

// Lossy reports whether different values may become equal: 64-bit integers and decimals have more
// digits than a DOUBLE, and a log may give a type with fewer digits than its files have.
func (c *Converter) Lossy() bool {
	switch {
	case c.from.IsTimestamp() && c.to.IsTimestamp():
		return c.from.Unit > c.to.Unit
	case c.from.Kind == vector.Decimal && c.to.Kind == vector.Decimal:
		return c.from.Scale > c.to.Scale
	case c.to.IsFloat():
		return c.from.Kind == vector.BigInt || c.from.Kind == vector.UBigInt || c.from.Kind == vector.Decimal || c.from.Kind == vector.Double && c.to.Kind != vector.Double
	}
	return (c.from.IsFloat() || c.from.Kind == vector.Decimal) && c.to.IsInteger() || c.from.IsTimestamp() && c.to.Kind == vector.Date
}

// Ordered reports whether the order of two values stays the same, though they may become equal:
// not where numbers, dates and the like become text.
func (c *Converter) Ordered() bool {
	return c.value == nil && (c.cast == nil || c.shredded || !c.to.IsText() || c.from.IsText())
}

// Identity reports whether at most the type's name changes.
func (c *Converter) Identity() bool { return c.cast == nil && c.fields == nil && c.value == nil }

// Vector converts v. The result is v itself or valid until the next call.
func (c *Converter) Vector(v *vector.Vector) (*vector.Vector, error) { return c.Rows(v, nil) }

// Rows is Vector for the listed rows, or for all if rows is nil. Others have arbitrary
// values.
func (c *Converter) Rows(v *vector.Vector, rows []int32) (*vector.Vector, error) {
	switch {
	case c.from.Kind == vector.Null:
		if err := onlyNulls(v); err != nil {
			return nil, err
		}
		c.memory.out = *vector.NewConstant(vector.NullOf(c.to), v.Len)
		return &c.memory.out, nil
	case c.value != nil:
		return c.valued(v)
	case c.fields != nil:
		return c.nested(v)
	case c.cast == nil:
		if !v.Type.Equal(c.to) { // see sameBytes
			c.rename(v)
		}
		return v, nil
	}
	c.memory.batch.Len, c.memory.batch.Cols[0], c.memory.batch.Sel = v.Len, v, rows
	return c.cast.Eval(&c.memory.batch)
}

func (c *Converter) rename(v *vector.Vector) {
	v.Type = c.to
	if v.Dict == nil {
		return
	}
	if v.Dict != c.dict {
		dict := *v.Dict
		dict.Type = c.to
		c.dict, c.renamed = v.Dict, &dict
	}
	v.Dict = c.renamed
}

// nested converts the children. The rows keep their children.
func (c *Converter) nested(v *vector.Vector) (*vector.Vector, error) {
	c.memory.out = *v
	c.memory.out.Type = c.to
	c.memory.out.Children = make([]*vector.Vector, len(c.fields))
	for i, f := range c.fields {
		var child *vector.Vector
		if f.from >= 0 && f.from < len(v.Children) {
			child = v.Children[f.from]
		} else {
			child = vector.NewConstant(f.absent(), v.Len)
		}
		var err error
		if c.memory.out.Children[i], err = f.convert.Vector(child); err != nil {
			return nil, err
		}
	}
	return &c.memory.out, nil
}

// valued is the value where v is not NULL.
func (c *Converter) valued(v *vector.Vector) (*vector.Vector, error) {
	values := make([]vector.Scalar, v.Len)
	for i := range values {
		values[i] = *c.value
		if v.IsNull(i) {
			values[i] = vector.NullOf(c.to)
		}
	}
	return &c.memory.out, c.memory.out.FromScalars(c.to, values)
}

// absent is the value of a field that the file does not have.
func (f *fieldConverter) absent() vector.Scalar {
	if f.missing != nil {
		return *f.missing
	}
	return vector.NullOf(vector.Of(vector.Null))
}

// Scalar converts one value that is not nested; false if that fails.
func (c *Converter) Scalar(s vector.Scalar) (vector.Scalar, bool) {
	if s.Null || c.from.Kind == vector.Null {
		return vector.NullOf(c.to), true
	}
	if c.Identity() {
		s.Type = c.to
		return s, true
	}
	v, err := c.Vector(vector.NewConstant(s, 1))
	if err != nil || v.IsNull(0) {
		return vector.Scalar{}, false
	}
	out := v.Get(0)
	out.Type = c.to
	return out, true
}

// Bound converts a bound, where it is if the value stays as it is. It returns nil for nil, if the value
// does not convert, and if the order of values is not that of what they become.
func (c *Converter) Bound(s *vector.Scalar) *vector.Scalar {
	if s == nil || c.from.Kind == vector.Null || !c.Ordered() {
		return nil
	}
	if c.Identity() {
		s.Type = c.to
		return s
	}
	out, ok := c.Scalar(*s)
	if !ok {
		return nil
	}
	return &out
}
