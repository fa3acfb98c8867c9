package system

import (
	"context"

	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// catalogName is the catalog of our tables in information_schema.
const catalogName = "parquet"

// eachTable calls f for each table of each schema.
func eachTable(ctx context.Context, s *catalog.Snapshot, f func(schema string, t catalog.Listing) error) error {
	schemas, err := s.Schemas(ctx)
	if err != nil {
		return err
	}
	for _, schema := range schemas {
		tables, err := s.TablesIn(ctx, schema)
		if catalog.IsHiddenSchema(err) {
			continue
		}
		if err != nil {
			return err
		}
		for _, t := range tables {
			if err := f(schema.Text, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func schemata(s *catalog.Snapshot) systemDefinition {
	return systemDefinition{
		columns: systemColumns("catalog_name:t schema_name:t schema_owner:t? default_character_set_catalog:t? " +
			"default_character_set_schema:t? default_character_set_name:t? sql_path:t?"),
		rows: func(ctx context.Context, emit func(row) error) error {
			schemas, err := s.Schemas(ctx)
			if err != nil {
				return err
			}
			for _, schema := range append([]catalog.Schema{{Text: "information_schema"}}, schemas...) {
				if err := emit(row{text(catalogName), text(schema.Text), noText, noText, noText, noText, noText}); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// tablesTable lists the location's tables. It opens no file.
func tablesTable(s *catalog.Snapshot) systemDefinition {
	return systemDefinition{
		columns: systemColumns("table_catalog:t table_schema:t table_name:t table_type:t self_referencing_column_name:t? reference_generation:t? " +
			"user_defined_type_catalog:t? user_defined_type_schema:t? user_defined_type_name:t? is_insertable_into:t is_typed:t commit_action:t?"),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachTable(ctx, s, func(schema string, t catalog.Listing) error {
				return emit(row{text(catalogName), text(schema), text(t.Own), text("BASE TABLE"), noText, noText, noText, noText, noText, text("NO"), text("NO"), noText})
			})
		},
	}
}

// columnsTable lists the visible columns of all tables that can be read.
func columnsTable(s *catalog.Snapshot) systemDefinition {
	return systemDefinition{
		columns: systemColumns("table_catalog:t table_schema:t table_name:t column_name:t ordinal_position:n column_default:t? is_nullable:t data_type:t " +
			"character_maximum_length:n? character_octet_length:n? numeric_precision:n? numeric_precision_radix:n? numeric_scale:n? datetime_precision:n? " +
			"interval_type:t? interval_precision:n? character_set_catalog:t? character_set_schema:t? character_set_name:t? " +
			"collation_catalog:t? collation_schema:t? collation_name:t? domain_catalog:t? domain_schema:t? domain_name:t? " +
			"is_generated:t is_updatable:t " + morePostgres + " " + moreMySQL),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachTable(ctx, s, func(schema string, t catalog.Listing) error {
				found, err := s.Table(ctx, t.Full)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					return nil
				}
				return columnRows(found, schema, t.Own, emit)
			})
		},
	}
}

// The columns that PostgreSQL and MySQL have besides the standard's.
const (
	morePostgres = "udt_catalog:t udt_schema:t udt_name:t is_identity:t identity_generation:t? identity_start:t? identity_increment:t? " +
		"identity_maximum:t? identity_minimum:t? identity_cycle:t dtd_identifier:t? generation_expression:t?"
	moreMySQL = "column_type:t column_key:t extra:t column_comment:t privileges:t"
)

// postgresName is the name of a type in PostgreSQL's pg_type, or the nearest there is.
func postgresName(t vector.Type) string {
	switch t.Kind {
	case vector.Boolean:
		return "bool"
	case vector.TinyInt, vector.SmallInt, vector.UTinyInt:
		return "int2"
	case vector.Integer, vector.USmallInt:
		return "int4"
	case vector.BigInt, vector.UInteger:
		return "int8"
	case vector.Half, vector.Float:
		return "float4"
	case vector.Double:
		return "float8"
	case vector.UBigInt, vector.Decimal:
		return "numeric"
	case vector.Date:
		return "date"
	case vector.Time:
		return "time"
	case vector.Timestamp:
		return "timestamp"
	case vector.TimestampTZ:
		return "timestamptz"
	case vector.Interval:
		return "interval"
	case vector.UUID:
		return "uuid"
	case vector.Blob, vector.Geometry, vector.Geography:
		return "bytea"
	case vector.JSON, vector.BSON:
		return "json"
	case vector.List:
		if of := t.Fields[0].Type; !of.IsNested() && of.Kind != vector.Null {
			return "_" + postgresName(of)
		}
		return "jsonb"
	case vector.Variant, vector.Map, vector.Struct:
		return "jsonb"
	}
	return "varchar"
}

func columnRows(t *files.Set, schema, name string, emit func(row) error) error {
	position := int64(0)
	for _, c := range t.Columns {
		if c.Hidden {
			continue
		}
		position++
		nullable := "NO"
		if c.Nullable {
			nullable = "YES"
		}
		precision, radix, scale, fraction := precisions(c.Type)
		err := emit(row{
			text(catalogName), text(schema), text(name), text(c.Name), number(position), noText, text(nullable), text(c.Type.Kind.String()),
			noNumber, noNumber, precision, radix, scale, fraction,
			noText, noNumber, noText, noText, noText, noText, noText, noText, noText, noText, noText, text("NEVER"), text("NO"),
			text(catalogName), text("pg_catalog"), text(postgresName(c.Type)), text("NO"), noText, noText, noText, noText, noText, text("NO"), noText, noText,
			text(c.Type.String()), text(""), text(""), text(""), text("select"),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// precisions returns numeric_precision, its radix, numeric_scale and
// datetime_precision, each NULL if the type has none.
func precisions(t vector.Type) (precision, radix, scale, fraction vector.Scalar) {
	precision, radix, scale, fraction = noNumber, noNumber, noNumber, noNumber
	bits := map[vector.Kind]int64{
		vector.TinyInt: 8, vector.SmallInt: 16, vector.Integer: 32, vector.BigInt: 64,
		vector.UTinyInt: 8, vector.USmallInt: 16, vector.UInteger: 32, vector.UBigInt: 64,
		vector.Half: 11, vector.Float: 24, vector.Double: 53,
	}
	switch {
	case t.IsInteger():
		precision, radix, scale = number(bits[t.Kind]), number(2), number(0)
	case t.IsFloat():
		precision, radix = number(bits[t.Kind]), number(2)
	case t.Kind == vector.Decimal:
		precision, radix, scale = number(int64(t.Precision)), number(10), number(int64(t.Scale))
	case t.Kind == vector.Date:
		fraction = number(0)
	case t.Kind == vector.Time || t.IsTimestamp():
		fraction = number(int64(t.Unit.Digits()))
	}
	return precision, radix, scale, fraction
}
