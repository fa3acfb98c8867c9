package kernel

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// This file makes kernels from functions of one row. A call through a function value
// is not inlined and costs about a nanosecond, which is little compared to parsing,
// building strings and calendar arithmetic. Comparison, arithmetic and conversion
// between numbers must be faster, so they have loops of their own.

// Operand reads an argument that is flat or constant without a branch: the
// mask turns every row of a constant into 0.
type Operand[T vector.Value] struct {
	V    []T
	mask int
}

// OperandOf reads v, which is flat or constant.
func OperandOf[T vector.Value](v *vector.Vector) Operand[T] {
	o := Operand[T]{V: *vector.Slice[T](v), mask: -1}
	if v.Form == vector.Constant {
		o.mask = 0
	}
	return o
}

// At is the value of row i.
func (o Operand[T]) At(i int32) T { return o.V[int(i)&o.mask] }

// Constant reports whether all rows have the value of row 0.
func (o Operand[T]) Constant() bool { return o.mask == 0 }

// argument is an Operand that may also be a dictionary.
type argument[T vector.Value] struct {
	v     []T
	codes []int32 // nil: it is not
	mask  int
}

func argumentOf[T vector.Value](v *vector.Vector) argument[T] {
	if v.Form == vector.Dictionary {
		return argument[T]{v: *vector.Slice[T](v.Dict), codes: v.Codes, mask: -1}
	}
	o := OperandOf[T](v)
	return argument[T]{v: o.V, mask: o.mask}
}

// at is where the value of row i is.
func (o *argument[T]) at(i int32) *T {
	at := int(i) & o.mask
	if o.codes != nil {
		at = int(o.codes[at])
	}
	return &o.v[at]
}

// flat reports whether row i has the i-th value.
func (o *argument[T]) flat() bool { return o.codes == nil && o.mask != 0 }

// Map1 makes a kernel from a function that always has a value.
func Map1[A, R vector.Value](f func(A) R) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r := OperandOf[A](args[0]), *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				r[i] = f(a.At(i))
			}
			return nil
		}
	}
}

// Map2 is Map1 for two arguments.
func Map2[A, B, R vector.Value](f func(A, B) R) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, r := OperandOf[A](args[0]), OperandOf[B](args[1]), *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				r[i] = f(a.At(i), b.At(i))
			}
			return nil
		}
	}
}

// Map3 is Map1 for three arguments.
func Map3[A, B, C, R vector.Value](f func(A, B, C) R) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, c := OperandOf[A](args[0]), OperandOf[B](args[1]), OperandOf[C](args[2])
			r := *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				r[i] = f(a.At(i), b.At(i), c.At(i))
			}
			return nil
		}
	}
}

// Long2 is Map2 for functions of texts that may be long: they tell the meter of their work.
func Long2[A, B, R vector.Value](f func(*quota.Meter, A, B) (R, error)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) (err error) {
			a, b, r := OperandOf[A](args[0]), OperandOf[B](args[1]), *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				if r[i], err = f(out.Meter, a.At(i), b.At(i)); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

// Long3 is Long2 for three arguments.
func Long3[A, B, C, R vector.Value](f func(*quota.Meter, A, B, C) (R, error)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) (err error) {
			a, b, c := OperandOf[A](args[0]), OperandOf[B](args[1]), OperandOf[C](args[2])
			r := *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				if r[i], err = f(out.Meter, a.At(i), b.At(i), c.At(i)); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

// Outcome says whether a function of one row returned NULL or failed.
type Outcome struct {
	Null bool
	Err  error
}

// Try1 makes a kernel from a function that may return NULL or fail.
func Try1[A, R vector.Value](f func(A) (R, Outcome)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, r := OperandOf[A](args[0]), *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				v, o := f(a.At(i))
				if o.Err != nil {
					return o.Err
				}
				if o.Null {
					out.Null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}
}

// TryWith1 is Try1 for a function that tells the meter of its work.
func TryWith1[A, R vector.Value](f func(*quota.Meter, A) (R, Outcome)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			return Try1(func(v A) (R, Outcome) { return f(out.Meter, v) })()(args, rows, n, out)
		}
	}
}

// TryWith2 is TryWith1 for two arguments.
func TryWith2[A, B, R vector.Value](f func(*quota.Meter, A, B) (R, Outcome)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			return Try2(func(a A, b B) (R, Outcome) { return f(out.Meter, a, b) })()(args, rows, n, out)
		}
	}
}

// Try2 is Try1 for two arguments.
func Try2[A, B, R vector.Value](f func(A, B) (R, Outcome)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, r := OperandOf[A](args[0]), OperandOf[B](args[1]), *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				v, o := f(a.At(i), b.At(i))
				if o.Err != nil {
					return o.Err
				}
				if o.Null {
					out.Null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}
}

// Try3 is Try1 for three arguments.
func Try3[A, B, C, R vector.Value](f func(A, B, C) (R, Outcome)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, c := OperandOf[A](args[0]), OperandOf[B](args[1]), OperandOf[C](args[2])
			r := *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				v, o := f(a.At(i), b.At(i), c.At(i))
				if o.Err != nil {
					return o.Err
				}
				if o.Null {
					out.Null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}
}

// Try4 is Try1 for four arguments.
func Try4[A, B, C, D, R vector.Value](f func(A, B, C, D) (R, Outcome)) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, c, d := OperandOf[A](args[0]), OperandOf[B](args[1]), OperandOf[C](args[2]), OperandOf[D](args[3])
			r := *vector.Slice[R](&out.Vector)
			for _, i := range Listed(rows, n) {
				v, o := f(a.At(i), b.At(i), c.At(i), d.At(i))
				if o.Err != nil {
					return o.Err
				}
				if o.Null {
					out.Null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}
}

// Cell is the value of row i of a vector of any form.
func Cell[T vector.Value](v *vector.Vector, i int32) T {
	switch v.Form {
	case vector.Constant:
		return (*vector.Slice[T](v))[0]
	case vector.Dictionary:
		return (*vector.Slice[T](v.Dict))[v.Codes[i]]
	}
	return (*vector.Slice[T](v))[i]
}
