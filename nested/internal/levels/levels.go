// Package levels has the loops over levels. Each runs once over all entries, for one
// node of a column's type: which entries are rows or elements of it, its slots, which slots
// have a value, and where the elements of a list begin.
package levels

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/parquetsql/parquetsql/vector"
)

var (
	errContinued = errors.New("a repetition level continues a list that has no elements")
	errSlots     = errors.New("its levels count more or fewer values than there are rows or elements")
	errSiblings  = errors.New("the levels of two leaves of one column disagree about the lists and groups around both")
)

// Rows are the levels of some rows of a leaf. A nil slice is all zeros.
type Rows struct {
	Def, Rep []uint8
	Count    int
	MaxRep   int
}

// List says which levels a list or map has.
type List struct {
	SlotRep, SlotDef int // up to SlotRep and from SlotDef on an entry begins a slot
	Def              int // from here on it is not NULL
	ElemDef          int // from here on it has an element
}

// Spans are the elements of the slots of a list or map.
type Spans struct {
	Offsets  []int32
	Valid    vector.Validity // nil if no list is NULL
	Elements int
	bitmap   vector.Validity // memory
}

// Find finds where the elements of each slot begin, into the memory of out.
func (s List) Find(l Rows, slots int, out *Spans) error {
	out.Offsets = vector.Resize(out.Offsets, slots+1)
	found, nulls, err := s.locate(l, out.Offsets)
	if err == nil && found != slots {
		err = errSlots
	}
	if err != nil {
		return err
	}
	out.Elements, out.Valid = int(out.Offsets[slots]), nil
	if nulls {
		out.bitmap, _, err = Valid(l, s.SlotDef, s.SlotRep, s.Def, slots, out.bitmap)
		out.Valid = out.bitmap
	}
	return err
}

// locate writes where each slot's elements begin. An entry whose repetition level
// is lower than that of the list's elements begins a slot, unless the list around
// it has no element there. An entry of up to the elements' level is an element if
// its definition level reaches theirs. The loop does not branch on single levels,
// which are as random as the lengths of the lists: eight of them are looked at in a
// word, and what begins is written at each of eight places in turn, most of which the next
// one overwrites. It is one long function because both ways share state that a call would spill.
func (s List) locate(l Rows, offsets []int32) (slots int, nulls bool, err error) {
	slotDef, def, elemDef, elemRep := int32(s.SlotDef), int32(s.Def), int32(s.ElemDef), int32(s.SlotRep+1)
	rep := l.Rep[:len(l.Def)]
	last := len(offsets) - 1
	slot, elements := 0, 0
	bad, null := uint64(0), uint64(0)
	absent := uint64(1) // whether the entry before has no element
	small := max(slotDef, def, elemDef, elemRep+1) < 128
	for i := 0; i < len(rep); {
		if i+8 <= len(rep) && small {
			r, d := binary.LittleEndian.Uint64(rep[i:]), binary.LittleEndian.Uint64(l.Def[i:])
			begins, lacks := below(r, uint8(elemRep)), below(d, uint8(elemDef))
			slotBegins := begins & reaching(d, uint8(slotDef))
			if (r|d)&highBits == 0 && (slotBegins == 0 || slot+8 <= len(offsets)) {
				bad |= (lacks | lacks<<8 | absent<<7) &^ begins
				absent = lacks >> 63
				null |= slotBegins &^ reaching(d, uint8(def))
				starts := below(r, uint8(elemRep+1)) &^ lacks >> 7
				// In each byte, how many elements and slots begin up to there.
				sums, places := starts*lowBits, slotBegins>>7*lowBits
				if slotBegins != 0 {
					before, place := sums-starts, places-slotBegins>>7
					at := offsets[slot : slot+8]
					at[0] = int32(elements + int(before&0xFF))
					at[place>>8&7] = int32(elements + int(before>>8&0xFF))
					at[place>>16&7] = int32(elements + int(before>>16&0xFF))
					at[place>>24&7] = int32(elements + int(before>>24&0xFF))
					at[place>>32&7] = int32(elements + int(before>>32&0xFF))
					at[place>>40&7] = int32(elements + int(before>>40&0xFF))
					at[place>>48&7] = int32(elements + int(before>>48&0xFF))
					at[place>>56&7] = int32(elements + int(before>>56&0xFF))
					slot += int(places >> 56)
				}
				elements += int(sums >> 56)
				i += 8
				continue
			}
		}
		for end := min(i+8, len(rep)); i < end; i++ {
			r, d := int32(rep[i]), int32(l.Def[i])
			begins := uint64(uint32(r-elemRep) >> 31)
			within := uint64(uint32(elemRep-r) >> 31)
			bad |= absent &^ begins // no element to continue
			absent = uint64(uint32(d-elemDef) >> 31)
			bad |= absent &^ begins
			begins &^= uint64(uint32(d-slotDef) >> 31)
			null |= begins & uint64(uint32(d-def)>>31)
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

// Valid returns one bit per slot, set if its definition level is at least def,
// and the number of set bits.
func Valid(l Rows, slotDef, slotRep, def, slots int, bitmap vector.Validity) (vector.Validity, int, error) {
	bitmap = vector.Resize(bitmap, (slots+63)/64)
	found, set := 0, 0
	switch {
	case l.Def == nil: // the maximum is 0
		if l.Count != slots {
			return nil, 0, errSlots
		}
		return nil, slots, nil
	case l.MaxRep <= slotRep:
		found, set = packEntries(l.Def, uint8(slotDef), uint8(def), bitmap, slots)
	default:
		found, set = packSlots(l, uint8(slotDef), uint8(slotRep), uint8(def), bitmap, slots)
	}
	if found != slots {
		return nil, 0, errSlots
	}
	return bitmap, set, nil
}

// packEntries is Valid if every entry that has a slot begins it. found is
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
func packSlots(l Rows, slotDef, slotRep, full uint8, bitmap vector.Validity, limit int) (found, set int) {
	clear(bitmap)
	rep := l.Rep[:len(l.Def)]
	for i, d := range l.Def {
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

// Agree checks that the levels of two leaves agree about the lists and groups
// around both: all entries up to repetition level rep, with definition levels up
// to def. Otherwise a damaged file could put values of one record into another.
func Agree(a, b Rows, rep, def uint8) error {
	if a.MaxRep <= int(rep) && b.MaxRep <= int(rep) {
		if a.Count != b.Count || !bytes.Equal(a.Rep, b.Rep) {
			return errSiblings
		}
		if def == 0 || bytes.Equal(a.Def, b.Def) {
			return nil
		}
		different := uint8(0)
		other := b.Def[:len(a.Def)]
		for i, d := range a.Def {
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
		if i == a.Count || j == b.Count {
			break
		}
		if a.repAt(i) != b.repAt(j) || min(a.defAt(i), def) != min(b.defAt(j), def) {
			return errSiblings
		}
		i, j = i+1, j+1
	}
	if i != a.Count || j != b.Count {
		return errSiblings
	}
	return nil
}

// next is the first entry from i on whose repetition level is not above a limit.
func (l Rows) next(i int, rep uint8) int {
	for i < len(l.Rep) && l.Rep[i] > rep {
		i++
	}
	return i
}

func (l Rows) repAt(i int) uint8 {
	if l.Rep == nil {
		return 0
	}
	return l.Rep[i]
}

func (l Rows) defAt(i int) uint8 {
	if l.Def == nil {
		return 0
	}
	return l.Def[i]
}
