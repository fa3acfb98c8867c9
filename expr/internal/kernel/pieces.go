package kernel

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// A value may have 100 MB and a function of it take a second. A query that is cancelled
// ends within 100 ms, so such a value is worked on in pieces, with a look at the context
// between them.

// Work is Meter.Work for a function that appends to the buffer.
func (t *TextBuffer) Work(n int) error { return t.meter.Work(n) }

// Meter is that of the batch; it may be nil.
func (t *TextBuffer) Meter() *quota.Meter { return t.meter }

// Append appends a text that may be long.
func (t *TextBuffer) Append(dst []byte, s string) ([]byte, Outcome) {
	for len(s) > quota.CopiedPerLook {
		dst = append(dst, s[:quota.CopiedPerLook]...)
		s = s[quota.CopiedPerLook:]
		if err := t.Work(quota.CopiedPerLook); err != nil {
			return dst, Outcome{Err: err}
		}
	}
	return append(dst, s...), Outcome{}
}

// long is a text that may be long as a string.
func (t *TextBuffer) long(text []byte) (string, error) {
	var s strings.Builder
	s.Grow(len(text))
	for piece := range slices.Chunk(text, quota.CopiedPerLook) {
		s.Write(piece)
		if err := t.Work(len(piece)); err != nil {
			return "", err
		}
	}
	return s.String(), nil
}

// Cut is a place in s at at or soon behind it, so that a function of s is that of the
// parts before and behind the place together; len(s) if there is none.
type Cut func(s string, at int) int

// BetweenRunes is the Cut for functions of single characters.
func BetweenRunes(s string, at int) int {
	for end := min(at+utf8.UTFMax, len(s)); at < end && !utf8.RuneStart(s[at]); {
		at++
	}
	return at
}

// EachPiece calls f with the pieces of s.
func EachPiece(m *quota.Meter, s string, cut Cut, f func(piece string)) error {
	for len(s) > quota.BytesPerLook {
		at := cut(s, quota.BytesPerLook)
		f(s[:at])
		if err := m.Work(at); err != nil {
			return err
		}
		s = s[at:]
	}
	f(s)
	return m.Work(len(s))
}

// Sum1 makes the kernel of a number that is the sum of the numbers of the pieces.
func Sum1(cut Cut, f func(string) int64) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a := OperandOf[string](args[0])
			for _, i := range Listed(rows, n) {
				s, sum := a.At(i), int64(0)
				if len(s) < quota.OwnText {
					out.I64[i] = f(s)
					continue
				}
				if err := EachPiece(out.Meter, s, cut, func(piece string) { sum += f(piece) }); err != nil {
					return err
				}
				out.I64[i] = sum
			}
			return nil
		}
	}
}

// Runes1 is Map1 for a function of single characters, whose result is often the argument
// and needs no copy. The meter takes it for as long as the argument.
func Runes1(f func(string) string) func() Func {
	return func() Func {
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a := OperandOf[string](args[0])
			for _, i := range Listed(rows, n) {
				s := a.At(i)
				err := out.Meter.Add(int64(len(s)))
				if err != nil {
					return err
				}
				if out.Str[i], err = ByPieces(out.Meter, s, f); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

// ByPieces is f of s, where f is a function of single characters. A long text is copied
// only where f changes something.
func ByPieces(m *quota.Meter, s string, f func(string) string) (string, error) {
	if len(s) <= quota.BytesPerLook {
		return f(s), nil
	}
	var made strings.Builder
	same := 0 // how much of the beginning is as it was
	err := EachPiece(m, s, BetweenRunes, func(piece string) {
		to := f(piece)
		if made.Len() == 0 && to == piece {
			same += len(piece)
			return
		}
		if made.Len() == 0 {
			made.Grow(len(s))
			made.WriteString(s[:same])
		}
		made.WriteString(to)
	})
	if made.Len() == 0 {
		return s, err
	}
	return made.String(), err
}

// Kept1 hands on the short texts that are kept as they are, without a copy; others makes those of the other rows.
func Kept1(kept func(string) bool, others func() Func) func() Func {
	return func() Func {
		rest, other := []int32(nil), others()
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a := OperandOf[string](args[0])
			rest = rest[:0]
			for _, i := range Listed(rows, n) {
				if s := a.At(i); len(s) < quota.OwnText && kept(s) {
					out.Str[i] = s
				} else {
					rest = append(rest, i)
				}
			}
			if len(rest) == 0 {
				return nil
			}
			return other(args, rest, n, out)
		}
	}
}

// Pieces1 is Text1 for a text whose pieces are made one by one.
func Pieces1(cut Cut, f func([]byte, string) ([]byte, Outcome)) func() Func {
	return TextWith1(func(t *TextBuffer, dst []byte, s string) ([]byte, Outcome) {
		var o Outcome
		err := EachPiece(t.meter, s, cut, func(piece string) {
			if o.Err == nil {
				dst, o = f(dst, piece)
			}
			if o.Err == nil {
				o.Err = t.ask(len(dst))
			}
		})
		if o.Err == nil {
			o.Err = err
		}
		return dst, o
	})
}

// TextWith1 is Text1 for a function that tells the buffer of its work.
func TextWith1(f func(*TextBuffer, []byte, string) ([]byte, Outcome)) func() Func {
	return func() Func {
		t := &TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
			a := OperandOf[string](args[0])
			return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) { return f(t, dst, a.At(i)) })
		}
	}
}
