package server

import (
	"context"
	"fmt"
	"math"
)

// declare makes a cursor. Its query runs from the beginning, and waits when nobody fetches.
func (n *session) declare(ctx context.Context, st *statement) error {
	c := st.command
	if n.transaction.tx == nil && !c.hold { // the transaction of a text of several statements is one
		return &Error{Code: "25P01", Message: "DECLARE CURSOR can only be used in transaction blocks"}
	}
	p := &portal{statement: &statement{whole: st.whole, text: c.query, offset: st.offset + c.queryAt}, hold: c.hold}
	if c.binary {
		p.formats = []int16{1}
	}
	if inner, err := parseCommand(c.query); inner != nil || err != nil {
		return &Error{Code: "42601", Message: "DECLARE CURSOR needs a query"}
	}
	if err := n.openPortal(ctx, p); err != nil {
		return err
	}
	p.statement.columns, p.statement.described = p.rows.columns, true
	if err := n.addPortal(c.name, p); err != nil {
		p.end()
		return err
	}
	return nil
}

func (n *session) cursor(name string) (*portal, error) {
	p := n.portals[name]
	if p == nil {
		return nil, &Error{Code: "34000", Message: fmt.Sprintf("cursor %q does not exist", name)}
	}
	return p, nil
}

// columns are those of the rows, which are known once a statement is described.
func (p *portal) columns() []column {
	if p.rows != nil {
		return p.rows.columns
	}
	return p.statement.columns
}

// closeCursor closes a cursor, or all.
func (n *session) closeCursor(name string) (tag string, err error) {
	if name == "" {
		for name := range n.portals {
			if name != "" {
				n.closePortal(name)
			}
		}
		return "CLOSE CURSOR ALL", nil
	}
	if _, err := n.cursor(name); err != nil {
		return "", err
	}
	n.closePortal(name)
	return "CLOSE CURSOR", nil
}

// fetchCursor is FETCH, and MOVE, which passes rows without sending them.
func (n *session) fetchCursor(ctx context.Context, c *command, formats []int16, described bool) error {
	p, err := n.cursor(c.name)
	if err != nil {
		return err
	}
	if p.statement.command != nil || p.statement.text == "" {
		return &Error{Code: "55000", Message: fmt.Sprintf("portal %q has no rows to fetch", c.name)}
	}
	if err := n.openPortal(ctx, p); err != nil {
		return err
	}
	p.ran = true
	if len(formats) == 0 {
		formats = p.formats
	}
	columns := p.columns()
	if err := checkFormats(formats, len(columns)); err != nil {
		return err
	}
	moves := c.verb == "MOVE"
	if described && !moves {
		n.out.send(rowDescription(columns, formats))
	}
	var sent int64
	if p.rows != nil && c.count > 0 {
		write := n.rowsIn(formats)
		if moves {
			write = passing
		}
		most := c.count
		if most == math.MaxInt64 {
			most = 0
		}
		if sent, _, err = n.fetch(p, most, write); err != nil {
			return err
		}
	}
	n.complete(fmt.Sprintf("%s %d", c.verb, sent))
	return nil
}
