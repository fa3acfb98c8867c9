package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// RegexpListFunctions make lists of the matches of a regular expression, or of what is
// between them.
var RegexpListFunctions = []expr.Function{
	{Name: "REGEXP_EXTRACT_ALL", Help: "all matches of the regular expression, or of a group in it", Example: `REGEXP_EXTRACT_ALL('a1b22', '[a-z](\d+)', 1) → ["1","22"]`,
		Binding: define.Custom(extractingAll, "VARCHAR, VARCHAR → LIST(VARCHAR)", "VARCHAR, VARCHAR, BIGINT → LIST(VARCHAR)", "VARCHAR, VARCHAR, BIGINT, 'options' → LIST(VARCHAR)",
			"VARCHAR, VARCHAR, ['names'] → LIST", "VARCHAR, VARCHAR, ['names'], 'options' → LIST")},
	SplitByRegexp,
	{Name: "REGEXP_ESCAPE", Help: "a regular expression that matches only the text", Example: `REGEXP_ESCAPE('a.b') → a\.b`,
		Binding: appending1(appendEscaped)},
}

// extractingAll is REGEXP_EXTRACT_ALL(s, pattern [, group [, options]]).
func extractingAll(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if len(args) > 2 && args[2].Type().Kind == vector.List {
		return extractingAllNamed(call, args)
	}
	bound, err := regexpArgs(call, args, []define.Want{define.WantText, define.WantText, define.WantInt, define.WantText}[:len(args)], 3)
	if err != nil {
		return nil, err
	}
	list := groupLists(func(args []*vector.Vector) func(i int32) []int64 {
		group := kernel.Operand[int64]{V: []int64{0}}
		if len(args) > 2 {
			group = kernel.OperandOf[int64](args[2])
		}
		return func(i int32) []int64 { return []int64{group.At(i)} }
	})
	return define.Strict(call, bound, define.TypeTexts, define.Lists(list), true)
}

// groupLists makes lists of the texts of groups, those of one match behind another.
func groupLists(groupsOf func(args []*vector.Vector) func(i int32) []int64) func(args []*vector.Vector) define.RowLists {
	return func(args []*vector.Vector) define.RowLists {
		var cache patternCache
		s, text, options := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), optionalText(args, 3)
		groups := groupsOf(args)
		return func(i int32, matches *define.Texts) error {
			p, err := cache.get(text.At(i), options.At(i))
			if err != nil {
				return err
			}
			return p.extractAll(s.At(i), groups(i), matches)
		}
	}
}

// extractingAllNamed is REGEXP_EXTRACT_ALL(s, pattern, ['name', …] [, options]): a LIST with
// a STRUCT of the groups for each match.
func extractingAllNamed(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	names, err := groupNames(call, args[2])
	if err != nil {
		return nil, err
	}
	match, groups := vector.Of(vector.Struct), make([]int64, len(names))
	for i, name := range names {
		if slices.ContainsFunc(names[:i], func(s string) bool { return strings.EqualFold(s, name) }) {
			return nil, fmt.Errorf("%s: two groups have the name %q", call.Name, name)
		}
		match.Fields = append(match.Fields, vector.Field{Name: name, Type: define.TypeText, Nullable: true})
		groups[i] = int64(i) + 1
	}
	texts := append([]expr.Expr{args[0], args[1]}, args[3:]...)
	bound, err := regexpArgs(call, texts, []define.Want{define.WantText, define.WantText, define.WantText}[:len(texts)], 2)
	if err != nil {
		return nil, err
	}
	bound = append([]expr.Expr{bound[0], bound[1], args[2]}, bound[2:]...)
	list := groupLists(func([]*vector.Vector) func(int32) []int64 {
		return func(int32) []int64 { return groups }
	})
	return define.Strict(call, bound, expr.ListType(match), func() kernel.Func {
		texts := define.Lists(list)()
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			if err := texts(args, rows, n, out); err != nil {
				return err
			}
			return divided(out, match)
		}
	}, true)
}

// divided makes STRUCTs of as many texts of a LIST as they have fields.
func divided(out *kernel.Result, t vector.Type) error {
	texts, fields := out.Children[0], len(t.Fields)
	texts.Type = define.TypeText
	all := &vector.Vector{Type: t, Len: texts.Len / fields}
	for k := range fields {
		places := make([]int32, all.Len)
		for i := range places {
			places[i] = int32(i*fields + k)
		}
		field := vector.New(define.TypeText, 0)
		if err := field.Append(texts, places); err != nil {
			return err
		}
		all.Children = append(all.Children, field)
	}
	for i := range out.Offsets {
		out.Offsets[i] /= int32(fields)
	}
	out.Children = []*vector.Vector{all}
	return nil
}

// extractingNamed is REGEXP_EXTRACT(s, pattern, ['name', …] [, options]): a STRUCT of the
// groups from the first one on, NULL where the text or the pattern is NULL.
func extractingNamed(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	fields, err := groupNames(call, args[2])
	if err != nil {
		return nil, err
	}
	groups := make([]expr.Expr, len(fields))
	for i := range fields {
		group := append([]expr.Expr{args[0], args[1], expr.NewConst(vector.IntScalar(int64(i + 1)))}, args[3:]...)
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

// groupNames is a list of names for the groups of a pattern.
func groupNames(call expr.Callee, arg expr.Expr) ([]string, error) {
	names, ok := expr.Literal(arg)
	if !ok || names.Null || names.Nested.Children[0].Len == 0 || !names.Nested.Children[0].Type.IsText() {
		return nil, fmt.Errorf("%s: the names of the groups must be a list of string literals", call.Name)
	}
	list := names.Nested.Children[0]
	out := make([]string, list.Len)
	for i := range out {
		name := list.Get(i)
		if name.Null {
			return nil, fmt.Errorf("%s: the name of group %d is NULL", call.Name, i+1)
		}
		out[i] = name.Str
	}
	return out, nil
}

// extractAll adds the texts of the groups for each match.
func (p *pattern) extractAll(s string, groups []int64, matches *define.Texts) error {
	inner := false // a group is not the whole match
	for _, group := range groups {
		inner = inner || group > 0
		if group < 0 || group > int64(p.re.NumSubexp()) {
			return fmt.Errorf("REGEXP_EXTRACT_ALL: the pattern has %d groups and no group %d", p.re.NumSubexp(), group)
		}
	}
	if has, err := contains(s, p.literal, matches.Meter().Teller()); !has {
		return err
	}
	add := func(at []int) {
		for _, group := range groups {
			if at[2*group] < 0 {
				matches.AddNull()
				continue
			}
			matches.Add(s[at[2*group]:at[2*group+1]])
		}
	}
	// As in DuckDB, the search goes on where a match ended, so that a match may be empty and end
	// where the one before ended. Behind an empty match at its own place it goes on a character
	// later.
	for from := 0; from <= len(s); {
		at, err := p.next(s, from, inner, matches.Meter().Teller())
		if err != nil || at == nil {
			return err
		}
		add(at)
		if at[1] > from {
			from = at[1]
			continue
		}
		_, size := utf8.DecodeRuneInString(s[from:])
		from += max(size, 1)
	}
	return nil
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
