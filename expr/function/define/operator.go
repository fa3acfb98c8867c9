package define

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
)

// Numbers is a signature of operators. As for the operator, the number or date type of
// the result depends on the types of the arguments.
const Numbers = "number, number → number"

// Sums and Differences are the signatures of + and -.
var (
	Sums        = []string{Numbers, "DATE, BIGINT → DATE", "DATE, INTERVAL → TIMESTAMP", "TIMESTAMP, INTERVAL → TIMESTAMP", "TIMESTAMPTZ, INTERVAL → TIMESTAMPTZ"}
	Differences = append(Sums[:len(Sums):len(Sums)], "DATE, DATE → BIGINT", "TIMESTAMP, TIMESTAMP → INTERVAL")
)

// Operator is a function that is another name for an operator.
func Operator(op scalar.Op, signatures ...string) expr.Binding {
	return Custom(func(_ expr.Callee, args []expr.Expr) (expr.Expr, error) { return expr.NewArith(op, args[0], args[1]) }, signatures...)
}
