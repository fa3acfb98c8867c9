package intern

import (
	"hash/maphash"
	"strings"
)

// Seed makes the hashes of strings unpredictable, so that nobody can write a
// file whose keys all collide. Tables whose hashes are compared share a seed.
type Seed = maphash.Seed

// NewSeed is a fresh seed.
func NewSeed() Seed { return maphash.MakeSeed() }

// Arena keeps copies of strings, many to an allocation.
type Arena struct {
	block strings.Builder
	bytes int64
}

const arenaBlock = 64 << 10

// Clone is a copy of s that lives in the arena.
func (a *Arena) Clone(s string) string {
	if len(s) == 0 {
		return ""
	}
	if a.block.Cap()-a.block.Len() < len(s) {
		// A Builder never writes to what it has handed out, so what the old
		// block holds stays as it is for as long as a string refers to it.
		a.block = strings.Builder{}
		// Small tables should not cost a whole block.
		a.block.Grow(max(len(s), min(arenaBlock, int(a.bytes)+512)))
		a.bytes += int64(a.block.Cap())
	}
	from := a.block.Len()
	a.block.WriteString(s)
	return a.block.String()[from:]
}

// Bytes is the memory held.
func (a *Arena) Bytes() int64 { return a.bytes }

// Strings numbers strings. A slot is the upper half of the hash and number+1,
// so that a string is compared only where 32 bits of its hash agree.
type Strings struct {
	seed   Seed
	share  bool
	slots  []uint64
	strs   []string
	hashes []uint64
	hole   int
	arena  Arena
	batch  []uint64
}

// NewStrings is an empty table. share says that the strings inserted live
// elsewhere for as long as the table does, so that they need not be cloned.
func NewStrings(seed Seed, share bool) *Strings {
	return &Strings{seed: seed, share: share, hole: -1, slots: make([]uint64, minSlots)}
}

// Len is how many numbers were given.
func (t *Strings) Len() int { return len(t.strs) }

// Keys are the strings by number; the hole's is empty.
func (t *Strings) Keys() []string { return t.strs }

// Hashes are the strings' hashes by number; the hole's is 0.
func (t *Strings) Hashes() []uint64 { return t.hashes }

// Bytes is the memory held.
func (t *Strings) Bytes() int64 {
	return int64(len(t.slots))*8 + int64(cap(t.strs))*16 + int64(cap(t.hashes))*8 + t.arena.Bytes()
}

// Hole is a number that stands for none of the keys, such as NULL's.
func (t *Strings) Hole() uint32 {
	if t.hole < 0 {
		t.hole = len(t.strs)
		t.strs = append(t.strs, "")
		t.hashes = append(t.hashes, 0)
	}
	return uint32(t.hole)
}

// HoleAt is the hole's number, or -1 where it was never asked for.
func (t *Strings) HoleAt() int { return t.hole }

// Insert writes the number of keys[i] to nums[i].
func (t *Strings) Insert(keys []string, nums []uint32) {
	if cap(t.batch) < len(keys) {
		t.batch = make([]uint64, len(keys))
	}
	hashes := t.batch[:len(keys)]
	for i, k := range keys {
		hashes[i] = maphash.String(t.seed, k)
	}
	nums = nums[:len(keys)]
	slots := t.slots
	mask := uint64(len(slots) - 1)
	for i, h := range hashes {
		at := h & mask
		for {
			s := slots[at&mask]
			if s == 0 {
				nums[i] = t.add(keys[i], h, at&mask)
				slots = t.slots
				mask = uint64(len(slots) - 1)
				break
			}
			if s>>32 == h>>32 && t.strs[uint32(s)-1] == keys[i] {
				nums[i] = uint32(s) - 1
				break
			}
			at++
		}
	}
}

func (t *Strings) add(k string, h, at uint64) uint32 {
	if !t.share {
		k = t.arena.Clone(k)
	}
	t.strs = append(t.strs, k)
	t.hashes = append(t.hashes, h)
	t.slots[at] = h&^0xffffffff | uint64(len(t.strs))
	if 2*len(t.strs) > len(t.slots) {
		t.slots = rehash(t.hashes, t.hole)
	}
	return uint32(len(t.strs) - 1)
}

// rehash is the slots, twice as many, of the numbers that have these hashes.
func rehash(hashes []uint64, hole int) []uint64 {
	slots := make([]uint64, slotsFor(len(hashes)))
	mask := uint64(len(slots) - 1)
	for num, h := range hashes {
		if num == hole {
			continue
		}
		at := h & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = h&^0xffffffff | uint64(num+1)
	}
	return slots
}
