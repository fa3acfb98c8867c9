package logical

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
)

// Set is a set of columns. The zero value is empty. Copies share their
// elements: change a Clone.
//
// Columns of one part of a query have neighbouring numbers: a set has words for those between its
// least and its greatest alone, or plans of thousands of tables would take the square of that.
type Set struct {
	first int // words[0] has the columns from 64*first on
	words []uint64
}

// SetOf has the given columns.
func SetOf(ids ...ColumnID) Set {
	var s Set
	s.Add(ids...)
	return s
}

// Add puts columns into the set; 0 and what is less are no columns.
func (s *Set) Add(ids ...ColumnID) {
	for _, id := range ids {
		if id <= 0 {
			continue
		}
		w := int(id) >> 6
		s.cover(w, w+1)
		s.words[w-s.first] |= 1 << (id & 63)
	}
}

// cover makes room for the words from first to end.
func (s *Set) cover(first, end int) {
	if len(s.words) == 0 {
		s.first = first
	}
	if n := s.first - first; n > 0 {
		s.words, s.first = append(make([]uint64, n), s.words...), first
	}
	if n := end - s.first - len(s.words); n > 0 {
		s.words = append(s.words, make([]uint64, n)...)
	}
}

// word is a word of the set; 0 where it has none.
func (s Set) word(w int) uint64 {
	if w -= s.first; w >= 0 && w < len(s.words) {
		return s.words[w]
	}
	return 0
}

// Remove takes a column out of the set.
func (s *Set) Remove(id ColumnID) {
	if s.Has(id) {
		s.words[int(id)>>6-s.first] &^= 1 << (id & 63)
	}
}

// AddSet puts the columns of another set into this one.
func (s *Set) AddSet(o Set) {
	if len(o.words) == 0 {
		return
	}
	s.cover(o.first, o.first+len(o.words))
	for i, w := range o.words {
		s.words[o.first+i-s.first] |= w
	}
}

// Has reports whether the column is in the set.
func (s Set) Has(id ColumnID) bool { return id > 0 && s.word(int(id)>>6)>>(id&63)&1 != 0 }

// Len is the number of columns.
func (s Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty reports whether there is no column.
func (s Set) Empty() bool { return s.Len() == 0 }

// Clone is a set of its own with the same columns.
func (s Set) Clone() Set { return Set{s.first, slices.Clone(s.words)} }

// Union is the columns of either set.
func (s Set) Union(o Set) Set {
	u := s.Clone()
	u.AddSet(o)
	return u
}

// Intersect is the columns of both sets.
func (s Set) Intersect(o Set) Set {
	out := s.Clone()
	for i := range out.words {
		out.words[i] &= o.word(s.first + i)
	}
	return out
}

// Minus is the columns of s that o does not have.
func (s Set) Minus(o Set) Set {
	out := s.Clone()
	for i := range out.words {
		out.words[i] &^= o.word(s.first + i)
	}
	return out
}

// Contains reports whether all columns of o are in s.
func (s Set) Contains(o Set) bool { return o.Minus(s).Empty() }

// All are the columns, ascending.
func (s Set) All() iter.Seq[ColumnID] {
	return func(yield func(ColumnID) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(ColumnID((s.first+i)<<6 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// ReadBy is the columns that expressions read. nil expressions read none.
func ReadBy(exprs ...expr.Expr) Set {
	var s Set
	for _, e := range exprs {
		expr.Walk(e, func(x expr.Expr) bool {
			if c, ok := x.(*expr.Column); ok {
				s.Add(ColumnID(c.Index))
			}
			return true
		})
	}
	return s
}

// Free is the outer columns of a subtree: those that it reads and that none of
// its nodes produces. It is empty for a whole query; a subquery with free
// columns is correlated.
func Free(n Node) Set {
	free, _ := freeAndMade(n)
	return free
}

// freeAndMade is the outer columns of a subtree and the columns that it produces, in
// one walk.
func freeAndMade(n Node) (free, made Set) {
	free = ReadBy(n.Exprs()...)
	inputs := n.Inputs()
	each := make([]Set, len(inputs))
	var below Set
	for i, in := range inputs {
		var f Set
		f, each[i] = freeAndMade(in)
		free.AddSet(f)
		below.AddSet(each[i])
	}
	free = free.Minus(below).Minus(own(n).IDs())
	switch n := n.(type) {
	case *Filter, *Sort, *TopN, *Limit, *Portion, *Sample:
		return free, each[0]
	case *Join:
		return free, n.made(each)
	case *Apply:
		return free, n.made(each)
	case *With:
		return free, each[1]
	}
	return free, Made(n)
}

// Made is the identities of the columns that a node produces. Columns makes the list of
// them for each join and window below, which takes long where there are hundreds.
func Made(n Node) Set {
	var s Set
	addMade(n, &s)
	return s
}

func addMade(n Node, s *Set) {
	switch n := n.(type) {
	case *Filter, *Sort, *TopN, *Limit, *Portion, *Sample:
		addMade(n.Inputs()[0], s)
	case *With:
		addMade(n.Body, s)
	case *Join:
		n.addMade(s)
	case *Apply:
		n.addMade(s)
	case *Scan:
		for _, p := range n.Read {
			s.Add(n.all[p.Column].ID)
		}
	case *Project:
		for _, it := range n.Items {
			s.Add(it.ID)
		}
	case *Window:
		addMade(n.In, s)
		for _, c := range n.Calls {
			s.Add(c.ID)
		}
	default:
		for _, c := range n.Columns() {
			s.Add(c.ID)
		}
	}
}

func (j *Join) addMade(s *Set) {
	addMade(j.L, s)
	switch {
	case j.Kind.HasRight():
		addMade(j.R, s)
	case j.Kind == MarkJoin:
		s.Add(j.Mark.ID)
	}
}

// own is the columns that a node's expressions may read besides those of its
// inputs.
func own(n Node) Columns {
	switch n := n.(type) {
	case *Scan:
		return n.readable()
	case *Unnest:
		return n.added()
	}
	return nil
}
