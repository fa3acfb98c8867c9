package exec_test

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

var seriesSchema = vector.Schema{
	{Name: "id", Type: vector.Of(vector.BigInt)},
	{Name: "from", Type: vector.Of(vector.BigInt), Nullable: true},
	{Name: "to", Type: vector.Of(vector.BigInt), Nullable: true},
	{Name: "step", Type: vector.Of(vector.BigInt), Nullable: true},
}

func seriesRows(r *rand.Rand, n int) []exectest.Row {
	rows := make([]exectest.Row, n)
	for i := range rows {
		step := r.Int64N(7) - 3
		if step == 0 {
			step = 5
		}
		rows[i] = exectest.Row{vector.IntScalar(int64(i)), vector.IntScalar(r.Int64N(20)), vector.IntScalar(r.Int64N(20)), vector.IntScalar(step)}
		if n == 7 && i == 3 {
			rows[i][2].I64, rows[i][3].I64 = 3*vector.BatchSize, 1
		}
		if r.IntN(10) == 0 {
			rows[i][1+r.IntN(3)] = vector.NullOf(vector.Of(vector.BigInt))
		}
	}
	return rows
}

// seriesRow is the rows of one parent, one value after another.
func seriesRow(row exectest.Row, u exec.Unnest) (out []exectest.Row) {
	if !row[1].Null && !row[2].Null && !row[3].Null {
		v, to, step := row[1].I64, row[2].I64, row[3].I64
		for pos := int64(0); step > 0 && v < to || step < 0 && v > to || u.Series.Inclusive && v == to; pos++ {
			if u.On == nil || v >= 10 {
				out = append(out, exectest.Row{row[0], vector.IntScalar(v), vector.IntScalar(pos)})
			}
			v += step
		}
	}
	if len(out) == 0 && u.Outer {
		null := vector.NullOf(vector.Of(vector.BigInt))
		out = append(out, exectest.Row{row[0], null, null})
	}
	return out
}

func TestUnnestSeries(t *testing.T) {
	atLeast10 := exectest.Must(t)(expr.NewCompare(expr.OpGe, expr.NewColumn(1, "value", vector.Of(vector.BigInt)), expr.NewConst(vector.IntScalar(10))))
	for name, u := range map[string]exec.Unnest{
		"range":        {},
		"series":       {Series: &exec.Series{Inclusive: true}},
		"outer":        {Outer: true},
		"on":           {On: atLeast10},
		"series outer": {Series: &exec.Series{Inclusive: true}, Outer: true, On: atLeast10},
	} {
		if u.Series == nil {
			u.Series = &exec.Series{}
		}
		u.Series.From, u.Series.To, u.Series.Step = 1, 2, 3
		u.Keep, u.Fields, u.Pos = []int{0}, []int{0}, true
		t.Run(name, func(t *testing.T) {
			exectest.Run(t, exectest.Case{
				Schema: seriesSchema, Rows: seriesRows, OneInput: true, Most: 50, Ordered: true,
				Build: func(in []exec.Operator) exec.Operator { return exec.NewUnnest(exec.Env{}, in[0], u) },
				Want: func(rows []exectest.Row) (out []exectest.Row) {
					for _, row := range rows {
						out = append(out, seriesRow(row, u)...)
					}
					return out
				},
			})
		})
	}
}
