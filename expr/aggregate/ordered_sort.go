package aggregate

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// termKey is what a term of ORDER BY has in a row: the first bytes of the value, so that
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
	first  int         // the column of the first term
	ints   [][]int64   // of the first term, by chunk, if all chunks have such integers without NULLs
	floats [][]float64 // the same of doubles
	texts  []bool      // by term: all chunks have such texts, see key
	common []int       // by term: how many bytes all its texts begin with

	prefixes [][]uint64 // of the texts of the first term, by chunk; nil: they are made of each group's rows
}

// sort orders the rows of each group, so that order has one group after the other.
func (s *orderedState) sort() error {
	s.divide()
	longest := int32(0)
	for g := range s.known {
		longest = max(longest, s.starts[g+1]-s.starts[g])
	}
	bytes := 2 * int64(longest) * termKeyBytes
	if err := s.budget.Need(bytes); err != nil {
		return err
	}
	defer s.budget.Release(bytes)
	o := &orderedRows{terms: s.terms, chunks: make([]vector.Batch, s.rows.Chunks()), first: s.args}
	for i := range o.chunks {
		s.rows.Chunk(i, &o.chunks[i])
	}
	if err := o.findWords(s.work); err != nil {
		return err
	}
	if release, err := o.readPrefixes(s); err != nil {
		return err
	} else if release != nil {
		defer release()
	}
	keys, spare := make([]termKey, 0, longest), make([]termKey, longest)
	for g := range s.known {
		rows := s.order[s.starts[g]:s.starts[g+1]]
		if err := s.work(rowWork * len(rows)); err != nil {
			return err
		}
		keys = o.keys(keys[:0], rows)
		if err := o.sort(keys, spare[:len(keys)], 0, o.common[0], s.work); err != nil {
			return err
		}
		for i, k := range keys {
			rows[i] = k.row
		}
	}
	return nil
}

// findWords sets ints or floats, and texts with their common bytes.
func (o *orderedRows) findWords(work func(n int) error) error {
	for t, term := range o.terms {
		texts := term.Expr.Type().Storage() == vector.StoreString &&
			!slices.ContainsFunc(o.chunks, func(c vector.Batch) bool { return c.Cols[o.first+t].Form != vector.Flat })
		common := 0
		if texts {
			var err error
			if common, err = o.commonBytes(t, work); err != nil {
				return err
			}
		}
		o.texts, o.common = append(o.texts, texts), append(o.common, common)
	}
	for _, c := range o.chunks {
		v := c.Cols[o.first]
		if v.Form == vector.Flat && !v.MayHaveNulls() {
			switch v.Type.Storage() {
			case vector.StoreInt64:
				o.ints = append(o.ints, v.I64)
			case vector.StoreFloat64:
				o.floats = append(o.floats, v.F64)
			}
		}
	}
	if len(o.ints) < len(o.chunks) {
		o.ints = nil
	}
	if len(o.floats) < len(o.chunks) {
		o.floats = nil
	}
	return nil
}

// readPrefixes makes the prefixes of the first term's texts in the order in which these are in memory, where there is
// room for them, no NULLs, and several groups, whose rows lie far from each other.
func (o *orderedRows) readPrefixes(s *orderedState) (release func(), err error) {
	const bytes = 8
	size := int64(len(s.order)) * bytes
	if !o.texts[0] || s.known < 2 || o.anyNull() || s.budget.Reserve(size) != nil {
		return nil, nil
	}
	row := int32(0)
	for _, c := range o.chunks {
		if err := s.work(rowWork * c.Len); err != nil {
			s.budget.Release(size)
			return nil, err
		}
		prefixes := make([]uint64, c.Len)
		for i := range prefixes {
			prefixes[i] = o.key(row, 0, o.common[0]).prefix
			row++
		}
		o.prefixes = append(o.prefixes, prefixes)
	}
	return func() { s.budget.Release(size) }, nil
}

// anyNull reports whether the first term may be NULL in a row.
func (o *orderedRows) anyNull() bool {
	return slices.ContainsFunc(o.chunks, func(c vector.Batch) bool { return c.Cols[o.first].MayHaveNulls() })
}

// commonBytes is how many bytes all texts of a term begin with, as numbers of users and addresses do: keys begin
// behind them.
func (o *orderedRows) commonBytes(t int, work func(n int) error) (int, error) {
	common, some := "", false
	for _, c := range o.chunks {
		v := c.Cols[o.first+t]
		if err := work(rowWork * v.Len); err != nil {
			return 0, err
		}
		for i, text := range v.Str[:v.Len] {
			switch {
			case v.IsNull(i):
				continue
			case !some:
				common, some = text, true
			case !strings.HasPrefix(text, common):
				n := 0
				for n < min(len(text), len(common)) && text[n] == common[n] {
					n++
				}
				common = common[:n]
			}
			if len(common) == 0 && some {
				return 0, nil
			}
		}
	}
	return len(common), nil
}

// keys appends the keys of rows. Those of a group lie far from each other; these loops are so short that
// the processor waits for many at once.
func (o *orderedRows) keys(list []termKey, rows []int32) []termKey {
	flip := uint64(0)
	if o.terms[0].Desc {
		flip = ^flip
	}
	switch {
	case o.ints != nil:
		flip ^= 1 << 63 // as OrderedPrefix does
		for _, row := range rows {
			chunk, i := rowstore.Place(uint32(row))
			list = append(list, termKey{prefix: uint64(o.ints[chunk][i]) ^ flip, row: row})
		}
	case o.floats != nil:
		for _, row := range rows {
			chunk, i := rowstore.Place(uint32(row))
			list = append(list, termKey{prefix: math.Float64bits(o.floats[chunk][i]), row: row})
		}
		for i, k := range list {
			list[i].prefix = vector.OrderedFloat(math.Float64frombits(k.prefix)) ^ flip
		}
	case o.prefixes != nil:
		for _, row := range rows {
			chunk, i := rowstore.Place(uint32(row))
			list = append(list, termKey{prefix: o.prefixes[chunk][i], row: row})
		}
	default:
		for _, row := range rows {
			list = append(list, o.key(row, 0, o.common[0]))
		}
	}
	return list
}

// textBytes is how many bytes of a text are in a prefix: the last byte says how many there are from the
// first of them on, at most textBytes+1.
const textBytes = 7

// key is the key of term t in a row; of a text it has the bytes from one on.
func (o *orderedRows) key(row int32, t, from int) termKey {
	chunk, i := rowstore.Place(uint32(row))
	v, term := o.chunks[chunk].Cols[o.first+t], o.terms[t]
	k := termKey{row: row}
	switch {
	case v.IsNull(i):
		if k.class = 1; term.NullsFirst {
			k.class = -1
		}
		return k
	case o.texts[t]:
		text := v.Str[i][from:]
		var b [8]byte
		copy(b[:textBytes], text)
		b[textBytes] = byte(min(len(text), textBytes+1))
		k.prefix = binary.BigEndian.Uint64(b[:])
	default:
		k.prefix = vector.RoughKey(v, i)
	}
	if term.Desc {
		k.prefix = ^k.prefix
	}
	return k
}

// sort orders rows by the terms from t on, of whose text of term t it knows that the bytes before from are
// equal. The keys are those of this term; rows that are equal in all terms stay in their order.
func (o *orderedRows) sort(keys, spare []termKey, t, from int, work func(n int) error) error {
	if err := work(quota.CompareWork * len(keys)); err != nil {
		return err
	}
	if len(keys) >= radixFrom {
		if sorted := sortByPrefix(keys, spare); &sorted[0] != &keys[0] {
			copy(keys, sorted)
		}
	} else {
		slices.SortFunc(keys, termKey.compare)
	}
	for i := 0; i < len(keys); {
		end := i + 1
		for end < len(keys) && keys[end].prefix == keys[i].prefix && keys[end].class == keys[i].class {
			end++
		}
		if err := o.sortEqual(keys[i:end], spare[i:end], t, from, work); err != nil {
			return err
		}
		i = end
	}
	return nil
}

const (
	// fewKeys is up to how many keys comparing rows is faster than more keys.
	fewKeys = 8
	// deepText is from which byte on texts are compared as a whole.
	deepText = 8 * textBytes
)

// sortEqual orders rows whose keys of term t are equal.
func (o *orderedRows) sortEqual(keys, spare []termKey, t, from int, work func(n int) error) error {
	last := byte(keys[0].prefix)
	if o.terms[t].Desc {
		last = ^last
	}
	typ := o.terms[t].Expr.Type()
	next, nextFrom := t+1, 0
	if next < len(o.terms) {
		nextFrom = o.common[next]
	}
	switch {
	case keys[0].class != 0, vector.PrefixIsValue(typ), o.texts[t] && last <= textBytes:
	case o.texts[t] && from-o.common[t]+textBytes < deepText:
		next, nextFrom = t, from+textBytes
	default: // the keys are not all
		return o.sortEach(keys, t, work)
	}
	switch {
	case next == len(o.terms) || len(keys) < 2:
		return nil
	case len(keys) <= fewKeys:
		return o.sortEach(keys, next, work)
	}
	for i := range keys {
		keys[i] = o.key(keys[i].row, next, nextFrom)
	}
	return o.sort(keys, spare, next, nextFrom, work)
}

func (k termKey) compare(o termKey) int {
	switch {
	case k.class != o.class:
		return cmp.Compare(k.class, o.class)
	case k.prefix < o.prefix:
		return -1
	case k.prefix > o.prefix:
		return 1
	}
	return cmp.Compare(k.row, o.row)
}

// sortEach sorts rows by comparing their terms from one on.
func (o *orderedRows) sortEach(keys []termKey, from int, work func(n int) error) error {
	var err error
	compared := 0
	slices.SortFunc(keys, func(a, b termKey) int {
		if compared++; compared == quota.RowsPerLook && err == nil {
			compared, err = 0, work(quota.CompareWork*quota.RowsPerLook)
		}
		if err != nil {
			return 0
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
