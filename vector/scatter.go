package vector

import "math"

// Run is some rows of a list, and the vector that they go to.
type Run struct {
	To      *Vector
	From, N int
}

// scatterer is a storage whose values are in one slice; see values.scatter.
type scatterer interface {
	scatter(src *Vector, rows []int32, runs []Run)
	reserve(v *Vector, n int)
	spread(v, src *Vector, at []int32)
}

// Reserve makes room for n more rows of v, which is flat and owns its memory, so that Append
// of so many does not move the others. It does nothing for nested types.
func (v *Vector) Reserve(n int) {
	if values, ok := storageOf(v.Type).(scatterer); ok {
		values.reserve(v, n)
	}
}

// Scatter appends rows of v, which is flat, to several vectors: to that of each run the
// rows rows[From:From+N]. It is what Append of those rows to each vector does, with
// one dispatch for all of them.
func (v *Vector) Scatter(rows []int32, runs []Run) error {
	values, ok := storageOf(v.Type).(scatterer)
	if !ok {
		for _, r := range runs {
			if err := r.To.Append(v, rows[r.From:r.From+r.N]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := fits(runs); err != nil {
		return err
	}
	values.scatter(v, rows, runs)
	v.scatterValidity(rows, runs)
	return nil
}

// ScatterValidity is Scatter for who keeps the values of the runs' vectors elsewhere: it
// appends which rows are NULL.
func (v *Vector) ScatterValidity(rows []int32, runs []Run) error {
	if err := fits(runs); err != nil {
		return err
	}
	v.scatterValidity(rows, runs)
	return nil
}

func (v *Vector) scatterValidity(rows []int32, runs []Run) {
	for i := range runs {
		r := &runs[i]
		if v.Valid != nil || r.To.Valid != nil {
			r.To.appendValidity(v, rows[r.From:r.From+r.N], r.N)
		}
		r.To.Len += r.N
	}
}

// fits is ErrTooLong if a vector would get too many rows.
func fits(runs []Run) error {
	for i := range runs {
		if int64(runs[i].To.Len)+int64(runs[i].N) > math.MaxInt32 {
			return ErrTooLong
		}
	}
	return nil
}

// Spread makes v n rows, of which those at these places are the rows of src, which is flat, and the others
// NULL. It fails as Append does.
func (v *Vector) Spread(src *Vector, at []int32, n int) error {
	values, ok := storageOf(src.Type).(scatterer)
	if !ok {
		return v.spreadNested(src, at, n)
	}
	texts := src.Owner()
	v.Reset(src.Type, n)
	values.spread(v, src, at)
	v.Texts, v.Valid = texts, make(Validity, (n+63)/64)
	for i, row := range at {
		if src.Valid == nil || src.Valid.Get(i) {
			v.Valid.Set(int(row))
		}
	}
	return nil
}

func (v *Vector) spreadNested(src *Vector, at []int32, n int) error {
	v.Reset(src.Type, 0)
	v.Valid = nil
	var one Vector
	for i, row := range at {
		v.AppendNulls(int(row) - v.Len)
		one.Slice(src, i, 1)
		if err := v.Append(&one, nil); err != nil {
			return err
		}
	}
	v.AppendNulls(n - v.Len)
	return nil
}
