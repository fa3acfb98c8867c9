package exec

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// copyBatch makes dst the selected rows of src, without a selection, in memory of its
// own that the next call reuses. Dictionaries and texts that are not lent are shared;
// constants stay constant.
//
// Where texts are lent, all texts of dst become its own: the worker that copies does at the same
// time what a program that keeps texts needs (see column.load in the driver). Where they are
// long some are still lent, and dst is valid as long as src.
func copyBatch(dst, src *vector.Batch) (lent bool, err error) {
	dst.Len, dst.Sel = src.Rows(), nil
	for len(dst.Cols) < len(src.Cols) {
		dst.Cols = append(dst.Cols, &vector.Vector{})
	}
	dst.Cols = dst.Cols[:len(src.Cols)]
	for i, c := range src.Cols {
		if err := CopyVector(dst.Cols[i], c, src.Sel); err != nil {
			return false, err
		}
		lent = lent || dst.Cols[i].Owner() == vector.Lent
	}
	if !lent {
		return false, nil
	}
	lent = false
	left := quota.CopiedTexts
	for _, c := range dst.Cols {
		_, bytes, err := c.Own(nil, left, c)
		if err != nil {
			return false, err
		}
		left = max(0, left-bytes)
		lent = lent || c.Owner() == vector.Lent
	}
	return lent, nil
}

// CopyVector makes dst the rows of src that sel lists, all of them if it is nil, in
// memory of its own that the next call reuses. The dictionary and the bytes of strings
// are shared; a constant stays constant. It fails as vector.Gather does.
func CopyVector(dst, src *vector.Vector, sel []int32) error {
	n := src.Len
	if sel != nil {
		n = len(sel)
	}
	switch {
	case src.Form == vector.Constant:
		if err := dst.Gather(src, []int32{0}); err != nil {
			return err
		}
		dst.Form, dst.Len = vector.Constant, n
	case src.Form == vector.Dictionary:
		dst.Type, dst.Form, dst.Len, dst.Dict = src.Type, vector.Dictionary, n, src.Dict
		dst.Codes = vector.Resize(dst.Codes, n)
		if sel == nil {
			copy(dst.Codes, src.Codes)
		} else {
			for i, s := range sel {
				dst.Codes[i] = src.Codes[s]
			}
		}
		dst.Valid = copyValidity(src.Valid, sel, n)
	default:
		return dst.Gather(src, sel)
	}
	return nil
}

func copyValidity(v vector.Validity, sel []int32, n int) vector.Validity {
	if v == nil || sel == nil {
		return v.Clone()
	}
	out := vector.NewValidity(n)
	for i, s := range sel {
		if !v.Get(int(s)) {
			out.Clear(i)
		}
	}
	return out
}
