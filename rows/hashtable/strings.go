package hashtable

import (
	"hash/maphash"
	"slices"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Seed makes the hashes of strings, LISTs and MAPs unpredictable, so that an attacker cannot write a
// file whose keys all collide. Tables whose hashes are compared share a seed.
type Seed = maphash.Seed

// NewSeed is a fresh seed.
func NewSeed() Seed { return maphash.MakeSeed() }

// Strings maps strings to ids. A slot is the upper half of the hash and id+1, so
// that a string is compared only if 32 bits of its hash agree.
type Strings struct {
	seed   Seed
	share  bool
	slots  []uint64
	strs   []string
	hashes []uint64
	null   int
	arena  rowstore.Arena
	batch  []uint64

	entries atomic.Pointer[vector.Vector] // see dictionary
}

// NewStrings is an empty table. share says that the inserted strings stay in memory
// for as long as the table anyway, so that they need not be cloned.
func NewStrings(seed Seed, share bool) *Strings {
	return &Strings{seed: seed, share: share, null: -1, slots: make([]uint64, minSlots)}
}

// Len is the number of ids.
func (t *Strings) Len() int { return len(t.strs) }

// Keys are the strings by id; empty for NULL.
func (t *Strings) Keys() []string { return t.strs }

// Hashes are the strings' hashes by id; 0 for NULL.
func (t *Strings) Hashes() []uint64 { return t.hashes }

// Bytes is the memory that the table holds.
func (t *Strings) Bytes() int64 {
	return int64(len(t.slots))*8 + int64(cap(t.strs))*16 + int64(cap(t.hashes))*8 + t.arena.Bytes()
}

// InsertNull returns the id of NULL, which equals none of the keys.
func (t *Strings) InsertNull() uint32 {
	if t.null < 0 {
		t.null = len(t.strs)
		t.strs = append(t.strs, "")
		t.hashes = append(t.hashes, 0)
	}
	return uint32(t.null)
}

// NullID is the id of NULL, or -1 if InsertNull was never called.
func (t *Strings) NullID() int { return t.null }

// dictionary is the strings as the entries of a dictionary, by id; nil if strings were added since it was asked for the last
// time. Goroutines may call it at the same time.
func (t *Strings) dictionary(typ vector.Type) *vector.Vector {
	if d := t.entries.Load(); d != nil && d.Len == len(t.strs) {
		return d
	}
	d := &vector.Vector{Type: typ, Len: len(t.strs), Str: t.strs, Texts: vector.Shared}
	t.entries.Store(d)
	return nil
}

// FindOrInsert writes the id of keys[i] to ids[i].
func (t *Strings) FindOrInsert(keys []string, ids []uint32) {
	if cap(t.batch) < len(keys) {
		t.batch = make([]uint64, len(keys))
	}
	hashes := t.batch[:len(keys)]
	for i, k := range keys {
		hashes[i] = maphash.String(t.seed, k)
	}
	ids = ids[:len(keys)]
	for from := 0; from < len(keys); from += fetched {
		to := min(from+fetched, len(keys))
		fetchStrings(t.slots, t.strs, hashes[from:to])
		t.findOrInsert(keys[from:to], hashes[from:to], ids[from:to])
	}
}

func (t *Strings) findOrInsert(keys []string, hashes []uint64, ids []uint32) {
	slots := t.slots
	mask := uint64(len(slots) - 1)
	for i, h := range hashes {
		at := h & mask
		for {
			s := slots[at&mask]
			if s == 0 {
				ids[i] = t.add(keys[i], h, at&mask)
				slots = t.slots
				mask = uint64(len(slots) - 1)
				break
			}
			if s>>32 == h>>32 && t.strs[uint32(s)-1] == keys[i] {
				ids[i] = uint32(s) - 1
				break
			}
			at++
		}
	}
}

// doubledKeys is up to how many keys their memory is doubled when it is full: append adds a quarter, and moves
// each key four times.
const doubledKeys = 1 << 18

func (t *Strings) add(k string, h, at uint64) uint32 {
	if !t.share {
		k = t.arena.Clone(k)
	}
	if n := len(t.strs); n == cap(t.strs) && n < doubledKeys {
		t.strs, t.hashes = slices.Grow(t.strs, max(n, 1)), slices.Grow(t.hashes, max(n, 1))
	}
	t.strs = append(t.strs, k)
	t.hashes = append(t.hashes, h)
	t.slots[at] = h&^0xffffffff | uint64(len(t.strs))
	if 2*len(t.strs) > len(t.slots) {
		t.slots = rehash(t.hashes, t.null)
	}
	return uint32(len(t.strs) - 1)
}

// rehash returns new slots for the ids of these hashes, with room for as many more.
func rehash(hashes []uint64, null int) []uint64 {
	slots := make([]uint64, slotsFor(len(hashes)))
	mask := uint64(len(slots) - 1)
	for id, h := range hashes {
		if id == null {
			continue
		}
		at := h & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = h&^0xffffffff | uint64(id+1)
	}
	return slots
}
