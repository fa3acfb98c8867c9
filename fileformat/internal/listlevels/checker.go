// Package listlevels checks the levels of repeated columns.
package listlevels

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

var errContinued = errors.New("a repetition level continues a list that has no elements")

// Checker has, for each repetition level of a leaf, the least definition level of
// an entry in a list that has elements. An entry that continues a list must have at
// least this level, and so must the entry before. Otherwise one of the two may have
// one value too many or too few: the values after it would go to the wrong rows, and
// Skip would not detect it.
type Checker struct {
	least [256]uint8 // by repetition level
	steps []listStep // by repetition level from 1 on; nil where levels have eight bits
	// Most is a definition level that is enough for every list.
	Most uint8
	// Padded says that a NULL may have as many entries as a list would have.
	Padded bool
}

// listStep is a repetition level and its least definition level, each as 128 minus
// the level in every byte of a word.
type listStep struct{ rep, def uint64 }

const (
	eightOnes  = 0x0101010101010101
	eightHighs = 0x80 * eightOnes
)

// New is the checker of a leaf in a writer's file.
func New(leaf *fileformat.Node, w fileformat.Writer) *Checker {
	l := &Checker{Most: 255, Padded: w.Application == "duckdb"}
	for n := leaf; n.Parent != nil; n = n.Parent {
		if n.Repetition == fileformat.Repeated {
			l.least[n.MaxRep] = uint8(n.MaxDef)
		}
	}
	if leaf.MaxRep < 128 && leaf.MaxDef < 128 {
		l.Most = 127
		for rep := 1; rep <= leaf.MaxRep; rep++ {
			l.steps = append(l.steps, listStep{uint64(128-rep) * eightOnes, uint64(128-int(l.least[rep])) * eightOnes})
		}
	}
	return l
}

// Check checks the levels of entries; before is the definition level of the entry
// before them, or Most if that entry is not to be checked.
func (l *Checker) Check(rep, def []uint8, before uint8) error {
	at := 0
	if l.steps != nil {
		for ; at+8 <= len(rep); at += 8 {
			r, d := le.Uint64(rep, at), le.Uint64(def, at)
			shifted := d<<8 | uint64(before)
			before = def[at+7]
			for _, s := range l.steps {
				// The highest bit of a byte says that the entry continues the list, or one
				// within it, and that this entry or the one before has no element.
				if (r+s.rep)&^((d+s.def)&(shifted+s.def))&eightHighs != 0 {
					return errContinued
				}
			}
		}
	}
	for i, level := range rep[at:] {
		if min(def[at+i], before) < l.least[level] {
			return errContinued
		}
		before = def[at+i]
	}
	return nil
}

// DropPadding removes the entries that continue a NULL with the same definition
// level, and returns how many entries stay: DuckDB writes a NULL of the type
// INTEGER[3] as definition levels 0 0 0 and repetition levels 0 1 1.
func (l *Checker) DropPadding(rep, def []uint8, before uint8) (n int, err error) {
	for i, level := range rep {
		d := def[i]
		switch {
		case min(d, before) >= l.least[level]:
			rep[n], def[n] = level, d
			n++
		case d != before:
			return 0, errContinued
		}
		before = d
	}
	return n, nil
}
