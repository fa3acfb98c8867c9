package server

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql/server/internal/script"
)

// maxPrepared is how many bytes the prepared statements of a connection may have.
const maxPrepared = 32 << 20

// extended answers the messages by which statements are prepared and run step by step.
func (n *session) extended(ctx context.Context, m pgproto3.FrontendMessage) error {
	switch m := m.(type) {
	case *pgproto3.Parse:
		return n.parse(ctx, m)
	case *pgproto3.Bind:
		return n.bind(m)
	case *pgproto3.Describe:
		return n.describeObject(ctx, m)
	case *pgproto3.Execute:
		return n.execute(ctx, m)
	case *pgproto3.Close:
		if m.ObjectType == 'S' {
			delete(n.statements, m.Name)
		} else {
			n.closePortal(m.Name)
		}
		n.out.send(&pgproto3.CloseComplete{})
	}
	return nil
}

// parse prepares a statement. Names and types in it are looked up at once, so that it is told what is
// wrong with it before anybody runs it.
func (n *session) parse(ctx context.Context, m *pgproto3.Parse) error {
	if m.Name == "" {
		delete(n.statements, "") // also where the new one is wrong
	} else if n.statements[m.Name] != nil {
		return &Error{Code: "42P05", Message: fmt.Sprintf("prepared statement %q already exists", m.Name)}
	}
	text := strings.Clone(m.Query)
	parts := script.Split(text)
	if len(parts) > 1 {
		return &Error{Code: "42601", Message: "cannot insert multiple commands into a prepared statement"}
	}
	st := &statement{whole: text}
	if len(parts) == 1 {
		var err error
		if st, err = newStatement(text, parts[0]); err != nil {
			return err
		}
	}
	if err := n.admit(st); err != nil && st.text != "" {
		return err
	}
	st.given = append(st.given, m.ParameterOIDs...)
	if st.command == nil {
		if err := n.describe(ctx, st); err != nil {
			return err
		}
	}
	if err := n.hasRoom(m.Name, st.bytes()); err != nil {
		return err
	}
	n.statements[strings.Clone(m.Name)] = st
	n.out.send(&pgproto3.ParseComplete{})
	return nil
}

// hasRoom bounds what the statements of a connection take.
func (n *session) hasRoom(name string, bytes int) error {
	if len(n.statements) >= n.server.config.Limits.Statements && n.statements[name] == nil {
		return &Error{Code: "53400", Message: fmt.Sprintf("a connection has no more than %d prepared statements", n.server.config.Limits.Statements)}
	}
	for other, st := range n.statements {
		if other != name {
			bytes += st.bytes()
		}
	}
	if bytes > maxPrepared {
		return &Error{Code: "53400", Message: fmt.Sprintf("the prepared statements of a connection have no more than %d bytes", maxPrepared)}
	}
	return nil
}

func (n *session) statement(name string) (*statement, error) {
	st := n.statements[name]
	if st == nil {
		return nil, &Error{Code: "26000", Message: fmt.Sprintf("prepared statement %q does not exist", name)}
	}
	return st, nil
}

func (n *session) portal(name string) (*portal, error) {
	p := n.portals[name]
	if p == nil {
		return nil, &Error{Code: "34000", Message: fmt.Sprintf("portal %q does not exist", name)}
	}
	return p, nil
}

func (n *session) bind(m *pgproto3.Bind) error {
	st, err := n.statement(m.PreparedStatement)
	if err != nil {
		return err
	}
	if err := n.admit(st); err != nil {
		return err
	}
	p := &portal{statement: st, formats: m.ResultFormatCodes}
	if p.args, err = st.arguments(m); err != nil {
		return err
	}
	if st.command == nil && st.text != "" {
		if err := checkFormats(p.formats, len(st.columns)); err != nil {
			return err
		}
	}
	for _, data := range m.Parameters {
		p.bytes += len(data)
	}
	if err := n.addPortal(strings.Clone(m.DestinationPortal), p); err != nil {
		return err
	}
	n.out.send(&pgproto3.BindComplete{})
	return nil
}

func (n *session) describeObject(ctx context.Context, m *pgproto3.Describe) error {
	if m.ObjectType == 'P' {
		p, err := n.portal(m.Name)
		if err != nil {
			return err
		}
		if err := n.admit(p.statement); err != nil {
			return err
		}
		columns, err := n.portalColumns(ctx, p)
		if err != nil {
			return err
		}
		n.sendColumns(columns, p.formats)
		return nil
	}
	st, err := n.statement(m.Name)
	if err != nil {
		return err
	}
	if err := n.admit(st); err != nil {
		return err
	}
	if err := n.describe(ctx, st); err != nil {
		return err
	}
	n.out.send(&pgproto3.ParameterDescription{ParameterOIDs: st.parameters})
	n.sendColumns(st.columns, nil)
	return nil
}

// portalColumns are the columns of a portal, whose statement begins to run for it.
func (n *session) portalColumns(ctx context.Context, p *portal) ([]column, error) {
	if p.statement.command != nil {
		return n.commandColumns(ctx, p.statement.command)
	}
	if err := n.openPortal(ctx, p); err != nil || p.rows == nil {
		return nil, err
	}
	return p.rows.columns, nil
}

func (n *session) sendColumns(columns []column, formats []int16) {
	if columns == nil {
		n.out.send(&pgproto3.NoData{})
		return
	}
	n.out.send(rowDescription(columns, formats))
}

func (n *session) execute(ctx context.Context, m *pgproto3.Execute) error {
	defer func() { n.began = time.Time{} }()
	p, err := n.portal(m.Portal)
	if err != nil {
		return err
	}
	st := p.statement
	if err := n.admit(st); err != nil {
		return err
	}
	switch {
	case st.text == "":
		n.out.send(&pgproto3.EmptyQueryResponse{})
		return nil
	case st.command != nil:
		if p.ran {
			return &Error{Code: "55000", Message: "the portal has run already"}
		}
		p.ran = true
		return n.runCommand(ctx, st, p.formats, false)
	}
	if err := n.openPortal(ctx, p); err != nil {
		return err
	}
	p.ran = true
	if p.rows == nil { // its rows have come to their end
		n.complete("SELECT 0")
		return nil
	}
	sent, more, err := n.fetch(p, int64(m.MaxRows), n.rowsIn(p.formats))
	switch {
	case err != nil:
		return err
	case more:
		n.out.send(&pgproto3.PortalSuspended{})
	default:
		n.complete(fmt.Sprintf("SELECT %d", sent))
	}
	return nil
}

// endOfSeries ends a series of messages, which is a transaction of its own outside of others.
func (n *session) endOfSeries(failed bool) {
	if n.transaction.tx != nil {
		return
	}
	n.settings.end(failed)
	for name, p := range n.portals {
		if !p.hold {
			n.closePortal(name)
		}
	}
}
