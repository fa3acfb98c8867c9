package json

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// entryType is a field of an object, or an element of an array, whose key is NULL.
func entryType() vector.Type {
	return vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		{Name: "key", Type: define.TypeText, Nullable: true}, {Name: "value", Type: vector.VariantType()},
	}}
}

func variantEntries(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantVariant.Bind(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	return define.Strict(call, []expr.Expr{x}, expr.ListType(entryType()), func() kernel.Func { return entriesOf }, true)
}

// entriesOf makes the entries; of other values it is NULL.
func entriesOf(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
	var w variant.Writer
	keys := vector.New(define.TypeText, 0)
	var missing []int
	b := kernel.NewListBuilder(out)
	for _, i := range kernel.Listed(rows, n) {
		b.Start(i)
		v, ok := variant.Get(args[0], int(i))
		if !ok || v.Kind() != variant.Object && v.Kind() != variant.Array {
			out.Null(int(i))
			continue
		}
		for k := range v.Len() {
			name, e, err := v.Entry(k)
			if err != nil {
				return err
			}
			if v.Kind() == variant.Array {
				missing = append(missing, w.Len())
			}
			b.Add(0, int32(w.Len()))
			keys.Str = append(keys.Str, name)
			w.Append(&e)
		}
	}
	keys.Len = len(keys.Str)
	for _, i := range missing {
		keys.SetNull(i)
	}
	values := &vector.Vector{Type: vector.VariantType()}
	w.Finish(values)
	return b.Finish(&vector.Vector{Type: entryType(), Len: keys.Len, Children: []*vector.Vector{keys, values}})
}
