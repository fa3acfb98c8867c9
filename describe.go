package parquetsql

import (
	"context"
)

// Description is what is known of a statement before it runs.
type Description struct {
	Columns []ColumnSchema // of its rows
	// Parameters are the types of its placeholders $1, $2 … or ?, without names: those of the
	// arguments, or else what they are compared or computed with. The type is NULL where nothing
	// says it.
	Parameters []ColumnSchema
}

// Describe describes a statement without running it. The connection c is that of the function
// given to sql.Conn.Raw, or one that Connect of a connector has returned; its transaction counts.
// Args may be missing from any place on; Typed{Type: "DATE"} says the type of one whose value is
// not known yet, and nil says nothing of it. Statements with names for their placeholders are an
// error.
func Describe(ctx context.Context, c any, query string, args ...any) (out *Description, err error) {
	defer prefix(&err)
	own := ownConn(c)
	if own == nil {
		return nil, foreign("Describe", c)
	}
	values, err := own.namedValues(args)
	if err != nil {
		return nil, err
	}
	bound, err := bindArgs(values)
	if err != nil {
		return nil, err
	}
	statement, err := own.parse(ctx, query)
	if err != nil {
		return nil, err
	}
	session, err := own.session(ctx)
	if err != nil {
		return nil, err
	}
	schema, types, err := statement.Describe(ctx, session, bound)
	if err != nil {
		return nil, err
	}
	out = &Description{}
	for _, column := range schema {
		out.Columns = append(out.Columns, columnSchema(column.Name, column.Type, column.Nullable))
	}
	for _, t := range types {
		out.Parameters = append(out.Parameters, columnSchema("", t, true))
	}
	return out, nil
}
