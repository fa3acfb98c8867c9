package exec

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// ExprSet evaluates several expressions over a batch, equal ones once. The zero
// value is an empty set.
type ExprSet struct {
	exprs  []expr.Expr // distinct
	evals  []*expr.Evaluator
	values []*vector.Vector
	places []int // by the order of Add: the index in exprs
	out    []*vector.Vector
}

// Add appends an expression.
func (s *ExprSet) Add(e expr.Expr) {
	at := len(s.exprs)
	for i, old := range s.exprs {
		if expr.Equal(old, e) {
			at = i
			break
		}
	}
	if at == len(s.exprs) {
		s.exprs = append(s.exprs, e)
		s.evals = append(s.evals, expr.NewEvaluator(e))
		s.values = append(s.values, nil)
	}
	s.places = append(s.places, at)
	s.out = append(s.out, nil)
}

// Eval returns the values in the order of the calls of Add. They are valid until
// the next call.
func (s *ExprSet) Eval(b *vector.Batch) ([]*vector.Vector, error) {
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
