package server

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
)

// transaction is a block of statements that see the files of one moment. Nothing is written, so
// that COMMIT and ROLLBACK differ in what SET has changed alone.
type transaction struct {
	tx       driver.Tx // nil: there is none
	number   uint64    // of the transactions of the connection
	implicit bool      // it is that of a text of several statements, without BEGIN
	broken   bool      // a statement of it has failed
	points   []savepoint
}

// savepoint is a name, and the parameters at that moment.
type savepoint struct {
	name   string
	values values
}

// status is what ReadyForQuery says.
func (t *transaction) status() byte {
	switch {
	case t.tx == nil:
		return 'I'
	case t.broken:
		return 'E'
	}
	return 'T'
}

func (t *transaction) fail() {
	if t.tx != nil {
		t.broken = true
	}
}

func (t *transaction) end() {
	if t.tx != nil {
		_ = t.tx.Rollback() // the driver's has nothing to undo
	}
	*t = transaction{number: t.number}
}

// maxSavepoints is how many a transaction may have.
const maxSavepoints = 1000

// begin is BEGIN. What precedes it in a text of several statements becomes a part of it.
func (n *session) begin(ctx context.Context) error {
	switch {
	case n.transaction.implicit:
		n.transaction.implicit = false
		return nil
	case n.transaction.tx != nil:
		n.notice("25001", "there is already a transaction in progress")
		return nil
	}
	return n.startTransaction(ctx)
}

// startTransaction takes the snapshot of a transaction.
func (n *session) startTransaction(ctx context.Context) error {
	tx, err := n.conn.(driver.ConnBeginTx).BeginTx(ctx, driver.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	n.transaction = transaction{tx: tx, number: n.transaction.number + 1}
	return nil
}

// commandEnd is COMMIT and ROLLBACK. The tag says which it was.
func (n *session) commandEnd(ctx context.Context, c *command) (tag string, err error) {
	t := &n.transaction
	if c.chain && (t.tx == nil || t.implicit) {
		return "", &Error{Code: "25P01", Message: c.verb + " AND CHAIN can only be used in transaction blocks"}
	}
	if t.tx == nil || t.implicit {
		n.notice("25P01", "there is no transaction in progress")
	}
	tag = c.verb
	if t.broken {
		tag = "ROLLBACK"
	}
	n.endTransaction(tag == "COMMIT")
	if c.chain {
		err = n.startTransaction(ctx)
	}
	return tag, err
}

// endTransaction ends a transaction, if there is one.
func (n *session) endTransaction(commit bool) {
	if n.transaction.tx == nil {
		return
	}
	for name, p := range n.portals {
		if !p.hold || !commit && p.made == n.transaction.number {
			n.closePortal(name)
		}
	}
	n.settings.end(!commit)
	n.transaction.end()
}

// savepoint is SAVEPOINT, RELEASE and ROLLBACK TO.
func (n *session) savepoint(verb, name string) error {
	t := &n.transaction
	if t.tx == nil || t.implicit {
		return &Error{Code: "25P01", Message: verb + " can only be used in transaction blocks"}
	}
	if verb == "SAVEPOINT" {
		if len(t.points) == maxSavepoints {
			return &Error{Code: "53400", Message: fmt.Sprintf("a transaction has no more than %d savepoints", maxSavepoints)}
		}
		t.points = append(t.points, savepoint{strings.Clone(name), n.settings.now()})
		return nil
	}
	at := len(t.points) - 1
	for at >= 0 && t.points[at].name != name {
		at--
	}
	if at < 0 {
		return &Error{Code: "3B001", Message: fmt.Sprintf("savepoint %q does not exist", name)}
	}
	inside := func(p *portal) bool { return p.made == t.number && p.depth > at }
	if verb == "RELEASE" {
		for _, p := range n.portals {
			if inside(p) {
				p.depth = at
			}
		}
		clear(t.points[at:])
		t.points = t.points[:at]
		return nil
	}
	for name, p := range n.portals {
		if inside(p) {
			n.closePortal(name)
		}
	}
	n.settings.restore(t.points[at].values)
	clear(t.points[at+1:])
	t.points, t.broken = t.points[:at+1], false
	return nil
}
