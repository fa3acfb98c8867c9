package parquetsql

import (
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// What Decimal, Interval and UUID have in common: a text stands for the value, and none for NULL.

// scanText is the text of a driver value.
func scanText(src any, into string) (string, error) {
	switch s := src.(type) {
	case string:
		return s, nil
	case []byte:
		return string(s), nil
	}
	return "", fmt.Errorf("cannot scan %T into %s", src, into)
}

func valueOf(v fmt.Stringer, null bool) (driver.Value, error) {
	if null {
		return nil, nil
	}
	return v.String(), nil
}

func textOf(v fmt.Stringer, null bool) ([]byte, error) {
	if null {
		return []byte{}, nil
	}
	return []byte(v.String()), nil
}

func scanFrom(text []byte, into sql.Scanner) error {
	if len(text) == 0 {
		return into.Scan(nil)
	}
	return into.Scan(string(text))
}

func marshal(v fmt.Stringer, null bool) ([]byte, error) {
	if null {
		return []byte("null"), nil
	}
	return json.Marshal(v.String())
}

func unmarshal(data []byte, into sql.Scanner) (err error) {
	defer prefix(&err)
	data = bytes.TrimSpace(data)
	if string(data) == "null" {
		return into.Scan(nil)
	}
	if len(data) == 0 || data[0] != '"' {
		return into.Scan(string(data)) // a number
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	return into.Scan(text)
}
