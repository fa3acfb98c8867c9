package text

import (
	"encoding/binary"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// letters is the kernel of LOWER and UPPER. Texts that stay as they are are handed on, and those of ASCII are made eight bytes at a time
// beside each other.
func letters(of expr.Letters) func() kernel.Func {
	first := byte('A')
	if of.Fold == substring.Upper {
		first = 'a'
	}
	return func() kernel.Func {
		made, all := &kernel.TextBuffer{}, kernel.Runes1(of.All)()
		mixed, by := &kernel.TextBuffer{}, byCharacter{all: of.All}
		var some, mix, others []int32
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			texts := kernel.OperandOf[string](args[0])
			some, mix, others = some[:0], mix[:0], others[:0]
			for _, i := range kernel.Listed(rows, n) {
				s := texts.At(i)
				switch ascii, changes := caseOf(s, first); {
				case len(s) >= quota.OwnText:
					others = append(others, i)
				case !ascii:
					mix = append(mix, i)
				case changes:
					some = append(some, i)
				default:
					out.Str[i] = s
				}
			}
			if len(some) > 0 {
				if err := made.Fill(some, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
					return appendCase(dst, texts.At(i), first), kernel.Outcome{}
				}); err != nil {
					return err
				}
			}
			if len(mix) > 0 {
				if err := mixed.Fill(mix, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
					return by.append(dst, texts.At(i)), kernel.Outcome{}
				}); err != nil {
					return err
				}
			}
			if len(others) > 0 {
				return all(args, others, n, out)
			}
			return nil
		}
	}
}

const (
	eachOne  = 0x0101010101010101
	eachHigh = 0x8080808080808080
	inACase  = 26
)

// within has the high bit of each of eight bytes of ASCII that is a letter of the case that begins with first.
func within(x uint64, first byte) uint64 {
	return (x + eachOne*uint64(0x80-first)) &^ (x + eachOne*uint64(0x80-first-inACase)) & eachHigh
}

// load is up to eight bytes of s, the first one lowest; 0 stands for those that it does not have.
func load(s string) (x uint64) {
	if len(s) >= 8 {
		s = s[:8]
		return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	}
	for i := range len(s) {
		x |= uint64(s[i]) << (8 * i)
	}
	return x
}

// caseOf reports whether a text is ASCII, and whether it then has letters of the case that begins with first.
func caseOf(s string, first byte) (ascii, changes bool) {
	found := uint64(0)
	for at := 0; at < len(s); at += 8 {
		x := load(s[at:])
		if x&eachHigh != 0 {
			return false, false
		}
		found |= within(x, first)
	}
	return true, found != 0
}

// appendCase appends a text of ASCII with the letters of the case that begins with first in the other one.
func appendCase(dst []byte, s string, first byte) []byte {
	for at := 0; at < len(s); at += 8 {
		x := load(s[at:])
		dst = binary.LittleEndian.AppendUint64(dst, x^within(x, first)>>2) // the cases differ in the bit 0x20
	}
	return dst[:len(dst)-(-len(s)&7)]
}
