package vector

import "math/bits"

// withouter is a storage whose values are in one slice.
type withouter interface {
	without(v, src *Vector, rows []int32)
}

// Without is the rows of src but the listed ones, which are ascending. It copies the runs between
// them, which is faster than Gather where they are few. The result is v, in the same memory if that
// suffices, or a small vector. Its form is that of src unless that is nested, and its strings are
// those of src. It fails as Gather does.
func (v *Vector) Without(src *Vector, rows []int32) (*Vector, error) {
	values, ok := storageOf(src.Type).(withouter)
	n := src.Len - len(rows)
	switch {
	case src.Form == Constant:
		out := *src
		out.Len = n
		return &out, nil
	case !ok:
		return v, v.Gather(src, others(rows, src.Len))
	}
	valid := v.Valid
	if src.Form == Dictionary {
		v.Type, v.Form, v.Len = src.Type, Dictionary, n
		v.Codes = without(v.Codes, src.Codes[:src.Len], rows)
		v.Dict, v.Lease, v.Texts = src.Dict, src.Lease, src.Texts
	} else {
		v.Reset(src.Type, n)
		v.Texts = src.Texts
		values.without(v, src, rows)
	}
	if v.Valid = nil; src.Valid != nil {
		v.Valid = src.Valid.without(valid, src.Len, rows)
	}
	return v, nil
}

// others are the rows from 0 to n-1 that are not listed.
func others(rows []int32, n int) []int32 {
	out := make([]int32, 0, n-len(rows))
	for row := range int32(n) {
		if len(rows) > 0 && rows[0] == row {
			rows = rows[1:]
			continue
		}
		out = append(out, row)
	}
	return out
}

func (values[T]) without(v, src *Vector, rows []int32) {
	s := Slice[T](v)
	*s = without(*s, (*Slice[T](src))[:src.Len], rows)
}

// without is the elements of src but the listed ones, in the memory of into if that suffices.
func without[T any](into, src []T, rows []int32) []T {
	into = Resize(into, len(src)-len(rows))
	at, from := 0, 0
	for _, row := range rows {
		at += copy(into[at:], src[from:row])
		from = int(row) + 1
	}
	copy(into[at:], src[from:])
	return into
}

// without is the bits of the first n rows but those of the listed ones, in the memory of into if
// that suffices.
func (v Validity) without(into Validity, n int, rows []int32) Validity {
	into = Resize(into, (n-len(rows)+63)/64)
	clear(into)
	at := 0 // bits in into
	for w := 0; w<<6 < n; w++ {
		word, count, taken := v[w], min(64, n-w<<6), 0
		word &= ^uint64(0) >> (64 - count)
		for ; taken < len(rows) && int(rows[taken])>>6 == w; taken++ {
			bit := uint(rows[taken])&63 - uint(taken) // those before it are gone
			low := uint64(1)<<bit - 1
			word = word&low | word>>1&^low
		}
		rows, count = rows[taken:], count-taken
		if word != 0 {
			into[at>>6] |= word << (at & 63)
		}
		if at&63+bits.Len64(word) > 64 {
			into[at>>6+1] |= word >> (64 - at&63)
		}
		at += count
	}
	return into
}
