package kernel

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// Range is the elements From to To of the children of a LIST or MAP.
type Range struct{ From, To int32 }

// Len is the number of elements.
func (r Range) Len() int32 { return r.To - r.From }

// Lists reads an argument of type LIST or MAP, which is flat or constant.
type Lists struct {
	Elements *vector.Vector // the first child
	offsets  []int32
	mask     int
}

// ListsOf reads v.
func ListsOf(v *vector.Vector) Lists {
	l := Lists{Elements: v.Children[0], offsets: v.Offsets, mask: -1}
	if v.Form == vector.Constant {
		l.mask = 0
	}
	return l
}

// At is the elements of row i.
func (l Lists) At(i int32) Range {
	at := int(i) & l.mask
	return Range{l.offsets[at], l.offsets[at+1]}
}

// FewElements is how many elements the LISTs of all rows have, or 0 where that is not known at once or they are
// more than usual.
func FewElements(v *vector.Vector, rows []int32) int {
	if rows != nil || v.Form != vector.Flat {
		return 0
	}
	if n := int(v.Offsets[v.Len] - v.Offsets[0]); n <= mostPicks {
		return n
	}
	return 0
}

// ListBuilder makes the LISTs or MAPs of a result out of elements of other vectors.
type ListBuilder struct {
	out     *Result
	asked   int64     // elements that the meter knows
	next    int       // the first row without an offset
	offsets []int32   // of the rows so far
	picks   [][]int32 // for each child the elements
	made    int32     // see Made
}

// NewListBuilder makes the values of out, which is flat and was reset.
func NewListBuilder(out *Result) *ListBuilder {
	b := &ListBuilder{out: out, offsets: vector.Resize(out.Offsets, out.Len+1), picks: out.picks}
	if out.picks = nil; len(b.picks) != len(out.Type.Fields) {
		b.picks = make([][]int32, len(out.Type.Fields))
	}
	for c := range b.picks {
		b.picks[c] = b.picks[c][:0]
	}
	return b
}

// mostPicks is how many elements of a batch are no more than usual: the memory for them is used again.
const mostPicks = 64 * vector.BatchSize

// Start begins row i; the rows between it and the one before it are empty.
func (b *ListBuilder) Start(i int32) {
	for ; b.next <= int(i); b.next++ {
		b.offsets[b.next] = int32(len(b.picks[0])) + b.made
	}
}

// Add appends to the row the element at a position of the child's source.
func (b *ListBuilder) Add(child int, at int32) { b.picks[child] = append(b.picks[child], at) }

// Need is called before n elements are added, by functions that make many of few.
func (b *ListBuilder) Need(n int64) error {
	b.asked += n
	return b.out.Meter.Elements(n)
}

// AddRange appends several elements.
func (b *ListBuilder) AddRange(child int, r Range) {
	picks := b.picks[child]
	if more := int(r.Len()); more > cap(picks)-len(picks) {
		picks = slices.Grow(picks, max(more, len(picks)))
	}
	for e := r.From; e < r.To; e++ {
		picks = append(picks, e)
	}
	b.picks[child] = picks
}

// finishAtOnce is how many elements Finish copies between two looks at the context.
const finishAtOnce = 1 << 20

// Finish ends all rows. There is one source for each child, of the child's type.
func (b *ListBuilder) Finish(sources ...*vector.Vector) error {
	b.Start(int32(b.out.Len))
	if n := int64(len(b.picks[0])); n > b.asked {
		if err := b.Need(n - b.asked); err != nil {
			return err
		}
	}
	b.out.Offsets = b.offsets
	for c, src := range sources {
		few := len(b.picks[c])
		if few > mostPicks {
			few = 0
		}
		child := b.out.Child(c, few)
		for part := range slices.Chunk(b.picks[c], finishAtOnce) {
			if err := child.Append(src, part); err != nil {
				return err
			}
			if err := b.out.Meter.Work(len(part)); err != nil {
				return err
			}
		}
	}
	if cap(b.picks[0]) <= mostPicks {
		b.out.picks = b.picks
	}
	return nil
}

// Child makes an empty child, for about n elements, or 0 where that is not known or more than usual: then, and for elements that are nested, it
// has memory of its own, else that of the batch before.
func (r *Result) Child(c, n int) *vector.Vector {
	t := r.Type.Fields[c].Type
	if n == 0 || t.Storage() == vector.StoreNested {
		child := vector.New(t, 0)
		r.Children[c] = child
		return child
	}
	if len(r.built) != len(r.Children) {
		r.built = make([]*vector.Vector, len(r.Children))
	}
	if r.built[c] == nil {
		r.built[c] = &vector.Vector{}
	}
	child := r.built[c]
	clear(child.Str) // long texts of the batch before must not stay alive
	child.Reset(t, 0)
	child.Reserve(n)
	r.Children[c] = child
	return child
}

// CompareElements orders two elements as ORDER BY does; NULL is above all others.
func CompareElements(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
	x, y := a.IsNull(int(i)), b.IsNull(int(j))
	switch {
	case x && y:
		return 0
	case x:
		return 1
	case y:
		return -1
	}
	return vector.Compare(a, int(i), b, int(j))
}

// OrderedBytes writes nested values as vector.AppendOrdered does.
func OrderedBytes() Func {
	t := &TextBuffer{}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
			return vector.AppendOrdered(dst, args[0], int(i)), Outcome{}
		})
	}
}

// Made is Add for n elements that Whole gets.
func (b *ListBuilder) Made(n int) { b.made += int32(n) }

// Whole ends all rows; their elements are those of a flat vector of the child's type, in place of those added.
func (b *ListBuilder) Whole(elements *vector.Vector) {
	b.Start(int32(b.out.Len))
	b.out.Offsets = b.offsets
	b.out.Children[0] = elements
}
