package text

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/anchored"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/lazydfa"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// RegexpFunctions match RE2 patterns with Go's regexp, in time linear in the text.
// Options are the letters of DuckDB: c and i for case-sensitive and case-insensitive,
// l for a literal pattern, s for a dot that matches newlines, g for all matches.
var RegexpFunctions = []expr.Function{
	{Name: "REGEXP_MATCHES", Aliases: []string{"REGEXP_LIKE"}, Help: "whether a part of the text matches the regular expression", Example: "REGEXP_MATCHES('parquet', 'q.') → true",
		Binding: define.Total(matching(false, 3), nil)},
	{Name: "REGEXP_FULL_MATCH", Help: "whether the whole text matches the regular expression", Example: "REGEXP_FULL_MATCH('parquet', 'q.') → false",
		Binding: matching(true, 3)},
	{Name: "SIMILAR_TO", Help: "whether the whole text matches the regular expression", Example: "SIMILAR_TO('parquet', 'p.*t') → true",
		Binding: matching(true, 2)},
	{Name: "REGEXP_EXTRACT", Help: "the first match of the regular expression, or of a group in it", Example: `REGEXP_EXTRACT('2024-02-29', '(\d+)-(\d+)', 2) → 02`,
		Binding: define.Total(define.Custom(extracting, "VARCHAR, VARCHAR → VARCHAR", "VARCHAR, VARCHAR, BIGINT → VARCHAR", "VARCHAR, VARCHAR, BIGINT, 'options' → VARCHAR", "VARCHAR, VARCHAR, ['names'] → STRUCT", "VARCHAR, VARCHAR, ['names'], 'options' → STRUCT"), hasGroup)},
	{Name: "REGEXP_SUBSTR", Help: "the first match of the regular expression", Example: `REGEXP_SUBSTR('2024-02-29', '\d+') → 2024`,
		Binding: define.Total(define.Custom(extracting, "VARCHAR, VARCHAR → VARCHAR"), hasGroup)},
	{Name: "REGEXP_REPLACE", Help: "the text with the first match replaced, or with all for the option g", Example: "REGEXP_REPLACE('aabb', 'a|b', 'x', 'g') → xxxx",
		Binding: define.Total(define.Custom(replacing, "VARCHAR, VARCHAR, VARCHAR → VARCHAR", "VARCHAR, VARCHAR, VARCHAR, 'options' → VARCHAR"), growsMuch)},
	{Name: "REGEXP_COUNT", Help: "the number of matches of the regular expression", Example: "REGEXP_COUNT('aabb', 'a') → 2",
		Binding: define.Total(define.Custom(regexpCount, "VARCHAR, VARCHAR → BIGINT"), nil)},
}

// pattern is a compiled regular expression. It is for one goroutine.
type pattern struct {
	re *regexp.Regexp
	// simple matches the same faster, nil for most expressions; slots is what it fills.
	simple *anchored.Matcher
	slots  []int
	// literal is a string that every match contains. Searching for it first is fast,
	// and texts without it need no matching. prefix is one that every match begins with.
	literal, prefix *substring.Finder
	leads           int // how long the prefix is, where nothing before it matters to a match
	// there matches at a place what re matches behind it, nil for most expressions; places is what it
	// fills. It is tried where the prefix is.
	there  *anchored.Matcher
	places []int
	// lazy finds matches without their groups, see automaton; inside finds the groups of a match.
	lazy    *lazydfa.Matcher
	inside  *regexp.Regexp
	asked   int // how often lazy was asked for
	pair    [2]int
	tree    *syntax.Regexp
	global  bool // option g
	empty   bool // it matches the empty text at every place, since it asserts nothing
	asserts bool // whether it matches depends on what is around the match: ^, $, \b
	begins  bool // it matches at the beginning of a text only
	cost    int  // the work of a byte
	text    string
	behind  *regexp.Regexp // see later
	placed  *regexp.Regexp // see groupsAt
}

// longExpression is the length up to which an expression is compiled a third time, to match at a place.
const longExpression = 1 << 12

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
			p.global = true
		case 'm', 'n', 'p': // line options change only what the dot matches, and this is the default
		default:
			return nil, fmt.Errorf("unknown regular expression option %q; use c, i, l, s, m, n, p or g", o)
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
		return nil, errs.State("2201B", fmt.Errorf("regular expression %q: %w", text, err))
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if p.simple = anchored.Compile(tree); p.simple != nil {
		p.slots = make([]int, p.simple.Slots())
	}
	if strings.Contains(text, `\Q`) { // it may have no end
		text = tree.String()
	}
	p.text, p.tree, p.asserts = text, tree, hasAssertion(tree)
	p.empty = !p.asserts && p.re.MatchString("")
	simplified := tree.Simplify()
	p.literal = substring.New(requiredLiteral(simplified))
	prefix, fold := leadingLiteral(p.re, simplified)
	p.prefix = substring.New(prefix, fold)
	program, err := syntax.Compile(simplified)
	if err != nil {
		return nil, err
	}
	if !p.asserts {
		if tree, err = syntax.Parse(`\A(?:`+text+`)`, syntax.Perl); err != nil {
			return nil, err
		}
		if len(text) <= longExpression {
			p.there = anchored.Compile(tree)
		}
		if p.there != nil {
			p.places = make([]int, p.there.Slots())
		}
		p.leads = len(prefix)
	}
	p.begins = program.StartCond()&syntax.EmptyBeginText != 0
	p.cost = 1 + len(program.Inst)/instructionsPerWork
	return p, nil
}

func hasAssertion(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(re.Sub, hasAssertion)
}

// leadingLiteral is a string that every match begins with, as of requiredLiteral.
func leadingLiteral(re *regexp.Regexp, tree *syntax.Regexp) (string, substring.Fold) {
	if prefix, _ := re.LiteralPrefix(); prefix != "" {
		return prefix, substring.Exact
	}
	for len(tree.Sub) > 0 && (tree.Op == syntax.OpConcat || tree.Op == syntax.OpCapture || tree.Op == syntax.OpPlus) {
		tree = tree.Sub[0]
	}
	return requiredLiteral(tree) // package regexp has none of letters of either case
}

// requiredLiteral is the longest string known to be in every match, and whether letters of either case
// are it.
func requiredLiteral(re *syntax.Regexp) (string, substring.Fold) {
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase == 0 {
			return text, substring.Exact
		}
		if text = substring.ToLower(text); !strings.ContainsAny(text, foldedBeyondASCII) && substring.Lower.Reach(text) != substring.Nowhere {
			return text, substring.Lower
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiteral(re.Sub[0])
	case syntax.OpConcat:
		best, fold := "", substring.Exact
		for _, sub := range re.Sub {
			if l, f := requiredLiteral(sub); len(l) > len(best) {
				best, fold = l, f
			}
		}
		return best, fold
	}
	return "", substring.Exact
}

// foldedBeyondASCII are the letters that regular expressions take for others beyond ASCII, too: the Kelvin
// sign and ſ.
const foldedBeyondASCII = "ks"

// patternCache holds the last compiled pattern; usually all rows have the same one.
type patternCache struct {
	full          bool
	text, options string
	compiled      *pattern
}

func (c *patternCache) get(text, options string) (*pattern, error) {
	if c.compiled == nil || text != c.text || options != c.options {
		text, options = strings.Clone(text), strings.Clone(options) // the memory of the batch is used again
		p, err := compileRegexp(text, options, c.full)
		if err != nil {
			return nil, err
		}
		c.text, c.options, c.compiled = text, options, p
	}
	return c.compiled, nil
}

// regexpArgs binds text arguments. An invalid literal pattern is an error at once.
func regexpArgs(call expr.Callee, args []expr.Expr, wants []define.Want, options int) ([]expr.Expr, error) {
	bound, err := define.Arguments(call, args, wants)
	if err != nil {
		return nil, err
	}
	if p, ok := expr.Literal(bound[1]); ok {
		flags := ""
		if options < len(bound) {
			if flags, err = define.ConstantText(call.Name, "options", bound[options]); err != nil {
				return nil, err
			}
		}
		_, err = compileRegexp(p.Str, flags, false)
		err = expr.Marked(args[1], err)
	}
	return bound, err
}

// matching is REGEXP_MATCHES(s, pattern [, options]), where most is 3.
func matching(full bool, most int) expr.Binding {
	bind := func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		bound, err := regexpArgs(call, args, []define.Want{define.WantText, define.WantText, define.WantText}[:len(args)], 2)
		if err != nil {
			return nil, err
		}
		return define.LongCondition(call, bound, func() kernel.LongPredicate { return matchPredicate(full) })
	}
	return define.Custom(bind, []string{"VARCHAR, VARCHAR → BOOLEAN", "VARCHAR, VARCHAR, 'options' → BOOLEAN"}[:most-1]...)
}

func matchPredicate(full bool) kernel.LongPredicate {
	cache := patternCache{full: full}
	return func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		s, text := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
		options := optionalText(args, 2)
		k, work := 0, m.Work // each mention of a method's value makes one
		var p *pattern
		var err error
		for _, i := range kernel.Listed(rows, n) {
			if p == nil || !text.Constant() || !options.Constant() {
				if p, err = cache.get(text.At(i), options.At(i)); err != nil {
					return nil, err
				}
			}
			hit, err := p.matches(s.At(i), work)
			if err != nil {
				return nil, err
			}
			if into[k] = i; hit {
				k++
			}
		}
		return into[:k], nil
	}
}

// optionalText is an argument that may be missing; then it is the empty string.
func optionalText(args []*vector.Vector, i int) kernel.Operand[string] {
	if i >= len(args) {
		return kernel.Operand[string]{V: []string{""}}
	}
	return kernel.OperandOf[string](args[i])
}

// extracting is REGEXP_EXTRACT(s, pattern [, group [, options]]). Without a match
// the result is the empty string.
func extracting(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if len(args) > 2 && args[2].Type().Kind == vector.List {
		return extractingNamed(call, args)
	}
	if len(args) > 2 && args[2].Type().Kind == vector.Null { // as in DuckDB, no group is an empty one
		group := expr.NewConst(vector.IntScalar(noGroup))
		args = append([]expr.Expr{args[0], args[1], group}, args[3:]...)
	}
	bound, err := regexpArgs(call, args, []define.Want{define.WantText, define.WantText, define.WantInt, define.WantText}[:len(args)], 3)
	if err != nil {
		return nil, err
	}
	make := func() kernel.Func {
		var cache patternCache
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			s, text, options := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), optionalText(args, 3)
			group := kernel.Operand[int64]{V: []int64{0}}
			if len(args) > 2 {
				group = kernel.OperandOf[int64](args[2])
			}
			for _, i := range kernel.Listed(rows, n) {
				p, err := cache.get(text.At(i), options.At(i))
				if err != nil {
					return err
				}
				if out.Str[i], err = p.extract(s.At(i), group.At(i), out.Meter.Teller()); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return define.Strict(call, bound, define.TypeText, make, true)
}

// hasGroup reports whether a REGEXP_EXTRACT names a group, which may be less than 0, or several.
func hasGroup(args []expr.Expr) bool {
	if len(args) < 3 {
		return false
	}
	c, ok := args[2].(*expr.Const)
	return !ok || c.Type().Kind != vector.BigInt && c.Type().Kind != vector.Integer || c.Value.I64 < 0
}

// noGroup is the number of a group that no pattern has.
const noGroup = math.MaxInt64 / 4

func (p *pattern) extract(s string, group int64, work work) (string, error) {
	if group < 0 {
		return "", fmt.Errorf("REGEXP_EXTRACT: the pattern has no group %d", group)
	}
	at, err := p.find(s, group > 0, work)
	if err != nil {
		return "", err
	}
	if group >= int64(len(at)/2) || at[2*group] < 0 {
		return "", nil
	}
	return s[at[2*group]:at[2*group+1]], nil
}

// regexpCount is the number of matches of a pattern.
func regexpCount(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	bound, err := regexpArgs(call, args, []define.Want{define.WantText, define.WantText}, 2)
	if err != nil {
		return nil, err
	}
	make := func() kernel.Func {
		var cache patternCache
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			s, text := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
			for _, i := range kernel.Listed(rows, n) {
				p, err := cache.get(text.At(i), "")
				if err != nil {
					return err
				}
				out.I64[i] = 0
				err = p.each(s.At(i), false, out.Meter.Teller(), func([]int) error {
					out.I64[i]++
					return nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		}
	}
	return define.Strict(call, bound, define.TypeInt, make, true)
}
