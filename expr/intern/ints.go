package intern

import (
	"math/bits"
	"slices"
)

// Ints numbers 64-bit integers. The zero value is not ready; use NewInts.
//
// Keys often lie densely: identifiers, years, codes of enumerations. As long as
// their range is small, or at most eightfold their number, number+1 of key k is
// direct[k-base], four bytes a possible key and no hashing; a hashed slot takes
// sixteen bytes and there are two to four of them a key. When a key outside
// makes the range too large the table changes to the hashed form, and whenever
// that doubles it looks whether the keys have become dense again.
type Ints struct {
	keys []int64
	hole int // the number that stands for no key, -1 where there is none

	direct []uint32 // number+1 of base+i, 0 where there is none; nil in the hashed form
	base   int64

	slots []intSlot // nil in the direct form
	shift uint      // what is left of a hash above it is a slot
}

type intSlot struct {
	key int64
	num uint32 // number+1; 0 is empty
}

const (
	smallRange  = 1 << 16
	directRatio = 8
)

// NewInts is an empty table.
func NewInts() *Ints { return &Ints{hole: -1} }

// Len is how many numbers were given.
func (t *Ints) Len() int { return len(t.keys) }

// Keys are the keys by number; the hole's is 0.
func (t *Ints) Keys() []int64 { return t.keys }

// Bytes is the memory held.
func (t *Ints) Bytes() int64 {
	return int64(cap(t.keys))*8 + int64(len(t.direct))*4 + int64(len(t.slots))*16
}

// Hole is a number that stands for none of the keys, such as NULL's; it is
// given at the first call and the same ever after.
func (t *Ints) Hole() uint32 {
	if t.hole < 0 {
		t.hole = len(t.keys)
		t.keys = append(t.keys, 0)
	}
	return uint32(t.hole)
}

// HoleAt is the hole's number, or -1 where it was never asked for.
func (t *Ints) HoleAt() int { return t.hole }

// Insert writes the number of keys[i] to nums[i].
func (t *Ints) Insert(keys []int64, nums []uint32) {
	if len(keys) == 0 {
		return
	}
	nums = nums[:len(keys)]
	if t.slots != nil {
		t.insertHashed(keys, nums)
		return
	}
	direct, base := t.direct, t.base
	for i, k := range keys {
		// Unsigned and wrapping, so that keys below base are outside too.
		at := uint64(k) - uint64(base)
		if at >= uint64(len(direct)) {
			if !t.widen(keys[i:]) {
				t.toHashed()
				t.insertHashed(keys[i:], nums[i:])
				return
			}
			direct, base = t.direct, t.base
			at = uint64(k) - uint64(base)
		}
		num := direct[at]
		if num == 0 {
			t.keys = append(t.keys, k)
			num = uint32(len(t.keys))
			direct[at] = num
		}
		nums[i] = num - 1
	}
}

func (t *Ints) insertHashed(keys []int64, nums []uint32) {
	slots, shift := t.slots, t.shift
	mask := uint64(len(slots) - 1)
	for i, k := range keys {
		at := slotOf(k, shift)
		for {
			s := &slots[at&mask]
			if s.num == 0 {
				if 2*len(t.keys) >= len(slots) {
					t.grow()
					t.Insert(keys[i:], nums[i:])
					return
				}
				t.keys = append(t.keys, k)
				*s = intSlot{key: k, num: uint32(len(t.keys))}
				nums[i] = uint32(len(t.keys) - 1)
				break
			}
			if s.key == k {
				nums[i] = s.num - 1
				break
			}
			at++
		}
	}
}

// othersBits are the upper bits of a hash, which are others': all keys of a table
// may have them in common.
const othersBits = 8

// slotOf is the first place to look for a key: the upper bits of the hash that are
// left. When the table doubles each place becomes two that lie where it lay, so
// that the slots move in order, which memory likes better than any to anywhere.
func slotOf(k int64, shift uint) uint64 { return Mix(uint64(k)) << othersBits >> (shift & 63) }

// grow doubles the hashed form, or leaves it for the direct one.
func (t *Ints) grow() {
	before := t.slots
	if t.slots = nil; t.widen(nil) {
		return
	}
	t.makeSlots()
	for _, s := range before {
		if s.num != 0 {
			t.put(s)
		}
	}
}

func (t *Ints) toHashed() {
	t.direct = nil
	t.makeSlots()
	for num, k := range t.keys {
		if num != t.hole {
			t.put(intSlot{key: k, num: uint32(num + 1)})
		}
	}
}

func (t *Ints) makeSlots() {
	n := slotsFor(len(t.keys))
	t.slots, t.shift = make([]intSlot, n), 64-uint(bits.TrailingZeros(uint(n)))
	t.keys = slices.Grow(t.keys, n/2-len(t.keys)) // as many as the slots are for
}

// put adds what is not there yet.
func (t *Ints) put(s intSlot) {
	mask := uint64(len(t.slots) - 1)
	at := slotOf(s.key, t.shift)
	for t.slots[at&mask].num != 0 {
		at++
	}
	t.slots[at&mask] = s
}

// widen makes the direct form cover the keys there are and those that come; it
// answers false where they would lie too sparsely.
func (t *Ints) widen(coming []int64) bool {
	lo, hi, some := t.bounds(coming)
	if !some {
		return true
	}
	span := uint64(hi) - uint64(lo) // one less than the number of values
	limit := uint64(max(smallRange, directRatio*len(t.keys)))
	if span >= limit {
		return false
	}
	// Half as much again, where the last growth went, makes growing one by one
	// linear on the whole.
	size := span + 1
	slack := min(size/2+64, limit)
	base := lo
	if t.direct != nil && lo < t.base {
		base = int64(uint64(lo) - slack)
	}
	t.base = base
	t.direct = make([]uint32, size+slack)
	for num, k := range t.keys {
		if num != t.hole {
			t.direct[uint64(k)-uint64(base)] = uint32(num + 1)
		}
	}
	return true
}

func (t *Ints) bounds(coming []int64) (lo, hi int64, some bool) {
	for num, k := range t.keys {
		if num == t.hole {
			continue
		}
		if !some {
			lo, hi, some = k, k, true
		}
		lo, hi = min(lo, k), max(hi, k)
	}
	for _, k := range coming {
		if !some {
			lo, hi, some = k, k, true
		}
		lo, hi = min(lo, k), max(hi, k)
	}
	return lo, hi, some
}
