package bind

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/predicate"
)

// required is the set of the columns that are never NULL.
func required(columns logical.Columns) logical.Set { return predicate.Required(columns) }

// nullable reports whether an expression may be NULL if the required columns are not.
func nullable(e expr.Expr, required logical.Set) bool { return predicate.Nullable(e, required) }
