package aggregate

import (
	"cmp"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// termKey is what the first term of ORDER BY has in a row: the first 8 bytes of the value, so that
// most comparisons read nothing else.
type termKey struct {
	prefix uint64 // inverted for DESC
	row    int32
	class  int8 // -1 for a NULL that comes first, 1 for one that comes last
}

const termKeyBytes = 16

// orderedRows compares the rows of an orderedState.
type orderedRows struct {
	terms  []expr.SortKey
	chunks []vector.Batch
	first  int       // the column of the first term
	ints   [][]int64 // of the first term, by chunk, if all chunks have integers without NULLs
}

// sort orders the rows of each group, so that order has one group after the other.
func (s *orderedState) sort() error {
	s.divide()
	longest := int32(0)
	for g := range s.known {
		longest = max(longest, s.starts[g+1]-s.starts[g])
	}
	bytes := int64(longest) * termKeyBytes
	if err := s.budget.Need(bytes); err != nil {
		return err
	}
	defer s.budget.Release(bytes)
	o := &orderedRows{terms: s.terms, chunks: make([]vector.Batch, s.rows.Chunks()), first: s.args}
	for i := range o.chunks {
		s.rows.Chunk(i, &o.chunks[i])
	}
	o.findInts()
	keys := make([]termKey, 0, longest)
	for g := range s.known {
		rows := s.order[s.starts[g]:s.starts[g+1]]
		if err := s.work(rowWork * len(rows)); err != nil {
			return err
		}
		keys = o.keys(keys[:0], rows)
		if err := o.sort(keys, s.work); err != nil {
			return err
		}
		for i, k := range keys {
			rows[i] = k.row
		}
	}
	return nil
}

// findInts sets ints.
func (o *orderedRows) findInts() {
	for _, c := range o.chunks {
		v := c.Cols[o.first]
		if v.Form != vector.Flat || v.MayHaveNulls() || v.Type.Storage() != vector.StoreInt64 {
			o.ints = nil
			return
		}
		o.ints = append(o.ints, v.I64)
	}
}

// keys appends the keys of rows. Those of a group lie far from each other; this loop is so short that the
// processor waits for many at once.
func (o *orderedRows) keys(list []termKey, rows []int32) []termKey {
	if o.ints == nil {
		for _, row := range rows {
			list = append(list, o.key(row))
		}
		return list
	}
	flip := uint64(1) << 63 // as OrderedPrefix does
	if o.terms[0].Desc {
		flip = ^flip
	}
	for _, row := range rows {
		chunk, i := rowstore.Place(uint32(row))
		list = append(list, termKey{prefix: uint64(o.ints[chunk][i]) ^ flip, row: row})
	}
	return list
}

func (o *orderedRows) key(row int32) termKey {
	chunk, i := rowstore.Place(uint32(row))
	v, t := o.chunks[chunk].Cols[o.first], o.terms[0]
	switch {
	case v.IsNull(i) && t.NullsFirst:
		return termKey{row: row, class: -1}
	case v.IsNull(i):
		return termKey{row: row, class: 1}
	}
	k := termKey{row: row, prefix: vector.OrderedPrefix(v, i)}
	if t.Desc {
		k.prefix = ^k.prefix
	}
	return k
}

// sort orders the keys; rows that are equal in all terms stay in their order.
func (o *orderedRows) sort(keys []termKey, work func(n int) error) error {
	from := 0 // the first term that equal keys leave open
	if vector.PrefixIsValue(o.terms[0].Expr.Type()) {
		from = 1
	}
	var err error
	compared := 0
	slices.SortFunc(keys, func(a, b termKey) int {
		if compared++; compared == quota.RowsPerLook && err == nil {
			compared, err = 0, work(quota.CompareWork*quota.RowsPerLook)
		}
		switch {
		case err != nil:
			return 0
		case a.class != b.class:
			return cmp.Compare(a.class, b.class)
		case a.prefix < b.prefix:
			return -1
		case a.prefix > b.prefix:
			return 1
		}
		if c := o.compare(a.row, b.row, from); c != 0 {
			return c
		}
		return cmp.Compare(a.row, b.row)
	})
	return err
}

// compare compares the terms of two rows from one on.
func (o *orderedRows) compare(a, b int32, from int) int {
	if from == len(o.terms) {
		return 0
	}
	x, i := rowstore.Place(uint32(a))
	y, k := rowstore.Place(uint32(b))
	for t := from; t < len(o.terms); t++ {
		if c := compareForOrder(o.chunks[x].Cols[o.first+t], i, o.chunks[y].Cols[o.first+t], k, o.terms[t]); c != 0 {
			return c
		}
	}
	return 0
}
