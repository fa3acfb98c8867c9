package expr_test

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestArithmeticThatFits: which arithmetic cannot fail, by the types of its operands.
func TestArithmeticThatFits(t *testing.T) {
	col := func(t vector.Type) expr.Expr { return expr.NewColumn(0, "x", t) }
	of := vector.Of
	integer, bigint, small := col(of(vector.Integer)), col(of(vector.BigInt)), col(of(vector.SmallInt))
	unsigned := col(of(vector.UInteger))
	rows := &expr.Column{Name: "n", T: of(vector.BigInt), Counts: true}
	price, discount := col(vector.DecimalType(15, 2)), col(vector.DecimalType(15, 2))
	wide, huge := col(vector.DecimalType(20, 2)), col(vector.DecimalType(38, 0))
	number := func(n int64) expr.Expr { return expr.NewConst(vector.IntScalar(n)) }
	arith := func(op expr.Op, l, r expr.Expr) expr.Expr {
		e, err := expr.NewArith(op, l, r)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	neg := func(x expr.Expr) expr.Expr {
		e, err := expr.NewNeg(x)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, c := range []struct {
		e    expr.Expr
		fits bool
	}{
		{arith(expr.OpAdd, integer, number(1)), true},
		{arith(expr.OpSub, integer, number(53)), true},
		{arith(expr.OpMul, integer, integer), true}, // 2^62 at most
		{arith(expr.OpMul, arith(expr.OpMul, integer, integer), small), false},
		{arith(expr.OpAdd, bigint, number(1)), false},
		{arith(expr.OpAdd, bigint, number(0)), true},
		{arith(expr.OpMul, unsigned, unsigned), false}, // near 2^64
		{arith(expr.OpAdd, unsigned, integer), true},
		{arith(expr.OpAdd, rows, number(1)), true},
		{arith(expr.OpSub, number(1), rows), true},
		{arith(expr.OpAdd, rows, rows), false}, // 2^63 at most
		{arith(expr.OpMul, rows, number(2)), false},
		{neg(integer), true},
		{neg(bigint), false},
		{arith(expr.OpMul, price, arith(expr.OpSub, number(1), discount)), true},
		{arith(expr.OpMul, arith(expr.OpMul, price, arith(expr.OpSub, number(1), discount)), arith(expr.OpAdd, number(1), discount)), false},
		{arith(expr.OpMul, wide, price), true},
		{arith(expr.OpMul, wide, wide), false}, // 40 digits
		{arith(expr.OpAdd, huge, number(1)), false},
	} {
		if got := !expr.CanFail(c.e); got != c.fits {
			t.Errorf("%s (%s) always fits: %v, want %v", c.e, c.e.Type(), got, c.fits)
		}
	}
}

// TestCannotFail evaluates random arithmetic at the ends of the ranges of its types:
// what CanFail says cannot fail does not.
func TestCannotFail(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	types := []vector.Type{
		vector.Of(vector.TinyInt), vector.Of(vector.Integer), vector.Of(vector.BigInt), vector.Of(vector.UInteger), vector.Of(vector.UBigInt),
		vector.DecimalType(4, 2), vector.DecimalType(9, 0), vector.DecimalType(15, 2), vector.DecimalType(18, 18), vector.DecimalType(30, 4), vector.DecimalType(38, 10),
	}
	ends := func(t vector.Type) [2]vector.Scalar {
		if t.Kind == vector.Decimal {
			max := vector.Int128From(1)
			for range t.Precision {
				max = max.Mul64(10)
			}
			max = max.Sub(vector.Int128From(1))
			s := [2]vector.Scalar{{Type: t, I128: max.Neg()}, {Type: t, I128: max}}
			for i := range s {
				if t.Storage() == vector.StoreInt64 {
					s[i].I64, s[i].I128 = s[i].I128.Int64(), vector.Int128{}
				}
			}
			return s
		}
		if t.Kind == vector.UBigInt {
			return [2]vector.Scalar{{Type: t}, {Type: t, U64: ^uint64(0)}}
		}
		bits := t.Bits()
		if t.IsUnsigned() {
			return [2]vector.Scalar{{Type: t}, {Type: t, I64: int64(1)<<bits - 1}}
		}
		return [2]vector.Scalar{{Type: t, I64: -1 << (bits - 1)}, {Type: t, I64: 1<<(bits-1) - 1}}
	}
	tried := 0
	for range 3000 {
		var columns []vector.Type
		var random func(depth int) expr.Expr
		random = func(depth int) expr.Expr {
			if depth == 0 || r.IntN(4) == 0 {
				if r.IntN(4) == 0 {
					return expr.NewConst(vector.IntScalar(r.Int64N(100)))
				}
				columns = append(columns, types[r.IntN(len(types))])
				return expr.NewColumn(len(columns)-1, "x", columns[len(columns)-1])
			}
			op := []expr.Op{expr.OpAdd, expr.OpSub, expr.OpMul}[r.IntN(3)]
			if e, err := expr.NewArith(op, random(depth-1), random(depth-1)); err == nil {
				return e
			}
			return expr.NewConst(vector.IntScalar(1))
		}
		e := random(3)
		if expr.CanFail(e) || len(columns) == 0 || len(columns) > 6 {
			continue
		}
		tried++
		n := 1 << len(columns)
		b := &vector.Batch{Len: n}
		for i, c := range columns {
			v := vector.New(c, n)
			for row := range n {
				v.Set(row, ends(c)[row>>i&1])
			}
			b.Cols = append(b.Cols, v)
		}
		if _, err := expr.NewEvaluator(e).Eval(b); err != nil {
			t.Fatalf("seed %d: %s of %v: %v", seed, e, columns, err)
		}
	}
	if tried < 50 {
		t.Errorf("seed %d: only %d expressions cannot fail", seed, tried)
	}
}
