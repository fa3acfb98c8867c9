package bounded

import (
	"fmt"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// What a value of JSON becomes at most: an object is a structure with some fields, a list or a map.
const (
	objectBytes = 400
	valueBytes  = 48
	// levelsPerCopy is how many levels further within a text there is one copy of it more: types of
	// fields are kept as texts until what is around them is read.
	levelsPerCopy = 3
	// maxDepth is how deep values may be within each other.
	maxDepth = 400
)

// JSON charges what a text becomes when it is read, before it is; free gives it back. It looks at the
// text once and need not be sure that it is JSON.
func JSON(text []byte, b *quota.Budget) (free func(), err error) {
	n, depth := int64(0), 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
				n += int64(depth / levelsPerCopy)
			}
		case '{', '[':
			depth++
			n += objectBytes
		case '}', ']':
			depth--
		case ',', ':':
			n += valueBytes
		}
		n += int64(max(0, depth) / levelsPerCopy)
		if depth > maxDepth {
			return nil, fmt.Errorf("its values are within each other more than %d deep", maxDepth)
		}
	}
	if err := b.Need(n); err != nil {
		return nil, err
	}
	return func() { b.Release(n) }, nil
}
