package probe

import (
	"sync"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// condition is a boolean expression over sets of rows.
type condition interface {
	test(get func(column int) *Summary) outcomes
}

// condition turns a boolean expression into a condition. If it reads only one
// column, it is also evaluated over that column's dictionary if a summary has one.
func (b *builder) condition(e expr.Expr) condition {
	if b.ticker.Work(1) != nil {
		return opaque{true}
	}
	c := b.plain(e)
	columns := expr.ColumnsOf(e)
	if len(columns) != 1 || expr.IsVolatile(e) || e.Type().Kind != vector.Boolean {
		return c
	}
	if n := columnIn(e); n == nil || n.T.Shown().IsNested() {
		return c
	}
	return newByDictionary(c, e, columns[0])
}

func columnIn(e expr.Expr) (found *expr.Column) {
	expr.Walk(e, func(n expr.Expr) bool {
		if c, ok := n.(*expr.Column); ok {
			found = c
		}
		return true
	})
	return found
}

func (b *builder) plain(e expr.Expr) condition {
	switch e := e.(type) {
	case *expr.Const, *expr.Column:
		return truth{buildValue(e)}
	case *expr.Compare:
		return comparison{e.Op, buildValue(e.L), buildValue(e.R)}
	case *expr.DistinctFrom:
		return negated(distinct{buildValue(e.L), buildValue(e.R)}, e.Not)
	case *expr.Logic:
		c := logic{or: e.Or}
		for _, a := range e.Args {
			c.args = append(c.args, b.condition(a))
		}
		return c
	case *expr.Not:
		return not{b.condition(e.X)}
	case *expr.IsNull:
		return negated(null{buildValue(e.X)}, e.Not)
	case *expr.IsBool:
		return negated(is{b.condition(e.X), e.Value}, e.Not)
	case *expr.In:
		return b.in(e)
	case *expr.Like:
		return buildLike(e)
	case *expr.Call:
		if c := buildSpatial(e); c != nil {
			return c
		}
	case *expr.Member:
		if c := buildMember(e); c != nil {
			return c
		}
	}
	return opaque{expr.CanFail(e)}
}

func (b *builder) in(e *expr.In) condition {
	list := make([]*vector.Scalar, 0, len(e.List))
	for _, x := range e.List {
		c, ok := x.(*expr.Const)
		if !ok {
			return opaque{expr.CanFail(e)}
		}
		list = append(list, &c.Value)
	}
	set, ok := b.constants(list, e.X.Type())
	if !ok {
		return opaque{expr.CanFail(e)}
	}
	return negated(membership{buildValue(e.X), set}, e.Not)
}

func buildLike(e *expr.Like) condition {
	pattern, ok := e.Pattern.(*expr.Const)
	escape := ""
	if e.Escape != nil {
		c, constant := e.Escape.(*expr.Const)
		ok = ok && constant && !c.Value.Null
		if constant {
			escape = c.Value.Str
		}
	}
	if !ok || e.Insensitive || pattern.Value.Null || pattern.Type().Storage() != vector.StoreString || !scalar.ComparesAsBytes(e.X.Type()) {
		return opaque{expr.CanFail(e)}
	}
	prefix, ok := parseLikePrefix(pattern.Value.Str, escape)
	if !ok {
		return opaque{true}
	}
	return negated(like{buildValue(e.X), prefix}, e.Not)
}

func negated(c condition, negate bool) condition {
	if negate {
		return not{c}
	}
	return c
}

// opaque is a condition whose result is unknown; only whether it may fail is known.
type opaque struct{ fails bool }

func (c opaque) test(func(int) *Summary) outcomes {
	if c.fails {
		return unknown
	}
	return anyOutcome
}

func isOpaque(c condition) bool {
	_, ok := c.(opaque)
	return ok
}

type truth struct{ x value }

func (c truth) test(get func(int) *Summary) outcomes {
	return compareOutcomes(expr.OpEq, c.x.domain(get), pointDomain(vector.BoolScalar(true)))
}

type comparison struct {
	op   expr.Op
	l, r value
}

func (c comparison) test(get func(int) *Summary) outcomes {
	return compareOutcomes(c.op, c.l.domain(get), c.r.domain(get))
}

type distinct struct{ l, r value }

func (c distinct) test(get func(int) *Summary) outcomes {
	return distinctOutcomes(c.l.domain(get), c.r.domain(get))
}

type membership struct {
	x   value
	set constantSet
}

func (c membership) test(get func(int) *Summary) outcomes { return c.set.outcomes(c.x.domain(get)) }

type like struct {
	x      value
	prefix likePrefix
}

func (c like) test(get func(int) *Summary) outcomes { return c.prefix.outcomes(c.x.domain(get)) }

type null struct{ x value }

func (c null) test(get func(int) *Summary) outcomes {
	d, o := c.x.domain(get), outcomes(0)
	if d.null {
		o |= canTrue
	}
	if d.value {
		o |= canFalse
	}
	if d.fails {
		o |= canFail
	}
	return o
}

type not struct{ x condition }

func (c not) test(get func(int) *Summary) outcomes { return c.x.test(get).swap() }

type is struct {
	x     condition
	value bool
}

func (c is) test(get func(int) *Summary) outcomes { return c.x.test(get).is(c.value) }

// logic is AND or OR. Operands after one that decides the result for every row are
// not evaluated, so they cannot fail.
type logic struct {
	or   bool
	args []condition
}

func (c logic) test(get func(int) *Summary) outcomes {
	all := canTrue
	for _, x := range c.args {
		o := x.test(get)
		if c.or {
			o = o.swap()
		}
		if all = all.and(o); all&(canTrue|canNull) == 0 {
			break
		}
	}
	if c.or {
		return all.swap()
	}
	return all
}

// byDictionary evaluates the condition over the dictionary if rest cannot decide it.
type byDictionary struct {
	rest       condition
	column     int
	evaluators *sync.Pool // of *Evaluator, which only one goroutine may use at a time
}

func newByDictionary(rest condition, e expr.Expr, column int) byDictionary {
	return byDictionary{rest, column, &sync.Pool{New: func() any { return expr.NewBounded(e) }}}
}

func (c byDictionary) test(get func(int) *Summary) outcomes {
	o := c.rest.test(get)
	s := get(c.column)
	if s == nil || s.Dict == nil || o.verdict() != Some {
		return o
	}
	ev := c.evaluators.Get().(*expr.Evaluator)
	defer c.evaluators.Put(ev)
	if exact, ok := evaluateDictionary(ev, c.column, s); ok {
		return exact & (o | canFail) // evaluation raised no error, so none is possible
	}
	return o
}
