package join

import (
	"context"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// numbers is rows of equal columns, the numbers from from up to to.
type numbers struct {
	schema   vector.Schema
	from, to int64
}

func (s *numbers) Schema() vector.Schema { return s.schema }
func (s *numbers) Close() error          { return nil }

func (s *numbers) Next(context.Context) (*vector.Batch, error) {
	n := int(min(vector.BatchSize, s.to-s.from))
	if n <= 0 {
		return nil, nil
	}
	v := vector.New(s.schema[0].Type, n)
	for i := range n {
		v.I64[i] = s.from + int64(i)
	}
	s.from += int64(n)
	b := &vector.Batch{Len: n}
	for range s.schema {
		b.Cols = append(b.Cols, v)
	}
	return b, nil
}

// TestCharged: whatever the number of readers, all that the table of a build side holds is
// charged but for freeBytes, nothing else is, and nothing is left in the end. Where it is
// more than the limit, the rows are in partitions.
func TestCharged(t *testing.T) {
	leaktest.Check(t)
	schema := vector.Schema{}
	for range 10 {
		schema = append(schema, vector.Column{Name: "c", Type: vector.Of(vector.BigInt)})
	}
	key := expr.NewColumn(0, "c", schema[0].Type)
	for _, keyed := range []bool{false, true} {
		for _, inputs := range []int64{1, 8, 64} {
			for _, limit := range []int64{1 << 40, 16 << 20} {
				t.Run(fmt.Sprint("keyed ", keyed, " inputs ", inputs, " limit ", limit>>20), func(t *testing.T) {
					const rows = 256_000
					spec := Spec{Schema: append(schema[:10:10], schema...)}
					if keyed {
						spec.Keys = []Key{{Probe: key, Build: key, Null: hashtable.Equals}}
					}
					var build []exec.Operator
					for i := range inputs {
						build = append(build, &numbers{schema: schema, from: i * rows / inputs, to: (i + 1) * rows / inputs})
					}
					budget := quota.New(limit)
					op := New(exec.Env{Budget: budget, TempDir: leaktest.Folder(t)}, spec, []exec.Operator{&numbers{schema: schema}}, build)[0].(*stream)
					if err := op.prepare(context.Background()); err != nil {
						t.Fatal(err)
					}
					switch {
					case limit < 8*10*rows:
						if op.table != nil {
							t.Errorf("%d bytes are in memory", op.table.bytes())
						}
					case op.table == nil:
						t.Error("the rows are not in memory")
					case op.table.bytes()-budget.Used() != freeBytes:
						t.Errorf("the table holds %d bytes, %d are charged", op.table.bytes(), budget.Used())
					}
					if err := op.Close(); err != nil {
						t.Fatal(err)
					}
					if budget.Used() != 0 {
						t.Errorf("%d bytes are charged in the end", budget.Used())
					}
				})
			}
		}
	}
}
