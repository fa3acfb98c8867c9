package encoding

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// agree compares a decoder with the values that the reference found: it must
// deliver these in steps of some length, and no further value if up to n values are
// requested.
func agree[T any](t *testing.T, open func() (source[T], error), want []T, n int) {
	t.Helper()
	d, err := open()
	if err != nil {
		if len(want) > 0 {
			t.Fatalf("Reset: %v, reference has %d values", err, len(want))
		}
		return
	}
	got, err := drain(d, len(want), 50)
	if err != nil {
		t.Fatalf("%v, reference has %d values", err, len(want))
	}
	same(t, "values", got, want)
	if len(want) < n {
		if d, err = open(); err != nil {
			t.Fatal(err)
		}
		if got, err = drain(d, n, n); err == nil {
			t.Fatalf("%d values, reference has %d", len(got), len(want))
		}
	}
	if d, err = open(); err == nil {
		if k, err := d.Skip(len(want) / 2); err != nil || k != len(want)/2 {
			t.Fatalf("Skip(%d): %d, %v", len(want)/2, k, err)
		}
		if got, err = drain(d, len(want)-len(want)/2, n); err != nil {
			t.Fatalf("after Skip: %v", err)
		}
		same(t, "after Skip", got, want[len(want)/2:])
	}
}

// agreeAll is agree for encodings in which the reference refuses a page with any
// error, but a decoder reports the error only when it reaches it.
func agreeAll[T any](t *testing.T, open func() (source[T], error), want []T, ok bool, n int) {
	t.Helper()
	if ok {
		agree(t, open, want, n)
		return
	}
	if d, err := open(); err == nil {
		if got, err := drain(d, n, 50); err == nil && n > 0 {
			t.Fatalf("%d values, reference has an error", len(got))
		}
	}
}

func opener[T any](t *testing.T, data []byte, n int, d Decoder[T], err error) func() (source[T], error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return func() (source[T], error) { return d, d.Reset(data, n) }
}

var fuzzRand = func() *rand.Rand { return rand.New(rand.NewPCG(7, 7)) }

func FuzzHybrid(f *testing.F) {
	r := fuzzRand()
	for _, w := range []int{0, 1, 2, 3, 7, 8, 12, 32} {
		values := make([]uint64, 300)
		for i := range values {
			values[i] = uint64(i/20) & (1<<w - 1)
		}
		f.Add(encodeHybrid(r, values, w), uint8(w), uint32(1)<<min(w, 31), uint16(300))
	}
	f.Fuzz(func(t *testing.T, data []byte, width uint8, limit uint32, n16 uint16) {
		n := int(n16)
		w := int(width % 33)
		dictLen := int(limit & math.MaxInt32)
		values := naiveHybrid(data, w, n)
		var codes []int32
		for _, v := range values {
			if v >= uint64(dictLen) {
				break
			}
			codes = append(codes, int32(v))
		}
		var x Indices
		if page := append([]byte{byte(w)}, data...); len(data) > 0 && len(codes) == len(values) {
			agree(t, func() (source[int32], error) { return &x, x.Reset(page, dictLen, n) }, codes, n)
		} else if len(data) > 0 {
			_ = x.Reset(page, dictLen, n)
			if _, err := drain(&x, len(codes)+1, 50); err == nil {
				t.Fatal("code beyond the dictionary")
			}
		}
		if w == 1 {
			fuzzBools(t, data, values, n)
		}
		if w > 0 && w <= 8 {
			fuzzLevels(t, data, values, uint8(1<<(w-1)|int(limit)&(1<<(w-1)-1)), n)
		}
	})
}

func fuzzBools(t *testing.T, data []byte, values []uint64, n int) {
	bools := make([]bool, len(values))
	for i, v := range values {
		bools[i] = v != 0
	}
	d, err := NewBool(fileformat.RLE)
	page := append(binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data...)
	agree(t, opener(t, page, n, d, err), bools, n)
}

func fuzzLevels(t *testing.T, data []byte, values []uint64, limit uint8, n int) {
	var levels []uint8
	for _, v := range values {
		if v > uint64(limit) {
			break
		}
		levels = append(levels, uint8(v))
	}
	var l Levels
	if len(levels) == len(values) {
		agree(t, func() (source[uint8], error) { return &l, l.Reset(data, limit, n) }, levels, n)
	}
	_ = l.Reset(data, limit, n)
	bitmap := make([]uint64, n/64+2)
	ones, err := l.DecodeValidity(bitmap, 3, len(levels))
	if err != nil {
		t.Fatalf("DecodeValidity: %v", err)
	}
	for i, v := range levels {
		bit := bitmap[(i+3)/64]>>((i+3)%64)&1 != 0
		if bit != (v == limit) {
			t.Fatalf("bit %d is %v, level %d of %d", i, bit, v, limit)
		}
		if bit {
			ones--
		}
	}
	if ones != 0 {
		t.Fatalf("DecodeValidity: count off by %d", ones)
	}
	_ = l.Reset(data, limit, n)
	if zeros, err := l.CountZeros(len(levels)); err != nil || zeros != bytes.Count(levels, []byte{0}) {
		t.Fatalf("CountZeros: %d, %v", zeros, err)
	}
	if len(levels) < n {
		_ = l.Reset(data, limit, n)
		if _, err := l.DecodeValidity(bitmap, 3, n); err == nil {
			t.Fatal("DecodeValidity of more levels than there are")
		}
	}
}

func FuzzBitPacked(f *testing.F) {
	f.Add([]byte{0b00000101, 0b00111001, 0b01110111}, uint8(7), uint16(8))
	f.Fuzz(func(t *testing.T, data []byte, limit uint8, n16 uint16) {
		n, w := int(n16), bits.Len8(limit)
		var levels []uint8
		for i := range n {
			v := uint8(0)
			if (i+1)*w > 8*len(data) {
				break
			}
			for b := range w {
				bit := i*w + b
				v = v<<1 | data[bit/8]>>(7-bit%8)&1
			}
			if v > limit {
				return
			}
			levels = append(levels, v)
		}
		var l Levels
		agree(t, func() (source[uint8], error) { return &l, l.ResetBitPacked(data, limit, n) }, levels, n)
	})
}

func FuzzDeltaBinaryPacked(f *testing.F) {
	r := fuzzRand()
	for _, n := range []int{0, 1, 33, 300} {
		f.Add(encodeDelta(r, randomInts(r, n, 64), 64, 128, 4, false), uint16(n))
		f.Add(encodeDelta(r, randomInts(r, n, 32), 32, 8, 1, true), uint16(n))
	}
	f.Fuzz(func(t *testing.T, data []byte, n16 uint16) {
		n := int(n16)
		if len(data) == 0 {
			return
		}
		wide, _, all := naiveDelta(data, 64, n)
		d64, err := NewInt64(fileformat.DeltaBinaryPacked)
		agreeAll(t, opener(t, data, n, d64, err), wide, all, n)
		values, _, all := naiveDelta(data, 32, n)
		narrow := make([]int32, len(values))
		for i, v := range values {
			narrow[i] = int32(v)
		}
		d32, err := NewInt32(fileformat.DeltaBinaryPacked)
		agreeAll(t, opener(t, data, n, d32, err), narrow, all, n)
	})
}

func FuzzDeltaLengthByteArray(f *testing.F) {
	r := fuzzRand()
	for _, n := range []int{0, 1, 33, 300} {
		f.Add(encodeDeltaLength(r, randomStrings(r, n, 9)), uint16(n))
	}
	f.Fuzz(func(t *testing.T, data []byte, n16 uint16) {
		n := int(n16)
		if len(data) == 0 {
			return
		}
		want, ok := naiveDeltaLength(data, n)
		d, err := NewBytes(fileformat.DeltaLengthByteArray)
		agreeAll(t, opener(t, data, n, d, err), want, ok, n)
	})
}

func FuzzDeltaByteArray(f *testing.F) {
	r := fuzzRand()
	for _, n := range []int{0, 1, 33, 300} {
		f.Add(encodeDeltaByteArray(r, randomStrings(r, n, 9)), uint8(200), uint16(n))
	}
	f.Add(encodeDeltaByteArray(r, []string{"abc", "abd", "xyz", "xyz"}), uint8(3), uint16(4))
	f.Fuzz(func(t *testing.T, data []byte, length uint8, n16 uint16) {
		n := int(n16)
		if len(data) == 0 {
			return
		}
		want, ok := naiveDeltaByteArray(data, n)
		d, err := NewBytes(fileformat.DeltaByteArray)
		agreeAll(t, opener(t, data, n, d, err), want, ok, n)
		for _, v := range want {
			ok = ok && len(v) == int(length)
		}
		d, err = NewFixed(fileformat.DeltaByteArray, int(length))
		agreeAll(t, opener(t, data, n, d, err), want, ok, n)
	})
}

func FuzzPlain(f *testing.F) {
	f.Add(encodePlainBytes([]string{"a", "", "bcd"}), uint8(2), uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, length uint8, n16 uint16) {
		n := int(n16)
		var texts, fixed []string
		for rest := data; len(texts) < n && len(rest) >= 4; {
			size := uint64(binary.LittleEndian.Uint32(rest))
			if size > uint64(len(rest)-4) {
				break
			}
			texts = append(texts, string(rest[4:4+size]))
			rest = rest[4+size:]
		}
		for i := 0; i < n && (i+1)*int(length) <= len(data); i++ {
			fixed = append(fixed, string(data[i*int(length):(i+1)*int(length)]))
		}
		d, err := NewBytes(fileformat.Plain)
		agree(t, opener(t, data, n, d, err), texts, n)
		d, err = NewFixed(fileformat.Plain, int(length))
		agree(t, opener(t, data, n, d, err), fixed, n)
		bools := make([]bool, min(n, 8*len(data)))
		for i := range bools {
			bools[i] = data[i/8]>>(i%8)&1 != 0
		}
		b, err := NewBool(fileformat.Plain)
		agree(t, opener(t, data, n, b, err), bools, n)
		ints := make([]int32, min(n, len(data)/4))
		_ = binary.Read(bytes.NewReader(data), binary.LittleEndian, ints)
		i32, err := NewInt32(fileformat.Plain)
		agree(t, opener(t, data, n, i32, err), ints, n)
		doubles := make([]float64, min(n, len(data)/8))
		_ = binary.Read(bytes.NewReader(data), binary.LittleEndian, doubles)
		f64, err := NewDouble(fileformat.Plain)
		agree(t, opener(t, data, n, f64, err), doubles, n)
		wide := make([]Int96, min(n, len(data)/12))
		_ = binary.Read(bytes.NewReader(data), binary.LittleEndian, wide)
		i96, err := NewInt96(fileformat.Plain)
		agree(t, opener(t, data, n, i96, err), wide, n)
	})
}

func FuzzByteStreamSplit(f *testing.F) {
	data := make([]byte, 12*40)
	for i := range data {
		data[i] = byte(i * 7)
	}
	f.Add(data, uint8(12), uint16(120))
	f.Add(data[:60], uint8(4), uint16(15))
	f.Fuzz(func(t *testing.T, data []byte, length uint8, n16 uint16) {
		size, n := max(int(length), 1), int(n16)
		value := func(size, i int) (v []byte) {
			for j := range size {
				v = append(v, data[j*(len(data)/size)+i])
			}
			return v
		}
		count := func(size int) int {
			if len(data)%size != 0 || len(data)/size > n {
				return 0
			}
			return len(data) / size
		}
		texts := make([]string, count(size))
		for i := range texts {
			texts[i] = string(value(size, i))
		}
		d, err := NewFixed(fileformat.ByteStreamSplit, size)
		agree(t, opener(t, data, n, d, err), texts, n)
		floats := make([]float32, count(4))
		for i := range floats {
			floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(value(4, i)))
		}
		f32, err := NewFloat(fileformat.ByteStreamSplit)
		agree(t, opener(t, data, n, f32, err), floats, n)
		ints := make([]int64, count(8))
		for i := range ints {
			ints[i] = int64(binary.LittleEndian.Uint64(value(8, i)))
		}
		i64, err := NewInt64(fileformat.ByteStreamSplit)
		agree(t, opener(t, data, n, i64, err), ints, n)
	})
}

func FuzzALP(f *testing.F) {
	f.Add(alpExample(), uint16(4))
	doubles, floats := make([]float64, 70), make([]float32, 70)
	for i := range doubles {
		doubles[i], floats[i] = float64(i*i)/100, float32(i)/10
	}
	doubles[9], floats[60] = math.Pi, float32(math.Inf(1))
	f.Add(encodeALPDouble(doubles, 4, 2, 5), uint16(70))
	f.Add(encodeALPFloat(floats, 3, 2, 3), uint16(70))
	f.Fuzz(func(t *testing.T, data []byte, n16 uint16) {
		n := int(n16)
		if len(data) == 0 {
			return
		}
		words, ok := naiveALP(data, 8, n)
		wide := make([]float64, len(words))
		for i, v := range words {
			wide[i] = math.Float64frombits(v)
		}
		d64, err := NewDouble(fileformat.ALP)
		agreeAll(t, opener(t, data, n, d64, err), wide, ok, n)
		words, ok = naiveALP(data, 4, n)
		narrow := make([]float32, len(words))
		for i, v := range words {
			narrow[i] = math.Float32frombits(uint32(v))
		}
		d32, err := NewFloat(fileformat.ALP)
		agreeAll(t, opener(t, data, n, d32, err), narrow, ok, n)
	})
}
