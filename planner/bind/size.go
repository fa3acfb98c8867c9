package bind

import "github.com/parquetsql/parquetsql/expr"

// maxSize bounds the operations of one expression: more than a text can hold, so
// that only aliases which use aliases reach it (see stage).
const maxSize = 4_000_000

// size is the number of operations of an expression and of the columns that they
// read; constants, of which a list may have many, do not count. An operand that is used
// twice counts twice, because evaluation and rewriting meet it twice, but is
// looked at only once. Beyond maxSize the number is not exact.
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
		n = min(n+b.size(c), maxSize+1)
	}
	b.sizes[x] = n
	return n
}
