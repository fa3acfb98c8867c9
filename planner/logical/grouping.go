package logical

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// GroupingSets is GROUP BY with several grouping sets: ROLLUP, CUBE and the like. It
// makes the rows of one Aggregate per set, all together: Keys, Number, then the
// aggregates. A key that is not in the set of a row is NULL there; all keys have IDs of
// their own, because the arguments of aggregates read the columns as they are.
//
// A set without keys makes one row, even if there is no row to group.
type GroupingSets struct {
	In   Node
	Keys []Computed
	Sets []Grouping
	// Number tells which set a row belongs to, see Numbers: GROUPING() reads it.
	Number Column
	Aggs   []Aggregation
}

// Grouping is one of the sets: bit i is set if key i is NOT in it, as GROUPING() counts.
type Grouping uint64

// MaxSetKeys is how many keys grouping sets may have: their bits, and a number for sets
// that are equal, must fit into a BIGINT.
const MaxSetKeys = 40

// Lacks reports whether a key is not in the set.
func (g Grouping) Lacks(key int) bool { return g>>key&1 != 0 }

// Numbers are the values of Number, by set: the set itself in the lowest bits, one for
// each key; above them how many equal sets come before it.
func (g *GroupingSets) Numbers() []int64 {
	out := make([]int64, len(g.Sets))
	equal := map[Grouping]int64{}
	for i, s := range g.Sets {
		out[i] = equal[s]<<len(g.Keys) | int64(s)
		equal[s]++
	}
	return out
}

// NewNumber is the column Number.
func NewNumber(ids *IDs) Column {
	return Column{ID: ids.New(), Name: "grouping set", Type: vector.Of(vector.BigInt)}
}

func (g *GroupingSets) Columns() Columns {
	return append(append(columnsOf(g.Keys), g.Number), aggregated(g.Aggs)...)
}

func (g *GroupingSets) Inputs() []Node { return []Node{g.In} }

func (g *GroupingSets) Over(in []Node) (Node, error) {
	c := *g
	c.In = in[0]
	return &c, nil
}

func (g *GroupingSets) Exprs() []expr.Expr {
	return append(exprsOf(g.Keys), exprsOfAggs(g.Aggs)...)
}

// Narrow drops aggregates.
func (g *GroupingSets) Narrow(need Set) Node {
	c := *g
	c.Aggs = needed(g.Aggs, need)
	return &c
}
