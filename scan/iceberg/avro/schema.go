package avro

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Kind is how a value is encoded.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Boolean
	Int // also Long
	Float
	Double
	Bytes // also texts
	Fixed
	Enum
	Record
	Array
	Map
	Union
)

var primitives = map[string]Kind{
	"null": Null, "boolean": Boolean, "int": Int, "long": Int, "float": Float, "double": Double, "bytes": Bytes, "string": Bytes,
}

// Schema is the type of values.
type Schema struct {
	Kind     Kind
	Short    bool      // an Int of 32 bits
	Size     int       // of a Fixed
	Fields   []Field   // of a Record
	Branches []*Schema // of a Union; of an Array and a Map one: the elements
}

// Field is the type of the field of a record that has an id, that it has beside null; nil: there is
// none.
func (s *Schema) Field(id int64) *Schema {
	if s == nil {
		return nil
	}
	for _, b := range append([]*Schema{s}, s.Branches...) {
		for _, f := range b.Fields {
			if f.ID == id {
				return f.Type.record()
			}
		}
	}
	return nil
}

// record is the record of a union with null.
func (s *Schema) record() *Schema {
	for _, b := range s.Branches {
		if s.Kind == Union && b.Kind == Record {
			return b
		}
	}
	return s
}

// Field is a field of a record.
type Field struct {
	Name string
	ID   int64 // Iceberg's field-id; -1: none
	Type *Schema
}

const (
	maxDepth  = 32      // of types within each other
	maxFields = 1 << 14 // of a schema
	maxFixed  = 1 << 20
)

// parseSchema reads a schema (Schema Declaration).
func parseSchema(text []byte) (*Schema, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	p := schemaParser{named: map[string]*Schema{}}
	s, err := p.parse(v, "", 0)
	if err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return s, nil
}

type schemaParser struct {
	named  map[string]*Schema // that are complete, so that none contains itself
	fields int
}

func (p *schemaParser) parse(v any, space string, depth int) (*Schema, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("types are within each other more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case string:
		return p.byName(v, space)
	case []any:
		out := &Schema{Kind: Union}
		for _, b := range v {
			s, err := p.parse(b, space, depth+1)
			if err != nil {
				return nil, err
			}
			out.Branches = append(out.Branches, s)
		}
		return out, p.count(len(v))
	case map[string]any:
		return p.object(v, space, depth)
	}
	return nil, errors.New("a type is neither a name, nor an object, nor a list")
}

func (p *schemaParser) byName(name, space string) (*Schema, error) {
	if k, ok := primitives[name]; ok {
		return &Schema{Kind: k, Short: name == "int"}, nil
	}
	for _, full := range []string{space + "." + name, name} {
		if s := p.named[full]; s != nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("there is no type %q before it is used", name)
}

func (p *schemaParser) count(n int) error {
	if p.fields += n; p.fields > maxFields {
		return fmt.Errorf("it has more than %d fields", maxFields)
	}
	return nil
}

func (p *schemaParser) object(v map[string]any, space string, depth int) (*Schema, error) {
	kind, ok := v["type"].(string)
	if !ok {
		return p.parse(v["type"], space, depth+1)
	}
	name, _ := v["name"].(string)
	if ns, ok := v["namespace"].(string); ok {
		space = ns
	}
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		space, name = name[:at], name[at+1:]
	}
	out := &Schema{}
	var err error
	switch kind {
	case "record":
		out.Kind = Record
		err = p.record(out, v["fields"], space, depth)
	case "array", "map":
		out.Kind = Array
		of := v["items"]
		if kind == "map" {
			out.Kind, of = Map, v["values"]
		}
		var element *Schema
		element, err = p.parse(of, space, depth+1)
		out.Branches = []*Schema{element}
	case "fixed":
		out.Kind = Fixed
		size, ok := v["size"].(float64)
		if out.Size = int(size); !ok || size < 0 || size > maxFixed || float64(out.Size) != size {
			err = fmt.Errorf("a fixed has the size %v", v["size"])
		}
	case "enum":
		out.Kind = Enum
	default:
		return p.byName(kind, space)
	}
	if err == nil && name != "" && out.Kind != Array && out.Kind != Map {
		p.named[space+"."+name] = out
	}
	return out, err
}

func (p *schemaParser) record(out *Schema, fields any, space string, depth int) error {
	list, ok := fields.([]any)
	if !ok {
		return errors.New("a record has no list of fields")
	}
	for _, f := range list {
		o, ok := f.(map[string]any)
		if !ok {
			return errors.New("a field is no object")
		}
		name, _ := o["name"].(string)
		field := Field{Name: name, ID: -1}
		if id, ok := o["field-id"].(float64); ok && id >= 0 && id <= 1<<31-1 {
			field.ID = int64(id)
		}
		var err error
		if field.Type, err = p.parse(o["type"], space, depth+1); err != nil {
			return fmt.Errorf("field %q: %w", name, err)
		}
		out.Fields = append(out.Fields, field)
	}
	return p.count(len(list))
}
