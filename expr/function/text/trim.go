package text

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// trimming removes blanks, or any characters of a second argument, from the ends.
func trimming(left, right bool) expr.Binding {
	k := trimmed(left, right)
	return define.Overloaded(define.Fixed(define.TypeText, k, false, define.WantText), define.Fixed(define.TypeText, k, false, define.WantText, define.WantText))
}

func trimmed(left, right bool) func() kernel.Func {
	return func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			texts, cuts := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[len(args)-1])
			for _, i := range kernel.Listed(rows, n) {
				s, cut := texts.At(i), " "
				if len(args) == 2 {
					cut = cuts.At(i)
				}
				err := out.Meter.Add(int64(len(s)))
				if left && err == nil {
					s, err = trimLeft(out.Meter, s, cut)
				}
				if right && err == nil {
					s, err = trimRight(out.Meter, s, cut)
				}
				if err != nil {
					return err
				}
				out.Str[i] = s
			}
			return nil
		}
	}
}

func trimLeft(m *quota.Meter, s, cut string) (string, error) {
	for len(s) > quota.BytesPerLook {
		at := kernel.BetweenRunes(s, quota.BytesPerLook)
		if rest := strings.TrimLeft(s[:at], cut); rest != "" {
			return s[at-len(rest):], nil
		}
		if err := m.Work(at * (1 + len(cut))); err != nil {
			return "", err
		}
		s = s[at:]
	}
	return strings.TrimLeft(s, cut), nil
}

func trimRight(m *quota.Meter, s, cut string) (string, error) {
	for len(s) > quota.BytesPerLook {
		at := kernel.BetweenRunes(s, len(s)-quota.BytesPerLook)
		if rest := strings.TrimRight(s[at:], cut); rest != "" {
			return s[:at+len(rest)], nil
		}
		if err := m.Work((len(s) - at) * (1 + len(cut))); err != nil {
			return "", err
		}
		s = s[:at]
	}
	return strings.TrimRight(s, cut), nil
}
