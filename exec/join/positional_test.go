package join_test

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/vector"
)

// TestPositional joins rows with other numbers of rows, which an input of its own has.
func TestPositional(t *testing.T) {
	schema := append(append(vector.Schema{}, sides...), sides...)
	for _, n := range []int{0, 1, 100, 300, 500} {
		r := rand.New(rand.NewPCG(7, uint64(n)))
		right := randomRows(r, n, 5)
		exectest.Run(t, exectest.Case{
			Schema: sides, OneInput: true, Ordered: true,
			Rows: func(r *rand.Rand, n int) []exectest.Row { return randomRows(r, n, 5) },
			Build: func(in []exec.Operator) exec.Operator {
				return join.NewPositional(in[0], sources(r, right, 1, 40)[0], schema)
			},
			Want: func(rows []exectest.Row) []exectest.Row {
				var out []exectest.Row
				for i := range max(len(rows), n) {
					l, r := nulls(), nulls()
					if i < len(rows) {
						l = rows[i]
					}
					if i < n {
						r = right[i]
					}
					out = append(out, append(append(exectest.Row{}, l...), r...))
				}
				return out
			},
		})
	}
}
