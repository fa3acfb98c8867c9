package expr

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// This file makes kernels out of functions of one row. A call through a
// function value is not inlined and costs about a nanosecond, which parsing,
// building strings and calendar arithmetic do not notice. What must be faster
// (comparison, arithmetic, conversion between numbers) has loops of its own.

// operand reads an argument that is flat or constant without a branch: the
// mask turns every row of a constant into 0.
type operand[T vector.Value] struct {
	v    []T
	mask int
}

func operandOf[T vector.Value](v *vector.Vector) operand[T] {
	o := operand[T]{v: *vector.Slice[T](v), mask: -1}
	if v.Form == vector.Constant {
		o.mask = 0
	}
	return o
}

func (o operand[T]) at(i int32) T { return o.v[int(i)&o.mask] }

// map1 is for functions that always have a value.
func map1[A, R vector.Value](f func(A) R) func() kernel {
	return func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, r := operandOf[A](args[0]), *vector.Slice[R](&out.Vector)
			for _, i := range listed(rows, n) {
				r[i] = f(a.at(i))
			}
			return nil
		}
	}
}

func map2[A, B, R vector.Value](f func(A, B) R) func() kernel {
	return func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, b, r := operandOf[A](args[0]), operandOf[B](args[1]), *vector.Slice[R](&out.Vector)
			for _, i := range listed(rows, n) {
				r[i] = f(a.at(i), b.at(i))
			}
			return nil
		}
	}
}

func map3[A, B, C, R vector.Value](f func(A, B, C) R) func() kernel {
	return func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, b, c := operandOf[A](args[0]), operandOf[B](args[1]), operandOf[C](args[2])
			r := *vector.Slice[R](&out.Vector)
			for _, i := range listed(rows, n) {
				r[i] = f(a.at(i), b.at(i), c.at(i))
			}
			return nil
		}
	}
}

// outcome says what a function of one row came to.
type outcome struct {
	null bool
	err  error
}

// try1 is for functions that may have no value or fail.
func try1[A, R vector.Value](f func(A) (R, outcome)) func() kernel {
	return func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, r := operandOf[A](args[0]), *vector.Slice[R](&out.Vector)
			for _, i := range listed(rows, n) {
				v, o := f(a.at(i))
				if o.err != nil {
					return o.err
				}
				if o.null {
					out.null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}
}

func try2[A, B, R vector.Value](f func(A, B) (R, outcome)) func() kernel {
	return func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, b, r := operandOf[A](args[0]), operandOf[B](args[1]), *vector.Slice[R](&out.Vector)
			for _, i := range listed(rows, n) {
				v, o := f(a.at(i), b.at(i))
				if o.err != nil {
					return o.err
				}
				if o.null {
					out.null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}
}

func try3[A, B, C, R vector.Value](f func(A, B, C) (R, outcome)) func() kernel {
	return func() kernel {
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, b, c := operandOf[A](args[0]), operandOf[B](args[1]), operandOf[C](args[2])
			r := *vector.Slice[R](&out.Vector)
			for _, i := range listed(rows, n) {
				v, o := f(a.at(i), b.at(i), c.at(i))
				if o.err != nil {
					return o.err
				}
				if o.null {
					out.null(int(i))
				}
				r[i] = v
			}
			return nil
		}
	}
}

// textBuffer collects the texts of a batch, so that they cost one allocation
// together. The memory in which they are built is used again; that of the
// strings is not, for strings stay valid as long as they are referenced.
type textBuffer struct {
	bytes []byte
	ends  []int
	rows  []int32
}

func (t *textBuffer) start() { t.bytes, t.ends, t.rows = t.bytes[:0], t.ends[:0], t.rows[:0] }

// done says that what was appended to bytes since the last call is row i.
func (t *textBuffer) done(i int32) {
	t.ends = append(t.ends, len(t.bytes))
	t.rows = append(t.rows, i)
}

// last is where the bytes of the row that is being built start.
func (t *textBuffer) last() int {
	if len(t.ends) == 0 {
		return 0
	}
	return t.ends[len(t.ends)-1]
}

// finish hands the texts to dst.
func (t *textBuffer) finish(dst []string) {
	all, from := string(t.bytes), 0
	for k, i := range t.rows {
		dst[i] = all[from:t.ends[k]]
		from = t.ends[k]
	}
}

// text1 is for functions that append the text of a row to a buffer.
func text1[A vector.Value](f func([]byte, A) ([]byte, outcome)) func() kernel {
	return func() kernel {
		t := &textBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a := operandOf[A](args[0])
			return t.fill(rows, n, out, func(dst []byte, i int32) ([]byte, outcome) { return f(dst, a.at(i)) })
		}
	}
}

func text2[A, B vector.Value](f func([]byte, A, B) ([]byte, outcome)) func() kernel {
	return func() kernel {
		t := &textBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, b := operandOf[A](args[0]), operandOf[B](args[1])
			return t.fill(rows, n, out, func(dst []byte, i int32) ([]byte, outcome) { return f(dst, a.at(i), b.at(i)) })
		}
	}
}

func text3[A, B, C vector.Value](f func([]byte, A, B, C) ([]byte, outcome)) func() kernel {
	return func() kernel {
		t := &textBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			a, b, c := operandOf[A](args[0]), operandOf[B](args[1]), operandOf[C](args[2])
			return t.fill(rows, n, out, func(dst []byte, i int32) ([]byte, outcome) {
				return f(dst, a.at(i), b.at(i), c.at(i))
			})
		}
	}
}

// maxValueText bounds one text that an operation makes, so that a small
// expression cannot ask for any amount of memory: as long as a Parquet page
// may be, and with it any value that is read.
const maxValueText = math.MaxInt32

// maxBatchText bounds the text that one operation makes of several rows; a
// variable so that a test need not make as much.
var maxBatchText = 1 << 30

func (t *textBuffer) fill(rows []int32, n int, out *result, f func([]byte, int32) ([]byte, outcome)) error {
	t.start()
	for _, i := range listed(rows, n) {
		var o outcome
		if t.bytes, o = f(t.bytes, i); o.err != nil {
			return o.err
		}
		if o.null {
			out.null(int(i))
		}
		switch {
		case len(t.bytes)-t.last() > maxValueText:
			return errTooLong
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

// maxKeptText is how large a build buffer is kept for the next batch.
const maxKeptText = 1 << 22
