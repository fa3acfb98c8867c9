//go:build noasm || nounsafe || !amd64

package codec

const zstdAssembly = false

func zstdFast(d *zstdDecoder, n int) (left int, ok bool) { return d.fast(n) }
