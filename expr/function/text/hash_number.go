package text

import (
	"crypto/md5"
	"encoding/binary"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// NumberHashFunctions compute digests as numbers.
var NumberHashFunctions = []expr.Function{
	{Name: "MD5_NUMBER_LOWER", Help: "the last 8 bytes of the MD5 hash, as a number", Example: "MD5_NUMBER_LOWER('abc') → 8250560606382298838", Binding: md5Half(8)},
	{Name: "MD5_NUMBER_UPPER", Help: "the first 8 bytes of the MD5 hash, as a number", Example: "MD5_NUMBER_UPPER('abc') → 12704604231530709392", Binding: md5Half(0)},
}

// md5Half reads 8 bytes of the digest, of which the first has the lowest digits.
func md5Half(from int) expr.Binding {
	return define.Fixed(vector.Of(vector.UBigInt), kernel.Map1(func(s string) uint64 {
		sum := md5.Sum([]byte(s))
		return binary.LittleEndian.Uint64(sum[from:])
	}), false, define.WantBytes)
}
