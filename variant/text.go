package variant

import (
	"errors"
	"strconv"

	"github.com/parquetsql/parquetsql/vector"
)

// ErrLongTexts is the error if the JSON texts of a vector are too long to be kept at
// once. Of fewer rows they may not be.
var ErrLongTexts = errors.New("the JSON text of Variants in one batch of rows is too long")

// maxTexts is the greatest total length of the JSON texts of a vector of several rows.
const maxTexts = 1 << 30

// texts are the texts of some rows: strings as they are, or JSON text, which is built
// one after the other.
type texts struct {
	rows    []int32
	strings []string
	built   []builtText
	all     []byte
	out     vector.Vector
}

// builtText is the JSON text of rows[at], which ends in all.
type builtText struct{ at, end int }

// reset forgets the texts so far.
func (t *texts) reset() {
	clear(t.strings)
	t.rows, t.strings, t.built, t.all = t.rows[:0], t.strings[:0], t.built[:0], t.all[:0]
}

// view is the text of a row that is not built.
func (t *texts) view(row int, s string) {
	t.rows, t.strings = append(t.rows, int32(row)), append(t.strings, s)
}

// done ends the text of a row.
func (t *texts) done(row int, all []byte) error {
	t.all, t.built = all, append(t.built, builtText{len(t.rows), len(all)})
	t.view(row, "")
	if len(all) > maxTexts && len(t.built) > 1 {
		return ErrLongTexts
	}
	return nil
}

// keptTexts is the size up to which memory is kept for the next vector.
const keptTexts = 1 << 22

// vector is the texts in their rows of n; nil if there are none. It is valid until the
// next call.
func (t *texts) vector(n int) *vector.Vector {
	if len(t.rows) == 0 {
		return nil
	}
	out := &t.out
	out.Reset(vector.Of(vector.Varchar), n)
	if len(t.rows) < n {
		out.Valid = make(vector.Validity, (n+63)/64)
	}
	all, from := string(t.all), 0
	for _, b := range t.built {
		t.strings[b.at] = all[from:b.end]
		from = b.end
	}
	for i, row := range t.rows {
		out.Str[row] = t.strings[i]
		if out.Valid != nil {
			out.Valid.Set(int(row))
		}
	}
	if cap(t.all) > keptTexts {
		t.all = nil
	}
	return out
}

// AppendShredded appends the JSON text of the value in a row of a shredded column.
func AppendShredded(dst []byte, v *vector.Vector, row int) ([]byte, error) {
	switch v, row = stored(v, row); v.Type.Kind {
	case vector.Varchar:
		dst, ok := appendText(dst, v.Str[row])
		if !ok {
			return dst, errText(v.Str[row])
		}
		return dst, nil
	case vector.BigInt, vector.Integer:
		return strconv.AppendInt(dst, v.I64[row], 10), nil
	case vector.Double:
		return vector.AppendFloatJSON(dst, v.F64[row], 64), nil
	}
	s := v.Get(row)
	return appendScalar(dst, &s), nil
}
