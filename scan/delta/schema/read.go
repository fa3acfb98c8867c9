package schema

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta/internal/pull"
	"github.com/parquetsql/parquetsql/vector"
)

// maxFields is how many columns and fields a schema may have, and maxDepth how deep they may be
// within each other: as many as files of a Parquet schema that is read.
const (
	maxFields = 1 << 20
	maxDepth  = 100
)

// reader reads the JSON of a schema.
type reader struct {
	*pull.Reader
	mapped bool // fields have physical names and ids
	widens bool // changes of types have to be checked
	fields int
	depth  int
}

func newReader(text string, mapped, widens bool) *reader {
	return &reader{Reader: pull.New(text), mapped: mapped, widens: widens}
}

// err is the first error; that of a feature stays what it is.
func (r *reader) err() error {
	switch err := r.Err(); {
	case err == nil, errors.Is(err, errs.ErrUnsupported):
		return err
	default:
		return corrupt(err)
	}
}

// root reads the type of the table, a struct.
func (r *reader) root() []Field {
	t := r.typ()
	if r.Err() == nil && t.kind != "struct" {
		r.Fail(fmt.Errorf("it is %q and not a struct", t.kind))
	}
	return t.fields
}

// typeJSON is a type as the schema has it.
type typeJSON struct {
	kind   string // of a nested type its name; else ""
	typ    vector.Type
	fields []Field
}

// typ reads a type: the name of a primitive one, or an object.
func (r *reader) typ() typeJSON {
	if r.IsText() {
		name, _ := r.Text()
		t, err := primitive(name)
		if err != nil {
			r.Fail(err)
		}
		return typeJSON{typ: t}
	}
	if r.depth++; r.depth > maxDepth {
		r.Fail(fmt.Errorf("types are within each other more than %d deep", maxDepth))
		return typeJSON{}
	}
	defer func() { r.depth-- }()
	var out typeJSON
	var element, value typeJSON
	elementNull, valueNull := true, true
	r.Object(func(name string) {
		switch name {
		case "type":
			out.kind, _ = r.Text()
		case "fields":
			r.Array(func() { out.fields = append(out.fields, r.field()) })
		case "elementType", "keyType":
			element = r.typ()
		case "valueType":
			value = r.typ()
		case "containsNull":
			elementNull = r.Bool()
		case "valueContainsNull":
			valueNull = r.Bool()
		default:
			r.Skip()
		}
	})
	switch out.kind {
	case "struct":
	case "array":
		out.fields = []Field{inner("element", element, elementNull)}
	case "map":
		out.fields = []Field{inner("key", element, false), inner("value", value, valueNull)}
	default:
		if t, err := primitive(out.kind); err == nil { // {"type": "variant"}
			return typeJSON{typ: t}
		}
		r.Fail(fmt.Errorf("there is no type %q", out.kind))
	}
	out.typ = nestedType(out.kind, out.fields)
	return out
}

func inner(name string, t typeJSON, nullable bool) Field {
	return Field{Name: name, Physical: name, Type: t.typ, Nullable: nullable, Fields: t.fields}
}

func nestedType(kind string, fields []Field) vector.Type {
	out := vector.Type{Kind: vector.Struct}
	switch kind {
	case "array":
		out.Kind = vector.List
	case "map":
		out.Kind = vector.Map
	}
	for _, f := range fields {
		out.Fields = append(out.Fields, vector.Field{Name: f.Name, Type: f.Type, Nullable: f.Nullable})
	}
	return out
}

// field reads a field of a struct.
func (r *reader) field() Field {
	if r.fields++; r.fields > maxFields {
		r.Fail(fmt.Errorf("it has more than %d fields", maxFields))
	}
	f := Field{Nullable: true}
	var t typeJSON
	hasName := false
	r.Object(func(name string) {
		switch name {
		case "name":
			f.Name, hasName = r.Text()
			f.Name = strings.Clone(f.Name)
		case "type":
			t = r.typ()
		case "nullable":
			f.Nullable = r.Bool()
		case "metadata":
			r.metadata(&f)
		default:
			r.Skip()
		}
	})
	f.Type, f.Fields = t.typ, t.fields
	switch {
	case !hasName:
		r.Fail(errors.New("a field has no name"))
	case !r.mapped:
		f.Physical, f.ID = f.Name, 0
	case f.Physical == "":
		r.Fail(fmt.Errorf("the field %q has no physical name", f.Name))
	}
	return f
}

// metadata reads what a field's metadata says of its mapping and of the types that it had.
func (r *reader) metadata(f *Field) {
	r.Object(func(name string) {
		switch name {
		case "delta.columnMapping.physicalName":
			f.Physical, _ = r.Text()
			f.Physical = strings.Clone(f.Physical)
		case "delta.columnMapping.id":
			id, _ := r.Int()
			if id < 0 || id > math.MaxInt32 {
				r.Fail(fmt.Errorf("a field has the id %d", id))
			}
			f.ID = int32(id)
		case "delta.typeChanges":
			r.changes()
		default:
			r.Skip()
		}
	})
}

// primitive is the type of a name ("Primitive Types"). Columns that are void have no values.
func primitive(name string) (vector.Type, error) {
	switch name {
	case "string":
		return vector.Of(vector.Varchar), nil
	case "long":
		return vector.Of(vector.BigInt), nil
	case "integer":
		return vector.Of(vector.Integer), nil
	case "short":
		return vector.Of(vector.SmallInt), nil
	case "byte":
		return vector.Of(vector.TinyInt), nil
	case "float":
		return vector.Of(vector.Float), nil
	case "double":
		return vector.Of(vector.Double), nil
	case "boolean":
		return vector.Of(vector.Boolean), nil
	case "binary":
		return vector.Of(vector.Blob), nil
	case "date":
		return vector.Of(vector.Date), nil
	case "timestamp":
		return vector.TimestampType(vector.Micros, true), nil
	case "timestamp_ntz":
		return vector.TimestampType(vector.Micros, false), nil
	case "variant":
		return vector.VariantType(), nil
	case "void":
		return vector.Of(vector.Null), nil
	case "decimal":
		return vector.DecimalType(10, 0), nil
	}
	if t, ok := decimalType(name); ok {
		return t, nil
	}
	if strings.HasPrefix(name, "char(") || strings.HasPrefix(name, "varchar(") {
		return vector.Of(vector.Varchar), nil
	}
	if strings.HasPrefix(name, "string collate ") {
		return vector.Of(vector.Varchar), nil
	}
	return vector.Type{}, errs.Unsupported("type %q of Delta Lake", name)
}

// decimalType reads decimal(10,2).
func decimalType(name string) (vector.Type, bool) {
	inside, ok := strings.CutPrefix(name, "decimal(")
	if !ok {
		return vector.Type{}, false
	}
	inside, ok = strings.CutSuffix(inside, ")")
	digits, scale, both := strings.Cut(inside, ",")
	p, errP := strconv.Atoi(strings.TrimSpace(digits))
	s, errS := strconv.Atoi(strings.TrimSpace(scale))
	if !ok || !both || errP != nil || errS != nil || p < 1 || p > 38 || s < 0 || s > p {
		return vector.Type{}, false
	}
	return vector.DecimalType(p, s), true
}
