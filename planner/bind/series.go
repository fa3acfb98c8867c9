package bind

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/expr/series"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// Plans of the functions that generate rows: range,
// generate_series and UNNEST. Their arguments are computed on the rows of an input,
// and the rows that they generate keep its columns.

// computedSeries adds columns with the values of expressions to the rows of a node.
func computedSeries(ids *logical.IDs, in logical.Node, names []string, list []expr.Expr) (logical.Node, []logical.Column) {
	p := &logical.Project{In: in}
	for _, c := range in.Columns() {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	never := predicate.Required(in.Columns())
	added := make([]logical.Column, len(list))
	for i, x := range list {
		added[i] = logical.Column{ID: ids.New(), Name: names[i], Type: x.Type(), Nullable: predicate.Nullable(x, never)}
		p.Items = append(p.Items, logical.Computed{Column: added[i], Expr: x})
	}
	return p, added
}

// seriesCall is a call of range or generate_series.
type seriesCall struct {
	Name      string
	Args      []expr.Expr
	Inclusive bool // the end is a value too
}

// Series is the values of a call for each row of a node; of one without values a row with
// NULL if outer. There are one to three arguments: whole numbers, or two dates or
// timestamps and an interval.
func (c seriesCall) Series(ids *logical.IDs, in logical.Node, outer bool) (*logical.Unnest, error) {
	name, args := c.Name, c.Args
	if len(args) == 0 || len(args) > 3 {
		return nil, fmt.Errorf("%s takes one to three arguments, not %d", name, len(args))
	}
	zero, one := expr.NewConst(vector.IntScalar(0)), expr.NewConst(vector.IntScalar(1))
	switch len(args) {
	case 1:
		args = []expr.Expr{zero, args[0], one}
	case 2:
		args = []expr.Expr{args[0], args[1], one}
	}
	t, err := seriesType(name, args)
	if err != nil {
		return nil, err
	}
	cast := make([]expr.Expr, len(args))
	for i, want := range []vector.Type{t, t, series.StepType(t)} {
		if cast[i], err = expr.NewCast(args[i], want, false); err != nil {
			return nil, fmt.Errorf("%s: argument %d: %w", name, i+1, err)
		}
	}
	in, at := computedSeries(ids, in, []string{"start", "end", "step"}, cast)
	s := &logical.Series{From: at[0].Ref(), To: at[1].Ref(), Step: at[2].Ref(), Inclusive: c.Inclusive}
	return logical.NewSeries(ids, in, s, outer), nil
}

// seriesType is the type of the values of a series.
func seriesType(name string, args []expr.Expr) (vector.Type, error) {
	whole, instants, zoned := true, args[2].Type().Kind == vector.Interval, false
	for i, a := range args {
		k := a.Type().Kind
		whole = whole && (a.Type().IsInteger() || k == vector.Null)
		if i < 2 {
			instants = instants && (k == vector.Date || k == vector.Timestamp || k == vector.TimestampTZ || k == vector.Null)
			zoned = zoned || k == vector.TimestampTZ
		}
	}
	switch {
	case whole:
		return vector.Of(vector.BigInt), nil
	case instants:
		return vector.TimestampType(vector.Micros, zoned), nil
	}
	return vector.Type{}, fmt.Errorf("%s(%s, %s, %s): it takes one to three whole numbers, or two dates or timestamps and an INTERVAL",
		name, args[0].Type(), args[1].Type(), args[2].Type())
}

// seriesFields is a row for each struct in a list that has some, and the columns of its fields.
// With outer an empty list has a row of NULLs.
func seriesFields(ids *logical.IDs, in logical.Node, list expr.Expr, outer bool) (*logical.Unnest, []logical.Column, error) {
	below, c := computedSeries(ids, in, []string{"entries"}, []expr.Expr{list})
	u := logical.NewUnnest(ids, below, c[0], outer)
	out := make([]logical.Column, len(list.Type().Fields[0].Type.Fields))
	for i := range out {
		var err error
		if out[i], err = element(u, list.Type(), i); err != nil {
			return nil, nil, err
		}
	}
	return u, out, nil
}

// noList is the error of a value in place of a list.
type noList struct{ x expr.Expr }

func (e *noList) Error() string { return fmt.Sprintf("UNNEST takes a list, not a %s", e.x.Type()) }

// listedSeries is an expression that UNNEST takes: NULL as a list of unknown elements, a VARIANT as
// its entries, structs of key and value.
func listedSeries(x expr.Expr) (expr.Expr, error) {
	switch x.Type().Kind {
	case vector.List:
		return x, nil
	case vector.Variant:
		return function.New("variant_entries", []expr.Expr{x})
	case vector.Null:
		return expr.NewCast(x, vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.Integer), Nullable: true}), false)
	}
	return nil, &noList{x}
}

// sideBySide is a row for each element of several lists of a row, the shorter ones followed
// by NULL. elements are the columns of their elements.
func sideBySide(ids *logical.IDs, in logical.Node, lists []expr.Expr, elements []logical.Column) (logical.Node, error) {
	list := lists[0]
	if len(lists) > 1 {
		var err error
		if list, err = function.New("list_zip", lists); err != nil {
			return nil, err
		}
	}
	below, c := computedSeries(ids, in, []string{"unnest"}, []expr.Expr{list})
	u := logical.NewUnnest(ids, below, c[0], false)
	p := &logical.Project{In: u}
	for _, c := range in.Columns() {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	for i, c := range elements {
		var steps []int
		if len(lists) > 1 {
			steps = []int{i}
		}
		if c.Type.Kind == vector.Variant && lists[i].Type().Fields[0].Type.Kind == vector.Struct {
			steps = append(steps, entryValue)
		}
		at, err := elementAt(u, list.Type(), steps)
		if err != nil {
			return nil, err
		}
		u.Elements[at].ID = c.ID
		p.Items = append(p.Items, logical.HandOn(c))
	}
	return p, nil
}

// The fields of the entries of a VARIANT.
const (
	entryKey = iota
	entryValue
)

// element is the column of the elements, or of their field that steps lead to.
func element(u *logical.Unnest, t vector.Type, steps ...int) (logical.Column, error) {
	at, err := elementAt(u, t, steps)
	if err != nil {
		return logical.Column{}, err
	}
	return u.Elements[at].Column, nil
}

func elementAt(u *logical.Unnest, t vector.Type, steps []int) (int, error) {
	for i, e := range u.Elements {
		if slices.Equal(vector.ElementColumns(t)[e.Field].Steps[1:], steps) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("internal error: a %s has no elements", t)
}

// elementsOf is a row for each element of a list, for each row of a node. The columns are
// that of the elements and, of a VARIANT, that of the keys.
func elementsOf(ids *logical.IDs, in logical.Node, x expr.Expr, outer bool) (*logical.Unnest, []logical.Column, error) {
	list, err := listedSeries(x)
	if err != nil {
		return nil, nil, err
	}
	in, c := computedSeries(ids, in, []string{"list " + strconv.Itoa(len(in.Columns()))}, []expr.Expr{list})
	u := logical.NewUnnest(ids, in, c[0], outer)
	if x.Type().Kind != vector.Variant {
		e, err := element(u, list.Type())
		return u, []logical.Column{e}, err
	}
	key, err := element(u, list.Type(), entryKey)
	if err != nil {
		return nil, nil, err
	}
	value, err := element(u, list.Type(), entryValue)
	return u, []logical.Column{value, key}, err
}
