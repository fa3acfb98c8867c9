package le

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// The same test runs with and without the build tag nounsafe.
func TestCopies(t *testing.T) {
	src := make([]byte, 8*5)
	for i := range src {
		src[i] = byte(i*29 + 3)
	}
	f32, i64 := make([]float32, 5), make([]int64, 5)
	wide := make([][12]byte, 3)
	Copy32(f32, src[1:])
	Copy64(i64, src)
	Copy96(wide, src[2:])
	for i := range f32 {
		if want := binary.LittleEndian.Uint32(src[1+4*i:]); math.Float32bits(f32[i]) != want {
			t.Errorf("Copy32: value %d is %x, want %x", i, math.Float32bits(f32[i]), want)
		}
		if want := binary.LittleEndian.Uint64(src[8*i:]); uint64(i64[i]) != want {
			t.Errorf("Copy64: value %d is %x, want %x", i, i64[i], want)
		}
	}
	for i, v := range wide {
		if string(v[:]) != string(src[2+12*i:14+12*i]) {
			t.Errorf("Copy96: value %d is %x", i, v)
		}
	}
	Copy32(f32[:0], nil)
	if got := Uint32(src, 5); got != binary.LittleEndian.Uint32(src[5:]) {
		t.Errorf("Uint32: %x", got)
	}
	if got := Uint64(src, 7); got != binary.LittleEndian.Uint64(src[7:]) {
		t.Errorf("Uint64: %x", got)
	}
	if String(nil) != "" || String(src[:3]) != string(src[:3]) {
		t.Error("String")
	}
}

// TestViews compares views with copies; safe code returns no views.
func TestViews(t *testing.T) {
	src := make([]byte, 8*5+3)
	for i := range src {
		src[i] = byte(i*37 + 5)
	}
	for at := range 4 {
		from := src[at:]
		f32, i64, wide := make([]float32, 5), make([]int64, 5), make([][12]byte, 3)
		Copy32(f32, from)
		Copy64(i64, from)
		Copy96(wide, from)
		if got := View32[float32](from, 5); got != nil && !slices.Equal(got, f32) {
			t.Errorf("View32 at %d: %v, want %v", at, got, f32)
		}
		if got := View64[int64](from, 5); got != nil && !slices.Equal(got, i64) {
			t.Errorf("View64 at %d: %v, want %v", at, got, i64)
		}
		if got := View96[[12]byte](from, 3); got != nil && !slices.Equal(got, wide) {
			t.Errorf("View96 at %d: %v, want %v", at, got, wide)
		}
	}
	if View64[int64](nil, 0) != nil {
		t.Error("a view of no values is not nil")
	}
}

// TestMoves copies between overlapping ranges.
func TestMoves(t *testing.T) {
	b := []byte("abcdefghijklmnopqrstuvwxyz")
	Move8(b, 3, b, 0)
	if string(b) != "abcabcdefghlmnopqrstuvwxyz" {
		t.Errorf("Move8: %s", b)
	}
	Move16(b, 5, b, 2)
	if string(b) != "abcabcabcdefghlmnopqrvwxyz" {
		t.Errorf("Move16: %s", b)
	}
}

func TestBits(t *testing.T) {
	var f float64
	Set64(&f, math.Float64bits(-0.5))
	var i int32
	Set32(&i, 0xFFFFFFFE)
	if f != -0.5 || i != -2 {
		t.Errorf("got %v, %v", f, i)
	}
	var b [8]bool
	SetBools(&b, 0x01_00_00_01_01_00_00_01)
	if b != [8]bool{true, false, false, true, true, false, false, true} {
		t.Errorf("got %v", b)
	}
}

func TestAllAtMost(t *testing.T) {
	for _, limit := range []int32{0, 1, 77, math.MaxInt32 - 1, math.MaxInt32} {
		for i := range 32 {
			var codes [32]int32
			codes[i] = limit
			if !AllAtMost(&codes, limit) {
				t.Errorf("limit %d: refuses itself at %d", limit, i)
			}
			if limit == math.MaxInt32 {
				continue
			}
			for _, over := range []int32{limit + 1, math.MaxInt32} {
				if codes[i] = over; AllAtMost(&codes, limit) {
					t.Errorf("limit %d: takes %d at %d", limit, over, i)
				}
			}
		}
	}
}

// TestBytes checks the memory of values, if it can be accessed.
func TestBytes(t *testing.T) {
	f32, i64 := []float32{1, -2.5}, []int64{-7, 1 << 40}
	if b := Bytes32(f32); b != nil && (len(b) != 8 || binary.LittleEndian.Uint32(b[4:]) != math.Float32bits(-2.5)) {
		t.Errorf("Bytes32: %x", b)
	}
	if b := Bytes64(i64); b != nil && (len(b) != 16 || binary.LittleEndian.Uint64(b[8:]) != 1<<40) {
		t.Errorf("Bytes64: %x", b)
	}
}
