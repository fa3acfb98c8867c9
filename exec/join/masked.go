package join

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// Where Test is several equalities and there is no On, it is NULL for a pair exactly if some of TestKeys are NULL on
// either side and the others are equal. A mask is a bit for each of TestKeys that is NULL in a row. Build rows with
// one mask are found by the keys that neither they nor the probe rows of another mask leave out, by hash: a table for each two
// masks that come together.

const (
	// mostMasks of build rows have tables; more are as rare as rows with them: their rows are tried one by one.
	mostMasks = 16
	// mostMaskedTables are made for a table.
	mostMaskedTables = 64
)

// maskedRows finds the rows of a frozen table by masks. Its tables are made when they are first needed.
type maskedRows struct {
	mu     sync.Mutex
	known  bool
	of     []uint32 // the masks of the rows, but for 0
	many   bool     // there are too many masks, or no memory for their tables
	tables map[[2]uint32]*hashtable.Multimap
}

// maskOf is the mask of a row of a batch.
func maskOf(tests []*vector.Vector, row int) (mask uint32) {
	for k, c := range tests {
		if c.IsNull(row) {
			mask |= 1 << k
		}
	}
	return mask
}

// masksOf are the masks of the build rows, but for 0. ok is false if there are too many.
func (t *table) masksOf(ctx context.Context) (of []uint32, ok bool, err error) {
	m := &t.masked
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known {
		err := t.eachChunk(ctx, func(b *vector.Batch) error {
			tests := b.Cols[len(t.j.Keys):t.j.hashed]
			for row := range b.Len {
				if mask := maskOf(tests, row); mask != 0 && !m.many && !slices.Contains(m.of, mask) {
					m.of = append(m.of, mask)
					m.many = len(m.of) > mostMasks
				}
			}
			return nil
		})
		if err != nil {
			return nil, false, err
		}
		m.known = true
	}
	return m.of, !m.many, nil
}

// eachChunk calls f with the rows of the table, in the layout of the build side.
func (t *table) eachChunk(ctx context.Context, f func(b *vector.Batch) error) error {
	var chunk vector.Batch
	for i := range t.rows.Chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.rows.Chunk(i, &chunk)
		if err := f(&chunk); err != nil {
			return err
		}
	}
	return nil
}

// maskedTable finds rows with a mask, 0 for all, by the keys that out does not leave out; nil if there is no memory for that.
func (t *table) maskedTable(ctx context.Context, of, out uint32) (*hashtable.Multimap, error) {
	m := &t.masked
	m.mu.Lock()
	defer m.mu.Unlock()
	name := [2]uint32{of, out}
	if found := m.tables[name]; found != nil || m.many {
		return found, nil
	}
	var keys []hashtable.Key
	left := t.left(out)
	for _, c := range left {
		key := hashtable.Key{Type: t.j.built.types[c], Null: hashtable.Equals}
		if c < len(t.j.Keys) {
			key.Null = t.j.Keys[c].Null
		}
		keys = append(keys, key)
	}
	estimate := hashtable.BulkRowBytes(keys) * int64(t.rows.Len())
	err := t.reserve(estimate)
	if errors.Is(err, errs.ErrMemoryLimit) || len(m.tables) == mostMaskedTables {
		m.many = true
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	made := hashtable.NewMultimap(keys, t.j.seed, false)
	err = t.eachChunk(ctx, func(b *vector.Batch) error {
		part := vector.Batch{Len: b.Len, Cols: b.Cols}
		if of != 0 {
			tests := b.Cols[len(t.j.Keys):t.j.hashed]
			part.Sel = []int32{}
			for row := range b.Len {
				if maskOf(tests, row) == of {
					part.Sel = append(part.Sel, int32(row))
				}
			}
		}
		return made.Add(columnsAt(b, left), &part)
	})
	if err == nil {
		err = made.Freeze(ctx)
	}
	if err == nil {
		err = t.reserve(max(0, made.Bytes()-estimate)) // it has copies of texts
	}
	if errors.Is(err, errs.ErrMemoryLimit) {
		m.many = true
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if m.tables == nil {
		m.tables = map[[2]uint32]*hashtable.Multimap{}
	}
	m.tables[name] = made
	return made, nil
}

// left is the places of the keys that a mask does not leave out.
func (t *table) left(out uint32) (left []int) {
	for c := range t.j.hashed {
		if k := c - len(t.j.Keys); k < 0 || out>>k&1 == 0 {
			left = append(left, c)
		}
	}
	return left
}

func columnsAt(b *vector.Batch, places []int) []*vector.Vector {
	out := make([]*vector.Vector, len(places))
	for i, c := range places {
		out[i] = b.Cols[c]
	}
	return out
}

// maskedFinder looks up the rows of a prober by masks.
type maskedFinder struct {
	finds map[[2]uint32]*hashtable.Probe
	masks []uint32 // by selected row
	which []int32  // the selected rows that are looked up
	sel   []int32  // their places
	ids   []uint32
}

// findMasked notes for which rows without a match Test is NULL. It is false if there are too many masks.
func (m *marker) findMasked(ctx context.Context) (ok bool, err error) {
	p, f := m.prober, &m.masked
	if p.on != nil || len(p.TestKeys) < 2 || len(p.TestKeys) > 32 {
		return false, nil
	}
	if p.t.rows.Len() == 0 {
		return true, nil
	}
	built, ok, err := p.t.masksOf(ctx)
	if err != nil || !ok {
		return false, err
	}
	tests := p.b.Cols[len(p.Keys):p.hashed]
	f.masks = vector.Resize(f.masks, len(p.state))
	var seen []uint32
	for i := range p.state {
		f.masks[i] = maskOf(tests, p.b.Row(i))
		if !slices.Contains(seen, f.masks[i]) {
			if seen = append(seen, f.masks[i]); len(seen) > mostMasks {
				return false, nil
			}
		}
	}
	for _, mask := range seen {
		if mask != 0 {
			if ok, err := m.findMask(ctx, mask, 0); !ok || err != nil {
				return false, err
			}
		}
		for _, of := range built {
			if of&^mask == 0 {
				continue // they are among all rows
			}
			if ok, err := m.findMask(ctx, mask, of); !ok || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// findMask looks up the rows of a mask among build rows of another one.
func (m *marker) findMask(ctx context.Context, mask, of uint32) (ok bool, err error) {
	p, f := m.prober, &m.masked
	f.which, f.sel = f.which[:0], f.sel[:0]
	for i, state := range p.state {
		if state == unmatched && f.masks[i] == mask {
			f.which, f.sel = append(f.which, int32(i)), append(f.sel, int32(p.b.Row(i)))
		}
	}
	if len(f.sel) == 0 {
		return true, nil
	}
	left := p.t.left(mask | of)
	if len(left) == 0 { // all build rows with the mask match, and there are some
		for _, i := range f.which {
			p.state[i] = unknown
		}
		return true, nil
	}
	name := [2]uint32{of, mask | of}
	find := f.finds[name]
	if find == nil {
		t, err := p.t.maskedTable(ctx, of, mask|of)
		if t == nil || err != nil {
			return false, err
		}
		if f.finds == nil {
			f.finds = map[[2]uint32]*hashtable.Probe{}
		}
		find = t.NewProbe()
		f.finds[name] = find
	}
	f.ids = vector.Resize(f.ids, len(f.sel))
	if err := find.Find(columnsAt(p.b, left), &vector.Batch{Len: p.b.Len, Cols: p.b.Cols, Sel: f.sel}, f.ids); err != nil {
		return false, err
	}
	for i, id := range f.ids {
		if id != hashtable.Missing {
			p.state[f.which[i]] = unknown
		}
	}
	return true, nil
}
