package files

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/vector"
)

// Bounds is what is known of one column in each of many files, one row for each: it takes less
// memory than summaries, and no time to be read. Several goroutines may Set rows at the same time
// that do not share 64 rows beginning at a multiple of 64; then it is not changed any more.
type Bounds struct {
	min, max vector.Vector // NULL: unknown
	nulls    []int64       // -1: unknown
	exact    []bool        // both bounds are values of the column
	rows     []int64       // of the files; -1: unknown
}

// NewBounds knows nothing yet of a column. rows has those of each file, -1 where they are unknown;
// several Bounds may share it.
func NewBounds(t vector.Type, rows []int64) *Bounds {
	b := &Bounds{nulls: make([]int64, len(rows)), exact: make([]bool, len(rows)), rows: rows}
	for _, v := range []*vector.Vector{&b.min, &b.max} {
		v.Reset(t, len(rows))
		v.Valid = make(vector.Validity, (len(rows)+63)/64)
		v.Raise(vector.Shared)
	}
	for i := range b.nulls {
		b.nulls[i] = -1
	}
	return b
}

// Set says what is known of the column in a file: bounds, which are nil where they are unknown, and
// how many values are NULL, -1 for unknown. exact says that the bounds are values of rows that count.
func (b *Bounds) Set(i int, low, high *vector.Scalar, nulls int64, exact bool) {
	if low != nil && high != nil && low.Compare(high) > 0 {
		low, high = nil, nil // they make no sense
	}
	setBound(&b.min, i, low)
	setBound(&b.max, i, high)
	b.nulls[i], b.exact[i] = nulls, exact
}

func setBound(v *vector.Vector, i int, s *vector.Scalar) {
	if s == nil {
		return
	}
	v.Valid.Set(i)
	v.Set(i, *s)
}

// Copy makes row i what row j of another one is, which must be of the same type.
func (b *Bounds) Copy(i int, from *Bounds, j int) {
	b.Set(i, from.bound(&from.min, j), from.bound(&from.max, j), from.nulls[j], from.exact[j])
}

func (b *Bounds) bound(v *vector.Vector, i int) *vector.Scalar {
	if v.IsNull(i) {
		return nil
	}
	s := v.Get(i)
	return &s
}

// Summary is what is known of the column in a file.
func (b *Bounds) Summary(i int) *probe.Summary {
	out := &probe.Summary{Rows: max(b.rows[i], 1), Nulls: b.nulls[i], MayHaveNaN: b.min.Type.IsFloat(), Min: b.bound(&b.min, i), Max: b.bound(&b.max, i)}
	out.MinExact, out.MaxExact = b.exact[i] && out.Min != nil, b.exact[i] && out.Max != nil
	return out
}

// Bytes is the memory that it takes, without the rows.
func (b *Bounds) Bytes() int64 {
	n := b.min.Bytes() + b.max.Bytes() + int64(9*len(b.nulls))
	for _, v := range []*vector.Vector{&b.min, &b.max} {
		for _, s := range v.Str {
			n += int64(len(s))
		}
	}
	return n
}

// Block is files that are ruled out together.
type Block struct {
	Files   []int32       // by their places
	Summary probe.Summary // of all rows of the files
}

// blockFiles is how many files are in a block: to test 300,000 files by blocks, and then those of
// one block, takes about as many tests of either.
const blockFiles = 512

// Blocks puts files whose values are close together, in the order of their least values: a condition that
// is satisfied by few of many files rules out most blocks, in whatever order the files are.
func (b *Bounds) Blocks() []Block {
	order := make([]int32, len(b.nulls))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		switch i, j := int(x), int(y); {
		case b.min.IsNull(i) && b.min.IsNull(j):
			return i - j
		case b.min.IsNull(i):
			return 1
		case b.min.IsNull(j):
			return -1
		default:
			return vector.Compare(&b.min, i, &b.min, j)
		}
	})
	out := make([]Block, 0, (len(order)+blockFiles-1)/blockFiles)
	for part := range slices.Chunk(order, blockFiles) {
		out = append(out, Block{Files: part, Summary: b.together(part)})
	}
	return out
}

// together is what is known of all rows of some files.
func (b *Bounds) together(list []int32) probe.Summary {
	out := probe.Summary{MayHaveNaN: b.min.Type.IsFloat()}
	for _, i := range list {
		out.Rows += max(b.rows[i], 1)
		if b.nulls[i] < 0 || out.Nulls < 0 {
			out.Nulls = -1
		} else {
			out.Nulls += b.nulls[i]
		}
	}
	out.Min = b.extreme(&b.min, list, -1)
	out.Max = b.extreme(&b.max, list, 1)
	return out
}

// extreme is the least (sign -1) or the greatest bound of some files; nil where one has none, but
// for those that have nothing but NULLs.
func (b *Bounds) extreme(v *vector.Vector, list []int32, sign int) *vector.Scalar {
	best := -1
	for _, i32 := range list {
		switch i := int(i32); {
		case v.IsNull(i) && b.rows[i] > 0 && b.nulls[i] == b.rows[i]:
		case v.IsNull(i):
			return nil
		case best < 0 || vector.Compare(v, i, v, best)*sign > 0:
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return b.bound(v, best)
}
