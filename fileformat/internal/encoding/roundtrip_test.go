package encoding

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// sizes are the numbers of values that the round trips try.
var sizes = []int{0, 1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 130, 1000, 3001}

func TestHybrid(t *testing.T) {
	r := newRand(t)
	for w := range 33 {
		for _, n := range sizes {
			values := make([]uint64, n)
			for i := range values {
				if values[i] = r.Uint64() >> 1 & (1<<w - 1); i > 0 && r.IntN(3) > 0 {
					values[i] = values[i-1]
				}
			}
			data := encodeHybrid(r, values, w)
			if w <= 31 {
				checkIndices(t, r, data, values, w)
			}
			if w <= 8 {
				checkLevels(t, r, data, values, w)
			}
			if w == 1 {
				bools := make([]bool, n)
				for i, v := range values {
					bools[i] = v != 0
				}
				page := append(binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data...)
				d, err := NewBool(fileformat.RLE)
				check(t, r, page, bools, decoder(t, d, err))
				d, err = NewBool(fileformat.Plain)
				check(t, r, packBits(values, 1), bools, decoder(t, d, err))
			}
		}
	}
}

func checkIndices(t *testing.T, r *rand.Rand, data []byte, values []uint64, w int) {
	t.Helper()
	codes, most := make([]int32, len(values)), int32(0)
	for i, v := range values {
		codes[i] = int32(v)
		most = max(most, codes[i])
	}
	page := append([]byte{byte(w)}, data...)
	var x Indices
	for _, dictLen := range []int{int(most) + 1, math.MaxInt32} {
		check(t, r, page, codes, func(data []byte, n int) (source[int32], error) { return &x, x.Reset(data, dictLen, n) })
	}
	if err := x.Reset(page, int(most), len(codes)); err != nil {
		t.Fatal(err)
	}
	if _, err := drain(&x, len(codes), 100); err == nil && len(codes) > 0 {
		t.Fatalf("width %d: code %d taken for a dictionary of %d", w, most, most)
	}
}

func checkLevels(t *testing.T, r *rand.Rand, data []byte, values []uint64, w int) {
	t.Helper()
	levels, most := make([]uint8, len(values)), uint8(0)
	for i, v := range values {
		levels[i] = uint8(v)
		most = max(most, levels[i])
	}
	limit := uint8(1<<w - 1)
	var l Levels
	open := func(data []byte, n int) (source[uint8], error) { return &l, l.Reset(data, limit, n) }
	openMSB := func(data []byte, n int) (source[uint8], error) { return &l, l.ResetBitPacked(data, limit, n) }
	msb := packBitsMSB(levels, w)
	if int64(len(msb)) != BitPackedSize(limit, len(levels)) {
		t.Fatalf("BitPackedSize is %d, want %d", BitPackedSize(limit, len(levels)), len(msb))
	}
	check(t, r, data, levels, open)
	check(t, r, msb, levels, openMSB)
	if most > limit/2 && w > 0 {
		limit = most // the same width, a lower maximum
		check(t, r, data, levels, open)
	}
	checkValidity(t, r, levels, limit, func() *Levels { _, _ = open(data, len(levels)); return &l })
	checkValidity(t, r, levels, limit, func() *Levels { _, _ = openMSB(msb, len(levels)); return &l })
	if limit = most - 1; most > 1 && limit >= 1<<(w-1) {
		_, _ = open(data, len(levels))
		if _, err := drain[uint8](&l, len(levels), 100); err != errLevel {
			t.Fatalf("level %d taken with a maximum of %d: %v", most, limit, err)
		}
		_, _ = open(data, len(levels))
		if _, err := l.DecodeValidity(make([]uint64, len(levels)/64+1), 0, len(levels)); err != errLevel {
			t.Fatalf("level %d taken with a maximum of %d: %v", most, limit, err)
		}
		_, _ = open(data, len(levels))
		if _, err := l.CountZeros(len(levels)); err != errLevel {
			t.Fatalf("level %d counted with a maximum of %d: %v", most, limit, err)
		}
	}
}

// checkValidity reads the levels as bitmaps of random lengths.
func checkValidity(t *testing.T, r *rand.Rand, levels []uint8, limit uint8, open func() *Levels) {
	t.Helper()
	l := open()
	for at := 0; at < len(levels); {
		n := min(1+r.IntN(200), len(levels)-at)
		offset := r.IntN(100)
		bitmap := make([]uint64, (offset+n+63)/64)
		for i := range bitmap {
			bitmap[i] = r.Uint64()
		}
		ones, err := l.DecodeValidity(bitmap, offset, n)
		if err != nil {
			t.Fatalf("DecodeValidity of %d at %d: %v", n, at, err)
		}
		for i, v := range levels[at : at+n] {
			bit := bitmap[(offset+i)/64]>>((offset+i)%64)&1 != 0
			if bit != (v == limit) {
				t.Fatalf("DecodeValidity of %d at %d: bit %d is %v, level %d", n, at, i, bit, v)
			}
			if bit {
				ones--
			}
		}
		if ones != 0 {
			t.Fatalf("DecodeValidity of %d at %d: count off by %d", n, at, ones)
		}
		at += n
	}
	if _, err := l.DecodeValidity(nil, 0, 1); err == nil {
		t.Fatal("DecodeValidity after the end")
	}
	l = open()
	for at := 0; at < len(levels); {
		n := min(1+r.IntN(2000), len(levels)-at)
		zeros, err := l.CountZeros(n)
		if want := bytes.Count(levels[at:at+n], []byte{0}); err != nil || zeros != want {
			t.Fatalf("CountZeros of %d at %d: %d, %v, want %d", n, at, zeros, err, want)
		}
		at += n
	}
	if _, err := l.CountZeros(1); err == nil {
		t.Fatal("CountZeros after the end")
	}
}

// randomInts has runs of equal steps, small noise and full-range jumps.
func randomInts(r *rand.Rand, n, size int) []int64 {
	out := make([]int64, n)
	kind, last := 0, int64(0)
	for i := range out {
		if i%64 == 0 {
			kind = r.IntN(4)
		}
		switch kind {
		case 0:
			last += 5
		case 1:
			last += r.Int64N(1000) - 500
		case 2:
			last = int64(r.Uint64())
		case 3:
			last += int64(r.Uint64() >> r.IntN(64))
		}
		last = last << (64 - size) >> (64 - size)
		out[i] = last
	}
	return out
}

func TestDeltaBinaryPacked(t *testing.T) {
	r := newRand(t)
	for i, n := range append(sizes, 6000) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		for _, blocks := range [][2]int{{128, 4}, {128, 1}, {8, 1}, {1024, 2}, {256, 8}, {1 << 20, 1 << 10}, {96, 4}} {
			for _, cut := range []bool{false, true} {
				values := randomInts(r, n, 64)
				d64, err := NewInt64(fileformat.DeltaBinaryPacked)
				check(t, r, encodeDelta(r, values, 64, blocks[0], blocks[1], cut), values, decoder(t, d64, err))
				values = randomInts(r, n, 32)
				narrow := make([]int32, n)
				for i, v := range values {
					narrow[i] = int32(v)
				}
				d32, err := NewInt32(fileformat.DeltaBinaryPacked)
				check(t, r, encodeDelta(r, values, 32, blocks[0], blocks[1], cut), narrow, decoder(t, d32, err))
				// Deltas that were computed in 64 bits need up to 34.
				check(t, r, encodeDelta(r, values, 34, blocks[0], blocks[1], cut), narrow, decoder(t, d32, err))
			}
		}
	}
}

// randomStrings returns strings that often share a prefix with the one before, or
// are equal to it.
func randomStrings(r *rand.Rand, n, longest int) []string {
	out := make([]string, n)
	prev := ""
	for i := range out {
		v := prev[:r.IntN(len(prev)+1)]
		for range r.IntN(1 + r.IntN(longest+1)) {
			v += string(rune('a' + r.IntN(26)))
		}
		if r.IntN(5) == 0 {
			v = prev
		}
		if len(v) > 8*longest {
			v = ""
		}
		out[i], prev = v, v
	}
	return out
}

func TestByteArrays(t *testing.T) {
	r := newRand(t)
	for _, n := range sizes {
		for _, longest := range []int{0, 3, 20, 300} {
			values := randomStrings(r, n, longest)
			d, err := NewBytes(fileformat.Plain)
			check(t, r, encodePlainBytes(values), values, decoder(t, d, err))
			d, err = NewBytes(fileformat.DeltaLengthByteArray)
			check(t, r, encodeDeltaLength(r, values), values, decoder(t, d, err))
			d, err = NewBytes(fileformat.DeltaByteArray)
			check(t, r, encodeDeltaByteArray(r, values), values, decoder(t, d, err))
		}
	}
}

func TestFixed(t *testing.T) {
	r := newRand(t)
	for _, n := range sizes {
		for _, length := range []int{0, 1, 2, 3, 4, 7, 8, 12, 16, 21} {
			values, prev := make([]string, n), strings.Repeat("x", length)
			for i := range values {
				b := []byte(prev)
				for j := length - min(length, r.IntN(5)); j < length; j++ {
					b[j] = byte(r.Uint32())
				}
				values[i], prev = string(b), string(b)
			}
			d, err := NewFixed(fileformat.Plain, length)
			check(t, r, []byte(strings.Join(values, "")), values, decoder(t, d, err))
			d, err = NewFixed(fileformat.ByteStreamSplit, length)
			check(t, r, encodeSplit(values, length), values, decoder(t, d, err))
			d, err = NewFixed(fileformat.DeltaByteArray, length)
			check(t, r, encodeDeltaByteArray(r, values), values, decoder(t, d, err))
		}
	}
	if _, err := NewFixed(fileformat.Plain, -1); err == nil {
		t.Error("negative length")
	}
}

// TestNumbers checks PLAIN and BYTE_STREAM_SPLIT of all types with a fixed size.
func TestNumbers(t *testing.T) {
	r := newRand(t)
	for _, n := range sizes {
		raw := make([]string, n) // 12 bytes each; narrower types use the first of them
		i32, i64, i96 := make([]int32, n), make([]int64, n), make([]Int96, n)
		f32, f64 := make([]float32, n), make([]float64, n)
		var p4, p8, p12 []byte
		s4, s8 := make([]string, n), make([]string, n)
		for i := range raw {
			b := make([]byte, 12)
			for j := range b {
				b[j] = byte(r.Uint32())
			}
			p4, p8, p12 = append(p4, b[:4]...), append(p8, b[:8]...), append(p12, b...)
			s4[i], s8[i], i96[i] = string(b[:4]), string(b[:8]), Int96(b)
			i32[i] = int32(binary.LittleEndian.Uint32(b))
			i64[i] = int64(binary.LittleEndian.Uint64(b))
			f32[i], f64[i] = math.Float32frombits(uint32(i32[i])), math.Float64frombits(uint64(i64[i]))
		}
		d1, err := NewInt32(fileformat.Plain)
		check(t, r, p4, i32, decoder(t, d1, err))
		d1, err = NewInt32(fileformat.ByteStreamSplit)
		check(t, r, encodeSplit(s4, 4), i32, decoder(t, d1, err))
		d2, err := NewInt64(fileformat.Plain)
		check(t, r, p8, i64, decoder(t, d2, err))
		d2, err = NewInt64(fileformat.ByteStreamSplit)
		check(t, r, encodeSplit(s8, 8), i64, decoder(t, d2, err))
		d3, err := NewFloat(fileformat.Plain)
		check(t, r, p4, f32, decoder(t, d3, err))
		d3, err = NewFloat(fileformat.ByteStreamSplit)
		check(t, r, encodeSplit(s4, 4), f32, decoder(t, d3, err))
		d4, err := NewDouble(fileformat.Plain)
		check(t, r, p8, f64, decoder(t, d4, err))
		d4, err = NewDouble(fileformat.ByteStreamSplit)
		check(t, r, encodeSplit(s8, 8), f64, decoder(t, d4, err))
		d5, err := NewInt96(fileformat.Plain)
		check(t, r, p12, i96, decoder(t, d5, err))
	}
}

func TestALP(t *testing.T) {
	r := newRand(t)
	for _, n := range sizes {
		for _, log := range []int{3, 5, 10, 15} {
			f64, f32 := make([]float64, n), make([]float32, n)
			digits := r.IntN(6)
			for i := range f64 {
				f64[i] = float64(r.Int64N(1e9)-5e8) / decimalDouble(digits)
				f32[i] = float32(r.Int64N(1e5)-5e4) / decimalFloat(digits)
				switch r.IntN(40) {
				case 0:
					f64[i] = math.Float64frombits(r.Uint64())
					f32[i] = math.Float32frombits(r.Uint32())
				case 1:
					f64[i], f32[i] = math.Copysign(0, -1), float32(math.Inf(-1))
				}
			}
			e := digits + r.IntN(11-digits)
			f := e - digits
			t.Run(fmt.Sprintf("%d/%d/%d/%d", n, log, e, f), func(t *testing.T) {
				d, err := NewDouble(fileformat.ALP)
				check(t, r, encodeALPDouble(f64, e, f, log), f64, decoder(t, d, err))
				s, err := NewFloat(fileformat.ALP)
				check(t, r, encodeALPFloat(f32, e, f, log), f32, decoder(t, s, err))
			})
		}
	}
}

func TestPowersOfTen(t *testing.T) {
	for n := -18; n <= 18; n++ {
		if got, want := pow10[float64](n), decimalDouble(n); got != want {
			t.Errorf("10^%d is %x, want %x", n, got, want)
		}
		if got, want := pow10[float32](n), decimalFloat(n); got != want {
			t.Errorf("10^%d is %x, want %x", n, got, want)
		}
	}
}
