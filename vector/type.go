// Package vector is the currency between operators: typed columns of a few
// thousand values with a validity bitmap, gathered into batches with an
// optional selection.
//
// A Type says what a value means (DECIMAL(10,2), TIMESTAMP in microseconds);
// its Storage says which Go slice holds the values. Several types share a
// storage, so that a kernel is written once per storage, not once per type:
//
//	storage   Go slice     types
//	Bool      []bool       BOOLEAN
//	Int64     []int64      all integers but UBIGINT, DATE (days since 1970),
//	                       TIME and TIMESTAMP (units since midnight/1970),
//	                       DECIMAL up to 18 digits (unscaled)
//	Uint64    []uint64     UBIGINT
//	Int128    []Int128     DECIMAL of 19 to 38 digits (unscaled), TIMESTAMP of
//	                       unit Wide (nanoseconds since 1970, INT96's range)
//	Float32   []float32    HALF, FLOAT
//	Float64   []float64    DOUBLE
//	String    []string     VARCHAR, ENUM, JSON, BLOB, BSON (raw bytes), UUID
//	                       (16 raw bytes), GEOMETRY, GEOGRAPHY, and DECIMAL of
//	                       more than 38 digits (see BigDecimal)
//	Interval  []Interval   INTERVAL
//	Nested    children     LIST, MAP, STRUCT, VARIANT
//
// What is the same for all storages and forms is a method of Vector: Gather,
// Append, Slice, CopyValues, Pick, and the function Compare. Code elsewhere
// switches over Storage only where it does something else for each Go type.
//
// The package knows no SQL function and no file.
package vector

import (
	"fmt"
	mathbits "math/bits"
	"strings"
	"unicode"
)

// Kind is the SQL type's name without its parameters.
type Kind uint8

// The kinds, in the order of the README's table of types.
const (
	Null Kind = iota // the type of a bare NULL and of Parquet's UNKNOWN
	Boolean
	TinyInt
	SmallInt
	Integer
	BigInt
	UTinyInt
	USmallInt
	UInteger
	UBigInt
	Half
	Float
	Double
	Decimal
	Date
	Time
	Timestamp
	TimestampTZ
	Interval
	Varchar
	Enum
	JSON
	BSON
	UUID
	Blob
	Geometry
	Geography
	Variant
	List
	Map
	Struct
	Rendered // JSON text for a value of another type: see RenderedType
)

var kindNames = [...]string{
	Null: "NULL", Boolean: "BOOLEAN", TinyInt: "TINYINT", SmallInt: "SMALLINT", Integer: "INTEGER",
	BigInt: "BIGINT", UTinyInt: "UTINYINT", USmallInt: "USMALLINT", UInteger: "UINTEGER", UBigInt: "UBIGINT",
	Half: "HALF", Float: "FLOAT", Double: "DOUBLE", Decimal: "DECIMAL", Date: "DATE", Time: "TIME",
	Timestamp: "TIMESTAMP", TimestampTZ: "TIMESTAMPTZ", Interval: "INTERVAL", Varchar: "VARCHAR", Enum: "ENUM",
	JSON: "JSON", BSON: "BSON", UUID: "UUID", Blob: "BLOB", Geometry: "GEOMETRY", Geography: "GEOGRAPHY",
	Variant: "VARIANT", List: "LIST", Map: "MAP", Struct: "STRUCT", Rendered: "RENDERED",
}

// String is the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", k)
}

// Unit is the resolution of a TIME or TIMESTAMP.
type Unit uint8

// The units. No file has Seconds, only a CAST to TIMESTAMP_S. Wide is nanoseconds in 128
// bits, for INT96 and for results whose range 64 bits of nanoseconds cannot hold.
const (
	Seconds Unit = iota + 1
	Millis
	Micros
	Nanos
	Wide
)

// PerSecond is the number of units in a second.
func (u Unit) PerSecond() int64 {
	switch u {
	case Seconds:
		return 1
	case Millis:
		return 1e3
	case Micros:
		return 1e6
	}
	return 1e9
}

// Digits is the number of fraction digits of the unit.
func (u Unit) Digits() int {
	switch u {
	case Seconds:
		return 0
	case Millis:
		return 3
	case Micros:
		return 6
	}
	return 9
}

// Type is a SQL type. Types are compared with Equal, since nested ones have
// slices of fields.
type Type struct {
	Kind      Kind
	Collation Collation // VARCHAR: how values are compared
	Precision int       // DECIMAL: decimal digits, at least 1
	Scale     int       // DECIMAL: digits after the point, 0..Precision
	Unit      Unit      // TIME, TIMESTAMP, TIMESTAMPTZ
	CRS       string    // GEOMETRY, GEOGRAPHY: the coordinate reference system, such as EPSG:3857; empty: not known
	Algorithm string    // GEOGRAPHY: how edges run between two positions, such as SPHERICAL; empty: not known
	Fields    []Field   // LIST: one, the element; MAP: key and value (value may be absent); STRUCT: any; VARIANT: see VariantType; RENDERED: one, the type that is shown
}

// Field is a child of a nested type.
type Field struct {
	Name     string
	Type     Type
	Nullable bool
}

// Of is the type of a kind without parameters.
func Of(k Kind) Type { return Type{Kind: k} }

// DecimalType is DECIMAL(precision, scale).
func DecimalType(precision, scale int) Type {
	return Type{Kind: Decimal, Precision: precision, Scale: scale}
}

// TimestampType is TIMESTAMP, or TIMESTAMPTZ where utc is set.
func TimestampType(u Unit, utc bool) Type {
	if utc {
		return Type{Kind: TimestampTZ, Unit: u}
	}
	return Type{Kind: Timestamp, Unit: u}
}

// TimeType is TIME in the unit.
func TimeType(u Unit) Type { return Type{Kind: Time, Unit: u} }

// ListOf is LIST of the element.
func ListOf(element Field) Type { return Type{Kind: List, Fields: []Field{element}} }

// VariantType is VARIANT whose vectors have the children that a file's group
// has (VariantShredding.md, "Value Shredding"):
//
//	metadata     BLOB, never NULL in a row that is not: the field names of the value
//	value        BLOB, nullable: the value, or what of it typed_value does not hold
//	typed_value  any type, nullable: the shredded value; may be absent
//
// Where value and typed_value are NULL, the row's value is missing. Where neither is, it is an
// object, and typed_value holds some of its fields. The typed_value of an object is a STRUCT with a
// field for each shredded field of the object, that of an array a LIST. These fields and elements
// are STRUCTs of value and typed_value; one of the two may be absent. A Variant without typed_value has
// no argument here. Of(Variant), without fields, is a VARIANT of a table whose
// files may have different children.
func VariantType(typed ...Field) Type {
	return Type{Kind: Variant, Fields: append([]Field{
		{Name: "metadata", Type: Of(Blob)}, {Name: "value", Type: Of(Blob), Nullable: true},
	}, typed...)}
}

// RenderedType is the JSON text of values of type t: what a projection makes of
// LIST, MAP, STRUCT or BSON where nothing works on the values any more. Such text is
// shown under the name of t.
func RenderedType(t Type) Type { return Type{Kind: Rendered, Fields: []Field{{Type: t}}} }

// Shown is the type whose values t shows: t itself, but of RENDERED what was
// rendered.
func (t Type) Shown() Type {
	if t.Kind == Rendered {
		return t.Fields[0].Type
	}
	return t
}

// Name is the DatabaseTypeName of t, which is that of the values shown. The one of a STRUCT is
// JSON, as of other text of objects: its fields are columns elsewhere.
func (t Type) Name() string {
	if t.Kind == Rendered && t.Shown().Kind == Struct {
		return JSON.String()
	}
	return t.Shown().Kind.String()
}

// Equal reports whether two types are the same, parameters and children included. Collations
// may differ: the values are the same.
func (t Type) Equal(o Type) bool {
	if t.Kind != o.Kind || t.Precision != o.Precision || t.Scale != o.Scale || t.Unit != o.Unit ||
		t.CRS != o.CRS || t.Algorithm != o.Algorithm || len(t.Fields) != len(o.Fields) {
		return false
	}
	for i, f := range t.Fields {
		if f.Name != o.Fields[i].Name || f.Nullable != o.Fields[i].Nullable || !f.Type.Equal(o.Fields[i].Type) {
			return false
		}
	}
	return true
}

// String is the type as a cast would name it: DECIMAL(10,2), LIST(BIGINT).
func (t Type) String() string {
	switch t.Kind {
	case Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case List, Map:
		names := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			names[i] = f.Type.String()
		}
		return t.Kind.String() + "(" + strings.Join(names, ", ") + ")"
	case Struct:
		names := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			if names[i] = f.Type.String(); f.Name != "" {
				names[i] = nameText(f.Name) + " " + names[i]
			}
		}
		return "STRUCT(" + strings.Join(names, ", ") + ")"
	case Geometry, Geography:
		return t.geospatialText()
	case Rendered:
		return t.Shown().String()
	}
	return t.Kind.String()
}

// nameText is the name of a field in a type, in quotes where it is not a plain word.
func nameText(name string) string {
	for i, c := range name {
		if !(c == '_' || unicode.IsLetter(c) || i > 0 && unicode.IsDigit(c)) {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// IsInteger reports whether the type is one of the eight integers.
func (t Type) IsInteger() bool { return t.Kind >= TinyInt && t.Kind <= UBigInt }

// IsUnsigned reports whether the type is one of the four integers without sign.
func (t Type) IsUnsigned() bool { return t.Kind >= UTinyInt && t.Kind <= UBigInt }

// IntegerType is the integer of 8, 16, 32 or 64 bits.
func IntegerType(bits int, unsigned bool) Type {
	first := TinyInt
	if unsigned {
		first = UTinyInt
	}
	return Of(first + Kind(mathbits.TrailingZeros(uint(bits/8)))) // the kinds ascend by width
}

// Bits is the width of an integer type, its sign included.
func (t Type) Bits() int {
	if t.IsUnsigned() {
		return 8 << (t.Kind - UTinyInt)
	}
	return 8 << (t.Kind - TinyInt)
}

// IsFloat reports whether the type is HALF, FLOAT or DOUBLE.
func (t Type) IsFloat() bool { return t.Kind >= Half && t.Kind <= Double }

// IsNumeric reports whether the type is an integer, a float or a DECIMAL.
func (t Type) IsNumeric() bool { return t.Kind >= TinyInt && t.Kind <= Decimal }

// IsText reports whether the type's values are character strings.
func (t Type) IsText() bool { return t.Kind == Varchar || t.Kind == Enum || t.Kind == JSON }

// IsTimestamp reports whether the type is TIMESTAMP or TIMESTAMPTZ.
func (t Type) IsTimestamp() bool { return t.Kind == Timestamp || t.Kind == TimestampTZ }

// IsNested reports whether the type is LIST, MAP or STRUCT.
func (t Type) IsNested() bool { return t.HasElements() || t.Kind == Struct }

// HasElements reports whether the type is LIST or MAP: a value has any number of
// them, Vector.Offsets tells which.
func (t Type) HasElements() bool { return t.Kind == List || t.Kind == Map }
