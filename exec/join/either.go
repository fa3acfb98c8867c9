package join

import (
	"context"
	"slices"

	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// Alternative makes a join without Keys find candidates by one of several hash tables: a pair that
// matches has equal keys in one of the alternatives at least. So is an OR of equalities.
type Alternative []Key

// either is the hash table of an alternative. Its keys stand behind those of others in the rows of both
// sides.
type either struct {
	keys     *hashtable.Multimap
	from, to int
}

func (j *joiner) newEither() []either {
	out := make([]either, 0, len(j.Either))
	from := j.hashed
	for _, a := range j.Either {
		keys := make([]hashtable.Key, len(a))
		for i, k := range a {
			keys[i] = hashtable.Key{Type: j.built.types[from+i], Null: k.Null}
		}
		out = append(out, either{hashtable.NewMultimap(keys, j.seed, false), from, from + len(a)})
		from += len(a)
	}
	return out
}

// addEither adds rows in the layout of the build side.
func (t *table) addEither(b *vector.Batch) error {
	for _, e := range t.either {
		if err := e.keys.Add(b.Cols[e.from:e.to], b); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) freezeEither(ctx context.Context) error {
	for _, e := range t.either {
		if err := e.keys.Freeze(ctx); err != nil {
			return err
		}
	}
	return nil
}

// union is the candidates of a batch by several hash tables.
type union struct {
	finds []*hashtable.Probe
	ids   [][]uint32 // by table and selected row
	both  []uint32
	one   [1]uint32
}

func (t *table) newUnion() *union {
	u := &union{ids: make([][]uint32, len(t.either))}
	for _, e := range t.either {
		u.finds = append(u.finds, e.keys.NewProbe())
	}
	return u
}

// findEither looks the rows of the batch up. A row without candidates has none in s.
func (p *prober) findEither(s *source) error {
	u := p.union
	for k, e := range p.t.either {
		u.ids[k] = vector.Resize(u.ids[k], len(s.ids))
		if err := u.finds[k].Find(p.b.Cols[e.from:e.to], p.b, u.ids[k]); err != nil {
			return err
		}
	}
	for i := range s.ids {
		if !slices.ContainsFunc(u.ids, func(ids []uint32) bool { return ids[i] != hashtable.Missing }) {
			s.ids[i] = hashtable.Missing
		}
	}
	return nil
}

// appendUnion appends the candidates of the i-th selected row of the batch, each once.
func (p *prober) appendUnion(to []uint32, i int) []uint32 {
	u := p.union
	for k, e := range p.t.either {
		id := u.ids[k][i]
		if id == hashtable.Missing {
			continue
		}
		if rows := e.keys.Rows(id, &u.one); len(to) == 0 {
			to = append(to, rows...)
		} else {
			u.both = merge(u.both[:0], to, rows)
			to, u.both = u.both, to
		}
	}
	return to
}

// merge appends what is in one of two ascending lists.
func merge(to, a, b []uint32) []uint32 {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			to, a = append(to, a[0]), a[1:]
		case a[0] > b[0]:
			to, b = append(to, b[0]), b[1:]
		default:
			to, a, b = append(to, a[0]), a[1:], b[1:]
		}
	}
	return append(append(to, a...), b...)
}
