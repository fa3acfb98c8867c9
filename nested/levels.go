package nested

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/parquetsql/parquetsql/vector"
)

// This file has the loops over levels. They run once over all entries for each
// node of a column's type, never down the tree for each value.

var (
	errContinued = errors.New("a repetition level continues a list that has no elements")
	errSlots     = errors.New("its levels begin more or fewer values than there are rows or elements")
	errSiblings  = errors.New("the levels of two leaves of one column disagree about the lists and groups around both")
	errValues    = errors.New("its definition levels announce more or fewer values than there are")
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
	valid    vector.Validity // nil where no list is NULL
	elements int
	bitmap   vector.Validity // memory
}

// spansOf finds where each slot's elements begin, into the memory of out.
func (s *shape) spansOf(l levels, slots int, out *spans) error {
	out.offsets = vector.Resize(out.offsets, slots+1)
	var found int
	var nulls bool
	var err error
	if s.slotRep == 0 && s.slotDef == 0 {
		found, nulls, err = s.rowSpans(l, out.offsets)
	} else {
		found, nulls, err = s.elementSpans(l, out.offsets)
	}
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

// rowSpans is spansOf where the slots are rows and no list lies below, which is
// most lists: then each entry begins a row or, with repetition level 1, another
// element. Entries that continue an element, of higher level, fall out by the
// same arithmetic. There is no branch on the levels, for they are as random as
// the lengths of the lists.
func (s *shape) rowSpans(l levels, offsets []int32) (slots int, nulls bool, err error) {
	elem, def := int32(s.elemDef), int32(s.def)
	rep := l.rep[:len(l.def)]
	last := len(offsets) - 1
	var slot, elements int
	var bad, null uint32
	absent := uint32(1) // whether the entry before has no element
	for i, d := range l.def {
		r := uint32(rep[i])
		begins := (r - 1) >> 31      // r == 0
		continues := (1 - r) >> 31   // r > 1
		bad |= (1 - begins) & absent // nothing to continue
		absent = uint32(int32(d)-elem) >> 31
		bad |= (1 - begins) & absent
		null |= begins & (uint32(int32(d)-def) >> 31)
		if slot > last {
			return 0, false, errSlots
		}
		// Within a slot this writes what the next one will overwrite.
		offsets[slot] = int32(elements)
		slot += int(begins)
		elements += int((1 - absent) & (1 - continues))
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

// elementSpans is spansOf for a list within a list.
func (s *shape) elementSpans(l levels, offsets []int32) (slots int, nulls bool, err error) {
	slotDef, elemDef, elemRep := uint8(s.slotDef), uint8(s.elemDef), uint8(s.slotRep+1)
	def := uint8(s.def)
	rep := l.rep[:len(l.def)]
	last := len(offsets) - 1
	elements := int32(0)
	open := false // the slot at hand has an element
	for i, d := range l.def {
		switch r := rep[i]; {
		case r > elemRep: // within an element
		case r == elemRep:
			if !open || d < elemDef {
				return 0, false, errContinued
			}
			elements++
		case d < slotDef: // a list further out is NULL or empty
			open = false
		default:
			if slots == last {
				return 0, false, errSlots
			}
			offsets[slots] = elements
			slots++
			nulls = nulls || d < def
			if open = d >= elemDef; open {
				elements++
			}
		}
	}
	offsets[slots] = elements
	return slots, nulls, nil
}

// validOf has a bit for each slot, set where its definition level is at least
// def, and counts the set ones.
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

// packEntries is validOf where every entry that has a slot begins it. found is
// beyond limit where there are more slots than that.
func packEntries(def []uint8, slotDef, full uint8, bitmap vector.Validity, limit int) (found, set int) {
	word := uint64(0)
	for i := 0; i < len(def); {
		// Eight entries at a time while they all have values.
		if i+8 <= len(def) && found&7 == 0 && binary.LittleEndian.Uint64(def[i:]) == uint64(full)*0x0101010101010101 {
			if found+8 > limit {
				return limit + 1, 0
			}
			word |= 0xff << (uint(found) & 63)
			i, found, set = i+8, found+8, set+8
		} else {
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
			found++
		}
		if found&63 == 0 {
			bitmap[found>>6-1] = word
			word = 0
		}
	}
	if found&63 != 0 {
		bitmap[found>>6] = word
	}
	return found, set
}

// packSlots is packEntries where some entries continue a slot.
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

// agree checks that two leaves tell the same of what lies around both: of all
// entries up to repetition level rep, definition levels up to def. Without it a
// damaged file would put values of one record into another.
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

// next is the first entry from i on that is not above a repetition level.
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
