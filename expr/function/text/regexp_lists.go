package text

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// RegexpListFunctions make lists of the matches of a regular expression, or of what is
// between them.
var RegexpListFunctions = []expr.Function{
	{Name: "REGEXP_EXTRACT_ALL", Help: "all matches of the regular expression, or of a group in it", Example: `REGEXP_EXTRACT_ALL('a1b22', '[a-z](\d+)', 1) → ["1","22"]`,
		Binding: define.Custom(extractingAll, "VARCHAR, VARCHAR → LIST(VARCHAR)", "VARCHAR, VARCHAR, BIGINT → LIST(VARCHAR)", "VARCHAR, VARCHAR, BIGINT, 'options' → LIST(VARCHAR)")},
	SplitByRegexp,
	{Name: "REGEXP_ESCAPE", Help: "a regular expression that matches only the text", Example: `REGEXP_ESCAPE('a.b') → a\.b`,
		Binding: appending1(appendEscaped)},
}

// extractingAll is REGEXP_EXTRACT_ALL(s, pattern [, group [, options]]).
func extractingAll(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	bound, err := regexpArgs(call, args, []define.Want{define.WantText, define.WantText, define.WantInt, define.WantText}[:len(args)], 3)
	if err != nil {
		return nil, err
	}
	list := func(args []*vector.Vector) define.RowLists {
		var cache patternCache
		s, text, options := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), optionalText(args, 3)
		group := kernel.Operand[int64]{V: []int64{0}}
		if len(args) > 2 {
			group = kernel.OperandOf[int64](args[2])
		}
		return func(i int32, matches *define.Texts) error {
			p, err := cache.get(text.At(i), options.At(i))
			if err != nil {
				return err
			}
			return p.extractAll(s.At(i), group.At(i), matches)
		}
	}
	return expr.NewCall(call, bound, define.TypeTexts, &expr.Routine{Args: bound, Operation: kernel.Operation{Make: define.Lists(list), Careful: true}}), nil
}

// extractingNamed is REGEXP_EXTRACT(s, pattern, ['name', …] [, options]): a STRUCT of the
// groups from the first one on, NULL where the text or the pattern is NULL.
func extractingNamed(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	names, ok := expr.Literal(args[2])
	if !ok || names.Null || names.Nested.Children[0].Len == 0 || !names.Nested.Children[0].Type.IsText() {
		return nil, fmt.Errorf("%s: the names of the groups must be a list of string literals", call.Name)
	}
	list := names.Nested.Children[0]
	fields, groups := make([]string, list.Len), make([]expr.Expr, list.Len)
	for i := range fields {
		fields[i] = list.Get(i).Str
		group := append([]expr.Expr{args[0], args[1], expr.NewConst(vector.IntScalar(int64(i + 1)))}, args[3:]...)
		var err error
		if groups[i], err = extracting(call, group); err != nil {
			return nil, err
		}
	}
	matched, err := expr.NewStruct(fields, groups)
	if err != nil {
		return nil, err
	}
	missing, err := expr.NewOr(expr.NewIsNull(args[0], false), expr.NewIsNull(args[1], false))
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{missing}, []expr.Expr{expr.NewConst(vector.NullOf(matched.Type()))}, matched)
}

func (p *pattern) extractAll(s string, group int64, matches *define.Texts) error {
	if group < 0 || group > int64(p.re.NumSubexp()) {
		return fmt.Errorf("REGEXP_EXTRACT_ALL: the pattern has %d groups and no group %d", p.re.NumSubexp(), group)
	}
	if !strings.Contains(s, p.literal) {
		return nil
	}
	add := func(at []int, from int) {
		if at[2*group] < 0 {
			matches.AddNull()
			return
		}
		matches.Add(s[from+at[2*group] : from+at[2*group+1]])
	}
	// Go leaves out an empty match right behind another match; RE2 has it.
	behind := -1
	addBehind := func(next int) {
		if p.empty && behind >= 0 && next > behind {
			if at := p.re.FindStringSubmatchIndex(s[behind:]); at != nil && at[1] == 0 {
				add(at, behind)
			}
		}
	}
	err := p.each(s, matches.Work, func(at []int) error {
		addBehind(at[0])
		add(at, 0)
		if behind = -1; at[0] < at[1] {
			behind = at[1]
		}
		return nil
	})
	if err == nil {
		addBehind(len(s) + 1)
	}
	return err
}

// appendEscaped puts a backslash before each ASCII character that is no letter, digit or
// underscore.
func appendEscaped(dst []byte, s string) ([]byte, kernel.Outcome) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x80, c == '_', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case c == 0:
			dst = append(dst, `\x00`...)
			continue
		default:
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return dst, kernel.Outcome{}
}
