package operators

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/vector"
)

// broken is an operator that panics, or fails to close.
type broken struct{ closed int }

func (*broken) Schema() vector.Schema                       { return nil }
func (*broken) Next(context.Context) (*vector.Batch, error) { panic("boom") }
func (b *broken) Close() error                              { b.closed++; return errors.New("close") }

func TestPlan(t *testing.T) {
	in := &broken{}
	g := &Plan{in: in, b: &builder{}}
	if _, err := g.Next(context.Background()); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("%v", err)
	}
	if _, err := g.Next(context.Background()); err == nil {
		t.Error("the error is forgotten")
	}
	if err := g.Close(); err == nil {
		t.Error("the error of Close is lost")
	}
	if err := g.Close(); err != nil || in.closed != 1 {
		t.Errorf("%v, closed %d times", err, in.closed)
	}
	if _, err := (&Plan{in: in, b: &builder{}, closed: true}).Next(context.Background()); err == nil {
		t.Error("Next after Close")
	}
}

// TestWithin: which row groups the bound of a TopN rules out.
func TestWithin(t *testing.T) {
	col := expr.NewColumn(3, "a", vector.Of(vector.BigInt))
	lo, hi := vector.IntScalar(10), vector.IntScalar(20)
	for _, c := range []struct {
		key   expr.SortKey
		bound vector.Scalar
		nulls int64
		want  probe.Verdict
	}{
		{expr.SortKey{}, vector.IntScalar(9), 0, probe.None},
		{expr.SortKey{}, vector.IntScalar(10), 0, probe.Some}, // a tie may still be shown
		{expr.SortKey{}, vector.IntScalar(9), 5, probe.None},
		{expr.SortKey{NullsFirst: true}, vector.IntScalar(9), 5, probe.Some},
		{expr.SortKey{NullsFirst: true}, vector.IntScalar(9), 0, probe.None},
		{expr.SortKey{NullsFirst: true}, vector.NullOf(col.T), 0, probe.None},
		{expr.SortKey{}, vector.NullOf(col.T), 0, probe.Some},
		{expr.SortKey{Desc: true}, vector.IntScalar(21), 0, probe.None},
		{expr.SortKey{Desc: true}, vector.IntScalar(20), 0, probe.Some},
	} {
		get := func(int) *probe.Summary {
			return &probe.Summary{Rows: 100, Nulls: c.nulls, Min: &lo, Max: &hi, MinExact: true, MaxExact: true}
		}
		v := probe.Some
		if e := within(c.key, col, c.bound); e != nil {
			v = probe.New(t.Context(), e).Test(get)
		}
		if v == probe.All { // All only saves a filter, and there is none
			v = probe.Some
		}
		if v != c.want {
			t.Errorf("%+v bound %+v: %v, want %v", c.key, c.bound, v, c.want)
		}
	}
}
