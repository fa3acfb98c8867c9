package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// TestShiftMicros: with 64 bits a timestamp moves as with 128.
func TestShiftMicros(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	some := func(bits int) int64 { return (r.Int64() - r.Int64()) >> (63 - bits + r.IntN(bits)) }
	short := 0
	for range 200000 {
		v, by, sign, zoned := some(62), vector.IntervalValue{Months: some(21), Days: some(21), Micros: some(61)}, int64(1-2*r.IntN(2)), r.IntN(2) == 0
		if r.IntN(2) == 0 {
			by.Days, by.Micros = 0, 0
		}
		got, ok := shiftMicros(v, by, sign, zoned)
		if !ok {
			continue
		}
		short++
		wide, ok := shiftNanos(vector.MulInt64(v, 1000), by, sign, zoned)
		want, fits := NarrowInstant(wide, 1000)
		if !ok || !fits || got != want {
			t.Fatalf("seed %d: %d and %d times %+v: %d, want %d, %t %t", seed, v, sign, by, got, want, ok, fits)
		}
	}
	if short < 50000 {
		t.Errorf("only %d of 200000 are short", short)
	}
}

// TestDividedByConstant: multiplication divides as Go does.
func TestDividedByConstant(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		a, b := vector.New(vector.Of(vector.BigInt), 200), vector.New(vector.Of(vector.BigInt), 1)
		b.Form, b.Len, b.I64[0] = vector.Constant, a.Len, r.Int64()>>r.IntN(63)
		if r.IntN(4) == 0 {
			b.I64[0] = -b.I64[0]
		}
		for i := range a.I64 {
			a.I64[i] = (r.Int64() - r.Int64()) >> r.IntN(63)
		}
		a.I64[0], a.I64[1], a.I64[2], a.I64[3] = 0, -1<<63, 1<<63-1, b.I64[0]
		for _, op := range []opOf{{"//", divided(scalar.OpIntDiv), func(x, y int64) int64 { return x / y }}, {"%", divided(scalar.OpMod), func(x, y int64) int64 { return x % y }}} {
			var out Result
			out.Reset(a.Type, a.Len)
			if err := op.make()([]*vector.Vector{a, b}, nil, a.Len, &out); err != nil {
				continue // the least number by -1
			}
			for i, x := range a.I64 {
				if y := b.I64[0]; y == 0 {
					if out.Valid == nil || out.Valid.Get(i) {
						t.Fatalf("seed %d: %d %s 0 is no NULL", seed, x, op.name)
					}
				} else if want := op.plain(x, y); out.I64[i] != want {
					t.Fatalf("seed %d: %d %s %d = %d, want %d", seed, x, op.name, y, out.I64[i], want)
				}
			}
		}
	}
}

type opOf struct {
	name  string
	make  func() Func
	plain func(x, y int64) int64
}

// TestBetween: a difference with 64 bits is as with 128.
func TestBetween(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for _, per := range []int64{1, 1_000, 1_000_000, 1_000_000_000} {
		narrow := between(per)
		for range 50000 {
			x, y := (r.Int64()-r.Int64())>>r.IntN(63), (r.Int64()-r.Int64())>>r.IntN(63)
			got, _ := narrow(x, y)
			want, _ := microsBetween(vector.Int128From(x).Sub(vector.Int128From(y)), per)
			if got != want {
				t.Fatalf("seed %d: %d - %d, of %d ns: %+v, want %+v", seed, x, y, per, got, want)
			}
		}
	}
}
