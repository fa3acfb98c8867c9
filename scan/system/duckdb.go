package system

import (
	"context"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// This file has what DuckDB's table functions parquet_metadata, parquet_schema,
// parquet_file_metadata and parquet_kv_metadata return, with their names, as tables
// t$parquet_metadata and so on.

// duckFilesTable has one row per file.
func duckFilesTable(t *files.Set) systemDefinition {
	columns := systemColumns("file_name:t created_by:t? num_rows:n num_row_groups:n format_version:n encryption_algorithm:t? " +
		"footer_signing_key_metadata:t? file_size_bytes:n footer_size:n")
	columns = append(columns, scan.Column{Name: "column_orders", Type: texts, Nullable: true})
	return systemDefinition{columns: columns, rows: func(ctx context.Context, emit func(row) error) error {
		return eachFile(ctx, t, func(f *files.File, open *files.OpenFile) error {
			m := open.Meta
			return emit(row{text(f.Path), orNone(m.CreatedBy), number(open.NumRows()), number(int64(len(open.RowGroups()))), number(int64(m.Version)),
				noText, noText, number(f.Size()), number(int64(open.FooterSize())), columnOrders(m.ColumnOrders)})
		})
	}}
}

// columnOrders is the orders as DuckDB writes them, NULL where the file has none.
func columnOrders(all []fileformat.ColumnOrder) vector.Scalar {
	names := map[fileformat.ColumnOrder]string{
		fileformat.OrderType:  "ColumnOrder(TYPE_ORDER=TypeDefinedOrder())",
		fileformat.OrderTotal: "ColumnOrder(IEEE_754_TOTAL_ORDER=IEEE754TotalOrder())",
	}
	known := false
	out := make([]string, len(all))
	for i, o := range all {
		if out[i] = names[o]; out[i] == "" {
			out[i] = "ColumnOrder(TYPE_ORDER=<null>)"
		}
		known = known || o != fileformat.OrderUndefined
	}
	if !known {
		return vector.NullOf(texts)
	}
	return textList(out)
}

// duckPairsTable has the pairs that applications left in the files.
func duckPairsTable(t *files.Set) systemDefinition {
	blob := vector.Of(vector.Blob)
	columns := append(systemColumns("file_name:t"), scan.Column{Name: "key", Type: blob}, scan.Column{Name: "value", Type: blob, Nullable: true})
	return systemDefinition{columns: columns, rows: func(ctx context.Context, emit func(row) error) error {
		return eachFile(ctx, t, func(f *files.File, open *files.OpenFile) error {
			for _, kv := range open.Meta.KeyValues {
				value := vector.NullOf(blob)
				if kv.HasValue {
					value = vector.Scalar{Type: blob, Str: kv.Value}
				}
				if err := emit(row{text(f.Path), {Type: blob, Str: kv.Key}, value}); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

// duckSchemaTable has one row per field of the schema, the root included.
func duckSchemaTable(t *files.Set) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file_name:t name:t type:t? type_length:t? repetition_type:t? num_children:n? converted_type:t? scale:n? precision:n? " +
			"field_id:n? logical_type:t? duckdb_type:t? column_id:n"),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachFile(ctx, t, func(f *files.File, open *files.OpenFile) error {
				id := int64(0)
				return duckSchemaRows(f, open.Schema.Root, &id, emit)
			})
		},
	}
}

func duckSchemaRows(f *files.File, n *fileformat.Node, id *int64, emit func(row) error) error {
	physical, length, children, converted, logical, duck := noText, noText, noNumber, noText, noText, noText
	scale, precision, field := noNumber, noNumber, noNumber
	if n.IsLeaf() {
		physical, duck = text(n.Physical.String()), text(duckType(nested.TypeOf(n, f.NestedOptions())))
		if n.Physical == fileformat.FixedLenByteArray {
			length = text(fmt.Sprint(n.TypeLength))
		}
	} else {
		children = number(int64(len(n.Children)))
	}
	if n.Converted != fileformat.ConvertedNone {
		converted = text(n.Converted.String())
	}
	if n.Logical.Kind == fileformat.LogicalDecimal {
		scale, precision = number(int64(n.Logical.Scale)), number(int64(n.Logical.Precision))
	}
	if n.HasFieldID {
		field = number(int64(n.FieldID))
	}
	if n.Annotated {
		logical = orNone(thriftText(n.Logical))
	}
	if err := emit(row{text(f.Path), text(n.Name), physical, length, text(n.Repetition.String()), children, converted, scale, precision, field, logical, duck, number(*id)}); err != nil {
		return err
	}
	*id++
	for _, c := range n.Children {
		if err := duckSchemaRows(f, c, id, emit); err != nil {
			return err
		}
	}
	return nil
}

// duckType is a type under DuckDB's name.
func duckType(t vector.Type) string {
	switch t.Kind {
	case vector.TimestampTZ:
		return "TIMESTAMP WITH TIME ZONE"
	case vector.Timestamp:
		if t.Unit == vector.Nanos {
			return "TIMESTAMP_NS"
		}
	case vector.Enum:
		return "VARCHAR"
	}
	return t.String()
}

// thriftText is a logical type as DuckDB writes it: the text of the Thrift structure. It is
// empty where the column does not have the type that it is annotated with, or nobody knows it.
func thriftText(l fileformat.LogicalType) string {
	utc := map[bool]int{true: 1}[l.UTC]
	switch l.Kind {
	case fileformat.LogicalNone, fileformat.LogicalUnknownFuture:
		return ""
	case fileformat.LogicalString:
		return "StringType()"
	case fileformat.LogicalDecimal:
		return fmt.Sprintf("DecimalType(scale=%d, precision=%d)", l.Scale, l.Precision)
	case fileformat.LogicalInteger:
		return fmt.Sprintf("IntType(bitWidth=%d, isSigned=%d)", l.BitWidth, map[bool]int{true: 1}[l.Signed])
	case fileformat.LogicalTime:
		return fmt.Sprintf("TimeType(isAdjustedToUTC=%d, unit=%s)", utc, thriftUnit(l.Unit))
	case fileformat.LogicalTimestamp:
		return fmt.Sprintf("TimestampType(isAdjustedToUTC=%d, unit=%s)", utc, thriftUnit(l.Unit))
	case fileformat.LogicalUUID:
		return "UUIDType()"
	}
	name := strings.ToLower(l.Kind.String())
	return strings.ToUpper(name[:1]) + name[1:] + "Type()"
}

func thriftUnit(u fileformat.TimeUnit) string {
	parts := []string{"MILLIS=<null>", "MICROS=<null>", "NANOS=<null>"}
	switch u {
	case fileformat.Millis:
		parts[0] = "MILLIS=MilliSeconds()"
	case fileformat.Micros:
		parts[1] = "MICROS=MicroSeconds()"
	case fileformat.Nanos:
		parts[2] = "NANOS=NanoSeconds()"
	}
	return "TimeUnit(" + strings.Join(parts, ", ") + ")"
}

// orNone is a text, NULL where it is empty.
func orNone(s string) vector.Scalar {
	if s == "" {
		return noText
	}
	return text(s)
}
