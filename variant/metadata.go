package variant

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Metadata is the dictionary of field names of a Variant (VariantEncoding.md,
// "Metadata encoding"). Its strings are checked when they are asked for.
type Metadata struct {
	bytes string // all of it
	count uint32 // names
	width uint8  // bytes of an offset
	first int    // where the names begin in bytes
}

// emptyMetadata is a dictionary without names.
var emptyMetadata = Metadata{bytes: "\x01\x00\x00", width: 1, first: 3}

var (
	errShort   = errors.New("the Variant is cut off")
	errVersion = errors.New("the Variant's metadata is not of version 1")
)

// ParseMetadata reads the header of a dictionary and checks its size. It takes the
// same time for dictionaries of all sizes.
func ParseMetadata(bytes string) (Metadata, error) {
	if bytes == "" {
		return Metadata{}, errShort
	}
	if bytes[0]&0xf != 1 {
		return Metadata{}, errVersion
	}
	m := Metadata{bytes: bytes, width: bytes[0]>>6 + 1}
	w := uint64(m.width)
	if uint64(len(bytes)) < 1+w {
		return Metadata{}, errShort
	}
	m.count = loadUint(bytes, 1, m.width)
	first := 1 + w*(uint64(m.count)+2)
	if uint64(len(bytes)) < first {
		return Metadata{}, errShort
	}
	m.first = int(first)
	if start, end := m.offset(0), m.offset(m.count); start != 0 || uint64(end) > uint64(len(bytes)-m.first) {
		return Metadata{}, errors.New("the offsets of a Variant's field names lead out of its metadata")
	}
	return m, nil
}

// loadUint is the unsigned little-endian integer of 1 to 4 bytes at a position,
// which the caller has checked.
func loadUint[T ~string](s T, at int, width uint8) uint32 {
	s = s[at : at+int(width)]
	switch width {
	case 1:
		return uint32(s[0])
	case 2:
		return uint32(s[0]) | uint32(s[1])<<8
	case 3:
		return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16
	}
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// Len is the number of names.
func (m *Metadata) Len() int { return int(m.count) }

func (m *Metadata) offset(i uint32) uint32 {
	return loadUint(m.bytes, 1+int(m.width)*(int(i)+1), m.width)
}

// name is the i-th name.
func (m *Metadata) name(i uint32) (string, error) {
	if i >= m.count {
		return "", fmt.Errorf("a field of a Variant has the name %d of a dictionary of %d names", i, m.count)
	}
	at := 1 + int(m.width)*(int(i)+1)
	start, end := loadUint(m.bytes, at, m.width), loadUint(m.bytes, at+int(m.width), m.width)
	if start > end || uint64(end) > uint64(len(m.bytes)-m.first) {
		return "", fmt.Errorf("the name %d of a Variant's dictionary leads out of it", i)
	}
	return m.bytes[m.first+int(start) : m.first+int(end)], nil
}

// check reads all names. Whether they are sorted, as the header may claim, does
// not matter: nothing relies on it.
func (m *Metadata) check() error {
	for i := range m.count {
		name, err := m.name(i)
		if err != nil {
			return err
		}
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %d of a Variant's dictionary is not UTF-8: %q", i, name)
		}
	}
	return nil
}

// find is the number of a name; ok is false if the dictionary does not have it.
// hint is a number that it may have.
func (m *Metadata) find(name string, hint uint32) (id uint32, ok bool) {
	if hint < m.count {
		if at, err := m.name(hint); err == nil && at == name {
			return hint, true
		}
	}
	lo, hi := uint32(0), m.count
	for lo < hi { // finds it in a sorted dictionary
		mid := lo + (hi-lo)/2
		switch at, err := m.name(mid); {
		case err != nil:
			return 0, false
		case at == name:
			return mid, true
		case at < name:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	for i := range m.count {
		if at, err := m.name(i); err == nil && at == name {
			return i, true
		}
	}
	return 0, false
}
