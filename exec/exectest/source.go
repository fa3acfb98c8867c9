package exectest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Source is an operator that uses all freedom that the interface gives it: it picks
// forms and selections at random, and it overwrites a batch as soon as the batch no
// longer belongs to the consumer. Before that it checks that the consumer changed only
// Sel.
type Source struct {
	schema vector.Schema
	rows   []Row
	size   int
	r      *rand.Rand
	last   *vector.Batch
	given  *vector.Batch // the last batch, as the consumer got it
	values []Row         // its rows, also those that are not selected
	dicts  []*vector.Vector
	lends  bool // texts, too, are overwritten
	lent   []*lent
	closed bool
	// changed describes what a consumer changed in a batch against the rules.
	changed string
}

// NewSource returns rows in batches of at most size.
func NewSource(schema vector.Schema, rows []Row, size int, r *rand.Rand) *Source {
	return &Source{schema: schema, rows: rows, size: min(size, vector.BatchSize), r: r, dicts: make([]*vector.Vector, len(schema)), lends: r.IntN(2) == 0}
}

// Schema is the columns.
func (s *Source) Schema() vector.Schema { return s.schema }

// Close notes that it was called.
func (s *Source) Close() error {
	s.closed = true
	s.poison()
	return nil
}

// Next is the next batch.
func (s *Source) Next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.poison()
	if len(s.rows) == 0 {
		return nil, nil
	}
	n := min(len(s.rows), 1+s.r.IntN(s.size))
	take := s.rows[:n]
	s.rows = s.rows[n:]
	b := &vector.Batch{Len: n}
	if n < vector.BatchSize && s.r.IntN(2) == 0 {
		// Rows in between that are not selected: copies of others, so that their values are
		// plausible and must not appear.
		var all []Row
		b.Sel = []int32{}
		for _, row := range take {
			for s.r.IntN(3) == 0 && len(all)+n < vector.BatchSize {
				all = append(all, take[s.r.IntN(n)])
			}
			b.Sel = append(b.Sel, int32(len(all)))
			all = append(all, row)
		}
		take, b.Len = all, len(all)
	}
	for c, col := range s.schema {
		v := s.column(c, col.Type, take)
		if s.lends {
			v = s.lend(v)
		} else {
			v.Raise(vector.Shared)
		}
		b.Cols = append(b.Cols, v)
	}
	s.last, s.values = b, take
	s.given = &vector.Batch{Len: b.Len, Cols: slices.Clone(b.Cols)}
	return b, nil
}

// Vector is a flat vector of values.
func Vector(t vector.Type, values []vector.Scalar) *vector.Vector {
	flat, one := rowstore.NewColumn(t), unit(t)
	for _, v := range values {
		one.Valid = nil
		if one.Set(0, v); v.Null && t.Storage() == vector.StoreNested {
			one.Offsets, one.Children = []int32{0, 0}, nil
		}
		must(flat.Append(one, nil))
	}
	return &flat.Vec
}

// must panics: lists of tests are short enough for each vector.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// unit is a vector of one row, without the room for more that vector.New makes.
func unit(t vector.Type) *vector.Vector {
	c := rowstore.NewColumn(t)
	c.Vec.AppendNulls(1)
	return &c.Vec
}

// column picks a form.
func (s *Source) column(c int, t vector.Type, rows []Row) *vector.Vector {
	values, same := make([]vector.Scalar, len(rows)), true
	for i, row := range rows {
		values[i] = row[c]
		same = same && Text(row[c]) == Text(rows[0][c])
	}
	flat := Vector(t, values)
	switch {
	case t.Storage() == vector.StoreNested:
		return flat
	case same && s.r.IntN(2) == 0:
		return vector.NewConstant(rows[0][c], len(rows))
	case s.r.IntN(3) == 0 && t.Kind != vector.Null:
		return s.dictionary(c, flat, s.r.IntN(2) == 0)
	}
	return flat
}

// dictionary encodes the values, with the column's last dictionary if that has them all
// and renew is false.
func (s *Source) dictionary(c int, flat *vector.Vector, renew bool) *vector.Vector {
	places := map[string]int32{}
	if d := s.dicts[c]; d != nil && !renew {
		for i := range d.Len {
			places[Text(d.Get(i))] = int32(i)
		}
	}
	fresh, one := rowstore.NewColumn(flat.Type), unit(flat.Type)
	v := &vector.Vector{Type: flat.Type, Form: vector.Dictionary, Len: flat.Len, Valid: flat.Valid, Dict: s.dicts[c]}
	if renew || v.Dict == nil {
		v.Dict = &fresh.Vec
		places = map[string]int32{}
	}
	for i := range flat.Len {
		value := flat.Get(i)
		if value.Null {
			v.Codes = append(v.Codes, 0)
			continue
		}
		text := Text(value)
		if _, ok := places[text]; !ok {
			if v.Dict != &fresh.Vec {
				return flat // the old dictionary lacks it
			}
			places[text] = int32(v.Dict.Len)
			one.Valid = nil
			one.Set(0, value)
			must(fresh.Append(one, nil))
		}
		v.Codes = append(v.Codes, places[text])
	}
	if v.Dict.Len == 0 {
		return flat // a code needs an entry
	}
	s.dicts[c] = v.Dict
	return v
}

// poison overwrites the last batch except what may be kept: dictionaries, and the
// bytes of strings unless they are lent.
func (s *Source) poison() {
	if s.last == nil {
		return
	}
	s.verify()
	for i := range s.last.Sel {
		s.last.Sel[i] = -1
	}
	for _, v := range s.given.Cols {
		poison(v)
	}
	for _, l := range s.lent {
		l.overwrite()
	}
	s.lent = nil
	s.last.Len, s.last = -1, nil
}

// verify notes what the consumer changed of the last batch. It looks at one row
// of each column only: all of them take as long as half of the tests.
func (s *Source) verify() {
	if s.last.Len != s.given.Len || !slices.Equal(s.last.Cols, s.given.Cols) {
		s.changed = fmt.Sprintf("it had %d columns of %d rows and has %d of %d", len(s.given.Cols), s.given.Len, len(s.last.Cols), s.last.Len)
		return
	}
	for c, v := range s.given.Cols {
		i := s.r.IntN(len(s.values))
		if got, want := Text(v.Get(i)), Text(s.values[i][c]); got != want {
			s.changed = fmt.Sprintf("row %d of column %s was %s and is %s", i, s.schema[c].Name, want, got)
		}
	}
}

func poison(v *vector.Vector) {
	for i := range v.Valid {
		v.Valid[i] = 0xaaaaaaaaaaaaaaaa
	}
	fill(v.Bool, true)
	fill(v.I64, -0x2152411021524111)
	fill(v.U64, 0xdeadbeefdeadbeef)
	fill(v.I128, vector.Int128{Hi: -1, Lo: 0xdeadbeef})
	fill(v.F32, -12345)
	fill(v.F64, -12345)
	fill(v.Str, "poison")
	fill(v.Interval, vector.IntervalValue{Months: -999})
	fill(v.Codes, -1)
	fill(v.Offsets, -1)
	for _, c := range v.Children {
		poison(c)
	}
}

func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}
