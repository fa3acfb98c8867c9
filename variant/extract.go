package variant

import "github.com/parquetsql/parquetsql/vector"

// Extract makes out what a path of FieldSteps and PositionSteps leads to in each row
// of a canonical vector, as a canonical vector: v->'$.a[0]'. Rows that are NULL or
// have nothing there are NULL; the Variant null stays what it is. Only the listed
// rows are made if rows is not nil; all others are NULL.
func Extract(v *vector.Vector, rows []int32, path vector.Path, out *vector.Vector) {
	var w Writer
	for _, row := range listed(v.Len, rows) {
		w.pad(int(row))
		x, ok := Get(v, int(row))
		if ok {
			x, ok, _ = x.At(path) // a canonical vector has no errors
		}
		if !ok {
			w.AppendNull()
			continue
		}
		w.Append(&x)
	}
	w.pad(v.Len)
	w.Finish(out)
}

// Merge makes out one canonical vector of n rows of the two parts of l.
func (w *Writer) Merge(l Located, n int, out *vector.Vector) error {
	w.Reset()
	for row := range n {
		if l.Typed != nil && !l.Typed.IsNull(row) {
			if err := w.encode(l.Typed, row); err != nil {
				return err
			}
			continue
		}
		if l.Rest != nil {
			if x, ok := Get(l.Rest, row); ok {
				w.Append(&x)
				continue
			}
		}
		w.AppendNull()
	}
	w.Finish(out)
	return nil
}

// listed is rows, or all n rows if it is nil.
func listed(n int, rows []int32) []int32 {
	if rows != nil {
		return rows
	}
	rows = make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
