package schema

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
	f.Default = &s
	return nil
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
	case vector.List, vector.Map, vector.Variant, vector.Geometry, vector.Geography, vector.Null:
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
