package codec

import (
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
)

// sized is a slice of size bytes, in dst's memory if that suffices. It is for codecs
// with a low ceiling.
func sized(id fileformat.Codec, dst, src []byte, size int) ([]byte, error) {
	if err := Check(id, src, size); err != nil {
		return nil, err
	}
	if cap(dst) >= size {
		return dst[:size], nil
	}
	return make([]byte, size), nil
}

// firstGuess is the largest size of a growing buffer before there is any output.
const firstGuess = 64 << 10

// growing returns the first buffer for size bytes: dst's memory if that suffices. Here
// and in twice the comparison needs more than 32 bits.
func growing(dst, src []byte, size int) []byte {
	if cap(dst) >= size {
		return dst[:size]
	}
	return make([]byte, min(int64(size), 8*int64(len(src))+firstGuess))
}

// twice is double the length n, at most size.
func twice(n, size int) int { return int(min(int64(size), 2*int64(n))) }

// room is a buffer that begins with the first done bytes of dst and where n more
// fit: dst, or else a buffer twice as long, at most size bytes. n is how much the
// decoder is about to write.
func room(dst []byte, done, n, size int) ([]byte, error) {
	if n <= len(dst)-done {
		return dst, nil
	}
	if n > size-done {
		return dst, errTooLong
	}
	grown := make([]byte, min(size, max(twice(len(dst), size), done+n)))
	copy(grown, dst[:done])
	return grown, nil
}

// readAll reads exactly size bytes from r and then its end, into dst's memory if that
// suffices. Otherwise the buffer doubles as data arrives, so that it is never more
// than twice as long as the data (or a small multiple of src).
func readAll(r io.Reader, dst, src []byte, size int, look *looks) ([]byte, error) {
	dst = growing(dst, src, size)
	done := 0
	for {
		if err := look.at(done); err != nil {
			return nil, err
		}
		n, err := io.ReadFull(r, dst[done:min(len(dst), done+lookBytes)])
		done += n
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return nil, errShort
		case err != nil:
			return nil, err
		case done == size:
			return dst, readEnd(r)
		case done < len(dst):
			continue
		}
		grown := make([]byte, twice(len(dst), size))
		copy(grown, dst)
		dst = grown
	}
}

// readEnd checks that no data follows. It also makes r check the end of its format,
// such as a checksum.
func readEnd(r io.Reader) error {
	var one [1]byte
	for range 8 { // a reader may return 0, nil, but not again and again
		n, err := r.Read(one[:])
		switch {
		case n > 0:
			return errTooLong
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
	return io.ErrNoProgress
}

// repeat fills b with its first period bytes; the filled part doubles in each round.
func repeat(b []byte, period int) {
	for ; period < len(b); period *= 2 {
		copy(b[period:], b[:period])
	}
}
