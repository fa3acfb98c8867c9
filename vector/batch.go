package vector

// Column describes one column of a schema.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
}

// Schema is the columns that an operator produces, in order.
type Schema []Column

// Batch is rows of several columns. Columns all have Len rows; where Sel is
// not nil only the rows it lists (ascending, without repeats) exist. A batch
// belongs to its producer until the producer's next call.
type Batch struct {
	Len  int
	Cols []*Vector
	Sel  []int32
}

// Rows is how many rows exist.
func (b *Batch) Rows() int {
	if b.Sel != nil {
		return len(b.Sel)
	}
	return b.Len
}

// Row is the position of the i-th row that exists.
func (b *Batch) Row(i int) int {
	if b.Sel != nil {
		return int(b.Sel[i])
	}
	return i
}
