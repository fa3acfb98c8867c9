package column

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

var errContinued = errors.New("a repetition level continues a list that has no elements")

// listLevels has, for each repetition level of a leaf, the least definition level
// of an entry in a list that has elements. An entry that continues a list has at
// least this level, and so has the entry before. Otherwise one of them may count
// a value too many or too few: the values behind would go to the wrong rows, and
// a Skip would not notice it.
type listLevels struct {
	least [256]uint8 // by repetition level
	steps []listStep // by repetition level from 1 on; nil where levels have eight bits
	most  uint8      // a definition level that is enough for every list
	// padded says that a NULL may have as many entries as a list would have.
	padded bool
}

// listStep is a repetition level and its least definition level: what a byte lacks
// of them to 128, eight times.
type listStep struct{ rep, def uint64 }

const (
	eightOnes  = 0x0101010101010101
	eightHighs = 0x80 * eightOnes
)

func newListLevels(leaf *fileformat.Node, w fileformat.Writer) *listLevels {
	l := &listLevels{most: 255, padded: w.Application == "duckdb"}
	for n := leaf; n.Parent != nil; n = n.Parent {
		if n.Repetition == fileformat.Repeated {
			l.least[n.MaxRep] = uint8(n.MaxDef)
		}
	}
	if leaf.MaxRep < 128 && leaf.MaxDef < 128 {
		l.most = 127
		for rep := 1; rep <= leaf.MaxRep; rep++ {
			l.steps = append(l.steps, listStep{uint64(128-rep) * eightOnes, uint64(128-int(l.least[rep])) * eightOnes})
		}
	}
	return l
}

// check looks at the levels of entries; before is the definition level of the one
// before them, most where there is none to be held to.
func (l *listLevels) check(rep, def []uint8, before uint8) error {
	at := 0
	if l.steps != nil {
		for ; at+8 <= len(rep); at += 8 {
			r, d := le.Uint64(rep, at), le.Uint64(def, at)
			shifted := d<<8 | uint64(before)
			before = def[at+7]
			for _, s := range l.steps {
				// The highest bit of a byte: the list, or one within it, is continued,
				// and it has no element, or had none.
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

// dropPadding takes out the entries that continue a NULL with the same definition
// level, and returns the number of those that stay: DuckDB writes a NULL of the
// type INTEGER[3] as definition levels 0 0 0 and repetition levels 0 1 1.
func (l *listLevels) dropPadding(rep, def []uint8, before uint8) (n int, err error) {
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
