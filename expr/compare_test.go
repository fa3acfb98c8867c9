package expr_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/set"
	"github.com/parquetsql/parquetsql/vector"
)

// TestComparison checks every rule of docs/contract.md about comparisons.
func TestComparison(t *testing.T) {
	runForms(t, []formCase{
		{"1 = 1", "true"}, {"1 < 2", "true"}, {"2 <= 1", "false"}, {"1 <> 1", "false"}, {"NULL = 1", "NULL"}, {"NULL <> NULL", "NULL"},
		{"'a' < 'B'", "false"}, {"'a' < 'ab'", "true"}, {"'é' > 'z'", "true"},
		// Integers of any sign and width and decimals compare exactly.
		{"18446744073709551615 > (-1)", "true"}, {"18446744073709551615 = 18446744073709551614", "false"},
		{"9223372036854775807 = 9223372036854775807.0", "true"}, {"9223372036854775807 < 9223372036854775807.1", "true"},
		{"1.50 = 1.5", "true"}, {"1.5 < 1.51", "true"}, {"0.1 + 0.2 = 0.3", "true"},
		{"99999999999999999999999999999999999999 > 0.00000000000000000000000000000000000001", "true"},
		{"99999999999999999999999999999999999999 = 0.99999999999999999999999999999999999999", "false"},
		// DOUBLE and an integer or decimal compare as DOUBLE, FLOAT and a decimal as FLOAT, FLOAT and DOUBLE as DOUBLE.
		{"9007199254740993 = 9007199254740992e0", "true"}, {"0.1 = 0.1e0", "true"},
		{"0.1::FLOAT = 0.1", "true"}, {"0.1::FLOAT = 0.1e0", "false"}, {"16777217 = 16777216::FLOAT", "true"},
		// NaN equals itself and sorts above all; -0.0 = 0.0.
		{"'nan'::DOUBLE = 'nan'::DOUBLE", "true"}, {"'nan'::DOUBLE > 'inf'::DOUBLE", "true"}, {"'nan'::DOUBLE < 1e0", "false"},
		{"1e0 < 'nan'::DOUBLE", "true"}, {"'nan'::DOUBLE <> 'nan'::DOUBLE", "false"}, {"'nan'::FLOAT >= 'nan'::FLOAT", "true"},
		{"'nan'::DOUBLE <= 'nan'::DOUBLE", "true"}, {"'nan'::DOUBLE > 'nan'::DOUBLE", "false"}, {"-0e0 = 0e0", "true"}, {"-0e0 < 0e0", "false"},
		// Times.
		{"INTERVAL '1 month' = INTERVAL '30 days'", "true"}, {"INTERVAL '1 day' < INTERVAL '25 hours'", "true"},
		{"DATE '2020-01-01' < TIMESTAMP '2020-01-01 00:00:00.000001'", "true"}, {"DATE '2020-01-01' = TIMESTAMP '2020-01-01 00:00:00'", "true"},
		{"TIMESTAMP_MS '2020-01-01 00:00:00.001' < TIMESTAMP_NS '2020-01-01 00:00:00.001000001'", "true"},
		{"TIMESTAMP_MS '290000-01-01 00:00:00' > TIMESTAMP_NS '2200-01-01 00:00:00'", "true"},
		{"TIMESTAMP '2020-01-01 00:00:00' = TIMESTAMPTZ '2020-01-01 01:00:00+01'", "true"},
		{"TIME '10:00:00' < TIME '10:00:00.5'", "true"}, {"TRUE > FALSE", "true"}, {"TRUE = 1", "true"},
		{"x'00ff' > x'00fe'", "true"}, {"x'61' = x'6100'", "false"},
		{"UUID '550e8400-e29b-41d4-a716-446655440000' < UUID '650e8400-e29b-41d4-a716-446655440000'", "true"},
		{"1 IS DISTINCT FROM 1", "false"}, {"1 IS DISTINCT FROM 2", "true"}, {"1 IS NOT DISTINCT FROM 1.0", "true"},
		{"'nan'::DOUBLE IS NOT DISTINCT FROM 'nan'::DOUBLE", "true"}, {"NULL IS DISTINCT FROM NULL", "false"}, {"NULL IS DISTINCT FROM 1", "true"},
		{"2 BETWEEN 1 AND 3", "true"}, {"2 NOT BETWEEN 1 AND 3", "false"}, {"2 BETWEEN 3 AND 1", "false"}, {"0 BETWEEN NULL AND (-1)", "false"},
		{"2 BETWEEN NULL AND 3", "NULL"}, {"DATE '2020-01-01' = 1", "ERR"}, {"x'61' = 1", "ERR"},
	})
}

// TestStringLiterals checks that a string literal takes the type of the other operand.
func TestStringLiterals(t *testing.T) {
	runLiterals(t, []formCase{
		{"DATE '2020-01-02' = '2020-01-02'", "true"}, {"'2020-01-02' < DATE '2020-01-03'", "true"},
		{"TIMESTAMP '2020-01-02 00:00:00' = '2020-01-02T00:00:00Z'", "true"}, {"TIMESTAMP '2020-01-02 03:00:00' = '2020-01-02T03:00:00+02:00'", "true"},
		{"TIMESTAMPTZ '2020-01-02 03:00:00' = '2020-01-02T05:00:00+02:00'", "true"},
		{"TIME '10:20:30' = '10:20:30'", "true"}, {"INTERVAL '1 day' = 'P1D'", "true"}, {"INTERVAL '1 day' = '24 hours'", "true"},
		{"UUID '550e8400-e29b-41d4-a716-446655440000' = '550E8400E29B41D4A716446655440000'", "true"},
		{"TRUE = 'true'", "true"}, {"TRUE = 'f'", "false"}, {"1.50 = '1.5'", "true"}, {"1 = '1'", "true"}, {"1e0 = '1'", "true"},
		{"1 = 'x'", "ERR"}, {"DATE '2020-01-01' = 'soon'", "ERR"}, {"TRUE = 'maybe'", "ERR"}, {"1::TINYINT = '300'", "ERR"},
		{"x'616263' = 'abc'", "true"}, {"x'c3a9' = 'é'", "true"},
		{"1 IN ('1', '2')", "true"}, {"DATE '2020-01-02' IN ('2020-01-01', '2020-01-02')", "true"}, {"1 BETWEEN '0' AND '2'", "true"},
		{"1 IN (1.0, 2)", "true"}, {"1 IN (1.5, 2)", "false"},
	})
}

// TestNarrow checks that a constant takes the column's type if that does not change
// the result.
func TestNarrow(t *testing.T) {
	columns := map[string]expr.Expr{}
	for i, c := range []struct {
		name string
		t    vector.Type
	}{
		{"i", vector.Of(vector.Integer)}, {"u", vector.Of(vector.UBigInt)}, {"d", vector.DecimalType(10, 2)}, {"f", vector.Of(vector.Float)},
		{"g", vector.Of(vector.Double)}, {"day", vector.Of(vector.Date)}, {"ms", vector.TimestampType(vector.Millis, false)},
		{"ns", vector.TimestampType(vector.Nanos, true)}, {"s", vector.Of(vector.Varchar)},
	} {
		columns[c.name] = expr.NewColumn(i, c.name, c.t)
	}
	for _, c := range []struct{ sql, want string }{
		{"i < 1.5", "i < 2"}, {"i <= 1.5", "i < 2"}, {"i > 1.5", "i >= 2"}, {"i >= 1.5", "i >= 2"}, {"1.4 > i", "i <= 1"}, {"i > -1.4", "i >= -1"},
		{"i = 2.0", "i = 2"}, {"i = 1.5", "CAST(i AS DECIMAL(11,1)) = 1.5"}, {"i < 3000000000.0", "CAST(i AS DECIMAL(11,1)) < 3000000000.0"},
		{"u = 5", "u = 5"}, {"u > -1", "CAST(u AS DECIMAL(20,0)) > -1"},
		{"d = 1.5", "d = 1.50"}, {"d < 1.001", "d <= 1.00"}, {"d > 5", "d > 5.00"}, {"d > '5'", "d > 5.00"},
		{"f > 0.1", "f > 0.1"}, {"f > 5e-1", "f > 0.5"}, {"g > 1", "g > 1.0"}, {"f = 0.1e0", "CAST(f AS DOUBLE) = 0.1"},
		{"day < '2020-01-02'", "day < DATE '2020-01-02'"}, {"day < TIMESTAMP '2020-01-02 10:00:00'", "day <= DATE '2020-01-02'"},
		{"day > TIMESTAMP '2020-01-02 10:00:00'", "day > DATE '2020-01-02'"},
		{"ms >= '2020-01-02 10:00:00.0005'", "ms >= TIMESTAMP '2020-01-02 10:00:00.001'"}, {"ms >= '2020-01-02 10:00:00.0004'", "ms > TIMESTAMP '2020-01-02 10:00:00'"}, {"ms = DATE '2020-01-02'", "ms = TIMESTAMP '2020-01-02 00:00:00'"},
		{"ns = '2020-01-02 10:00:00.000000001'", "ns = TIMESTAMPTZ '2020-01-02 10:00:00.000000001+00'"},
		{"i IN (1.0, 2, NULL)", "i IN (1, 2, NULL)"}, {"NOT (i > 5 AND d IS NULL)", "i <= 5 OR d IS NOT NULL"},
		{"NOT (s LIKE 'a%' OR NOT i IN (1))", "s NOT LIKE 'a%' AND i IN (1)"},
	} {
		if got := mustSQL(t, c.sql, columns).String(); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.sql, got, c.want)
		}
	}
}

// TestMatching checks IN and LIKE in three-valued logic.
func TestMatching(t *testing.T) {
	runForms(t, []formCase{
		{"1 IN (1, 2, 3)", "true"}, {"4 IN (1, 2, 3)", "false"}, {"4 IN (1, NULL)", "NULL"}, {"1 IN (1, NULL)", "true"}, {"NULL IN (1)", "NULL"},
		{"4 NOT IN (1, NULL)", "NULL"}, {"1 NOT IN (1, NULL)", "false"}, {"4 NOT IN (1, 2)", "true"},
		{"'nan'::DOUBLE IN ('nan'::DOUBLE, 1e0)", "true"}, {"-0e0 IN (0e0)", "true"},
		{"INTERVAL '1 month' IN (INTERVAL '30 days')", "true"},
		{"'abc' LIKE 'abc'", "true"}, {"'abc' LIKE 'a%'", "true"}, {"'abc' LIKE '%c'", "true"}, {"'abc' LIKE '%b%'", "true"}, {"'abc' LIKE 'b%'", "false"},
		{"'abc' LIKE 'a_c'", "true"}, {"'aé' LIKE 'a_'", "true"}, {"'aé' LIKE 'a__'", "false"}, {"'' LIKE '%'", "true"}, {"'' LIKE '_'", "false"}, {"'abc' LIKE ''", "false"},
		{"'a%b' LIKE 'a\\%b' ESCAPE '\\'", "true"}, {"'axb' LIKE 'a\\%b' ESCAPE '\\'", "false"}, {"'abc' LIKE 'a\\'", "false"}, {"'a\\' LIKE 'a\\'", "true"},
		{"'abc' LIKE 'a$' ESCAPE '$'", "ERR"}, {"'abc' LIKE 'a' ESCAPE '$$'", "ERR"}, {"'ABC' ILIKE 'a%c'", "true"}, {"'ÄB' ILIKE 'ä_'", "true"}, {"'ABC' LIKE 'a%'", "false"},
		{"'abcabc' LIKE 'a%b%c%b%'", "true"}, {"'aab' LIKE '%ab'", "true"}, {"'abab' LIKE '%a_'", "true"}, {"'xaybz' LIKE '%a_b%'", "true"}, {"'xaby' LIKE '%a_b%'", "false"},
		{"'aXbXc' LIKE '%X%X%X%'", "false"}, {"NULL LIKE 'a'", "NULL"}, {"'a' LIKE NULL", "NULL"}, {"'abc' NOT LIKE 'a%'", "false"},
		{"x'61' LIKE 'a'", "ERR"}, {"12 LIKE '1%'", "true"},
	})
}

// TestBlobMessage checks that the error for a BLOB says what to use instead.
func TestBlobMessage(t *testing.T) {
	column := map[string]expr.Expr{"b": expr.NewColumn(0, "b", vector.Of(vector.Blob))}
	for _, sql := range []string{"b LIKE 'a%'", "upper(b)", "length(b)", "b || b = b AND concat(b, 'x') = 'x'", "regexp_matches(b, 'x')"} {
		_, err := readSQL(sql, column, nil)
		if err == nil || !strings.Contains(err.Error(), "binary_as_string") || !strings.Contains(err.Error(), "CAST(b AS VARCHAR)") {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestLongIn checks lists that are long enough for a hash table.
func TestLongIn(t *testing.T) {
	ints := "1" + strings.Repeat(", 1000001", 5) + ", 2, 3, 4, 5, 6, 7, 8, 9"
	texts := "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'"
	floats := "1e0, 2e0, 3e0, 4e0, 5e0, 6e0, 7e0, 8e0, 9e0, 1e300"
	runForms(t, []formCase{
		{"7 IN (" + ints + ")", "true"}, {"10 IN (" + ints + ")", "false"}, {"10 NOT IN (" + ints + ", NULL)", "NULL"},
		{"'i' IN (" + texts + ")", "true"}, {"'j' NOT IN (" + texts + ")", "true"}, {"1.5 IN (1.50, " + ints + ")", "true"},
		{"1e0 IN (-0e0, " + floats + ")", "true"}, {"0e0 IN (-0e0, " + floats + ")", "true"}, {"'nan'::DOUBLE IN (" + floats + ", 'nan')", "true"}, {"1.5e0 IN (" + floats + ")", "false"},
		{"INTERVAL '30 days' IN (INTERVAL '1 month', INTERVAL '2 days')", "true"},
	})
}

// TestLongInOfIntegers compares lists of every density and width with a loop.
func TestLongInOfIntegers(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 200 {
		kind := []vector.Kind{vector.BigInt, vector.UBigInt, vector.Integer}[r.IntN(3)]
		n, width := 9+r.IntN(300), uint(1+r.IntN(64))
		if kind == vector.Integer {
			width = min(width, 31)
		}
		value := func() vector.Scalar {
			s := vector.Scalar{Type: vector.Of(kind)}
			switch v := r.Uint64() >> (64 - width); kind {
			case vector.UBigInt:
				s.U64 = v
			default:
				s.I64 = int64(v)
			}
			return s
		}
		list := make([]expr.Expr, n)
		in := map[[2]uint64]bool{}
		for i := range list {
			s := value()
			list[i], in[[2]uint64{uint64(s.I64), s.U64}] = expr.NewConst(s), true
		}
		e, err := expr.NewIn(expr.NewColumn(0, "x", vector.Of(kind)), list, false)
		if err != nil {
			t.Fatal(err)
		}
		x := vector.New(vector.Of(kind), vector.BatchSize)
		for i := range x.Len {
			s := value()
			if i%2 == 0 {
				s = list[r.IntN(n)].(*expr.Const).Value
			}
			x.Set(i, s)
		}
		b := &vector.Batch{Cols: []*vector.Vector{x}, Len: x.Len}
		if err := expr.NewFilter(e).Apply(b); err != nil {
			t.Fatal(err)
		}
		var want []int32
		for i := range x.Len {
			if s := x.Get(i); in[[2]uint64{uint64(s.I64), s.U64}] {
				want = append(want, int32(i))
			}
		}
		if got := b.Sel; b.Rows() != len(want) || got != nil && !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d: %d of %s in %d bits: rows %v, want %v", seed, round, n, kind, width, got, want)
		}
	}
}

// TestMember checks the condition that joins make, at both ends of the range of integers too.
func TestMember(t *testing.T) {
	for _, base := range []int64{math.MinInt64, -70, 0, math.MaxInt64 - 200} {
		ints := set.NewInts(base, base+200)
		for _, d := range []int64{0, 3, 63, 64, 127, 200} {
			ints.Add(base + d)
		}
		if ints.Len() != 6 || set.IntsBytes(base, base+200) != 32 {
			t.Errorf("%d values in %d bytes", ints.Len(), set.IntsBytes(base, base+200))
		}
		x := vector.New(vector.Of(vector.BigInt), 8)
		copy(x.I64, []int64{base, base + 1, base + 3, base + 64, base + 200, base - 1, base + 201, base + 256})
		x.SetNull(2)
		b := &vector.Batch{Cols: []*vector.Vector{x}, Len: x.Len}
		e := expr.NewMember(expr.NewColumn(0, "x", x.Type), ints)
		if err := expr.NewFilter(e).Apply(b); err != nil || !slices.Equal(b.Sel, []int32{0, 3, 4}) {
			t.Errorf("%s: rows %v, error %v", e, b.Sel, err)
		}
	}
	if set.IntsBytes(math.MinInt64, math.MaxInt64) != 1<<61 {
		t.Error("the size of all integers")
	}
}
