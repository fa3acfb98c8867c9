package parquetsql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// wrapped is a driver around this one, as those that trace queries are.
type wrapped struct{ driver.Connector }

func (w wrapped) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := w.Connector.Connect(ctx)
	return wrappedConn{c}, err
}

type wrappedConn struct{ driver.Conn }

func (c wrappedConn) Raw() driver.Conn { return c.Conn }

type endless struct{ driver.Conn }

func (e endless) Raw() driver.Conn { return e }

func TestWrappedDriver(t *testing.T) {
	connector, err := parquetsql.NewConnector(&parquetsql.Config{Path: "testdata"})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(wrapped{connector})
	defer db.Close()
	columns, err := parquetsql.Columns(t.Context(), db, "SELECT [1] AS l")
	if err != nil || columns[0].String() != "l LIST(BIGINT)" {
		t.Errorf("%v, %v", columns, err)
	}
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Raw(func(raw any) error {
		rows, err := parquetsql.QueryBatches(t.Context(), raw, "SELECT 7")
		if err != nil {
			return err
		}
		defer rows.Close()
		if !rows.Next() || rows.Batch().Columns[0].Values.([]int64)[0] != 7 {
			t.Errorf("no row: %v", rows.Err())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := parquetsql.QueryBatches(t.Context(), endless{}, "SELECT 7"); err == nil {
		t.Error("a connection without an end is taken")
	}
}
