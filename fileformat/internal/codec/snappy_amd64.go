//go:build !noasm

package codec

// snappyElements decodes elements from src[in:] to dst[out:] up to one that it leaves to others:
// see elements. end and made are where the next element begins and its output goes.
//
//go:noescape
func snappyElements(src, dst []byte, in, out int, tables *snappyTables, units bool) (end, made int)
