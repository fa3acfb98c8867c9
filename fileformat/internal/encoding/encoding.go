// Package encoding turns the values section of a data page, or a dictionary
// page, into Go slices, and its level sections into levels or validity bitmaps.
//
// It implements Encodings.md and AlpEncoding.md of the format, one encoding a
// file. A page's bytes look like this once decompressed:
//
//	V1: [length, 4 bytes] repetition levels  [length, 4 bytes] definition levels  values
//	V2: repetition levels  definition levels  values        (lengths in the page header)
//
// Levels reads the level sections (without their length), a Decoder the values,
// Indices the values where they are dictionary codes.
//
// # What is trusted
//
// Nothing. Every length, width and count is compared with the bytes that are
// there before it is used, and no allocation is sized by a count from the page:
// memory grows with dst and with the input. The n of Reset comes from a page
// header that may lie; it only bounds what Decode delivers. It need not be
// exact: a page of 1,000 rows with 10 NULLs may be Reset with 1,000 as long as
// no more than 990 values are asked for.
//
// Bytes after the last value are ignored, except in BYTE_STREAM_SPLIT and in
// ALP, where they would move the values: writers pad (the last group of eight
// of a hybrid run, whole miniblocks), and no reader has ever refused it.
//
// Errors say what is wrong with the bytes; the caller knows where they are from
// and wraps them.
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
// next page any number of times, and then reuses its scratch memory. It is not
// safe for concurrent use.
//
// After an error only Reset may be called, and dst holds nothing of use.
type Decoder[T any] interface {
	// Reset starts a page: data is its values section and is neither changed nor
	// copied; n is how many values it holds at most. Empty data is a page without
	// values, whatever the encoding.
	Reset(data []byte, n int) error
	// Decode fills dst, or its beginning where fewer values are left, and returns
	// how many it wrote. It is an error if the page ends before that.
	//
	// One exception: DELTA_BYTE_ARRAY stops early, but never before the first
	// value, once the values of this call have grown to 16 MiB beyond the page.
	//
	// Strings are views into data or into memory made by this call; neither is
	// ever written to again.
	Decode(dst []T) (int, error)
	// Skip passes over n values, or what is left, and returns how many.
	Skip(n int) (int, error)
}

// A Viewer is a Decoder that need not copy: View is the next n values where they
// lie in the page's data, which nobody may write to. ok is false where the machine
// cannot read them there, and then they are still to be decoded.
type Viewer[T any] interface {
	View(n int) (values []T, ok bool, err error)
}

// A Continuer is a Decoder whose first value may begin with a prefix of the page
// before. Reset forgets the value before.
type Continuer interface {
	// Finish skips up to n of the values that the page still has. When none is left
	// it is done, and last is the page's last value. It must not be written to.
	Finish(n int) (last []byte, done bool, err error)
	// Continue sets the value before the first one of the page.
	Continue(last []byte)
}

// errShort is a page that ends before its last value.
var errShort = errors.New("page ends before its last value")

// unsupported is an encoding that the specification does not give to a type.
func unsupported(e fileformat.Encoding, physical string) error {
	return errs.Unsupported("encoding %v of %s", e, physical)
}

// checkCount is for encodings that say themselves how many values they hold.
func checkCount(e fileformat.Encoding, has, n int64) error {
	if has > n {
		return fmt.Errorf("%v holds %d values in a page of %d", e, has, n)
	}
	return nil
}
