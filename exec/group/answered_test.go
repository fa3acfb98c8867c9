package group

import (
	"context"
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

func TestCombine(t *testing.T) {
	i := vector.IntScalar
	null := vector.NullOf(vector.Of(vector.BigInt))
	for _, c := range []struct {
		name       string
		a, b, want vector.Scalar
	}{
		{"COUNT", i(2), i(3), i(5)}, {"COUNT", i(0), i(0), i(0)},
		{"MIN", i(2), i(3), i(2)}, {"MIN", i(3), i(2), i(2)}, {"MAX", i(2), i(3), i(3)},
		{"MIN", null, i(3), i(3)}, {"MAX", i(3), null, i(3)}, {"MAX", null, null, null},
	} {
		got, err := combine(c.name, c.a, c.b)
		if err != nil || got.Null != c.want.Null || got.I64 != c.want.I64 {
			t.Errorf("%s of %+v and %+v: %+v %v", c.name, c.a, c.b, got, err)
		}
	}
}

// TestAnswered: rest is read only where not all is answered, and an error of
// either is returned.
func TestAnswered(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.BigInt))
	count, err := aggregate.New("COUNT", []expr.Expr{x}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	least, err := aggregate.New("MIN", []expr.Expr{x}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	aggs := []*aggregate.Call{count, least}
	schema := vector.Schema{{Name: "n", Type: vector.Of(vector.BigInt)}, {Name: "min", Type: vector.Of(vector.BigInt), Nullable: true}}
	row := func(n, least int64) []*vector.Batch {
		return []*vector.Batch{{Len: 1, Cols: []*vector.Vector{vector.NewConstant(vector.IntScalar(n), 1), vector.NewConstant(vector.IntScalar(least), 1)}}}
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		all      bool
		err      error
		n, least int64
	}{{true, nil, 4, 10}, {false, nil, 7, -1}, {false, broken, 0, 0}} {
		known := func(context.Context) ([]vector.Scalar, bool, error) {
			return []vector.Scalar{vector.IntScalar(4), vector.IntScalar(10)}, c.all, c.err
		}
		op := NewAnswered(known, exec.NewValues(schema, row(3, -1)), aggs, schema)
		b, err := op.Next(context.Background())
		if c.err != nil {
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
		} else if err != nil || b.Cols[0].Get(0).I64 != c.n || b.Cols[1].Get(0).I64 != c.least {
			t.Errorf("all %v: %v %v", c.all, b, err)
		}
		if b, err := op.Next(context.Background()); b != nil || err != nil {
			t.Errorf("a second batch: %v %v", b, err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
	}
}
