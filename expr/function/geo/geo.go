// Package geo is the family of functions over GEOMETRY and GEOGRAPHY, by the names of
// PostGIS and of DuckDB's spatial extension. The values are WKB; package geometry/planar
// computes in the plane, and geometry/sphere with the edges of a GEOGRAPHY.
package geo

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/geometry/text"
	"github.com/parquetsql/parquetsql/geometry/wkb"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// All is the functions of geometries.
func All() []expr.Function {
	return slices.Concat(RelationFunctions, MeasureFunctions, MakeFunctions, TextFunctions, AccessFunctions, PartFunctions, ComputeFunctions)
}

var typeGeometry = vector.Of(vector.Geometry)

// wantAny accepts both types of geometries, and text as WKT.
var wantAny = define.Want{Types: "GEOMETRY | GEOGRAPHY", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	if IsGeospatial(e.Type()) {
		return e, nil
	}
	return literal(function, e, typeGeometry)
}}

// wantPlanar accepts a GEOMETRY, and text as WKT.
var wantPlanar = define.Want{Types: "GEOMETRY", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	if e.Type().Kind == vector.Geography {
		return nil, errs.Unsupported("%s of a GEOGRAPHY, whose edges are arcs; %s(x::GEOMETRY) computes in the plane of longitude and latitude", function, function)
	}
	return wantAny.Bind(function, e)
}}

// IsGeospatial reports whether values of the type are WKB that functions read.
func IsGeospatial(t vector.Type) bool { return t.Kind == vector.Geometry || t.Kind == vector.Geography }

// literal is a constant of type t: NULL, or a text that is WKT.
func literal(function string, e expr.Expr, t vector.Type) (expr.Expr, error) {
	if e.Type().Kind == vector.Null {
		return expr.NewConst(vector.NullOf(t)), nil
	}
	s, ok := expr.TextLiteral(e)
	if !ok {
		return nil, &expr.ArgumentError{Function: function, Got: e.Type(), Want: t}
	}
	g, err := text.ParseWKT(s.Str)
	if err != nil {
		return nil, err
	}
	return expr.NewConst(vector.Scalar{Type: t, Str: string(wkb.Append(nil, &g))}), nil
}

// same is the type of a result that lies where the first argument does.
func same(args []expr.Expr) vector.Type {
	for _, a := range args {
		if IsGeospatial(a.Type()) {
			return a.Type()
		}
	}
	return typeGeometry
}
