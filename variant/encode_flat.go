package variant

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/vector"
)

// Scalars of a whole vector are written in loops, without a Builder for each.

// flat is Encode for a vector of scalars that are common. It is false for all others.
func (w *Writer) flat(v *vector.Vector, rows []int32, n int, out *vector.Vector) (bool, error) {
	if v.Form == vector.Constant {
		return false, nil
	}
	if v.Type.Kind == vector.Varchar {
		return true, w.flatTexts(v, listed(n, rows), n, out)
	}
	kind, bytes := wordOf(v.Type)
	if bytes == 0 || v.Form != vector.Flat {
		return false, nil
	}
	return true, w.flatWords(v, kind, bytes, listed(n, rows), n, out)
}

// wordOf is the kind and the number of bytes of the values of a type, where both are the same
// for all values; 0 bytes for other types.
func wordOf(t vector.Type) (Kind, int) {
	exact := t.Storage() == vector.StoreInt64 && t.Unit == vector.Micros
	switch {
	case t.Kind == vector.TinyInt:
		return Int8, 1
	case t.Kind == vector.SmallInt, t.Kind == vector.UTinyInt:
		return Int16, 2
	case t.Kind == vector.Integer, t.Kind == vector.USmallInt:
		return Int32, 4
	case t.Kind == vector.BigInt, t.Kind == vector.UInteger:
		return Int64, 8
	case t.Kind == vector.Float:
		return Float, 4
	case t.Kind == vector.Double:
		return Double, 8
	case t.Kind == vector.Timestamp && exact:
		return TimestampNTZ, 8
	case t.Kind == vector.TimestampTZ && exact:
		return Timestamp, 8
	case t.Kind == vector.Time && exact:
		return TimeNTZ, 8
	}
	return 0, 0
}

// begin makes memory for n rows, whose values have these bytes together.
func (w *Writer) begin(out *vector.Vector, n, bytes int) error {
	if w.Coming != nil {
		if err := w.Coming(int64(bytes)); err != nil {
			return err
		}
	}
	out.Reset(Type(), n)
	clear(out.Children[metadataChild].Str)
	clear(out.Children[valueChild].Str)
	return nil
}

// flatWords writes the values of the listed rows.
func (w *Writer) flatWords(v *vector.Vector, kind Kind, bytes int, rows []int32, n int, out *vector.Vector) error {
	size := 1 + bytes
	if err := w.begin(out, n, size*len(rows)); err != nil {
		return err
	}
	// Eight bytes are written for each value; those behind it are the next one's.
	arena := make([]byte, size*len(rows)+8)
	storage := v.Type.Storage()
	for i, row := range rows {
		var x uint64
		switch storage {
		case vector.StoreInt64:
			x = uint64(v.I64[row])
		case vector.StoreFloat64:
			x = math.Float64bits(v.F64[row])
		default:
			x = uint64(math.Float32bits(v.F32[row]))
		}
		arena[i*size] = byte(kind) << 2
		binary.LittleEndian.PutUint64(arena[i*size+1:], x)
	}
	all := string(arena[:size*len(rows)])
	metadata, values := out.Children[metadataChild].Str, out.Children[valueChild].Str
	for i, row := range rows {
		metadata[row], values[row] = emptyMetadata.bytes, all[i*size:(i+1)*size]
	}
	w.nullsOf(v, rows, n, out)
	return nil
}

// flatTexts writes the texts of the listed rows.
func (w *Writer) flatTexts(v *vector.Vector, rows []int32, n int, out *vector.Vector) error {
	bytes := 0
	for _, row := range rows {
		if !v.IsNull(int(row)) {
			s := textAt(v, int(row))
			if !utf8.ValidString(s) {
				return errText(s)
			}
			if uint64(len(s)) > math.MaxUint32 {
				return errLarge
			}
			bytes += len(s) + textHead(s)
		}
	}
	if err := w.begin(out, n, bytes); err != nil {
		return err
	}
	arena := make([]byte, 0, bytes)
	for _, row := range rows {
		if v.IsNull(int(row)) {
			continue
		}
		s := textAt(v, int(row))
		if textHead(s) == 1 {
			arena = append(arena, byte(len(s))<<2|basicShortString)
		} else {
			arena = binary.LittleEndian.AppendUint32(append(arena, byte(String)<<2), uint32(len(s)))
		}
		arena = append(arena, s...)
	}
	all, at := string(arena), 0
	metadata, values := out.Children[metadataChild].Str, out.Children[valueChild].Str
	for _, row := range rows {
		if v.IsNull(int(row)) {
			continue
		}
		s := textAt(v, int(row))
		end := at + textHead(s) + len(s)
		metadata[row], values[row] = emptyMetadata.bytes, all[at:end]
		at = end
	}
	w.nullsOf(v, rows, n, out)
	return nil
}

// textHead is how many bytes are before those of a string.
func textHead(s string) int {
	if len(s) < 64 {
		return 1
	}
	return 5
}

// nullsOf makes NULL what is NULL in v, and all rows that are not listed.
func (w *Writer) nullsOf(v *vector.Vector, rows []int32, n int, out *vector.Vector) {
	set := func(row int) {
		out.SetNull(row)
		out.Children[valueChild].SetNull(row)
		out.Children[metadataChild].Str[row], out.Children[valueChild].Str[row] = "", ""
	}
	if v.Valid == nil && len(rows) == n {
		return
	}
	next := 0
	for _, row := range rows {
		for ; len(rows) < n && next < int(row); next++ {
			set(next)
		}
		if next = int(row) + 1; v.IsNull(int(row)) {
			set(int(row))
		}
	}
	for ; next < n; next++ {
		set(next)
	}
}
