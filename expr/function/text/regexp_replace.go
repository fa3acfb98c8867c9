package text

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// replacing is REGEXP_REPLACE(s, pattern, replacement [, options]): the first
// match, or with option g all of them.
func replacing(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if len(args) == 4 {
		if c, ok := args[3].(*expr.Const); ok && c.Value.Null { // as in DuckDB
			return expr.NewConst(vector.NullOf(define.TypeText)), nil
		}
	}
	bound, err := regexpArgs(call, args, []define.Want{define.WantText, define.WantText, define.WantText, define.WantText}[:len(args)], 3)
	if err != nil {
		return nil, err
	}
	make := func() kernel.Func {
		r := &replacer{}
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			s, text, with := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), kernel.OperandOf[string](args[2])
			options := optionalText(args, 3)
			return r.texts.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
				return r.replace(dst, s.At(i), text.At(i), with.At(i), options.At(i))
			})
		}
	}
	return define.Strict(call, bound, define.TypeText, make, true)
}

// replacer keeps the parsed parts of the last replacement.
type replacer struct {
	cache patternCache
	with  string
	parts []replacement
	group int  // the highest group number in the replacement
	valid bool // every backslash is before a digit or a backslash
	texts kernel.TextBuffer
}

// replacement is one part: text, or the match of a group if group is not -1.
type replacement struct {
	text  string
	group int
}

func (r *replacer) replace(dst []byte, s, text, with, options string) ([]byte, kernel.Outcome) {
	p, err := r.cache.get(text, options)
	if err != nil {
		return dst, kernel.Outcome{Err: err}
	}
	if r.parts == nil || with != r.with {
		r.with = strings.Clone(with)
		r.parts, r.group, r.valid = parseReplacement(r.with)
	}
	has, err := contains(s, p.literal, r.texts.Meter().Teller())
	if !has || !r.valid || r.group > p.re.NumSubexp() {
		return append(dst, s...), kernel.Outcome{Err: err} // as in RE2, an invalid replacement leaves the text unchanged
	}
	from := 0
	one := func(at []int) error {
		dst = append(dst, s[from:at[0]]...)
		from = at[1]
		dst, err = r.appendMatch(dst, s, at)
		return err
	}
	if p.global {
		err = p.each(s, r.group > 0, r.texts.Meter().Teller(), one)
	} else {
		var at []int
		if at, err = p.find(s, r.group > 0, r.texts.Meter().Teller()); at != nil && err == nil {
			err = one(at)
		}
	}
	if err != nil {
		return dst, kernel.Outcome{Err: err}
	}
	return append(dst, s[from:]...), kernel.Outcome{}
}

// appendMatch appends what is in the place of a match.
func (r *replacer) appendMatch(dst []byte, s string, at []int) ([]byte, error) {
	for _, part := range r.parts {
		text := part.text
		if part.group >= 0 {
			if text = ""; part.group < len(at)/2 && at[2*part.group] >= 0 {
				text = s[at[2*part.group]:at[2*part.group+1]]
			}
		}
		var err error
		if dst, err = r.texts.Need(dst, len(text)); err != nil {
			return dst, err
		}
		dst = append(dst, text...)
	}
	return dst, nil
}

// parseReplacement reads \0 to \9 as groups and \\ as a backslash.
func parseReplacement(text string) (parts []replacement, highest int, ok bool) {
	parts = []replacement{}
	var plain strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			plain.WriteByte(text[i])
			continue
		}
		if i++; i == len(text) {
			return parts, 0, false
		}
		switch c := text[i]; {
		case c == '\\':
			plain.WriteByte(c)
		case c >= '0' && c <= '9':
			group := int(c - '0')
			parts = append(parts, replacement{plain.String(), -1}, replacement{group: group})
			highest = max(highest, group)
			plain.Reset()
		default:
			return parts, 0, false
		}
	}
	return append(parts, replacement{plain.String(), -1}), highest, true
}
