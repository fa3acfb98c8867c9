package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// TestLongVariants: VARIANTs of long texts count before they are made. Of a constant only one
// is made, and of structs with VARIANTs only those of the selected rows.
func TestLongVariants(t *testing.T) {
	const bytes, bound, rows = 1000, 3500, 64
	text := vector.StringScalar(strings.Repeat("x", bytes))
	flat := vector.New(text.Type, rows)
	for i := range rows {
		flat.Set(i, text)
	}
	made := func(k kernel.Func, v *vector.Vector, listed []int32, n int) (*kernel.Result, error) {
		out := &kernel.Result{Meter: quota.NewBound(bound)}
		out.Reset(vector.Of(vector.Varchar), n)
		return out, k([]*vector.Vector{v}, listed, n, out)
	}
	if _, err := made(kernel.ToVariant(), flat, nil, rows); !errors.Is(err, quota.ErrBatchTooLong) {
		t.Errorf("%d texts: %v", rows, err)
	}
	out, err := made(kernel.ToVariant(), vector.NewConstant(text, rows), nil, 1)
	if err != nil || out.Len != 1 {
		t.Errorf("a constant: %d rows, %v", out.Len, err)
	}
	if x, ok := variant.Get(&out.Vector, 0); !ok || len(x.AppendJSON(nil)) != bytes+2 {
		t.Errorf("a constant: %v", ok)
	}

	var all vector.Vector
	if err := (&variant.Writer{}).Encode(flat, nil, rows, &all); err != nil {
		t.Fatal(err)
	}
	s := &vector.Vector{Type: vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "a", Type: variant.Type()}}}, Len: rows, Children: []*vector.Vector{&all}}
	if _, err := made(kernel.RenderVariants(), s, nil, rows); !errors.Is(err, quota.ErrBatchTooLong) {
		t.Errorf("%d structs: %v", rows, err)
	}
	out, err = made(kernel.RenderVariants(), s, []int32{7}, rows)
	if want := `{"a":"` + text.Str + `"}`; err != nil || out.Str[7] != want {
		t.Errorf("a struct: %.20s, %v", out.Str[7], err)
	}
	out, err = made(kernel.KeysWithin(), s, []int32{7}, rows)
	if err != nil {
		t.Fatal(err)
	}
	out, err = made(kernel.VariantsWithin(s.Type)(), &out.Vector, []int32{7}, rows)
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := variant.Get(out.Children[0], 7); !ok || len(x.AppendJSON(nil)) != bytes+2 {
		t.Errorf("a struct of keys: %v", ok)
	}
}
