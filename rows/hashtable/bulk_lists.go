package hashtable

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

// sort makes the lists of the rows of each key, by counting. Each share has the keys whose
// ids are in a range.
func (b *bulkBuild) sort(ctx context.Context, joined int) error {
	n := len(b.ids)
	first, rows := make([]uint32, n+1), make([]uint32, joined)
	mine := func(share int) (lo, size uint32) {
		from, to := b.part(share, n)
		return uint32(from), uint32(to - from)
	}
	err := b.run(ctx, func(ctx context.Context, share int) error {
		lo, size := mine(share)
		return b.eachBlock(ctx, func(_ int, ids []uint32) {
			for _, id := range ids {
				if id-lo < size {
					first[id+1]++
				}
			}
		})
	})
	if err != nil {
		return err
	}
	for i := range n {
		first[i+1] += first[i]
	}
	// first[id] is where the next row of id goes; in the end it is where the next id begins.
	err = b.run(ctx, func(ctx context.Context, share int) error {
		lo, size := mine(share)
		return b.eachBlock(ctx, func(from int, ids []uint32) {
			for i, id := range ids {
				if id-lo < size {
					rows[first[id]] = uint32(from + i)
					first[id]++
				}
			}
		})
	})
	copy(first[1:], first)
	first[0] = 0
	b.first, b.rows = first, rows
	return err
}

// eachBlock calls f with the ids of all rows, some at a time, and the first row of them.
func (b *bulkBuild) eachBlock(ctx context.Context, f func(from int, ids []uint32)) error {
	const block = 1 << 18
	for from := 0; from < len(b.ids); from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		f(from, b.ids[from:min(from+block, len(b.ids))])
	}
	return nil
}

// list is Multimap.Rows.
func (b *bulk) list(id uint32, one *[1]uint32) []uint32 {
	if b.first == nil {
		one[0] = id
		return one[:]
	}
	return b.rows[b.first[id]:b.first[id+1]]
}

// findWords writes the id of keys[i] to ids[i], or Missing.
func findWords[T int64 | uint64](b *bulk, keys []T, ids []uint32, a *asked) {
	ids = ids[:len(keys)]
	if b.parts == nil {
		findDirect(b.direct, b.base, keys, ids)
		return
	}
	var hashes [fetched]uint64
	var list [fetched]uint8
	for len(keys) > 0 {
		n := min(fetched, len(keys))
		for i, k := range keys[:n] {
			hashes[i] = bulkHash(int64(k))
			ids[i] = Missing
		}
		var some []uint8
		if len(b.filter.words) > 0 && !a.idle() {
			some = b.filter.choose(hashes[:n], &list, a)
		} else {
			for i := range n {
				list[i] = uint8(i)
			}
			some = list[:n]
		}
		fetchBulk(b, &hashes, some)
		for _, i := range some {
			ids[i] = b.findHashed(int64(keys[i]), hashes[i])
		}
		keys, ids = keys[n:], ids[n:]
	}
}

// findHashed is the id of a key with this hash.
func (b *bulk) findHashed(k int64, h uint64) uint32 {
	slots := b.parts[h>>(64-b.bits)].slots
	if len(slots) == 0 {
		return Missing
	}
	for at := bulkSlot(h<<b.bits, len(slots)); ; at++ {
		if at == len(slots) {
			at = 0
		}
		s := &slots[at]
		if s.id == 0 {
			return Missing
		}
		if s.key == k {
			return s.id - 1
		}
	}
}

// nullID is the id of NULL, -1 if there is none.
func (b *bulk) nullID() int {
	if b.null == Missing {
		return -1
	}
	return int(b.null)
}

func (b *bulk) bytes() int64 {
	n := 4*int64(len(b.direct)+len(b.first)+len(b.rows)) + 8*int64(len(b.filter.words))
	if b.keyed != nil && b.keyed.packed != nil {
		n += b.keyed.packed.Bytes()
	}
	for i := range b.parts {
		n += 16 * int64(len(b.parts[i].slots))
	}
	return n
}

// keys is Multimap.Keys.
func (b *bulk) keys() []*vector.Vector {
	out := &vector.Vector{}
	out.Reset(b.typ, b.distinct)
	n := 0
	for k := range b.each {
		setWord(out, n, k)
		n++
	}
	if n < b.distinct {
		out.SetNull(n)
		setWord(out, n, 0)
	}
	return []*vector.Vector{out}
}

// eachKeys is Multimap.EachKeys.
func (b *bulk) eachKeys(ctx context.Context, see func(keys []*vector.Vector, n int)) error {
	out, n := []*vector.Vector{{}}, 0
	out[0].Reset(b.typ, vector.BatchSize)
	for k := range b.each {
		setWord(out[0], n, k)
		if n++; n < vector.BatchSize {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		see(out, n)
		n = 0
	}
	if b.null != Missing {
		setWord(out[0], n, 0)
		out[0].SetNull(n)
		n++
	}
	if n > 0 {
		see(out, n)
	}
	return nil
}

// ids yields the id of each key but NULL.
func (b *bulk) ids(yield func(id uint32) bool) {
	for _, id := range b.direct {
		if id != 0 && !yield(id-1) {
			return
		}
	}
	for _, p := range b.parts {
		for _, s := range p.slots {
			if s.id != 0 && !yield(s.id-1) {
				return
			}
		}
	}
}

// each yields all keys but NULL.
func (b *bulk) each(yield func(k int64) bool) {
	for i, id := range b.direct {
		if id != 0 && !yield(b.base+int64(i)) {
			return
		}
	}
	for _, p := range b.parts {
		for _, s := range p.slots {
			if s.id != 0 && !yield(s.key) {
				return
			}
		}
	}
}
