package column

import (
	"errors"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/fileformat"
)

// A record is the text of all levels and values of a record, so that records read
// in different ways can be compared.
//
//	REQUIRED, OPTIONAL  the value, or "NULL:definition level"
//	repeated            the same for each entry, after its repetition level
type records []string

// valueAt returns the i-th value of a batch as text.
func (b *Batch) valueAt(i int) string {
	v := &b.Values
	if b.Dict != nil {
		v, i = &b.Dict.Values, int(b.Codes[i])
	}
	switch {
	case v.Bool != nil:
		return fmt.Sprint(v.Bool[i])
	case v.Int32 != nil:
		return fmt.Sprint(v.Int32[i])
	case v.Int64 != nil:
		return fmt.Sprint(v.Int64[i])
	case v.Int96 != nil:
		return fmt.Sprintf("%x", v.Int96[i])
	case v.Float != nil:
		return fmt.Sprintf("%x", v.Float[i])
	case v.Double != nil:
		return fmt.Sprintf("%x", v.Double[i])
	}
	return fmt.Sprintf("%q", v.Bytes[i])
}

// appendRecords checks a batch's counts and adds its rows. Without levels a
// No level is only for NULL: it counts as one below the maximum.
func appendRecords(t testing.TB, to records, leaf *fileformat.Node, o Options, b *Batch) records {
	t.Helper()
	if b.Count != b.NonNull+b.Nulls || leaf.MaxRep == 0 && b.Count != b.Rows || leaf.MaxDef == 0 && b.Nulls > 0 {
		t.Fatalf("counts do not agree: %d rows, %d entries, %d values, %d NULLs", b.Rows, b.Count, b.NonNull, b.Nulls)
	}
	if b.Dict != nil && (len(b.Codes) != b.NonNull || o.NoDictionaryCodes) {
		t.Fatalf("%d codes for %d values", len(b.Codes), b.NonNull)
	}
	levels := leaf.MaxRep > 0 || o.Levels
	if (b.Def != nil) != (levels && leaf.MaxDef > 0) && b.Count > 0 || b.Valid != nil && (levels || b.Nulls == 0) {
		t.Fatal("levels instead of a bitmap, or a bitmap instead of levels")
	}
	value, from := 0, len(to)
	for i := range b.Count {
		text := ""
		switch {
		case b.Def != nil && int(b.Def[i]) < leaf.MaxDef:
			text = fmt.Sprintf("NULL:%d", b.Def[i])
		case b.Valid != nil && b.Valid[i/64]>>(i%64)&1 == 0:
			text = fmt.Sprintf("NULL:%d", leaf.MaxDef-1)
		default:
			text = b.valueAt(value)
			value++
		}
		switch {
		case leaf.MaxRep == 0:
			to = append(to, text)
		case b.Rep[i] == 0:
			to = append(to, "0 "+text)
		default:
			to[len(to)-1] += fmt.Sprintf(" | %d %s", b.Rep[i], text)
		}
	}
	if value != b.NonNull || len(to)-from != b.Rows {
		t.Fatalf("%d values and %d rows, but the batch states %d and %d", value, len(to)-from, b.NonNull, b.Rows)
	}
	return to
}

// readAllRows reads a chunk to its end in batches of n rows.
func readAllRows(t testing.TB, r *Reader, n int) (records, error) {
	t.Helper()
	var out records
	for r.Row() < r.total {
		at := r.Row()
		b, err := r.Read(n)
		if err != nil {
			return out, err
		}
		if want := min(int64(n), r.total-at); int64(b.Rows) > want || b.Rows == 0 {
			t.Fatalf("%d rows, want at most %d", b.Rows, want)
		}
		out = appendRecords(t, out, r.leaf, r.options, b)
		if r.Row() != at+int64(b.Rows) || int64(len(out)) != r.Row() {
			t.Fatalf("at row %d after %d rows", r.Row(), len(out))
		}
	}
	if b, err := r.Read(n); err != nil || b.Rows != 0 || b.Count != 0 {
		t.Fatalf("after the end: %+v, %v", b, err)
	}
	return out, nil
}

// readSalvage reads what can be read and lists the rows that cannot.
func readSalvage(t testing.TB, r *Reader, n int) (out records, lost [][2]int64) {
	t.Helper()
	for r.Row() < r.total {
		b, err := r.Read(n)
		var damage *DamageError
		var corrupt *errs.CorruptError
		switch {
		case err == nil:
			out = appendRecords(t, out, r.leaf, r.options, b)
		case errors.As(err, &damage):
			if !errors.As(err, &corrupt) || corrupt.Column != "c" || corrupt.Offset < 0 || corrupt.File != "test" {
				t.Fatalf("damage without its position: %#v", err)
			}
			if damage.FirstRow != r.Row() || damage.EndRow < r.Row() || damage.EndRow > r.total {
				t.Fatalf("rows %d to %d are lost, at row %d", damage.FirstRow, damage.EndRow, r.Row())
			}
			lost = append(lost, [2]int64{damage.FirstRow, damage.EndRow})
			if err := r.Skip(damage.EndRow - r.Row()); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatal(err)
		}
	}
	return out, lost
}
