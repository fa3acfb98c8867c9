package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Collations of texts, and the keys by which texts with a
// collation are compared: x COLLATE NOCASE = y compares LOWER(x) with LOWER(y).
//
// The collation of a value is in its type, so columns, derived tables, CASE and UNION hand it
// on. What compares values asks for their keys while the query is bound; below that nothing
// knows of collations.

// collated is x COLLATE a.b.
func collated(x expr.Expr, names []string) (expr.Expr, error) {
	var all vector.Collation
	for _, name := range names {
		// PostgreSQL's names of collations have its schema, and that of the database has this name.
		if strings.EqualFold(name, "pg_catalog") || strings.EqualFold(name, "default") {
			continue
		}
		c, ok := vector.ParseCollation(name)
		if !ok {
			return nil, errs.Unsupported("COLLATE %s; there are NOCASE, NOACCENT, NFC and BINARY", name)
		}
		all |= c
	}
	switch x.Type().Kind {
	case vector.Varchar, vector.Null:
		return expr.WithCollation(x, all), nil
	case vector.Enum, vector.JSON:
		text, err := expr.NewCast(x, vector.Of(vector.Varchar), false)
		if err != nil {
			return nil, err
		}
		return expr.WithCollation(text, all), nil
	}
	return nil, fmt.Errorf("COLLATE needs a VARCHAR, not %s", x.Type())
}

// of is the collation of a value.
func of(x expr.Expr) vector.Collation { return x.Type().Collation }

// hasCollation reports whether a value has a collation.
func hasCollation(x expr.Expr) bool { return of(x) != 0 }

// common is the collation of values that are combined or compared.
func common(list []expr.Expr) (vector.Collation, error) {
	var c vector.Collation
	for _, x := range list {
		switch own := of(x); {
		case c == 0:
			c = own
		case own != 0 && own != c:
			return 0, fmt.Errorf("texts of different collations are compared or combined; give them one with COLLATE")
		}
	}
	return c, nil
}

// comparedBy is the keys of values that are compared with each other.
func comparedBy(list ...expr.Expr) ([]expr.Expr, error) {
	c, err := common(list)
	if err != nil || c == 0 {
		return list, err
	}
	out := make([]expr.Expr, len(list))
	for i, x := range list {
		if out[i], err = key(x, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// collationKey is what a value is sorted and grouped by.
func collationKey(x expr.Expr) (expr.Expr, error) { return key(x, of(x)) }

func key(x expr.Expr, c vector.Collation) (expr.Expr, error) {
	if x.Type().Kind != vector.Varchar {
		return x, nil // which a comparison converts, or refuses
	}
	x = expr.WithoutCollation(x)
	for _, step := range []struct {
		of   vector.Collation
		call string
	}{{vector.NFC, "nfc_normalize"}, {vector.NoAccent, "strip_accents"}, {vector.NoCase, "lower"}} {
		if c&step.of == 0 {
			continue
		}
		var err error
		if x, err = function.New(step.call, []expr.Expr{x}); err != nil {
			return nil, err
		}
	}
	return expr.WithCollation(x, 0), nil
}

// collatedExtreme is the call of an aggregate, where MIN and MAX compare the keys of texts that have
// a collation: ARG_MIN(x, LOWER(x)), and ARG_MIN(n, x) is ARG_MIN(n, LOWER(x)).
func collatedExtreme(name string, args []expr.Expr) (string, []expr.Expr, error) {
	if len(args) == 0 || !hasCollation(args[len(args)-1]) {
		return name, args, nil
	}
	switch lower := strings.ToLower(name); lower {
	case "min", "max":
		args, name = append(args, args[0]), "arg_"+lower
	case "arg_min", "arg_max", "argmin", "argmax", "min_by", "max_by", "arg_min_null", "arg_max_null":
		args = slices.Clone(args)
	default:
		return name, args, nil
	}
	if len(args) != 2 {
		return name, args, nil // the error of a wrong count
	}
	k, err := collationKey(args[1])
	args[1] = k
	return name, args, err
}

// comparing is the functions that compare their arguments.
var comparing = []string{"contains", "starts_with", "^@", "instr", "strpos", "position", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape"}

// plain is the functions of texts whose result has no collation.
var plain = []string{"split_part", "typeof"}

// branching is the functions whose result is one of their arguments. IF has the collation of
// the first that has one, as CASE, the others that of the last, as UNION.
var branching = []string{"coalesce", "ifnull", "if"}

// collatedCall is the call of a scalar function, made by build of arguments. Its result has the
// collation that they have.
func collatedCall(name string, args []expr.Expr, build func(args []expr.Expr) (expr.Expr, error)) (expr.Expr, error) {
	if !slices.ContainsFunc(args, hasCollation) {
		return build(args)
	}
	if name = strings.ToLower(name); slices.Contains(branching, name) || slices.Contains(plain, name) {
		return build(args)
	}
	c, err := common(args)
	if err != nil {
		return nil, err
	}
	switch {
	case name == "nullif" && len(args) == 2:
		return nullIf(args[0], args[1])
	case slices.Contains(comparing, name):
		if args, err = comparedBy(args...); err != nil {
			return nil, err
		}
	}
	x, err := build(args)
	if err != nil || x.Type().Kind != vector.Varchar {
		return x, err
	}
	return expr.WithCollation(x, c), nil
}

// nullIf is x, or NULL if x = y.
func nullIf(x, y expr.Expr) (expr.Expr, error) {
	keys, err := comparedBy(x, y)
	if err != nil {
		return nil, err
	}
	same, err := expr.NewCompare(expr.OpEq, keys[0], keys[1])
	if err != nil {
		return nil, err
	}
	return expr.NewCase(nil, []expr.Expr{same}, []expr.Expr{expr.NewConst(vector.NullOf(x.Type()))}, x)
}
