package schema

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// setDefault reads the value of rows that were written before there was the field (Default values;
// Appendix D, JSON single-value serialization).
func (f *Field) setDefault(text json.RawMessage) error {
	if len(text) == 0 || bytes.Equal(bytes.TrimSpace(text), []byte("null")) {
		return nil
	}
	if f.Type.Kind == vector.Struct {
		f.Filled = true // what it would say of its fields, they say themselves
		return nil
	}
	s, err := fromJSON(text, f)
	if err != nil {
		return err
	}
	if s.Nested != nil && elements(s.Nested) > mostElements {
		return errTooMany
	}
	f.Default = &s
	return nil
}

// mostElements bounds the elements of a default at all levels: each row of a batch has all of them.
const mostElements = 1000

var errTooMany = errs.Unsupported("a default of more than %d elements", mostElements)

// elements is how many values are within others.
func elements(v *vector.Vector) (n int) {
	for _, child := range v.Children {
		n += child.Len + elements(child)
	}
	return n
}

// fromJSON is a value that is not NULL.
func fromJSON(text json.RawMessage, f *Field) (vector.Scalar, error) {
	out := vector.Scalar{Type: f.Type}
	wrong := fmt.Errorf("%.100s is no %s", text, f.Type)
	switch f.Type.Kind {
	case vector.Boolean:
		return out, json.Unmarshal(text, &out.Bool)
	case vector.Integer:
		var n int32
		err := json.Unmarshal(text, &n)
		out.I64 = int64(n)
		return out, err
	case vector.BigInt:
		return out, json.Unmarshal(text, &out.I64)
	case vector.Float:
		return out, json.Unmarshal(text, &out.F32)
	case vector.Double:
		return out, json.Unmarshal(text, &out.F64)
	case vector.List, vector.Map, vector.Struct:
		return nestedFromJSON(text, f)
	case vector.Variant, vector.Geometry, vector.Geography, vector.Null:
		return out, errs.Unsupported("a default of type %s", f.Type)
	}
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return out, err
	}
	switch f.Type.Kind {
	case vector.Varchar:
		out.Str = s
		return out, nil
	case vector.Blob:
		b, err := hex.DecodeString(s)
		out.Str = string(b)
		return out, err
	case vector.TimestampTZ:
		if !strings.HasSuffix(s, "+00:00") && !strings.HasSuffix(s, "Z") {
			return out, wrong
		}
	}
	out, err := expr.CastScalar(vector.StringScalar(s), f.Type)
	if err != nil || out.Null {
		return out, wrong
	}
	out.Type = f.Type
	return out, nil
}

// nestedFromJSON is a list, which is an array; a map, which is its keys and its values; or a struct within
// one of them, which is an object by the ids of its fields. A field that it does not have has its own default.
func nestedFromJSON(text json.RawMessage, f *Field) (vector.Scalar, error) {
	row := &vector.Vector{Type: f.Type, Len: 1}
	columns := make([][]json.RawMessage, len(f.Fields))
	var err error
	switch f.Type.Kind {
	case vector.List:
		err = json.Unmarshal(text, &columns[0])
	case vector.Map:
		var in struct {
			Keys   []json.RawMessage `json:"keys"`
			Values []json.RawMessage `json:"values"`
		}
		err = json.Unmarshal(text, &in)
		if columns[0], columns[1] = in.Keys, in.Values; err == nil && len(in.Keys) != len(in.Values) {
			err = fmt.Errorf("%d keys have %d values", len(in.Keys), len(in.Values))
		}
	default:
		var in map[string]json.RawMessage
		err = json.Unmarshal(text, &in)
		for i, inner := range f.Fields {
			columns[i] = []json.RawMessage{in[strconv.Itoa(int(inner.ID))]}
		}
	}
	if err != nil {
		return vector.Scalar{}, err
	}
	if f.Type.Kind != vector.Struct {
		row.Offsets = []int32{0, int32(len(columns[0]))}
	}
	for i := range f.Fields {
		child, err := vectorOf(columns[i], &f.Fields[i])
		if err != nil {
			return vector.Scalar{}, err
		}
		row.Children = append(row.Children, child)
	}
	return vector.Scalar{Type: f.Type, Nested: row}, nil
}

// vectorOf is values of a field within another.
func vectorOf(list []json.RawMessage, f *Field) (*vector.Vector, error) {
	if len(list) > mostElements {
		return nil, errTooMany
	}
	values := make([]vector.Scalar, len(list))
	for i, text := range list {
		var err error
		switch null := bytes.Equal(bytes.TrimSpace(text), []byte("null")); {
		case len(text) == 0 && f.Default != nil:
			values[i] = *f.Default
		case (null || len(text) == 0) && f.Required:
			err = fmt.Errorf("field %q is required", f.Name)
		case null || len(text) == 0:
			values[i] = vector.NullOf(f.Type)
		default:
			values[i], err = fromJSON(text, f)
		}
		if err != nil {
			return nil, err
		}
	}
	out := &vector.Vector{}
	return out, out.FromScalars(f.Type, values)
}
