//go:build !noasm && !nounsafe

package codec

// zstdAssembly says whether the processor has the instructions of zstdFast: BMI2,
// which Intel makes since 2013 and AMD since 2015.
var zstdAssembly = hasBMI2()

// zstdFast does what fast does, in half the time. The loop is bound by how many
// instructions a sequence takes. BMI2 shifts by the lowest bits of any register
// and keeps as many bits as any register's lowest say; the compiler needs four
// instructions for that, six times a sequence, and has half of what is alive on
// the stack.
//
//go:noescape
func zstdFast(d *zstdDecoder, n int) (left int, ok bool)

func hasBMI2() bool
