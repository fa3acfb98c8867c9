package expr

import (
	"sync"

	"github.com/parquetsql/parquetsql/vector"
)

// condition is a boolean expression over sets of rows.
type probeCondition interface {
	test(get func(column int) *Summary) outcomes
}

// buildCondition turns a boolean expression into a condition. One of a single
// column also looks at that column's dictionary, where a summary has it.
func buildCondition(e Expr) probeCondition {
	c := buildPlainCondition(e)
	columns := ColumnsOf(e)
	if len(columns) != 1 || IsVolatile(e) || e.Type().Kind != vector.Boolean {
		return c
	}
	if n := columnIn(e); n == nil || n.T.IsNested() {
		return c
	}
	return newByDictionary(c, e, columns[0])
}

func columnIn(e Expr) (found *Column) {
	Walk(e, func(n Expr) bool {
		if c, ok := n.(*Column); ok {
			found = c
		}
		return true
	})
	return found
}

func buildPlainCondition(e Expr) probeCondition {
	switch e := e.(type) {
	case *Const, *Column:
		return probeTruth{buildValue(e)}
	case *Compare:
		return probeCompare{e.Op, buildValue(e.L), buildValue(e.R)}
	case *DistinctFrom:
		return negated(probeDistinct{buildValue(e.L), buildValue(e.R)}, e.Not)
	case *Logic:
		c := probeLogic{or: e.Or}
		for _, a := range e.Args {
			c.args = append(c.args, buildCondition(a))
		}
		return c
	case *Not:
		return probeNot{buildCondition(e.X)}
	case *IsNull:
		return negated(probeNull{buildValue(e.X)}, e.Not)
	case *IsBool:
		return negated(probeIs{buildCondition(e.X), e.Value}, e.Not)
	case *In:
		return buildIn(e)
	case *Like:
		return buildLike(e)
	}
	return probeOpaque{CanFail(e)}
}

func buildIn(e *In) probeCondition {
	var list []vector.Scalar
	for _, x := range e.List {
		c, ok := x.(*Const)
		if !ok {
			return probeOpaque{CanFail(e)}
		}
		list = append(list, c.Value)
	}
	set, ok := newConstantSet(list, e.X.Type())
	if !ok {
		return probeOpaque{CanFail(e)}
	}
	return negated(probeIn{buildValue(e.X), set}, e.Not)
}

func buildLike(e *Like) probeCondition {
	pattern, ok := e.Pattern.(*Const)
	escape := ""
	if e.Escape != nil {
		c, constant := e.Escape.(*Const)
		ok = ok && constant && !c.Value.Null
		if constant {
			escape = c.Value.Str
		}
	}
	if !ok || e.Insensitive || pattern.Value.Null || pattern.Type().Storage() != vector.StoreString || !bytesKind(e.X.Type().Kind) {
		return probeOpaque{CanFail(e)}
	}
	prefix, ok := parseLikePrefix(pattern.Value.Str, escape)
	if !ok {
		return probeOpaque{true}
	}
	return negated(probeLike{buildValue(e.X), prefix}, e.Not)
}

func negated(c probeCondition, negate bool) probeCondition {
	if negate {
		return probeNot{c}
	}
	return c
}

// opaque is a condition of which nothing is known but whether it may fail.
type probeOpaque struct{ fails bool }

func (c probeOpaque) test(func(int) *Summary) outcomes {
	if c.fails {
		return unknown
	}
	return anyOutcome
}

func isOpaque(c probeCondition) bool {
	_, ok := c.(probeOpaque)
	return ok
}

type probeTruth struct{ x probeValue }

func (c probeTruth) test(get func(int) *Summary) outcomes {
	return compareOutcomes(OpEq, c.x.domain(get), pointDomain(vector.BoolScalar(true)))
}

type probeCompare struct {
	op   Op
	l, r probeValue
}

func (c probeCompare) test(get func(int) *Summary) outcomes {
	return compareOutcomes(c.op, c.l.domain(get), c.r.domain(get))
}

type probeDistinct struct{ l, r probeValue }

func (c probeDistinct) test(get func(int) *Summary) outcomes {
	return distinctOutcomes(c.l.domain(get), c.r.domain(get))
}

type probeIn struct {
	x   probeValue
	set constantSet
}

func (c probeIn) test(get func(int) *Summary) outcomes { return c.set.outcomes(c.x.domain(get)) }

type probeLike struct {
	x      probeValue
	prefix likePrefix
}

func (c probeLike) test(get func(int) *Summary) outcomes { return c.prefix.outcomes(c.x.domain(get)) }

type probeNull struct{ x probeValue }

func (c probeNull) test(get func(int) *Summary) outcomes {
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

type probeNot struct{ x probeCondition }

func (c probeNot) test(get func(int) *Summary) outcomes { return c.x.test(get).swap() }

type probeIs struct {
	x     probeCondition
	value bool
}

func (c probeIs) test(get func(int) *Summary) outcomes { return c.x.test(get).is(c.value) }

// logic is AND or OR. Operands after one that surely decides are not evaluated,
// so they cannot fail.
type probeLogic struct {
	or   bool
	args []probeCondition
}

func (c probeLogic) test(get func(int) *Summary) outcomes {
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

// byDictionary asks the dictionary where there is one, else (and also) the rest.
type probeDictionary struct {
	rest       probeCondition
	column     int
	evaluators *sync.Pool // of *Evaluator: one is for one goroutine
}

func newByDictionary(rest probeCondition, e Expr, column int) probeDictionary {
	return probeDictionary{rest, column, &sync.Pool{New: func() any { return NewEvaluator(e) }}}
}

func (c probeDictionary) test(get func(int) *Summary) outcomes {
	o := c.rest.test(get)
	s := get(c.column)
	if s == nil || s.Dict == nil || o.verdict() != Some {
		return o
	}
	ev := c.evaluators.Get().(*Evaluator)
	defer c.evaluators.Put(ev)
	if exact, ok := evaluateDictionary(ev, c.column, s); ok {
		return exact & (o | canFail) // evaluated without an error: there is none
	}
	return o
}
