package window

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Unit is what the offsets of a frame count.
type Unit uint8

// The units.
const (
	Range  Unit = iota // distances of the value of the order key
	Rows               // rows
	Groups             // peer groups
)

// BoundKind is where a frame begins or ends.
type BoundKind uint8

// The bounds, in the order of the rows that they mean.
const (
	UnboundedPreceding BoundKind = iota
	Preceding                    // Offset before the current row
	CurrentRow                   // with RANGE and GROUPS: its first or last peer
	Following                    // Offset after the current row
	UnboundedFollowing
)

// Exclude is what is left out of a frame.
type Exclude uint8

// The exclusions.
const (
	ExcludeNone  Exclude = iota
	ExcludeRow           // the current row
	ExcludeGroup         // the current row and its peers
	ExcludeTies          // the peers of the current row
)

// Frame is the rows of the partition that a call sees, relative to the current row. The
// zero value is from the first row to the first one, which no query has: see
// DefaultFrame.
type Frame struct {
	Unit       Unit
	Start, End Bound
	Exclude    Exclude
}

// Bound is one end of a frame.
type Bound struct {
	Kind BoundKind
	// Offset belongs to Preceding and Following; it may differ from row to row. With
	// ROWS and GROUPS it is a BIGINT.
	Offset expr.Expr
	// Limit and Key replace Offset with RANGE: the order key of the current row moved
	// by Offset, and the order key, both of the same type. The frame ends with the
	// last row, or begins with the first one, whose Key does not lie beyond the
	// current row's Limit. Where the order key is NULL, the bound is that of the
	// current row's peers.
	Limit, Key expr.Expr
}

// DefaultFrame is RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW: without an
// ORDER BY all rows of the partition, for these are peers.
var DefaultFrame = Frame{End: Bound{Kind: CurrentRow}}

// Whole is the frame of all rows of the partition.
func Whole() *Frame {
	return &Frame{Unit: Rows, Start: Bound{Kind: UnboundedPreceding}, End: Bound{Kind: UnboundedFollowing}}
}

// NewFrame checks a frame that has Kind and Offset of its bounds, and sets the rest.
func NewFrame(f Frame, order []expr.SortKey) (*Frame, error) {
	switch {
	case f.Start.Kind == UnboundedFollowing:
		return nil, fmt.Errorf("a frame cannot start with UNBOUNDED FOLLOWING")
	case f.End.Kind == UnboundedPreceding:
		return nil, fmt.Errorf("a frame cannot end with UNBOUNDED PRECEDING")
	case f.Start.Kind == CurrentRow && f.End.Kind < CurrentRow:
		return nil, fmt.Errorf("a frame that starts with CURRENT ROW cannot end before it")
	case f.Start.Kind == Following && f.End.Kind < Following:
		return nil, fmt.Errorf("a frame that starts after the current row cannot end with it or before it")
	}
	for _, b := range []*Bound{&f.Start, &f.End} {
		if err := b.set(f.Unit, order); err != nil {
			return nil, err
		}
	}
	if f.Unit == Range && len(order) == 0 { // all rows are peers
		if f.Start.Kind == CurrentRow {
			f.Start.Kind = UnboundedPreceding
		}
		if f.End.Kind == UnboundedFollowing {
			f.End.Kind = CurrentRow
		}
	}
	return &f, nil
}

func (b *Bound) set(unit Unit, order []expr.SortKey) (err error) {
	if b.Kind != Preceding && b.Kind != Following {
		return nil
	}
	if unit != Range {
		if t := b.Offset.Type(); !t.IsInteger() && t.Kind != vector.Null {
			return fmt.Errorf("the offset of a ROWS or GROUPS frame is a whole number, not %s", t)
		}
		b.Offset, err = expr.NewCast(b.Offset, vector.Of(vector.BigInt), false)
		return err
	}
	if len(order) != 1 {
		return fmt.Errorf("a RANGE frame with an offset needs exactly one ORDER BY expression; there are %d", len(order))
	}
	if c, ok := b.Offset.(*expr.Const); ok && c.Value.Null {
		return fmt.Errorf("the offset of a RANGE frame cannot be NULL")
	}
	key := order[0].Expr
	switch t := key.Type(); {
	case t.IsNumeric(), t.IsTimestamp(), t.Kind == vector.Date, t.Kind == vector.Interval, t.Kind == vector.Null:
	case t.Kind == vector.Time:
		midnight := expr.NewConst(vector.Scalar{Type: vector.Of(vector.Date)})
		if key, err = expr.NewArith(expr.OpAdd, midnight, key); err != nil { // an hour before 00:30 is not 23:30
			return err
		}
	default:
		return fmt.Errorf("a RANGE frame with an offset needs numbers, dates or timestamps in ORDER BY, not %s", t)
	}
	op := expr.OpAdd
	if (b.Kind == Preceding) != order[0].Desc {
		op = expr.OpSub
	}
	if b.Limit, err = expr.NewArith(op, key, b.Offset); err != nil {
		return err
	}
	both, _, err := expr.CommonExprs([]expr.Expr{key, b.Limit})
	if err != nil {
		return err
	}
	b.Key, b.Limit = both[0], both[1]
	return nil
}

// hasCurrent reports whether the frame of each row has the row.
func (f Frame) hasCurrent() bool {
	return f.Start.Kind <= CurrentRow && f.End.Kind >= CurrentRow && f.Exclude == ExcludeNone
}

func (f Frame) exprs() []expr.Expr {
	var out []expr.Expr
	for _, b := range []Bound{f.Start, f.End} {
		for _, e := range []expr.Expr{b.Offset, b.Limit, b.Key} {
			if e != nil {
				out = append(out, e)
			}
		}
	}
	return out
}

func (f Frame) transform(g func(expr.Expr) (expr.Expr, error)) (Frame, error) {
	for _, b := range []*Bound{&f.Start, &f.End} {
		for _, e := range []*expr.Expr{&b.Offset, &b.Limit, &b.Key} {
			if *e == nil {
				continue
			}
			x, err := g(*e)
			if err != nil {
				return f, err
			}
			*e = x
		}
	}
	return f, nil
}

func (f Frame) equal(o Frame) bool {
	return f.Unit == o.Unit && f.Exclude == o.Exclude && f.Start.equal(o.Start) && f.End.equal(o.End)
}

func (b Bound) equal(o Bound) bool {
	return b.Kind == o.Kind && sameExpr(b.Offset, o.Offset) && sameExpr(b.Limit, o.Limit)
}

func sameExpr(a, b expr.Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	return expr.Equal(a, b)
}

// String is the frame in SQL.
func (f Frame) String() string {
	unit := [...]string{Range: "RANGE", Rows: "ROWS", Groups: "GROUPS"}[f.Unit]
	exclude := [...]string{"", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"}[f.Exclude]
	return unit + " BETWEEN " + f.Start.String() + " AND " + f.End.String() + exclude
}

// String is the bound in SQL.
func (b Bound) String() string {
	switch b.Kind {
	case UnboundedPreceding:
		return "UNBOUNDED PRECEDING"
	case Preceding:
		return b.Offset.String() + " PRECEDING"
	case Following:
		return b.Offset.String() + " FOLLOWING"
	case UnboundedFollowing:
		return "UNBOUNDED FOLLOWING"
	}
	return "CURRENT ROW"
}
