package hashtable

import (
	"math/bits"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// Ints maps 64-bit integers to ids. Use NewInts, not the zero value.
//
// Keys are often dense: identifiers, years, codes of enumerations. As long as
// their range is small, or at most eight times their number, the id of key k is
// direct[k-base]-1: four bytes per possible key and no hashing. A hashed slot takes
// eight bytes and there are two to four slots per key. When a key outside the
// range makes it too large, the table changes to the hashed form. Each time that
// form doubles, it checks whether the keys have become dense again.
type Ints struct {
	keys []int64
	null int // the id of NULL, -1 if there is none

	direct []uint32 // id+1 of key base+i, 0 if absent; nil in the hashed form
	base   int64

	slots []uint64 // a tag and id+1, 0 if there is none; nil in the direct form
	shift uint     // 32 - log2(len(slots)): the place of a tag is its upper bits
}

const (
	smallRange  = 1 << directBits
	smallKeys   = 64
	directRatio = 8
)

// NewInts is an empty table.
func NewInts() *Ints { return &Ints{null: -1} }

// Len is the number of ids.
func (t *Ints) Len() int { return len(t.keys) }

// Keys are the keys by id; 0 for NULL.
func (t *Ints) Keys() []int64 { return t.keys }

// Bytes is the memory that the table holds.
func (t *Ints) Bytes() int64 {
	return int64(cap(t.keys))*8 + int64(len(t.direct))*4 + int64(len(t.slots))*8
}

// InsertNull returns the id of NULL, which equals none of the keys. The first call
// assigns it.
func (t *Ints) InsertNull() uint32 {
	if t.null < 0 {
		t.null = len(t.keys)
		t.keys = append(t.keys, 0)
	}
	return uint32(t.null)
}

// NullID is the id of NULL, or -1 if InsertNull was never called.
func (t *Ints) NullID() int { return t.null }

// Insert writes the id of keys[i] to ids[i].
func (t *Ints) FindOrInsert(keys []int64, ids []uint32) {
	if len(keys) == 0 {
		return
	}
	ids = ids[:len(keys)]
	if t.slots != nil {
		t.insertHashed(keys, ids)
		return
	}
	direct, base := t.direct, t.base
	for i, k := range keys {
		// Unsigned and wrapping, so that keys below base are outside too.
		at := uint64(k) - uint64(base)
		if at >= uint64(len(direct)) {
			if !t.widen(keys[i:]) {
				t.toHashed()
				t.insertHashed(keys[i:], ids[i:])
				return
			}
			direct, base = t.direct, t.base
			at = uint64(k) - uint64(base)
		}
		id := direct[at]
		if id == 0 {
			if len(t.keys) == cap(t.keys) {
				t.keys = slices.Grow(t.keys, len(t.keys)+smallKeys) // append makes twice as much garbage
			}
			t.keys = append(t.keys, k)
			id = uint32(len(t.keys))
			direct[at] = id
		}
		ids[i] = id - 1
	}
}

// newIntsOf is the table of these keys, which are all different: key i has the id i. It keeps them.
func newIntsOf(keys []int64) *Ints {
	t := &Ints{null: -1, keys: keys}
	if !t.widen(nil) {
		t.toHashed()
	}
	return t
}

func (t *Ints) insertHashed(keys []int64, ids []uint32) {
	slots, shift, known := t.slots, t.shift, t.keys
	mask := uint64(len(slots) - 1)
	for i, k := range keys {
		if i%fetched == 0 {
			fetchInts(slots, shift, known, keys[i:])
		}
		tag := tagOf(k)
		at := tag >> (shift & 63)
		for {
			s := slots[at&mask]
			if s == 0 {
				if 2*len(known) >= len(slots) {
					t.keys = known
					t.grow()
					t.FindOrInsert(keys[i:], ids[i:])
					return
				}
				known = append(known, k)
				slots[at&mask] = tag<<32 | uint64(len(known))
				ids[i] = uint32(len(known) - 1)
				break
			}
			if s>>32 == tag && known[uint32(s)-1] == k {
				ids[i] = uint32(s) - 1
				break
			}
			at++
		}
	}
	t.keys = known
}

// skippedBits is how many of the top bits of the hash tagOf leaves out: at least
// PartitionBits.
const skippedBits = 8

// tagOf is the 32 bits of the hash of a key that are in its slot. The upper ones of them are the
// first slot to look at. So when the table doubles, slot s becomes the slots 2s and 2s+1: rehashing
// reads and writes sequentially, and looks at no key.
func tagOf(k int64) uint64 { return Mix(uint64(k)) << skippedBits >> 32 }

// grow doubles the hashed form, or changes to the direct form.
func (t *Ints) grow() {
	before := t.slots
	if t.slots = nil; t.widen(nil) {
		return
	}
	t.makeSlots()
	slots, shift := t.slots, t.shift
	mask := uint64(len(slots) - 1)
	// Half of the slots are empty, in no order: they are left out without a branch, which would be foretold wrong.
	var some [fetched]uint64
	for ; len(before) > 0; before = before[min(fetched, len(before)):] {
		n := 0
		for _, s := range before[:min(fetched, len(before))] {
			some[n%fetched] = s
			n += int((s | -s) >> 63)
		}
		for _, s := range some[:n] {
			at := s >> 32 >> (shift & 63)
			for slots[at&mask] != 0 {
				at++
			}
			slots[at&mask] = s
		}
	}
}

func (t *Ints) toHashed() {
	t.direct = nil
	t.makeSlots()
	for id, k := range t.keys {
		if id != t.null {
			t.put(tagOf(k)<<32 | uint64(id+1))
		}
	}
}

func (t *Ints) makeSlots() {
	n := slotsFor(len(t.keys))
	t.slots, t.shift = make([]uint64, n), 32-uint(bits.TrailingZeros(uint(n)))
	t.keys = slices.Grow(t.keys, n/2-len(t.keys)) // as many as the slots are for
}

// put adds a key that is known to be absent.
func (t *Ints) put(s uint64) {
	mask := uint64(len(t.slots) - 1)
	at := s >> 32 >> (t.shift & 63)
	for t.slots[at&mask] != 0 {
		at++
	}
	t.slots[at&mask] = s
}

const (
	// clusterKeys is how many keys are looked at to say that keys are clustered.
	clusterKeys = vector.BatchSize/8 + 16
	// clusterGap is how far such keys may be from each other.
	clusterGap = 64
)

// clustered reports whether the keys that were inserted last are near each other.
func (t *Ints) clustered() bool {
	last := t.keys[max(0, len(t.keys)-clusterKeys):]
	near := 0
	for i := 1; i < len(last); i++ {
		// Unsigned and wrapping, for gaps in both directions.
		if uint64(last[i])-uint64(last[i-1])+clusterGap <= 2*clusterGap {
			near++
		}
	}
	return 8*near > 7*clusterKeys
}

// widen makes the direct form cover the present and the coming keys. It returns
// false if they are too sparse for it.
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
	// Growing by half of the size in the direction of the last growth makes the
	// total cost of growing by one key at a time linear.
	size := span + 1
	slack := min(size/2+64, limit)
	base := lo
	if t.direct != nil && lo < t.base {
		base = int64(uint64(lo) - slack)
	}
	t.base = base
	t.direct = make([]uint32, size+slack)
	for id, k := range t.keys {
		if id != t.null {
			t.direct[uint64(k)-uint64(base)] = uint32(id + 1)
		}
	}
	return true
}

func (t *Ints) bounds(coming []int64) (lo, hi int64, some bool) {
	for id, k := range t.keys {
		if id == t.null {
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
