// Package window has the calls of SQL's window functions: f(…) OVER (…). A Call is a
// function with its arguments and its frame; how the rows are divided and ordered is
// said by the node that has the calls, logical.Window. Package exec/window computes
// them.
//
// To add a function, add an entry to the table in functions.go, with a binder which
// checks the arguments and sets the type, and an evaluator in exec/window. Every
// aggregate function can be called over a window without being listed here.
package window

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// Span is where the call is in the statement.
func (c *Call) Span() expr.Span { return c.span }

// Kind is what a call computes.
type Kind uint8

// The kinds.
const (
	Aggregate Kind = iota // an aggregate over the rows of the frame, see Call.Aggregate
	RowNumber
	Rank
	DenseRank
	PercentRank
	CumeDist
	Ntile      // the number of parts is argument 0
	Lag        // value, distance and default are arguments 0 to 2
	Lead       // the same
	Fill       // the value is argument 0
	FirstValue // the value is argument 0
	LastValue  // the same
	NthValue   // the value is argument 0, its number from 1 is argument 1
)

// Framed reports whether the result depends on the frame.
func (k Kind) Framed() bool { return k == Aggregate || k >= FirstValue }

// Call is a window function applied to arguments. It is immutable and may be shared by
// goroutines.
type Call struct {
	kind        Kind
	name        string          // in capitals
	args        []expr.Expr     // after implicit casts
	agg         *aggregate.Call // also of a call with an order of its own, see Ordered
	ignoreNulls bool
	frame       Frame // zero unless the kind is framed
	typ         vector.Type
	span        expr.Span // in the statement
}

// Options is what a call may have besides its arguments.
type Options struct {
	Distinct    bool
	Filter      expr.Expr      // or nil
	OrderBy     []expr.SortKey // inside the parentheses
	IgnoreNulls bool
	// Frame is that of the window; nil is the default one. It is checked by
	// NewFrame.
	Frame *Frame
	// Span is where the call is in the statement.
	Span expr.Span
}

// New type-checks the call of a window function or an aggregate function by one of its
// names, in any case.
func New(name string, args []expr.Expr, o Options) (*Call, error) {
	upper := strings.ToUpper(name)
	f, ok := functions[upper]
	if upper == "ANY_VALUE" && len(args) == 1 { // the first value of the frame that is not NULL
		if o.Filter != nil {
			x, err := expr.NewCase(nil, []expr.Expr{o.Filter}, args, expr.NewConst(vector.NullOf(args[0].Type())))
			if err != nil {
				return nil, err
			}
			args, o.Filter = []expr.Expr{x}, nil
		}
		f, ok, o.IgnoreNulls = functions["FIRST_VALUE"], true, true
	}
	if !ok {
		return newAggregate(upper, args, o)
	}
	switch {
	case o.Distinct:
		return nil, fmt.Errorf("%s takes no DISTINCT; only aggregates over a window do", upper)
	case o.Filter != nil:
		return nil, fmt.Errorf("%s takes no FILTER; only aggregates over a window do", upper)
	case o.IgnoreNulls && f.kind < Lag:
		return nil, fmt.Errorf("%s takes no IGNORE NULLS: it reads no values", upper)
	case !expr.Takes(f.Signatures, len(args)):
		return nil, fmt.Errorf("%w", expr.WrongCount(upper, f.Signatures, len(args)))
	case len(o.OrderBy) > 0:
		return newOrdered(f, upper, args, o)
	}
	c := &Call{kind: f.kind, name: upper, args: slices.Clone(args), ignoreNulls: o.IgnoreNulls, span: o.Span}
	if c.kind.Framed() {
		c.frame = o.frame()
	}
	return c, f.bind(c)
}

// newOrdered is a function with an order of its own, which is another one than that of the
// frame. FIRST_VALUE and LAST_VALUE are the aggregates FIRST and LAST.
func newOrdered(f *Function, name string, args []expr.Expr, o Options) (*Call, error) {
	if edge := map[Kind]string{FirstValue: "FIRST", LastValue: "LAST"}[f.kind]; edge != "" {
		if o.IgnoreNulls {
			o.Filter, o.IgnoreNulls = expr.NewIsNull(args[0], true), false
		}
		return newAggregate(edge, args, o)
	}
	frame := o.frame()
	if f.kind == DenseRank || f.kind == Fill || o.IgnoreNulls || f.kind != NthValue && !frame.hasCurrent() {
		return nil, unsupportedOrder(name)
	}
	c := &Call{kind: f.kind, name: name, args: slices.Clone(args), frame: frame, span: o.Span}
	if err := f.bind(c); err != nil {
		return nil, err
	}
	value := o.OrderBy[0].Expr // RANK and its kin have no value
	if f.kind >= Lag {
		value = c.args[0]
	}
	first, err := aggregate.New("FIRST", []expr.Expr{value}, false, nil)
	if err != nil {
		return nil, err
	}
	c.agg = first.WithOrder(o.OrderBy)
	return c, nil
}

func newAggregate(name string, args []expr.Expr, o Options) (*Call, error) {
	if o.IgnoreNulls {
		return nil, fmt.Errorf("%s takes no IGNORE NULLS: aggregates skip NULLs anyway", name)
	}
	agg, err := aggregate.New(name, args, o.Distinct, o.Filter)
	if err == nil {
		agg, err = agg.Exactly()
	}
	if err != nil {
		return nil, err
	}
	agg.At(o.Span)
	if len(o.OrderBy) > 0 {
		agg = agg.WithOrder(o.OrderBy)
	}
	return &Call{kind: Aggregate, name: agg.Name(), agg: agg, frame: o.frame(), typ: agg.Type(), span: o.Span}, nil
}

func (o Options) frame() Frame {
	if o.Frame == nil {
		return DefaultFrame
	}
	return *o.Frame
}

// Kind is what the call computes.
func (c *Call) Kind() Kind { return c.kind }

// Type is the result's type.
func (c *Call) Type() vector.Type { return c.typ }

// Nullable reports whether the result can be NULL.
func (c *Call) Nullable() bool {
	switch c.kind {
	case Aggregate:
		return !c.agg.Function().ZeroOnEmpty
	case Ntile:
		return true // of NULL
	}
	return c.kind >= Lag
}

// Args are the arguments after implicit casts; those of an aggregate are its own.
func (c *Call) Args() []expr.Expr { return c.args }

// Aggregate is the aggregate that is computed over the frame, with its FILTER, DISTINCT
// and ORDER BY. Of an Ordered call it is FIRST with that order; else nil.
func (c *Call) Aggregate() *aggregate.Call { return c.agg }

// Ordered reports whether a call that is no aggregate has an order of its own, in which it
// sees the rows of its frame.
func (c *Call) Ordered() bool { return c.kind != Aggregate && c.agg != nil }

// IgnoreNulls reports whether rows where argument 0 is NULL are left out.
func (c *Call) IgnoreNulls() bool { return c.ignoreNulls }

// Frame is the frame, if the kind is Framed.
func (c *Call) Frame() Frame { return c.frame }

// Exprs are all expressions that the call reads.
func (c *Call) Exprs() []expr.Expr {
	out := slices.Clone(c.args)
	if c.agg != nil {
		out = append(out, c.agg.Args()...)
		if f := c.agg.Filter(); f != nil {
			out = append(out, f)
		}
	}
	return append(out, c.frame.exprs()...)
}

// Transform applies f to all expressions of the call. f must not change their types.
func (c *Call) Transform(f func(expr.Expr) (expr.Expr, error)) (*Call, error) {
	out := *c
	var err error
	out.args = make([]expr.Expr, len(c.args))
	for i, e := range c.args {
		if out.args[i], err = f(e); err != nil {
			return nil, err
		}
	}
	if c.agg != nil {
		if out.agg, err = c.agg.Transform(f); err != nil {
			return nil, err
		}
	}
	if out.frame, err = c.frame.transform(f); err != nil {
		return nil, err
	}
	return &out, nil
}

// Equal reports whether two calls over the same window have the same results.
func (c *Call) Equal(o *Call) bool {
	if c.kind != o.kind || c.ignoreNulls != o.ignoreNulls || !slices.EqualFunc(c.args, o.args, expr.Equal) {
		return false
	}
	if (c.agg == nil) != (o.agg == nil) || c.agg != nil && !c.agg.Equal(o.agg) {
		return false
	}
	return c.frame.equal(o.frame)
}

// String is the call as EXPLAIN shows it, without the window.
func (c *Call) String() string {
	var b strings.Builder
	if c.kind == Aggregate {
		b.WriteString(c.agg.String())
	} else {
		b.WriteString(c.name + "(")
		for i, e := range c.args {
			b.WriteString([]string{"", ", "}[min(i, 1)] + e.String())
		}
		if c.ignoreNulls {
			b.WriteString(" IGNORE NULLS")
		}
		if c.Ordered() {
			b.WriteString(" in the order of " + c.agg.String())
		}
		b.WriteString(")")
	}
	if (c.kind.Framed() || c.Ordered()) && !c.frame.equal(DefaultFrame) {
		b.WriteString(" " + c.frame.String())
	}
	return b.String()
}
