package bind

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// maxAliasDepth is the largest length of a chain of aliases that use each other.
const maxAliasDepth = 1000

// stage is the aliases of a select list, bound for one step of a block: over FROM
// for WHERE, GROUP BY and arguments of aggregates; over the groups for HAVING; over
// the output of HAVING for the select list and ORDER BY.
//
// An alias is bound once per stage. A small expression replaces the name, so that
// conditions on it can reach the scan. A larger one that another expression uses
// becomes a column, computed once by a projection below the step: otherwise, if
// each alias uses the previous one twice, the size would double with every
// alias.
type stage struct {
	k *block
	// inline is the size of the largest expression that replaces its alias.
	inline int
	// eager says that the step always evaluates all items for all rows. Otherwise an
	// expression that may fail becomes a column only if the step evaluates it for
	// all rows: if not, a condition may prevent its failure.
	eager  bool
	always map[*ast.Ident]bool // names that the step evaluates for all rows

	*layers // the columns that its aliases became, and its subqueries
	items   []sharedItem
	from    *stage // a stage below whose columns this one has too; nil: none
	open    int    // aliases that are being bound
}

// sharedItem is an item of the select list in a stage.
type sharedItem struct {
	x      expr.Expr       // nil: not bound yet
	tooBig error           // the error of binding it, or nil
	column *logical.Column // nil: the expression replaces its alias
}

const (
	inlineCondition = 1000 // conditions and keys written by hand are smaller
	inlineItem      = 16   // about the size that may be evaluated twice
)

func (k *block) stage(inline int, eager bool) *stage {
	return &stage{k: k, inline: inline, eager: eager, layers: newLayers(), items: make([]sharedItem, len(k.items)), always: map[*ast.Ident]bool{}}
}

// evaluated notes the names that an expression always evaluates. The stage may then share
// an alias of such a name even if the alias may fail: it fails for the same rows.
func (s *stage) evaluated(e ast.Expr) {
	ast.Always(e, func(name *ast.Ident) { s.always[name] = true })
}

// aliases looks up names among the first n items and binds their expressions as t
// does, but without the aliases of later items.
func (s *stage) aliases(t typer, n int) func(*ast.Ident) (expr.Expr, bool, error) {
	return func(name *ast.Ident) (expr.Expr, bool, error) {
		for i := range n {
			if alias := s.k.items[i].alias; alias != "" && strings.EqualFold(alias, name.Parts[0]) {
				x, err := s.use(t, i, s.always[name])
				return x, true, aliasError(name, err)
			}
		}
		return nil, false, nil
	}
}

// aliasError is an error of what an alias stands for. An aggregate is right in the select list: the
// mistake is the name.
func aliasError(name *ast.Ident, err error) error {
	if misplaced, ok := errors.AsType[*misplacedAggregate](err); ok {
		return errs.At(name.Start(), name.Stop(), misplaced)
	}
	return err
}

// item is the expression of item i, with the aliases before it replaced. always
// says that the step evaluates it for all rows.
func (s *stage) item(t typer, i int, always bool) (expr.Expr, error) {
	at := &s.items[i]
	if s.from != nil && at.x == nil && ast.HasSubquery(s.k.items[i].ast) {
		at.x = s.from.items[i].x // so that its subqueries are evaluated once
	}
	if at.x != nil || at.tooBig != nil {
		return at.x, at.tooBig
	}
	if s.open++; s.open > maxAliasDepth {
		return nil, fmt.Errorf("more than %d aliases refer to one another in a chain", maxAliasDepth)
	}
	defer func() { s.open-- }()
	if always {
		s.evaluated(s.k.items[i].ast)
	}
	t.alias = s.aliases(t, i)
	x, err := t.bind(s.k.items[i].ast)
	if err == nil {
		if t.groups {
			x = s.k.agg.constant(s.k.items[i].ast, x)
		}
		at.x = x
	} else if _, ok := errors.AsType[*sizeError](err); ok {
		at.tooBig = err
	}
	return x, err
}

// use is the expression that replaces the alias of item i.
func (s *stage) use(t typer, i int, always bool) (expr.Expr, error) {
	x, err := s.item(t, i, always)
	if err != nil {
		return nil, err
	}
	if at := &s.items[i]; at.column != nil {
		return at.column.Ref(), nil
	}
	if expr.IsVolatile(x) && t.clause == "GROUP BY" {
		return x, nil
	}
	if expr.IsVolatile(x) { // each place would have a value of its own
		return nil, errs.Unsupported("the alias %s of an expression whose value differs from call to call; compute it in a derived table", s.k.items[i].alias)
	}
	size := s.k.b.size(x)
	if size <= s.inline {
		return x, nil
	}
	if err := s.k.b.spend(size); err != nil {
		return nil, err
	}
	if s.k.un.reads(x) {
		return x, nil // rows of elements are made above all steps
	}
	if !s.eager && !always && expr.CanFail(x) {
		return x, nil
	}
	return s.share(i, x)
}

// share makes the expression of item i a column.
func (s *stage) share(i int, x expr.Expr) (expr.Expr, error) {
	layer := s.Above(logical.ReadBy(x))
	if layer >= maxAliasDepth {
		return nil, fmt.Errorf("more than %d aliases refer to one another in a chain", maxAliasDepth)
	}
	c := &logical.Column{ID: s.k.b.ids.New(), Name: s.k.items[i].alias, Type: x.Type(), Nullable: true}
	l := s.At(layer, *c)
	l.Computed = append(l.Computed, logical.Computed{Column: *c, Expr: x})
	s.items[i].column = c
	return c.Ref(), nil
}

// written replaces a shared column by its expression; other columns stay. If
// it is a whole group key, it is compared with the select list by its expression.
func (s *stage) written(c *expr.Column) expr.Expr {
	for _, it := range s.items {
		if it.column != nil && it.column.ID == logical.ColumnID(c.Index) {
			return it.x
		}
	}
	return c
}
