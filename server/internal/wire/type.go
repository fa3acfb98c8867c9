// Package wire has PostgreSQL's types for what queries return: their numbers, and their values as
// text and in the binary format; and the other way, for arguments.
//
//	type.go             which type of PostgreSQL a column has
//	text.go             values as text
//	binary.go numeric.go  values as bytes
//	field.go            the values of a column behind their lengths, as a row has them
//	array.go            lists without lists in them are arrays, in both formats
//	argument.go         arguments, from both formats
//	literal.go          the text form of arrays, as an argument has it
package wire

import (
	"time"

	"github.com/parquetsql/parquetsql"
)

// The numbers of PostgreSQL's types, as in its catalog pg_type.
const (
	Bool        = 16
	Bytea       = 17
	Char        = 18
	Name        = 19
	Int8        = 20
	Int2        = 21
	Int4        = 23
	Regproc     = 24
	Text        = 25
	OID         = 26
	JSON        = 114
	Float4      = 700
	Float8      = 701
	Unknown     = 705
	BPChar      = 1042
	Varchar     = 1043
	Date        = 1082
	Time        = 1083
	Timestamp   = 1114
	TimestampTZ = 1184
	Interval    = 1186
	Numeric     = 1700
	UUID        = 2950
	JSONB       = 3802
	Regclass    = 2205
	Regtype     = 2206
)

// arrays are the numbers of the arrays of types.
var arrays = map[uint32]uint32{
	Bool: 1000, Bytea: 1001, Char: 1002, Name: 1003, Int2: 1005, Int4: 1007, Text: 1009, BPChar: 1014, Varchar: 1015, Int8: 1016,
	Float4: 1021, Float8: 1022, OID: 1028, Timestamp: 1115, Date: 1182, Time: 1183, TimestampTZ: 1185, Interval: 1187,
	Numeric: 1231, JSON: 199, JSONB: 3807, UUID: 2951,
}

// sizes are the lengths of values in bytes; types that are not here have values of any length.
var sizes = map[uint32]int16{
	Bool: 1, Int8: 8, Int2: 2, Int4: 4, Float4: 4, Float8: 8, Date: 4, Time: 8, Timestamp: 8, TimestampTZ: 8, Interval: 16, UUID: 16, OID: 4,
}

// Type is a type of PostgreSQL.
type Type struct {
	OID      uint32
	Size     int16 // bytes of a value; -1: they differ
	Modifier int32 // of numeric: its precision and scale; -1: none

	source string // the SQL type of the column
	elem   *Type  // of an array
}

// kinds are the types by the names of SQL types.
var kinds = map[string]uint32{
	"BOOLEAN": Bool, "TINYINT": Int2, "SMALLINT": Int2, "INTEGER": Int4, "BIGINT": Int8, "UTINYINT": Int2, "USMALLINT": Int4, "UINTEGER": Int8,
	"UBIGINT": Numeric, "HALF": Float4, "FLOAT": Float4, "DOUBLE": Float8, "DECIMAL": Numeric,
	"DATE": Date, "TIME": Time, "TIMESTAMP": Timestamp, "TIMESTAMPTZ": TimestampTZ, "INTERVAL": Interval, "UUID": UUID,
	"BLOB": Bytea, "GEOMETRY": Bytea, "GEOGRAPHY": Bytea, "JSON": JSON, "BSON": JSON, "VARIANT": JSONB, "LIST": JSONB, "MAP": JSONB, "STRUCT": JSON,
	"NULL": Text, "VARCHAR": Varchar, "ENUM": Varchar,
}

// maxNumeric is the greatest precision that PostgreSQL can state of a numeric.
const maxNumeric = 1000

// Of is the type of a column. A LIST of values that are not nested is an array.
func Of(c parquetsql.ColumnSchema) Type {
	if c.Type == "LIST" && len(c.Fields) == 1 {
		elem := Of(c.Fields[0])
		if of, ok := arrays[elem.OID]; ok && len(c.Fields[0].Fields) == 0 && elem.source != "NULL" {
			return Type{OID: of, Size: -1, Modifier: elem.Modifier, source: c.Type, elem: &elem}
		}
	}
	t := Type{OID: kinds[c.Type], Size: -1, Modifier: -1, source: c.Type}
	if t.OID == 0 {
		t.OID = Varchar
	}
	if size, ok := sizes[t.OID]; ok {
		t.Size = size
	}
	switch {
	case c.Type == "DECIMAL" && c.Precision <= maxNumeric && c.Scale <= c.Precision:
		t.Modifier = int32(c.Precision)<<16 | int32(c.Scale) + 4
	case c.Type == "UBIGINT":
		t.Modifier = 20<<16 + 4
	}
	return t
}

// Style says how texts are written.
type Style struct {
	Zone        *time.Location // of timestamptz
	ISOInterval bool           // IntervalStyle is iso_8601, and not postgres
}

// Appender appends value i of the values of a column, which is not NULL. Values is what
// parquetsql.BatchColumn has.
type Appender func(dst []byte, values any, i int) ([]byte, error)

// Appender is that of a format: 0 is text, 1 binary.
func (t Type) Appender(format int16, s Style) Appender {
	if format == 1 {
		return t.binary()
	}
	return t.text(s)
}

// Same reports whether values of two types are written alike.
func (t Type) Same(o Type) bool { return t.OID == o.OID }
