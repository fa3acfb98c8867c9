package server

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql/server/internal/script"
)

// simple runs the statements of a text one after another, and sends their rows as text. An error
// ends it. Several statements are one transaction, but for those between BEGIN and COMMIT in it.
func (n *session) simple(ctx context.Context, text string) {
	n.closePortal("")
	delete(n.statements, "")
	parts := script.Split(text)
	if len(parts) == 0 {
		n.out.send(&pgproto3.EmptyQueryResponse{})
		n.endOfText(false)
		return
	}
	for _, part := range parts {
		n.began = time.Time{}
		err := error(nil)
		if len(parts) > 1 && n.transaction.tx == nil {
			if err = n.startTransaction(ctx); err == nil {
				n.transaction.implicit = true
			}
		}
		if err == nil {
			err = n.simpleStatement(ctx, text, part)
		}
		if err != nil {
			n.failed(ctx, err)
			n.endOfText(true)
			return
		}
		if n.out.err != nil {
			return
		}
	}
	n.endOfText(false)
}

// endOfText ends the transaction of a text, if it has no other one, and a series of messages before
// the text.
func (n *session) endOfText(failed bool) {
	if n.transaction.implicit {
		n.endTransaction(!failed)
	}
	n.endOfSeries(failed)
}

func (n *session) simpleStatement(ctx context.Context, text string, part script.Statement) error {
	st, err := newStatement(text, part)
	if err != nil {
		return err
	}
	if err := n.admit(st); err != nil {
		return err
	}
	if st.command != nil {
		return n.runCommand(ctx, st, nil, true)
	}
	r, err := n.query(ctx, st.text, nil)
	if err != nil {
		return st.placed(err)
	}
	n.out.send(rowDescription(r.columns, nil))
	sent, _, err := n.hand(r, dataRows(r.columns, nil, n.settings.style), 0)
	if closeErr := r.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return st.placed(err)
	}
	n.complete(fmt.Sprintf("SELECT %d", sent))
	return nil
}

// admit refuses what may not run in a transaction that has failed.
func (n *session) admit(st *statement) error {
	if n.transaction.broken && !st.endsBlock() {
		return &Error{Code: "25P02", Message: "current transaction is aborted, commands ignored until end of transaction block"}
	}
	return nil
}
