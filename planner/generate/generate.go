// Package generate makes plans of the functions that generate rows: range,
// generate_series and UNNEST. Their arguments are computed on the rows of an input,
// and the rows that they generate keep its columns.
package generate

import (
	"fmt"
	"strconv"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
	"github.com/parquetsql/parquetsql/vector"
)

// Computed adds columns with the values of expressions to the rows of a node.
func Computed(ids *logical.IDs, in logical.Node, names []string, list []expr.Expr) (logical.Node, []logical.Column) {
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

// Call is a call of range or generate_series.
type Call struct {
	Name      string
	Args      []expr.Expr
	Inclusive bool // the end is a value too
}

// Series is the values of a call for each row of a node; of one without values a row with
// NULL if outer. There are one to three arguments: whole numbers, or two dates or
// timestamps and an interval.
func (c Call) Series(ids *logical.IDs, in logical.Node, outer bool) (*logical.Unnest, error) {
	name, args := c.Name, c.Args
	if len(args) == 0 || len(args) > 3 {
		return nil, fmt.Errorf("parquet: %s takes one to three arguments, not %d", name, len(args))
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
	for i, want := range []vector.Type{t, t, expr.StepType(t)} {
		if cast[i], err = expr.NewCast(args[i], want, false); err != nil {
			return nil, fmt.Errorf("parquet: %s: argument %d: %w", name, i+1, err)
		}
	}
	in, at := Computed(ids, in, []string{"start", "end", "step"}, cast)
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
	return vector.Type{}, fmt.Errorf("parquet: %s(%s, %s, %s): it takes one to three whole numbers, or two dates or timestamps and an INTERVAL",
		name, args[0].Type(), args[1].Type(), args[2].Type())
}

// Elements is a row for each element of a list, for each row of a node. The last
// result is the column of the elements.
func Elements(ids *logical.IDs, in logical.Node, list expr.Expr, outer bool) (*logical.Unnest, logical.Column, error) {
	if k := list.Type().Kind; k == vector.Null {
		var err error
		if list, err = expr.NewCast(list, vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.Integer), Nullable: true}), false); err != nil {
			return nil, logical.Column{}, err
		}
	} else if k != vector.List {
		return nil, logical.Column{}, fmt.Errorf("parquet: UNNEST takes a list, not a %s", list.Type())
	}
	in, c := Computed(ids, in, []string{"list " + strconv.Itoa(len(in.Columns()))}, []expr.Expr{list})
	u := logical.NewUnnest(ids, in, c[0], outer)
	for _, e := range u.Elements {
		if len(vector.ElementColumns(list.Type())[e.Field].Steps) == 1 {
			return u, e.Column, nil
		}
	}
	return nil, logical.Column{}, fmt.Errorf("parquet: internal error: a %s has no elements", list.Type())
}
