package exectest

import (
	"slices"
	"unsafe"

	"github.com/parquetsql/parquetsql/vector"
)

// lent is the memory of texts that a Source lends with a batch.
type lent struct {
	texts [][]byte
	kept  bool // by Keep
}

// Keep implements vector.Lease.
func (l *lent) Keep() { l.kept = true }

// overwrite ends the lending.
func (l *lent) overwrite() {
	for _, b := range l.texts {
		if !l.kept {
			fill(b, '#')
		}
	}
}

// lend is v with the same texts in memory that is overwritten with the batch. Those of a dictionary
// may have a lease.
func (s *Source) lend(v *vector.Vector) *vector.Vector {
	out, l := *v, &lent{}
	switch {
	case v.Form == vector.Dictionary:
		dict := *v.Dict
		if out.Dict = &dict; s.r.IntN(2) == 0 {
			dict.Lease = l
		}
		l.move(&dict)
	default:
		l.move(&out)
	}
	s.lent = append(s.lent, l)
	return &out
}

// move moves the texts of v to memory of l.
func (l *lent) move(v *vector.Vector) {
	v.Str, v.Texts = slices.Clone(v.Str), vector.Lent
	for i, text := range v.Str {
		b := []byte(text)
		l.texts = append(l.texts, b)
		v.Str[i] = unsafe.String(unsafe.SliceData(b), len(b))
	}
	v.Children = slices.Clone(v.Children)
	for i, c := range v.Children {
		child := *c
		l.move(&child)
		v.Children[i] = &child
	}
}
