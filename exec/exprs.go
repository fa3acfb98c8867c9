package exec

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// ExprSet evaluates several expressions over a batch, equal ones once. Where they make
// too much of the batch, Eval returns quota.ErrBatchTooLong: see expr.Parts.
type ExprSet struct {
	meter  *quota.Meter
	exprs  expr.Unique
	evals  []*expr.Evaluator
	values []*vector.Vector
	places []int // by the order of Add: the index in exprs
	out    []*vector.Vector
	err    error // that of the query's context, if it ended before all expressions were there
}

// NewExprSet returns an empty set for a query.
func NewExprSet(env Env) *ExprSet { return &ExprSet{meter: env.Meter()} }

// Add appends an expression. When the context of the query has ended it does nothing, as
// there may be very many, and Eval returns the error.
func (s *ExprSet) Add(e expr.Expr) {
	if s.err == nil {
		s.err = s.meter.Work(quota.CompileWork)
	}
	if s.err != nil {
		return
	}
	at, added := s.exprs.Add(e)
	if added {
		ev := expr.NewEvaluator(e)
		ev.Meter = s.meter
		s.evals = append(s.evals, ev)
		s.values = append(s.values, nil)
	}
	s.places = append(s.places, at)
	s.out = append(s.out, nil)
}

// Eval returns the values in the order of the calls of Add. They are valid until
// the next call.
func (s *ExprSet) Eval(b *vector.Batch) ([]*vector.Vector, error) {
	if s.err != nil {
		return nil, s.err
	}
	s.meter.Start(b.Rows())
	for i, ev := range s.evals {
		v, err := ev.Eval(b)
		if err != nil {
			return nil, err
		}
		s.values[i] = v
	}
	for i, at := range s.places {
		s.out[i] = s.values[at]
	}
	return s.out, nil
}

// End forgets what the last call of Eval made.
func (s *ExprSet) End() { s.meter.Start(0) }
