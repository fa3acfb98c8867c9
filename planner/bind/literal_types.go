package bind

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/vector"
)

// literalType is the type that a name means. The length of INT[3] is not part of it.
func literalType(n ast.TypeName) (vector.Type, error) {
	if len(n.Fields) == 0 {
		return expr.ParseType(n.Name, n.Args)
	}
	types := make([]vector.Type, len(n.Fields))
	for i, f := range n.Fields {
		var err error
		if types[i], err = literalType(f.Type); err != nil {
			return vector.Type{}, err
		}
	}
	switch {
	case n.Name == "LIST" && len(types) == 1:
		return expr.ListType(types[0]), nil
	case n.Name == "MAP" && len(types) == 2:
		return expr.MapType(types[0], types[1]), nil
	case n.Name != "STRUCT":
		return vector.Type{}, fmt.Errorf("%s has not %d types of elements", n.Name, len(types))
	}
	t := vector.Of(vector.Struct)
	seen := map[string]bool{}
	for i, f := range n.Fields {
		name := strings.ToLower(f.Name)
		if seen[name] && name != "" {
			return vector.Type{}, fmt.Errorf("the type STRUCT has two fields %q", f.Name)
		}
		seen[name] = true
		t.Fields = append(t.Fields, vector.Field{Name: f.Name, Type: types[i], Nullable: true})
	}
	return t, nil
}

// castLiteral is CAST(x AS t) or, with try, TRY_CAST, which is NULL where the types have no cast.
func castLiteral(x expr.Expr, t ast.TypeName, try bool) (expr.Expr, error) {
	ty, err := literalType(t)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == vector.JSON && ty.IsNested() {
		x, err = function.OfJSON(x, ty, try)
	} else {
		x, err = expr.NewCast(x, ty, try)
	}
	if _, none := err.(expr.NoCast); none && try { // not of an element, or a field
		return expr.NewConst(vector.NullOf(ty)), nil
	}
	if err != nil {
		return nil, err
	}
	if of := lengths(t); of.Fixed() {
		return expr.NewLength(x, of, try), nil
	}
	return x, nil
}

// lengths is the lengths of INT[3], at all levels of a type.
func lengths(t ast.TypeName) expr.Lengths {
	var of expr.Lengths
	if t.Name == "LIST" && len(t.Args) == 1 {
		of.N = t.Args[0]
	}
	for _, f := range t.Fields {
		of.Fields = append(of.Fields, lengths(f.Type))
	}
	return of
}
