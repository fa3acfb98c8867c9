// Package rewrite makes a plan do less work for the same rows. A rule is a
// function from plan to plan in a file of its own:
//
//	entries.go   UNNEST of a VARIANT takes only what is read of the entries
//	paths.go     scans extract what is taken from VARIANT columns
//	marks.go     EXISTS and IN as conditions become semi and anti joins
//	decorrelate  (a package) dependent joins, of subqueries, become joins
//	outer.go     outer joins whose rows with NULLs are dropped become inner joins
//	single.go    the value of a subquery joins the table that a condition compares with it
//	filter.go    conditions move down to the scan that can skip by them (filter_join.go: or to a side of a join)
//	anti.go      outer joins of which only the rows without a match are wanted become anti joins
//	common.go    a WITH computes only the rows that some place lets pass
//	derive.go    conditions that follow from others filter the other side of a join too
//	empty.go     what reads no rows goes
//	tuples.go    a long list of tuples of constants is joined
//	joins.go     joins come in an order that makes few rows (joins_build.go: that order as a plan)
//	unnested.go  a scan learns the conditions on the elements in its lists
//	cases.go     aggregates of CASE get a FILTER
//	linear.go    sums of x + 1 and the like become sums of x
//	distinct.go  aggregates of DISTINCT values of many groups group twice; DISTINCT of different values goes
//	sides.go     the left side of INTERSECT and EXCEPT is made DISTINCT before
//	foremost.go  of the rows with equal keys a semi join by an inequality looks at one
//	keys.go      GROUP BY loses the keys that follow from others; divided.go: and those that are made of others
//	products.go  pairs of a cross join are counted by multiplying
//	metadata.go  COUNT, MIN and MAX of a whole table come from metadata
//	topn.go      ORDER BY with LIMIT keeps only the rows that can be shown
//	ranks.go     a window keeps the rows of each partition that ROW_NUMBER <= n leaves; firsts.go: of the first one a group
//	nearest.go   the best row of each group of a join by an inequality is found by an ASOF JOIN
//	partitions.go  aggregates of whole partitions become groups that rows are joined with
//	peers.go     windows whose results are the same for all peers are computed for groups of them
//	late.go      projections run after LIMIT and OFFSET have dropped rows
//	limit.go     a scan learns how many rows suffice
//	once.go      what several aggregates compute of a row is computed once
//	merge.go     two projections become one
//	prune.go     columns that nothing needs are not read or computed (unused.go: nor joined)
//	fields.go    nor are the fields of repeated columns
//
// rewrite.go has them in that order; forms.go says which values are the same where they are equal.
//
// They run once each, in that order: the later ones count on the earlier ones.
//
// To add a rule:
//
//   - Write it in a file of its own over bottomUp or topDown (walk.go), which reach
//     every input of every node. So it need only know the nodes that it is about.
//   - Put it into Rules and into the list above.
//   - Write testdata/<name>.txt: the head (see TestRules) and some queries. "go test
//     ./planner/rewrite -update" adds the plan before and after the rule to each;
//     read whether they are what you want.
//   - Add a query on which it acts to TestRulesKeepRows in package planner, which
//     compares the rows with and without each rule.
//
// A rule changes no node: it makes new nodes, and new columns by Query.IDs. It must
// keep the columns of the root, the ID of every column that nodes above may read,
// and the order of rows that a Sort below has made.
package rewrite

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/rewrite/decorrelate"
)

// Rule makes a plan that produces the same rows.
type Rule struct {
	Name  string
	Apply func(logical.Query) (logical.Node, error)
}

// Rules are all rules in order.
func Rules() []Rule {
	return []Rule{
		{"entries", Entries}, {"paths", Paths},
		{"marks", Marks}, {"decorrelate", decorrelate.Rule},
		{"outer", Outer}, {"single", Single}, {"filters", Filters}, {"anti", Anti}, {"common", Common}, {"derive", Derive}, {"empty", Empty}, {"tuples", Tuples}, {"joins", Joins},
		{"unnested", Unnested}, {"cases", Cases}, {"linear", Linear}, {"distinct", Distinct}, {"sides", Sides}, {"foremost", Foremost}, {"keys", Keys}, {"products", Products}, {"metadata", Metadata}, {"topn", TopN}, {"ranks", Ranks}, {"nearest", Nearest}, {"partitions", Partitions}, {"peers", Peers}, {"late", Late}, {"limits", Limits}, {"once", Once}, {"merge", Merge}, {"prune", Prune}, {"firsts", Firsts}, {"fields", Fields},
	}
}

// Apply runs all rules; the end of ctx ends it.
func Apply(ctx context.Context, q logical.Query) (logical.Query, error) {
	q.Look = ctx.Err
	for _, r := range Rules() {
		if err := ctx.Err(); err != nil {
			return q, err
		}
		n, err := r.Apply(q)
		if err != nil {
			return q, fmt.Errorf("rewriting the plan (%s): %w", r.Name, err)
		}
		q.Root = n
	}
	return q, nil
}
