package parquetsql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// TestColumns reads the types within nested columns. The expected types are those of
// the files' footers and of the notes that parquet-testing has beside them.
func TestColumns(t *testing.T) {
	db := openDir(t, "testdata/files/parquet-testing/data")
	for query, want := range map[string]string{
		"SELECT * FROM `nonnullable.impala`": "ID BIGINT; Int_Array LIST(INTEGER); int_array_array LIST(LIST(INTEGER)); " +
			"Int_Map MAP(VARCHAR, INTEGER); int_map_array LIST(MAP(VARCHAR, INTEGER)); nested_Struct.a INTEGER; nested_Struct.B LIST(INTEGER); " +
			"nested_Struct.c.D LIST(LIST(STRUCT(e INTEGER, f VARCHAR))); nested_Struct.G MAP(VARCHAR, STRUCT(h STRUCT(i LIST(DOUBLE))))",
		"SELECT a AS tree FROM `nested_lists.snappy` LIMIT 1":                  "tree LIST(LIST(LIST(VARCHAR)))",
		"SELECT value FROM int32_decimal":                                      "value DECIMAL(4,2)",
		"SELECT my_map, my_map_no_v FROM map_no_value":                         "my_map MAP(INTEGER, INTEGER); my_map_no_v MAP(INTEGER)",
		"SELECT COUNT(*) AS n FROM int32_decimal":                              "n BIGINT",
		"SELECT {'a': 1, 'b': ['x']} AS s, CAST(ROW(1) AS STRUCT(a INT)) AS c": "s STRUCT(a BIGINT, b LIST(VARCHAR)); c STRUCT(a INTEGER)",
		"SELECT nested_Struct.c AS s FROM `nonnullable.impala` ORDER BY ID":    "s STRUCT(D LIST(LIST(STRUCT(e INTEGER, f VARCHAR))))",
	} {
		columns, err := parquetsql.Columns(context.Background(), db, query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		texts := make([]string, len(columns))
		for i, c := range columns {
			texts[i] = c.String()
		}
		if got := strings.Join(texts, "; "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", query, got, want)
		}
	}
}

// TestColumnsNullable: in Impala's file nothing may be NULL, in Spark's the lists and
// their elements may.
func TestColumnsNullable(t *testing.T) {
	db := openDir(t, "testdata/files/parquet-testing/data")
	for query, want := range map[string]bool{"SELECT * FROM `nonnullable.impala`": false, "SELECT a FROM `nested_lists.snappy`": true} {
		columns, err := parquetsql.Columns(context.Background(), db, query)
		if err != nil {
			t.Fatal(err)
		}
		var walk func([]parquetsql.ColumnSchema)
		walk = func(columns []parquetsql.ColumnSchema) {
			for _, c := range columns {
				if c.Nullable != want {
					t.Errorf("%s: %s is nullable: %v", query, c, c.Nullable)
				}
				walk(c.Fields)
			}
		}
		walk(columns)
	}
}

// TestColumnsErrors: the errors are those of the query.
func TestColumnsErrors(t *testing.T) {
	db := openDir(t, "testdata")
	if columns, err := parquetsql.Columns(context.Background(), db, "SELECT * FROM penguins WHERE _row = :n AND _row > ?", sql.Named("n", 3), 1); err == nil {
		t.Errorf("named and positional arguments in one statement: %v", columns)
	}
	for _, query := range []string{"SELECT nothing FROM penguins", "SELEC", "SELECT 1; SELECT 2"} {
		_, want := db.Query(query)
		if _, err := parquetsql.Columns(context.Background(), db, query); err == nil || err.Error() != want.Error() {
			t.Errorf("%s: %v, and the query says %v", query, err, want)
		}
	}
}

func TestColumnsUnits(t *testing.T) {
	db := openDir(t, "testdata/files/crafted")
	columns, err := parquetsql.Columns(context.Background(), db, "SELECT * FROM types_logical")
	if err != nil {
		t.Fatal(err)
	}
	units := map[time.Duration]bool{}
	for _, c := range columns {
		timed := strings.HasPrefix(c.Type, "TIME")
		if timed != (c.Unit != 0) {
			t.Errorf("%s has the unit %v", c, c.Unit)
		}
		units[c.Unit] = true
	}
	for _, unit := range []time.Duration{time.Millisecond, time.Microsecond, time.Nanosecond} {
		if !units[unit] {
			t.Errorf("no column of unit %v", unit)
		}
	}
}

// TestColumnsOfAnotherDriver returns an error and releases the connection.
func TestColumnsOfAnotherDriver(t *testing.T) {
	db := sql.OpenDB(otherDriver{})
	defer db.Close()
	db.SetMaxOpenConns(1)
	for range 2 {
		if _, err := parquetsql.Columns(context.Background(), db, "SELECT 1"); err == nil || !strings.Contains(err.Error(), "this driver") {
			t.Error(err)
		}
	}
}

// otherDriver is a driver whose connections have no methods that work.
type otherDriver struct{ driver.Conn }

func (d otherDriver) Connect(context.Context) (driver.Conn, error) { return d, nil }
func (d otherDriver) Driver() driver.Driver                        { return nil }
func (d otherDriver) Close() error                                 { return nil }
