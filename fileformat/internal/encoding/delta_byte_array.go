package encoding

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat/internal/le"
)

// deltaByteArray reads DELTA_BYTE_ARRAY (Encodings.md, "Delta Strings"):
//
//	prefix lengths, DELTA_BINARY_PACKED; then the suffixes, DELTA_LENGTH_BYTE_ARRAY
//
// A value is a prefix of the value before it, followed by a suffix from the page. A
// prefix longer than the value before, a negative length, a suffix beyond the
// bytes that are left and, for FIXED_LEN_BYTE_ARRAY, a value of another length are
// errors when the value is reached.
//
// A value without a prefix is a view of the page, and one without a suffix is a view
// of the value before. Only the others are copied, into an arena.
//
// The size of the page does not bound the total length of its values: n values that
// differ from one long value only in their last byte have n times its length in
// total. So values are built only when they are requested, and Decode stops early
// when a call has built maxBuilt bytes.
type deltaByteArray struct {
	prefixes delta[int32]
	suffixes deltaLength
	length   int    // of every value of a FIXED_LEN_BYTE_ARRAY; else -1
	prev     []byte // the value before; the bytes up to its capacity may be read, too
	own      bool   // nothing else points to prev: Skip may append to it in place

	// Lengths of values that are not delivered; prefix and suffix have the same number.
	prefix, suffix []int32
	scratch        [256]int32 // of prefix

	// The free part of the current block of the arena. A full block is never written
	// to again, because strings still point into it.
	arena []byte
	block int // size of the last block
}

const (
	maxBuilt = 16 << 20  // bytes that one call may build; its last value may exceed it
	maxBlock = 256 << 10 // largest block of the arena, except for a longer value
	minBlock = 4 << 10
)

var (
	errPrefix      = errors.New("prefix longer than the value before")
	errFixedLength = errors.New("the value's length is not that of its type")
)

func (d *deltaByteArray) Reset(data []byte, n int) error {
	d.prev, d.own, d.prefix, d.suffix = nil, false, nil, nil
	var suffixes []byte
	if len(data) > 0 {
		total, rest, err := skipDelta(data)
		if err != nil {
			return err
		}
		if total > 0 { // otherwise the suffixes may be absent
			suffixes = rest
			data = data[:len(data)-len(rest)]
		}
	}
	if err := d.prefixes.Reset(data, n); err != nil {
		return err
	}
	return d.suffixes.Reset(suffixes, n)
}

func (d *deltaByteArray) Decode(dst []string) (int, error) {
	dst = dst[:min(len(dst), d.left())]
	built := 0
	for done := 0; done < len(dst); {
		if built >= maxBuilt {
			return done, nil
		}
		if err := d.load(len(dst) - done); err != nil {
			return 0, err
		}
		k, bytes, err := d.build(dst[done:], maxBuilt-built)
		if err != nil {
			return 0, err
		}
		done += k
		built += bytes
	}
	return len(dst), nil
}

// left is how many values may still be taken.
func (d *deltaByteArray) left() int { return d.prefixes.n + len(d.prefix) }

// load makes sure that at least one length is loaded. It reads at most n.
func (d *deltaByteArray) load(n int) error {
	if len(d.prefix) > 0 {
		return nil
	}
	k, err := d.prefixes.Decode(d.scratch[:min(n, len(d.scratch))])
	if err != nil {
		return err
	}
	suffix, err := d.suffixes.next(k)
	if err != nil {
		return err
	}
	if len(suffix) < k {
		return errShort
	}
	d.prefix, d.suffix = d.scratch[:k], suffix
	return nil
}

// build makes values of the loaded lengths until dst is full or limit bytes are
// built, but at least one value. It returns the numbers of values and of bytes.
func (d *deltaByteArray) build(dst []string, limit int) (k, built int, err error) {
	prefix := d.prefix
	suffix := d.suffix[:len(prefix)]
	prev, arena := d.prev, d.arena
	d.own = false // values may be views of it
	bytes, at := d.suffixes.bytes, d.suffixes.at
	for k < len(dst) && k < len(prefix) && built < limit {
		p, s := int(prefix[k]), int(suffix[k])
		if err := d.checkLengths(p, s, len(prev), len(bytes)-at); err != nil {
			return 0, 0, err
		}
		switch {
		case p == 0:
			prev = bytes[at : at+s]
		case s == 0:
			prev = prev[:p]
		default:
			if cap(arena) < p+s+chunkCopy {
				arena = d.newBlock(p + s + chunkCopy)
			}
			copyAhead(arena, prev, p)
			copyAhead(arena[p:], bytes[at:], s)
			prev, arena = arena[:p+s], arena[p+s:]
			built += p + s
		}
		at += s
		dst[k] = le.String(prev)
		k++
	}
	d.prefix, d.suffix = prefix[k:], suffix[k:]
	d.prev, d.arena, d.suffixes.at = prev, arena, at
	return k, built, nil
}

// checkLengths checks a prefix against the value before and a suffix against the
// bytes that are left.
func (d *deltaByteArray) checkLengths(prefix, suffix, before, left int) error {
	switch {
	case uint(prefix) > uint(before):
		return errPrefix
	case uint(suffix) > uint(left):
		return errLength
	case d.length >= 0 && prefix+suffix != d.length:
		return errFixedLength
	}
	return nil
}

// chunkCopy is how many bytes copyAhead copies at least.
const chunkCopy = 16

// copyAhead copies n bytes, or up to chunkCopy bytes if both slices have the
// capacity: most prefixes and suffixes are short, and one move of a fixed size takes
// a fraction of the time of a call to memmove. The extra bytes are harmless, because
// dst holds nothing yet after the first n.
func copyAhead(dst, src []byte, n int) {
	if n <= chunkCopy && cap(dst) >= chunkCopy && cap(src) >= chunkCopy {
		*(*[chunkCopy]byte)(dst[:chunkCopy]) = *(*[chunkCopy]byte)(src[:chunkCopy])
		return
	}
	copy(dst[:n], src[:n])
}

// newBlock returns an empty block of the arena with room for at least size bytes.
// Each block is larger than the one before, so that a column of few values takes
// little memory.
func (d *deltaByteArray) newBlock(size int) []byte {
	d.block = min(max(2*d.block, minBlock), maxBlock)
	return make([]byte, max(d.block, size))
}

func (d *deltaByteArray) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left())
	for done := 0; done < n; {
		if err := d.load(n - done); err != nil {
			return 0, err
		}
		k, err := d.discard(n - done)
		if err != nil {
			return 0, err
		}
		done += k
	}
	return n, nil
}

// discard is build for values that are needed only for later values. The prefix is
// copied once, when the first suffix is added to it, and not once per value: so the
// time per value does not grow with the prefix's length.
func (d *deltaByteArray) discard(n int) (int, error) {
	n = min(n, len(d.prefix))
	value, own := d.prev, d.own
	bytes, at := d.suffixes.bytes, d.suffixes.at
	for i := range n {
		p, s := int(d.prefix[i]), int(d.suffix[i])
		if err := d.checkLengths(p, s, len(value), len(bytes)-at); err != nil {
			return 0, err
		}
		switch {
		case p == 0:
			value, own = bytes[at:at+s], false
		case s == 0:
			value = value[:p]
		case own:
			value = append(value[:p], bytes[at:at+s]...)
		default:
			value, own = append(append(make([]byte, 0, 2*(p+s)), value[:p]...), bytes[at:at+s]...), true
		}
		at += s
	}
	d.prefix, d.suffix = d.prefix[n:], d.suffix[n:]
	d.prev, d.own, d.suffixes.at = value, own, at
	return n, nil
}

func (d *deltaByteArray) Finish(n int) (last []byte, done bool, err error) {
	rest := min(d.prefixes.left, d.prefixes.n) + len(d.prefix)
	k, err := d.Skip(min(n, rest))
	return d.prev, k == rest, err
}

func (d *deltaByteArray) Continue(last []byte) { d.prev, d.own = last, false }
