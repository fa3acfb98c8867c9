package kernel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TextBuffer builds the texts of a batch, in the order of its rows. Short texts share
// one allocation. A long one has its own, so that who keeps it keeps no others alive.
// The build buffer is reused; the memory of the finished strings is not, because
// callers may keep them.
type TextBuffer struct {
	bytes []byte // the short texts that are not written yet, then that of the current row
	start int    // where the current row begins
	ends  []int
	rows  []int32
	meter *quota.Meter
	asked int // how much of bytes the meter knows
}

// Need is called before the text of the current row grows to dst and n bytes more, by
// functions that make much from little. It returns dst with room for them.
func (t *TextBuffer) Need(dst []byte, n int) ([]byte, error) {
	if n < 0 || n > quota.MaxValueText || len(dst)+n-t.start > quota.MaxValueText {
		return dst, quota.ErrTooLong
	}
	if err := t.ask(len(dst) + n); err != nil {
		return dst, err
	}
	return slices.Grow(dst, n), nil
}

// ask tells the meter that the buffer will have a length.
func (t *TextBuffer) ask(length int) error {
	if length <= t.asked {
		return nil
	}
	if err := t.meter.Add(int64(length - t.asked)); err != nil {
		return err
	}
	t.asked = length
	return nil
}

// Fill builds the texts of the listed rows into out. f appends the text of one row.
func (t *TextBuffer) Fill(rows []int32, n int, out *Result, f func([]byte, int32) ([]byte, Outcome)) error {
	t.meter, t.asked, t.start = out.Meter, 0, 0
	list := Listed(rows, n)
	buf, ends, short := t.bytes[:0], slices.Grow(t.ends[:0], len(list)), slices.Grow(t.rows[:0], len(list)) // in registers
	for _, i := range list {
		var o Outcome
		if buf, o = f(buf, i); o.Err != nil {
			return o.Err
		}
		if o.Null {
			out.Null(int(i))
		}
		if len(buf) > t.asked {
			if err := t.meter.Add(int64(len(buf) - t.asked)); err != nil {
				return err
			}
		}
		t.asked = len(buf) // it may have asked for more than it needed
		if size := len(buf) - t.start; size >= quota.OwnText {
			if size > quota.MaxValueText {
				return quota.ErrTooLong
			}
			var err error
			if out.Str[i], err = t.long(buf[t.start:]); err != nil {
				return err
			}
			buf, t.asked = buf[:t.start], t.start
			if cap(buf) > quota.KeptBuffer {
				buf = slices.Clone(buf)
			}
			continue
		}
		t.start = len(buf)
		ends, short = append(ends, t.start), append(short, i)
		if t.start >= writtenAtOnce { // while it is in the cache
			writeTexts(out.Str, buf, ends, short)
			buf, ends, short = buf[:0], ends[:0], short[:0]
			t.start, t.asked = 0, 0
		}
	}
	writeTexts(out.Str, buf, ends, short)
	if cap(buf) > quota.KeptBuffer {
		buf = nil
	}
	t.bytes, t.ends, t.rows = buf, ends, short
	return nil
}

// writtenAtOnce is how many bytes of short texts one allocation has, and at most a short text more. Go's allocator takes up to 32 KiB from lists of
// free objects.
const writtenAtOnce = 32<<10 - quota.OwnText

// writeTexts makes the texts of rows, which end in buf at ends.
func writeTexts(dst []string, buf []byte, ends []int, rows []int32) {
	all, from := string(buf), 0
	for k, i := range rows {
		dst[i] = all[from:ends[k]]
		from = ends[k]
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

// TextWith2 is Text2 for a function that tells the buffer of its work.
func TextWith2[A, B vector.Value](f func(*TextBuffer, []byte, A, B) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b := OperandOf[A](args[0]), OperandOf[B](args[1])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) { return f(t, dst, a.At(i), b.At(i)) })
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

// Grow1 is Text1 for a function whose text may be much longer than its argument.
// size is how many bytes it appends at most; a text that would be longer than
// quota.MaxValueText is an error, before it is built. f may fail, and tells the buffer of its work.
func Grow1[A vector.Value](size func(A) int, f func(*TextBuffer, []byte, A) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a := OperandOf[A](args[0])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				dst, o := t.grow(dst, size(a.At(i)))
				if o.Err == nil {
					dst, o = f(t, dst, a.At(i))
				}
				return dst, o
			})
		}
	}
}

// Grow2 is Grow1 for two arguments.
func Grow2[A, B vector.Value](size func(A, B) int, f func(*TextBuffer, []byte, A, B) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b := OperandOf[A](args[0]), OperandOf[B](args[1])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				dst, o := t.grow(dst, size(a.At(i), b.At(i)))
				if o.Err == nil {
					dst, o = f(t, dst, a.At(i), b.At(i))
				}
				return dst, o
			})
		}
	}
}

// Grow3 is Grow1 for three arguments.
func Grow3[A, B, C vector.Value](size func(A, B, C) int, f func(*TextBuffer, []byte, A, B, C) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a, b, c := OperandOf[A](args[0]), OperandOf[B](args[1]), OperandOf[C](args[2])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				dst, o := t.grow(dst, size(a.At(i), b.At(i), c.At(i)))
				if o.Err == nil {
					dst, o = f(t, dst, a.At(i), b.At(i), c.At(i))
				}
				return dst, o
			})
		}
	}
}

// Join joins texts.
func Join() Func {
	t := &TextBuffer{}
	var parts []Operand[string]
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		parts = parts[:0]
		for _, a := range args {
			parts = append(parts, OperandOf[string](a))
		}
		if len(parts) == 2 {
			a, b := parts[0], parts[1]
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
				if x, y := a.At(i), b.At(i); len(x) < quota.OwnText/2 && len(y) < quota.OwnText/2 {
					return append(append(dst, x...), y...), Outcome{}
				}
				return t.join(dst, parts, i)
			})
		}
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) { return t.join(dst, parts, i) })
	}
}

// join appends the texts of a row. Of short ones Fill counts the bytes.
func (t *TextBuffer) join(dst []byte, parts []Operand[string], i int32) ([]byte, Outcome) {
	size := 0
	for k := range parts {
		if size += len(parts[k].At(i)); size > quota.MaxValueText {
			break
		}
	}
	if size < quota.OwnText {
		for k := range parts {
			dst = append(dst, parts[k].At(i)...)
		}
		return dst, Outcome{}
	}
	dst, o := t.grow(dst, size)
	if o.Err != nil {
		return dst, o
	}
	for k := range parts {
		if dst, o = t.Append(dst, parts[k].At(i)); o.Err != nil {
			return dst, o
		}
	}
	return dst, Outcome{}
}

// grow is Need with the length in the message.
func (t *TextBuffer) grow(dst []byte, n int) ([]byte, Outcome) {
	dst, err := t.Need(dst, n)
	if errors.Is(err, quota.ErrTooLong) {
		err = fmt.Errorf("a text of up to %d bytes: %w of %d bytes", n, err, quota.MaxValueText)
	}
	return dst, Outcome{Err: err}
}

// Times is n times size, where that does not overflow, else more than any text may have.
func Times(size int, n int64) int {
	switch {
	case n <= 0 || size == 0:
		return 0
	case n > quota.MaxValueText/int64(size):
		return quota.MaxValueText + 1
	}
	return size * int(n)
}
