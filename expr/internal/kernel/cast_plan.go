package kernel

import (
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// caster holds the types of a conversion.
type caster struct {
	from, to vector.Type
	try      bool
}

// Conversion finds the operation for a cast; it is an error if there is none.
func Conversion(from, to vector.Type, try bool) (Operation, error) {
	c := caster{from, to, try}
	plan, ok := Operation{}, false
	switch {
	case to.Kind == vector.Variant:
		if group, ok := variantGroup(from); ok {
			return Operation{Careful: true, Make: group.toVariant}, nil
		}
		return Operation{Careful: true, Make: ToVariant}, nil
	case from.Kind == vector.Variant:
		return plan, errs.Unsupported("CAST of %s to %s", from, to)
	case from.Kind == vector.JSON && !to.IsText() && (to.IsNumeric() || to.IsTimestamp() || jsonStrings[to.Kind]):
		return fromJSON(to, try)
	case to.Kind == vector.Boolean:
		plan, ok = c.toBool()
	case to.Kind == vector.UBigInt:
		plan, ok = c.toUnsigned()
	case to.IsInteger():
		plan, ok = c.toInteger()
	case to.IsFloat():
		plan, ok = c.toFloat()
	case to.Kind == vector.Decimal:
		plan, ok = c.toDecimal()
	case to.Kind == vector.Date, to.IsTimestamp():
		plan, ok = c.toInstant()
	case to.Kind == vector.Time:
		plan, ok = c.toTime()
	case to.Kind == vector.Interval:
		plan, ok = c.toInterval()
	case to.Storage() == vector.StoreString:
		plan, ok = c.toString()
	}
	if !ok {
		return plan, scalar.NoCast{From: from, To: to}
	}
	return plan, nil
}

// convert makes an operation from a function of one value; ok is false for a value
// that the target type cannot represent.
func convert[S, D vector.Value](c caster, f func(S) (D, bool)) Operation {
	return Operation{Careful: true, Make: func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r := OperandOf[S](args[0]), *vector.Slice[D](&out.Vector)
			for _, i := range Listed(rows, n) {
				v, ok := f(a.At(i))
				if !ok {
					if !c.try {
						return c.fail(args[0], int(i))
					}
					out.Null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}}
}

// sure makes an operation from a function that succeeds for every argument.
func sure[S, D vector.Value](f func(S) D) Operation { return Operation{Make: Map1(f)} }

// texts makes an operation from a function that appends a value's text.
func texts[S vector.Value](f func([]byte, S) []byte) Operation {
	return Operation{Make: func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a := OperandOf[S](args[0])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) { return f(dst, a.At(i)), Outcome{} })
		}
	}}
}

// fail is the error for a value that cannot be converted.
func (c caster) fail(v *vector.Vector, i int) error {
	return &scalar.CastError{From: c.from, To: c.to, Value: clipText(LiteralText(v.Get(i)))}
}

// maxErrorText is the number of bytes of a value that an error shows.
const maxErrorText = 100
