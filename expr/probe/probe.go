// Package probe decides what a condition proves about rows that have not been read:
// a Probe is one conjunct of a WHERE clause, a Summary describes a column over a set
// of rows (bounds, NULLs, a dictionary, a bloom filter), and a
// Verdict says whether none, some or all of the rows can satisfy the conjunct.
//
// Each expression has a domain of values (domain.go): bounds, and whether NULL, NaN
// or an error is possible. Functions that keep an order are evaluated at the ends of
// a domain (value.go, monotone.go). A condition over domains gives outcomes
// (condition.go, outcome.go): which of TRUE, FALSE, NULL and an error are possible.
// Both may be too wide and are never too narrow.
package probe

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Verdict is what a summary of many rows proves about a conjunct.
type Verdict uint8

const (
	// Some means that nothing is proved: the conjunct must be evaluated.
	Some Verdict = iota
	// None proves that the conjunct is TRUE for no row.
	None
	// All proves that the conjunct is TRUE for every row.
	All
)

func (v Verdict) String() string {
	switch v {
	case None:
		return "none"
	case All:
		return "all"
	}
	return "some"
}

// Summary describes one column over a set of rows: a file, a row group or a page.
// Unknown fields are nil. A Summary about which nothing is known has Nulls -1,
// MayHaveNaN true and all other fields zero.
type Summary struct {
	Rows  int64
	Nulls int64 // -1: unknown

	// Min and Max bound the values that are neither NULL nor NaN, inclusive, in
	// the column's SQL type and order. One of them may be nil. MinExact says
	// that some row has the value Min.
	Min, Max           *vector.Scalar
	MinExact, MaxExact bool
	MayHaveNaN         bool

	// Dict holds every value that is not NULL, and possibly values that no row has.
	Dict *vector.Vector

	// Shapes describes geometries; nil if nothing is known of them.
	Shapes *Shapes

	// Bloom returns false if certainly no row has the value (of the column's type).
	Bloom func(vector.Scalar) bool
}

// Probe tests with summaries whether rows can or must satisfy one conjunct of a
// WHERE clause. It is immutable and may be used by several goroutines.
type Probe interface {
	// Test calls get for the columns that it needs; get returns nil if nothing is known.
	Test(get func(column int) *Summary) Verdict
	// Fails reports whether the conjunct may raise an error for one of the rows.
	Fails(get func(column int) *Summary) bool
	// WantsDictionary reports whether it is worth reading the dictionary of the only column,
	// of which s is known without it, for Test.
	WantsDictionary(s *Summary) bool
	// Columns are the indexes of the columns that Test may need, without duplicates.
	Columns() []int
	// String is the conjunct as EXPLAIN shows it.
	String() string
}

// New builds the probe of a conjunct. It returns nil if no summary could decide it, or if
// ctx ended: a conjunct may be as long as a statement.
//
// A conjunct that may raise an error for some row is never decided by that row:
// the verdict is Some. Rows that another conjunct rules out are not read and raise no
// error, as in any engine that reorders conjuncts.
func New(ctx context.Context, e expr.Expr) Probe {
	b := &builder{ticker: quota.NewTicker(ctx, quota.NodesPerLook)}
	if ctx.Err() != nil { // callers do not look between many conjuncts
		return nil
	}
	c := b.condition(e)
	if b.ticker.Err() != nil {
		return nil
	}
	if _, constant := e.(*expr.Const); constant || isOpaque(c) {
		return nil
	}
	return &conjunct{text: e, condition: c, columns: expr.ColumnsOf(e)}
}

// builder makes the conditions of one conjunct.
type builder struct {
	ticker quota.Ticker // of conditions and comparisons
}

// conjunct is a conjunct as a tree of conditions that work on sets of values.
type conjunct struct {
	text      expr.Expr
	condition condition
	columns   []int
}

func (p *conjunct) Test(get func(column int) *Summary) Verdict {
	return p.condition.test(get).verdict()
}

func (p *conjunct) Fails(get func(column int) *Summary) bool {
	return p.condition.test(get)&canFail != 0
}

func (p *conjunct) Columns() []int { return p.columns }

// WantsDictionary is false for x <> 1 or x NOT IN (1, 2) where there are several values: it is
// all but certain that another one is among them. What reads the rows looks at each entry
// of the dictionary once, too.
func (p *conjunct) WantsDictionary(s *Summary) bool {
	switch e := p.text.(type) {
	case *expr.Compare:
		if e.Op != expr.OpNe {
			return true
		}
	case *expr.In:
		if !e.Not {
			return true
		}
	default:
		return true
	}
	return s == nil || s.Min == nil || s.Max == nil || s.Min.Compare(s.Max) == 0
}

func (p *conjunct) String() string { return p.text.String() }
