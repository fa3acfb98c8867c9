package interleave

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// TestExample is the example of the format ("Byte Stream Split").
func TestExample(t *testing.T) {
	streams := []byte{0xAA, 0x00, 0xA3, 0xBB, 0x11, 0xB4, 0xCC, 0x22, 0xC5, 0xDD, 0x33, 0xD6}
	want := []byte{0xAA, 0xBB, 0xCC, 0xDD, 0x00, 0x11, 0x22, 0x33, 0xA3, 0xB4, 0xC5, 0xD6}
	got := make([]int32, 3)
	Words32(got, streams, 3)
	if out := binary.LittleEndian.AppendUint32(nil, uint32(got[0])); !bytes.Equal(out, want[:4]) {
		t.Errorf("Words32 gives %x first, want %x", out, want[:4])
	}
	out := make([]byte, 12)
	if Bytes(out, 4, streams, 3); !bytes.Equal(out, want) {
		t.Errorf("Bytes gives %x, want %x", out, want)
	}
}

// TestAllLengths compares every function with the definition, byte by byte, and
// checks that no byte before or after the values was written.
func TestAllLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 100 {
		for _, more := range []int{0, 1, 37} {
			stride := n + more
			src := make([]byte, 17*stride+1)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			src = src[1:] // at an odd address
			for size := 1; size <= 17; size++ {
				want := make([]byte, n*size)
				for i := range n {
					for j := range size {
						want[i*size+j] = src[j*stride+i]
					}
				}
				streams := src[:max(0, (size-1)*stride+n)]
				if n == 0 {
					streams = nil
				}
				got := bytes.Repeat([]byte{0x5A}, n*size+2)
				Bytes(got[1:n*size+1], size, streams, stride)
				check(t, "Bytes", n, stride, got, want)
				switch size {
				case 4:
					checkWords(t, "Words32 of integers", n, stride, int32(sentinel32), func(v []int32) { Words32(v, streams, stride) }, want)
					checkWords(t, "Words32 of floats", n, stride, math.Float32frombits(sentinel32), func(v []float32) { Words32(v, streams, stride) }, want)
				case 8:
					checkWords(t, "Words64 of integers", n, stride, int64(sentinel64), func(v []int64) { Words64(v, streams, stride) }, want)
					checkWords(t, "Words64 of floats", n, stride, math.Float64frombits(sentinel64), func(v []float64) { Words64(v, streams, stride) }, want)
				}
			}
		}
	}
}

const sentinel32, sentinel64 = 0x5A5A5A5A, 0x5A5A5A5A5A5A5A5A

// checkWords reads n values between two sentinels and compares their bytes.
func checkWords[T any](t *testing.T, what string, n, stride int, sentinel T, read func([]T), want []byte) {
	t.Helper()
	values := make([]T, n+2)
	values[0], values[n+1] = sentinel, sentinel
	read(values[1 : n+1])
	got, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		t.Fatal(err)
	}
	rest := binary.Size(sentinel) - 1
	check(t, what, n, stride, got[rest:len(got)-rest], want)
}

// check compares what is between two bytes 0x5A.
func check(t *testing.T, what string, n, stride int, got, want []byte) {
	t.Helper()
	if got[0] != 0x5A || got[len(got)-1] != 0x5A || !bytes.Equal(got[1:len(got)-1], want) {
		t.Fatalf("%s: %d values, %d apart: %x, want %x", what, n, stride, got, want)
	}
}

// TestShort checks that a source that is too short is refused before it is read.
func TestShort(t *testing.T) {
	for name, read := range map[string]func(){
		"Words32": func() { Words32(make([]int32, 32), make([]byte, 127), 32) },
		"Words64": func() { Words64(make([]int64, 32), make([]byte, 255), 32) },
		"Bytes":   func() { Bytes(make([]byte, 32*5), 5, make([]byte, 159), 32) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s reads past the end", name)
				}
			}()
			read()
		}()
	}
}
