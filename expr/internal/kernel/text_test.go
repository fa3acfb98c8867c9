package kernel_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestLongTexts projects rows whose texts together exceed what one batch may make: the
// rows are returned all the same, in smaller batches.
func TestLongTexts(t *testing.T) {
	unit := strings.Repeat("ab", 100)
	schema := vector.Schema{{Name: "n", Type: vector.Of(vector.BigInt), Nullable: true}}
	call, err := function.New("REPEAT", []expr.Expr{expr.NewConst(vector.StringScalar(unit)), expr.NewColumn(0, "n", schema[0].Type)})
	if err != nil {
		t.Fatal(err)
	}
	exectest.Run(t, exectest.Case{
		Schema: schema, Ordered: true, OneInput: true,
		Rows: func(r *rand.Rand, n int) []exectest.Row {
			rows := make([]exectest.Row, n)
			for i := range rows {
				rows[i] = exectest.Row{vector.IntScalar(r.Int64N(80))}
			}
			return rows
		},
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewProject(exec.Env{Budget: quota.New(1 << 20)}, in[0], []expr.Expr{call}, vector.Schema{{Name: "text", Type: call.Type(), Nullable: true}})
		},
		Want: func(rows []exectest.Row) (out []exectest.Row) {
			for _, row := range rows {
				text := vector.NullOf(call.Type())
				if !row[0].Null {
					text = vector.StringScalar(strings.Repeat(unit, int(row[0].I64)))
				}
				out = append(out, exectest.Row{text})
			}
			return out
		},
	})
}
