package travel

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// types are one of each storage and form.
func types() []vector.Type {
	list := []vector.Type{
		vector.Of(vector.Null), vector.Of(vector.Boolean), vector.Of(vector.TinyInt), vector.Of(vector.BigInt), vector.Of(vector.UBigInt), vector.Of(vector.Half),
		vector.Of(vector.Float), vector.Of(vector.Double), vector.DecimalType(9, 2), vector.DecimalType(38, 10), vector.DecimalType(60, 3), vector.Of(vector.Date),
		vector.TimestampType(vector.Micros, true), vector.TimestampType(vector.Wide, false), vector.Of(vector.Interval), vector.Of(vector.Varchar), vector.Of(vector.Blob),
		vector.Of(vector.UUID), vector.RenderedType(vector.ListOf(vector.Field{Type: vector.Of(vector.BigInt)})),
	}
	for _, t := range list[1:] {
		list = append(list, vector.ListOf(vector.Field{Name: "element", Type: t, Nullable: true}))
	}
	nested := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "a", Type: list[3]}, {Name: "a", Type: list[len(list)-1]}}}
	return append(list, nested, vector.ListOf(vector.Field{Type: nested}),
		vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: list[15]}, {Name: "value", Type: nested}}},
		vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: list[15]}}},
		vector.VariantType())
}

// random is a vector with any bits, NULLs among them.
func random(rng *rand.Rand, t vector.Type, n int) *vector.Vector {
	v := vector.New(t, n)
	for i := range n {
		switch t.Storage() {
		case vector.StoreBool:
			v.Bool[i] = rng.IntN(2) == 0
		case vector.StoreInt64:
			v.I64[i] = int64(rng.Uint64())
		case vector.StoreUint64:
			v.U64[i] = rng.Uint64()
		case vector.StoreInt128:
			v.I128[i] = vector.Int128{Hi: int64(rng.Uint64()), Lo: rng.Uint64()}
		case vector.StoreFloat32:
			v.F32[i] = rng.Float32()
		case vector.StoreFloat64:
			v.F64[i] = rng.NormFloat64()
		case vector.StoreInterval:
			v.Interval[i] = vector.IntervalValue{Months: rng.Int64(), Days: -rng.Int64(), Micros: rng.Int64()}
		case vector.StoreString:
			b := make([]byte, rng.IntN(5))
			for k := range b {
				b[k] = byte(rng.Uint32())
			}
			v.Str[i] = string(b)
		}
	}
	if t.Storage() == vector.StoreNested {
		rows := n
		if t.HasElements() {
			for i := range n {
				v.Offsets[i+1] = v.Offsets[i] + int32(rng.IntN(3))
			}
			rows = int(v.Offsets[n])
		}
		for k, f := range t.Fields {
			v.Children[k] = random(rng, f.Type, rows)
		}
	}
	for i := range n {
		if t.Kind != vector.Null && rng.IntN(4) == 0 && (!t.HasElements() || v.Offsets[i] == v.Offsets[i+1]) {
			v.SetNull(i)
		}
	}
	return v
}

// TestTravel: what is read is what was written, value by value, of all types and of no rows too.
func TestTravel(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var columns vector.Schema
	for i, typ := range types() {
		columns = append(columns, vector.Column{Name: fmt.Sprint("c", i), Type: typ, Nullable: true})
	}
	schema, err := Schema(columns)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		var out bytes.Buffer
		w := NewWriter(&out, columns, schema)
		var sent [][]*vector.Vector
		for range rng.IntN(4) {
			n := rng.IntN(20)
			var cols []*vector.Vector
			for _, c := range columns {
				cols = append(cols, random(rng, c.Type, n))
			}
			sent = append(sent, cols)
			if err := w.Write(cols, n); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(bytes.NewReader(out.Bytes()), columns, schema)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, cols := range sent {
			b, err := r.Next()
			if err != nil || b == nil {
				t.Fatalf("seed %d: %v, %v", seed, b, err)
			}
			for i, v := range cols {
				same(t, columns[i].Name, v, b.Cols[i])
			}
		}
		if b, err := r.Next(); b != nil || err != nil {
			t.Fatalf("seed %d: behind the end is %v, %v", seed, b, err)
		}
		r.Close()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func same(t *testing.T, name string, a, b *vector.Vector) {
	t.Helper()
	if a.Len != b.Len || !a.Type.Equal(b.Type) {
		t.Errorf("%s: %d rows of %s, not %d of %s", name, b.Len, b.Type, a.Len, a.Type)
		return
	}
	for i := range a.Len {
		if a.IsNull(i) != b.IsNull(i) {
			t.Errorf("%s: row %d is NULL: %v, not %v", name, i, b.IsNull(i), a.IsNull(i))
		}
		if !a.IsNull(i) && fmt.Sprintf("%#v", leaf(a, i)) != fmt.Sprintf("%#v", leaf(b, i)) {
			t.Errorf("%s: row %d is %#v, not %#v", name, i, leaf(b, i), leaf(a, i))
		}
	}
	for k := range a.Children {
		same(t, name, a.Children[k], b.Children[k])
	}
}

// leaf is a value but for those of children.
func leaf(v *vector.Vector, i int) any {
	switch v.Type.Storage() {
	case vector.StoreNone:
		return nil
	case vector.StoreNested:
		if v.Offsets != nil {
			return [2]int32{v.Offsets[i], v.Offsets[i+1]}
		}
		return nil
	}
	return v.Get(i)
}
