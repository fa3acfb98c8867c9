package text

import (
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Split is STRING_SPLIT(s, separator): the parts between separators. An empty separator
// splits into characters. As in DuckDB, a NULL separator splits nothing.
var Split = expr.Function{Name: "STRING_SPLIT", Aliases: []string{"STR_SPLIT", "STRING_TO_ARRAY", "SPLIT"},
	Help: "the parts of a text between separators; the whole text if the separator is NULL", Example: `STRING_SPLIT('a,b,,c', ',') → ["a","b","","c"]`,
	Total: true,
	Binding: define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return splitting(call, args, func() splitter {
			return func(s, separator string, parts *define.Texts) error {
				if separator == "" && s != "" {
					for s != "" && !parts.Failed() {
						_, size := utf8.DecodeRuneInString(s)
						parts.Add(s[:size])
						s = s[size:]
					}
					return nil
				}
				for separator != "" && !parts.Failed() {
					at := indexOf(s, separator)
					if at < 0 {
						break
					}
					parts.Add(s[:at])
					s = s[at+len(separator):]
				}
				parts.Add(s)
				return nil
			}
		})
	}, "VARCHAR, VARCHAR → LIST(VARCHAR)")}

// SplitByRegexp is STRING_SPLIT_REGEX(s, pattern [, options]).
var SplitByRegexp = expr.Function{Name: "STRING_SPLIT_REGEX", Aliases: []string{"STR_SPLIT_REGEX", "REGEXP_SPLIT_TO_ARRAY"},
	Help: "the parts of a text between matches of the regular expression", Example: `STRING_SPLIT_REGEX('a1b22c', '\d+') → ["a","b","c"]`,
	Binding: define.Custom(splitByRegexp, "VARCHAR, VARCHAR → LIST(VARCHAR)", "VARCHAR, VARCHAR, 'options' → LIST(VARCHAR)")}

// indexOf is strings.Index, for separators of one byte by the loop for bytes.
func indexOf(s, separator string) int {
	if len(separator) == 1 {
		return strings.IndexByte(s, separator[0])
	}
	return strings.Index(s, separator)
}

// splitter adds the parts of a text.
type splitter func(s, separator string, parts *define.Texts) error

// splitting builds a call of two texts whose result is NULL only where the first one is.
func splitting(call expr.Callee, args []expr.Expr, make func() splitter) (expr.Expr, error) {
	bound, err := define.Arguments(call, args[:2], []define.Want{define.WantText, define.WantText})
	if err != nil {
		return nil, err
	}
	// NULL as a separator must not make the result NULL, so it is split first.
	missing := expr.NewIsNull(bound[1], false)
	separator, err := expr.NewCoalesce(bound[1], expr.NewConst(vector.StringScalar("")))
	if err != nil {
		return nil, err
	}
	operands := []expr.Expr{bound[0], separator, missing}
	list := func(args []*vector.Vector) define.RowLists {
		s, separators, whole, split := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), kernel.OperandOf[bool](args[2]), make()
		return func(i int32, parts *define.Texts) error {
			if whole.At(i) {
				parts.Add(s.At(i))
				return nil
			}
			return split(s.At(i), separators.At(i), parts)
		}
	}
	shown := append(bound[:2:2], args[2:]...)
	return expr.NewCall(call, shown, define.TypeTexts, &expr.Routine{Args: operands, Operation: kernel.Operation{Make: define.Lists(list), Careful: true}}), nil
}

func splitByRegexp(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	options := ""
	if len(args) > 2 {
		var err error
		if options, err = define.ConstantText(call.Name, "options", args[2]); err != nil {
			return nil, err
		}
	}
	if p, ok := expr.Literal(args[1]); ok {
		if _, err := compileRegexp(p.Str, options, false); err != nil {
			return nil, expr.Marked(args[1], err)
		}
	}
	return splitting(call, args, func() splitter {
		var cache patternCache
		return func(s, pattern string, parts *define.Texts) error {
			p, err := cache.get(pattern, options)
			if err != nil {
				return err
			}
			return splitAtMatches(s, p, parts)
		}
	})
}

// splitAtMatches adds the parts between matches. An empty match splits behind a character.
func splitAtMatches(s string, p *pattern, parts *define.Texts) error {
	for s != "" {
		at, err := p.next(s, 0, false, parts.Meter().Teller())
		if err != nil {
			return err
		}
		if at == nil {
			break
		}
		if at[1] == 0 { // an empty match at the beginning
			_, size := utf8.DecodeRuneInString(s)
			if at[0], at[1] = size, size; size == len(s) {
				break
			}
		}
		parts.Add(s[:at[0]])
		s = s[at[1]:]
	}
	parts.Add(s)
	return nil
}
