package kernel

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// TestProduct38 compares products of batches whose values have up to some number of bits,
// among them the least of so many bits, with those of big.Int.
func TestProduct38(t *testing.T) {
	typ := vector.DecimalType(38, 0)
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(38), nil)
	product := product38(Arithmetic{Op: scalar.OpMul, L: typ, R: typ, T: typ})
	run, out := product(), &Result{}
	r := rand.New(rand.NewPCG(1, 2))
	value := func(bits int) vector.Int128 {
		power := vector.Int128From(1)
		for range bits {
			power = power.Add(power)
		}
		switch r.IntN(4) {
		case 0:
			return power.Neg()
		case 1:
			return power.Sub(vector.Int128From(1))
		case 2: // the lower word alone looks short
			return power.Add(vector.Int128From(r.Int64N(1 << 10)))
		}
		return vector.Int128From(r.Int64N(1 << min(bits, 62))).Neg()
	}
	for left := range 100 {
		for _, right := range []int{0, 1, 61 - left, 62 - left, 63 - left, 64 - left, 63, 64, 125 - left, 126 - left} {
			if right < 0 || right > 125 {
				continue
			}
			n := 1 + r.IntN(7)
			if n < 3 { // which does not know of wide values
				run = product()
			}
			x, y := vector.New(typ, n), vector.New(typ, n)
			fits, want := true, make([]*big.Int, n)
			for i := range n {
				x.I128[i], y.I128[i] = value(left), value(right)
				want[i] = new(big.Int).Mul(x.I128[i].Big(), y.I128[i].Big())
				fits = fits && want[i].CmpAbs(limit) < 0
			}
			out.Reset(typ, n)
			if err := run([]*vector.Vector{x, y}, nil, n, out); (err == nil) != fits {
				t.Fatalf("%d and %d bits: %v, and it fits: %v", left, right, err, fits)
			}
			for i := range want {
				if fits && out.I128[i].Big().Cmp(want[i]) != 0 {
					t.Fatalf("%v * %v is %v, want %v", x.I128[i].Big(), y.I128[i].Big(), out.I128[i].Big(), want[i])
				}
			}
		}
	}
}

func BenchmarkProduct38(b *testing.B) {
	const n = 2048
	x, y := vector.New(vector.DecimalType(38, 4), n), vector.New(vector.DecimalType(38, 2), n)
	for i := range n {
		x.I128[i], y.I128[i] = vector.Int128From(int64(i)*10000), vector.Int128From(int64(i%9)+100)
	}
	out := &Result{}
	out.Reset(vector.DecimalType(38, 6), n)
	run := product38(Arithmetic{Op: scalar.OpMul, L: x.Type, R: y.Type, T: out.Type})()
	for b.Loop() {
		if err := run([]*vector.Vector{x, y}, nil, n, out); err != nil {
			b.Fatal(err)
		}
	}
}

// TestProductsOfForms: products of arguments in all forms, with and without a selection, are those of
// flat ones.
func TestProductsOfForms(t *testing.T) {
	const n, entries = 50, 5
	r := rand.New(rand.NewPCG(3, 4))
	forms := func(typ vector.Type, bits int) (flat *vector.Vector, all []*vector.Vector) {
		value := func() vector.Scalar {
			v := r.Int64N(1<<bits) - 1<<(bits-1)
			if typ.Storage() == vector.StoreInt64 {
				return vector.Scalar{Type: typ, I64: v}
			}
			return vector.Scalar{Type: typ, I128: vector.Int128From(v)}
		}
		dict := vector.New(typ, entries)
		for i := range entries {
			dict.Set(i, value())
		}
		coded := &vector.Vector{Type: typ, Form: vector.Dictionary, Len: n, Codes: make([]int32, n), Dict: dict}
		flat = vector.New(typ, n)
		for i := range n {
			coded.Codes[i] = int32(r.IntN(entries))
			flat.Set(i, value())
		}
		return flat, []*vector.Vector{flat, coded, vector.NewConstant(dict.Get(0), n)}
	}
	odd := make([]int32, 0, n)
	for i := int32(1); i < n; i += 2 {
		odd = append(odd, i)
	}
	for _, bits := range []int{8, 31, 33, 60} {
		for _, typ := range []vector.Type{vector.DecimalType(18, 2), vector.DecimalType(38, 2)} {
			result := vector.DecimalType(38, 4)
			operation := Arithmetic{Op: scalar.OpMul, L: typ, R: typ, T: result}.decimal()
			if !operation.Coded {
				t.Fatalf("products of %v do not take dictionaries", typ)
			}
			run := operation.Make()
			_, left := forms(typ, bits)
			_, right := forms(typ, bits)
			for _, x := range left {
				for _, y := range right {
					if x.Form == vector.Constant && y.Form == vector.Constant {
						continue // has one row
					}
					for _, rows := range [][]int32{nil, odd} {
						out := &Result{}
						out.Reset(result, n)
						if err := run([]*vector.Vector{x, y}, rows, n, out); err != nil {
							t.Fatal(err)
						}
						for _, i := range Listed(rows, n) {
							a, b := x.Get(int(i)), y.Get(int(i))
							want := new(big.Int).Mul(a.I128.Big(), b.I128.Big())
							if typ.Storage() == vector.StoreInt64 {
								want.Mul(big.NewInt(a.I64), big.NewInt(b.I64))
							}
							if got := out.I128[i].Big(); got.Cmp(want) != 0 {
								t.Fatalf("%v, forms %d and %d, %d bits, row %d: %v, want %v", typ, x.Form, y.Form, bits, i, got, want)
							}
						}
					}
				}
			}
		}
	}
}
