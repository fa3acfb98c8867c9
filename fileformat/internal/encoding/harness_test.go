package encoding

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// decimalDouble parses the literal 1en, which is not how the decoder computes it.
func decimalDouble(n int) float64 {
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(n), 64)
	return v
}

func decimalFloat(n int) float32 {
	v, _ := strconv.ParseFloat("1e"+strconv.Itoa(n), 32)
	return float32(v)
}

// key converts v to a type in which == compares the bits.
func key(v any) any {
	switch v := v.(type) {
	case float32:
		return math.Float32bits(v)
	case float64:
		return math.Float64bits(v)
	}
	return v
}

// source is the common interface of decoders, Levels and Indices after Reset.
type source[T any] interface {
	Decode(dst []T) (int, error)
	Skip(n int) (int, error)
}

var errStall = errors.New("delivered nothing")

// drain reads n values in calls of at most step values.
func drain[T any](d source[T], n, step int) ([]T, error) {
	var out []T
	for len(out) < n {
		dst := make([]T, min(step, n-len(out)))
		k, err := d.Decode(dst)
		if err != nil {
			return out, err
		}
		if k <= 0 || k > len(dst) {
			return out, errStall
		}
		out = append(out, dst[:k]...)
	}
	return out, nil
}

func same[T any](t *testing.T, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if key(got[i]) != key(want[i]) {
			t.Fatalf("%s: value %d of %d is %v, want %v", what, i, len(got), got[i], want[i])
		}
	}
}

// check compares a decoder with the values of a page: all at once, in pieces and
// with gaps. It also removes and damages bytes.
func check[T any](t *testing.T, r *rand.Rand, data []byte, want []T, reset func(data []byte, n int) (source[T], error)) {
	t.Helper()
	open := func(n int) source[T] {
		t.Helper()
		d, err := reset(data, n)
		if err != nil {
			t.Fatalf("Reset: %v", err)
		}
		return d
	}
	for _, n := range []int{len(want), len(want) + 3} {
		d := open(n)
		got, err := drain(d, len(want), max(len(want), 1))
		if err != nil {
			t.Fatalf("all at once: %v", err)
		}
		same(t, "all at once", got, want)
		if n == len(want) {
			if k, err := d.Decode(make([]T, 3)); k != 0 || err != nil {
				t.Fatalf("after the end: %d, %v", k, err)
			}
		}
	}
	for range 3 {
		pieces(t, r, open(len(want)), want)
	}
	cuts := min(len(data), 60)
	for i := range cuts {
		damaged(t, data[:len(data)-1-i*len(data)/max(cuts, 1)], want, reset, true)
		bad := append([]byte(nil), data...)
		bad[r.IntN(len(bad))] ^= byte(1) << r.IntN(8)
		damaged(t, bad, want, reset, false)
	}
}

// pieces alternates Decode, View and Skip of random lengths.
func pieces[T any](t *testing.T, r *rand.Rand, d source[T], want []T) {
	t.Helper()
	limit := []int{2, 40, 300, 2048}[r.IntN(4)]
	for at := 0; at < len(want); {
		n := 1 + r.IntN(limit)
		k, err := 0, error(nil)
		if v, ok := d.(Viewer[T]); ok && r.IntN(2) == 0 {
			if values, ok, err := v.View(n); err != nil {
				t.Fatalf("View of %d at %d of %d: %v", n, at, len(want), err)
			} else if ok {
				same(t, fmt.Sprintf("view of %d values from %d", n, at), values, want[at:min(at+n, len(want))])
				at += len(values)
				continue
			}
		}
		if r.IntN(3) == 0 {
			if k, err = d.Skip(n); k != min(n, len(want)-at) {
				t.Fatalf("Skip(%d) at %d of %d: %d, %v", n, at, len(want), k, err)
			}
		} else {
			dst := make([]T, n)
			if k, err = d.Decode(dst); k < 1 || k > min(n, len(want)-at) {
				t.Fatalf("Decode of %d at %d of %d: %d, %v", n, at, len(want), k, err)
			}
			same(t, fmt.Sprintf("%d values from %d", n, at), dst[:k], want[at:at+k])
		}
		at += k
	}
}

// damaged demands that decoding ends without a panic. If bytes are only missing, all
// delivered values must be right.
func damaged[T any](t *testing.T, data []byte, want []T, reset func([]byte, int) (source[T], error), cut bool) {
	t.Helper()
	d, err := reset(data, len(want))
	if err != nil {
		return
	}
	got, err := drain(d, len(want), 100)
	if err == errStall {
		t.Fatal(err)
	}
	if cut && err == nil {
		same(t, fmt.Sprintf("cut to %d bytes", len(data)), got, want)
	}
	if d, err = reset(data, len(want)); err == nil {
		_, _ = d.Skip(len(want))
	}
}

// decoder returns a reset function for check.
func decoder[T any](t *testing.T, d Decoder[T], err error) func([]byte, int) (source[T], error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return func(data []byte, n int) (source[T], error) { return d, d.Reset(data, n) }
}
