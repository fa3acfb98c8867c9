package scalar

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// typeNames are the types without parameters, by all their names.
var typeNames = map[string]vector.Kind{
	"BOOLEAN": vector.Boolean, "BOOL": vector.Boolean, "LOGICAL": vector.Boolean,
	"TINYINT": vector.TinyInt, "INT1": vector.TinyInt,
	"SMALLINT": vector.SmallInt, "INT2": vector.SmallInt, "INT16": vector.SmallInt, "SHORT": vector.SmallInt,
	"INTEGER": vector.Integer, "INT": vector.Integer, "INT4": vector.Integer, "INT32": vector.Integer, "MEDIUMINT": vector.Integer,
	"BIGINT": vector.BigInt, "INT8": vector.BigInt, "INT64": vector.BigInt, "LONG": vector.BigInt,
	"SIGNED": vector.BigInt, "SIGNED INTEGER": vector.BigInt, "SIGNED INT": vector.BigInt,
	"UTINYINT": vector.UTinyInt, "UINT8": vector.UTinyInt, "TINYINT UNSIGNED": vector.UTinyInt,
	"USMALLINT": vector.USmallInt, "UINT16": vector.USmallInt, "SMALLINT UNSIGNED": vector.USmallInt,
	"UINTEGER": vector.UInteger, "UINT32": vector.UInteger, "INT UNSIGNED": vector.UInteger, "INTEGER UNSIGNED": vector.UInteger,
	"UBIGINT": vector.UBigInt, "UINT64": vector.UBigInt, "BIGINT UNSIGNED": vector.UBigInt,
	"UNSIGNED": vector.UBigInt, "UNSIGNED INTEGER": vector.UBigInt, "UNSIGNED INT": vector.UBigInt,
	"REAL": vector.Float, "FLOAT": vector.Float, "FLOAT4": vector.Float,
	"DOUBLE": vector.Double, "DOUBLE PRECISION": vector.Double, "FLOAT8": vector.Double,
	"DATE": vector.Date, "INTERVAL": vector.Interval,
	"TEXT": vector.Varchar, "STRING": vector.Varchar, "BPCHAR": vector.Varchar,
	"ENUM": vector.Enum, "JSON": vector.JSON, "UUID": vector.UUID, "GUID": vector.UUID,
	"BLOB": vector.Blob, "BYTEA": vector.Blob, "BINARY": vector.Blob, "VARBINARY": vector.Blob, "BINARY VARYING": vector.Blob,
	"NAME": vector.Varchar, "OID": vector.BigInt, "XID": vector.BigInt, "CID": vector.BigInt, "INT2VECTOR": vector.Varchar, "OIDVECTOR": vector.Varchar,
	"JSONB": vector.JSON, "BYTES": vector.Blob, "GEOMETRY": vector.Geometry, "GEOGRAPHY": vector.Geography,
}

// textNames accept an optional length, which is not enforced, as in DuckDB.
var textNames = map[string]bool{
	"VARCHAR": true, "CHAR": true, "CHARACTER": true, "NCHAR": true, "NVARCHAR": true, "CHARACTER VARYING": true, "CHAR VARYING": true,
}

// ParseType is the type that CAST names, with its parameters.
func ParseType(name string, args []int) (vector.Type, error) {
	upper := strings.Join(strings.Fields(strings.ToUpper(name)), " ")
	if k, ok := typeNames[upper]; ok {
		if len(args) > 0 && k != vector.Float && k != vector.Blob && !vector.Of(k).IsInteger() {
			return vector.Type{}, fmt.Errorf("type %s takes no parameters", upper)
		}
		if k == vector.Float && len(args) == 1 && args[0] > 24 { // FLOAT(p) counts bits of precision
			k = vector.Double
		}
		return vector.Of(k), nil
	}
	switch {
	case textNames[upper]:
		return vector.Of(vector.Varchar), nil
	case upper == "DECIMAL" || upper == "NUMERIC" || upper == "DEC" || upper == "NUMBER" || upper == "FIXED":
		return decimalType(args)
	case upper == "HUGEINT" || upper == "INT128":
		return vector.DecimalType(MaxPrecision, 0), nil
	case upper == "VARIANT":
		return vector.VariantType(), nil
	}
	return instantType(upper, name, args)
}

func decimalType(args []int) (vector.Type, error) {
	precision, scale := 18, 3 // DuckDB's default
	if len(args) > 0 {
		precision, scale = args[0], 0
	}
	if len(args) > 1 {
		scale = args[1]
	}
	if len(args) > 2 || precision < 1 || precision > MaxPrecision || scale < 0 || scale > precision {
		return vector.Type{}, fmt.Errorf("DECIMAL takes a precision from 1 to 38 and a scale up to the precision")
	}
	return vector.DecimalType(precision, scale), nil
}

// instantType parses the types that have a unit: TIME and TIMESTAMP.
func instantType(upper, name string, args []int) (vector.Type, error) {
	u := vector.Micros
	if len(args) == 1 {
		switch p := args[0]; {
		case p < 0 || p > 9:
			return vector.Type{}, fmt.Errorf("%s takes 0 to 9 fraction digits", upper)
		case p == 0:
			u = vector.Seconds
		case p <= 3:
			u = vector.Millis
		case p > 6:
			u = vector.Nanos
		}
	}
	switch upper {
	case "TIME", "TIME WITHOUT TIME ZONE":
		return vector.TimeType(max(u, vector.Millis)), nil
	case "TIMESTAMP", "DATETIME", "TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP_US":
		return vector.TimestampType(u, false), nil
	case "TIMESTAMP_S":
		return vector.TimestampType(vector.Seconds, false), nil
	case "TIMESTAMP_MS":
		return vector.TimestampType(vector.Millis, false), nil
	case "TIMESTAMP_NS":
		return vector.TimestampType(vector.Nanos, false), nil
	case "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE":
		return vector.TimestampType(u, true), nil
	case "TIMETZ", "TIME WITH TIME ZONE":
		return vector.Type{}, errs.Unsupported("type %s; a TIME has no zone, a TIMESTAMPTZ has", upper)
	}
	if likely := errs.Nearest(name, allNames()); likely != nil && !otherTypes[upper] {
		return vector.Type{}, errs.Unsupported("type %s (there is %s)", name, strings.Join(likely, ", "))
	}
	return vector.Type{}, errs.Unsupported("type %s", name)
}

// allNames are the names of types that a misspelt one may be meant to be.
func allNames() []string {
	names := append(slices.Collect(maps.Keys(typeNames)), slices.Collect(maps.Keys(textNames))...)
	names = append(names, "DECIMAL", "NUMERIC", "HUGEINT", "VARIANT", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "DATETIME", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
	slices.Sort(names)
	return names
}

// otherTypes are types of other engines, which no name here is meant to be.
var otherTypes = map[string]bool{"BIT": true, "BITSTRING": true, "UNION": true, "UHUGEINT": true, "BIGNUM": true, "VARINT": true, "MONEY": true, "XML": true}
