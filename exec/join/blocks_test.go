package join_test

import (
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestBlocksOfLongTexts: each probe row meets the block that its nearest row is in, also where a
// block ends within a batch of rows.
func TestBlocksOfLongTexts(t *testing.T) {
	if vector.BatchSize < 64 {
		t.Skip("too few rows to be charged")
	}
	leaktest.Check(t)
	const rows = 6000
	k := expr.NewColumn(0, "k", exectest.LongTexts[0].Type)
	for _, op := range []expr.Op{expr.OpGe, expr.OpGt, expr.OpLe, expr.OpLt} {
		env := exec.Env{Budget: quota.New(3 << 20), TempDir: t.TempDir()}
		order := &join.Order{Build: k, Bounds: []join.Bound{{Op: op, Probe: k}}, Nearest: true}
		spec := join.Spec{Order: order, Schema: append(exectest.LongTexts[:2:2], exectest.LongTexts...)}
		ops := join.New(env, spec, []exec.Operator{exectest.NewLongTexts(rows)}, []exec.Operator{exectest.NewLongTexts(rows)})
		got, err := exectest.Drain(t.Context(), ops[0])
		if err != nil {
			t.Fatal(err)
		}
		want, off := rows, int64(0)
		switch op {
		case expr.OpGt:
			want, off = rows-1, -1
		case expr.OpLt:
			want, off = rows-1, 1
		}
		if len(got) != want {
			t.Errorf("%v: %d rows, want %d", op, len(got), want)
		}
		for _, row := range got {
			if row[2].I64 != row[0].I64+off {
				t.Fatalf("%v: %d has %d", op, row[0].I64, row[2].I64)
			}
		}
		if err := exec.CloseAll(ops); err != nil {
			t.Fatal(err)
		}
	}
}
