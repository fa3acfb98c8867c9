package parquetsql

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// JSON is a value that the driver hands out as JSON text. It scans a LIST, MAP, JSON, BSON or VARIANT column, whose driver value is
// JSON text, into a Go value:
//
//	var tags parquetsql.JSON[[]string]
//	err := row.Scan(&tags)
//
// A time.Time in T takes dates and timestamps with and without zone. NaN and infinities are strings
// in JSON, which any takes and float64 does not. As an argument it is that text, and in JSON the value
// itself.
type JSON[T any] struct {
	V     T    // the zero value for NULL
	Valid bool // false for NULL; an argument with a V needs true
}

// Scan implements sql.Scanner.
func (j *JSON[T]) Scan(src any) (err error) {
	defer prefix(&err)
	*j = JSON[T]{} // a program may reuse it for the next row
	var text []byte
	switch s := src.(type) {
	case nil:
		return nil
	case string:
		text = []byte(s)
	case []byte:
		text = s
	default:
		return fmt.Errorf("cannot scan %T into JSON: it takes only JSON text", src)
	}
	err = json.Unmarshal(text, &j.V)
	if _, ok := errors.AsType[*time.ParseError](err); ok {
		j.V = *new(T)
		err = json.Unmarshal(withZones(text, reflect.TypeFor[T]()), &j.V)
	}
	if err != nil {
		j.V = *new(T)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Value == "string" && (wrong.Type.Kind() == reflect.Float64 || wrong.Type.Kind() == reflect.Float32) {
			err = fmt.Errorf("%w; NaN and infinities are strings in JSON: any in place of %s takes them", err, wrong.Type)
		}
		return fmt.Errorf("scanning JSON into %T: %w", j.V, err)
	}
	j.Valid = true
	return nil
}

// Value implements driver.Valuer: the JSON text, nil for NULL.
func (j JSON[T]) Value() (driver.Value, error) {
	switch {
	case !j.Valid && !reflect.ValueOf(&j.V).Elem().IsZero():
		return nil, errors.New("a JSON has a value, but Valid is false, which means NULL: set it to true")
	case !j.Valid:
		return nil, nil
	}
	text, err := json.Marshal(j.V)
	if err != nil {
		return nil, err
	}
	return string(text), nil
}

// String is the JSON text; NULL for NULL.
func (j JSON[T]) String() string {
	text, err := j.Value()
	switch {
	case err != nil:
		return fmt.Sprintf("%v", j.V)
	case text == nil:
		return "NULL"
	}
	return text.(string)
}

// MarshalJSON implements json.Marshaler: the value, null for NULL.
func (j JSON[T]) MarshalJSON() ([]byte, error) {
	if !j.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(j.V)
}

// MarshalText implements encoding.TextMarshaler: the JSON text, null for NULL.
func (j JSON[T]) MarshalText() ([]byte, error) { return j.MarshalJSON() }

// UnmarshalText implements encoding.TextUnmarshaler. null is NULL.
func (j *JSON[T]) UnmarshalText(text []byte) error { return j.UnmarshalJSON(text) }

// UnmarshalJSON implements json.Unmarshaler. null is NULL.
func (j *JSON[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return j.Scan(nil)
	}
	return j.Scan(data)
}
