package aggregate_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// TestMembers adds rows to states that keep rows: without groups, with them, and merged from states of one
// group, in each order.
func TestMembers(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	text := expr.NewColumn(0, "x", vector.Of(vector.Varchar))
	separator := expr.NewConst(vector.StringScalar("; "))
	for _, c := range []struct {
		name string
		args []expr.Expr
		want [3]string
	}{
		{"LIST", []expr.Expr{x}, [3]string{"[1,2,3,1,2]", "NULL", "[2,1,2]"}},
		{"MAX", []expr.Expr{x, expr.NewConst(vector.IntScalar(2))}, [3]string{"[3,2]", "NULL", "[2,2]"}},
		{"STRING_AGG", []expr.Expr{text, separator}, [3]string{"1; 2; 3; 1; 2", "NULL", "2; 1; 2"}},
	} {
		a, err := aggregate.New(c.name, c.args, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		values := func(list ...int64) *vector.Vector {
			if c.name != "STRING_AGG" {
				return bigintVector(list...)
			}
			var texts []string
			for _, k := range list {
				texts = append(texts, string(rune('0'+k)))
			}
			return varcharVector(texts...)
		}
		update := func(s aggregate.State, groups []uint32, list ...int64) {
			if err := s.Update(groups, []*vector.Vector{values(list...)}, &vector.Batch{Len: len(list)}); err != nil {
				t.Fatal(err)
			}
		}
		one := a.NewState()
		one.Resize(1)
		update(one, nil, 1, 2)
		s := a.NewState()
		s.Resize(1)
		update(s, nil, 1, 2)
		s.Resize(3)
		update(s, []uint32{2, 0}, 2, 3)
		for _, to := range []uint32{0, 2} {
			if err := s.Merge(one, []uint32{0}, []uint32{to}); err != nil {
				t.Fatal(err)
			}
		}
		if long, ok := s.(aggregate.Lengthy); ok && long.ResultBytes(0, 3) < 8*16 {
			t.Errorf("%s: results of %d bytes", c.name, long.ResultBytes(0, 3))
		}
		checkResults(t, a, s, c.want[:])

		moved := a.NewState() // the only rows come from a state of one group
		moved.Resize(3)
		if err := moved.Merge(one, []uint32{0}, []uint32{2}); err != nil {
			t.Fatal(err)
		}
		last := strings.NewReplacer("[3,2]", "[2,1]", "[1,2,3,1,2]", "[1,2]", "1; 2; 3; 1; 2", "1; 2").Replace(c.want[0])
		checkResults(t, a, moved, []string{"NULL", "NULL", last})

		first := a.NewState() // group 0 alone has rows
		first.Resize(3)
		if err := first.Merge(one, []uint32{0}, []uint32{0}); err != nil {
			t.Fatal(err)
		}
		checkResults(t, a, first, []string{last, "NULL", "NULL"})
	}
}

func checkResults(t *testing.T, a *aggregate.Call, s aggregate.State, want []string) {
	t.Helper()
	out := &vector.Vector{}
	if err := a.ResultOf(s, 0, len(want), out); err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if got := resultText(out.Get(i)); got != w {
			t.Errorf("%s of group %d: %s, want %s", a, i, got, w)
		}
	}
}
