package server

import (
	"context"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server/internal/script"
	"github.com/parquetsql/parquetsql/server/internal/wire"
)

// statement is a statement that may run: as a query of the driver, or as a command.
type statement struct {
	whole   string // what the client has sent
	text    string // the statement in it; empty: there is none
	offset  int    // its first byte in whole
	command *command
	given   []uint32 // the types of placeholders that the client said; 0: it did not

	described  bool
	parameters []uint32 // of all placeholders
	columns    []column
}

// newStatement reads a statement of a text as far as the server has to know it.
func newStatement(whole string, part script.Statement) (*statement, error) {
	st := &statement{whole: whole, text: part.Text, offset: part.Offset}
	var err error
	if st.command, err = parseCommand(st.text); err != nil {
		return nil, placed(err, whole, part.Offset)
	}
	return st, nil
}

// placed is an error of a statement with its place in what the client has sent.
func (st *statement) placed(err error) error {
	if err == nil {
		return nil
	}
	offset := st.offset
	if c := st.command; c != nil && c.query != "" {
		if offset += c.queryAt; c.queryAt < 0 {
			return err
		}
	}
	return placed(err, st.whole, offset)
}

// columnBytes are those of a column without its name.
const columnBytes = 64

// bytes is about how much memory the statement takes.
func (st *statement) bytes() int {
	n := len(st.whole)
	for _, c := range st.columns {
		n += len(c.name) + columnBytes
	}
	return n
}

// endsBlock reports whether a statement runs in a transaction that has failed.
func (st *statement) endsBlock() bool {
	if st.command == nil {
		return false
	}
	switch st.command.verb {
	case "COMMIT", "ROLLBACK", "ROLLBACK TO":
		return true
	}
	return false
}

// describe finds out the types of the placeholders and the columns. Those of a command may differ
// whenever it runs.
func (n *session) describe(ctx context.Context, st *statement) (err error) {
	if st.command != nil {
		st.columns, err = n.commandColumns(ctx, st.command)
		return st.placed(err)
	}
	if st.described {
		return nil
	}
	if st.text == "" {
		st.described = true
		return nil
	}
	var args []any
	for _, oid := range st.given {
		if of := wire.SQLType(oid); of != "" {
			args = append(args, parquetsql.Typed{Type: of})
		} else {
			args = append(args, nil)
		}
	}
	d, err := n.describeQuery(ctx, st.text, args)
	if err != nil {
		return st.placed(err)
	}
	st.columns, st.parameters = columnsOf(d.Columns), nil
	for i, p := range d.Parameters {
		oid := wire.ParameterOf(p)
		if i < len(st.given) && st.given[i] != 0 && st.given[i] != wire.Unknown {
			oid = st.given[i]
		}
		st.parameters = append(st.parameters, oid)
	}
	st.described = true
	return nil
}

// describeQuery describes a query of the driver.
func (n *session) describeQuery(ctx context.Context, text string, args []any) (*parquetsql.Description, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := n.during(cancel, nil)
	defer stop()
	d, err := parquetsql.Describe(parquetsql.WithSession(ctx, n.session(0)), n.conn, text, args...)
	return d, because(ctx, err)
}

// arguments are the values of placeholders for the driver.
func (st *statement) arguments(m *pgproto3.Bind) ([]any, error) {
	if len(m.Parameters) != len(st.parameters) {
		return nil, &Error{Code: "08P01", Message: sprintf("bind message supplies %d parameters, but the prepared statement requires %d", len(m.Parameters), len(st.parameters))}
	}
	if f := len(m.ParameterFormatCodes); f > 1 && f != len(m.Parameters) {
		return nil, &Error{Code: "08P01", Message: sprintf("bind message has %d parameter formats but %d parameters", f, len(m.Parameters))}
	}
	args := make([]any, len(m.Parameters))
	for i, data := range m.Parameters {
		format := formatOf(m.ParameterFormatCodes, i)
		if format != 0 && format != 1 {
			return nil, &Error{Code: "22023", Message: sprintf("the format %d of a parameter is not known", format)}
		}
		var err error
		if args[i], err = wire.Argument(st.parameters[i], format, data); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// rowDescription tells the columns, in formats.
func rowDescription(columns []column, formats []int16) *pgproto3.RowDescription {
	out := &pgproto3.RowDescription{}
	for i, c := range columns {
		out.Fields = append(out.Fields, pgproto3.FieldDescription{Name: []byte(withoutNUL(c.name)), DataTypeOID: c.of.OID, DataTypeSize: c.of.Size,
			TypeModifier: c.of.Modifier, Format: formatOf(formats, i)})
	}
	return out
}
