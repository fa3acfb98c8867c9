package parquetsql

import (
	"database/sql/driver"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// column converts the values of one column of the current batch.
type column struct {
	convert converter
	vec     *vector.Vector // as produced, for NULLs
	values  *vector.Vector // what holds the values: vec, or its dictionary
	own     vector.Vector  // memory of load
	clone   bool           // texts are not the program's yet: each is copied
	long    bool           // values that are copied may be long
	coming  func(bytes int64)
	scratch []byte
	ends    []int  // of the texts in scratch, see written
	null    []bool // memory of nulls
}

// converter makes the driver's value of row i of a flat vector. It is looked up
// once per column. It may use scratch for the memory of a []byte.
type converter func(v *vector.Vector, i int, scratch *[]byte) driver.Value

// load prepares the column of a new batch. Programs keep texts for as long as they like, so that
// they get texts of their own. Of other types they get values that are made of the batch's.
func (c *column) load(b *vector.Batch, v *vector.Vector) (err error) {
	c.clone, c.long = false, false
	switch {
	case v.Type.IsText():
		bytes := 0
		if v, bytes, err = v.Own(b.Sel, quota.CopiedTexts, &c.own); err != nil {
			return err
		}
		c.clone = bytes > quota.CopiedTexts
		c.long = c.clone
	case v.Type.Storage() == vector.StoreString:
		c.long = true
	}
	c.vec, c.values = v, v
	if v.Form == vector.Dictionary {
		c.values = v.Dict
	}
	return nil
}

// copied is how many bytes value copies, of columns that may have long values.
func (c *column) copied(row int) int64 {
	if !c.long || c.vec.IsNull(row) {
		return 0
	}
	return int64(len(c.values.Str[c.place(row)]))
}

func (c *column) value(row int) driver.Value {
	if c.vec.IsNull(row) {
		return nil
	}
	value := c.convert(c.values, c.place(row), &c.scratch)
	if s, ok := value.(string); ok && c.clone {
		c.coming(int64(len(s)))
		return strings.Clone(s)
	}
	return value
}

// place is where in values the value of a row is.
func (c *column) place(row int) int {
	switch c.vec.Form {
	case vector.Constant:
		return 0
	case vector.Dictionary:
		return int(c.vec.Codes[row])
	}
	return row
}

func converterOf(t vector.Type) converter {
	if moment := momentOf(t); moment != nil {
		return func(v *vector.Vector, i int, _ *[]byte) driver.Value { return moment(v, i) }
	}
	if write := writerOf(t); write != nil {
		return func(v *vector.Vector, i int, scratch *[]byte) driver.Value {
			*scratch = write((*scratch)[:0], v, i)
			return string(*scratch)
		}
	}
	switch t.Kind {
	case vector.Blob, vector.Geometry, vector.Geography:
		return func(v *vector.Vector, i int, scratch *[]byte) driver.Value {
			if *scratch == nil {
				*scratch = []byte{} // an empty value is not NULL
			}
			*scratch = append((*scratch)[:0], v.Str[i]...)
			return *scratch
		}
	}
	return plainConverter(t)
}

// momentOf is the time of row i of a flat vector; nil for types that are no times.
func momentOf(t vector.Type) func(v *vector.Vector, i int) time.Time {
	switch {
	case t.Kind == vector.Date:
		return func(v *vector.Vector, i int) time.Time { return timeOf(v.I64[i], 0) }
	case !t.IsTimestamp():
		return nil
	case t.Unit == vector.Wide:
		return func(v *vector.Vector, i int) time.Time { return timeOf(vector.SplitWide(v.I128[i])) }
	}
	return func(v *vector.Vector, i int) time.Time { return timeOf(vector.SplitTimestamp(v.I64[i], t.Unit)) }
}

// writer appends the text of row i of a flat vector.
type writer func(dst []byte, v *vector.Vector, i int) []byte

// writerOf is the writer of a type whose values are texts only for programs; nil for others.
func writerOf(t vector.Type) writer {
	switch t.Kind {
	case vector.Decimal:
		return decimalWriter(t)
	case vector.Time:
		return func(dst []byte, v *vector.Vector, i int) []byte { return vector.AppendTime(dst, v.I64[i], t.Unit) }
	case vector.Interval:
		return func(dst []byte, v *vector.Vector, i int) []byte { return vector.AppendInterval(dst, v.Interval[i]) }
	case vector.UUID:
		return func(dst []byte, v *vector.Vector, i int) []byte { return vector.AppendUUID(dst, v.Str[i]) }
	}
	return nil
}

func plainConverter(t vector.Type) converter {
	switch t.Storage() {
	case vector.StoreBool:
		return func(v *vector.Vector, i int, _ *[]byte) driver.Value { return v.Bool[i] }
	case vector.StoreInt64:
		return func(v *vector.Vector, i int, _ *[]byte) driver.Value { return v.I64[i] }
	case vector.StoreUint64:
		return func(v *vector.Vector, i int, _ *[]byte) driver.Value { return v.U64[i] }
	case vector.StoreFloat32:
		return func(v *vector.Vector, i int, _ *[]byte) driver.Value { return v.F32[i] }
	case vector.StoreFloat64:
		return func(v *vector.Vector, i int, _ *[]byte) driver.Value { return v.F64[i] }
	case vector.StoreString:
		return func(v *vector.Vector, i int, _ *[]byte) driver.Value { return v.Str[i] }
	}
	return func(*vector.Vector, int, *[]byte) driver.Value { return nil } // NULL
}

func decimalWriter(t vector.Type) writer {
	switch t.Storage() {
	case vector.StoreInt64:
		return func(dst []byte, v *vector.Vector, i int) []byte {
			return vector.AppendDecimal64(dst, v.I64[i], t.Scale)
		}
	case vector.StoreInt128:
		return func(dst []byte, v *vector.Vector, i int) []byte {
			return vector.AppendDecimal128(dst, v.I128[i], t.Scale)
		}
	}
	return func(dst []byte, v *vector.Vector, i int) []byte {
		return vector.AppendDecimalBig(dst, vector.DecodeBigDecimal(v.Str[i]), t.Scale)
	}
}

// timeOf returns the time of a day and nanoseconds in UTC. A day past the range of
// package time wraps around.
func timeOf(days, nanos int64) time.Time {
	return time.Unix(days*86400, nanos).UTC()
}
