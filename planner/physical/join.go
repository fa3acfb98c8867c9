package physical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Join combines the rows of two inputs. Those of Build are kept, those of Probe stream by, in
// as many streams as the join has. How a probe row finds its candidates is one of: the keys,
// those of several alternatives, a comparison, the boxes of geometries, or all rows of Build.
type Join struct {
	Of           logical.Node // *logical.Join or *logical.AsOfJoin
	Kind         logical.JoinKind
	Probe, Build Node
	BuildsLeft   bool // Build is the left input

	Keys  []Key  // equalities between the sides
	Order *Order // comparisons that find candidates, with Keys among the rows of equal keys
	Boxes *Boxes // geometries that find candidates; without Keys and Order
	// Either is alternatives of one of which all equalities hold; without Keys, Order and Boxes.
	Either [][]Key
	On     []expr.Expr // conjuncts that a pair has to fulfil besides; over the columns of both sides
	// Limits are comparisons that a pair fulfils, with values of the build side that are kept anyway: the least and the greatest one
	// say which rows of the probe side have no match.
	Limits []Reach
	// Rejects is columns of the probe side of which a NULL makes a conjunct of On not TRUE, so that the row has no match.
	Rejects []logical.ColumnID

	// Test belongs to a mark join, see logical.Join. Where it is a conjunction of equalities
	// between the sides, these are TestKeys too.
	Test     expr.Expr
	TestKeys []Key

	// Span is the subquery whose second row is an error, see logical.Join.
	Span expr.Span

	// Unread says by column which ones nobody reads, so that they need not be made; nil: none.
	Unread []bool
	// Filters are what scans of the probe side are told when Build was read.
	Filters []RuntimeFilter
}

// Key is an equality: Probe reads columns of the probe side, Build those of the build side.
type Key struct {
	Probe, Build expr.Expr
	NotDistinct  bool // NULL is equal to NULL
}

// Order says that the rows of the build side are sorted by one value: candidates are
// neighbours.
type Order struct {
	Build   expr.Expr
	Bounds  []Comparison // of Build, at least one
	Nearest bool         // only the nearest row that fulfils the bound: ASOF
	Reach   *Reach       // nil: nothing narrows the neighbours further
	Asked   bool         // the bounds are in On, too
	Alone   bool         // On is the only bound
}

// Comparison is Probe Op a value of the build side.
type Comparison struct {
	Probe expr.Expr
	Op    expr.Op // OpLt, OpLe, OpGt or OpGe
	// Shift, unless nil, is a BIGINT or a DOUBLE that is added to Probe, without overflow.
	Shift *expr.Const
}

// Up reports whether it holds for great values of the build side.
func (c Comparison) Up() bool { return c.Op == expr.OpLt || c.Op == expr.OpLe }

// Reach is a comparison with another value of the build side.
type Reach struct {
	Build expr.Expr
	Comparison
}

// Boxes are geometries whose boxes overlap, after one was expanded by a distance.
type Boxes struct {
	Probe, Build expr.Expr
	Globe        bool // GEOGRAPHY
	Distance     float64
	// ProbeDistance and BuildDistance are the distance where it is a value of one side; at
	// least one of them is nil.
	ProbeDistance, BuildDistance expr.Expr
}

// RuntimeFilter says that a scan below the probe side may leave out rows: those whose value
// of Expr is no key of the build side, is beyond all values there that it is compared with, or meets none of its geometries.
type RuntimeFilter struct {
	Scan *Scan
	Expr expr.Expr // over the columns of the table
	Key  int       // which of Keys it is; -1: the geometries of Boxes; behind Keys: one of Limits
}

// Nearest reports whether a row of the probe side has only the nearest row of the build side:
// without that one it would have another.
func (j *Join) Nearest() bool { return j.Order != nil && j.Order.Nearest }

// Columns implements Node.
func (j *Join) Columns() logical.Columns { return j.Of.Columns() }

// Inputs implements Node: the left one first.
func (j *Join) Inputs() []Node {
	if j.BuildsLeft {
		return []Node{j.Build, j.Probe}
	}
	return []Node{j.Probe, j.Build}
}

// Streams implements Node.
func (j *Join) Streams() int { return j.Probe.Streams() }

// Logical implements Node.
func (j *Join) Logical() logical.Node { return j.Of }
