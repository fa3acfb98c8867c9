package text

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/glob"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// GlobFunctions match the patterns of shells and those of LIKE.
var GlobFunctions = []expr.Function{
	{Name: "GLOB", Aliases: []string{"~~~"}, Help: "whether the text matches a pattern with *, ?, [a-c] and [!a-c]; also written a GLOB b", Example: "'parquet' GLOB 'p*[e-g]?' → true",
		Binding: define.Custom(globbing, "VARCHAR, VARCHAR → BOOLEAN")},
	{Name: "LIKE_ESCAPE", Help: "whether the text matches a pattern of LIKE with an escape character", Example: "LIKE_ESCAPE('a%c', 'a$%c', '$') → true", Binding: escaped(false, false)},
	{Name: "ILIKE_ESCAPE", Help: "as LIKE_ESCAPE, without regard to case", Example: "ILIKE_ESCAPE('A%c', 'a$%C', '$') → true", Binding: escaped(true, false)},
	{Name: "NOT_LIKE_ESCAPE", Help: "the opposite of LIKE_ESCAPE", Example: "NOT_LIKE_ESCAPE('a%c', 'a$%c', '$') → false", Binding: escaped(false, true)},
	{Name: "NOT_ILIKE_ESCAPE", Help: "the opposite of ILIKE_ESCAPE", Example: "NOT_ILIKE_ESCAPE('A%c', 'a$%C', '$') → false", Binding: escaped(true, true)},
}

func escaped(insensitive, not bool) expr.Binding {
	return define.Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return expr.NewLike(args[0], args[1], args[2], insensitive, not)
	}, "VARCHAR, VARCHAR, VARCHAR → BOOLEAN")
}

// globbing is GLOB. A literal pattern without brackets is one of LIKE; others have an automaton.
func globbing(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	if p, ok := expr.Literal(args[1]); ok && p.Type.IsText() && !strings.ContainsAny(p.Str, `[\`) {
		pattern := strings.NewReplacer("%", `\%`, "_", `\_`, "*", "%", "?", "_").Replace(p.Str)
		return expr.NewLike(args[0], expr.NewConst(vector.StringScalar(pattern)), expr.NewConst(vector.StringScalar(`\`)), false, false)
	}
	bound, err := define.Arguments(call, args, []define.Want{define.WantText, define.WantText})
	if err != nil {
		return nil, err
	}
	return define.LongCondition(call, bound, func() kernel.LongPredicate {
		g := &glob.Matcher{}
		return func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
			s, patterns, k, work := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1]), 0, m.Teller()
			for _, i := range kernel.Listed(rows, n) {
				hit, err := g.Matches(s.At(i), patterns.At(i), work)
				if err != nil {
					return nil, err
				}
				if into[k] = i; hit {
					k++
				}
			}
			return into[:k], nil
		}
	})
}
