package parquetsql

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"time"

	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/vector"
)

// CheckNamedValue converts an argument to one of the types of scalarOf. Unlike the
// default converter of database/sql it accepts uint64 above the signed range, and
// float32 keeps its type.
func (c *conn) CheckNamedValue(nv *driver.NamedValue) (err error) {
	defer prefix(&err)
	v, err := argument(nv.Value, 0)
	if err != nil {
		return err
	}
	nv.Value = v
	return nil
}

// argument is the value of v, which so many pointers have led to.
func argument(v any, pointers int) (driver.Value, error) {
	switch x := v.(type) {
	case nil, int64, uint64, float32, float64, bool, string, []byte, time.Time:
		return v, nil
	case sql.Out:
		return nil, fmt.Errorf("output parameters (sql.Out): %w", ErrUnsupported)
	case driver.Valuer:
		rv := reflect.ValueOf(v)
		if rv.Kind() == reflect.Pointer && rv.IsNil() {
			return nil, nil // as in database/sql a nil pointer to a Valuer is NULL
		}
		inner, err := x.Value()
		if err != nil {
			return nil, fmt.Errorf("calling the Value method of an argument (%T): %w", v, err)
		}
		if _, again := inner.(driver.Valuer); again {
			return nil, fmt.Errorf("the Value method of an argument (%T) returns another driver.Valuer", v)
		}
		return argument(inner, pointers)
	}
	return reflected(v, pointers)
}

// reflected handles pointers, and types by their underlying type.
func reflected(v any, pointers int) (driver.Value, error) {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Pointer:
		if rv.IsNil() {
			return nil, nil
		}
		if pointers == 100 {
			return nil, fmt.Errorf("an argument is a %T that leads to itself", v)
		}
		return argument(rv.Elem().Interface(), pointers+1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return rv.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return rv.Uint(), nil
	case reflect.Float32:
		return float32(rv.Float()), nil
	case reflect.Float64:
		return rv.Float(), nil
	case reflect.Bool:
		return rv.Bool(), nil
	case reflect.String:
		return rv.String(), nil
	case reflect.Slice, reflect.Array:
		if rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() == reflect.Uint8 {
			return rv.Bytes(), nil
		}
		return nil, fmt.Errorf("an argument is a %T: one placeholder takes one value; for IN (…) write a placeholder for each element, or let sqlx.In or squirrel do so", v)
	}
	return nil, fmt.Errorf("an argument is a %T: give a number, string, bool, []byte, time.Time or a driver.Valuer", v)
}

// namedValues is arguments as database/sql would give them.
func (c *conn) namedValues(args []any) ([]driver.NamedValue, error) {
	values := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
		if named, ok := arg.(sql.NamedArg); ok {
			values[i].Name, values[i].Value = named.Name, named.Value
		}
		if err := c.CheckNamedValue(&values[i]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// bindArgs gives each argument its SQL type.
func bindArgs(args []driver.NamedValue) ([]planner.Arg, error) {
	out := make([]planner.Arg, len(args))
	for i, a := range args {
		v, err := argument(a.Value, 0)
		if err != nil {
			return nil, err
		}
		out[i] = planner.Arg{Name: a.Name, Ordinal: a.Ordinal, Value: scalarOf(v)}
	}
	return out, nil
}

// scalarOf gives a checked argument its SQL type. An unsigned integer that fits a
// BIGINT is a BIGINT, so that it compares with signed columns as a literal does.
func scalarOf(v driver.Value) vector.Scalar {
	switch x := v.(type) {
	case int64:
		return vector.IntScalar(x)
	case uint64:
		if x < 1<<63 {
			return vector.IntScalar(int64(x))
		}
		return vector.Scalar{Type: vector.Of(vector.UBigInt), U64: x}
	case float32:
		return vector.Scalar{Type: vector.Of(vector.Float), F32: x}
	case float64:
		return vector.FloatScalar(x)
	case bool:
		return vector.BoolScalar(x)
	case string:
		return vector.StringScalar(x)
	case []byte:
		if x == nil {
			return vector.NullOf(vector.Of(vector.Null))
		}
		return vector.Scalar{Type: vector.Of(vector.Blob), Str: string(x)}
	case time.Time:
		return timeScalar(x)
	}
	return vector.NullOf(vector.Of(vector.Null))
}

// timeScalar is the instant in UTC: in microseconds where they are exact, else in
// nanoseconds, in 64 bits where they fit.
func timeScalar(t time.Time) vector.Scalar {
	seconds, nanos := t.Unix(), int64(t.Nanosecond())
	wide := vector.MulInt64(seconds, 1e9).Add(vector.Int128From(nanos))
	switch micros := vector.MulInt64(seconds, 1e6).Add(vector.Int128From(nanos / 1e3)); {
	case nanos%1e3 == 0 && micros.IsInt64():
		return vector.Scalar{Type: vector.TimestampType(vector.Micros, false), I64: micros.Int64()}
	case wide.IsInt64():
		return vector.Scalar{Type: vector.TimestampType(vector.Nanos, false), I64: wide.Int64()}
	}
	return vector.Scalar{Type: vector.TimestampType(vector.Wide, false), I128: wide}
}
