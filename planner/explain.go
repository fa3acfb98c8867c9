package planner

import (
	"math"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/explain"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/operators"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// explain shows a query's plan; for ANALYZE it runs the query first and drops
// its rows.
func (r *run) explain(e *ast.Explain) (*operators.Plan, error) {
	q, ok := e.Statement.(*ast.Query)
	if !ok {
		return nil, errs.Unsupported("EXPLAIN of anything but a query")
	}
	if e.Distributed {
		if e.Analyze || e.JSON {
			return nil, errs.Unsupported("EXPLAIN (DISTRIBUTED) with ANALYZE or FORMAT=JSON")
		}
		return r.explainStages(q)
	}
	began := time.Now()
	n, err := r.plan(q)
	if err != nil {
		return nil, err
	}
	trace := operators.NewTrace()
	plan, err := r.choose(n)
	if err != nil {
		return nil, err
	}
	p, err := operators.Build(r.ctx, plan, r.session.Limits, trace)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	guess := estimate.New(tableStatistics(r.ctx))
	guess.Of(n) // from the root, see Estimator.Of
	shown := &explain.Plan{Root: plan.Root, Estimate: func(n logical.Node) (int64, bool) {
		_, exact := n.(*logical.Values)
		return int64(math.Round(min(guess.Of(n).Count, 1e18))), !exact && guess.Known(n)
	}}
	if e.Analyze {
		rows, err := r.drain(p)
		if err != nil {
			return nil, err
		}
		shown.Ran = &explain.Ran{Rows: rows, Time: time.Since(began), Of: func(n physical.Node) (explain.Step, bool) {
			s := trace.Of(n)
			if s == nil {
				return explain.Step{}, false
			}
			return explain.Step{Rows: s.Rows.Load(), Time: s.Time(), Workers: s.Workers}, true
		}}
		traffic := storage.TrafficOf(r.ctx)
		shown.Ran.Requests = explain.Requests{
			Requests: traffic.Requests.Load(), Bytes: traffic.Bytes.Load(), Cached: traffic.Cached.Load(), Retries: traffic.Retries.Load(),
		}
	}
	for _, s := range p.Scans() {
		if !e.Analyze {
			if err := s.Scan.Preview(r.ctx); err != nil {
				return nil, err
			}
		}
		shown.Scans = append(shown.Scans, explain.Scan{Node: s.Node, Counters: s.Counters(), Probes: s.Scan.Probes(), Leaves: s.Scan.Leaves()})
	}
	if !e.JSON {
		return r.start(bind.TextRows(&logical.IDs{}, []string{explained[0].Name}, bind.TextColumn(shown.Text())))
	}
	doc, err := shown.JSON()
	if err != nil {
		return nil, err
	}
	return r.start(bind.TextRows(&logical.IDs{}, []string{explained[0].Name}, bind.TextColumn([]string{doc})))
}

// explained describes the result of EXPLAIN.
var explained = vector.Schema{{Name: "plan", Type: vector.Of(vector.Varchar)}}

// drain counts the rows of a plan and closes it, so that counters are final.
func (r *run) drain(p *operators.Plan) (int64, error) {
	var rows int64
	for {
		b, err := p.Next(r.ctx)
		if err != nil {
			return rows, err
		}
		if b == nil {
			return rows, p.Close()
		}
		rows += int64(b.Rows())
	}
}
