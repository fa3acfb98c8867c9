package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// literalAmong gives texts that are written among values of several types the type that all these
// have in common: in `n IN (0.5, '0.1')` of an integer n, '0.1' is a decimal and not the
// integer 0.
func literalAmong(list []expr.Expr) []expr.Expr {
	common, texts := vector.Of(vector.Null), 0
	for _, x := range list {
		if _, text := expr.TextLiteral(x); text {
			texts++
			continue
		}
		t, err := expr.CommonType(common, x.Type())
		if err != nil {
			return list // the comparison says what is wrong
		}
		common = t
	}
	if texts == 0 || len(list)-texts < 2 {
		return list // one value alone is compared with the texts as it is
	}
	out := make([]expr.Expr, len(list))
	for i, x := range list {
		var err error
		if out[i], err = expr.Adapt(x, common); err != nil {
			return list
		}
	}
	return out
}
