package hashtable

import (
	"context"

	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/vector"
)

// bulk finds rows by one key column of 64-bit words. It is made at once, when all rows are
// known, by several goroutines: each looks at all keys and enters those of its share, so
// that none waits for another. The id of a key is the first of its rows.
type bulk struct {
	typ      vector.Type
	distinct int    // keys, NULL included
	null     uint32 // the id of NULL; Missing if there is none

	// Dense keys (see Ints) have a place each: the id of base+i is direct[i]-1.
	direct []uint32
	base   int64
	// Others are hashed: a part for each value of some bits of the hash. nil if they are dense.
	parts []bulkPart
	bits  uint // log2 of len(parts)

	// first[id] to first[id+1] is where the rows of a key are in rows. Both are nil if each
	// key has one row: then the id is that row.
	first, rows []uint32

	keyed  *keyed // the words are hashes of keys; nil: they are keys
	filter filter // of hashed keys
}

// intSlot is a slot of a bulkPart.
type intSlot struct {
	key int64
	id  uint32 // id+1; 0 is an empty slot
}

// bulkPart is a hash table of some of the keys. Slots take the keys in the order of their
// hashes, so that growing reads and writes sequentially.
type bulkPart struct {
	slots    []intSlot
	bits     uint // of the bulk
	distinct int
	seen     int // rows so far
	expected int // rows in all, about
}

// BulkRowBytes is the memory that BuildMultimap takes per row, about: two slots, its place
// in the lists twice, its id, and of keys that are not one word a hash, or a word and ids of texts. It takes a third more for a moment where the
// keys of the first rows repeat and those of others do not.
func BulkRowBytes(keys []Key) int64 {
	if isWord(keys) {
		return 2*16 + 3*4 + filterBits/8
	}
	return 2*16 + 3*4 + filterBits/8 + 8 + 4*int64(len(keys))
}

// fewRows are not worth a second goroutine.
const fewRows = 1 << 14

// bulkBuild is what the goroutines that build a bulk share.
type bulkBuild struct {
	*bulk
	skipNull bool
	chunks   []*vector.Vector // all rows, one after the other
	ids      []uint32         // by row: the id of its key, or Missing
	shares   int
}

// newBulk returns the id of each row, too.
func newBulk(ctx context.Context, key Key, chunks []*vector.Vector, shares int) (*bulk, []uint32, error) {
	n := 0
	for _, c := range chunks {
		n += c.Len
	}
	if n < fewRows {
		shares = 1
	}
	b := &bulkBuild{
		bulk:     &bulk{typ: key.Type, null: Missing},
		skipNull: key.Null == Equals, chunks: chunks, ids: make([]uint32, n), shares: shares,
	}
	if err := b.layOut(ctx); err != nil {
		return nil, nil, err
	}
	found := make([]int, shares)
	err := b.run(ctx, func(ctx context.Context, share int) (err error) {
		found[share], err = b.enter(ctx, share)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for _, k := range found {
		b.distinct += k
	}
	b.filter = newFilter(b.parts, b.distinct)
	joined := n
	if b.skipNull {
		for _, c := range chunks {
			if c.Valid != nil {
				joined -= c.Len - c.Valid.Count(c.Len)
			}
		}
	}
	if b.distinct < joined {
		err = b.sort(ctx, joined)
	}
	return b.bulk, b.ids, err
}

func (b *bulkBuild) run(ctx context.Context, work func(ctx context.Context, share int) error) error {
	return parallel.Each(ctx, b.shares, work)
}

// layOut decides on the form.
func (b *bulkBuild) layOut(ctx context.Context) error {
	bounds := make([]bounds, b.shares)
	err := b.run(ctx, func(ctx context.Context, share int) error {
		var scratch []int64
		for i := share; i < len(b.chunks); i += b.shares {
			if err := ctx.Err(); err != nil {
				return err
			}
			bounds[share].add(b.chunks[i], &scratch)
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := bounds[0]
	for _, o := range bounds[1:] {
		all.merge(o)
	}
	span := uint64(all.hi) - uint64(all.lo)
	if !all.some || span < uint64(max(smallRange, directRatio*len(b.ids))) {
		if b.base = all.lo; all.some {
			b.direct = make([]uint32, span+1)
		}
		return nil
	}
	for 1<<b.bits < b.shares {
		b.bits++
	}
	b.parts = make([]bulkPart, 1<<b.bits)
	for i := range b.parts {
		b.parts[i] = bulkPart{bits: b.bits, expected: len(b.ids) >> b.bits}
	}
	return nil
}

// bounds are the least and the greatest word of a column.
type bounds struct {
	lo, hi int64
	some   bool
}

func (x *bounds) add(v *vector.Vector, scratch *[]int64) {
	for i, k := range words(v, nil, v.Len, scratch) {
		if v.Valid != nil && v.IsNull(i) {
			continue
		}
		x.merge(bounds{lo: k, hi: k, some: true})
	}
}

func (x *bounds) merge(o bounds) {
	switch {
	case !o.some:
	case !x.some:
		*x = o
	default:
		x.lo, x.hi = min(x.lo, o.lo), max(x.hi, o.hi)
	}
}

// enter enters the keys of a share, the first share NULL too, and returns how many they are.
func (b *bulkBuild) enter(ctx context.Context, share int) (distinct int, err error) {
	var scratch []int64
	row, add := 0, b.share(share)
	for _, v := range b.chunks {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		ids := b.ids[row : row+v.Len]
		keys := words(v, nil, v.Len, &scratch)
		if v.Valid == nil || v.Valid.Count(v.Len) == v.Len {
			distinct += add(keys, ids, row)
			row += v.Len
			continue
		}
		for i := range keys {
			switch {
			case !v.IsNull(i):
				distinct += add(keys[i:i+1], ids[i:i+1], row+i)
			case share > 0:
			case b.skipNull:
				ids[i] = Missing
			default:
				if b.null == Missing {
					b.null = uint32(row + i)
					distinct++
				}
				ids[i] = b.null
			}
		}
		row += v.Len
	}
	return distinct, nil
}

// share returns what enters those keys, of consecutive rows from row on, that belong to a
// share: it writes their ids and returns how many are new.
func (b *bulkBuild) share(share int) func(keys []int64, ids []uint32, row int) int {
	if b.parts == nil {
		lo, hi := b.part(share, len(b.direct))
		mine, base := b.direct[lo:hi], b.base+int64(lo)
		return func(keys []int64, ids []uint32, row int) int { return enterDirect(mine, base, keys, ids, row) }
	}
	lo, hi := b.part(share, len(b.parts))
	return func(keys []int64, ids []uint32, row int) int { return b.enterHashed(lo, hi, keys, ids, row) }
}

// part is what a share has of n: from lo to hi.
func (b *bulkBuild) part(share, n int) (lo, hi int) {
	at := func(share int) int { return int(uint64(share) * uint64(n) / uint64(b.shares)) }
	return at(share), at(share + 1)
}

func enterDirect(mine []uint32, base int64, keys []int64, ids []uint32, row int) int {
	ids = ids[:len(keys)]
	distinct := 0
	for i, k := range keys {
		at := uint64(k) - uint64(base)
		if at >= uint64(len(mine)) {
			continue
		}
		id := mine[at]
		if id == 0 {
			id = uint32(row + i + 1)
			mine[at] = id
			distinct++
		}
		ids[i] = id - 1
	}
	return distinct
}

func (b *bulkBuild) enterHashed(lo, hi int, keys []int64, ids []uint32, row int) int {
	var hashes [fetched]uint64
	distinct := 0
	for len(keys) > 0 && lo < hi {
		n := min(fetched, len(keys))
		for i, k := range keys[:n] {
			hashes[i] = bulkHash(k)
		}
		if n == fetched {
			fetchParts(b.parts, b.bits, lo, hi, hashes[:])
		}
		for i, k := range keys[:n] {
			h := hashes[i]
			p := int(h >> (64 - b.bits))
			if p < lo || p >= hi {
				continue
			}
			first := b.parts[p].enter(k, h<<b.bits, uint32(row+i))
			if first == uint32(row+i) {
				distinct++
			}
			ids[i] = first
		}
		keys, ids, row = keys[n:], ids[n:], row+n
	}
	return distinct
}

// bulkHash leaves out the bits that skippedBits does: the rows may all be of one partition.
func bulkHash(k int64) uint64 { return Mix(uint64(k)) << skippedBits }

// bulkSlot is the first slot to look at, of n.
func bulkSlot(rest uint64, n int) int { return int((rest >> 32) * uint64(n) >> 32) }

// enter returns the first row of a key, which is row if it is new.
func (p *bulkPart) enter(k int64, rest uint64, row uint32) uint32 {
	p.seen++
	if 2*p.distinct >= len(p.slots) {
		p.grow()
	}
	slots := p.slots
	for at := bulkSlot(rest, len(slots)); ; at++ {
		if at == len(slots) {
			at = 0
		}
		s := &slots[at]
		if s.id == 0 {
			*s = intSlot{key: k, id: row + 1}
			p.distinct++
			return row
		}
		if s.key == k {
			return s.id - 1
		}
	}
}

// grow makes room for the keys that are to be expected if the next rows repeat as many as
// those before.
func (p *bulkPart) grow() {
	keys := 1.05 * float64(p.distinct+1)
	if p.seen < p.expected {
		keys *= float64(p.expected) / float64(p.seen)
	}
	before := p.slots
	p.slots = make([]intSlot, max(64, len(before)+len(before)/4, min(int(2*keys), 64*len(before))))
	for _, s := range before {
		if s.id == 0 {
			continue
		}
		at := bulkSlot(bulkHash(s.key)<<p.bits, len(p.slots))
		for p.slots[at].id != 0 {
			if at++; at == len(p.slots) {
				at = 0
			}
		}
		p.slots[at] = s
	}
}
