package expr_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestThreeValues checks the truth tables of three-valued logic.
func TestThreeValues(t *testing.T) {
	runForms(t, []formCase{
		{"TRUE AND TRUE", "true"}, {"TRUE AND FALSE", "false"}, {"TRUE AND NULL", "NULL"}, {"NULL AND FALSE", "false"}, {"NULL AND NULL", "NULL"},
		{"TRUE OR NULL", "true"}, {"FALSE OR NULL", "NULL"}, {"NULL OR TRUE", "true"}, {"FALSE OR FALSE", "false"},
		{"NOT TRUE", "false"}, {"NOT NULL", "NULL"}, {"NOT (1 > 2)", "true"},
		{"NULL IS NULL", "true"}, {"1 IS NULL", "false"}, {"1 IS NOT NULL", "true"},
		{"TRUE IS TRUE", "true"}, {"NULL IS TRUE", "false"}, {"NULL IS NOT TRUE", "true"}, {"FALSE IS FALSE", "true"}, {"NULL IS FALSE", "false"}, {"NULL IS NOT FALSE", "true"},
		{"1 = 1 AND 2 = 2 AND 3 = 3", "true"}, {"1 = 2 OR 2 = 3 OR 3 = 3", "true"}, {"(1 = 1) = (2 = 2)", "true"},
	})
}

func TestConditional(t *testing.T) {
	runForms(t, []formCase{
		{"CASE WHEN 1 > 2 THEN 'a' WHEN 2 > 1 THEN 'b' ELSE 'c' END", "b"}, {"CASE 3 WHEN 1 THEN 'a' END", "NULL"}, {"CASE 1 WHEN 1 THEN 1.5 ELSE 2 END", "1.5"},
		{"CASE WHEN NULL THEN 1 ELSE 2 END", "2"},
		{"CASE WHEN FALSE THEN 1 ELSE CAST('x' AS BIGINT) END", "ERR"},
		{"coalesce(NULL, 2, CAST('x' AS BIGINT))", "2"}, {"ifnull(NULL, 3)", "3"}, {"nvl(1, 2)", "1"}, {"coalesce(NULL, NULL)", "NULL"},
		{"nullif(1, 1)", "NULL"}, {"nullif(1, 2)", "1"}, {"if(1 < 2, 'a', 'b')", "a"}, {"if(NULL, 'a', 'b')", "b"},
		{"greatest(1, NULL, 3)", "3"}, {"least(3, 1.5, NULL)", "1.5"}, {"least(NULL, NULL)", "NULL"}, {"greatest('a', 'b')", "b"}, {"greatest('nan'::DOUBLE, 1e0)", "nan"},
		{"least(DATE '2020-01-02', DATE '2020-01-01')", "2020-01-01"}, {"greatest(1, 2, 3, 2)", "3"},
		{"TRUE OR CAST('x' AS BIGINT) = 1", "true"}, {"FALSE AND CAST('x' AS BIGINT) = 1", "false"},
		{"typeof(1.50)", "DECIMAL(3,2)"}, {"isnull(1)", "false"},
	})
	runLiterals(t, []formCase{
		{"CASE WHEN TRUE THEN 1 ELSE CAST('x' AS BIGINT) END", "1"},
		{"coalesce(DATE '2020-01-01', '2021-01-01')", "2020-01-01"}, {"typeof(coalesce(1.50, 0))", "DECIMAL(3,2)"}, {"typeof(CASE WHEN TRUE THEN 1::TINYINT ELSE 2::SMALLINT END)", "SMALLINT"},
		{"typeof(coalesce(18446744073709551615, 0))", "UBIGINT"}, {"typeof(coalesce(1::FLOAT, 1.5))", "FLOAT"}, {"typeof(coalesce(1::FLOAT, 1e0))", "DOUBLE"},
		{"typeof(coalesce(1::UTINYINT, 1::TINYINT))", "SMALLINT"}, {"typeof(coalesce(1::UINTEGER, 1::INTEGER))", "BIGINT"}, {"typeof(coalesce(1::UBIGINT, 1::INTEGER))", "DECIMAL(20,0)"},
		{"coalesce(1, 'x')", "ERR"}, {"typeof(coalesce(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00'))", "TIMESTAMP"},
	})
}

// TestLaziness checks that only the rows that take an arm can fail in it.
func TestLaziness(t *testing.T) {
	s := varcharVector("1", "x", "3", "y")
	kind := bigintVector(1, 0, 1, 0)
	columns := map[string]expr.Expr{"s": expr.NewColumn(0, "s", s.Type), "k": expr.NewColumn(1, "k", kind.Type)}
	batch := func() *vector.Batch { return &vector.Batch{Len: 4, Cols: []*vector.Vector{s, kind}} }
	for _, c := range []struct {
		sql  string
		fail bool
	}{
		{"CAST(s AS BIGINT) > 0", true},
		{"k = 1 AND CAST(s AS BIGINT) > 0", false},
		{"k = 0 OR CAST(s AS BIGINT) > 0", false},
		{"CASE WHEN k = 1 THEN CAST(s AS BIGINT) ELSE 0 END > 0", false},
		{"coalesce(nullif(k, 1), CAST(s AS BIGINT)) > 0", false},
		{"TRY_CAST(s AS BIGINT) > 0", false},
		{"NOT (k = 0 OR CAST(s AS BIGINT) < 0)", false},
	} {
		e := mustSQL(t, c.sql, columns)
		_, err := expr.NewEvaluator(e).Eval(batch())
		if (err != nil) != c.fail {
			t.Errorf("%s: %v", c.sql, err)
		}
		b := batch()
		if err := expr.NewFilter(e).Apply(b); (err != nil) != c.fail {
			t.Errorf("filter %s: %v", c.sql, err)
		}
	}
	b := batch()
	b.Sel = []int32{0, 2}
	if v, err := expr.NewEvaluator(mustSQL(t, "CAST(s AS BIGINT)", columns)).Eval(b); err != nil || v.I64[2] != 3 {
		t.Errorf("unselected rows raise errors: %v", err)
	}
}

// TestNullFilters compares filters by IS NULL with a look at each row, of all rows and of some.
func TestNullFilters(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	typ := vector.Of(vector.BigInt)
	columns := map[string]expr.Expr{"i": expr.NewColumn(0, "i", typ)}
	null, not := mustSQL(t, "i IS NULL", columns), mustSQL(t, "i IS NOT NULL", columns)
	for range 300 {
		n := 1 + r.IntN(vector.BatchSize)
		v := vector.New(typ, n)
		v.Valid = vector.NewValidity(n)
		var of [2][2][]int32 // NULLs and others; of all rows and of some
		some := make([]int32, 0, n)
		for i := range n {
			k := 1
			if r.IntN(3) == 0 {
				v.Valid.Clear(i)
				k = 0
			}
			of[k][0] = append(of[k][0], int32(i))
			if r.IntN(2) == 0 {
				some = append(some, int32(i))
				of[k][1] = append(of[k][1], int32(i))
			}
		}
		for k, e := range []expr.Expr{null, not} {
			for s, sel := range [][]int32{nil, some} {
				b := &vector.Batch{Len: n, Cols: []*vector.Vector{v}, Sel: sel}
				if err := expr.NewFilter(e).Apply(b); err != nil {
					t.Fatal(err)
				}
				var got []int32
				for i := range b.Rows() {
					got = append(got, int32(b.Row(i)))
				}
				if !slices.Equal(got, of[k][s]) {
					t.Fatalf("%s of %d rows, selected %v: %v, want %v", e, n, sel, got, of[k][s])
				}
			}
		}
	}
}
