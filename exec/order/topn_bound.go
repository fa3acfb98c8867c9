package order

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// notAfter writes to into the rows of b whose first key does not sort after the bound, and with
// before only those that sort before it; it may leave in others. into has room for all rows.
func notAfter(into []int32, v *vector.Vector, b *vector.Batch, bound vector.Scalar, key expr.SortKey, before bool) []int32 {
	n := b.Rows()
	if bound.Null || v.Form == vector.Constant || v.Type.Kind == vector.Null {
		return allRows(into[:n], b)
	}
	values := stored(v)
	var codes []int32
	if v.Form == vector.Dictionary {
		codes = v.Codes
	}
	switch v.Type.Storage() {
	case vector.StoreInt64:
		into = rowsUpTo(into, values.I64, bound.I64, codes, b, key.Desc, before)
	case vector.StoreUint64:
		into = rowsUpTo(into, values.U64, bound.U64, codes, b, key.Desc, before)
	case vector.StoreFloat64:
		into = rowsUpTo(into, values.F64, bound.F64, codes, b, key.Desc, before)
	case vector.StoreFloat32:
		into = rowsUpTo(into, values.F32, bound.F32, codes, b, key.Desc, before)
	case vector.StoreString:
		into = rowsUpTo(into, values.Str, bound.Str, codes, b, key.Desc, before)
	default:
		return allRows(into[:n], b)
	}
	if v.Valid != nil && key.NullsFirst {
		// The values of NULL rows are unspecified, and NULLs come first.
		return allRows(into[:n], b)
	}
	return into
}

// tiesShare is the part of a batch's rows that must pass by their first key for the second one to be asked:
// it is read twice then.
const tiesShare = 8

// tied is memory for rows that are compared by two keys.
type tied struct{ first, second, kept []int32 }

// notAfter is the selected rows of b that do not sort after the bound by their first two keys: those before it by the
// first one, and those that are not after it by the second one. It may leave in others, too.
func (t *tied) notAfter(b *vector.Batch, values []*vector.Vector, bound []vector.Scalar, keys []expr.SortKey) []int32 {
	n := len(b.Sel)
	t.first, t.second, t.kept = vector.Resize(t.first, n), vector.Resize(t.second, n), vector.Resize(t.kept, n)
	second := notAfter(t.second, values[1], b, bound[1], keys[1], len(keys) == 2)
	if len(second) == n {
		return b.Sel
	}
	first := notAfter(t.first, values[0], b, bound[0], keys[0], true)
	kept := t.kept[:0]
	for _, row := range b.Sel {
		keep := false
		if len(first) > 0 && first[0] == row {
			keep, first = true, first[1:]
		}
		if len(second) > 0 && second[0] == row {
			keep, second = true, second[1:]
		}
		if keep {
			kept = append(kept, row)
		}
	}
	return kept
}

func allRows(into []int32, b *vector.Batch) []int32 {
	for i := range into {
		into[i] = int32(b.Row(i))
	}
	return into
}

// rowsUpTo writes the rows whose value is at most the bound, or at least with desc; with before
// the bound itself is left out. It keeps NaN, for which every comparison is false.
func rowsUpTo[T int64 | uint64 | float64 | float32 | string](into []int32, values []T, bound T, codes []int32, b *vector.Batch, desc, before bool) []int32 {
	into = into[:b.Rows()]
	k := 0
	if codes == nil && b.Sel == nil && !before {
		for i, x := range values[:len(into)] {
			if into[k] = int32(i); !(x > bound) && !desc || !(x < bound) && desc {
				k++
			}
		}
		return into[:k]
	}
	for i := range into {
		row := b.Row(i)
		at := row
		if codes != nil {
			at = int(codes[row])
		}
		after := values[at] > bound
		if desc {
			after = values[at] < bound
		}
		if !after && !(before && values[at] == bound) {
			into[k] = int32(row)
			k++
		}
	}
	return into[:k]
}
