package aggregate

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// OrderVariants makes keys of the VARIANT arguments that a function compares. The result is
// VARIANT, or a LIST of these, if that of the function is such a key; else it has no kind.
func OrderVariants(name string, distinct bool, args []expr.Expr) vector.Type {
	at, shows := 0, false
	switch name := strings.ToLower(name); {
	case name == "min", name == "max", name == "mode":
		shows = true
	case strings.HasPrefix(name, "arg_m"), strings.HasPrefix(name, "argm"), name == "min_by", name == "max_by":
		at = 1
	case name == "count" && distinct, name == "approx_count_distinct":
	default:
		return vector.Type{}
	}
	if len(args) <= at || !expr.HasVariant(args[at].Type()) {
		return vector.Type{}
	}
	t := args[at].Type()
	args[at] = expr.Key(args[at])
	switch {
	case !shows:
		return vector.Type{}
	case len(args) > 1: // the first n
		return expr.ListType(t)
	}
	return t
}
