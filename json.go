package parquetsql

import (
	"encoding/json"
	"fmt"
)

// JSON scans a LIST, MAP, JSON, BSON or VARIANT column, whose driver value is
// JSON text, into a Go value:
//
//	var tags parquetsql.JSON[[]string]
//	err := row.Scan(&tags)
type JSON[T any] struct {
	V     T    // the zero value for NULL
	Valid bool // false for NULL
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
		return fmt.Errorf("cannot scan a %T into a JSON: it takes only JSON text", src)
	}
	if err := json.Unmarshal(text, &j.V); err != nil {
		return fmt.Errorf("scanning JSON into %T: %w", j.V, err)
	}
	j.Valid = true
	return nil
}
