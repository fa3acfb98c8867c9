// Package signaturetest compares the signatures that functions declare with what
// their binders do.
package signaturetest

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// signatureTypes are the types that signatures name.
var signatureTypes = map[string]vector.Type{
	"TIMESTAMP_NS": vector.TimestampType(vector.Nanos, false)}

func init() {
	for _, t := range []vector.Type{
		vector.Of(vector.BigInt), vector.Of(vector.UBigInt), vector.Of(vector.Float), vector.Of(vector.Double), vector.Of(vector.Boolean), vector.Of(vector.Varchar), vector.Of(vector.Blob), vector.Of(vector.JSON),
		vector.Of(vector.Date), vector.TimeType(vector.Micros), vector.TimestampType(vector.Micros, false), vector.TimestampType(vector.Micros, true),
		vector.Of(vector.Interval), vector.VariantType(), vector.Of(vector.UUID), vector.Of(vector.Null), vector.Of(vector.Geometry), vector.Of(vector.Geography),
	} {
		signatureTypes[t.String()] = t
	}
	signatureTypes["STRUCT"] = vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "a", Type: vector.Of(vector.BigInt), Nullable: true}}}
	signatureTypes["DECIMAL(38,0)"] = vector.DecimalType(38, 0)
	signatureTypes["ENTRY"] = vector.Type{Kind: vector.Struct, Fields: expr.MapType(vector.Of(vector.Varchar), vector.Of(vector.BigInt)).Fields}
	signatureTypes["DECIMAL(p,s)"], signatureTypes["DECIMAL(38,s)"] = vector.DecimalType(18, 3), vector.DecimalType(38, 3)
}

// signatureLiterals are values of the literals that signatures name.
var signatureLiterals = map[string]vector.Scalar{
	"'part'": vector.StringScalar("hour"), "'format'": vector.StringScalar("%Y"), "'path'": vector.StringScalar("$.a"), "'field'": vector.StringScalar("a"),
	"'max'": vector.StringScalar("max"), "'string_agg'": vector.StringScalar("string_agg"), "'order'": vector.StringScalar("desc"), "'nulls'": vector.StringScalar("nulls first"),
	"'options'": vector.StringScalar("i"), "BIGINT literal": vector.IntScalar(1),
	"'from'": vector.StringScalar("EPSG:4326"), "'to'": vector.StringScalar("EPSG:3857"),
	"'separator'": vector.StringScalar(","), "'separators'": vector.StringScalar("both_slash"), "DOUBLE literal": vector.FloatScalar(0.5),
	"INTERVAL literal": {Type: vector.Of(vector.Interval), Interval: vector.IntervalValue{Days: 1}},
}

// typeOfWord is the type that a word of a signature stands for where T, K and V
// are the given types.
func typeOfWord(t testing.TB, word string, variables map[string]vector.Type) vector.Type {
	if v, ok := signatureTypes[word]; ok {
		return v
	}
	if v, ok := variables[word]; ok {
		return v
	}
	inside := func(prefix string) []vector.Type {
		var types []vector.Type
		for _, w := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(word, prefix), ")"), ", ") {
			types = append(types, typeOfWord(t, w, variables))
		}
		return types
	}
	switch {
	case strings.HasPrefix(word, "LIST("):
		return expr.ListType(inside("LIST(")[0])
	case strings.HasPrefix(word, "MAP("):
		types := inside("MAP(")
		return expr.MapType(types[0], types[1])
	case strings.HasPrefix(word, "STRUCT("):
		return vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: word[len("STRUCT("):len("STRUCT(a")], Type: variables["T"]}}}
	}
	t.Fatalf("signatures have no word %q", word)
	return vector.Type{}
}

// argumentsFor are expressions that suit an argument of a signature.
func argumentsFor(t testing.TB, arg string, variables map[string]vector.Type) []expr.Expr {
	var out []expr.Expr
	column := func(v vector.Type) { out = append(out, expr.NewColumn(0, "x", v)) }
	for _, word := range strings.Split(arg, " | ") {
		if v, ok := signatureLiterals[word]; ok {
			out = append(out, expr.NewConst(v))
			continue
		}
		switch word {
		case "['format']", "['names']":
			list, err := expr.NewList(expr.NewConst(vector.StringScalar("%Y")))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, list)
		case "['bins']": // an empty list, which is one of any type
			list, err := expr.NewList()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, list)
		case "['path']":
			list, err := expr.NewList(expr.NewConst(vector.StringScalar("$.a")))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, list)
		case "'structure'":
			out = append(out, expr.NewConst(vector.StringScalar(`"`+variables["T"].String()+`"`)))
		case "'type'":
			out = append(out, expr.NewConst(vector.StringScalar(variables["T"].String())))
		case "any":
			column(vector.Of(vector.BigInt))
			column(vector.Of(vector.Varchar))
		case "integer", "number":
			column(vector.Of(vector.Integer))
			column(vector.Of(vector.BigInt))
			if word == "number" {
				column(vector.Of(vector.Float))
				column(vector.Of(vector.Double))
				column(vector.DecimalType(18, 3))
			}
		default:
			column(typeOfWord(t, word, variables))
		}
	}
	return out
}

// combinations are all choices of one element per list.
func combinations(lists [][]expr.Expr) [][]expr.Expr {
	out := [][]expr.Expr{{}}
	for _, list := range lists {
		var next [][]expr.Expr
		for _, head := range out {
			for _, e := range list {
				next = append(next, append(head[:len(head):len(head)], e))
			}
		}
		out = next
	}
	return out
}

// Check binds calls with arguments of every type that a signature of the function
// allows, and compares the type of the result. T, K and V stand for several types
// in turn; a variadic argument is given three times.
func Check(t testing.TB, name string, signatures []expr.Signature, bind func(args []expr.Expr) (vector.Type, error)) {
	if len(signatures) == 0 {
		t.Errorf("%s has no signature", name)
	}
	for _, s := range signatures {
		args := s.Args
		if s.Variadic {
			last := args[len(args)-1]
			args = append(args[:len(args):len(args)], last, last)
		}
		for _, v := range []string{"BIGINT", "DOUBLE", "VARCHAR", "DATE"} {
			variables := map[string]vector.Type{"T": signatureTypes[v], "K": signatureTypes["VARCHAR"], "V": signatureTypes[v]}
			var lists [][]expr.Expr
			for _, a := range args {
				lists = append(lists, argumentsFor(t, a, variables))
			}
			for _, list := range combinations(lists) {
				if got, err := bind(list); err != nil {
					t.Errorf("%s%v of %v: %v", name, s, typesOf(list), err)
				} else if !isResult(t, s.Result, got, variables) {
					t.Errorf("%s%v of %v is %v", name, s, typesOf(list), got)
				}
			}
		}
	}
}

func isResult(t testing.TB, word string, got vector.Type, variables map[string]vector.Type) bool {
	switch word {
	case "number":
		return got.IsNumeric()
	case "integer":
		return got.IsInteger()
	case "LIST", "MAP", "STRUCT", "GEOMETRY":
		return got.Kind.String() == word
	}
	want := typeOfWord(t, word, variables)
	return got.Equal(want) || got.IsNested() && got.String() == want.String() // elements may be NULL or not
}

func typesOf(list []expr.Expr) []string {
	var names []string
	for _, e := range list {
		names = append(names, e.Type().String())
	}
	return names
}
