package expr_test

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/vector"
)

// TestBigDecimals checks that decimals of more than 38 digits are compared and
// converted exactly.
func TestBigDecimals(t *testing.T) {
	wide, other := vector.DecimalType(50, 10), vector.DecimalType(60, 12)
	column := func(t vector.Type, texts ...string) *vector.Vector {
		v := vector.New(t, len(texts))
		for i, s := range texts {
			n, _ := scalar.ParseNumeral(s)
			b, _ := n.Big(t.Precision, t.Scale)
			v.Str[i] = vector.EncodeBigDecimal(b)
		}
		return v
	}
	huge := "9999999999999999999999999999999999999999.5" // 40 digits
	b := &vector.Batch{Len: 4, Cols: []*vector.Vector{column(wide, "-1.5", "0", "1.5", huge), column(other, "-1.500000000001", "0", "1.5", huge)}}
	columns := map[string]expr.Expr{"a": expr.NewColumn(0, "a", wide), "b": expr.NewColumn(1, "b", other)}
	for _, c := range []struct {
		sql  string
		want [4]string
	}{
		{"a > b", [4]string{"true", "false", "false", "false"}}, {"a = b", [4]string{"false", "true", "true", "true"}}, {"a < 1.5", [4]string{"true", "true", "false", "false"}},
		{"a = 1.50", [4]string{"false", "false", "true", "false"}}, {"a >= '1.5'", [4]string{"false", "false", "true", "true"}}, {"a > 0e0", [4]string{"false", "false", "true", "true"}}, {"a IN (0, 1.5)", [4]string{"false", "true", "true", "false"}},
		{"CAST(a AS VARCHAR)", [4]string{"-1.5000000000", "0.0000000000", "1.5000000000", huge + "000000000"}}, {"CAST(a AS DOUBLE)", [4]string{"-1.5", "0.0", "1.5", "1e+40"}},
		{"TRY_CAST(a AS BIGINT)", [4]string{"-2", "0", "2", "NULL"}}, {"TRY_CAST(a AS UBIGINT)", [4]string{"NULL", "0", "2", "NULL"}}, {"TRY_CAST(a AS DECIMAL(10,1))", [4]string{"-1.5", "0.0", "1.5", "NULL"}}, {"TRY_CAST(a AS DECIMAL(30,0))", [4]string{"-2", "0", "2", "NULL"}},
		{"CAST(a AS BOOLEAN)", [4]string{"true", "false", "true", "true"}}, {"coalesce(a, 0) = a", [4]string{"true", "true", "true", "true"}}, {"greatest(a, b)", [4]string{"-1.500000000000", "0.000000000000", "1.500000000000", huge + "00000000000"}},
	} {
		v, err := expr.NewEvaluator(mustSQL(t, c.sql, columns)).Eval(b)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		for i, want := range c.want {
			if got := valueText(v.Get(i)); got != want {
				t.Errorf("%s, row %d = %s, want %s", c.sql, i, got, want)
			}
		}
	}
	if _, err := readSQL("a + 1", columns, nil); err == nil {
		t.Error("a + 1: no error")
	}
}

// TestDeclaredPrecision checks that a huge precision and scale, which a file may
// declare, cause no huge allocation.
func TestDeclaredPrecision(t *testing.T) {
	mad := vector.DecimalType(2_000_000_000, 1_999_999_999)
	v := vector.New(mad, 2)
	v.Str[0], v.Str[1] = vector.EncodeBigDecimal(big.NewInt(0)), vector.EncodeBigDecimal(big.NewInt(7))
	other := vector.New(vector.DecimalType(38, 0), 2)
	other.I128[1] = vector.Int128{Hi: 1}
	b := &vector.Batch{Len: 2, Cols: []*vector.Vector{v, other}}
	columns := map[string]expr.Expr{"a": expr.NewColumn(0, "a", mad), "b": expr.NewColumn(1, "b", other.Type)}
	before := leaktest.Allocated()
	for _, c := range []struct{ sql, want string }{
		{"a > 1", "false false"}, {"a < 1", "true true"}, {"a > -0.5", "true true"}, {"a >= 0", "true true"}, {"a <> 1", "true true"},
		{"a = 1.5", "false false"}, {"a > 1e0", "false false"}, {"a < '1.5'", "true true"}, {"a IN (0, 2)", "true false"}, {"a NOT IN (1, 2)", "true true"},
		{"a BETWEEN 0 AND 1", "true true"}, {"a IS DISTINCT FROM 5", "true true"}, {"b > a", "false true"}, {"b = a", "true false"},
		{"CAST(a AS BIGINT)", "0 0"}, {"CAST(a AS DOUBLE)", "0.0 0.0"}, {"CAST(a AS DECIMAL(38,38)) = 0", "true true"},
		{"CAST(a AS VARCHAR)", "0E-1999999999 7E-1999999999"}, {"greatest(a, b)", "0.0 1.8446744073709552e+19"},
	} {
		e, err := readSQL("CAST("+c.sql+" AS VARCHAR)", columns, nil)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		v, err := expr.NewEvaluator(e).Eval(b)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := v.Get(0).Str + " " + v.Get(1).Str; got != c.want {
			t.Errorf("%s: %s, want %s", c.sql, got, c.want)
		}
	}
	if _, err := readSQL("coalesce(a, 5)", columns, nil); err != nil {
		t.Errorf("coalesce: %v", err)
	}
	if used := leaktest.Allocated() - before; used > 4<<20 { // 10^1999999999 alone has 830 MB
		t.Errorf("%d bytes allocated", used)
	}
}

// TestDecimalRandom compares the results of arithmetic and casts with math/big.
func TestDecimalRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	random := func() vector.Scalar {
		p := 1 + r.IntN(38)
		digits := big.NewInt(r.Int64())
		digits.Mul(digits, big.NewInt(r.Int64())).Mul(digits, big.NewInt(r.Int64()))
		digits.Mod(digits, scalar.TenToBig(1+r.IntN(p)))
		if r.IntN(2) == 0 {
			digits.Neg(digits)
		}
		v, _ := vector.Int128FromBig(digits)
		s := vector.Scalar{Type: vector.DecimalType(p, r.IntN(min(p, 19)+1)), I64: v.Int64(), I128: v}
		return s
	}
	value := func(s vector.Scalar) *big.Rat {
		n := s.I128.Big()
		if s.Type.Storage() == vector.StoreInt64 {
			n = big.NewInt(s.I64)
		}
		return new(big.Rat).SetFrac(n, scalar.TenToBig(s.Type.Scale))
	}
	for range 1500 {
		a, b := random(), random()
		x, y := value(a), value(b)
		for op, want := range map[scalar.Op]*big.Rat{scalar.OpAdd: new(big.Rat).Add(x, y), scalar.OpSub: new(big.Rat).Sub(x, y), scalar.OpMul: new(big.Rat).Mul(x, y)} {
			e, err := expr.NewArith(op, expr.NewConst(a), expr.NewConst(b))
			if err != nil {
				t.Fatal(err)
			}
			c, ok := e.(*expr.Const)
			fits := new(big.Rat).Mul(want, new(big.Rat).SetInt(scalar.TenToBig(e.Type().Scale)))
			fit := new(big.Rat).Abs(fits).Cmp(new(big.Rat).SetInt(scalar.TenToBig(38))) < 0
			if ok && value(c.Value).Cmp(want) != 0 || ok && !fit {
				t.Fatalf("%v %s %v = %v, want %v", x, op, y, value(c.Value), want)
			}
			if !ok && fit && op == scalar.OpMul {
				t.Fatalf("%v %s %v = %v, which does not fit", x, op, y, want)
			}
		}
		c, err := expr.CompareScalars(a, b)
		if err != nil || c != x.Cmp(y) {
			t.Fatalf("%v against %v: %d, %v", x, y, c, err)
		}
		to := vector.DecimalType(38, r.IntN(19))
		got, err := expr.CastScalar(a, to)
		if err == nil {
			diff := new(big.Rat).Sub(value(got), x)
			half := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Mul(big.NewInt(2), scalar.TenToBig(to.Scale)))
			if diff.Abs(diff).Cmp(half) > 0 {
				t.Fatalf("%v as %v is %v", x, to, value(got))
			}
		}
		f, err := expr.CastScalar(a, vector.Of(vector.Double))
		if want, _ := x.Float64(); err != nil || f.F64 != want {
			t.Fatalf("%v as DOUBLE is %v, want %v", x, f.F64, want)
		}
	}
}

// TestProductOf38Digits checks factors on both sides of 64 bits.
func TestProductOf38Digits(t *testing.T) {
	wide := func(v string) string { return "CAST('" + v + "' AS DECIMAL(38,0))" }
	for _, c := range []struct{ a, b, want string }{
		{"9223372036854775807", "9223372036854775807", "85070591730234615847396907784232501249"},
		{"-9223372036854775808", "-9223372036854775808", "85070591730234615865843651857942052864"},
		{"-9223372036854775808", "9223372036854775807", "-85070591730234615856620279821087277056"},
		{"9223372036854775808", "9223372036854775808", "85070591730234615865843651857942052864"},
		{"9223372036854775808", "-1", "-9223372036854775808"},
		{"-9223372036854775809", "10841720217", "-99997219080880891981437830553"},
		{"10000000000000000000", "9999999999999999999", "99999999999999999990000000000000000000"},
		{"10000000000000000000", "10000000000000000000", "ERR"},
		{"99999999999999999999999999999999999999", "1", "99999999999999999999999999999999999999"},
		{"99999999999999999999999999999999999999", "-2", "ERR"},
	} {
		runForms(t, []formCase{{wide(c.a) + " * " + wide(c.b), c.want}, {wide(c.b) + " * " + wide(c.a), c.want}})
	}
}
