package function

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// signatureTypes are the types that signatures name.
var signatureTypes = map[string]vector.Type{}

func init() {
	for _, t := range []vector.Type{
		vector.Of(vector.BigInt), vector.Of(vector.Float), vector.Of(vector.Double), vector.Of(vector.Boolean), vector.Of(vector.Varchar), vector.Of(vector.Blob), vector.Of(vector.JSON),
		vector.Of(vector.Date), vector.TimeType(vector.Micros), vector.TimestampType(vector.Micros, false), vector.TimestampType(vector.Micros, true),
		vector.Of(vector.Interval),
	} {
		signatureTypes[t.String()] = t
	}
}

// signatureLiterals are values of the literals that signatures name.
var signatureLiterals = map[string]vector.Scalar{
	"'part'": vector.StringScalar("hour"), "'format'": vector.StringScalar("%Y"), "'path'": vector.StringScalar("$.a"), "'field'": vector.StringScalar("a"),
	"'options'": vector.StringScalar("i"), "BIGINT literal": vector.IntScalar(0),
	"INTERVAL literal": {Type: vector.Of(vector.Interval), Interval: vector.IntervalValue{Days: 1}},
}

// typeOfWord is the type that a word of a signature stands for where T, K and V
// are the given types.
func typeOfWord(t *testing.T, word string, variables map[string]vector.Type) vector.Type {
	if v, ok := signatureTypes[word]; ok {
		return v
	}
	if v, ok := variables[word]; ok {
		return v
	}
	inside := func(prefix string) []vector.Field {
		var fields []vector.Field
		for i, w := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(word, prefix), ")"), ", ") {
			fields = append(fields, vector.Field{Name: []string{"key", "value"}[i], Type: typeOfWord(t, w, variables)})
		}
		return fields
	}
	switch {
	case strings.HasPrefix(word, "LIST("):
		f := inside("LIST(")[0]
		f.Name = "element"
		return vector.ListOf(f)
	case strings.HasPrefix(word, "MAP("):
		return vector.Type{Kind: vector.Map, Fields: inside("MAP(")}
	case strings.HasPrefix(word, "STRUCT("):
		return vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "a", Type: variables["T"]}}}
	}
	t.Fatalf("signatures have no word %q", word)
	return vector.Type{}
}

// argumentsFor are expressions that suit an argument of a signature.
func argumentsFor(t *testing.T, arg string, variables map[string]vector.Type) []expr.Expr {
	var out []expr.Expr
	column := func(v vector.Type) { out = append(out, expr.NewColumn(0, "x", v)) }
	for _, word := range strings.Split(arg, " | ") {
		if v, ok := signatureLiterals[word]; ok {
			out = append(out, expr.NewConst(v))
			continue
		}
		switch word {
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

// TestSignatures binds every function as its signatures say, and compares the
// type of the result.
func TestSignatures(t *testing.T) {
	variables := []map[string]vector.Type{}
	for _, name := range []string{"BIGINT", "DOUBLE", "VARCHAR", "DATE"} {
		variables = append(variables, map[string]vector.Type{"T": signatureTypes[name], "K": signatureTypes["VARCHAR"], "V": signatureTypes[name]})
	}
	for _, family := range families {
		for _, f := range family {
			if len(f.Signatures) == 0 {
				t.Errorf("%s has no signature", f.Name)
			}
			for _, s := range f.Signatures {
				args := s.Args
				if s.Variadic {
					args = append(args[:len(args):len(args)], args[len(args)-1], args[len(args)-1])
				}
				for _, types := range variables {
					var lists [][]expr.Expr
					for _, a := range args {
						lists = append(lists, argumentsFor(t, a, types))
					}
					for _, list := range combinations(lists) {
						checkSignature(t, &f, s, list, types)
					}
				}
			}
		}
	}
}

func checkSignature(t *testing.T, f *expr.Function, s expr.Signature, args []expr.Expr, variables map[string]vector.Type) {
	var types []string
	for _, a := range args {
		types = append(types, a.Type().String())
	}
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		e, err := New(name, args)
		if err != nil {
			t.Errorf("%s%v does not take %v: %v", name, s, types, err)
			return
		}
		got := e.Type()
		switch s.Result {
		case "number":
			if !got.IsNumeric() {
				t.Errorf("%s%v of %v is %v", name, s, types, got)
			}
		case "integer":
			if !got.IsInteger() {
				t.Errorf("%s%v of %v is %v", name, s, types, got)
			}
		default:
			if want := typeOfWord(t, s.Result, variables); !got.Equal(want) {
				t.Errorf("%s%v of %v is %v, not %v", name, s, types, got, want)
			}
		}
	}
}

// TestWrongCount: a call with a number of arguments that no signature has is an
// error that shows the signatures.
func TestWrongCount(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.Varchar))
	for _, c := range []struct {
		name string
		args int
		want string
	}{
		{"lpad", 2, "LPAD does not take 2 arguments; use LPAD(VARCHAR, BIGINT, VARCHAR) → VARCHAR"},
		{"pi", 1, "PI does not take 1 arguments; use PI() → DOUBLE"},
		{"greatest", 0, "GREATEST does not take 0 arguments; use GREATEST(T, ...) → T"},
		{"concat_ws", 1, "CONCAT_WS does not take 1 arguments; use CONCAT_WS(VARCHAR, VARCHAR, ...) → VARCHAR"},
		{"make_date", 2, "MAKE_DATE does not take 2 arguments; use MAKE_DATE(BIGINT) → DATE or MAKE_DATE(BIGINT, BIGINT, BIGINT) → DATE"},
	} {
		args := []expr.Expr{x, x, x}[:c.args]
		if _, err := New(c.name, args); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for _, family := range families {
		for _, f := range family {
			for n := range 8 {
				list := make([]expr.Expr, n)
				for i := range list {
					list[i] = x
				}
				_, _ = New(f.Name, list) // must not panic
			}
		}
	}
}
