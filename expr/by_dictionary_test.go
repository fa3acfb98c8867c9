package expr_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestByDictionary evaluates expressions of one column over batches of two dictionaries, with NULLs, selections and an entry that no row has, and
// compares with flat vectors of the same values.
func TestByDictionary(t *testing.T) {
	typ := vector.Of(vector.Varchar)
	columns := map[string]expr.Expr{"x": expr.NewColumn(1, "x", typ)}
	for _, text := range []string{
		"CASE WHEN x < 'v3' THEN 'low' WHEN x IS NULL THEN 'none' ELSE x || '!' END",
		"CASE WHEN x = 'v1' THEN NULL ELSE x END",
		"CASE WHEN x < 'v3' THEN 1 ELSE 2 END",
		"CASE WHEN x < 'v3' THEN 1 ELSE 2 END = 1",
		"CASE WHEN x < 'v3' THEN x END IS NULL",
		"COALESCE(x, 'none')",
		"length(COALESCE(x, 'none')) + 1",
		"list_extract(string_split(x, 'v'), 2)",
		"CAST(CASE WHEN x = 'bad' THEN 'oops' ELSE substr(x, 2) END AS INTEGER)",
		"CASE WHEN length(x) > 2 THEN CAST(substr(x, 2) AS INTEGER) ELSE 0 END",
	} {
		e := mustSQL(t, text, columns)
		rng := rand.New(rand.NewPCG(3, 4))
		coded, flat := expr.NewEvaluator(e), expr.NewEvaluator(e)
		condition, plain := &expr.Filter{}, &expr.Filter{}
		if e.Type().Kind == vector.Boolean {
			condition, plain = expr.NewFilter(e), expr.NewFilter(e)
		}
		for part := range 2 {
			dict := vector.New(typ, 7)
			for i := range dict.Len {
				dict.Str[i] = fmt.Sprintf("v%d%s", i, strings.Repeat("7", part*i%3))
			}
			dict.Str[6] = "bad"
			for range 6 {
				n := rng.IntN(5)
				v := &vector.Vector{Type: typ, Form: vector.Dictionary, Len: n, Codes: make([]int32, n), Dict: dict}
				w := vector.New(typ, n)
				for i := range n {
					v.Codes[i] = int32(rng.IntN(6))
					w.Str[i] = dict.Str[v.Codes[i]]
				}
				if rng.IntN(2) == 0 {
					for i := range n {
						if rng.IntN(3) == 0 {
							v.SetNull(i)
							w.SetNull(i)
						}
					}
				}
				a, b := &vector.Batch{Len: n, Cols: []*vector.Vector{nil, v}}, &vector.Batch{Len: n, Cols: []*vector.Vector{nil, w}}
				if rng.IntN(2) == 0 {
					a.Sel = []int32{}
					for i := range n {
						if rng.IntN(2) == 0 {
							a.Sel = append(a.Sel, int32(i))
						}
					}
					b.Sel = append([]int32{}, a.Sel...)
				}
				got, err := coded.Eval(a)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				want, err := flat.Eval(b)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				for i := range a.Rows() {
					if row := a.Row(i); valueText(got.Get(row)) != valueText(want.Get(row)) {
						t.Fatalf("%s: of %s it is %s, want %s", text, valueText(w.Get(row)), valueText(got.Get(row)), valueText(want.Get(row)))
					}
				}
				if e.Type().Kind != vector.Boolean {
					continue
				}
				if err := condition.Apply(a); err != nil {
					t.Fatal(err)
				}
				if err := plain.Apply(b); err != nil {
					t.Fatal(err)
				}
				if fmt.Sprint(a.Sel) != fmt.Sprint(b.Sel) {
					t.Fatalf("%s: the rows %v, want %v", text, a.Sel, b.Sel)
				}
			}
		}
	}
}

// TestResultsOfEntriesAreBounded: results of a dictionary's entries are kept for later batches only where they are a small part of
// the limit, all of an evaluator together; the rows have the same values either way.
func TestResultsOfEntriesAreBounded(t *testing.T) {
	typ := vector.Of(vector.Varchar)
	columns := map[string]expr.Expr{"x": expr.NewColumn(0, "x", typ)}
	const entries = 20_000
	dict := vector.New(typ, entries)
	for i := range dict.Len {
		dict.Str[i] = fmt.Sprint("entry ", i)
	}
	for _, text := range []string{"CASE WHEN x < 'entry 3' THEN x END", "upper(x)", "CASE WHEN x < 'entry 3' THEN upper(x) ELSE x END"} {
		for _, limit := range []int64{0, 8 << 20, 1 << 30} {
			ev := expr.NewEvaluator(mustSQL(t, text, columns))
			ev.Meter = quota.NewMeter(context.Background(), quota.New(limit))
			coded := false
			for from := 0; from+vector.BatchSize <= 2*entries; from += vector.BatchSize {
				v := &vector.Vector{Type: typ, Form: vector.Dictionary, Len: vector.BatchSize, Codes: make([]int32, vector.BatchSize), Dict: dict}
				for i := range v.Codes {
					v.Codes[i] = int32((from + i) * 7919 % entries)
				}
				out, err := ev.Eval(&vector.Batch{Len: v.Len, Cols: []*vector.Vector{v}})
				if err != nil {
					t.Fatal(err)
				}
				coded = coded || out.Form == vector.Dictionary
				for i := 0; i < v.Len; i += 97 {
					x := dict.Str[v.Codes[i]]
					want := x
					switch {
					case text == "upper(x)" || x < "entry 3" && strings.Contains(text, "upper"):
						want = strings.ToUpper(x)
					case x >= "entry 3" && !strings.Contains(text, "ELSE"):
						want = "NULL"
					}
					if got := out.Get(i); got.Null != (want == "NULL") || !got.Null && got.Str != want {
						t.Fatalf("%s of %q: %v", text, x, got)
					}
				}
			}
			if nulls := !strings.Contains(text, "ELSE") && text != "upper(x)"; !nulls && vector.BatchSize > 2 && coded != (limit != 8<<20) {
				t.Errorf("%s: with a limit of %d results are kept: %v", text, limit, coded)
			}
		}
	}
}
