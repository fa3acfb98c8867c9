package server_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql/server"
)

// Messages of a client, for tests that send them one by one.

func query(text string) *pgproto3.Query { return &pgproto3.Query{String: text} }

func parse(name, text string) *pgproto3.Parse { return &pgproto3.Parse{Name: name, Query: text} }

func bind(portal, statement string) *pgproto3.Bind {
	return &pgproto3.Bind{DestinationPortal: portal, PreparedStatement: statement}
}

func execute(portal string, most uint32) *pgproto3.Execute {
	return &pgproto3.Execute{Portal: portal, MaxRows: most}
}

func sync() *pgproto3.Sync { return &pgproto3.Sync{} }

// short is a message of the server in a few letters: its type, and what it says.
func short(m pgproto3.BackendMessage) string {
	switch m := m.(type) {
	case *pgproto3.ParseComplete:
		return "1"
	case *pgproto3.BindComplete:
		return "2"
	case *pgproto3.CloseComplete:
		return "3"
	case *pgproto3.PortalSuspended:
		return "s"
	case *pgproto3.NoData:
		return "n"
	case *pgproto3.EmptyQueryResponse:
		return "I"
	case *pgproto3.CommandComplete:
		return "C" + string(m.CommandTag)
	case *pgproto3.ReadyForQuery:
		return "Z" + string(m.TxStatus)
	case *pgproto3.ErrorResponse:
		return "E" + m.Code
	case *pgproto3.ParameterDescription:
		return fmt.Sprint("t", m.ParameterOIDs)
	case *pgproto3.RowDescription:
		var names []string
		for _, f := range m.Fields {
			names = append(names, fmt.Sprintf("%s:%d", f.Name, f.DataTypeOID))
		}
		return "T" + strings.Join(names, ",")
	case *pgproto3.DataRow:
		var values []string
		for _, v := range m.Values {
			values = append(values, string(v))
		}
		return "D" + strings.Join(values, ",")
	}
	return fmt.Sprintf("%T", m)
}

// metrics is what Prometheus gets.
func metrics(t testing.TB, s *server.Server) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("%d", w.Code)
	}
	return w.Body.String()
}
