package logical

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/scan"
)

// Table is a table to be read: a scan.Source. Binding and rules look at its description only.
type Table interface{ Description() *scan.Table }

// Scan reads a table. Filter, Unnested and Inner may be about columns of the
// table that are not among those read.
type Scan struct {
	Table Table
	// Read are the columns that come out, in order.
	Read []scan.Projection
	// Filter is the conjuncts that rows must pass.
	Filter []expr.Expr
	// Unnested is conditions that nodes above check of the rows that they make by
	// unnesting or joining. They read columns of the table and Inner. The scan may leave
	// out rows that yield no row which passes.
	Unnested []expr.Expr
	Inner    []InnerColumn
	Limit    int64 // rows that suffice; -1: all

	// Derived are columns behind those of the table, made of its VARIANT columns.
	Derived []scan.Derived

	all Columns // by column of the table, then by Derived
}

// InnerColumn is a value within a LIST or MAP column, with the identity of the
// column that an Unnest above makes of it.
type InnerColumn struct {
	ID ColumnID
	scan.Inner
}

// NewScan reads all columns of a table, each with a new identity.
func NewScan(ids *IDs, t Table) *Scan {
	s := &Scan{Table: t, Limit: -1}
	columns := t.Description().Columns
	s.all, s.Read = make(Columns, 0, len(columns)), make([]scan.Projection, 0, len(columns))
	for i, c := range columns {
		s.all = append(s.all, Column{ID: ids.New(), Name: c.Name, Type: c.Type, Nullable: c.Nullable})
		s.Read = append(s.Read, scan.Projection{Column: i})
	}
	return s
}

// NewScanAs reads columns of a table, read[i] under the identity of as[i]. The others get new ones.
func NewScanAs(ids *IDs, t Table, read []int, as Columns) *Scan {
	s := NewScan(ids, t)
	s.Read = make([]scan.Projection, len(read))
	for i, column := range read {
		s.all[column], s.Read[i] = as[i], scan.Projection{Column: column}
	}
	return s
}

// Of is the scan of another table that has the same columns.
func (s *Scan) Of(t Table) *Scan {
	c := *s
	c.Table = t
	return &c
}

// Derive adds a column made of a VARIANT column, if there is not an equal one.
func (s *Scan) Derive(ids *IDs, d scan.Derived) (*Scan, Column) {
	own := len(s.all) - len(s.Derived)
	for i, o := range s.Derived {
		if o.Column == d.Column && o.Extraction.Equal(d.Extraction) {
			return s, s.all[own+i]
		}
	}
	from := s.all[d.Column]
	c := *s
	made := Column{ID: ids.New(), Name: d.Of(from.Name), Type: d.Type(), Nullable: d.Form != expr.FormFails || from.Nullable}
	c.Read = append(slices.Clip(s.Read), scan.Projection{Column: len(s.all)})
	c.Derived, c.all = append(slices.Clip(s.Derived), d), append(slices.Clip(s.all), made)
	return &c, made
}

// TableColumn is the index of a column in the table, then in Derived; -1 if it is
// neither.
func (s *Scan) TableColumn(id ColumnID) int { return s.all.Position(id) }

// All are the columns of the table, then Derived, also of those that are not read.
func (s *Scan) All() Columns { return s.all }

// readable are the columns that Exprs may read.
func (s *Scan) readable() Columns {
	out := slices.Clip(s.all)
	for _, i := range s.Inner {
		out = append(out, Column{ID: i.ID, Type: i.Type})
	}
	return out
}

// Columns implements Node.
func (s *Scan) Columns() Columns {
	if n := len(s.Read); s.readsFirst() {
		return s.all[:n:n]
	}
	out := make(Columns, len(s.Read))
	for i, p := range s.Read {
		out[i] = s.all[p.Column]
	}
	return out
}

// readsFirst reports whether the columns are the first of the table's in order, as those of * are.
func (s *Scan) readsFirst() bool {
	for i, p := range s.Read {
		if p.Column != i {
			return false
		}
	}
	return true
}

func (s *Scan) Inputs() []Node            { return nil }
func (s *Scan) Over([]Node) (Node, error) { return s, nil }

// Exprs implements Node. They read columns of the table, and Inner.
func (s *Scan) Exprs() []expr.Expr { return slices.Concat(s.Filter, s.Unnested) }

// Narrow reads only the columns that are needed.
func (s *Scan) Narrow(need Set) Node {
	c := *s
	c.Read = slices.DeleteFunc(slices.Clone(s.Read), func(p scan.Projection) bool { return !need.Has(s.all[p.Column].ID) })
	return &c
}

// MetaAggregate is an Aggregate without groups over a Scan whose answers are
// looked for in metadata first; what metadata cannot tell is read.
type MetaAggregate struct {
	In   *Scan
	Aggs []Aggregation
	Asks []scan.MetaAggregate // by aggregate
}

func (m *MetaAggregate) Columns() Columns   { return aggregated(m.Aggs) }
func (m *MetaAggregate) Inputs() []Node     { return []Node{m.In} }
func (m *MetaAggregate) Exprs() []expr.Expr { return exprsOfAggs(m.Aggs) }

func (m *MetaAggregate) Over(in []Node) (Node, error) {
	s, ok := in[0].(*Scan)
	if !ok {
		return nil, fmt.Errorf("internal error: an aggregate from metadata over a %T", in[0])
	}
	return &MetaAggregate{In: s, Aggs: m.Aggs, Asks: m.Asks}, nil
}

// Narrow drops aggregates.
func (m *MetaAggregate) Narrow(need Set) Node {
	c := &MetaAggregate{In: m.In}
	for i, a := range m.Aggs {
		if need.Has(a.ID) {
			c.Aggs, c.Asks = append(c.Aggs, a), append(c.Asks, m.Asks[i])
		}
	}
	if len(c.Aggs) == 0 {
		return m // one row without columns is not worth a case of its own
	}
	return c
}
