package server

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
)

// transaction is a block of statements that see the files of one moment. Nothing is written, so
// that COMMIT and ROLLBACK differ in what SET has changed alone.
type transaction struct {
	tx     driver.Tx // nil: there is none
	broken bool      // a statement of it has failed
	points []string  // savepoints
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
	*t = transaction{}
}

// maxSavepoints is how many a transaction may have.
const maxSavepoints = 1000

// begin is BEGIN.
func (n *session) begin(ctx context.Context) error {
	if n.transaction.tx != nil {
		n.notice("25001", "there is already a transaction in progress")
		return nil
	}
	tx, err := n.conn.(driver.ConnBeginTx).BeginTx(ctx, driver.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	n.transaction = transaction{tx: tx}
	n.settings.begin()
	return nil
}

// endTransaction is COMMIT and ROLLBACK. The tag says which it was.
func (n *session) endTransaction(commit bool) (tag string) {
	if n.transaction.tx == nil {
		n.notice("25P01", "there is no transaction in progress")
		return map[bool]string{true: "COMMIT", false: "ROLLBACK"}[commit]
	}
	commit = commit && !n.transaction.broken
	for name, p := range n.portals {
		if !p.hold || !commit && p.made == n.transaction.tx {
			n.closePortal(name)
		}
	}
	n.settings.end(!commit)
	n.transaction.end()
	if commit {
		return "COMMIT"
	}
	return "ROLLBACK"
}

// savepoint is SAVEPOINT, RELEASE and ROLLBACK TO.
func (n *session) savepoint(verb, name string) error {
	t := &n.transaction
	if t.tx == nil {
		return &Error{Code: "25P01", Message: verb + " can only be used in transaction blocks"}
	}
	if verb == "SAVEPOINT" {
		if len(t.points) == maxSavepoints {
			return &Error{Code: "53400", Message: fmt.Sprintf("a transaction has no more than %d savepoints", maxSavepoints)}
		}
		t.points = append(t.points, strings.Clone(name))
		return nil
	}
	at := len(t.points) - 1
	for at >= 0 && t.points[at] != name {
		at--
	}
	if at < 0 {
		return &Error{Code: "3B001", Message: fmt.Sprintf("savepoint %q does not exist", name)}
	}
	if verb == "RELEASE" {
		t.points = slices.Clip(t.points[:at])
		return nil
	}
	t.points, t.broken = t.points[:at+1], false
	return nil
}
