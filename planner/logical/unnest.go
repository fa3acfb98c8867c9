package logical

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Unnest makes one row per element of a LIST or MAP column, or per value of a series:
// the columns Keep of the input, then Elements, then Pos.
type Unnest struct {
	In       Node
	List     *expr.Column // the LIST or MAP column of the input; nil: Series
	Series   *Series
	Keep     []ColumnID // columns of the input that are handed on, in its order
	Elements []Element
	Pos      Column    // the element's position from 0; no column where its ID is 0
	Outer    bool      // a parent without elements yields one row with NULLs
	On       expr.Expr // optional, over the columns produced: only elements where it is TRUE count
}

// Element is one column of the element table.
type Element struct {
	Column
	Field int // index into vector.ElementColumns of the list's type
}

// Series is the values of range(From, To, Step), or of generate_series, which includes To.
// They are columns of the input: BIGINT, or timestamps in microseconds with an INTERVAL.
type Series struct {
	From, To, Step *expr.Column
	Inclusive      bool
}

// NewSeries has the values of a series and their positions.
func NewSeries(ids *IDs, in Node, s *Series, outer bool) *Unnest {
	u := &Unnest{In: in, Series: s, Outer: outer}
	for _, c := range in.Columns() {
		u.Keep = append(u.Keep, c.ID)
	}
	u.Elements = []Element{{Column: Column{ID: ids.New(), Name: "value", Type: s.From.T, Nullable: outer}}}
	u.Pos = Column{ID: ids.New(), Name: "pos", Type: vector.Of(vector.BigInt), Nullable: outer}
	return u
}

// NewUnnest has all columns that there can be; rules drop those that are not needed.
func NewUnnest(ids *IDs, in Node, list Column, outer bool) *Unnest {
	u := &Unnest{In: in, List: list.Ref(), Outer: outer}
	for _, c := range in.Columns() {
		u.Keep = append(u.Keep, c.ID)
	}
	for i, e := range vector.ElementColumns(list.Type) {
		u.Elements = append(u.Elements, Element{
			Column: Column{ID: ids.New(), Name: e.Name, Type: e.Type, Nullable: e.Nullable || outer},
			Field:  i,
		})
	}
	u.Pos = Column{ID: ids.New(), Name: "pos", Type: vector.Of(vector.BigInt), Nullable: outer}
	return u
}

// added are the columns that do not come from the input.
func (u *Unnest) added() Columns {
	var out Columns
	for _, e := range u.Elements {
		out = append(out, e.Column)
	}
	if u.Pos.ID != 0 {
		out = append(out, u.Pos)
	}
	return out
}

// Columns implements Node.
func (u *Unnest) Columns() Columns {
	var out Columns
	keep := SetOf(u.Keep...)
	for _, c := range u.In.Columns() {
		if keep.Has(c.ID) {
			out = append(out, c)
		}
	}
	return append(out, u.added()...)
}

func (u *Unnest) Inputs() []Node { return []Node{u.In} }

func (u *Unnest) Over(in []Node) (Node, error) {
	c := *u
	c.In = in[0]
	return &c, nil
}

// Exprs implements Node. On reads columns that the node adds.
func (u *Unnest) Exprs() []expr.Expr {
	out := []expr.Expr{u.List}
	if u.Series != nil {
		out = []expr.Expr{u.Series.From, u.Series.To, u.Series.Step}
	}
	if u.On != nil {
		out = append(out, u.On)
	}
	return out
}

// Narrow drops columns, but for those that On reads.
func (u *Unnest) Narrow(need Set) Node {
	need = need.Union(ReadBy(u.On))
	c := *u
	c.Keep = slices.DeleteFunc(slices.Clone(u.Keep), func(id ColumnID) bool { return !need.Has(id) })
	c.Elements = needed(u.Elements, need)
	if !need.Has(u.Pos.ID) {
		c.Pos = Column{}
	}
	return &c
}
