package parquetsql

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// ColumnSchema is the type of a result's column down to its leaves. (For a nested
// column sql.ColumnType has the outermost type only.)
type ColumnSchema struct {
	Name      string
	Type      string         // as sql.ColumnType.DatabaseTypeName returns it: BIGINT, LIST, MAP; STRUCT where that has JSON
	Nullable  bool           // whether the value may be NULL within its parent
	Precision int            // DECIMAL: the number of its digits
	Scale     int            // DECIMAL: its digits after the decimal point
	Unit      time.Duration  // TIME, TIMESTAMP and TIMESTAMPTZ: the step between two values
	Fields    []ColumnSchema // LIST: the element; MAP: the key and, unless it has none, the value; STRUCT: its fields
}

// Columns returns the schema of a query's result: what sql.Rows.ColumnTypes says,
// and the types within lists, maps and groups.
//
//	columns, err := parquetsql.Columns(ctx, db, "SELECT tags, address FROM orders")
//	fmt.Println(columns[0]) // tags LIST(VARCHAR)
//
// The query is planned and not run: no page is read. The database must be opened
// with this driver. The errors are those of db.Query.
//
// Without args the query may have placeholders all the same. Each then has the
// type NULL, which takes on the type of its surroundings: in amount > ? the result
// is a BOOLEAN, while the type of SELECT ? is NULL.
func Columns(ctx context.Context, db *sql.DB, query string, args ...any) (columns []ColumnSchema, err error) {
	connection, err := db.Conn(ctx)
	if err != nil {
		return nil, err // of database/sql, or of this driver with its prefix
	}
	defer connection.Close()
	defer prefix(&err)
	err = connection.Raw(func(raw any) error {
		c := ownConn(raw)
		if c == nil {
			return foreign("Columns", raw)
		}
		columns, err = c.columns(ctx, query, args)
		return err
	})
	return columns, err
}

func (c *conn) columns(ctx context.Context, query string, args []any) (columns []ColumnSchema, err error) {
	values, err := c.namedValues(args)
	if err != nil {
		return nil, err
	}
	statement, err := c.parse(ctx, query)
	if err != nil {
		return nil, err
	}
	bound, err := bindArgs(values)
	if err != nil {
		return nil, err
	}
	session, err := c.session(ctx)
	if err != nil {
		return nil, err
	}
	schema, err := statement.Columns(ctx, session, bound)
	if err != nil {
		return nil, err
	}
	for _, column := range schema {
		columns = append(columns, columnSchema(column.Name, column.Type, column.Nullable))
	}
	return columns, nil
}

func columnSchema(name string, t vector.Type, nullable bool) ColumnSchema {
	t = t.Shown()
	c := ColumnSchema{Name: name, Type: t.Kind.String(), Nullable: nullable}
	switch t.Kind {
	case vector.Decimal:
		c.Precision, c.Scale = t.Precision, t.Scale
	case vector.Time, vector.Timestamp, vector.TimestampTZ:
		c.Unit = time.Second / time.Duration(t.Unit.PerSecond())
	}
	for _, f := range t.Fields {
		c.Fields = append(c.Fields, columnSchema(f.Name, f.Type, f.Nullable))
	}
	return c
}

// String returns name and type as in CREATE TABLE: "tags LIST(VARCHAR)".
func (c ColumnSchema) String() string {
	if c.Name == "" {
		return c.typeName()
	}
	return c.Name + " " + c.typeName()
}

func (c ColumnSchema) typeName() string {
	var inner []string
	switch {
	case c.Type == vector.Decimal.String():
		return fmt.Sprintf("%s(%d,%d)", c.Type, c.Precision, c.Scale)
	case len(c.Fields) == 0:
		return c.Type
	case c.Type == vector.Struct.String():
		for _, f := range c.Fields {
			inner = append(inner, f.String())
		}
	default:
		for _, f := range c.Fields {
			inner = append(inner, f.typeName())
		}
	}
	return c.Type + "(" + strings.Join(inner, ", ") + ")"
}
