package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// keptRows are rows that were among the first ones of a group when they came. Most are not for long:
// compact drops those that no group wants any more.
type keptRows struct {
	cols   []*rowstore.Column
	stored int     // rows in cols
	sel    []int32 // rows of a batch that come after those, see append
}

func newKeptRows(exprs []expr.Expr) keptRows {
	k := keptRows{sel: []int32{}} // a nil sel means all rows
	for _, e := range exprs {
		k.cols = append(k.cols, rowstore.NewColumn(e.Type()))
	}
	return k
}

func (k *keptRows) bytes() int64 {
	n := int64(cap(k.sel)) * 4
	for _, c := range k.cols {
		n += c.Bytes()
	}
	return n
}

// begin begins a batch.
func (k *keptRows) begin() { k.sel = k.sel[:0] }

// add adds a row of the batch and returns its number.
func (k *keptRows) add(row int32) int32 {
	k.sel = append(k.sel, row)
	return int32(k.stored + len(k.sel) - 1)
}

// leave takes back the row that was added last.
func (k *keptRows) leave() { k.sel = k.sel[:len(k.sel)-1] }

// at is where a column of a row is; from has those of the batch.
func (k *keptRows) at(row int32, column int, from *vector.Vector) (*vector.Vector, int) {
	if i := int(row) - k.stored; i >= 0 {
		return from, int(k.sel[i])
	}
	return &k.cols[column].Vec, int(row)
}

// append copies the rows of the batch that were added.
func (k *keptRows) append(from []*vector.Vector) error {
	if len(k.sel) == 0 {
		return nil
	}
	for i, c := range k.cols {
		if err := c.Append(from[i], k.sel); err != nil {
			return err
		}
	}
	k.stored += len(k.sel)
	k.begin()
	return nil
}

// vectors are the columns.
func (k *keptRows) vectors() []*vector.Vector {
	list := make([]*vector.Vector, len(k.cols))
	for i, c := range k.cols {
		list[i] = &c.Vec
	}
	return list
}

// full reports whether compact is worth it for so many wanted rows: memory grows with those and not
// with all rows.
func (k *keptRows) full(wanted int) bool { return k.stored > 2*wanted+4*vector.BatchSize }

// compact leaves the wanted rows, in the order in which they came; it changes their numbers.
func (k *keptRows) compact(wanted []*int32) error {
	k.begin()
	places := make([]int32, k.stored)
	for _, row := range wanted {
		places[*row] = 1
	}
	for row, is := range places { // sorting the wanted rows takes longer: they are a third of all, or more
		if is != 0 {
			places[row] = int32(len(k.sel))
			k.sel = append(k.sel, int32(row))
		}
	}
	for _, row := range wanted {
		*row = places[*row]
	}
	for i, c := range k.cols {
		kept := rowstore.NewColumn(c.Vec.Type)
		if err := kept.Append(&c.Vec, k.sel); err != nil {
			return err
		}
		k.cols[i] = kept
	}
	k.stored = len(k.sel)
	k.begin()
	return nil
}

// rowKeys are keys of the rows of a batch, as integers whose order is that of the values, as far as they
// differ.
type rowKeys struct {
	sortableKeys
	exact bool // keys are equal only if the values are
}

// newRowKeys has the greatest value first if inverted is not set, else the least.
func newRowKeys(t vector.Type, inverted bool) rowKeys {
	k := rowKeys{exact: vector.Sortable(t)}
	if k.float = t.IsFloat(); inverted {
		k.flip = ^uint64(0)
	}
	return k
}

// load makes the keys of a batch; those of NULLs say nothing.
func (k *rowKeys) load(v *vector.Vector, b *vector.Batch) {
	if k.exact {
		k.sortableKeys.load(v, b)
		return
	}
	k.batch = k.batch[:0]
	for i := range b.Rows() {
		key := uint64(0)
		if row := b.Row(i); !v.IsNull(row) {
			key = vector.RoughKey(v, row) ^ k.flip
		}
		k.batch = append(k.batch, key)
	}
}
