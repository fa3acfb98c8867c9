package expr_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// formCase is an expression without columns and its value as text; ERR stands
// for an error.
type formCase struct{ sql, want string }

// runForms evaluates each case as a constant, and then with its literals as
// columns, in every form that a batch may have: all must agree.
func runForms(t *testing.T, cases []formCase) {
	t.Helper()
	for _, c := range cases {
		if !runLiteral(t, c) {
			continue
		}
		for form := range formCount {
			runForm(t, c, form)
		}
	}
}

// runLiterals evaluates each case only as a constant.
func runLiterals(t *testing.T, cases []formCase) {
	t.Helper()
	for _, c := range cases {
		runLiteral(t, c)
	}
}

func runLiteral(t *testing.T, c formCase) bool {
	t.Helper()
	e, err := readSQL(c.sql, nil, nil)
	got := "ERR"
	if err == nil {
		got, err = foldedText(e)
	}
	if err != nil {
		got = "ERR"
	}
	if got != c.want {
		t.Errorf("%s = %s, want %s (%v)", c.sql, got, c.want, err)
	}
	return got == c.want
}

// foldedText returns the value of an expression without columns, as text.
func foldedText(e expr.Expr) (string, error) {
	s, err := expr.EvalConstant(expr.NewRender(e))
	if err != nil {
		return "", err
	}
	return valueText(s), nil
}

func valueText(s vector.Scalar) string {
	switch {
	case s.Null:
		return "NULL"
	case s.Type.IsText() || s.Type.Kind == vector.Rendered:
		return s.Str
	case s.Type.Kind == vector.Blob:
		return fmt.Sprintf("%x", s.Str)
	}
	return kernel.ScalarText(s)
}

const (
	formFlat = iota
	formFlatNulls
	formFlatSelected
	formFlatNullsSelected
	formDictionary
	formDictionaryNullsSelected
	formConstant
	formMixed
	formCount
)

var formNames = [...]string{"flat", "flat+nulls", "flat+sel", "flat+nulls+sel", "dictionary", "dictionary+nulls+sel", "constant", "mixed"}

const formRows = 9

// formNull reports whether a row is NULL in the forms with NULLs, formOut whether the
// selection leaves it out. Both kinds of rows hold garbage, which often raises errors.
func formNull(i int) bool { return i == 1 || i == 4 || i == 8 }
func formOut(i int) bool  { return i == 2 || i == 6 }

func runForm(t *testing.T, c formCase, form int) {
	t.Helper()
	b := &vector.Batch{Len: formRows}
	nulls := form == formFlatNulls || form == formFlatNullsSelected || form == formDictionaryNullsSelected || form == formMixed
	selected := form == formFlatSelected || form == formFlatNullsSelected || form == formDictionaryNullsSelected || form == formMixed
	if selected {
		for i := range formRows {
			if !formOut(i) {
				b.Sel = append(b.Sel, int32(i))
			}
		}
	}
	e, err := readSQL(c.sql, nil, func(s vector.Scalar) expr.Expr {
		shape := form
		if form == formMixed {
			shape = []int{formFlatNullsSelected, formDictionaryNullsSelected, formConstant}[len(b.Cols)%3]
		}
		b.Cols = append(b.Cols, formColumn(s, shape, nulls, selected))
		return expr.NewColumn(len(b.Cols)-1, fmt.Sprintf("c%d", len(b.Cols)-1), s.Type)
	})
	if err != nil || len(b.Cols) == 0 {
		return // valid only with a literal, not with a column
	}
	ev := expr.NewEvaluator(expr.NewRender(e))
	for round := range 3 { // scratch memory and dictionary results must survive
		v, err := ev.Eval(b)
		if err != nil {
			if c.want != "ERR" {
				t.Errorf("%s with %s columns, round %d: %v", c.sql, formNames[form], round, err)
			}
			return
		}
		if c.want == "ERR" {
			t.Errorf("%s with %s columns: no error", c.sql, formNames[form])
			return
		}
		for k := range b.Rows() {
			i := b.Row(k)
			if nulls && formNull(i) {
				continue
			}
			if got := valueText(v.Get(i)); got != c.want {
				t.Errorf("%s with %s columns, round %d, row %d = %s, want %s", c.sql, formNames[form], round, i, got, c.want)
				return
			}
		}
	}
	if e.Type().Kind == vector.Boolean {
		runFilter(t, c, form, e, b)
	}
	if nulls && form != formMixed {
		compareNullRows(t, c, form, e, b)
	}
}

// runFilter compares a Filter with the values of the Evaluator.
func runFilter(t *testing.T, c formCase, form int, e expr.Expr, b *vector.Batch) {
	t.Helper()
	v, err := expr.NewEvaluator(e).Eval(b)
	if err != nil {
		t.Fatal(err)
	}
	var want []int32
	for k := range b.Rows() {
		if s := v.Get(b.Row(k)); !s.Null && s.Bool {
			want = append(want, int32(b.Row(k)))
		}
	}
	narrowed := *b
	if err := expr.NewFilter(e).Apply(&narrowed); err != nil {
		t.Errorf("%s: filter over %s: %v", c.sql, formNames[form], err)
		return
	}
	var got []int32
	for k := range narrowed.Rows() {
		got = append(got, int32(narrowed.Row(k)))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: filter over %s keeps %v, want %v", c.sql, formNames[form], got, want)
	}
}

// compareNullRows compares the rows where all columns are NULL with the same
// expression over constant NULLs.
func compareNullRows(t *testing.T, c formCase, form int, e expr.Expr, b *vector.Batch) {
	t.Helper()
	null := &vector.Batch{Len: formRows}
	for _, col := range b.Cols {
		null.Cols = append(null.Cols, vector.NewConstant(vector.NullOf(col.Type), formRows))
	}
	ev := expr.NewEvaluator(expr.NewRender(e))
	w, err := ev.Eval(null)
	if err != nil {
		t.Errorf("%s over NULL: %v", c.sql, err)
		return
	}
	want := valueText(w.Get(0))
	v, err := expr.NewEvaluator(expr.NewRender(e)).Eval(b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range formRows {
		if formNull(i) {
			if got := valueText(v.Get(i)); got != want {
				t.Errorf("%s with %s columns: %s if all columns are NULL, want %s", c.sql, formNames[form], got, want)
			}
		}
	}
}

// formColumn returns a column with the value in all rows, except that the form makes
// some rows NULL and puts garbage in rows that the selection leaves out.
func formColumn(s vector.Scalar, form int, nulls, selected bool) *vector.Vector {
	if form == formConstant {
		return vector.NewConstant(s, formRows)
	}
	v := vector.New(s.Type, formRows)
	for i := range formRows {
		v.Set(i, s)
		if selected && formOut(i) {
			v.Set(i, garbage(s.Type))
		}
		if nulls && formNull(i) {
			v.Set(i, garbage(s.Type))
			v.SetNull(i)
		}
	}
	if form != formDictionary && form != formDictionaryNullsSelected {
		return v
	}
	d := vector.New(s.Type, 3)
	d.Set(0, garbage(s.Type))
	d.Set(1, s)
	d.Set(2, s)
	dict := &vector.Vector{Type: s.Type, Form: vector.Dictionary, Len: formRows, Dict: d, Valid: v.Valid, Codes: make([]int32, formRows)}
	for i := range formRows {
		if dict.Codes[i] = int32(1 + i%2); selected && formOut(i) || nulls && formNull(i) {
			dict.Codes[i] = 0
		}
	}
	return dict
}

// garbage is a value for which most operations fail.
func garbage(t vector.Type) vector.Scalar {
	s := vector.Scalar{Type: t, I64: math.MinInt64, U64: math.MaxUint64, F64: math.Inf(-1), F32: float32(math.Inf(-1)), Str: "\xff('$[%s\\"}
	s.I128 = vector.Int128{Hi: math.MinInt64}
	s.Interval = vector.IntervalValue{Months: math.MinInt64, Days: math.MinInt64, Micros: math.MinInt64}
	if t.Kind == vector.UUID {
		s.Str = "0123456789abcdef"
	}
	return s
}
