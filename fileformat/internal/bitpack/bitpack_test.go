package bitpack

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// pack packs exactly as Encodings.md defines it: one big number, value i shifted left
// by i*w, lowest byte first.
func pack(values []uint64, w uint) []byte {
	sum := new(big.Int)
	for i := len(values) - 1; i >= 0; i-- {
		sum.Lsh(sum, w)
		sum.Or(sum, new(big.Int).SetUint64(values[i]))
	}
	out := make([]byte, (len(values)*int(w)+7)/8)
	sum.FillBytes(out)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func randomValues(r *rand.Rand, n int, w uint) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64() >> (64 - w)
	}
	return out
}

func newRand(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

func TestSpecificationExample(t *testing.T) {
	src := []byte{0b10001000, 0b11000110, 0b11111010}
	var few [8]int32
	UnpackFew(few[:], src, 0, 3)
	var narrow [8]uint8
	Bytes(narrow[:], src, 3)
	for i := range few {
		if few[i] != int32(i) || narrow[i] != uint8(i) {
			t.Fatalf("value %d: UnpackFew %d, Bytes %d", i, few[i], narrow[i])
		}
	}
}

// TestKernels checks each width against pack, with input that ends exactly where
// the values do.
func TestKernels(t *testing.T) {
	r := newRand(t)
	for w := uint(1); w <= 64; w++ {
		values := randomValues(r, 32, w)
		src := pack(values, w)
		last, add := int64(r.Uint64()), int64(r.Uint64())
		var plain, sums, few [32]int64
		Unpack(plain[:], src, w)
		UnpackFew(few[:], src, 0, w)
		end := UnpackSum(&sums, src, w, last, add)
		for i, v := range values {
			last += int64(v) + add
			if plain[i] != int64(v) || few[i] != int64(v) || sums[i] != last {
				t.Fatalf("width %d value %d: %x %x, want %x; sum %x, want %x", w, i, plain[i], few[i], v, sums[i], last)
			}
		}
		if end != last {
			t.Fatalf("width %d: last sum %x, want %x", w, end, last)
		}
		if w > 32 {
			continue
		}
		groups := make([]int32, 32)
		if n := UnpackGroups(groups, src, w); n < 32-64/int(w)-8 || n > 32 || n%8 != 0 {
			t.Fatalf("width %d: UnpackGroups returns %d", w, n)
		} else if n += UnpackGroups(groups[n:], append(src[n/8*int(w):], make([]byte, 8)...), w); n != 32 {
			t.Fatalf("width %d: UnpackGroups with bytes to spare stops at %d", w, n)
		}
		var plain32, sums32 [32]int32
		last32 := int32(r.Uint32())
		Unpack(plain32[:], src, w)
		UnpackSum(&sums32, src, w, last32, int32(add))
		for i, v := range values {
			last32 += int32(v) + int32(add)
			if plain32[i] != int32(v) || groups[i] != int32(v) || sums32[i] != last32 {
				t.Fatalf("width %d value %d of int32: %x, want %x; sum %x, want %x", w, i, plain32[i], v, sums32[i], last32)
			}
		}
	}
}

// TestParts unpacks every short range of values, so that every bit position and every
// distance from the end occurs.
func TestParts(t *testing.T) {
	r := newRand(t)
	for w := uint(1); w <= 64; w++ {
		values := randomValues(r, 40, w)
		src := pack(values, w)
		for from := range values {
			got := make([]int64, r.IntN(len(values)-from+1))
			UnpackFew(got, src, uint(from)*w, w)
			for i, v := range got {
				if uint64(v) != values[from+i] {
					t.Fatalf("width %d, %d values from %d: value %d is %x, want %x", w, len(got), from, i, v, values[from+i])
				}
			}
		}
	}
	for w := uint(1); w <= 8; w++ {
		for n := range 70 {
			values := randomValues(r, n, w)
			got := make([]uint8, n)
			Bytes(got, pack(values, w), w)
			for i, v := range got {
				if uint64(v) != values[i] {
					t.Fatalf("width %d, %d bytes: value %d is %x, want %x", w, n, i, v, values[i])
				}
			}
		}
	}
}

func TestBits(t *testing.T) {
	r := newRand(t)
	values := randomValues(r, 300, 1)
	src := pack(values, 1)
	for range 5000 {
		from := r.IntN(len(values))
		n := r.IntN(len(values) - from + 1)
		bools := make([]bool, n)
		Bools(bools, src, uint(from))
		offset, bitmap := r.IntN(130), make([]uint64, 8)
		for i := range bitmap {
			bitmap[i] = r.Uint64()
		}
		before := append([]uint64(nil), bitmap...)
		ones := CopyBits(bitmap, offset, src, uint(from), n)
		get := func(b []uint64, i int) bool { return b[i/64]>>(i%64)&1 != 0 }
		for i := range 512 {
			want := get(before, i)
			if i >= offset && i < offset+n {
				want = values[from+i-offset] != 0
				if bools[i-offset] != want {
					t.Fatalf("Bools: %d bits from %d: bit %d", n, from, i-offset)
				}
				if want {
					ones--
				}
			}
			if get(bitmap, i) != want {
				t.Fatalf("CopyBits: %d bits from %d to %d: bit %d", n, from, offset, i)
			}
		}
		if ones != 0 {
			t.Fatalf("CopyBits: count off by %d", ones)
		}
		set := r.IntN(2) == 1
		SetBits(bitmap, offset, n, set)
		for i := range 512 {
			if in := i >= offset && i < offset+n; in && get(bitmap, i) != set || !in && get(bitmap, i) != get(before, i) {
				t.Fatalf("SetBits: %d bits to %d: bit %d", n, offset, i)
			}
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	src := make([]byte, 8*1024)
	for i := range src {
		src[i] = byte(i * 37)
	}
	report := func(b *testing.B, n int) {
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gvalues/s")
	}
	for _, w := range []uint{1, 2, 5, 8, 10, 16, 17, 20, 32, 33, 64} {
		dst, many := new([32]int64), make([]int64, 1024)
		b.Run(fmt.Sprintf("int64/%d", w), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Unpack(many, src, w)
			}
			report(b, len(many))
		})
		b.Run(fmt.Sprintf("sum/%d", w), func(b *testing.B) {
			last := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				last = UnpackSum(dst, src, w, last, 3)
			}
			report(b, 32)
		})
		if w <= 8 {
			bytes := make([]uint8, 128)
			b.Run(fmt.Sprintf("bytes/%d", w), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Bytes(bytes, src, w)
				}
				report(b, 128)
			})
		}
	}
}
