package variant

import (
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// scalar appends the value in a row of a vector of a scalar type, which is not NULL,
// as the Variant type that is equivalent to the SQL type. Types of which there is
// none get the next one: unsigned integers a wider signed one, TIME and TIMESTAMP
// in milliseconds those in microseconds, HALF a float, ENUM, JSON and BSON a string;
// see textOf for INTERVAL. GEOMETRY and GEOGRAPHY are binary.
func (b *Builder) scalar(v *vector.Vector, row int) {
	v, row = stored(v, row)
	switch t := v.Type; t.Storage() {
	case vector.StoreBool:
		b.Bool(v.Bool[row])
	case vector.StoreInt64:
		b.int64(t, v.I64[row])
	case vector.StoreUint64:
		if x := vector.Int128FromUint(v.U64[row]); x.IsInt64() {
			b.Long(Int64, x.Int64())
		} else {
			b.Decimal(x, 0)
		}
	case vector.StoreInt128:
		b.int128(t, v.I128[row])
	case vector.StoreFloat32:
		b.Float(v.F32[row])
	case vector.StoreFloat64:
		b.Double(v.F64[row])
	case vector.StoreString:
		b.text(t, v.Str[row])
	case vector.StoreInterval:
		b.String(string(vector.AppendInterval(nil, v.Interval[row])))
	default:
		b.fail(errs.Unsupported("CAST of %s to VARIANT", t))
	}
}

func (b *Builder) int64(t vector.Type, x int64) {
	switch t.Kind {
	case vector.TinyInt:
		b.primitive(Int8, uint64(x), 1)
	case vector.SmallInt, vector.UTinyInt:
		b.primitive(Int16, uint64(x), 2)
	case vector.Integer, vector.USmallInt:
		b.primitive(Int32, uint64(x), 4)
	case vector.Decimal:
		b.Decimal(vector.Int128From(x), t.Scale)
	case vector.Date:
		b.Date(x)
	case vector.Time:
		b.time(t, x)
	case vector.Timestamp, vector.TimestampTZ:
		b.timestamp(t, x)
	default:
		b.Long(Int64, x)
	}
}

// time appends a TIME, of which Variants have one unit. Nanoseconds are an error
// rather than lost.
func (b *Builder) time(t vector.Type, x int64) {
	switch {
	case t.Unit == vector.Millis:
		x *= 1000
	case t.Unit == vector.Nanos && x%1000 != 0:
		b.fail(fmt.Errorf("the TIME %s does not fit into a VARIANT, which has microseconds", vector.AppendTime(nil, x, t.Unit)))
		return
	case t.Unit == vector.Nanos:
		x /= 1000
	}
	b.Long(TimeNTZ, x)
}

func (b *Builder) timestamp(t vector.Type, x int64) {
	micros, nanos := TimestampNTZ, TimestampNTZNanos
	if t.Kind == vector.TimestampTZ {
		micros, nanos = Timestamp, TimestampNanos
	}
	switch t.Unit {
	case vector.Nanos:
		b.Long(nanos, x)
		return
	case vector.Seconds, vector.Millis:
		wide := vector.MulInt64(x, vector.Micros.PerSecond()/t.Unit.PerSecond())
		if !wide.IsInt64() {
			b.fail(errTimestamp)
			return
		}
		x = wide.Int64()
	}
	b.Long(micros, x)
}

func errText(s string) error {
	return fmt.Errorf("a string that is not UTF-8 cannot be in a VARIANT; BLOB has it: %.100q", s)
}

var errTimestamp = errors.New("a TIMESTAMP does not fit into a VARIANT, which has microseconds in 64 bits")

// int128 appends a DECIMAL, or a TIMESTAMP of unit Wide: in nanoseconds if 64 bits
// have them.
func (b *Builder) int128(t vector.Type, x vector.Int128) {
	if t.Kind == vector.Decimal {
		b.Decimal(x, t.Scale)
		return
	}
	if x.IsInt64() {
		t.Unit = vector.Nanos
		b.timestamp(t, x.Int64())
		return
	}
	micros, rest := x.DivMod(vector.Int128From(1000))
	if rest.Sign() != 0 || !micros.IsInt64() {
		b.fail(errTimestamp)
		return
	}
	t.Unit = vector.Micros
	b.timestamp(t, micros.Int64())
}

func (b *Builder) text(t vector.Type, s string) {
	switch {
	case t.Kind == vector.UUID && len(s) == 16:
		b.UUID(s)
	case t.Kind == vector.Blob || t.Kind == vector.Geometry || t.Kind == vector.Geography:
		b.Binary(s)
	case t.Kind == vector.JSON || t.Kind == vector.Rendered:
		b.JSON(s)
	case t.IsText() && utf8.ValidString(s):
		b.String(s)
	case t.IsText():
		b.fail(errText(s))
	case t.Kind == vector.Decimal:
		b.fail(errDecimal)
	default:
		b.fail(errs.Unsupported("CAST of %s to VARIANT", t))
	}
}

// Vector appends the value in a row of a vector of any type: a LIST as an array, a
// STRUCT as an object, a MAP as an object whose names are the keys, or the JSON text
// of keys that are no strings; of entries with the same key the last counts. NULL is
// the Variant null. A VARIANT vector is canonical.
func (b *Builder) Vector(v *vector.Vector, row int) {
	if v.IsNull(row) {
		b.Null()
		return
	}
	v, row = stored(v, row)
	switch v.Type.Kind {
	case vector.Variant:
		if x, ok := Get(v, row); ok {
			b.Value(&x)
			return
		}
		b.fail(errShort)
	case vector.List:
		b.BeginArray()
		for i := v.Offsets[row]; i < v.Offsets[row+1]; i++ {
			if b.worked(); b.err != nil {
				return
			}
			b.Vector(v.Children[0], int(i))
		}
		b.End()
	case vector.Struct:
		b.BeginObject()
		for i, f := range v.Type.Fields {
			b.Name(f.Name)
			b.Vector(v.Children[i], row)
		}
		b.End()
	case vector.Map:
		b.entries(v, row)
	default:
		b.scalar(v, row)
	}
}

// elementWork is how many bytes of JSON are read in the time that an element of a list takes.
const elementWork = 16

// worked tells Work of an element.
func (b *Builder) worked() {
	if b.Work != nil && b.err == nil {
		b.err = b.Work(elementWork)
	}
}

// entries appends a MAP.
func (b *Builder) entries(v *vector.Vector, row int) {
	b.BeginMap()
	for i := int(v.Offsets[row]); i < int(v.Offsets[row+1]); i++ {
		if b.worked(); b.err != nil {
			return
		}
		name, err := keyText(v.Children[0], i)
		b.err = cmp.Or(b.err, err)
		b.Name(name)
		if len(v.Children) < 2 {
			b.Null()
			continue
		}
		b.Vector(v.Children[1], i)
	}
	b.End()
}

// keyText is the name of a field for the key of a MAP.
func keyText(keys *vector.Vector, row int) (string, error) {
	var b Builder
	b.Reset(nil)
	b.Vector(keys, row)
	metadata, value, err := b.Finish()
	if err != nil {
		return "", err
	}
	x, err := Parse(metadata, string(value))
	if err != nil {
		return "", err
	}
	if x.Kind() == String {
		return x.Text(), nil
	}
	text := x.AppendJSON(nil)
	if text[0] == '"' { // a date, say
		text = text[1 : len(text)-1]
	}
	return string(text), nil
}

// Encode makes out the rows of a vector of any type as a canonical VARIANT vector,
// as CAST(x AS VARIANT) does; NULL stays NULL. Of the first n rows only those listed are made if
// rows is not nil; all others are NULL. (A constant has more rows than it is worth making.)
func (w *Writer) Encode(v *vector.Vector, rows []int32, n int, out *vector.Vector) error {
	if done, err := w.flat(v, rows, n, out); done || err != nil {
		return err
	}
	w.Reset()
	if rows == nil {
		for row := range n {
			if err := w.encode(v, row); err != nil {
				return err
			}
		}
	}
	for _, row := range rows {
		for w.Len() < int(row) {
			w.AppendNull()
		}
		if err := w.encode(v, int(row)); err != nil {
			return err
		}
	}
	for w.Len() < n {
		w.AppendNull()
	}
	w.Finish(out)
	return nil
}

func (w *Writer) encode(v *vector.Vector, row int) error {
	if v.IsNull(row) {
		w.AppendNull()
		return nil
	}
	w.Builder.Reset(nil)
	w.Builder.Vector(v, row)
	return w.AppendBuilt()
}
