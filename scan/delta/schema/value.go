package schema

import (
	"fmt"
	"strconv"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/vector"
)

// PartitionValue is the value of a partition column ("Partition Value Serialization"). Timestamps
// without a zone are in UTC: the specification has them in the time zone of a writer that nobody
// knows.
func (f *Field) PartitionValue(v action.Value) (vector.Scalar, error) {
	if v.Null || v.Text == "" {
		return vector.NullOf(f.Type), nil
	}
	s, ok := parse(v.Text, f.Type)
	if !ok {
		return s, fmt.Errorf("a Delta table: %w", &errs.CorruptError{Column: f.Name, RowGroup: -1, Offset: -1, Err: fmt.Errorf("the partition value %q is no %s", v.Text, f.Type)})
	}
	return s, nil
}

// parse reads a text of the log as a value of a type that is not nested.
func parse(text string, t vector.Type) (vector.Scalar, bool) {
	out := vector.Scalar{Type: t}
	switch {
	case t.Kind == vector.Varchar || t.Kind == vector.Blob:
		out.Str = text
		return out, true
	case t.Kind == vector.Boolean:
		out.Bool = text == "true"
		return out, out.Bool || text == "false"
	case t.IsInteger():
		n, err := strconv.ParseInt(text, 10, t.Bits())
		out.I64 = n
		return out, err == nil
	case t.Kind == vector.Float:
		f, err := strconv.ParseFloat(text, 32)
		out.F32 = float32(f)
		return out, err == nil
	case t.Kind == vector.Double:
		f, err := strconv.ParseFloat(text, 64)
		out.F64 = f
		return out, err == nil
	case t.Kind == vector.Null || t.Kind == vector.Variant || t.IsNested():
		return out, false
	}
	return cast(text, t)
}

// cast reads decimals, dates and timestamps as SQL does.
func cast(text string, t vector.Type) (vector.Scalar, bool) {
	s, err := expr.CastScalar(vector.StringScalar(text), t)
	if err != nil || s.Null {
		return s, false
	}
	s.Type = t
	return s, true
}
