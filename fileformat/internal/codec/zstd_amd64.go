//go:build !noasm && !nounsafe

package codec

// zstdAssembly says whether the processor has the instructions of zstdFast: BMI2,
// which Intel makes since 2013 and AMD since 2015.
var zstdAssembly = hasBMI2()

// zstdIn is how many bytes before the first one of the bits zstdFast may look at:
// those of which bits are in the word already, and the 8 that it loads. Headers
// are before the bits, but in a page's first block there may be fewer.
//
//lint:ignore U1000 the assembly uses it
const zstdIn = 7 + 8

// zstdFast decodes sequences of the n that are left, as sequence does, as long as
// nothing can go over the end of the literals or of the output, but not the last
// one, for no states follow it. It tells how many are left then, and whether all
// offsets were right. At the end of the input it takes bytes before the first one
// for bits, and stops once it has used some.
//
// The loop is bound by how many instructions a sequence takes. BMI2 shifts by the
// lowest bits of any register and keeps as many bits as any register's lowest say;
// the compiler needs four instructions for that, six times a sequence, and has
// half of what is alive on the stack.
//
//go:noescape
func zstdFast(d *zstdDecoder, n int) (left int, ok bool)

func hasBMI2() bool
