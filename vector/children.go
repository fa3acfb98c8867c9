package vector

import (
	"math"
	"slices"
)

// children is the storage of LIST, MAP, STRUCT and VARIANT: vectors of their own.
type children struct{}

// reset makes new children, since the present ones may be shared with other
// vectors.
func (children) reset(v *Vector, n int) {
	v.Offsets, v.Children = nil, make([]*Vector, len(v.Type.Fields))
	rows := n
	if v.Type.HasElements() {
		v.Offsets, rows = make([]int32, n+1), 0
	}
	for i, f := range v.Type.Fields {
		v.Children[i] = New(f.Type, rows)
	}
}

// start makes the children of an empty vector that was made without Reset.
func (k children) start(v *Vector) {
	if v.Len == 0 && (len(v.Children) != len(v.Type.Fields) || v.Type.HasElements() && len(v.Offsets) == 0) {
		k.reset(v, 0)
	}
}

func (children) slice(out, src *Vector, from, n int) {
	if src.Type.HasElements() {
		out.Offsets = src.Offsets[from : from+n+1 : from+n+1]
		return
	}
	out.Children = make([]*Vector, len(src.Children))
	for i, c := range src.Children {
		out.Children[i] = &Vector{}
		out.Children[i].Slice(c, from, n)
	}
}

func (k children) appendRows(v, src *Vector, rows []int32, n int, own func([]string)) error {
	k.start(v)
	from := src.stored()
	if len(from.Children) < len(v.Children) { // a constant NULL without children
		k.appendZeros(v, n)
		return nil
	}
	if v.Type.HasElements() {
		return appendElements(v, src, rows, n, own)
	}
	places := rows
	if src.Form != Flat {
		places = make([]int32, n)
		for i := range places {
			places[i] = int32(src.index(rowAt(rows, i)))
		}
	}
	for i, c := range v.Children {
		if err := c.append(from.Children[i], places, own); err != nil {
			return err
		}
	}
	return nil
}

// EndRow appends a row to a flat LIST, MAP or STRUCT that owns its memory. The caller has
// appended the row's elements or fields to the children.
func (v *Vector) EndRow() {
	if v.Type.HasElements() {
		v.Offsets = append(v.Offsets[:v.Len+1], int32(v.Children[0].Len))
	}
	if v.Valid != nil {
		v.growValidity(1)
	}
	v.Len++
}

// appendElements appends rows of a LIST or MAP. If their elements are one range
// of the source, as when all rows are appended, the range is appended at once.
func appendElements(v, src *Vector, rows []int32, n int, own func([]string)) error {
	from, nulls := src.stored(), src.MayHaveNulls()
	first, next := int32(0), int32(-1) // the range of the elements so far; next is -1 if there are none
	gap := false
	end := int64(v.Offsets[v.Len])
	v.Offsets = slices.Grow(v.Offsets[:v.Len+1], n)[:v.Len+1+n]
	for i, ends := 0, v.Offsets[v.Len+1:]; i < n; i++ {
		if row := rowAt(rows, i); !nulls || !src.IsNull(row) {
			at := src.index(row)
			if lo, hi := from.Offsets[at], from.Offsets[at+1]; lo < hi {
				if next < 0 {
					first, next = lo, lo
				}
				gap, next = gap || lo != next, hi
				end += int64(hi - lo)
			}
		}
		if end > math.MaxInt32 {
			return ErrTooLong
		}
		ends[i] = int32(end)
	}
	var elements []int32
	if gap {
		elements = elementsOf(src, rows, n, int(int32(end)-v.Offsets[v.Len]))
	}
	for i, c := range v.Children {
		part := from.Children[i]
		if !gap {
			part = &Vector{}
			part.Slice(from.Children[i], int(first), max(0, int(next-first)))
		}
		if err := c.append(part, elements, own); err != nil {
			return err
		}
	}
	return nil
}

// elementsOf lists the positions of the elements of the listed rows; count is
// their number.
func elementsOf(src *Vector, rows []int32, n, count int) []int32 {
	from, list := src.stored(), make([]int32, 0, count)
	for i := range n {
		row := rowAt(rows, i)
		if src.IsNull(row) {
			continue
		}
		at := src.index(row)
		for e := from.Offsets[at]; e < from.Offsets[at+1]; e++ {
			list = append(list, e)
		}
	}
	return list
}

func (k children) appendZeros(v *Vector, n int) {
	k.start(v)
	if v.Type.HasElements() {
		v.Offsets = v.Offsets[:v.Len+1]
		for range n {
			v.Offsets = append(v.Offsets, v.Offsets[v.Len])
		}
		return
	}
	for _, c := range v.Children {
		c.AppendNulls(n)
	}
}

// copyRows sets the fields of a STRUCT. Of other types it makes new children, since a list in the middle may change its length.
func (k children) copyRows(v, src *Vector, rows []int32) error {
	if v.Type.Kind == Struct && src.Form != Dictionary && len(src.Children) == len(v.Children) {
		return copyFields(v, src, rows)
	}
	picks := make([]Pick, v.Len)
	for i := range picks {
		picks[i] = Pick{Row: int32(i)}
		if rows == nil {
			picks[i].Source = 1
		}
	}
	for _, r := range rows {
		picks[r].Source = 1
	}
	out := Vector{Type: v.Type}
	if err := k.pick(&out, []*Vector{v, src}, picks); err != nil {
		return err
	}
	v.Offsets, v.Children = out.Offsets, out.Children
	return nil
}

// copyFields is copyRows of a STRUCT, whose children are v's own.
func copyFields(v, src *Vector, rows []int32) error {
	for c, to := range v.Children {
		from := src.Children[c]
		if src.Form == Constant {
			one := *from
			one.Form = Constant
			from = &one
		}
		if err := to.CopyValues(from, rows); err != nil {
			return err
		}
		to.copyNulls(from, rows)
	}
	return nil
}

// copyNulls makes the listed rows of v, all of them if rows is nil, NULL where those of src are, and only there.
func (v *Vector) copyNulls(src *Vector, rows []int32) {
	if !src.MayHaveNulls() && v.Valid == nil {
		return
	}
	for i := range v.count(rows) {
		switch row := rowAt(rows, i); {
		case src.IsNull(row):
			v.SetNull(row)
		case v.Valid != nil:
			v.Valid.Set(row)
		}
	}
}

// pick appends consecutive picks of one source at once, and picks each field of a STRUCT by itself.
func (k children) pick(v *Vector, sources []*Vector, picks []Pick) error {
	v.Len, v.Valid = 0, nil
	k.reset(v, 0)
	if v.Type.Kind == Struct && !slices.ContainsFunc(sources, func(s *Vector) bool { return s.Form == Dictionary }) {
		return k.pickFields(v, sources, picks)
	}
	if v.Type.HasElements() {
		return k.pickElements(v, sources, picks)
	}
	var rows []int32
	for len(picks) > 0 {
		source := picks[0].Source
		for rows = rows[:0]; len(picks) > 0 && picks[0].Source == source; picks = picks[1:] {
			rows = append(rows, picks[0].Row)
		}
		if err := v.Append(sources[source], rows); err != nil {
			return err
		}
	}
	return nil
}

// pickElements makes lists of the picked ones, whose elements are picked together.
func (children) pickElements(v *Vector, sources []*Vector, picks []Pick) error {
	count := int64(0)
	v.Offsets = Resize(v.Offsets, len(picks)+1)
	v.Offsets[0] = 0
	for i, p := range picks {
		if lo, hi := sources[p.Source].elements(int(p.Row), len(v.Children)); lo < hi {
			count += int64(hi - lo)
		}
		if count > math.MaxInt32 {
			return ErrTooLong
		}
		v.Offsets[i+1] = int32(count)
	}
	elements := make([]Pick, 0, count)
	for _, p := range picks {
		lo, hi := sources[p.Source].elements(int(p.Row), len(v.Children))
		for e := lo; e < hi; e++ {
			elements = append(elements, Pick{p.Source, e})
		}
	}
	from := make([]*Vector, len(sources))
	for c, child := range v.Children {
		for i, s := range sources {
			if len(s.stored().Children) == len(v.Children) {
				from[i] = s.stored().Children[c]
			} else { // a NULL without children
				from[i] = NewConstant(NullOf(Of(Null)), 1)
			}
		}
		if err := child.Pick(v.Type.Fields[c].Type, from, elements); err != nil {
			return err
		}
	}
	v.Len = len(picks)
	v.pickNulls(sources, picks)
	return nil
}

// elements is the range of the elements of a row; it is empty where the row is NULL, or v has not so
// many children.
func (v *Vector) elements(row, children int) (from, to int32) {
	stored := v.stored()
	if len(stored.Children) != children || v.IsNull(row) {
		return 0, 0
	}
	at := v.index(row)
	return stored.Offsets[at], stored.Offsets[at+1]
}

func (children) pickFields(v *Vector, sources []*Vector, picks []Pick) error {
	fields, constants := make([]*Vector, len(sources)), make([]Vector, len(sources))
	for c, child := range v.Children {
		for i, s := range sources {
			switch {
			case s.Type.Kind == Null:
				fields[i] = s
			case len(s.Children) < len(v.Children): // a constant NULL without children
				fields[i] = NewConstant(NullOf(Of(Null)), 1)
			case s.Form == Constant:
				constants[i] = *s.Children[c]
				constants[i].Form = Constant
				fields[i] = &constants[i]
			default:
				fields[i] = s.Children[c]
			}
		}
		if err := child.Pick(v.Type.Fields[c].Type, fields, picks); err != nil {
			return err
		}
	}
	v.Len = len(picks)
	v.pickNulls(sources, picks)
	return nil
}

func (k children) ordering(v *Vector) func(i, j int) int {
	return func(i, j int) int { return k.compare(v, i, v, j) }
}

func (children) compare(a *Vector, i int, b *Vector, j int) int {
	if kind := a.Type.Kind; kind != List && kind != Map {
		for c := range a.Children {
			if d := compareNullable(a.Children[c], i, b.Children[c], j); d != 0 {
				return d
			}
		}
		return 0
	}
	from, to := int(a.Offsets[i]), int(a.Offsets[i+1])
	other, end := int(b.Offsets[j]), int(b.Offsets[j+1])
	for ; from < to && other < end; from, other = from+1, other+1 {
		for c := range a.Children {
			if d := compareNullable(a.Children[c], from, b.Children[c], other); d != 0 {
				return d
			}
		}
	}
	return (to - from) - (end - other)
}

func compareNullable(a *Vector, i int, b *Vector, j int) int {
	if x, y := a.IsNull(i), b.IsNull(j); x || y {
		return compareBools(x, y)
	}
	return Compare(a, i, b, j)
}
