package operators

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/vector"
)

// Stat is the measurements of the operators of one node, all workers together.
type Stat struct {
	Workers int
	Rows    atomic.Int64
	Nanos   atomic.Int64 // time in Next, with the operators below
}

// Time is the time of the node and those below it, summed over the workers.
func (s *Stat) Time() time.Duration { return time.Duration(s.Nanos.Load()) }

// Trace collects Stats. Measuring reads the clock twice per batch and operator,
// so only EXPLAIN ANALYZE does it.
type Trace struct{ stats map[physical.Node]*Stat }

// NewTrace is an empty trace.
func NewTrace() *Trace { return &Trace{stats: map[physical.Node]*Stat{}} }

// Of is the Stat of a node, nil if it had no operators.
func (t *Trace) Of(n physical.Node) *Stat { return t.stats[n] }

func (t *Trace) watch(n physical.Node, ops []exec.Operator) []exec.Operator {
	s := t.stats[n]
	if s == nil { // a node of a recursion has operators in each round
		s = &Stat{}
		t.stats[n] = s
	}
	s.Workers = max(s.Workers, len(ops))
	out := make([]exec.Operator, len(ops))
	for i, o := range ops {
		out[i] = &watched{Operator: o, stat: s}
	}
	return out
}

// watched measures an operator.
type watched struct {
	exec.Operator
	stat *Stat
}

// Next implements exec.Operator.
func (w *watched) Next(ctx context.Context) (*vector.Batch, error) {
	start := time.Now()
	b, err := w.Operator.Next(ctx)
	w.stat.Nanos.Add(int64(time.Since(start)))
	if b != nil {
		w.stat.Rows.Add(int64(b.Rows()))
	}
	return b, err
}
