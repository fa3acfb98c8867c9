package expr

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestOneColumn asks random conditions on one column as values and as filters, of dictionaries and of flat vectors, with NULLs and
// selections, and compares with three-valued logic row by row.
func TestOneColumn(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	typ := vector.Of(vector.Varchar)
	column := NewColumn(2, "x", typ)
	text := func() string { return fmt.Sprintf("v%d", rng.IntN(30)) }
	var condition func(depth int) (Expr, func(string) bool)
	condition = func(depth int) (Expr, func(string) bool) {
		v := text()
		switch kind := rng.IntN(6); {
		case kind == 0:
			e, err := NewLike(column, NewConst(vector.StringScalar(v+"%")), nil, false, false)
			check(t, err)
			return e, func(s string) bool { return len(s) >= len(v) && s[:len(v)] == v }
		case kind == 1:
			e, err := NewIn(column, []Expr{NewConst(vector.StringScalar(v)), NewConst(vector.StringScalar("v3"))}, true)
			check(t, err)
			return e, func(s string) bool { return s != v && s != "v3" }
		case kind == 2 && depth > 0:
			or := rng.IntN(2) == 0
			var args []Expr
			var tests []func(string) bool
			for range 1 + rng.IntN(12) {
				e, test := condition(depth - 1)
				args, tests = append(args, e), append(tests, test)
			}
			e, err := newLogic(or, args)
			check(t, err)
			return e, func(s string) bool {
				for _, test := range tests {
					if test(s) == or {
						return or
					}
				}
				return !or
			}
		}
		op := []Op{OpEq, OpNe, OpLt, OpGe}[rng.IntN(4)]
		e, err := NewCompare(op, column, NewConst(vector.StringScalar(v)))
		check(t, err)
		return e, func(s string) bool {
			switch op {
			case OpEq:
				return s == v
			case OpNe:
				return s != v
			case OpLt:
				return s < v
			}
			return s >= v
		}
	}
	for range 400 {
		or := rng.IntN(2) == 0
		var args []Expr
		var tests []func(string) bool
		for range 2 + rng.IntN(12) {
			e, test := condition(2)
			args, tests = append(args, e), append(tests, test)
		}
		e, err := newLogic(or, args)
		check(t, err)
		holds := func(s string) bool {
			for _, test := range tests {
				if test(s) == or {
					return or
				}
			}
			return !or
		}
		ev, f := NewEvaluator(e), NewFilter(e)
		for range 3 {
			n := 1 + rng.IntN(300)
			v := vector.New(typ, n)
			v.Valid = vector.NewValidity(n)
			for i := range n {
				if v.Str[i] = text(); rng.IntN(7) == 0 {
					v.Valid.Clear(i)
				}
			}
			if rng.IntN(2) == 0 {
				dict := vector.New(typ, 30)
				codes := make([]int32, n)
				for i := range dict.Str {
					dict.Str[i] = fmt.Sprintf("v%d", i)
				}
				for i := range codes {
					_, _ = fmt.Sscanf(v.Str[i], "v%d", &codes[i])
				}
				v = &vector.Vector{Type: typ, Form: vector.Dictionary, Len: n, Dict: dict, Codes: codes, Valid: v.Valid}
			}
			b := &vector.Batch{Len: n, Cols: []*vector.Vector{nil, nil, v}}
			switch rng.IntN(3) {
			case 0:
				for i := range n {
					if rng.IntN(3) == 0 {
						b.Sel = append(b.Sel, int32(i))
					}
				}
			case 1:
				b.Sel = []int32{int32(rng.IntN(n))}
			}
			if b.Sel != nil && len(b.Sel) == 0 {
				continue
			}
			got, err := ev.Eval(b)
			check(t, err)
			var want []int32
			for k := range b.Rows() {
				i := b.Row(k)
				if got.IsNull(i) != v.IsNull(i) {
					t.Fatalf("%s: row %d is NULL: %t", e, i, got.IsNull(i))
				}
				if v.IsNull(i) {
					continue
				}
				s := v.Get(i).Str
				if got.Get(i).Bool != holds(s) {
					t.Fatalf("%s: %q is %t", e, s, !holds(s))
				}
				if holds(s) {
					want = append(want, int32(i))
				}
			}
			check(t, f.Apply(b))
			if len(want) != b.Rows() {
				t.Fatalf("%s: %d rows of %d", e, b.Rows(), len(want))
			}
			for k, i := range want {
				if b.Row(k) != int(i) {
					t.Fatalf("%s: row %d is %d, want %d", e, k, b.Row(k), i)
				}
			}
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
