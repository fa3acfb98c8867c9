package vector

// Column describes one column of a schema.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
}

// Schema is the columns that an operator produces, in order.
type Schema []Column

// Batch is rows of several columns. All columns have Len rows; if Sel is not nil,
// only the rows that it lists (ascending, without repeats) exist. A batch belongs
// to its producer, and is valid until the producer's next call.
type Batch struct {
	Len  int
	Cols []*Vector
	Sel  []int32
}

// Rows is the number of rows that exist.
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
