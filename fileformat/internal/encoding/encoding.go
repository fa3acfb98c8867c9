// Package encoding turns the values section of a data page, or a dictionary
// page, into Go slices, and its level sections into levels or validity bitmaps.
//
// It implements Encodings.md and AlpEncoding.md of the format, with one encoding per
// source file. The bytes of a decompressed page are:
//
//	V1: [length, 4 bytes] repetition levels  [length, 4 bytes] definition levels  values
//	V2: repetition levels  definition levels  values        (lengths in the page header)
//
// Levels reads the level sections (without their length), a Decoder reads the
// values, and Indices reads dictionary codes.
//
// # What is trusted
//
// Nothing. Every length, width and count is compared with the available bytes before
// it is used, and no allocation is sized by a count from the page: memory grows with
// dst and with the input. The n of Reset comes from a page header that may be wrong;
// it only bounds how much Decode delivers. It need not be exact: a page of 1,000
// rows with 10 NULLs may be Reset with 1,000 as long as at most 990 values are
// requested.
//
// Bytes after the last value are ignored, because writers pad the last group of
// eight of a hybrid run and the last miniblock, and readers accept that. In
// BYTE_STREAM_SPLIT and ALP they are not ignored, because they would move the values.
//
// Errors say what is wrong with the bytes; the caller knows where the bytes are from
// and wraps the error.
package encoding

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Int96 is a value of the physical type INT96, bytes as in the file.
type Int96 [12]byte

// A Decoder delivers the values of one page in order. It may be Reset for the
// next page any number of times, which reuses its scratch memory. It is not
// safe for concurrent use.
//
// After an error only Reset may be called, and the content of dst is undefined.
type Decoder[T any] interface {
	// Reset starts a page: data is its values section and is neither changed nor
	// copied; n is the most values that it can hold. Empty data is a page without
	// values in every encoding.
	Reset(data []byte, n int) error
	// Decode fills dst, or its beginning if fewer values are left, and returns how
	// many values it wrote. It is an error if the page ends before that.
	//
	// One exception: DELTA_BYTE_ARRAY stops early when this call has built 16 MiB of
	// values that are not in the page, but never before the first value.
	//
	// Strings point into data or into memory that this call allocated; neither is
	// written to again.
	Decode(dst []T) (int, error)
	// Skip passes n values, or fewer if fewer are left, and returns how many.
	Skip(n int) (int, error)
}

// A Viewer is a Decoder that can avoid a copy: View returns the next n values as a
// slice of the page's data, which must not be written to. ok is false if the machine
// cannot read them there; they must then be decoded.
type Viewer[T any] interface {
	View(n int) (values []T, ok bool, err error)
}

// A Continuer is a Decoder whose first value may begin with a prefix of the page
// before. Reset forgets the value before.
type Continuer interface {
	// Finish skips up to n of the page's remaining values. done says that none is
	// left; last is then the page's last value and must not be written to.
	Finish(n int) (last []byte, done bool, err error)
	// Continue sets the value before the first one of the page.
	Continue(last []byte)
}

// errShort is a page that ends before its last value.
var errShort = errors.New("page ends before its last value")

// unsupported is the error of an encoding that the specification does not allow for
// a type.
func unsupported(e fileformat.Encoding, physical string) error {
	return errs.Unsupported("encoding %v of %s", e, physical)
}

// checkCount is for encodings that store the number of their values.
func checkCount(e fileformat.Encoding, has, n int64) error {
	if has > n {
		return fmt.Errorf("%v holds %d values in a page of %d", e, has, n)
	}
	return nil
}
