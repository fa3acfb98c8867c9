// Package floor measures what a query cannot do without, on the driver's own code: to
// decode what its scans need, and to read the bytes that it reads.
package floor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/dialect"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/operators"
	"github.com/parquetsql/parquetsql/planner/physical/choose"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/reader"
	"github.com/parquetsql/parquetsql/vector"
)

// Decoder decodes what the queries over a folder need.
type Decoder struct {
	catalog *catalog.Catalog
	limits  operators.Limits
}

// NewDecoder works with so many threads.
func NewDecoder(dir string, threads int) (*Decoder, error) {
	c, err := catalog.New(catalog.Config{Path: dir, VerifyChecksums: true, Scan: scan.Options{Pruning: scan.AllPruners}})
	return &Decoder{c, operators.Limits{Parallelism: threads}}, err
}

// Time is how long it takes to run the scans of a query, one after another, and to count
// their rows. A scan with conditions runs with them and without them, since conditions
// spare pages but take time; the shorter time counts. What a filter that the query makes
// while it runs would spare is not spared: a query with one may take less.
func (d *Decoder) Time(ctx context.Context, text string) (time.Duration, error) {
	plan, err := d.plan(ctx, text)
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, s := range scansOf(plan.Root, nil) {
		took, err := d.drain(ctx, plan.IDs, s)
		if err != nil {
			return 0, err
		}
		if len(s.Filter) > 0 {
			without, err := d.drain(ctx, plan.IDs, unconditional(s))
			if err != nil {
				return 0, err
			}
			took = min(took, without)
		}
		sum += took
	}
	return sum, nil
}

// drain counts the rows of a scan, whose columns nobody looks at.
func (d *Decoder) drain(ctx context.Context, ids *logical.IDs, s *logical.Scan) (time.Duration, error) {
	count, err := aggregate.New("count", nil, false, nil)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	chosen, err := choose.Plan(&logical.Aggregate{In: s, Aggs: []logical.Aggregation{logical.NewAggregation(ids, count)}}, choose.Resources{Workers: d.limits.Parallelism})
	if err != nil {
		return 0, err
	}
	p, err := operators.Build(ctx, chosen, d.limits, nil)
	if err != nil {
		return 0, err
	}
	for b := (&vector.Batch{}); b != nil && err == nil; {
		b, err = p.Next(ctx)
	}
	err = errors.Join(err, p.Close())
	return time.Since(start), err
}

// unconditional reads what a scan reads, the columns of its conditions too, of all rows.
func unconditional(s *logical.Scan) *logical.Scan {
	all := *s
	all.Read, all.Filter, all.Unnested = slices.Clone(s.Read), nil, nil
	for i, c := range s.All() {
		asked := func(e expr.Expr) bool { return slices.Contains(expr.ColumnsOf(e), int(c.ID)) }
		read := func(p scan.Projection) bool { return p.Column == i }
		if slices.ContainsFunc(s.Filter, asked) && !slices.ContainsFunc(s.Read, read) {
			all.Read = append(all.Read, scan.Projection{Column: i})
		}
	}
	return &all
}

// scansOf are the scans of a plan, each once.
func scansOf(n logical.Node, known []*logical.Scan) []*logical.Scan {
	if s, ok := n.(*logical.Scan); ok {
		for _, k := range known {
			if k == s {
				return known
			}
		}
		return append(known, s)
	}
	for _, in := range n.Inputs() {
		known = scansOf(in, known)
	}
	return known
}

// plan is the plan that the driver makes.
func (d *Decoder) plan(ctx context.Context, text string) (logical.Query, error) {
	tree, _, err := dialect.Parse(ctx, text)
	if err != nil {
		return logical.Query{}, err
	}
	q, ok := tree.(*ast.Query)
	if !ok {
		return logical.Query{}, fmt.Errorf("%s: no query", text)
	}
	snapshot, err := d.catalog.Snapshot(ctx)
	if err != nil {
		return logical.Query{}, err
	}
	bound, err := bind.Query(ctx, &bind.Env{Catalog: tables{snapshot}, Now: time.Now()}, q)
	if err != nil {
		return logical.Query{}, err
	}
	bound.Statistics = func(t logical.Table) scan.Statistics {
		return t.(reader.Files).Statistics(ctx)
	}
	return rewrite.Apply(ctx, bound.Rendered())
}

// tables is a snapshot, for the binder.
type tables struct{ *catalog.Snapshot }

func (t tables) Table(ctx context.Context, name string) (logical.Table, error) {
	found, err := t.Snapshot.Table(ctx, name)
	return reader.Files{Set: found}, err
}

func (t tables) Files(ctx context.Context, paths []string, hive string) (logical.Table, error) {
	found, err := t.Snapshot.Files(ctx, paths, hive)
	return reader.Files{Set: found}, err
}
