package server_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestSetLocal: what SET LOCAL sets ends with its transaction, whatever else is set within it.
func TestSetLocal(t *testing.T) {
	_, address := start(t, nil)
	for _, c := range []struct {
		show, want string
		statements []string
	}{
		{"timezone", "UTC", []string{"BEGIN", "SET LOCAL timezone = 'Europe/Berlin'", "SAVEPOINT a", "SET timezone = 'Asia/Tokyo'", "ROLLBACK TO a", "COMMIT"}},
		{"timezone", "Asia/Tokyo", []string{"BEGIN", "SET LOCAL timezone = 'Europe/Berlin'", "SAVEPOINT a", "SET timezone = 'Asia/Tokyo'", "RELEASE a", "COMMIT"}},
		{"timezone", "UTC", []string{"BEGIN", "SAVEPOINT a", "SET LOCAL timezone = 'Europe/Berlin'", "ROLLBACK TO a", "COMMIT"}},
		{"timezone", "Asia/Tokyo", []string{"SET timezone = 'Asia/Tokyo'", "BEGIN", "SET LOCAL timezone TO DEFAULT", "COMMIT"}},
		{"timezone", "UTC", []string{"SET timezone = 'Asia/Tokyo'", "BEGIN", "SET LOCAL timezone TO DEFAULT"}},
		{"timezone", "UTC", []string{"SET timezone = 'Asia/Tokyo'", "BEGIN", "SET LOCAL timezone = 'Europe/Berlin'", "RESET ALL", "COMMIT"}},
		{"timezone", "UTC", []string{"SET timezone = 'Asia/Tokyo'", "BEGIN", "SET LOCAL timezone = 'Europe/Berlin'", "RESET timezone", "COMMIT"}},
		{"my.x", "", []string{"SET my.x = '1'", "BEGIN", "SET LOCAL my.x = '2'", "RESET my.x", "COMMIT"}},
		{"my.x", "1", []string{"SET my.x = '1'", "BEGIN", "SET LOCAL my.x TO DEFAULT", "COMMIT"}},
	} {
		conn := connect(t, address, "default_query_exec_mode=simple_protocol")
		for _, s := range c.statements {
			if _, err := conn.Exec(t.Context(), s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		if got := text(t, conn, "SHOW "+c.show); got != c.want {
			t.Errorf("%q: %q, want %q", c.statements, got, c.want)
		}
	}
}

// TestSetValues: what PostgreSQL 15 takes as values of settings, and as modes of a transaction.
func TestSetValues(t *testing.T) {
	_, address := start(t, nil)
	c := connect(t, address, "application_name=first&default_query_exec_mode=simple_protocol")
	for _, q := range []struct{ set, show, want string }{
		{"SET application_name = 'default'", "application_name", "default"},
		{"SET application_name = default", "application_name", "first"},
		{`SET application_name TO "default"`, "application_name", "default"},
		{"SET application_name = DEFAULT, 'a'", "application_name", "42601"},
		{"SET timezone = 'default'", "timezone", "22023"},
		{"SET timezone = DEFAULT", "timezone", "UTC"},
		{"SET statement_timeout = '1.5s'", "statement_timeout", "1500ms"},
		{"SET statement_timeout = ' 2 min '", "statement_timeout", "2min"},
		{"SET statement_timeout = 90000", "statement_timeout", "90s"},
		{"SET statement_timeout = 2147483647", "statement_timeout", "2147483647ms"},
		{"SET statement_timeout = '24d'", "statement_timeout", "24d"},
		{"SET statement_timeout = 2147483648", "statement_timeout", "22023"},
		{"SET statement_timeout = '25d'", "statement_timeout", "22023"},
		{"SET statement_timeout = '1000000000d'", "statement_timeout", "22023"},
		{"SET statement_timeout = '1e400'", "statement_timeout", "22023"},
		{"SET statement_timeout = 'NaN'", "statement_timeout", "22023"},
		{"SET statement_timeout = -1", "statement_timeout", "22023"},
		{"SET statement_timeout = 's'", "statement_timeout", "22023"},
		{"RESET statement_timeout", "statement_timeout", "0"},
		{"BEGIN ,,,", "transaction_read_only", "42601"},
		{"BEGIN , READ ONLY", "transaction_read_only", "42601"},
		{"BEGIN READ ONLY,", "transaction_read_only", "42601"},
		{"START TRANSACTION READ ONLY,, DEFERRABLE", "transaction_read_only", "42601"},
		{"BEGIN READ ONLY, DEFERRABLE ISOLATION LEVEL SERIALIZABLE", "transaction_read_only", "on"},
	} {
		_, err := c.Exec(t.Context(), q.set)
		got, _ := code(err)
		if err == nil {
			got = text(t, c, "SHOW "+q.show, pgx.QueryExecModeSimpleProtocol)
		}
		if got != q.want {
			t.Errorf("%s: %q, want %q", q.set, got, q.want)
		}
	}
}
