package parquetsql_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

// TestQueryBatches compares the values of batches with those of sql.Rows, for columns of
// all kinds.
func TestQueryBatches(t *testing.T) {
	db := openDir(t, "testdata")
	ctx := context.Background()
	for _, text := range []string{
		"SELECT * FROM penguins",
		"SELECT Species, COUNT(*) FROM penguins WHERE Island <> 'Dream' GROUP BY ALL ORDER BY 1",
		"SELECT a, a::DOUBLE / 4, a::FLOAT, a > 5, a::UBIGINT, a::DECIMAL(9,2), DATE '2024-01-01' + a::INT, 'x' || a, (a || '')::BLOB, [a], NULL, CASE WHEN a % 3 = 0 THEN a END, INTERVAL '1 day', UUID '6ba7b810-9dad-11d1-80b4-00c04fd430c8', TIME '10:20:30' FROM range(5000) t(a) WHERE a % 7 <> 2",
		"SELECT 1 WHERE 1 = 0",
	} {
		connection, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		err = connection.Raw(func(c any) error {
			rows, err := parquetsql.QueryBatches(ctx, c, text)
			if err != nil {
				return err
			}
			for rows.Next() {
				b := rows.Batch()
				if len(b.Columns) != len(rows.Columns()) {
					t.Errorf("%s: %d columns, %d types", text, len(b.Columns), len(rows.Columns()))
				}
				for i := range b.Rows {
					row := make([]any, len(b.Columns))
					for c, column := range b.Columns {
						if column.Null == nil || !column.Null[i] {
							row[c] = reflect.ValueOf(column.Values).Index(i).Interface()
						}
					}
					got = append(got, fmt.Sprint(row))
				}
			}
			return errors.Join(rows.Err(), rows.Close())
		})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		rows, err := connection.QueryContext(ctx, text)
		if err != nil {
			t.Fatal(err)
		}
		names, _ := rows.Columns()
		for rows.Next() {
			row, into := make([]any, len(names)), make([]any, len(names))
			for i := range row {
				into[i] = &row[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprint(row))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d rows, want %d", text, len(got), len(want))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("row %d is %s, want %s", i, got[i], want[i])
					break
				}
			}
		}
		connection.Close()
	}
}

// TestQueryBatchesAllocate: dates and decimals come without an allocation for each value.
func TestQueryBatchesAllocate(t *testing.T) {
	if vector.BatchSize < 1000 {
		t.Skip("each batch takes some")
	}
	const rows = 40_000
	db := openDir(t, "testdata")
	connection, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	query := fmt.Sprintf("SELECT DATE '2024-01-01' + a::INT, a::DECIMAL(9,2), TIMESTAMP '2024-01-01' + INTERVAL (a) SECOND FROM range(%d) t(a)", rows)
	allocations := testing.AllocsPerRun(3, func() {
		err := connection.Raw(func(c any) error {
			batches, err := parquetsql.QueryBatches(t.Context(), c, query)
			if err != nil {
				return err
			}
			read := 0
			for batches.Next() {
				read += batches.Batch().Rows
			}
			if read != rows {
				t.Errorf("%d rows", read)
			}
			return errors.Join(batches.Err(), batches.Close())
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	if allocations > rows {
		t.Errorf("%.0f allocations for %d rows", allocations, rows)
	}
}

// TestQueryBatchesErrors: errors are those of a query; another driver's connection is one.
func TestQueryBatchesErrors(t *testing.T) {
	db := openDir(t, "testdata")
	connection, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.Raw(func(c any) error {
		_, err := parquetsql.QueryBatches(context.Background(), c, "SELECT x FROM nowhere")
		return err
	}); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("%v", err)
	}
	if _, err := parquetsql.QueryBatches(context.Background(), 1, "SELECT 1"); err == nil {
		t.Error("no error of another connection")
	}
	err = connection.Raw(func(c any) error {
		rows, err := parquetsql.QueryBatches(context.Background(), c, "SELECT a, 1 / (a - 3000)::TINYINT FROM range(:n) t(a)", sql.Named("n", 5000))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
		}
		if rows.Next() {
			t.Error("a batch after an error")
		}
		return rows.Err()
	})
	if err == nil || err == io.EOF {
		t.Errorf("a cast that overflows: %v", err)
	}
}
