package encoding

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// benchValues is the number of values per page: 65,536, read 2,048 at a time, as a
// scan does.
const benchValues, benchBatch = 1 << 16, 2048

// benchmark reports values and bytes per second; size is the bytes of all values.
func benchmark[T any](b *testing.B, name string, size int, open func() (source[T], error)) {
	b.Run(name, func(b *testing.B) {
		dst := make([]T, benchBatch)
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			d, err := open()
			if err != nil {
				b.Fatal(err)
			}
			for at := 0; at < benchValues; {
				k, err := d.Decode(dst)
				if err != nil || k == 0 {
					b.Fatal(k, err)
				}
				at += k
			}
		}
		b.ReportMetric(benchValues*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
	})
}

func benchOpen[T any](b *testing.B, page []byte, d Decoder[T], err error) func() (source[T], error) {
	if err != nil {
		b.Fatal(err)
	}
	return func() (source[T], error) { return d, d.Reset(page, benchValues) }
}

// steps is a sequence whose deltas take that many bits.
func steps(r *rand.Rand, bits int) []int64 {
	out, last := make([]int64, benchValues), int64(0)
	for i := range out {
		last += int64(r.Uint64() >> 1 & (1<<bits - 1))
		out[i] = last
	}
	return out
}

func BenchmarkNumbers(b *testing.B) {
	const n = benchValues
	r := rand.New(rand.NewPCG(1, 2))
	raw := make([]byte, 12*n)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	i32, err := NewInt32(fileformat.Plain)
	benchmark(b, "int32/PLAIN", 4*n, benchOpen(b, raw[:4*n], i32, err))
	i64, err := NewInt64(fileformat.Plain)
	benchmark(b, "int64/PLAIN", 8*n, benchOpen(b, raw[:8*n], i64, err))
	i96, err := NewInt96(fileformat.Plain)
	benchmark(b, "int96/PLAIN", 12*n, benchOpen(b, raw, i96, err))
	bools, err := NewBool(fileformat.Plain)
	benchmark(b, "bool/PLAIN", n, benchOpen(b, raw[:n/8], bools, err))
	f32, err := NewFloat(fileformat.ByteStreamSplit)
	benchmark(b, "float/BYTE_STREAM_SPLIT", 4*n, benchOpen(b, raw[:4*n], f32, err))
	f64, err := NewDouble(fileformat.ByteStreamSplit)
	benchmark(b, "double/BYTE_STREAM_SPLIT", 8*n, benchOpen(b, raw[:8*n], f64, err))
	fixed, err := NewFixed(fileformat.ByteStreamSplit, 12)
	benchmark(b, "fixed12/BYTE_STREAM_SPLIT", 12*n, benchOpen(b, raw, fixed, err))
	fixed, err = NewFixed(fileformat.Plain, 12)
	benchmark(b, "fixed12/PLAIN", 12*n, benchOpen(b, raw, fixed, err))
	for _, bits := range []int{0, 3, 8, 13, 24} {
		values := steps(r, bits)
		i32, err = NewInt32(fileformat.DeltaBinaryPacked)
		for i := range values {
			values[i] = int64(int32(values[i]))
		}
		benchmark(b, fmt.Sprintf("int32/DELTA_BINARY_PACKED/%d", bits), 4*n, benchOpen(b, encodeDelta(r, values, 32, 128, 4, false), i32, err))
		i64, err = NewInt64(fileformat.DeltaBinaryPacked)
		benchmark(b, fmt.Sprintf("int64/DELTA_BINARY_PACKED/%d", bits), 8*n, benchOpen(b, encodeDelta(r, steps(r, bits), 64, 128, 4, false), i64, err))
	}
	prices, temperatures := make([]float64, n), make([]float32, n)
	for i := range prices {
		prices[i] = float64(r.IntN(1e7)) / 100
		temperatures[i] = float32(r.IntN(1000)) / 10
	}
	f64, err = NewDouble(fileformat.ALP)
	benchmark(b, "double/ALP", 8*n, benchOpen(b, encodeALPDouble(prices, 4, 2, 10), f64, err))
	f32, err = NewFloat(fileformat.ALP)
	benchmark(b, "float/ALP", 4*n, benchOpen(b, encodeALPFloat(temperatures, 3, 2, 10), f32, err))
}

func BenchmarkByteArrays(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]string, benchValues)
	for i := range values {
		values[i] = fmt.Sprintf("https://example.org/%d/%x", i/20, r.Uint32()>>(8*r.IntN(3)))
	}
	size := len(strings.Join(values, ""))
	d, err := NewBytes(fileformat.Plain)
	benchmark(b, "PLAIN", size, benchOpen(b, encodePlainBytes(values), d, err))
	d, err = NewBytes(fileformat.DeltaLengthByteArray)
	benchmark(b, "DELTA_LENGTH_BYTE_ARRAY", size, benchOpen(b, encodeDeltaLength(r, values), d, err))
	d, err = NewBytes(fileformat.DeltaByteArray)
	benchmark(b, "DELTA_BYTE_ARRAY", size, benchOpen(b, encodeDeltaByteArray(r, values), d, err))
}

// BenchmarkHybrid has names of kind/width/run: how many values are the same in a
// row, on average.
func BenchmarkHybrid(b *testing.B) {
	const n = benchValues
	r := rand.New(rand.NewPCG(1, 2))
	for _, w := range []int{1, 2, 7, 17} {
		for _, run := range []int{1, 5, 500} {
			dictLen := 1<<w - w/3 // if it is not a power of two, codes must be checked
			values := make([]uint64, n)
			for i := range values {
				if values[i] = uint64(r.IntN(dictLen)); i > 0 && r.IntN(run) > 0 {
					values[i] = values[i-1]
				}
			}
			data := encodeHybrid(r, values, w)
			if run == 1 {
				data = append(binary.AppendUvarint(nil, n/8<<1|1), packBits(values, w)...)
			}
			var x Indices
			page := append([]byte{byte(w)}, data...)
			benchmark(b, fmt.Sprintf("indices/%d/%d", w, run), 4*n, func() (source[int32], error) { return &x, x.Reset(page, dictLen, n) })
			if w > 2 {
				continue
			}
			var l Levels
			reset := func() error { return l.Reset(data, uint8(1<<w-1), n) }
			benchmark(b, fmt.Sprintf("levels/%d/%d", w, run), n, func() (source[uint8], error) { return &l, reset() })
			benchmark(b, fmt.Sprintf("validity/%d/%d", w, run), n/8, func() (source[uint64], error) {
				return &validity{&l, make([]uint64, benchBatch/64)}, reset()
			})
		}
	}
}

// validity delivers a batch of levels as a bitmap.
type validity struct {
	*Levels
	bitmap []uint64
}

func (v *validity) Decode(dst []uint64) (int, error) {
	_, err := v.DecodeValidity(v.bitmap, 0, len(dst))
	return len(dst), err
}
