package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server/internal/script"
)

// runCommand runs a command and tells its end. described says that the columns of its rows have to
// be told too.
func (n *session) runCommand(ctx context.Context, st *statement, formats []int16, described bool) error {
	c := st.command
	tag := c.verb
	var err error
	switch c.verb {
	case "BEGIN":
		err = n.begin(ctx)
	case "COMMIT", "ROLLBACK":
		tag, err = n.commandEnd(ctx, c)
	case "SAVEPOINT", "RELEASE", "ROLLBACK TO":
		tag = strings.TrimSuffix(c.verb, " TO")
		err = n.savepoint(c.verb, c.name)
	case "SET":
		err = n.set(c)
	case "RESET":
		if c.name == "all" {
			n.settings.resetAll()
		} else {
			err = n.settings.set(c.name, n.settings.first(c.name))
		}
	case "SHOW":
		return n.show(ctx, st, formats, described)
	case "DISCARD":
		tag, err = n.discard(c.name)
	case "UNLISTEN":
	case "DEALLOCATE":
		tag, err = n.deallocate(c.name)
	case "DECLARE":
		tag, err = "DECLARE CURSOR", n.declare(ctx, st)
	case "CLOSE":
		tag, err = n.closeCursor(c.name)
	case "FETCH", "MOVE":
		return n.fetchCursor(ctx, c, formats, described)
	case "COPY":
		var rows int64
		rows, err = n.copyOut(ctx, c)
		tag = fmt.Sprintf("COPY %d", rows)
	}
	if err != nil {
		return st.placed(err)
	}
	n.complete(tag)
	return nil
}

// commandColumns are the columns of a command's rows; nil if it has none.
func (n *session) commandColumns(ctx context.Context, c *command) ([]column, error) {
	switch c.verb {
	case "SHOW":
		r, err := n.shown(ctx, c)
		if err != nil {
			return nil, err
		}
		return r.columns, r.close()
	case "FETCH":
		p, err := n.cursor(c.name)
		if err != nil {
			return nil, err
		}
		return p.columns(), nil
	}
	return nil, nil
}

func (n *session) set(c *command) error {
	switch {
	case c.name == "":
		return nil
	case c.local && n.transaction.tx == nil:
		n.notice("25P01", "SET LOCAL can only be used in transaction blocks")
		return nil
	}
	value := c.value
	if c.first {
		value = n.settings.first(c.name)
	}
	if c.local {
		return n.settings.setLocal(c.name, value)
	}
	return n.settings.set(c.name, value)
}

// shown is the rows of SHOW. Names that are no parameters are the driver's: SHOW tables.
func (n *session) shown(ctx context.Context, c *command) (*stream, error) {
	if c.name == "all" {
		return listing(ctx, []string{"name", "setting", "description"}, n.settings.list()), nil
	}
	if value, ok := n.settings.value(c.name); ok {
		name := c.name
		if k := n.settings.all[strings.ToLower(name)]; k != nil {
			name = k.name
		}
		return listing(ctx, []string{name}, [][]string{{value}}), nil
	}
	r, err := n.query(ctx, "SHOW "+quoteName(c.name), nil)
	var missing *parquetsql.NotFoundError
	if errors.As(err, &missing) {
		return nil, &Error{Code: "42704", Message: fmt.Sprintf("unrecognized configuration parameter %q", c.name)}
	}
	return r, err
}

// quoteName writes a name as SQL does.
func quoteName(name string) string {
	if isPlain(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// isPlain reports whether a name is one word in lower case, or several with points.
func isPlain(name string) bool {
	s := script.Scan(name)
	t := s.Next()
	return t.Kind == script.Word && t.Text == strings.ToLower(t.Text) && s.Next().Kind == script.End
}

func (n *session) show(ctx context.Context, st *statement, formats []int16, described bool) error {
	r, err := n.shown(ctx, st.command)
	if err != nil {
		return st.placed(err)
	}
	if err = checkFormats(formats, len(r.columns)); err == nil {
		if described {
			n.out.send(rowDescription(r.columns, formats))
		}
		_, _, err = n.hand(r, dataRows(r.columns, formats, n.settings.style), 0)
	}
	if closeErr := r.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	n.complete("SHOW")
	return nil
}

// discard is DISCARD ALL and its parts.
func (n *session) discard(what string) (tag string, err error) {
	if what == "ALL" {
		if n.transaction.tx != nil {
			return "", &Error{Code: "25001", Message: "DISCARD ALL cannot run inside a transaction block"}
		}
		n.settings.resetAll()
		clear(n.statements)
		for name := range n.portals {
			n.closePortal(name)
		}
	}
	return "DISCARD " + what, nil
}

// deallocate forgets a prepared statement, or all.
func (n *session) deallocate(name string) (tag string, err error) {
	if name == "" {
		clear(n.statements)
		return "DEALLOCATE ALL", nil
	}
	if n.statements[name] == nil {
		return "", &Error{Code: "26000", Message: fmt.Sprintf("prepared statement %q does not exist", name)}
	}
	delete(n.statements, name)
	return "DEALLOCATE", nil
}
