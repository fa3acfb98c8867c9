package lazydfa

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// classes divides the characters into those that an expression does not tell apart.
type classes struct {
	from  []rune // where each class begins; the same class may have another number further on
	ascii [utf8.RuneSelf]uint8
}

// maxClasses is how many classes there may be: each state has a transition for each of them.
const maxClasses = 256

// newClasses is nil where there would be too many.
func newClasses(prog *syntax.Prog) *classes {
	bounds := map[rune]bool{0: true}
	add := func(low, high rune) { bounds[low], bounds[high+1] = true, true }
	for i := range prog.Inst {
		switch inst := &prog.Inst[i]; inst.Op {
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&boundaries != 0 {
				add('0', '9')
				add('A', 'Z')
				add('_', '_')
				add('a', 'z')
			}
		case syntax.InstRuneAnyNotNL:
			add('\n', '\n')
		case syntax.InstRune, syntax.InstRune1:
			if len(inst.Rune) == 1 {
				r := inst.Rune[0]
				add(r, r)
				if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
					for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
						add(f, f)
					}
				}
				continue
			}
			for k := 0; k+1 < len(inst.Rune); k += 2 {
				add(inst.Rune[k], inst.Rune[k+1])
			}
		}
	}
	if len(bounds) > maxClasses {
		return nil
	}
	c := &classes{}
	for r := range bounds {
		c.from = append(c.from, r)
	}
	slices.Sort(c.from)
	for r := range c.ascii {
		c.ascii[r] = uint8(c.of(rune(r)))
	}
	return c
}

// of is the class of a character.
func (c *classes) of(r rune) int {
	low, high := 0, len(c.from) // from[low] is not greater
	for low+1 < high {
		if mid := (low + high) / 2; c.from[mid] <= r {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
