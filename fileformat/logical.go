package fileformat

import "fmt"

// LogicalKind is the meaning of values (union LogicalType; LogicalTypes.md).
type LogicalKind uint8

// The kinds. Where both annotations are absent, or do not fit the physical
// type, it is LogicalNone.
const (
	LogicalNone LogicalKind = iota
	LogicalString
	LogicalMap
	LogicalMapKeyValue // only as ConvertedType
	LogicalList
	LogicalEnum
	LogicalDecimal
	LogicalDate
	LogicalTime
	LogicalTimestamp
	LogicalInteger
	LogicalUnknown // the specification's UNKNOWN: only NULLs
	LogicalJSON
	LogicalBSON
	LogicalUUID
	LogicalFloat16
	LogicalVariant
	LogicalGeometry
	LogicalGeography
	LogicalFile          // a group that refers to a range of bytes, in a file or in the value
	LogicalInterval      // only as ConvertedType
	LogicalUnknownFuture // of a later version of the format: reads as the physical type
)

// TimeUnit is the resolution of TIME and TIMESTAMP.
type TimeUnit uint8

// The units.
const (
	UnitNone TimeUnit = iota
	Millis
	Micros
	Nanos
)

// LogicalType is a column's annotation with its parameters; only the parameters of
// its Kind are set.
type LogicalType struct {
	Kind             LogicalKind
	Precision, Scale int      // DECIMAL: 1 ≤ Precision, 0 ≤ Scale ≤ Precision
	Unit             TimeUnit // TIME, TIMESTAMP
	UTC              bool     // TIME, TIMESTAMP: isAdjustedToUTC
	BitWidth         int      // INTEGER: 8, 16, 32 or 64
	Signed           bool     // INTEGER
	CRS              string   // GEOMETRY, GEOGRAPHY; empty is OGC:CRS84
	Algorithm        string   // GEOGRAPHY: edge interpolation, SPHERICAL where absent
	Version          int      // VARIANT: specification_version, 0 where absent
}

// ConvertedType is the deprecated annotation (enum ConvertedType).
type ConvertedType int32

// The converted types.
const (
	ConvertedNone ConvertedType = iota - 1
	ConvertedUTF8
	ConvertedMap
	ConvertedMapKeyValue
	ConvertedList
	ConvertedEnum
	ConvertedDecimal
	ConvertedDate
	ConvertedTimeMillis
	ConvertedTimeMicros
	ConvertedTimestampMillis
	ConvertedTimestampMicros
	ConvertedUint8
	ConvertedUint16
	ConvertedUint32
	ConvertedUint64
	ConvertedInt8
	ConvertedInt16
	ConvertedInt32
	ConvertedInt64
	ConvertedJSON
	ConvertedBSON
	ConvertedInterval
)

var convertedNames = []string{
	"UTF8", "MAP", "MAP_KEY_VALUE", "LIST", "ENUM", "DECIMAL", "DATE", "TIME_MILLIS", "TIME_MICROS", "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS",
	"UINT_8", "UINT_16", "UINT_32", "UINT_64", "INT_8", "INT_16", "INT_32", "INT_64", "JSON", "BSON", "INTERVAL",
}

func (c ConvertedType) String() string { return enumName(convertedNames, int32(c)) }

var logicalNames = [...]string{
	LogicalNone: "", LogicalString: "STRING", LogicalMap: "MAP", LogicalMapKeyValue: "MAP_KEY_VALUE", LogicalList: "LIST",
	LogicalEnum: "ENUM", LogicalDecimal: "DECIMAL", LogicalDate: "DATE", LogicalTime: "TIME", LogicalTimestamp: "TIMESTAMP",
	LogicalInteger: "INTEGER", LogicalUnknown: "UNKNOWN", LogicalJSON: "JSON", LogicalBSON: "BSON", LogicalUUID: "UUID",
	LogicalFloat16: "FLOAT16", LogicalVariant: "VARIANT", LogicalGeometry: "GEOMETRY", LogicalGeography: "GEOGRAPHY",
	LogicalFile: "FILE", LogicalInterval: "INTERVAL", LogicalUnknownFuture: "(unknown)",
}

func (k LogicalKind) String() string { return logicalNames[k] }

var unitNames = [...]string{UnitNone: "", Millis: "MILLIS", Micros: "MICROS", Nanos: "NANOS"}

func (u TimeUnit) String() string { return unitNames[u] }

// String is the type as the specification writes it, with its parameters.
func (t LogicalType) String() string {
	switch t.Kind {
	case LogicalDecimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case LogicalTime, LogicalTimestamp:
		return fmt.Sprintf("%v(isAdjustedToUTC=%t,unit=%v)", t.Kind, t.UTC, t.Unit)
	case LogicalInteger:
		return fmt.Sprintf("INTEGER(%d,%t)", t.BitWidth, t.Signed)
	case LogicalGeometry, LogicalGeography:
		parameters := t.CRS
		if parameters == "" {
			parameters = "OGC:CRS84"
		}
		if t.Algorithm != "" {
			parameters += "," + t.Algorithm
		}
		return fmt.Sprintf("%v(%s)", t.Kind, parameters)
	}
	return t.Kind.String()
}
