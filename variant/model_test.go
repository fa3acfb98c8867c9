package variant_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// The model of a Variant is a Go value: nil for the Variant null, bool, int64,
// float64, string, []any, map[string]any, or missing for none.

type missingValue struct{}

var missing any = missingValue{}

// modelText is the JSON text of a model, from encoding/json.
func modelText(t testing.TB, x any) string {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// buildModel appends a model to a builder, fields in the random order of a map.
func buildModel(b *variant.Builder, x any) {
	switch x := x.(type) {
	case nil:
		b.Null()
	case bool:
		b.Bool(x)
	case int64:
		b.Int(x)
	case float64:
		b.Double(x)
	case string:
		b.String(x)
	case []any:
		b.BeginArray()
		for _, e := range x {
			buildModel(b, e)
		}
		b.End()
	case map[string]any:
		b.BeginObject()
		for name, e := range x {
			b.Name(name)
			buildModel(b, e)
		}
		b.End()
	default:
		panic(fmt.Sprintf("%T is no model", x))
	}
}

// encoded is the Variant of a model; with base it has the dictionary of that one.
func encoded(t testing.TB, x any, base *variant.Metadata) variant.Value {
	t.Helper()
	var b variant.Builder
	b.Reset(base)
	buildModel(&b, x)
	metadata, value, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	v, err := variant.Parse(metadata, string(value))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// bytesOf are the two byte strings of a Variant.
func bytesOf(v variant.Value) (metadata, value string) { return v.Bytes() }

var modelNames = []string{"a", "b", "c", "longer name", "", "ä", "a.b", "z9"}

// randomModel is a value with objects and arrays up to a depth.
func randomModel(r *rand.Rand, depth int) any {
	n := 9
	if depth <= 0 {
		n = 7
	}
	switch r.IntN(n) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2))
	case 3:
		return float64(r.IntN(1000))/8 + 0.5
	case 4, 5:
		return "s" + strconv.Itoa(r.IntN(5))
	case 6:
		return string(slices.Repeat([]byte("long "), 10+r.IntN(60)))
	case 7:
		list := make([]any, r.IntN(4))
		if r.IntN(50) == 0 {
			list = make([]any, 300) // a large array
		}
		for i := range list {
			list[i] = randomModel(r, depth-1-len(list)/100)
		}
		return list
	}
	object := map[string]any{}
	for range r.IntN(6) {
		object[modelNames[r.IntN(len(modelNames))]] = randomModel(r, depth-1)
	}
	if r.IntN(30) == 0 {
		for i := range 20 {
			object["wide"+strconv.Itoa(i*7%20)] = int64(i)
		}
	}
	return object
}

// randomType is a random shredding for typed_value; a random model fits parts of it.
func randomType(r *rand.Rand, depth int) vector.Type {
	n := 6
	if depth <= 0 {
		n = 4
	}
	switch r.IntN(n) {
	case 0:
		return vector.Of(vector.BigInt)
	case 1:
		return vector.Of(vector.Double)
	case 2:
		return vector.Of(vector.Varchar)
	case 3:
		return vector.Of(vector.Boolean)
	case 4:
		return vector.ListOf(vector.Field{Name: "element", Type: randomGroup(r, depth-1)})
	}
	t := vector.Type{Kind: vector.Struct}
	for _, name := range modelNames {
		if r.IntN(2) == 0 {
			t.Fields = append(t.Fields, vector.Field{Name: name, Type: randomGroup(r, depth-1)})
		}
	}
	r.Shuffle(len(t.Fields), func(i, j int) { t.Fields[i], t.Fields[j] = t.Fields[j], t.Fields[i] })
	if len(t.Fields) == 0 {
		return vector.Of(vector.BigInt)
	}
	return t
}

// randomGroup is the group of a field or element.
func randomGroup(r *rand.Rand, depth int) vector.Type {
	fields := []vector.Field{{Name: "value", Type: vector.Of(vector.Blob), Nullable: true}}
	if r.IntN(5) > 0 {
		fields = append(fields, vector.Field{Name: "typed_value", Type: randomType(r, depth), Nullable: true})
	}
	if r.IntN(2) == 0 {
		slices.Reverse(fields) // columns are found by name
	}
	return vector.Type{Kind: vector.Struct, Fields: fields}
}

// shredModel is what the columns of a group have of a model: value and typed_value,
// as rows for buildRows. names is the dictionary of the whole Variant.
func shredModel(t testing.TB, x any, group vector.Type, names *variant.Metadata) map[string]any {
	out := map[string]any{}
	if x == missing {
		return out
	}
	whole := func() map[string]any {
		_, out["value"] = bytesOf(encoded(t, x, names))
		return out
	}
	at := slices.IndexFunc(group.Fields, func(f vector.Field) bool { return f.Name == "typed_value" })
	if at < 0 {
		return whole()
	}
	typed := group.Fields[at].Type
	switch x := x.(type) {
	case int64:
		if typed.Kind == vector.BigInt {
			out["typed_value"] = x
			return out
		}
	case float64:
		if typed.Kind == vector.Double {
			out["typed_value"] = x
			return out
		}
	case string:
		if typed.Kind == vector.Varchar {
			out["typed_value"] = x
			return out
		}
	case bool:
		if typed.Kind == vector.Boolean {
			out["typed_value"] = x
			return out
		}
	case []any:
		if typed.Kind == vector.List {
			list := []any{}
			for _, e := range x {
				list = append(list, shredModel(t, e, typed.Fields[0].Type, names))
			}
			out["typed_value"] = list
			return out
		}
	case map[string]any:
		if typed.Kind == vector.Struct {
			shredded, rest := map[string]any{}, map[string]any{}
			for name, e := range x {
				rest[name] = e
			}
			for _, f := range typed.Fields {
				e, ok := x[f.Name]
				if !ok {
					e = missing
				}
				delete(rest, f.Name)
				shredded[f.Name] = shredModel(t, e, f.Type, names)
			}
			out["typed_value"] = shredded
			if len(rest) > 0 {
				_, out["value"] = bytesOf(encoded(t, rest, names))
			}
			return out
		}
	}
	return whole()
}

// buildRows makes a vector of rows: nil is NULL, a STRUCT or VARIANT a map by name, a
// LIST a slice.
func buildRows(t vector.Type, rows []any) *vector.Vector {
	v := vector.New(t, len(rows))
	for i, row := range rows {
		switch x := row.(type) {
		case nil:
			v.SetNull(i)
		case bool:
			v.Bool[i] = x
		case int64:
			v.I64[i] = x
		case float64:
			v.F64[i] = x
		case string:
			v.Str[i] = x
		}
	}
	switch t.Kind {
	case vector.List:
		var elements []any
		for i, row := range rows {
			if list, ok := row.([]any); ok {
				elements = append(elements, list...)
			}
			v.Offsets[i+1] = int32(len(elements))
		}
		v.Children[0] = buildRows(t.Fields[0].Type, elements)
	case vector.Struct, vector.Variant:
		for c, f := range t.Fields {
			column := make([]any, len(rows))
			for i, row := range rows {
				if fields, ok := row.(map[string]any); ok {
					column[i] = fields[f.Name]
				}
			}
			v.Children[c] = buildRows(f.Type, column)
		}
	}
	return v
}

// shredRows is the vector of models in a file of the shredding typed. A missing
// model is a NULL row.
func shredRows(t testing.TB, models []any, typed ...vector.Type) *vector.Vector {
	t.Helper()
	var fields []vector.Field
	for _, typ := range typed {
		fields = append(fields, vector.Field{Name: "typed_value", Type: typ, Nullable: true})
	}
	whole := vector.VariantType(fields...)
	rows := make([]any, len(models))
	for i, x := range models {
		if x == missing {
			continue
		}
		metadata, _ := bytesOf(encoded(t, x, nil))
		names, err := variant.ParseMetadata(metadata)
		if err != nil {
			t.Fatal(err)
		}
		row := shredModel(t, x, vector.Type{Kind: vector.Struct, Fields: whole.Fields}, &names)
		row["metadata"] = metadata
		rows[i] = row
	}
	return buildRows(whole, rows)
}

// modelAt is what a path leads to in a model.
func modelAt(x any, path vector.Path) any {
	for _, s := range path {
		switch v := x.(type) {
		case map[string]any:
			e, ok := v[s.Name]
			if !ok || s.Kind != vector.FieldStep {
				return missing
			}
			x = e
		case []any:
			at := s.Position
			if at < 0 {
				at += int64(len(v))
			}
			if s.Kind != vector.PositionStep || at < 0 || at >= int64(len(v)) {
				return missing
			}
			x = v[at]
		default:
			return missing
		}
	}
	return x
}

// randomPath leads to a value of the model, or beside it.
func randomPath(r *rand.Rand, x any) (path vector.Path) {
	for range r.IntN(4) {
		switch v := x.(type) {
		case []any:
			path = append(path, vector.Step{Kind: vector.PositionStep, Position: int64(r.IntN(2*len(v)+3) - len(v) - 1)})
		default:
			path = append(path, vector.Step{Name: modelNames[r.IntN(len(modelNames))]})
			if r.IntN(20) == 0 {
				path[len(path)-1] = vector.Step{Kind: vector.PositionStep}
			}
		}
		if x = modelAt(x, path[len(path)-1:]); x == missing && r.IntN(3) > 0 {
			return path
		}
	}
	return path
}
