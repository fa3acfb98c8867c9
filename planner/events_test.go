package planner

import (
	"context"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/computed"
	"github.com/parquetsql/parquetsql/vector"
)

// newEvents has a VARIANT.
func newEvents() *computed.Table {
	t := &computed.Table{Table: scan.Table{Name: "events", Columns: []scan.Column{
		{Name: "id", Type: vector.Of(vector.BigInt)}, {Name: "v", Type: vector.VariantType(), Nullable: true},
	}}}
	t.Make = func(context.Context, func(int) bool) ([]*vector.Batch, error) {
		id, v := vector.New(vector.Of(vector.BigInt), 5), &vector.Vector{Type: vector.VariantType()}
		var all []vector.Scalar
		for i, text := range []string{`{"kind": "a", "n": 1, "at": {"x": [1, 2]}}`, `{"kind": "b", "n": 1.0}`, `{"n": "many"}`, `7`} {
			id.I64[i] = int64(i)
			s, err := expr.CastScalar(vector.Scalar{Type: vector.Of(vector.JSON), Str: text}, vector.VariantType())
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
		id.I64[4] = 4
		return []*vector.Batch{{Len: 5, Cols: []*vector.Vector{id, v}}}, v.FromScalars(vector.VariantType(), append(all, vector.NullOf(vector.VariantType())))
	}
	return t
}
