package hashtable

import "github.com/parquetsql/parquetsql/rows/rowstore"

// Looking up one key after the other, the processor waits for the memory of each: it guesses
// wrongly how a look-up ends, and what it has begun of the next ones is lost. The loads of this
// file depend on no such guess, so that it waits for many at once.

const (
	// fetched is how many keys are looked up after such loads: what they load fits in a near cache.
	fetched = 256
	// farSlots is from how many slots on these are not in one.
	farSlots = 1 << 14
)

// fetchSlots loads the first slots of these hashes.
//
//go:noinline
func fetchSlots(slots []uint64, hashes []uint64) (sum uint64) {
	if len(slots) < farSlots {
		return 0
	}
	mask := uint64(len(slots) - 1)
	for _, h := range hashes {
		sum += slots[h&mask]
	}
	return sum
}

// fetchStrings loads the first slots of these hashes, at most fetched, and the strings of their ids.
//
//go:noinline
func fetchStrings(slots []uint64, strs []string, hashes []uint64) (sum uint64) {
	if len(slots) < farSlots || len(strs) == 0 {
		return 0
	}
	mask := uint64(len(slots) - 1)
	var ids [fetched]uint32
	for i, h := range hashes[:min(len(hashes), fetched)] {
		ids[i] = uint32(slots[h&mask])
	}
	for _, id := range ids[:min(len(hashes), fetched)] {
		if s := strs[max(id, 1)-1]; len(s) > 0 {
			sum += uint64(s[0])
		}
	}
	return sum
}

// fetchPairs loads both ends of the texts of some rows and of the keys that they will be compared with.
//
//go:noinline
func fetchPairs(rows, keys []string, known []int32, ids []uint32) (sum uint64) {
	for _, i := range known {
		if s := keys[ids[i]]; len(s) > 0 {
			sum += uint64(s[0]) + uint64(s[len(s)-1])
		}
		if s := rows[i]; len(s) > 0 {
			sum += uint64(s[0]) + uint64(s[len(s)-1])
		}
	}
	return sum
}

// fetchInts loads the first slots of these keys, at most fetched, and the keys of their ids.
//
//go:noinline
func fetchInts(slots []uint64, shift uint, known, keys []int64) (sum int64) {
	if len(slots) < farSlots || len(known) == 0 {
		return 0
	}
	mask := uint64(len(slots) - 1)
	keys = keys[:min(len(keys), fetched)]
	var ids [fetched]uint32
	for i, k := range keys {
		ids[i] = uint32(slots[tagOf(k)>>(shift&63)&mask])
	}
	for _, id := range ids[:len(keys)] {
		sum += known[max(id, 1)-1]
	}
	return sum
}

// fetchRows loads the first slots of these hashes, at most fetched, and the rows of those ids that have such a hash: rows of
// other keys, which new ones meet, would be loaded in vain.
//
//go:noinline
func (t *Rows) fetchRows(hashes []uint64) (sum uint64) {
	slots := t.slots
	if len(slots) < farSlots || len(t.hashes) == 0 {
		return 0
	}
	mask := uint64(len(slots) - 1)
	hashes = hashes[:min(len(hashes), fetched)]
	var ids [fetched]uint32
	for i, h := range hashes {
		s := slots[h&mask]
		ids[i] = uint32(s) & uint32(((s^h)>>32-1)>>32) // all bits if the upper halves agree, else none
	}
	for _, id := range ids[:len(hashes)] {
		sum += t.Row(int(max(id, 1)) - 1)[0]
	}
	return sum
}

// fetchBulk loads the first slots of some of these hashes.
//
//go:noinline
func fetchBulk(b *bulk, hashes *[fetched]uint64, some []uint8) (sum int64) {
	if b.distinct < farSlots {
		return 0
	}
	for _, i := range some {
		h := hashes[i]
		if slots := b.parts[h>>(64-b.bits)].slots; len(slots) > 0 {
			sum += slots[bulkSlot(h<<b.bits, len(slots))].key
		}
	}
	return sum
}

// fetchLists loads where the rows of these ids are, and the first of them.
//
//go:noinline
func fetchLists(first, rows, ids []uint32) (sum uint32) {
	if len(first) < farSlots {
		return 0
	}
	var at [fetched]uint32
	for len(ids) > 0 {
		n := min(fetched, len(ids))
		for i, id := range ids[:n] {
			if at[i] = 0; uint(id) < uint(len(first)) {
				at[i] = first[id]
			}
		}
		for _, k := range at[:n] {
			if uint(k) < uint(len(rows)) {
				sum += rows[k]
			}
		}
		ids = ids[n:]
	}
	return sum
}

// fetchTexts loads the texts of some rows of the build side, at most fetched.
//
//go:noinline
func fetchTexts(chunks [][]string, build []int32) (sum uint64) {
	var texts [fetched]string
	for i, row := range build {
		chunk, at := rowstore.Place(uint32(row))
		texts[i] = chunks[chunk][at]
	}
	for _, s := range texts[:len(build)] {
		if len(s) > 0 {
			sum += uint64(s[0])
		}
	}
	return sum
}

// fetchParts loads the first slots of these hashes in the parts from lo to hi, which are being built.
//
//go:noinline
func fetchParts(parts []bulkPart, bits uint, lo, hi int, hashes []uint64) (sum int64) {
	if len(parts[lo].slots) < farSlots {
		return 0
	}
	for _, h := range hashes {
		p := int(h >> (64 - bits))
		if p < lo || p >= hi {
			continue
		}
		if slots := parts[p].slots; len(slots) > 0 {
			sum += slots[bulkSlot(h<<bits, len(slots))].key
		}
	}
	return sum
}
