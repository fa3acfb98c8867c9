package parquetsql

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// withZones is a JSON text whose dates, and timestamps without a zone, are written as time.Time
// reads them, where type t has a time.Time: in UTC. Whatever does not fit t stays what it is.
func withZones(text json.RawMessage, t reflect.Type) json.RawMessage {
	if t == reflect.TypeFor[time.Time]() {
		return withZone(text)
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return text
	}
	switch t.Kind() {
	case reflect.Pointer:
		return withZones(text, t.Elem())
	case reflect.Slice, reflect.Array:
		return withZonesEach(text, t.Elem())
	case reflect.Map:
		var items map[string]json.RawMessage
		if json.Unmarshal(text, &items) != nil || items == nil {
			return text
		}
		for key, item := range items {
			items[key] = withZones(item, t.Elem())
		}
		return marshaled(items, text)
	case reflect.Struct:
		var items map[string]json.RawMessage
		if json.Unmarshal(text, &items) != nil || items == nil {
			return text
		}
		for key, item := range items {
			if of := fieldOf(t, key); of != nil {
				items[key] = withZones(item, of)
			}
		}
		return marshaled(items, text)
	}
	return text
}

func withZonesEach(text json.RawMessage, t reflect.Type) json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(text, &items) != nil || items == nil {
		return text
	}
	for i, item := range items {
		items[i] = withZones(item, t)
	}
	return marshaled(items, text)
}

// withZone is a string that may be a date or a timestamp.
func withZone(text json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(text, &s) != nil {
		return text
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, s); err == nil {
			return marshaled(at, text)
		}
	}
	return text
}

// marshaled is a value as JSON; otherwise, the text before.
func marshaled(v any, before json.RawMessage) json.RawMessage {
	if text, err := json.Marshal(v); err == nil {
		return text
	}
	return before
}

// fieldOf is the type of the field of a struct that a key goes to, fields of embedded structs
// among them; nil: none.
func fieldOf(t reflect.Type, key string) reflect.Type {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if f.IsExported() && strings.EqualFold(name, key) {
			return f.Type
		}
	}
	return nil
}
