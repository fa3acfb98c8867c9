package kernel

import (
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// TestCastingOfOneType: shredded values and others may have the same natural type.
func TestCastingOfOneType(t *testing.T) {
	typed := vector.New(vector.DecimalType(18, 2), 3)
	copy(typed.I64, []int64{100, 0, 275})
	typed.SetNull(1)
	found := variant.Located{Typed: typed, Rest: &vector.Vector{}}
	var w variant.Writer
	w.AppendNull()
	w.Builder.Reset(nil)
	w.Builder.Decimal(vector.Int128From(-50), 2)
	if err := w.AppendBuilt(); err != nil {
		t.Fatal(err)
	}
	w.AppendNull()
	w.Finish(found.Rest)
	out, err := NewCasting(vector.Of(vector.Varchar), false).Cast(found, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"1.00", "-0.50", "2.75"} {
		if out.IsNull(i) || out.Str[i] != want {
			t.Errorf("row %d: %q, want %q", i, out.Str[i], want)
		}
	}
}
