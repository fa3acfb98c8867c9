package bind

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"

	"github.com/parquetsql/parquetsql/planner/logical"

	"github.com/parquetsql/parquetsql/vector"
)

// unnests is the calls of UNNEST in the select list and ORDER BY of a block. They make
// rows of the results of all other clauses: several of them side by side, the shorter
// ones followed by NULL.
type unnests struct {
	k     *block
	in    typer // the arguments: over the groups and windows
	lists []expr.Expr
	calls []logical.Column // their elements
}

// unnested lets the select list and ORDER BY have UNNEST.
func (k *block) unnested() {
	k.un = &unnests{k: k, in: k.out}
	k.un.in.clause = "the argument of UNNEST"
	k.out.first = k.un.first
	k.out.alias = k.above.aliases(k.out, len(k.items))
}

// isUnnest reports whether a call makes rows of a list.
func isUnnest(e ast.Expr) bool {
	c, ok := e.(*ast.Call)
	return ok && (strings.EqualFold(c.Name, "unnest") || strings.EqualFold(c.Name, "generate_subscripts"))
}

// first binds a call of UNNEST, and what is bound below it.
func (u *unnests) first(e ast.Expr) (expr.Expr, bool, error) {
	if isUnnest(e) {
		x, err := u.call(e.(*ast.Call))
		return x, true, err
	}
	if u.in.first == nil {
		return nil, false, nil
	}
	return u.in.first(e)
}

// call finds or adds a call.
func (u *unnests) call(e *ast.Call) (expr.Expr, error) {
	list, err := u.argument(e)
	if err != nil {
		return nil, err
	}
	x, err := u.in.bind(list)
	if err != nil {
		return nil, err
	}
	given := x.Type()
	if x, err = listedSeries(x); err != nil {
		return nil, err
	}
	if given.Kind == vector.Variant { // the values of its entries
		return u.element(x, given), nil
	}
	return u.element(x, x.Type().Fields[0].Type), nil
}

// element finds or adds the column of the elements of a list, of type element.
func (u *unnests) element(x expr.Expr, element vector.Type) expr.Expr {
	for i, known := range u.lists {
		if expr.Equal(known, x) && !expr.IsVolatile(x) && u.calls[i].Type.Equal(element) {
			return u.calls[i].Ref()
		}
	}
	c := logical.Column{ID: u.k.b.ids.New(), Name: "unnest", Type: element, Nullable: true}
	u.lists, u.calls = append(u.lists, x), append(u.calls, c)
	return c.Ref()
}

// argument is the list of a call: for generate_subscripts its positions.
func (u *unnests) argument(e *ast.Call) (ast.Expr, error) {
	if e.ArgNames != nil {
		return nil, errs.Unsupported("options of UNNEST within an expression; write it alone")
	}
	if strings.EqualFold(e.Name, "unnest") {
		if len(e.Args) != 1 {
			return nil, fmt.Errorf("UNNEST takes one list, not %d arguments", len(e.Args))
		}
		return e.Args[0], nil
	}
	if l, ok := e.Args[len(e.Args)-1].(*ast.Literal); len(e.Args) != 2 || !ok || l.Text != "1" {
		return nil, fmt.Errorf("generate_subscripts takes a list and the dimension 1")
	}
	one := &ast.Literal{Span: e.Span, Kind: ast.Integer, Text: "1"}
	length := &ast.Call{Span: e.Span, Name: "len", Args: e.Args[:1]}
	return &ast.Call{Span: e.Span, Name: "generate_series", Args: []ast.Expr{one, length}}, nil
}

// reads reports whether an expression reads the result of an UNNEST.
func (u *unnests) reads(x expr.Expr) bool {
	if u == nil || len(u.calls) == 0 {
		return false
	}
	read := logical.ReadBy(x)
	for _, c := range u.calls {
		if read.Has(c.ID) {
			return true
		}
	}
	return false
}

// rows makes a row of each element.
func (u *unnests) rows(in logical.Node) (logical.Node, error) {
	if len(u.lists) == 0 {
		return in, nil
	}
	free := logical.Free(in)
	for _, c := range u.calls {
		if free.Has(c.ID) {
			return nil, errs.Unsupported("a subquery that reads the result of UNNEST in the same SELECT; unnest in a derived table")
		}
	}
	return sideBySide(u.k.b.ids, in, u.lists, u.calls)
}

// unnestedFields is the columns that an item makes if it is UNNEST of a struct, or of a list
// with the option recursive, which goes on to the fields. ok is false for other items.
func (k *block) unnestedFields(it ast.Item) (items []item, ok bool, err error) {
	c, is := it.Expr.(*ast.Call)
	if !is || !strings.EqualFold(c.Name, "unnest") || len(c.Args) == 0 {
		return nil, false, nil
	}
	t := typer{b: k.b, scope: k.scope, clause: "the argument of UNNEST", outer: k.outer, steps: newLayers()}
	depth, parents, err := t.levels(c)
	if err != nil {
		return nil, true, err
	}
	x, err := t.bind(c.Args[0])
	if err != nil {
		return nil, false, nil // it may have aggregates; binding the select list reports what is wrong
	}
	if ty := x.Type(); ty.Kind != vector.Struct && depth == 1 {
		return nil, false, nil
	}
	e, ty := c.Args[0], x.Type()
	if ty.Kind == vector.List {
		ty = ty.Fields[0].Type
		if depth > 1 && ty.Kind == vector.List && k.unnestsMore() {
			return nil, true, errs.Unsupported("UNNEST of several levels beside another UNNEST; unnest one of them in a derived table")
		}
		for ; depth > 1 && ty.Kind == vector.List; depth-- {
			e, ty = &ast.Call{Span: c.Span, Name: "flatten", Args: []ast.Expr{e}}, ty.Fields[0].Type
		}
		e = &ast.Call{Span: c.Span, Name: "unnest", Args: []ast.Expr{e}}
		depth--
	}
	if ty.Kind != vector.Struct || depth < 1 {
		made := item{ast: e, alias: it.Alias, name: it.Alias}
		if it.Alias == "" {
			made.name = k.nameOf(it)
		}
		return []item{made}, true, nil
	}
	return fieldItems(e, ty, depth, parents, ""), true, nil
}

// unnestsMore reports whether the select list has several calls of UNNEST. Their elements stand side
// by side on each level, where a single one can be flattened first.
func (k *block) unnestsMore() bool {
	n := 0
	for _, it := range k.s.Items {
		ast.Walk(it.Expr, func(e ast.Expr) bool {
			if isUnnest(e) {
				n++
			}
			return true
		})
	}
	return n > 1
}

// fieldItems is the fields of a struct, and those of its structs down to a depth. With parents their
// names begin with those of the structs around them, behind a prefix.
func fieldItems(e ast.Expr, t vector.Type, depth int, parents bool, prefix string) []item {
	var out []item
	span := ast.Span{Pos: e.Start(), End: e.Stop()}
	for i, f := range t.Fields {
		x := ast.Expr(&ast.Field{Span: span, X: e, Name: f.Name})
		if f.Name == "" { // of ROW(…)
			f.Name = "element" + strconv.Itoa(i+1)
			at := &ast.Literal{Span: span, Kind: ast.Integer, Text: strconv.Itoa(i + 1)}
			x = &ast.Call{Span: span, Name: "struct_extract_at", Args: []ast.Expr{e, at}}
		}
		if f.Type.Kind == vector.Struct && depth > 1 {
			within := ""
			if parents {
				within = prefix + f.Name + "."
			}
			out = append(out, fieldItems(x, f.Type, depth-1, parents, within)...)
		} else {
			out = append(out, item{ast: x, name: prefix + f.Name})
		}
	}
	return out
}

// maxUnnestDepth is more than types can nest.
const maxUnnestDepth = 1000

// levels is how many levels a call of UNNEST removes, 1 unless its options say otherwise, and whether
// fields keep the names of their parents.
func (t *typer) levels(c *ast.Call) (depth int, parents bool, err error) {
	depth = 1
	for i := 1; i < len(c.Args); i++ {
		x, err := t.bind(c.Args[i])
		if err != nil {
			return 0, false, err
		}
		v, ok := x.(*expr.Const)
		switch {
		case i >= len(c.ArgNames) || !ok:
			return 0, false, fmt.Errorf("UNNEST takes one list, and the options recursive, max_depth and keep_parent_names")
		case strings.EqualFold(c.ArgNames[i], "recursive"):
			if v.Value.Bool {
				depth = maxUnnestDepth
			}
		case strings.EqualFold(c.ArgNames[i], "max_depth") && v.Value.I64 > 0:
			depth = int(min(v.Value.I64, maxUnnestDepth))
		case strings.EqualFold(c.ArgNames[i], "keep_parent_names"):
			parents = v.Value.Bool
		default:
			return 0, false, fmt.Errorf("UNNEST has no option %s := %s", c.ArgNames[i], x)
		}
	}
	return depth, parents, nil
}
