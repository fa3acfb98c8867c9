package define

import (
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TypeTexts is LIST(VARCHAR).
var TypeTexts = vector.ListOf(vector.Field{Name: "element", Type: TypeText, Nullable: true})

// Texts are the elements of the lists of a batch.
type Texts struct {
	list  []string
	nulls []int // places of NULLs in list
	meter *quota.Meter
	err   error // of the meter: nothing is added any more
}

// Add appends an element to the list of the row.
func (t *Texts) Add(s string) {
	if t.err == nil {
		t.err = t.meter.Elements(1)
	}
	if t.err == nil {
		t.list = append(t.list, s)
	}
}

// Failed reports that the meter has refused an element: the others need not be made.
func (t *Texts) Failed() bool { return t.err != nil }

// Work is quota.Meter.Work.
func (t *Texts) Work(n int) error { return t.meter.Work(n) }

// Meter is that of the batch; it may be nil.
func (t *Texts) Meter() *quota.Meter { return t.meter }

// AddNull appends a NULL.
func (t *Texts) AddNull() {
	at := len(t.list)
	if t.Add(""); len(t.list) > at {
		t.nulls = append(t.nulls, at)
	}
}

func (t *Texts) vector() *vector.Vector {
	v := vector.New(TypeText, 0)
	v.Str, v.Len = t.list, len(t.list)
	for _, i := range t.nulls {
		v.SetNull(i)
	}
	return v
}

// RowLists adds the elements of the list of row i.
type RowLists func(i int32, elements *Texts) error

// maxAhead is for how many elements there is room at first, where the last batch had as many.
const maxAhead = 16 * vector.BatchSize

// Lists is the kernel of a careful function whose result is a LIST of texts. rows reads
// the arguments of a batch.
func Lists(rows func(args []*vector.Vector) RowLists) func() kernel.Func {
	return func() kernel.Func {
		last := 0 // how many elements the last batch had
		return func(args []*vector.Vector, listed []int32, n int, out *kernel.Result) error {
			elements := &Texts{meter: out.Meter, list: make([]string, 0, min(last, maxAhead))}
			offsets := make([]int32, 1, n+1)
			add := rows(args)
			for _, i := range kernel.Listed(listed, n) {
				for int32(len(offsets)) <= i {
					offsets = append(offsets, int32(len(elements.list)))
				}
				if err := add(i, elements); err != nil {
					return err
				}
				if elements.err != nil {
					return elements.err
				}
				offsets = append(offsets, int32(len(elements.list)))
			}
			for len(offsets) <= n {
				offsets = append(offsets, int32(len(elements.list)))
			}
			last = len(elements.list)
			child := elements.vector()
			child.Type = out.Type.Fields[0].Type
			out.Offsets, out.Children = offsets, []*vector.Vector{child}
			return nil
		}
	}
}
