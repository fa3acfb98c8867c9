package arrow

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

// mapping says which Arrow types columns get.
type mapping struct {
	dictionaries bool // of texts
	parquet      bool // types that arrow-go writes as Parquet's type of the same meaning
}

// The most digits of Arrow's decimals.
const (
	decimal128Digits = 38
	decimal256Digits = 76
)

// schema is the columns of a result.
func (m mapping) schema(columns vector.Schema) (*arrow.Schema, error) {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		f, err := m.field(vector.Field(c))
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		if m.dictionaries && (c.Type.Kind == vector.Varchar || c.Type.Kind == vector.Enum) {
			f.Type = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: f.Type}
		}
		fields[i] = f
	}
	return arrow.NewSchema(fields, nil), nil
}

func (m mapping) field(f vector.Field) (arrow.Field, error) {
	t, err := m.of(f.Type)
	return arrow.Field{Name: f.Name, Type: t, Nullable: f.Nullable || f.Type.Kind == vector.Null}, err
}

// of is the Arrow type of a SQL type.
func (m mapping) of(t vector.Type) (arrow.DataType, error) {
	if simple, ok := simpleTypes[t.Kind]; ok {
		return simple, nil
	}
	switch t.Kind {
	case vector.Decimal:
		return decimalType(t)
	case vector.Time:
		return m.timeType(t.Unit), nil
	case vector.Timestamp, vector.TimestampTZ:
		return m.timestampType(t), nil
	case vector.Interval:
		if m.parquet {
			return parquetInterval, nil
		}
		return arrow.FixedWidthTypes.MonthDayNanoInterval, nil
	case vector.Enum:
		if m.parquet {
			return parquetEnum, nil
		}
		return arrow.BinaryTypes.String, nil
	case vector.BSON:
		if m.parquet {
			return parquetBSON, nil
		}
		return arrow.BinaryTypes.Binary, nil
	case vector.JSON, vector.Rendered: // what is rendered is JSON
		return extensions.NewJSONType(arrow.BinaryTypes.String)
	case vector.UUID:
		return extensions.NewUUIDType(), nil
	case vector.Variant:
		return extensions.NewDefaultVariantType(), nil
	case vector.Geometry:
		return NewWKBType(t.CRS, ""), nil
	case vector.Geography:
		return NewWKBType(t.CRS, edgesOf(t.Algorithm)), nil
	case vector.List, vector.Map, vector.Struct:
		return m.nested(t)
	}
	return nil, fmt.Errorf("there is no type of Arrow for %s: %w", t, parquetsql.ErrUnsupported)
}

var simpleTypes = map[vector.Kind]arrow.DataType{
	vector.Null:      arrow.Null,
	vector.Boolean:   arrow.FixedWidthTypes.Boolean,
	vector.TinyInt:   arrow.PrimitiveTypes.Int8,
	vector.SmallInt:  arrow.PrimitiveTypes.Int16,
	vector.Integer:   arrow.PrimitiveTypes.Int32,
	vector.BigInt:    arrow.PrimitiveTypes.Int64,
	vector.UTinyInt:  arrow.PrimitiveTypes.Uint8,
	vector.USmallInt: arrow.PrimitiveTypes.Uint16,
	vector.UInteger:  arrow.PrimitiveTypes.Uint32,
	vector.UBigInt:   arrow.PrimitiveTypes.Uint64,
	vector.Half:      arrow.FixedWidthTypes.Float16,
	vector.Float:     arrow.PrimitiveTypes.Float32,
	vector.Double:    arrow.PrimitiveTypes.Float64,
	vector.Date:      arrow.FixedWidthTypes.Date32,
	vector.Varchar:   arrow.BinaryTypes.String,
	vector.Blob:      arrow.BinaryTypes.Binary,
}

func decimalType(t vector.Type) (arrow.DataType, error) {
	precision, scale := int32(t.Precision), int32(t.Scale)
	switch {
	case t.Precision <= decimal128Digits:
		return &arrow.Decimal128Type{Precision: precision, Scale: scale}, nil
	case t.Precision <= decimal256Digits:
		return &arrow.Decimal256Type{Precision: precision, Scale: scale}, nil
	}
	return nil, fmt.Errorf("%s has more digits than Arrow's %d: cast it to a narrower DECIMAL or to VARCHAR: %w", t, decimal256Digits, parquetsql.ErrUnsupported)
}

// timeType is TIME in a unit. Parquet has no seconds.
func (m mapping) timeType(u vector.Unit) arrow.DataType {
	switch {
	case u == vector.Seconds && !m.parquet:
		return arrow.FixedWidthTypes.Time32s
	case u == vector.Seconds, u == vector.Millis:
		return arrow.FixedWidthTypes.Time32ms
	case u == vector.Micros:
		return arrow.FixedWidthTypes.Time64us
	}
	return arrow.FixedWidthTypes.Time64ns
}

func (m mapping) timestampType(t vector.Type) arrow.DataType {
	out := &arrow.TimestampType{Unit: arrow.Nanosecond}
	switch {
	case t.Unit == vector.Seconds && !m.parquet:
		out.Unit = arrow.Second
	case t.Unit == vector.Seconds, t.Unit == vector.Millis:
		out.Unit = arrow.Millisecond
	case t.Unit == vector.Micros:
		out.Unit = arrow.Microsecond
	}
	if t.Kind == vector.TimestampTZ {
		out.TimeZone = "UTC"
	}
	return out
}

// nested is the type of a LIST, MAP or STRUCT.
func (m mapping) nested(t vector.Type) (arrow.DataType, error) {
	fields := make([]arrow.Field, len(t.Fields))
	for i, f := range t.Fields {
		var err error
		if fields[i], err = m.field(f); err != nil {
			return nil, err
		}
	}
	switch t.Kind {
	case vector.Struct:
		return arrow.StructOf(fields...), nil
	case vector.List:
		fields[0].Name = "element"
		return arrow.ListOfField(fields[0]), nil
	}
	fields[0].Nullable = false
	value := arrow.Field{Type: arrow.Null, Nullable: true}
	if len(fields) > 1 {
		value = fields[1]
	}
	return arrow.MapOfFields(fields[0], value), nil
}
