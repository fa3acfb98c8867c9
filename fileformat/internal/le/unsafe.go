//go:build !nounsafe && (386 || amd64 || arm || arm64 || loong64 || mipsle || mips64le || ppc64le || riscv64 || wasm)

package le

import (
	"encoding/binary"
	"runtime"
	"unsafe"
)

// String is b as a string that shares its memory: b must never change again.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Uint32 is the 4 bytes at b[at]. The caller has checked that they are there. This
// saves the check and, more important, the three instructions with which b[at:] keeps
// its pointer within b: they cost time where each address comes from the load before.
func Uint32(b []byte, at int) uint32 {
	p := (*[4]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at))
	return binary.LittleEndian.Uint32(p[:])
}

// Uint64 is Uint32 for 8 bytes.
func Uint64(b []byte, at int) uint64 {
	p := (*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at))
	return binary.LittleEndian.Uint64(p[:])
}

// Move8 copies 8 bytes from src[from] to dst[to], which may overlap. The caller
// has checked that they are there.
func Move8(dst []byte, to int, src []byte, from int) {
	*(*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), to)) = *(*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), from))
}

// Move16 is Move8 for 16 bytes.
func Move16(dst []byte, to int, src []byte, from int) {
	*(*[16]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), to)) = *(*[16]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), from))
}

// Copy32 fills dst from the first 4*len(dst) bytes of src.
func Copy32[T Word32](dst []T, src []byte) {
	copy(Bytes32(dst), src[:4*len(dst)])
}

// Copy64 fills dst from the first 8*len(dst) bytes of src.
func Copy64[T Word64](dst []T, src []byte) {
	copy(Bytes64(dst), src[:8*len(dst)])
}

// Copy96 fills dst from the first 12*len(dst) bytes of src.
func Copy96[T ~[12]byte](dst []T, src []byte) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), 12*len(dst)), src[:12*len(dst)])
}

// View32 is the first n values of src, 4 bytes each, in src's memory: src must not
// change while the view is in use, and the view must not be written to. It is nil if
// n is 0, and if the machine may need an address that is divisible by their size.
func View32[T Word32](src []byte, n int) []T {
	return view[T](unsafe.Pointer(unsafe.SliceData(src[:4*n])), n)
}

// View64 is View32 for 8 bytes.
func View64[T Word64](src []byte, n int) []T {
	return view[T](unsafe.Pointer(unsafe.SliceData(src[:8*n])), n)
}

// View96 is View32 for 12 bytes, which may lie anywhere.
func View96[T ~[12]byte](src []byte, n int) []T {
	return view[T](unsafe.Pointer(unsafe.SliceData(src[:12*n])), n)
}

// Bytes32 is the memory of v as bytes; without package unsafe it is always nil.
func Bytes32[T Word32](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}

// Bytes64 is Bytes32 for 8 bytes.
func Bytes64[T Word64](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v))
}

// anyAddress says that the machine's ordinary loads and stores work at any address.
const anyAddress = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386"

func view[T any](p unsafe.Pointer, n int) []T {
	var one T
	if n == 0 || !anyAddress && uintptr(p)%unsafe.Alignof(one) != 0 {
		return nil
	}
	return unsafe.Slice((*T)(p), n)
}

// Set32 gives *p the bits of v.
func Set32[T Word32](p *T, v uint32) { *(*uint32)(unsafe.Pointer(p)) = v }

// Set64 gives *p the bits of v.
func Set64[T Word64](p *T, v uint64) { *(*uint64)(unsafe.Pointer(p)) = v }

// SetBools sets the eight booleans from the eight bytes of v, the lowest first,
// each 0 or 1.
func SetBools(dst *[8]bool, v uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Pointer(dst))[:], v)
}

// AllAtMost reports whether each of the codes, none of which is negative, is at
// most limit.
func AllAtMost(codes *[32]int32, limit int32) bool {
	// Two codes per word. A lane of limits has its highest bit set and so is above any
	// code: no lane borrows from its neighbour, and the bit stays set after the
	// subtraction unless the code is above the limit.
	const high = 1<<63 | 1<<31
	l := (uint64(uint32(limit))<<32 | uint64(uint32(limit))) | high
	w := (*[16][8]byte)(unsafe.Pointer(codes))
	a := (l - load(&w[0])) & (l - load(&w[1])) & (l - load(&w[2])) & (l - load(&w[3]))
	b := (l - load(&w[4])) & (l - load(&w[5])) & (l - load(&w[6])) & (l - load(&w[7]))
	a &= (l - load(&w[8])) & (l - load(&w[9])) & (l - load(&w[10])) & (l - load(&w[11]))
	b &= (l - load(&w[12])) & (l - load(&w[13])) & (l - load(&w[14])) & (l - load(&w[15]))
	return a&b&high == high
}

func load(b *[8]byte) uint64 { return binary.LittleEndian.Uint64(b[:]) }
