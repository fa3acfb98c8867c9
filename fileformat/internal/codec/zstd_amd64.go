//go:build !noasm && !nounsafe

package codec

// zstdAssembly says whether the processor has the instructions of zstdFast: BMI2,
// which Intel makes since 2013 and AMD since 2015.
var zstdAssembly = hasBMI2()

// zstdFast is fast, which see. That loop is bound by the number of its
// instructions. Those of BMI2 shift by any register's lowest bits and cut off at
// as many others, where the compiler needs four for each of the six values of a
// sequence and has no registers left for half of them: it takes half the time.
//
//go:noescape
func zstdFast(d *zstdDecoder, n int) (left int, ok bool)

func hasBMI2() bool
