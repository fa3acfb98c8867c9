package bind

import (
	"fmt"
	"math"

	"github.com/parquetsql/parquetsql/expr"
)

// An expression may have spareSize operations, and sizePerNode more for each node
// of the syntax trees that the query has bound: as many as a text can hold. Only
// aliases that use aliases, and operators that use an operand twice, such as CASE
// and BETWEEN, can need more.
const (
	spareSize   = 100_000
	sizePerNode = 16
)

// sizeError says that an expression is too large.
type sizeError struct {
	clause string
	most   int
}

func (e *sizeError) Error() string {
	return fmt.Sprintf("an expression in %s has more than %d operations once its aliases are replaced by what they stand for: write it with fewer aliases", e.clause, e.most)
}

// largest is the number of operations that an expression may have.
func (b *binder) largest() int { return spareSize + sizePerNode*b.bound }

// size is the number of operations of an expression and of the columns that it
// reads. Constants do not count: a list may have many. An operand that is used
// twice counts twice, because evaluation and rewriting visit it twice, but its size
// is computed once.
func (b *binder) size(x expr.Expr) int {
	if n, ok := b.sizes[x]; ok {
		return n
	}
	operands := x.Children()
	if len(operands) == 0 {
		if _, constant := x.(*expr.Const); constant {
			return 0
		}
		return 1
	}
	n := 1
	for _, c := range operands {
		n = min(n+b.size(c), math.MaxInt32)
	}
	b.sizes[x] = n
	return n
}

// spend ends binding when the context has ended. It is called before work on n
// operations.
func (b *binder) spend(n int) error { return b.ticker.Work(n) }
