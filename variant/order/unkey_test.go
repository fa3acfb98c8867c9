package order

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// randomValue appends a value; narrow numbers and texts come often, so that keys are
// equal now and then.
func randomValue(r *rand.Rand, b *variant.Builder, depth int) {
	switch n := r.IntN(16); {
	case n < 2 && depth < 3:
		b.BeginArray()
		for range r.IntN(3) {
			randomValue(r, b, depth+1)
		}
		b.End()
	case n < 4 && depth < 3:
		b.BeginObject()
		for _, name := range []string{"a", "b\x00", ""}[r.IntN(3):] {
			b.Name(name)
			randomValue(r, b, depth+1)
		}
		b.End()
	case n == 4:
		b.Null()
	case n == 5:
		b.Bool(r.IntN(2) == 0)
	case n == 6:
		b.Double([]float64{0, math.Copysign(0, -1), 1.5, math.NaN(), math.Inf(-1), r.NormFloat64()}[r.IntN(6)])
	case n == 7:
		b.Float(float32(r.NormFloat64()))
	case n == 8:
		b.Date(int64(int32(r.Uint32())))
	case n == 9:
		b.Long([]variant.Kind{variant.Timestamp, variant.TimestampNTZ, variant.TimeNTZ}[r.IntN(3)], int64(r.Uint64()))
	case n == 10:
		b.Long([]variant.Kind{variant.TimestampNanos, variant.TimestampNTZNanos}[r.IntN(2)], int64(r.Uint64()))
	case n == 11:
		b.Binary("\x00\xff\x01"[:r.IntN(4)])
	case n == 12:
		b.String("\x00 is a byte of a text"[:r.IntN(12)])
	case n == 13:
		b.Int(int64(r.Uint64()) >> r.IntN(64))
	default:
		b.Decimal(vector.MulInt64(int64(r.Uint64())>>r.IntN(64), int64(r.Uint64())>>(1+r.IntN(63))), r.IntN(39))
	}
}

func parsed(t testing.TB, metadata, value string) variant.Value {
	t.Helper()
	v, err := variant.Parse(metadata, value)
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		t.Fatalf("%x: %v", value, err)
	}
	return v
}

// TestUnkey: the value of a key has this key.
func TestUnkey(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		var b variant.Builder
		b.Reset(nil)
		randomValue(r, &b, 0)
		metadata, value, err := b.Finish()
		if err != nil {
			continue // 128 bits hold more than 38 digits
		}
		v := parsed(t, metadata, string(value))
		key := string(AppendKey(nil, &v))
		b.Reset(nil)
		if err := AppendValue(&b, key); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, v.AppendJSON(nil), err)
		}
		metadata, value, err = b.Finish()
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, v.AppendJSON(nil), err)
		}
		back := parsed(t, metadata, string(value))
		if err := back.Check(); err != nil || string(AppendKey(nil, &back)) != key || !Equal(&v, &back) {
			t.Fatalf("seed %d: %s is %s: %v", seed, v.AppendJSON(nil), back.AppendJSON(nil), err)
		}
	}
}

// FuzzUnkey: any bytes are a key or an error.
func FuzzUnkey(f *testing.F) {
	f.Add("\x02\xc0\x14\x00\x00\x00\x00\x00\x00\x01")
	f.Add("\x0b\x01a\x00\x01\x0c\x00")
	f.Fuzz(func(t *testing.T, key string) {
		var b variant.Builder
		b.Reset(nil)
		if AppendValue(&b, key) != nil {
			return
		}
		if _, _, err := b.Finish(); err != nil {
			return
		}
	})
}
