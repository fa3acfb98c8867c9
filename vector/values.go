package vector

import (
	"cmp"
	"slices"
)

// values is the storage of values in a []T.
type values[T Value] struct {
	order func(a, b T) int
}

func (values[T]) reset(v *Vector, n int) {
	s := Slice[T](v)
	*s = Resize(*s, n)
}

func (values[T]) slice(out, src *Vector, from, n int) {
	*Slice[T](out) = (*Slice[T](src))[from : from+n : from+n]
}

func (values[T]) appendRows(v, src *Vector, rows []int32, n int, _ func([]string)) error {
	gather(grow[T](v, n), src, rows)
	return nil
}

func (values[T]) appendZeros(v *Vector, n int) { clear(grow[T](v, n)) }

// grow makes the slice of v n values longer and returns the new part.
func grow[T Value](v *Vector, n int) []T {
	s := Slice[T](v)
	*s = longer((*s)[:v.Len], n)
	return (*s)[v.Len:]
}

// doubles is up to how many values a vector doubles. One that is longer grows by half, as much of
// it may stay empty.
const doubles = 1 << 18

// longer is s with n values more, which are unspecified. What append makes of long slices, pieces that
// are a quarter longer, is five times as much memory in all as the values need, and most of it garbage.
func longer[T any](s []T, n int) []T {
	if n <= cap(s)-len(s) {
		return s[:len(s)+n]
	}
	more := len(s) + 1
	if more > doubles {
		more /= 2
	}
	return slices.Grow(s, max(n, more))[:len(s)+n]
}

func (values[T]) reserve(v *Vector, n int) {
	s := Slice[T](v)
	*s = slices.Grow((*s)[:v.Len], n)
}

// scatter appends rows of src, which is flat, to the vectors of the runs, whose Len and Valid
// the caller changes afterwards.
func (values[T]) scatter(src *Vector, rows []int32, runs []Run) {
	from := *Slice[T](src)
	for _, r := range runs {
		into := grow[T](r.To, r.N)
		for i, row := range rows[r.From : r.From+r.N] {
			into[i] = from[row]
		}
	}
}

// spread is Vector.Spread of values.
func (values[T]) spread(v, src *Vector, at []int32) {
	into, from := *Slice[T](v), (*Slice[T](src))[:len(at)]
	clear(into) // texts keep memory
	for i, x := range from {
		into[at[i]] = x
	}
}

// gather sets dst to the values of the listed rows of src, of its first rows if
// rows is nil.
func gather[T Value](dst []T, src *Vector, rows []int32) {
	switch from := *Slice[T](src.stored()); {
	case src.Form == Constant:
		for i := range dst {
			dst[i] = from[0]
		}
	case src.Form == Dictionary && rows == nil:
		for i, c := range src.Codes[:len(dst)] {
			dst[i] = from[c]
		}
	case src.Form == Dictionary:
		for i, r := range rows {
			dst[i] = from[src.Codes[r]]
		}
	case rows == nil:
		copy(dst, from[:len(dst)])
	default:
		for i, r := range rows {
			dst[i] = from[r]
		}
	}
}

func (values[T]) copyRows(v, src *Vector, rows []int32) error {
	dst := *Slice[T](v)
	if rows == nil {
		gather(dst[:v.Len], src, nil)
		return nil
	}
	switch from := *Slice[T](src.stored()); src.Form {
	case Constant:
		c := from[0]
		for _, r := range rows {
			dst[r] = c
		}
	case Dictionary:
		for _, r := range rows {
			dst[r] = from[src.Codes[r]]
		}
	default:
		for _, r := range rows {
			dst[r] = from[r]
		}
	}
	return nil
}

// pickSource is what pick reads of one source: row r is at codes[r&mask] of
// from, or at r&mask if there are no codes.
type pickSource[T Value] struct {
	from  []T
	codes []int32
	mask  int32
}

func openSources[T Value](sources []*Vector) []pickSource[T] {
	open := make([]pickSource[T], len(sources))
	for i, s := range sources {
		o := &open[i]
		if s.Type.Kind == Null {
			o.from = make([]T, 1)
			continue
		}
		o.from = *Slice[T](s.stored())
		if s.Form != Constant {
			o.mask = -1
		}
		if s.Form == Dictionary {
			o.codes = s.Codes
		}
	}
	return open
}

func (values[T]) pick(v *Vector, sources []*Vector, picks []Pick) error {
	open := openSources[T](sources)
	dst := *Slice[T](v)
	for i, p := range picks {
		o := &open[p.Source]
		at := p.Row & o.mask
		if o.codes != nil {
			at = o.codes[at]
		}
		dst[i] = o.from[at]
	}
	v.pickNulls(sources, picks)
	return nil
}

// pickNulls makes the rows NULL that are so in their source.
func (v *Vector) pickNulls(sources []*Vector, picks []Pick) {
	if !slices.ContainsFunc(sources, (*Vector).MayHaveNulls) {
		return
	}
	for i, p := range picks {
		if s := sources[p.Source]; s.MayHaveNulls() && s.IsNull(int(p.Row)) {
			v.SetNull(i)
		}
	}
}

func (k values[T]) compare(a *Vector, i int, b *Vector, j int) int {
	return k.order((*Slice[T](a))[i], (*Slice[T](b))[j])
}

func (k values[T]) ordering(v *Vector) func(i, j int) int {
	of, order := *Slice[T](v), k.order
	return func(i, j int) int { return order(of[i], of[j]) }
}

// stringValues is the storage of strings, which refer to memory.
type stringValues struct{ values[string] }

func (k stringValues) appendRows(v, src *Vector, rows []int32, n int, own func([]string)) error {
	owner := src.Owner()
	if own == nil || src.Form == Dictionary && owner != Lent {
		v.gains(owner)
		return k.values.appendRows(v, src, rows, n, nil)
	}
	v.gains(Shared)
	fresh := grow[string](v, n)
	if src.Form == Constant {
		one := []string{""}
		if !src.IsNull(0) {
			one[0] = src.Str[0]
			own(one)
		}
		for i := range fresh {
			fresh[i] = one[0]
		}
		return nil
	}
	gather(fresh, src, rows)
	if src.Valid != nil {
		for i := range fresh {
			if !src.Valid.Get(rowAt(rows, i)) {
				fresh[i] = "" // the string under a NULL may be large
			}
		}
	}
	own(fresh)
	return nil
}

func (k stringValues) scatter(src *Vector, rows []int32, runs []Run) {
	k.values.scatter(src, rows, runs)
	for i := range runs {
		runs[i].To.gains(src.Texts)
	}
}

func (k stringValues) pick(v *Vector, sources []*Vector, picks []Pick) error {
	v.Texts = Owned
	for _, s := range sources {
		v.Texts = min(v.Texts, s.Owner())
	}
	return k.values.pick(v, sources, picks)
}

// noValues is the storage of the type of a bare NULL.
type noValues struct{}

func (noValues) reset(*Vector, int)                                                {}
func (noValues) slice(_, _ *Vector, _, _ int)                                      {}
func (noValues) appendRows(_, _ *Vector, _ []int32, _ int, _ func([]string)) error { return nil }
func (noValues) appendZeros(*Vector, int)                                          {}
func (noValues) copyRows(_, _ *Vector, _ []int32) error                            { return nil }
func (noValues) pick(*Vector, []*Vector, []Pick) error                             { return nil }
func (noValues) compare(*Vector, int, *Vector, int) int                            { return 0 }
func (noValues) ordering(*Vector) func(i, j int) int                               { return func(int, int) int { return 0 } }

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// CompareFloats orders floats as SQL does: NaN is equal to itself and above all
// numbers (cmp.Compare has it below them), and the zeros are equal.
func CompareFloats[T float32 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return -cmp.Compare(a, b) // at least one is NaN
}
