package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/expr/function"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// summary is SUMMARIZE while its plan is made: all aggregates of all columns are computed
// at once, as one row. A list of that row has what is said of each column, and its elements
// are the rows. So the plan is as long as there are columns.
type summary struct {
	ids  *logical.IDs
	aggs []logical.Aggregation
	all  logical.Column // COUNT(*)
}

// summarizedRows is the rows of SUMMARIZE: one for each column of a query, with DuckDB's
// columns.
func summarizedRows(ids *logical.IDs, in logical.Node) (logical.Node, error) {
	s := &summary{ids: ids}
	var err error
	if s.all, err = s.aggregate("count"); err != nil {
		return nil, err
	}
	columns := in.Columns()
	rows := make([]expr.Expr, len(columns))
	for i, c := range columns {
		if rows[i], err = s.row(c); err != nil {
			return nil, err
		}
	}
	list, err := expr.NewList(rows...)
	if err != nil {
		return nil, err
	}
	u, fields, err := seriesFields(ids, &logical.Aggregate{In: in, Aggs: s.aggs}, list, false)
	if err != nil {
		return nil, err
	}
	p := &logical.Project{In: u}
	for i, f := range list.Type().Fields[0].Type.Fields {
		c := logical.Column{ID: ids.New(), Name: f.Name, Type: f.Type, Nullable: true}
		p.Items = append(p.Items, logical.Computed{Column: c, Expr: fields[i].Ref()})
	}
	return p, nil
}

// aggregate adds one and returns its column.
func (s *summary) aggregate(name string, args ...expr.Expr) (logical.Column, error) {
	call, err := aggregate.New(name, args, false, nil)
	if err != nil {
		return logical.Column{}, err
	}
	c := logical.NewAggregation(s.ids, call)
	s.aggs = append(s.aggs, c)
	return c.Column, nil
}

// row is what SUMMARIZE says of a column, over the aggregates: a STRUCT that has the same type for
// each column.
func (s *summary) row(c logical.Column) (expr.Expr, error) {
	var names []string
	var items []expr.Expr
	add := func(name string, x expr.Expr) {
		names, items = append(names, name), append(items, x)
	}
	add("column_name", expr.NewConst(vector.StringScalar(c.Name)))
	add("column_type", expr.NewConst(vector.StringScalar(c.Type.String())))
	kind := c.Type.Kind
	instant := kind == vector.Date || kind == vector.Time || kind == vector.Timestamp || kind == vector.TimestampTZ
	number := c.Type.IsNumeric()
	for _, f := range []struct {
		as, name string
		has      bool
		args     []expr.Expr
	}{
		{"min", "min", true, nil}, {"max", "max", true, nil},
		{"approx_unique", "approx_count_distinct", true, nil},
		{"avg", "avg", number || instant, nil}, {"std", "stddev", number, nil},
		{"q25", "approx_quantile", number || instant, quantile(0.25)},
		{"q50", "approx_quantile", number || instant, quantile(0.5)},
		{"q75", "approx_quantile", number || instant, quantile(0.75)},
	} {
		x, err := s.value(f.name, f.has, append([]expr.Expr{c.Ref()}, f.args...))
		if err != nil {
			return nil, err
		}
		if f.as == "approx_unique" {
			x, err = expr.NewCast(x, vector.Of(vector.BigInt), false)
		} else {
			x, err = expr.NewCast(x, vector.Of(vector.Varchar), false)
		}
		if err != nil {
			return nil, err
		}
		add(f.as, x)
	}
	add("count", s.all.Ref())
	missing, err := s.missing(c)
	if err != nil {
		return nil, err
	}
	add("null_percentage", missing)
	return expr.NewStruct(names, items)
}

func quantile(p float64) []expr.Expr {
	return []expr.Expr{expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: p})}
}

// value is an aggregate of a column; NULL where the aggregate does not take its type.
func (s *summary) value(name string, has bool, args []expr.Expr) (expr.Expr, error) {
	null := expr.NewConst(vector.NullOf(vector.Of(vector.Null)))
	if !has {
		return null, nil
	}
	if args[0].Type().Kind == vector.Variant {
		args[0] = expr.NewRender(args[0])
	}
	before := len(s.aggs)
	c, err := s.aggregate(name, args...)
	if err != nil {
		s.aggs = s.aggs[:before]
		return null, nil
	}
	return c.Ref(), nil
}

// missing is the percentage of NULLs, NULL where there are no rows.
func (s *summary) missing(c logical.Column) (expr.Expr, error) {
	there, err := s.aggregate("count", c.Ref())
	if err != nil {
		return nil, err
	}
	nulls, err := expr.NewArith(expr.OpSub, s.all.Ref(), there.Ref())
	if err != nil {
		return nil, err
	}
	of, err := function.New("nullif", []expr.Expr{s.all.Ref(), expr.NewConst(vector.IntScalar(0))})
	if err != nil {
		return nil, err
	}
	part, err := expr.NewArith(expr.OpDiv, nulls, of)
	if err != nil {
		return nil, err
	}
	part, err = expr.NewArith(expr.OpMul, part, expr.NewConst(vector.Scalar{Type: vector.Of(vector.Double), F64: 100}))
	if err != nil {
		return nil, err
	}
	return expr.NewCast(part, vector.DecimalType(9, 2), false)
}
