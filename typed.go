package parquetsql

import "database/sql/driver"

// Typed is an argument of a type that no Go value has by itself, as a DECIMAL, a TIME or a LIST:
//
//	db.Query("SELECT * FROM orders WHERE price > ?", parquetsql.Typed{Type: "DECIMAL(10,2)", Value: "19.90"})
//
// It is Value cast to Type, which is written as in a CAST. Value is anything that an argument may
// be, nil for a NULL of the type, or another Typed, whose value is cast twice.
type Typed struct {
	Type  string
	Value any
}

// typedValue is an argument that is checked: a value and the types to which it is cast, the first
// one first.
type typedValue struct {
	value driver.Value
	types []string
}

// argument is the checked form of a Typed.
func (t Typed) argument(pointers int) (driver.Value, error) {
	inner, err := argument(t.Value, pointers+1)
	if err != nil {
		return nil, err
	}
	if typed, ok := inner.(typedValue); ok {
		return typedValue{typed.value, append(typed.types, t.Type)}, nil
	}
	return typedValue{inner, []string{t.Type}}, nil
}
