package kernel

import (
	"math"

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

// TextBuffer collects the texts of a batch, so that they need only one allocation.
// The build buffer is reused; the memory of the finished strings is not, because
// callers may keep them.
type TextBuffer struct {
	bytes []byte
	ends  []int
	rows  []int32
}

func (t *TextBuffer) start() { t.bytes, t.ends, t.rows = t.bytes[:0], t.ends[:0], t.rows[:0] }

// done ends the text of row i: the bytes appended since the last call.
func (t *TextBuffer) done(i int32) {
	t.ends = append(t.ends, len(t.bytes))
	t.rows = append(t.rows, i)
}

// last is the start of the bytes of the current row.
func (t *TextBuffer) last() int {
	if len(t.ends) == 0 {
		return 0
	}
	return t.ends[len(t.ends)-1]
}

// finish writes the texts to dst.
func (t *TextBuffer) finish(dst []string) {
	all, from := string(t.bytes), 0
	for k, i := range t.rows {
		dst[i] = all[from:t.ends[k]]
		from = t.ends[k]
	}
}

// Text1 makes a kernel from a function that appends the text of a row to a buffer.
func Text1[A vector.Value](f func([]byte, A) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a := OperandOf[A](args[0])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) { return f(dst, a.At(i)) })
		}
	}
}

// Text2 is Text1 for two arguments.
func Text2[A, B vector.Value](f func([]byte, A, B) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b := OperandOf[A](args[0]), OperandOf[B](args[1])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) { return f(dst, a.At(i), b.At(i)) })
		}
	}
}

// Text3 is Text1 for three arguments.
func Text3[A, B, C vector.Value](f func([]byte, A, B, C) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, c := OperandOf[A](args[0]), OperandOf[B](args[1]), OperandOf[C](args[2])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				return f(dst, a.At(i), b.At(i), c.At(i))
			})
		}
	}
}

// MaxValueText is the greatest length of a text that an operation makes, so that a
// small expression cannot use unlimited memory. It is the largest size of a Parquet
// page, and so of any value that is read.
const MaxValueText = math.MaxInt32

// maxBatchText is the greatest total length of the texts that one operation makes
// from several rows. It is a variable so that a test can lower it.
var maxBatchText = 1 << 30

// Fill builds the texts of the listed rows into out. f appends the text of one row.
func (t *TextBuffer) Fill(rows []int32, n int, out *Result, f func([]byte, int32) ([]byte, Outcome)) error {
	t.start()
	for _, i := range Listed(rows, n) {
		var o Outcome
		if t.bytes, o = f(t.bytes, i); o.Err != nil {
			return o.Err
		}
		if o.Null {
			out.Null(int(i))
		}
		switch {
		case len(t.bytes)-t.last() > MaxValueText:
			return ErrTooLong
		case len(t.bytes) > maxBatchText && len(t.rows) > 0:
			return ErrBatchTooLong
		}
		t.done(i)
	}
	t.finish(out.Str)
	if cap(t.bytes) > maxKeptText {
		t.bytes = nil
	}
	return nil
}

// maxKeptText is the size up to which a build buffer is kept for the next batch.
const maxKeptText = 1 << 22
