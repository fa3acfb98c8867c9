package parquetsql

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/vector"
)

// CheckNamedValue converts an argument to one of the types of scalarOf. Unlike the
// default converter of database/sql it accepts uint64 above the signed range, float32 keeps
// its type, and slices are lists.
func (c *conn) CheckNamedValue(nv *driver.NamedValue) (err error) {
	if isOptionOfPgx(nv.Value) {
		return driver.ErrRemoveArgument // which database/sql compares with ==
	}
	defer prefix(&err)
	v, err := argument(nv.Value, 0)
	if err != nil {
		return err
	}
	nv.Value = v
	return nil
}

// isOptionOfPgx reports whether an argument is no value, but says how pgx is to run the statement:
// GORM's dialect of PostgreSQL passes such options to every driver.
func isOptionOfPgx(v any) bool {
	t := reflect.TypeOf(v)
	return t != nil && strings.HasPrefix(t.PkgPath(), "github.com/jackc/pgx/") &&
		slices.Contains([]string{"QueryExecMode", "QueryResultFormats", "QueryResultFormatsByOID"}, t.Name())
}

// elementsOfPq is the slice in an array of lib/pq, whose value is a text: as a slice it is a LIST
// wherever one may stand, IN (?) too.
func elementsOfPq(v any) (elements any, ok bool) {
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer {
		rv = rv.Elem()
	}
	if !rv.IsValid() || rv.Type().PkgPath() != "github.com/lib/pq" {
		return nil, false
	}
	switch t := rv.Type(); {
	case t.Kind() == reflect.Slice && strings.HasSuffix(t.Name(), "Array"):
		return rv.Convert(reflect.SliceOf(t.Elem())).Interface(), true
	case t.Name() == "GenericArray":
		a := rv.FieldByName("A")
		if !a.IsValid() || a.Kind() != reflect.Interface || a.IsNil() {
			return nil, false
		}
		switch a = a.Elem(); a.Kind() {
		case reflect.Slice:
			return a.Interface(), true
		case reflect.Array:
			s := reflect.MakeSlice(reflect.SliceOf(a.Type().Elem()), a.Len(), a.Len())
			reflect.Copy(s, a)
			return s.Interface(), true
		}
	}
	return nil, false
}

// argument is the value of v, which so many pointers have led to.
func argument(v any, pointers int) (driver.Value, error) {
	switch x := v.(type) {
	case *Decimal, *Interval, *UUID:
		return reflected(v, pointers) // the value and not its text
	case nil, int64, uint64, float32, float64, bool, string, []byte, time.Time, typed, list, typedValue:
		return v, nil
	case Typed:
		if pointers == 100 {
			return nil, fmt.Errorf("an argument is a Typed of more than 100 types")
		}
		return x.argument(pointers)
	case sql.Out:
		return nil, fmt.Errorf("output parameters (sql.Out): %w", ErrUnsupported)
	case driver.Valuer:
		if elements, ok := elementsOfPq(v); ok {
			return argument(elements, pointers)
		}
		rv := reflect.ValueOf(v)
		if rv.Kind() == reflect.Pointer && rv.IsNil() {
			return nil, nil // as in database/sql a nil pointer to a Valuer is NULL
		}
		if value, ok := ofNull(rv); ok {
			return argument(value, pointers)
		}
		inner, err := x.Value()
		if err != nil {
			return nil, fmt.Errorf("calling the Value method of an argument (%T): %w", v, err)
		}
		if _, again := inner.(driver.Valuer); again {
			return nil, fmt.Errorf("the Value method of an argument (%T) returns another driver.Valuer", v)
		}
		if elements, ok := elementsOfArray(rv, inner); ok {
			return argument(elements, pointers)
		}
		return argument(inner, pointers)
	}
	return reflected(v, pointers)
}

// ofNull is the value of a sql.Null, nil for NULL. Its Value method would make a text of an Interval.
func ofNull(v reflect.Value) (value any, ok bool) {
	t := v.Type()
	if t.Kind() != reflect.Struct || t.PkgPath() != "database/sql" || !strings.HasPrefix(t.Name(), "Null[") {
		return nil, false
	}
	if !v.FieldByName("Valid").Bool() {
		return nil, true
	}
	return v.FieldByName("V").Interface(), true
}

// elementsOfArray is the slice that a Valuer is whose text is an array of PostgreSQL: as the arrays of
// lib/pq it is a LIST, and no text that nothing equals.
func elementsOfArray(v reflect.Value, text any) (elements any, ok bool) {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if b, isBytes := text.([]byte); isBytes {
		text = string(b)
	}
	s, isText := text.(string)
	switch {
	case !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem().Kind() == reflect.Uint8 || !isText:
		return nil, false
	case !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}") || s != "{}" && json.Valid([]byte(s)):
		return nil, false
	}
	return v.Convert(reflect.SliceOf(v.Type().Elem())).Interface(), true
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
		return listOf(rv, pointers)
	}
	return nil, fmt.Errorf("an argument is a %T: give a number, string, bool, []byte, time.Time, a slice of these or a driver.Valuer", v)
}

// typed is a value with an SQL type that no type of database/sql stands for.
type typed interface{ scalar() vector.Scalar }

// list is a slice as an argument: a LIST. NULL is a slice that is nil.
type list struct {
	elements []vector.Scalar
	of       vector.Type // of elements that there are none of
}

const deepest = 20 // lists within each other

// listOf is a slice or an array as a list, which so many pointers and lists contain. Bytes have
// no element type of their own: an array of them may be an id or a hash, and is refused.
func listOf(rv reflect.Value, outer int) (driver.Value, error) {
	element := rv.Type().Elem()
	if element.Kind() == reflect.Uint8 {
		return nil, fmt.Errorf("an argument is a %s: give a slice of it, which is a BLOB, or a parquetsql.UUID", rv.Type())
	}
	if outer > deepest {
		return nil, fmt.Errorf("an argument is a %s that contains itself, or lists in more than %d lists", rv.Type(), deepest)
	}
	if rv.Kind() == reflect.Slice && rv.IsNil() {
		return nil, nil
	}
	out := list{elements: make([]vector.Scalar, rv.Len()), of: vector.Of(vector.Null)}
	for i := range out.elements {
		s, err := elementOf(rv.Index(i), outer+1)
		if err != nil {
			return nil, fmt.Errorf("element %d of a %s: %w", i+1, rv.Type(), err)
		}
		out.elements[i] = s
	}
	out.of = typeOf(element, outer)
	return out, nil
}

// typeOf is the SQL type of values of a Go type within so many lists; NULL where the values have
// to say it.
func typeOf(t reflect.Type, outer int) vector.Type {
	zero := reflect.Zero(t)
	if _, speaks := zero.Interface().(driver.Valuer); t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !speaks && outer < deepest {
		return vector.ListOf(vector.Field{Name: "element", Type: typeOf(t.Elem(), outer+1), Nullable: true})
	}
	if s, err := elementOf(zero, 0); err == nil {
		return s.Type
	}
	return vector.Of(vector.Null)
}

func elementOf(rv reflect.Value, outer int) (vector.Scalar, error) {
	v, err := argument(rv.Interface(), outer)
	if err != nil {
		return vector.Scalar{}, err
	}
	return scalarOf(v)
}

// namedValues is arguments as database/sql would give them.
func (c *conn) namedValues(args []any) ([]driver.NamedValue, error) {
	values := make([]driver.NamedValue, 0, len(args))
	for _, arg := range args {
		v := driver.NamedValue{Ordinal: len(values) + 1, Value: arg}
		if named, ok := arg.(sql.NamedArg); ok {
			v.Name, v.Value = named.Name, named.Value
		}
		switch err := c.CheckNamedValue(&v); err {
		case nil:
			values = append(values, v)
		case driver.ErrRemoveArgument:
		default:
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
		out[i] = planner.Arg{Name: a.Name, Ordinal: a.Ordinal}
		if typed, ok := v.(typedValue); ok {
			v, out[i].Types = typed.value, typed.types
		}
		if out[i].Value, err = scalarOf(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// scalarOf gives a checked argument its SQL type. An unsigned integer that fits a
// BIGINT is a BIGINT, so that it compares with signed columns as a literal does.
func scalarOf(v driver.Value) (vector.Scalar, error) {
	switch x := v.(type) {
	case int64:
		return vector.IntScalar(x), nil
	case uint64:
		if x < 1<<63 {
			return vector.IntScalar(int64(x)), nil
		}
		return vector.Scalar{Type: vector.Of(vector.UBigInt), U64: x}, nil
	case float32:
		return vector.Scalar{Type: vector.Of(vector.Float), F32: x}, nil
	case float64:
		return vector.FloatScalar(x), nil
	case bool:
		return vector.BoolScalar(x), nil
	case string:
		return vector.StringScalar(x), nil
	case []byte:
		if x != nil {
			return vector.Scalar{Type: vector.Of(vector.Blob), Str: string(x)}, nil
		}
	case time.Time:
		return timeScalar(x), nil
	case list:
		return planner.List(x.of, x.elements)
	case typed:
		return x.scalar(), nil
	}
	return vector.NullOf(vector.Of(vector.Null)), nil
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
