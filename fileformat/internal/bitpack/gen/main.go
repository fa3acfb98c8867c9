//go:build ignore

// Command main writes the unpacking kernels of package bitpack, one per width:
//
//	go run gen/main.go
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
)

// A kernel unpacks 32 values, which are a whole number of 4-byte words in any
// width, or a group of 8, which is a whole number of bytes.
const (
	values = 32
	eight  = 8
)

func main() {
	write("unpack_gen.go", func(b *bytes.Buffer) {
		b.WriteString(unpackComment)
		b.WriteString("func Unpack[T Int](dst []T, src []byte, w uint) {\n")
		dispatch(b, 64, func(w int) string { return fmt.Sprintf("unpack%d(dst, src)", w) })
		b.WriteString("}\n")
		for w := 1; w <= 64; w++ {
			fmt.Fprintf(b, "\nfunc unpack%d[T Int](values []T, packed []byte) {\n", w)
			fmt.Fprintf(b, "for len(values) >= %d {\n", values)
			fmt.Fprintf(b, "dst, src := (*[%d]T)(values), (*[%d]byte)(packed)\n", values, 4*w)
			kernel(b, w, values, func(i int, value string) {
				fmt.Fprintf(b, "dst[%d] = T(%s)\n", i, value)
			})
			fmt.Fprintf(b, "values, packed = values[%d:], packed[%d:]\n}\n}\n", values, 4*w)
		}
	})
	write("groups_gen.go", func(b *bytes.Buffer) {
		b.WriteString(groupsComment)
		b.WriteString("func UnpackGroups[T Int](dst []T, src []byte, w uint) int {\n")
		dispatch(b, 32, func(w int) string { return fmt.Sprintf("return groups%d(dst, src)", w) })
		b.WriteString("return 0\n}\n")
		for w := 1; w <= 32; w++ {
			fmt.Fprintf(b, "\nfunc groups%d[T Int](values []T, packed []byte) (n int) {\n", w)
			fmt.Fprintf(b, "for ; len(values) >= %d && len(packed) >= %d; n += %d {\n", eight, max(w, 8), eight)
			fmt.Fprintf(b, "dst, src := (*[%d]T)(values), (*[%d]byte)(packed)\n", eight, max(w, 8))
			kernel(b, w, eight, func(i int, value string) {
				fmt.Fprintf(b, "dst[%d] = T(%s)\n", i, value)
			})
			fmt.Fprintf(b, "values, packed = values[%d:], packed[%d:]\n}\nreturn n\n}\n", eight, w)
		}
	})
	write("bytes_gen.go", func(b *bytes.Buffer) {
		b.WriteString(bytesComment)
		b.WriteString("func unpackBytes(dst, src []byte, w uint) int {\nswitch w {\n")
		for w := 2; w <= 7; w++ {
			fmt.Fprintf(b, "case %d:\nreturn bytes%d(dst, src)\n", w, w)
		}
		b.WriteString("}\nreturn 0\n}\n")
		for w := 2; w <= 7; w++ {
			fmt.Fprintf(b, "\nfunc bytes%d(dst, src []byte) (n int) {\n", w)
			b.WriteString("for ; len(dst) >= 8 && len(src) >= 8; n += 8 {\n")
			b.WriteString("x := binary.LittleEndian.Uint64(src)\n")
			for lane := 64; lane > 8; lane /= 2 {
				halve(b, w, lane)
			}
			fmt.Fprintf(b, "binary.LittleEndian.PutUint64(dst, x)\ndst, src = dst[8:], src[%d:]\n}\nreturn n\n}\n", w)
		}
	})
	write("sum_gen.go", func(b *bytes.Buffer) {
		b.WriteString(sumComment)
		fmt.Fprintf(b, "func UnpackSum[T Int](dst *[%d]T, src []byte, w uint, last, add T) T {\n", values)
		dispatch(b, 64, func(w int) string {
			return fmt.Sprintf("return sum%d(dst, (*[%d]byte)(src), last, add)", w, 4*w)
		})
		b.WriteString("return last\n}\n")
		for w := 1; w <= 64; w++ {
			fmt.Fprintf(b, "\nfunc sum%d[T Int](dst *[%d]T, src *[%d]byte, last, add T) T {\n", w, values, 4*w)
			kernel(b, w, values, func(i int, value string) {
				fmt.Fprintf(b, "last += T(%s) + add\ndst[%d] = last\n", value, i)
			})
			b.WriteString("return last\n}\n")
		}
	})
}

const unpackComment = `// Unpack unpacks values of w bits from the beginning of src, 32 at a time: as
// many whole groups as dst has room for. src must hold them. w is 1 to 64, and
// at most 32 where T is int32.
`

const groupsComment = `// UnpackGroups unpacks values of w bits, 1 to 32, eight at a time: as many groups
// as dst has room for and src has bytes for, where the last may need up to seven
// bytes that are not its own. It returns how many values.
`

const sumComment = `// UnpackSum unpacks 32 values of w bits and makes of them a running sum: each is
// the one before (the first: last) plus the unpacked number plus add, wrapping
// around. It returns the last one. src and w are as for Unpack.
//
// This is DELTA_BINARY_PACKED in one pass. Unpacking first and summing in a
// second loop takes twice the time, for it writes and reads all values again.
`

const bytesComment = `// unpackBytes unpacks values of w bits, 2 to 7, to a byte each, eight at a time:
// as many groups as dst has room for and src has bytes for, where the last may
// need bytes that are not its own. It returns how many values.
//
// The values are moved within one word by halves: four of the eight go up to the
// upper 32 bits, then two of each four up by 16, then one of each two up by 8.
`

// halve writes one of these moves: the upper half of the values in each lane of
// the word goes to the upper half of the lane.
func halve(b *bytes.Buffer, w, lane int) {
	width := w * lane / 16 // bits of half of the values in a lane
	low := uint64(0)
	for at := 0; at < 64; at += lane {
		low |= (1<<width - 1) << at
	}
	fmt.Fprintf(b, "x = x&%#x | x&%#x<<%d\n", low, low<<width, lane/2-width)
}

// dispatch writes the selection of the kernel.
func dispatch(b *bytes.Buffer, widest int, call func(w int) string) {
	b.WriteString("switch w {\n")
	for w := 1; w <= widest; w++ {
		fmt.Fprintf(b, "case %d:\n%s\n", w, call(w))
	}
	b.WriteString("}\n")
}

// kernel writes straight-line code for n values of w bits: a load, then every
// value that lies wholly within the loaded word, then the next load. No load
// reaches beyond the last value, but that a group of eight has 8 bytes at least.
func kernel(b *bytes.Buffer, w, n int, emit func(i int, value string)) {
	size := n * w / 8
	if n == eight {
		size = max(size, 8)
	}
	if w%8 == 0 && w != 24 && w <= 32 || w == 64 {
		for i := range n {
			emit(i, load(i*w/8, w))
		}
		return
	}
	word := min(64, 8*size)
	declare := ":="
	for i := 0; i < n; {
		at := min(i*w/8, size-word/8)
		fmt.Fprintf(b, "x %s %s\n", declare, load(at, word))
		declare = "="
		if i*w-8*at+w > word { // 58 bits and more may lie in nine bytes
			shift := i*w - 8*at
			emit(i, fmt.Sprintf("(x >> %d | uint64(src[%d]) << %d) & (1<<%d - 1)", shift, at+8, 64-shift, w))
			i++
			continue
		}
		for ; i < n && i*w-8*at+w <= word; i++ {
			shift := i*w - 8*at
			value := "x"
			if shift > 0 {
				value = fmt.Sprintf("x >> %d", shift)
			}
			if shift+w < word {
				value += fmt.Sprintf(" & (1<<%d - 1)", w)
			}
			emit(i, value)
		}
	}
}

func load(at, bits int) string {
	if bits == 8 {
		return fmt.Sprintf("src[%d]", at)
	}
	return fmt.Sprintf("binary.LittleEndian.Uint%d(src[%d:%d])", bits, at, at+bits/8)
}

func write(name string, body func(*bytes.Buffer)) {
	var b bytes.Buffer
	b.WriteString("// Code generated by gen/main.go; DO NOT EDIT.\n\npackage bitpack\n\nimport \"encoding/binary\"\n\n")
	body(&b)
	out, err := format.Source(b.Bytes())
	if err != nil {
		log.Fatalf("%v\n%s", err, b.Bytes())
	}
	if err := os.WriteFile(name, out, 0o644); err != nil {
		log.Fatal(err)
	}
}
