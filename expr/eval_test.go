package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// workload is a batch of 2,048 rows with typical columns: i and j BIGINT, p DECIMAL(15,2),
// s VARCHAR, d a dictionary of 100 strings, t TIMESTAMP.
func workload() (*vector.Batch, map[string]expr.Expr) {
	const n = 2048
	i, j := vector.New(vector.Of(vector.BigInt), n), vector.New(vector.Of(vector.BigInt), n)
	p, s := vector.New(vector.DecimalType(15, 2), n), vector.New(vector.Of(vector.Varchar), n)
	ts := vector.New(vector.TimestampType(vector.Micros, false), n)
	entries := vector.New(vector.Of(vector.Varchar), 100)
	for k := range 100 {
		entries.Str[k] = fmt.Sprintf("http://www.example%d.com/path/%d", k, k)
	}
	d := &vector.Vector{Type: vector.Of(vector.Varchar), Form: vector.Dictionary, Len: n, Dict: entries, Codes: make([]int32, n)}
	for k := range n {
		i.I64[k], j.I64[k], p.I64[k] = int64(k*7919%n), int64(k%10), int64(k*100)
		s.Str[k], d.Codes[k], ts.I64[k] = entries.Str[k%100], int32(k%100), int64(k)*1e10
	}
	b, columns := &vector.Batch{Len: n, Cols: []*vector.Vector{i, j, p, s, d, ts}}, map[string]expr.Expr{}
	for k, name := range []string{"i", "j", "p", "s", "d", "t"} {
		columns[name] = expr.NewColumn(k, name, b.Cols[k].Type)
	}
	return b, columns
}

// TestSteadyState checks that evaluation, once its scratch memory exists, allocates
// only the memory of the strings that it makes.
func TestSteadyState(t *testing.T) {
	if vector.BatchSize < 2048 {
		t.Skip("the workload is larger than a batch")
	}
	b, columns := workload()
	nulls := vector.NewValidity(b.Len)
	nulls.Clear(7)
	b.Cols[1].Valid = nulls
	sel := make([]int32, 0, b.Len)
	for k := 0; k < b.Len; k += 3 {
		sel = append(sel, int32(k))
	}
	for _, c := range []struct {
		sql string
		max float64
	}{
		{"i + j", 0}, {"i * 2 - j", 0}, {"p * (1 - p)", 0}, {"i % j", 0}, {"i / j", 0}, {"length(s)", 0}, {"length(d)", 0}, {"upper(d)", 0}, {"substring(s, 1, 5)", 0},
		{"date_trunc('minute', t)", 0}, {"extract('minute', t)", 0}, {"CASE WHEN i > 5 AND j < 3 THEN i ELSE j END", 0}, {"coalesce(j, i)", 0}, {"CAST(i AS VARCHAR)", 1}, {"s || '!'", 3}, // an allocation for every 28 KiB
		{"i > 5 AND (j = 3 OR s LIKE '%ample1%') AND d LIKE '%9%'", 0}, {"j IN (1, 2, 3)", 0}, {"i NOT IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)", 0}, {"NOT (i < 5 AND j IS NULL)", 0}, {"i IS DISTINCT FROM j", 0}, {"greatest(i, j)", 0},
	} {
		e := mustSQL(t, c.sql, columns)
		for _, rows := range [][]int32{nil, sel} {
			ev := expr.NewEvaluator(e)
			run := func() {
				b.Sel = rows
				if _, err := ev.Eval(b); err != nil {
					t.Fatal(err)
				}
			}
			run()
			if got := testing.AllocsPerRun(20, run); got > c.max {
				t.Errorf("%s: %v allocations per batch", c.sql, got)
			}
			if e.Type().Kind != vector.Boolean {
				continue
			}
			f := expr.NewFilter(e)
			if got := testing.AllocsPerRun(20, func() {
				b.Sel = rows
				if err := f.Apply(b); err != nil {
					t.Fatal(err)
				}
			}); got > 0 {
				t.Errorf("filter %s: %v allocations per batch", c.sql, got)
			}
		}
	}
}

// TestDictionaryResults checks that a function over a dictionary vector returns a
// dictionary vector, with the same dictionary for every batch.
func TestDictionaryResults(t *testing.T) {
	b, columns := workload()
	ev := expr.NewEvaluator(mustSQL(t, "upper(substring(d, 1, 20))", columns))
	first, err := ev.Eval(b)
	if err != nil || first.Form != vector.Dictionary || first.Dict.Len != 100 {
		t.Fatalf("%v, form %d", err, first.Form)
	}
	dict := first.Dict
	if again, err := ev.Eval(b); err != nil || again.Dict != dict {
		t.Errorf("the result has another dictionary than before: %v", err)
	}
}

// TestSparseDictionary checks that a dictionary with many more entries than rows is
// not evaluated entry by entry.
func TestSparseDictionary(t *testing.T) {
	d := vector.New(vector.Of(vector.Varchar), 100000)
	for k := range d.Str {
		d.Str[k] = "x"
	}
	d.Str[5] = "7"
	v := &vector.Vector{Type: vector.Of(vector.Varchar), Form: vector.Dictionary, Len: 4, Dict: d, Codes: []int32{5, 5, 5, 5}}
	e, err := expr.NewCast(expr.NewColumn(0, "v", vector.Of(vector.Varchar)), vector.Of(vector.BigInt), false)
	if err != nil {
		t.Fatal(err)
	}
	ev := expr.NewEvaluator(e)
	for range 100 {
		out, err := ev.Eval(&vector.Batch{Len: 4, Cols: []*vector.Vector{v}})
		if err != nil || out.Get(3).I64 != 7 {
			t.Fatal(err)
		}
	}
	if m := ev.Root.(*kernel.Strict).Memo; m.Out != nil || m.Failed {
		t.Error("the whole dictionary was evaluated")
	}
}

// TestFilterSelections checks that the selection stays nil if all rows pass, and is
// empty but not nil if none does.
func TestFilterSelections(t *testing.T) {
	b, columns := workload()
	for _, c := range []struct {
		sql  string
		rows int
		all  bool
	}{{"i >= 0", 2048, true}, {"i < 0", 0, false}, {"j = 3", 205, false}, {"TRUE", 2048, true}, {"FALSE", 0, false}, {"i >= 0 AND j = 3 AND NULL", 0, false}} {
		b.Sel = nil
		if err := expr.NewFilter(mustSQL(t, c.sql, columns)).Apply(b); err != nil {
			t.Fatal(err)
		}
		if b.Rows() != c.rows || (b.Sel == nil) != c.all {
			t.Errorf("%s: %d rows, selection nil: %v", c.sql, b.Rows(), b.Sel == nil)
		}
	}
	empty := &vector.Batch{Len: 0, Cols: b.Cols}
	if err := expr.NewFilter(mustSQL(t, "i > 0", columns)).Apply(empty); err != nil || empty.Rows() != 0 {
		t.Errorf("empty batch: %v", err)
	}
}

func TestTree(t *testing.T) {
	_, columns := workload()
	e := mustSQL(t, "i + 1 > j AND s LIKE 'a%' AND (j IS NULL OR i IN (1, 2))", columns)
	if got := fmt.Sprint(expr.ColumnsOf(e)); got != "[0 1 3]" {
		t.Errorf("columns %s", got)
	}
	if got := len(expr.Conjuncts(e)); got != 3 {
		t.Errorf("%d conjuncts", got)
	}
	if !expr.Equal(e, mustSQL(t, e.String(), columns)) {
		t.Errorf("%s is not equal to itself when parsed again", e)
	}
	if expr.Equal(mustSQL(t, "i + 1", columns), mustSQL(t, "i + 2", columns)) || expr.Equal(mustSQL(t, "i = 1", columns), mustSQL(t, "i <> 1", columns)) {
		t.Error("different expressions are equal")
	}
	replaced, err := expr.Transform(e, func(n expr.Expr) expr.Expr {
		if c, ok := n.(*expr.Column); ok && c.Name == "i" {
			return expr.NewConst(vector.IntScalar(1))
		}
		return n
	})
	if err != nil || replaced.String() != "j < 2 AND s LIKE 'a%'" {
		t.Errorf("%s, %v", replaced, err)
	}
	for _, sql := range []string{
		"i + (j * 2)", "CASE WHEN i > 5 THEN 'a' ELSE s END", "COALESCE(j, i)", "CAST(s AS BIGINT)", "s NOT LIKE 'a%' ESCAPE '!'", "i IS NOT NULL", "-i", "i NOT IN (1, 2)",
		"DATE_TRUNC('minute', t) > TIMESTAMP '2020-01-01 00:00:00'", "s || 'it''s'", "i IS DISTINCT FROM j", "t + INTERVAL 'P1M'", "p > 1.50", "(i > 1) IS TRUE",
	} {
		if got := mustSQL(t, sql, columns).String(); got != sql {
			t.Errorf("%s is written %s", sql, got)
		}
	}
}

func BenchmarkEval(b *testing.B) {
	batch, columns := workload()
	for _, sql := range []string{
		"i + j", "i * j", "p * (1 - p)", "i / j", "CAST(i AS DOUBLE)", "length(s)", "upper(d)", "extract('minute', t)", "date_trunc('minute', t)",
		"CASE WHEN i > 5 AND j < 3 THEN i ELSE j END", "regexp_replace(s, '^https?://(?:www\\.)?([^/]+)/.*$', '\\1')",
	} {
		b.Run(strings.ReplaceAll(sql, " ", ""), func(b *testing.B) {
			ev := expr.NewEvaluator(mustSQL(b, sql, columns))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ev.Eval(batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFilter(b *testing.B) {
	batch, columns := workload()
	for _, sql := range []string{"i > 1000", "i > j", "s LIKE '%example9%'", "d LIKE '%example9%'", "j = 3 AND i > 5", "j = 3 OR j = 4", "j IN (1, 2, 3)", "s = 'http://www.example1.com/path/1'", "regexp_matches(s, 'example[0-9]+')"} {
		b.Run(strings.ReplaceAll(sql, " ", ""), func(b *testing.B) {
			f := expr.NewFilter(mustSQL(b, sql, columns))
			b.ReportAllocs()
			for b.Loop() {
				batch.Sel = nil
				if err := f.Apply(batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
