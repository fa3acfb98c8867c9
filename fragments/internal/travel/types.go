// Package travel is rows as record batches of Arrow's IPC, for rows that move from one stage of a query
// to another: no value changes on the way, of whatever type.
//
// A type of SQL whose values Arrow has the same is that type of Arrow. Any other is the extension type
// parquetsql.value over what the engine stores, and its metadata is the name of the SQL type:
//
//	NULL, BOOLEAN, BIGINT, UBIGINT, FLOAT, DOUBLE   null, bool, int64, uint64, float32, float64
//	VARCHAR, BLOB                                   large_utf8, large_binary
//	DECIMAL of 19 to 38 digits                      decimal128
//	LIST, STRUCT                                    list, struct
//	other integers, DATE, TIME, TIMESTAMP,          int64
//	  DECIMAL up to 18 digits (unscaled)
//	HALF                                            float32
//	TIMESTAMP of INT96                              fixed_size_binary(16): nanoseconds, two's complement, lowest byte first
//	INTERVAL                                        fixed_size_binary(24): months, days, microseconds, int64 each, lowest byte first
//	ENUM, JSON, BSON, UUID, GEOMETRY, GEOGRAPHY,    large_binary
//	  DECIMAL of more digits
//	MAP                                             list of a struct of key and value
//	VARIANT                                         struct of what the file has: metadata, value, typed_value
//
// Who reads knows which columns come, and a stream with others is an error.
package travel

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

// extension is the name of the extension type.
const extension = "parquetsql.value"

// Schema is the columns as Arrow has them. Their names are their numbers: those of SQL need not be
// different.
func Schema(columns vector.Schema) (*arrow.Schema, error) {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		f, err := fieldOf(strconv.Itoa(i), c.Type)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields[i] = f
	}
	return arrow.NewSchema(fields, nil), nil
}

// fieldOf is a field of a type.
func fieldOf(name string, t vector.Type) (arrow.Field, error) {
	stored, same, err := storedAs(t)
	f := arrow.Field{Name: name, Type: stored, Nullable: true}
	if !same {
		f.Metadata = arrow.MetadataFrom(map[string]string{"ARROW:extension:name": extension, "ARROW:extension:metadata": t.String()})
	}
	return f, err
}

// storedAs is how a type is stored. same says that it is a type of Arrow.
func storedAs(t vector.Type) (stored arrow.DataType, same bool, err error) {
	switch t.Storage() {
	case vector.StoreNone:
		return arrow.Null, true, nil
	case vector.StoreBool:
		return arrow.FixedWidthTypes.Boolean, true, nil
	case vector.StoreInt64:
		return arrow.PrimitiveTypes.Int64, t.Kind == vector.BigInt, nil
	case vector.StoreUint64:
		return arrow.PrimitiveTypes.Uint64, true, nil
	case vector.StoreFloat32:
		return arrow.PrimitiveTypes.Float32, t.Kind == vector.Float, nil
	case vector.StoreFloat64:
		return arrow.PrimitiveTypes.Float64, true, nil
	case vector.StoreInt128:
		if t.Kind == vector.Decimal {
			return &arrow.Decimal128Type{Precision: int32(t.Precision), Scale: int32(t.Scale)}, true, nil
		}
		return &arrow.FixedSizeBinaryType{ByteWidth: int128Bytes}, false, nil
	case vector.StoreInterval:
		return &arrow.FixedSizeBinaryType{ByteWidth: intervalBytes}, false, nil
	case vector.StoreString:
		if t.Kind == vector.Varchar {
			return arrow.BinaryTypes.LargeString, true, nil
		}
		return arrow.BinaryTypes.LargeBinary, t.Kind == vector.Blob, nil
	case vector.StoreNested:
		return nestedAs(t)
	}
	return nil, false, fmt.Errorf("rows with values of %s cannot travel: %w", t, parquetsql.ErrUnsupported)
}

const (
	int128Bytes   = 16
	intervalBytes = 24
)

// nestedAs is storedAs for types with children.
func nestedAs(t vector.Type) (arrow.DataType, bool, error) {
	fields := make([]arrow.Field, len(t.Fields))
	for i, f := range t.Fields {
		var err error
		if fields[i], err = fieldOf(strconv.Itoa(i), f.Type); err != nil {
			return nil, false, err
		}
	}
	switch t.Kind {
	case vector.List:
		return arrow.ListOfField(fields[0]), true, nil
	case vector.Map:
		return arrow.ListOfField(arrow.Field{Name: "entry", Type: arrow.StructOf(fields...), Nullable: true}), false, nil
	}
	return arrow.StructOf(fields...), t.Kind == vector.Struct, nil
}
