package aggregate

import (
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// extremeNested is the state of MIN and MAX of LISTs, MAPs and STRUCTs: for each group a
// vector of one row, or nil.
type extremeNested struct {
	acc   []*vector.Vector
	typ   vector.Type
	sign  int // 1 for MAX, -1 for MIN
	bytes int64
	row   [1]int32
}

func (s *extremeNested) Resize(groups int) { s.acc = grow(s.acc, groups) }
func (s *extremeNested) Bytes() int64      { return int64(cap(s.acc))*8 + s.bytes }

func (s *extremeNested) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	v := args[0]
	for i := range b.Rows() {
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		if row := b.Row(i); !v.IsNull(row) && s.better(g, v, row) {
			s.row[0] = int32(row)
			kept := vector.New(s.typ, 0)
			if err := kept.AppendOwned(v, s.row[:], cloneAll); err != nil {
				return err
			}
			s.keep(g, kept)
		}
	}
	return nil
}

// better reports whether a value replaces that of the group.
func (s *extremeNested) better(g uint32, v *vector.Vector, row int) bool {
	old := s.acc[g]
	return old == nil || vector.Compare(v, row, old, 0)*s.sign > 0
}

func (s *extremeNested) keep(g uint32, v *vector.Vector) {
	if old := s.acc[g]; old != nil {
		s.bytes -= nestedBytes(old)
	}
	s.acc[g] = v
	s.bytes += nestedBytes(v)
}

func (s *extremeNested) Merge(from State, which, to []uint32) error {
	o := from.(*extremeNested)
	for i, w := range which {
		if v := o.acc[w]; v != nil && s.better(to[i], v, 0) {
			s.keep(to[i], v)
		}
	}
	return nil
}

func (s *extremeNested) Result(from, n int, out *vector.Vector) error {
	out.Reset(s.typ, 0)
	for _, v := range s.acc[from : from+n] {
		if v == nil {
			out.AppendNulls(1)
		} else if err := out.Append(v, nil); err != nil {
			return err
		}
	}
	return nil
}

// cloneAll replaces strings by copies, which keep no page in memory.
func cloneAll(list []string) {
	for i := range list {
		list[i] = strings.Clone(list[i])
	}
}

// nestedBytes is the memory of a vector and of its strings.
func nestedBytes(v *vector.Vector) int64 {
	n := v.Bytes() + vectorBytes
	for _, s := range v.Str {
		n += int64(len(s))
	}
	for _, c := range v.Children {
		n += nestedBytes(c) - c.Bytes()
	}
	return n
}

// vectorBytes is about the size of a vector without its values.
const vectorBytes = 400
