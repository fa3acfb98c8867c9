//go:build noasm || !amd64

package interleave

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

func vectors32[T le.Word32]([]T, []byte, int) int { return 0 }

func vectors64[T le.Word64]([]T, []byte, int) int { return 0 }
