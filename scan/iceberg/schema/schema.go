package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Schema is the columns of a table at one time.
type Schema struct {
	ID     int
	Fields []Field
}

// Field is a column, a field of a struct, or what is within a list or a map.
type Field struct {
	ID       int32
	Name     string
	Required bool
	Type     vector.Type // of a nested type with the types of Fields
	Fields   []Field     // of a struct; of a list the element; of a map the key and the value
	Default  *vector.Scalar
	// Filled says that a struct has a default that is not NULL, of the defaults of its fields.
	Filled bool
}

// What a schema may have: as many fields as a Parquet file that is read, and as deep.
const (
	maxFields = 1 << 20
	maxDepth  = 100
)

// UnmarshalJSON reads a schema (Appendix C, Schemas).
func (s *Schema) UnmarshalJSON(text []byte) error {
	var in struct {
		ID     *int        `json:"schema-id"`
		Fields []fieldJSON `json:"fields"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	r := reader{}
	fields, err := r.fields(in.Fields, 0)
	if err != nil {
		return err
	}
	s.Fields = fields
	if in.ID != nil {
		s.ID = *in.ID
	}
	return nil
}

type fieldJSON struct {
	ID       int64           `json:"id"`
	Name     string          `json:"name"`
	Required bool            `json:"required"`
	Type     json.RawMessage `json:"type"`
	Default  json.RawMessage `json:"initial-default"`
}

type reader struct{ count int }

func (r *reader) fields(in []fieldJSON, depth int) ([]Field, error) {
	if r.count += len(in); r.count > maxFields {
		return nil, fmt.Errorf("a schema has more than %d fields", maxFields)
	}
	out := make([]Field, len(in))
	for i, f := range in {
		if f.ID <= 0 || f.ID > 1<<31-1 {
			return nil, fmt.Errorf("field %q has the id %d", f.Name, f.ID)
		}
		own := Field{ID: int32(f.ID), Name: f.Name, Required: f.Required}
		if err := r.typ(&own, f.Type, depth); err != nil {
			return nil, fmt.Errorf("field %q: %w", f.Name, err)
		}
		if err := own.setDefault(f.Default); err != nil {
			return nil, fmt.Errorf("the default of field %q: %w", f.Name, err)
		}
		out[i] = own
	}
	return out, nil
}

// typ reads the type of a field.
func (r *reader) typ(f *Field, text json.RawMessage, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("types are within each other more than %d deep", maxDepth)
	}
	var name string
	if json.Unmarshal(text, &name) == nil {
		t, err := primitive(name)
		f.Type = t
		return err
	}
	var in struct {
		Type            string          `json:"type"`
		Fields          []fieldJSON     `json:"fields"`
		ElementID       int64           `json:"element-id"`
		Element         json.RawMessage `json:"element"`
		ElementRequired bool            `json:"element-required"`
		KeyID           int64           `json:"key-id"`
		Key             json.RawMessage `json:"key"`
		ValueID         int64           `json:"value-id"`
		Value           json.RawMessage `json:"value"`
		ValueRequired   bool            `json:"value-required"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	inner := in.Fields
	switch in.Type {
	case "struct":
		f.Type.Kind = vector.Struct
	case "list":
		f.Type.Kind = vector.List
		inner = []fieldJSON{{ID: in.ElementID, Name: "element", Required: in.ElementRequired, Type: in.Element}}
	case "map":
		f.Type.Kind = vector.Map
		inner = []fieldJSON{{ID: in.KeyID, Name: "key", Required: true, Type: in.Key}, {ID: in.ValueID, Name: "value", Required: in.ValueRequired, Type: in.Value}}
	default:
		return fmt.Errorf("there is no type %q", in.Type)
	}
	var err error
	if f.Fields, err = r.fields(inner, depth+1); err != nil {
		return err
	}
	for _, c := range f.Fields {
		f.Type.Fields = append(f.Type.Fields, vector.Field{Name: c.Name, Type: c.Type, Nullable: !c.Required})
	}
	return nil
}

var simple = map[string]vector.Type{
	"unknown": vector.Of(vector.Null), "boolean": vector.Of(vector.Boolean), "int": vector.Of(vector.Integer), "long": vector.Of(vector.BigInt),
	"float": vector.Of(vector.Float), "double": vector.Of(vector.Double), "date": vector.Of(vector.Date), "time": vector.TimeType(vector.Micros),
	"timestamp": vector.TimestampType(vector.Micros, false), "timestamptz": vector.TimestampType(vector.Micros, true),
	"timestamp_ns": vector.TimestampType(vector.Nanos, false), "timestamptz_ns": vector.TimestampType(vector.Nanos, true),
	"string": vector.Of(vector.Varchar), "uuid": vector.Of(vector.UUID), "binary": vector.Of(vector.Blob), "variant": vector.VariantType(),
}

// primitive reads the name of a type that is not nested. Blanks are allowed around parameters.
func primitive(name string) (vector.Type, error) {
	if t, ok := simple[name]; ok {
		return t, nil
	}
	head, rest, _ := strings.Cut(strings.TrimSpace(name), "(")
	head = strings.TrimSpace(head)
	parameters, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	switch {
	case strings.HasPrefix(head, "fixed["):
		return vector.Of(vector.Blob), nil
	case head == "geometry" && (closed || rest == ""):
		return geospatial(vector.Geometry, parameters), nil
	case head == "geography" && (closed || rest == ""):
		return geospatial(vector.Geography, parameters), nil
	case head == "decimal" && closed:
		p, s, _ := strings.Cut(parameters, ",")
		precision, err := strconv.Atoi(strings.TrimSpace(p))
		scale, err2 := strconv.Atoi(strings.TrimSpace(s))
		if err = errors.Join(err, err2); err != nil || precision < 1 || precision > 38 || scale < 0 || scale > precision {
			return vector.Type{}, fmt.Errorf("there is no type %q", name)
		}
		return vector.DecimalType(precision, scale), nil
	}
	return vector.Type{}, errs.Unsupported("the type %q of Iceberg", name)
}

// geospatial is a type of geometries with its parameters, which have defaults.
func geospatial(k vector.Kind, parameters string) vector.Type {
	crs, algorithm, _ := strings.Cut(parameters, ",")
	out := vector.Type{Kind: k, CRS: strings.TrimSpace(crs)}
	if out.CRS == "" {
		out.CRS = "OGC:CRS84"
	}
	if k == vector.Geography {
		if out.Algorithm = strings.ToUpper(strings.TrimSpace(algorithm)); out.Algorithm == "" {
			out.Algorithm = "SPHERICAL"
		}
	}
	return out
}

// Each visits the fields that are not within lists or maps, with the fields of structs that lead to
// each, itself the last. The list is used again.
func Each(fields []Field, visit func(path []*Field)) { each(fields, nil, visit) }

func each(fields []Field, within []*Field, visit func(path []*Field)) {
	for i := range fields {
		path := append(within, &fields[i])
		visit(path)
		if fields[i].Type.Kind == vector.Struct {
			each(fields[i].Fields, path, visit)
		}
	}
}

// Find is the field of an id, and the fields of structs that lead to it, itself the last; nil where
// there is none or where it is within a list or a map.
func Find(fields []Field, id int32) []*Field {
	for i := range fields {
		f := &fields[i]
		if f.ID == id {
			return []*Field{f}
		}
		if f.Type.Kind == vector.Struct {
			if path := Find(f.Fields, id); path != nil {
				return append([]*Field{f}, path...)
			}
		}
	}
	return nil
}
