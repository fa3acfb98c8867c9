package server

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgproto3"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// portal is a statement with its arguments, which hands out its rows bit by bit. A cursor is one
// with a name that SQL has given it.
type portal struct {
	statement *statement
	args      []any
	formats   []int16 // of the columns
	rows      *stream // nil before it runs, and after its end
	ran       bool
	sent      int64
	bytes     int    // of its arguments
	hold      bool   // it outlives its transaction
	made      uint64 // the transaction in which it was made
	depth     int    // how many savepoints it had then
}

// closePortal ends a portal, if there is one of the name.
func (n *session) closePortal(name string) {
	if p := n.portals[name]; p != nil {
		delete(n.portals, name)
		p.end()
	}
}

// end ends the statement of a portal.
func (p *portal) end() error {
	if p.rows == nil {
		return nil
	}
	r := p.rows
	p.rows = nil
	return r.close()
}

// addPortal keeps a portal under a name.
func (n *session) addPortal(name string, p *portal) error {
	if name == "" {
		n.closePortal(name)
	} else if n.portals[name] != nil {
		return &Error{Code: "42P03", Message: sprintf("cursor %q already exists", name)}
	}
	if len(n.portals) >= n.server.config.Limits.Statements {
		return &Error{Code: "53400", Message: sprintf("a connection has no more than %d portals", n.server.config.Limits.Statements)}
	}
	bytes := p.bytes
	for _, other := range n.portals {
		bytes += other.bytes
	}
	if bytes > maxPrepared {
		return &Error{Code: "53400", Message: sprintf("the arguments of a connection's portals have no more than %d bytes", maxPrepared)}
	}
	p.made, p.depth = n.transaction.number, len(n.transaction.points)
	n.portals[name] = p
	return nil
}

// open starts the statement of a portal, so that its columns are known. A command has no rows
// before it runs.
func (n *session) openPortal(ctx context.Context, p *portal) error {
	if p.rows != nil || p.ran || p.statement.command != nil || p.statement.text == "" {
		return nil
	}
	r, err := n.query(ctx, p.statement.text, p.args)
	if err != nil {
		return p.statement.placed(err)
	}
	p.rows = r
	if err := p.check(); err != nil {
		p.end()
		return err
	}
	return nil
}

// check compares the columns with what the client was told of them, and the formats with the
// columns.
func (p *portal) check() error {
	if st := p.statement; st.described {
		same := len(st.columns) == len(p.rows.columns)
		for i := 0; same && i < len(st.columns); i++ {
			same = st.columns[i].of.Same(p.rows.columns[i].of)
		}
		if !same {
			return &Error{Code: "0A000", Message: "cached plan must not change result type", Hint: "The files have other columns than when the statement was prepared, or the arguments other types."}
		}
	}
	return checkFormats(p.formats, len(p.rows.columns))
}

func checkFormats(formats []int16, columns int) error {
	if len(formats) > 1 && len(formats) != columns {
		return &Error{Code: "08P01", Message: sprintf("bind message has %d result formats but query has %d columns", len(formats), columns)}
	}
	for _, f := range formats {
		if f != 0 && f != 1 {
			return &Error{Code: "22023", Message: sprintf("the format %d of a column is not known", f)}
		}
	}
	return nil
}

// fetch sends rows of a portal, most at a time, 0 being all. more says that there may be others.
func (n *session) fetch(p *portal, most int64, write func(*stream) rowWriter) (sent int64, more bool, err error) {
	sent, more, err = n.hand(p.rows, write(p.rows), most)
	p.sent += sent
	if err != nil {
		p.end()
		return sent, false, p.statement.placed(err)
	}
	if !more {
		err = p.end()
	}
	return sent, more, p.statement.placed(err)
}

// rowsIn writes DataRow messages in the formats of a portal.
func (n *session) rowsIn(formats []int16) func(*stream) rowWriter {
	return func(r *stream) rowWriter { return dataRows(r.columns, formats, n.settings.style) }
}

// complete tells the end of a statement.
func (n *session) complete(tag string) {
	n.out.send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
}

// notice tells the client something that is no error.
func (n *session) notice(code, text string) {
	n.out.send(&pgproto3.NoticeResponse{Severity: "WARNING", SeverityUnlocalized: "WARNING", Code: code, Message: withoutNUL(text)})
}
