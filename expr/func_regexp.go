package expr

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// regexpFunctions match RE2 patterns, as Go's own package does, in time linear
// in the text. Options are the letters of DuckDB: c and i for case, l for a
// literal pattern, s for a dot that matches newlines, g for all matches.
var regexpFunctions = map[string]binder{
	"REGEXP_MATCHES":    byCount(2, matching(false), matching(false)),
	"REGEXP_LIKE":       byCount(2, matching(false), matching(false)),
	"REGEXP_FULL_MATCH": byCount(2, matching(true), matching(true)),
	"SIMILAR_TO":        byCount(2, matching(true)),
	"REGEXP_EXTRACT":    byCount(2, extracting, extracting, extracting),
	"REGEXP_SUBSTR":     byCount(2, extracting),
	"REGEXP_REPLACE":    byCount(3, replacing, replacing),
	"REGEXP_COUNT":      byCount(2, regexpCount),
}

// pattern is a compiled regular expression.
type pattern struct {
	re *regexp.Regexp
	// literal is a string that every match contains: texts without it, which
	// are found much faster, need no matching.
	literal string
	all     bool // option g
}

// compileRegexp reads a pattern and its options.
func compileRegexp(text, options string, full bool) (*pattern, error) {
	flags, p := "", &pattern{}
	for _, o := range options {
		switch o {
		case 'c':
			flags = strings.ReplaceAll(flags, "i", "")
		case 'i', 's':
			flags += string(o)
		case 'l':
			text = regexp.QuoteMeta(text)
		case 'g':
			p.all = true
		case 'm', 'n', 'p': // lines matter to nothing but the dot, which is so already
		default:
			return nil, fmt.Errorf("regular expression option %q is none of c, i, l, s, m, n, p and g", o)
		}
	}
	if full {
		text = `\A(?:` + text + `)\z`
	}
	if flags != "" {
		text = "(?" + flags + ")" + text
	}
	var err error
	if p.re, err = regexp.Compile(text); err != nil {
		return nil, fmt.Errorf("regular expression %q: %w", text, err)
	}
	if tree, err := syntax.Parse(text, syntax.Perl); err == nil {
		p.literal = requiredLiteral(tree.Simplify())
	}
	return p, nil
}

// requiredLiteral is the longest string that is found to be in every match.
func requiredLiteral(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiteral(re.Sub[0])
	case syntax.OpConcat:
		best := ""
		for _, s := range re.Sub {
			if l := requiredLiteral(s); len(l) > len(best) {
				best = l
			}
		}
		return best
	}
	return ""
}

func (p *pattern) matches(s string) bool {
	return strings.Contains(s, p.literal) && p.re.MatchString(s)
}

func (p *pattern) find(s string) []int {
	if !strings.Contains(s, p.literal) {
		return nil
	}
	return p.re.FindStringSubmatchIndex(s)
}

// patternCache remembers the last pattern, which as a rule is the only one.
type patternCache struct {
	full          bool
	text, options string
	compiled      *pattern
}

func (c *patternCache) get(text, options string) (*pattern, error) {
	if c.compiled == nil || text != c.text || options != c.options {
		p, err := compileRegexp(text, options, c.full)
		if err != nil {
			return nil, err
		}
		c.text, c.options, c.compiled = text, options, p
	}
	return c.compiled, nil
}

// regexpArgs binds text arguments and reports a bad literal pattern at once.
func regexpArgs(name string, args []Expr, wants []want, options int) ([]Expr, error) {
	bound, err := bindArgs(name, args, wants)
	if err != nil {
		return nil, err
	}
	if p, ok := literal(bound[1]); ok {
		flags := ""
		if options < len(bound) {
			if flags, err = constantText(name, "options", bound[options]); err != nil {
				return nil, err
			}
		}
		_, err = compileRegexp(p.Str, flags, false)
	}
	return bound, err
}

// matching is REGEXP_MATCHES(s, pattern [, options]).
func matching(full bool) binder {
	return func(name string, args []Expr) (Expr, error) {
		bound, err := regexpArgs(name, args, []want{wantText, wantText, wantText}[:len(args)], 2)
		if err != nil {
			return nil, err
		}
		wants := []want{keepArg, keepArg, keepArg}[:len(args)]
		return newTest(name, bound, func() tester { return matchTester(full) }, wants...)
	}
}

func matchTester(full bool) tester {
	cache := patternCache{full: full}
	return func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		s, text := operandOf[string](args[0]), operandOf[string](args[1])
		options := optionalText(args, 2)
		k := 0
		for _, i := range listed(rows, n) {
			p, err := cache.get(text.at(i), options.at(i))
			if err != nil {
				return nil, err
			}
			into[k] = i
			if p.matches(s.at(i)) {
				k++
			}
		}
		return into[:k], nil
	}
}

// optionalText is an argument that may be missing, as the empty string.
func optionalText(args []*vector.Vector, i int) operand[string] {
	if i >= len(args) {
		return operand[string]{v: []string{""}}
	}
	return operandOf[string](args[i])
}

// extracting is REGEXP_EXTRACT(s, pattern [, group [, options]]); what does not
// match is the empty string.
func extracting(name string, args []Expr) (Expr, error) {
	bound, err := regexpArgs(name, args, []want{wantText, wantText, wantInt, wantText}[:len(args)], 3)
	if err != nil {
		return nil, err
	}
	make := func() kernel {
		var cache patternCache
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			s, text, options := operandOf[string](args[0]), operandOf[string](args[1]), optionalText(args, 3)
			group := operand[int64]{v: []int64{0}}
			if len(args) > 2 {
				group = operandOf[int64](args[2])
			}
			for _, i := range listed(rows, n) {
				p, err := cache.get(text.at(i), options.at(i))
				if err != nil {
					return err
				}
				if out.Str[i], err = p.extract(s.at(i), group.at(i)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return newCall(name, bound, typeText, make, true, []want{keepArg, keepArg, keepArg, keepArg}[:len(bound)]...)
}

func (p *pattern) extract(s string, group int64) (string, error) {
	if group < 0 {
		return "", fmt.Errorf("REGEXP_EXTRACT: there is no group %d", group)
	}
	at := p.find(s)
	if group >= int64(len(at)/2) || at[2*group] < 0 {
		return "", nil
	}
	return s[at[2*group]:at[2*group+1]], nil
}

// regexpCount is how often a pattern matches.
func regexpCount(name string, args []Expr) (Expr, error) {
	bound, err := regexpArgs(name, args, []want{wantText, wantText}, 2)
	if err != nil {
		return nil, err
	}
	make := func() kernel {
		var cache patternCache
		return try2(func(s, text string) (int64, outcome) {
			p, err := cache.get(text, "")
			if err != nil {
				return 0, outcome{err: err}
			}
			return int64(len(p.re.FindAllStringIndex(s, -1))), outcome{}
		})()
	}
	return newCall(name, bound, typeInt, make, true, keepArg, keepArg)
}

// replacing is REGEXP_REPLACE(s, pattern, replacement [, options]): the first
// match, or with option g all of them.
func replacing(name string, args []Expr) (Expr, error) {
	bound, err := regexpArgs(name, args, []want{wantText, wantText, wantText, wantText}[:len(args)], 3)
	if err != nil {
		return nil, err
	}
	make := func() kernel {
		r := &replacer{}
		return func(args []*vector.Vector, rows []int32, n int, out *result) error {
			s, text, with := operandOf[string](args[0]), operandOf[string](args[1]), operandOf[string](args[2])
			options := optionalText(args, 3)
			return r.texts.fill(rows, n, out, func(dst []byte, i int32) ([]byte, outcome) {
				return r.replace(dst, s.at(i), text.at(i), with.at(i), options.at(i))
			})
		}
	}
	return newCall(name, bound, typeText, make, true, []want{keepArg, keepArg, keepArg, keepArg}[:len(bound)]...)
}

// replacer remembers the last replacement's parts.
type replacer struct {
	cache patternCache
	with  string
	parts []replacement
	group int  // the highest one that is asked for
	valid bool // has no backslash before anything but a digit or a backslash
	texts textBuffer
}

// replacement is text, or where group is not -1 what a group matched.
type replacement struct {
	text  string
	group int
}

func (r *replacer) replace(dst []byte, s, text, with, options string) ([]byte, outcome) {
	p, err := r.cache.get(text, options)
	if err != nil {
		return dst, outcome{err: err}
	}
	if r.parts == nil || with != r.with {
		r.with = with
		r.parts, r.group, r.valid = parseReplacement(with)
	}
	if !strings.Contains(s, p.literal) || !r.valid || r.group > p.re.NumSubexp() {
		return append(dst, s...), outcome{} // RE2 leaves the text alone where it cannot make sense of the replacement
	}
	matches := [][]int{nil}
	if p.all {
		matches = p.re.FindAllStringSubmatchIndex(s, -1)
	} else {
		matches[0] = p.re.FindStringSubmatchIndex(s)
	}
	from, start := 0, len(dst)
	for _, at := range matches {
		if at == nil {
			break
		}
		dst = append(dst, s[from:at[0]]...)
		for _, part := range r.parts {
			switch {
			case part.group < 0:
				dst = append(dst, part.text...)
			case part.group < len(at)/2 && at[2*part.group] >= 0:
				dst = append(dst, s[at[2*part.group]:at[2*part.group+1]]...)
			}
		}
		if from = at[1]; len(dst)-start > maxValueText {
			return dst, outcome{err: errTooLong}
		}
	}
	return append(dst, s[from:]...), outcome{}
}

// parseReplacement takes \0 to \9 as groups and \\ as a backslash.
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
