// Package le moves little-endian bytes in and out of Go values as fast as memory
// allows. It holds every use of package unsafe below fileformat, so that its
// callers read like arithmetic.
//
// unsafe.go is for little-endian machines, where the bytes of the file already
// are the bytes of the value. safe.go does the same without package unsafe; it
// is used under the build tag nounsafe and on big-endian machines, and is the
// reference when the two are in doubt.
package le

// Word32 and Word64 are the types whose bits are 4 and 8 bytes of a file.
type Word32 interface{ int32 | float32 }

// Word64 is Word32 for 8 bytes.
type Word64 interface{ int64 | float64 }
