package text

import (
	"fmt"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// characterOf is CHR. Characters of ASCII need no memory.
func characterOf() kernel.Func {
	others, rest := kernel.Text1(appendRune)(), []int32(nil)
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		code := kernel.OperandOf[int64](args[0])
		rest = rest[:0]
		for _, i := range kernel.Listed(rows, n) {
			if c := code.At(i); uint64(c) < utf8.RuneSelf {
				out.Str[i] = ascii[c : c+1]
			} else {
				rest = append(rest, i)
			}
		}
		if len(rest) == 0 {
			return nil
		}
		return others(args, rest, n, out)
	}
}

// ascii has the characters of ASCII in order.
var ascii = func() string {
	var all [utf8.RuneSelf]byte
	for i := range all {
		all[i] = byte(i)
	}
	return string(all[:])
}()

func appendRune(dst []byte, v int64) ([]byte, kernel.Outcome) {
	if v < 0 || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return dst, kernel.Outcome{Err: fmt.Errorf("CHR: %d is not a code point", v)}
	}
	return utf8.AppendRune(dst, rune(v)), kernel.Outcome{}
}
