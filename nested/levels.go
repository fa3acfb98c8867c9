package nested

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

// This file has the loops over levels. Each runs once over all entries, for one
// node of a column's type.

var (
	errContinued = errors.New("a repetition level continues a list that has no elements")
	errSlots     = errors.New("its levels count more or fewer values than there are rows or elements")
	errSiblings  = errors.New("the levels of two leaves of one column disagree about the lists and groups around both")
	errValues    = errors.New("its definition levels count more or fewer values than there are")
)

// levels are the levels of some rows of a leaf. A nil slice is all zeros.
type levels struct {
	def, rep []uint8
	count    int
	maxRep   int
}

// spans are the elements of the slots of a list or map.
type spans struct {
	offsets  []int32
	valid    vector.Validity // nil if no list is NULL
	elements int
	bitmap   vector.Validity // memory
}

// spansOf finds where each slot's elements begin, into the memory of out.
func (s *shape) spansOf(l levels, slots int, out *spans) error {
	out.offsets = vector.Resize(out.offsets, slots+1)
	found, nulls, err := s.locate(l, out.offsets)
	if err == nil && found != slots {
		err = errSlots
	}
	if err != nil {
		return err
	}
	out.elements, out.valid = int(out.offsets[slots]), nil
	if nulls {
		out.bitmap, _, err = validOf(l, s.slotDef, s.slotRep, s.def, slots, out.bitmap)
		out.valid = out.bitmap
	}
	return err
}

// locate writes where each slot's elements begin. An entry whose repetition level
// is lower than that of the list's elements begins a slot, unless the list around
// it has no element there. An entry of up to the elements' level is an element if
// its definition level reaches theirs. The loop does not branch on single levels,
// which are as random as the lengths of the lists. If eight entries are all
// elements or within one, it only looks for the slots that begin among them. It
// is one long function because both ways share state that a call would spill.
func (s *shape) locate(l levels, offsets []int32) (slots int, nulls bool, err error) {
	slotDef, def, elemDef, elemRep := int32(s.slotDef), int32(s.def), int32(s.elemDef), int32(s.slotRep+1)
	rep := l.rep[:len(l.def)]
	last := len(offsets) - 1
	slot, elements := 0, 0
	bad, null := uint32(0), uint32(0)
	absent := uint32(1) // whether the entry before has no element
	for i := 0; i < len(rep); {
		if i+8 <= len(rep) {
			r, d := binary.LittleEndian.Uint64(rep[i:]), binary.LittleEndian.Uint64(l.def[i:])
			if r&highBits == 0 && allReach(d, uint8(elemDef)) {
				begins, starts := below(r, uint8(elemRep)), below(r, uint8(elemRep+1))
				bad |= absent &^ uint32(begins>>7)
				for ; begins != 0; begins &= begins - 1 {
					if slot > last {
						return 0, false, errSlots
					}
					before := begins&-begins - 1
					offsets[slot] = int32(elements + bits.OnesCount64(starts&before))
					slot++
				}
				elements += bits.OnesCount64(starts)
				absent = 0
				i += 8
				continue
			}
		}
		for end := min(i+8, len(rep)); i < end; i++ {
			r, d := int32(rep[i]), int32(l.def[i])
			begins := uint32(r-elemRep) >> 31
			within := uint32(elemRep-r) >> 31
			bad |= absent &^ begins // no element to continue
			absent = uint32(d-elemDef) >> 31
			bad |= absent &^ begins
			begins &^= uint32(d-slotDef) >> 31
			null |= begins & (uint32(d-def) >> 31)
			if slot > last {
				return 0, false, errSlots
			}
			// Until the slot ends, this writes a value that is overwritten later.
			offsets[slot] = int32(elements)
			slot += int(begins)
			elements += int(1 &^ (absent | within))
		}
	}
	switch {
	case bad != 0:
		return 0, false, errContinued
	case slot != last:
		return 0, false, errSlots
	}
	offsets[slot] = int32(elements)
	return slot, null != 0, nil
}

// The constants and functions below work on eight levels in a word.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// reaching sets the high bit of each of eight levels that is at least limit. The
// levels and limit are below 128.
func reaching(eight uint64, limit uint8) uint64 {
	return (eight | highBits) - uint64(limit)*lowBits
}

// allReach is true only if all eight levels are at least limit.
func allReach(eight uint64, limit uint8) bool {
	return limit < 128 && eight&highBits == 0 && reaching(eight, limit)&highBits == highBits
}

// below sets the high bit of each of eight levels that is less than limit.
func below(eight uint64, limit uint8) uint64 {
	if limit >= 128 {
		return highBits
	}
	return ^reaching(eight, limit) & highBits
}

// gatherHigh packs the high bits of eight bytes into one byte: the product moves
// bit 8k, for each k, to bit 56+k, and no two other bits meet.
func gatherHigh(eight uint64) uint64 {
	return (eight & highBits >> 7) * 0x0102040810204080 >> 56
}

// validOf returns one bit per slot, set if its definition level is at least def,
// and the number of set bits.
func validOf(l levels, slotDef, slotRep, def, slots int, bitmap vector.Validity) (vector.Validity, int, error) {
	bitmap = vector.Resize(bitmap, (slots+63)/64)
	found, set := 0, 0
	switch {
	case l.def == nil: // the maximum is 0
		if l.count != slots {
			return nil, 0, errSlots
		}
		return nil, slots, nil
	case l.maxRep <= slotRep:
		found, set = packEntries(l.def, uint8(slotDef), uint8(def), bitmap, slots)
	default:
		found, set = packSlots(l, uint8(slotDef), uint8(slotRep), uint8(def), bitmap, slots)
	}
	if found != slots {
		return nil, 0, errSlots
	}
	return bitmap, set, nil
}

// packEntries is validOf if every entry that has a slot begins it. found is
// larger than limit if there are more slots than that.
func packEntries(def []uint8, slotDef, full uint8, bitmap vector.Validity, limit int) (found, set int) {
	word := uint64(0)
	for i := 0; i < len(def); {
		if i+8 <= len(def) && found+8 <= limit {
			if eight := binary.LittleEndian.Uint64(def[i:]); allReach(eight, slotDef) && full < 128 {
				valid, at := gatherHigh(reaching(eight, full)), uint(found)&63
				word |= valid << at
				if at >= 56 {
					bitmap[found>>6] = word
					word = valid >> (64 - at)
				}
				i, found, set = i+8, found+8, set+bits.OnesCount64(valid)
				continue
			}
		}
		d := def[i]
		i++
		if d < slotDef {
			continue
		}
		if found == limit {
			return limit + 1, 0
		}
		if d >= full {
			word |= 1 << (uint(found) & 63)
			set++
		}
		if found++; found&63 == 0 {
			bitmap[found>>6-1] = word
			word = 0
		}
	}
	if found&63 != 0 {
		bitmap[found>>6] = word
	}
	return found, set
}

// packSlots is packEntries if some entries continue a slot.
func packSlots(l levels, slotDef, slotRep, full uint8, bitmap vector.Validity, limit int) (found, set int) {
	clear(bitmap)
	rep := l.rep[:len(l.def)]
	for i, d := range l.def {
		if rep[i] > slotRep || d < slotDef {
			continue
		}
		if found == limit {
			return limit + 1, 0
		}
		if d >= full {
			bitmap.Set(found)
			set++
		}
		found++
	}
	return found, set
}

// agree checks that the levels of two leaves agree about the lists and groups
// around both: all entries up to repetition level rep, with definition levels up
// to def. Otherwise a damaged file could put values of one record into another.
func agree(a, b levels, rep, def uint8) error {
	if a.maxRep <= int(rep) && b.maxRep <= int(rep) {
		if a.count != b.count || !bytes.Equal(a.rep, b.rep) {
			return errSiblings
		}
		if def == 0 || bytes.Equal(a.def, b.def) {
			return nil
		}
		different := uint8(0)
		other := b.def[:len(a.def)]
		for i, d := range a.def {
			different |= min(d, def) ^ min(other[i], def)
		}
		if different != 0 {
			return errSiblings
		}
		return nil
	}
	i, j := 0, 0
	for {
		i, j = a.next(i, rep), b.next(j, rep)
		if i == a.count || j == b.count {
			break
		}
		if a.repAt(i) != b.repAt(j) || min(a.defAt(i), def) != min(b.defAt(j), def) {
			return errSiblings
		}
		i, j = i+1, j+1
	}
	if i != a.count || j != b.count {
		return errSiblings
	}
	return nil
}

// next is the first entry from i on whose repetition level is not above a limit.
func (l levels) next(i int, rep uint8) int {
	for i < len(l.rep) && l.rep[i] > rep {
		i++
	}
	return i
}

func (l levels) repAt(i int) uint8 {
	if l.rep == nil {
		return 0
	}
	return l.rep[i]
}

func (l levels) defAt(i int) uint8 {
	if l.def == nil {
		return 0
	}
	return l.def[i]
}
