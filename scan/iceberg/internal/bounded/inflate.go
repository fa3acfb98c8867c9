package bounded

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// firstRead is how many bytes are made room for at first.
const firstRead = 64 << 10

// ReadAll reads what a stream becomes into buf, whose memory is used again. It is charged as it grows;
// the caller gives back cap of the result, also with an error. More than most bytes are an error.
func ReadAll(r io.Reader, buf []byte, most int64, b *quota.Budget) ([]byte, error) {
	out := buf[:0]
	for {
		if len(out) == cap(out) {
			n := max(firstRead, 2*cap(out))
			if err := b.Need(int64(n)); err != nil { // the old one is there until all is copied
				return out, err
			}
			old := cap(out)
			out = append(make([]byte, 0, n), out...)
			b.Release(int64(old))
		}
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		switch {
		case int64(len(out)) > most:
			return out, fmt.Errorf("it has more than %d bytes when it is decompressed", most)
		case err == io.EOF:
			return out, nil
		case err != nil:
			return out, err
		}
	}
}

// maxWindow is the greatest window of Zstandard that is read: the library asks writers for 8 MiB at most.
const maxWindow = 8 << 20

// Zstd reads a stream of Zstandard as ReadAll does.
func Zstd(r io.Reader, buf []byte, most int64, b *quota.Budget) ([]byte, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return buf, err
	}
	defer z.Close()
	return ReadAll(z, buf, most, b)
}
