package page

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/codec"
	"github.com/parquetsql/parquetsql/internal/errs"
)

const (
	// MinExpanded is how long a page may be in any case, however few bytes it has in the
	// file. Writers make pages of about 1 MiB; some put a whole row group into one.
	MinExpanded = 256 << 20
	// plausibleExpansion is how many times its bytes in the file a longer page may have.
	// ZSTD makes 128 KiB of 4 bytes, so that a file of 64 KiB could ask for 2 GiB.
	plausibleExpansion = 256
	// maxSized is how long a page may be for which memory is taken before it is decompressed,
	// though it expands much: its size is a claim. For a longer one memory grows with what the
	// codec makes.
	maxSized = 8 << 20
	// leastBuffer is so long that the pages after a short one fit too.
	leastBuffer = 64 << 10
	// A page that is neither long nor expands much is decompressed without questions.
	unaskedBytes, unaskedExpansion = 1 << 20, 8
)

// believed reports whether memory for a page of this size is taken before it is decompressed.
func believed(src []byte, size int) bool {
	return size <= maxSized || size/unaskedExpansion <= len(src)
}

// checkExpansion refuses a size that the codec cannot make of the page's bytes, and a
// long page that is out of proportion to them. The latter may be valid: therefore it is
// no damage, and a larger memory limit lets the page through.
func (r *Reader) checkExpansion(src []byte, size int) error {
	if size <= unaskedBytes || size/unaskedExpansion <= len(src) {
		return nil
	}
	if err := codec.Check(r.chunk.Meta.Codec, src, size); err != nil {
		return err
	}
	most := max(r.options.MostExpanded, MinExpanded)
	if int64(size) <= most || size/plausibleExpansion <= len(src) {
		return nil
	}
	return fmt.Errorf("%w: %d bytes in the file make a page of %d, and a page that expands more than %d times may have %d bytes, or an eighth of memory_limit; raise it if you trust the file",
		errs.ErrMemoryLimit, len(src), size, plausibleExpansion, most)
}

// outgrown reports whether a buffer is too large to be kept for n bytes: what one long
// page needed is no longer charged when shorter ones follow it.
func outgrown(buffer []byte, n int) bool { return cap(buffer) > maxSized && n < cap(buffer)/2 }
