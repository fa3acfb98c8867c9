package parquetsql_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// tags is a slice that knows how PostgreSQL writes arrays.
type tags []string

func (t tags) Value() (driver.Value, error) { return "{" + strings.Join(t, ",") + "}", nil }

// document is bytes whose text begins as an array does.
type document []byte

func (d document) Value() (driver.Value, error) { return string(d), nil }

// TestListArguments gives slices, and texts of arrays as drivers of PostgreSQL make them.
func TestListArguments(t *testing.T) {
	db := openDir(t, "testdata")
	price := parquetsql.Decimal{}
	if err := price.Scan("1.25"); err != nil {
		t.Fatal(err)
	}
	two := 2
	for _, test := range []struct {
		query, want string
		args        []any
	}{
		{"SELECT ?", "[1,2,3]", []any{[]int{1, 2, 3}}},
		{"SELECT ?", "[1,2]", []any{[2]uint16{1, 2}}},
		{"SELECT ?", "[null,2]", []any{[]*int{nil, &two}}},
		{"SELECT ?", "[[1],null,[]]", []any{[][]float64{{1}, nil, {}}}},
		{"SELECT typeof(?)", "BIGINT[]", []any{[]int8{}}},
		{"SELECT typeof(?)", "VARCHAR[][]", []any{[][]string{}}},
		{"SELECT typeof(?)", "DECIMAL(3,2)[]", []any{[]parquetsql.Decimal{price}}},
		{"SELECT typeof(?)", "TIMESTAMP[]", []any{[]time.Time{time.Unix(0, 0)}}},
		{"SELECT typeof(?)", "BLOB[]", []any{[][]byte{[]byte("a")}}},
		{"SELECT typeof(?)", "DOUBLE[]", []any{[]any{1, nil, 2.5}}},
		{"SELECT ? IS NULL", "true", []any{[]int(nil)}},
		{"SELECT list_contains(?, 2)", "true", []any{[]int64{1, 2}}},
		{"SELECT list_contains(:l, 2)", "true", []any{named("l", []int64{1, 2})}},
		{"SELECT 3 IN (?)", "true", []any{[]int{1, 3}}},
		{"SELECT 3 IN (?, 7)", "false", []any{[]int{1, 2}}},
		{"SELECT 7 IN (?, 7)", "true", []any{[]int{1, 2}}},
		{"SELECT (3 IN (?)) IS NULL", "true", []any{[]any{1, nil}}},
		{"SELECT 3 IN (?)", "false", []any{[]int{}}},
		{"SELECT NULL IN (?)", "false", []any{[]int{}}}, // among no values is none
		{"SELECT 3 NOT IN (?)", "true", []any{[]int{}}},
		{"SELECT [1, 2] IN (?)", "true", []any{[]int{1, 2}}},
		{"SELECT 3 = ANY(?)", "true", []any{[]int{1, 3}}},
		{"SELECT 3 <> ALL(?)", "false", []any{[]int{1, 3}}},
		{"SELECT 3 > ALL(?)", "true", []any{[]int{1, 2}}},
		{"SELECT 3 > ALL(?)", "true", []any{[]int{}}},
		{"SELECT 3 < ANY(?)", "false", []any{[]int{1, 2}}},
		{"SELECT 3 < ANY(?)", "false", []any{[]int{}}},
		{"SELECT (3 < ANY(?)) IS NULL", "true", []any{[]any{1, nil}}},
		{"SELECT DATE '2020-01-01' = ANY(?)", "true", []any{[]string{"2020-01-01"}}},
		{"SELECT COUNT(*) FROM range(1000) t(i) WHERE i = ANY(?)", "2", []any{[]int32{1, 2, 5000}}},

		{"SELECT 'b' IN (?)", "true", []any{tags{"a", "b"}}},
		{"SELECT 'b' IN (?)", "true", []any{&tags{"a", "b"}}},
		{"SELECT 'b' IN (?)", "false", []any{tags{}}},
		{"SELECT '{\"a\":1}' IN (?)", "true", []any{document(`{"a":1}`)}},

		{"SELECT 3 = ANY(?)", "true", []any{"{1,3,NULL}"}},
		{"SELECT 3 = ANY(?)", "false", []any{"{}"}},
		{"SELECT 3 = ANY('{1,3}')", "true", nil},
		{"SELECT 'a' IN (?)", "false", []any{"{a}"}}, // a text among texts
		{"SELECT '{a}' IN (?)", "true", []any{"{a}"}},
		{"SELECT 'b c' = ANY(?)", "true", []any{`{"a,x","b c"}`}},
		{"SELECT 'b' = ALL(?)", "true", []any{`{b,"b"}`}},
		{"SELECT ?::INT[][]", "[[1,2],[3]]", []any{"{{1,2},{3}}"}},
		{"SELECT ?::VARCHAR[]", `["a[1","q\"z","it's",null,"NULL",""]`, []any{`{a[1,"q\"z",it's,NULL,"NULL",""}`}},
		{"SELECT [1, 2] = ?", "true", []any{"{ 1 , 2 }"}},
		{"SELECT [1, 2] = ?", "true", []any{"[1, 2]"}},
	} {
		var got string
		if err := db.QueryRow(test.query, test.args...).Scan(&got); err != nil || got != test.want {
			t.Errorf("%s of %v: %s, want %s: %v", test.query, test.args, got, test.want, err)
		}
	}
	var itself []any
	itself = append(itself, 1)
	itself[0] = itself
	for name, bad := range map[string]any{"[16]uint8": [16]byte{}, "element 1 of a []struct": []struct{}{{}}, "contains itself": itself, "a map[": map[string]int{}} {
		if _, err := db.Query("SELECT ?", bad); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []string{"{1,2", `{"a}`, `{a"b"}`, "{1}x", "1"} {
		if err := db.QueryRow("SELECT ?::VARCHAR[]", bad).Scan(new(string)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func named(name string, value any) any { return sql.Named(name, value) }

// TestNullArguments: what a sql.Null has is the argument, with its type.
func TestNullArguments(t *testing.T) {
	db := openDir(t, "testdata")
	month, id := parquetsql.Interval{}, parquetsql.UUID{Bytes: [16]byte{1}, Valid: true}
	if err := month.Scan("1 month"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		query, want string
		arg         any
	}{
		{"SELECT (DATE '2024-01-31' + ?)::VARCHAR", "2024-02-29 00:00:00", sql.Null[parquetsql.Interval]{V: month, Valid: true}},
		{"SELECT typeof(?)", "UUID", sql.Null[parquetsql.UUID]{V: id, Valid: true}},
		{"SELECT typeof(?)", "BIGINT[]", sql.Null[[]int64]{V: []int64{1}, Valid: true}},
		{"SELECT COALESCE(?::VARCHAR, 'NULL')", "NULL", sql.Null[parquetsql.UUID]{V: id}},
		{"SELECT ? + 1", "3", &sql.Null[int]{V: 2, Valid: true}},
		{"SELECT ?", "x", sql.NullString{String: "x", Valid: true}},
	} {
		var got string
		if err := db.QueryRow(test.query, test.arg).Scan(&got); err != nil || got != test.want {
			t.Errorf("%s with %#v is %q, %v; want %q", test.query, test.arg, got, err, test.want)
		}
	}
}

// TestTextOfJSON: a JSON is its text in attributes and keys.
func TestTextOfJSON(t *testing.T) {
	for _, want := range []string{`{"a":[1]}`, "null"} {
		var j parquetsql.JSON[map[string][]int]
		if err := j.UnmarshalText([]byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := encoding.TextMarshaler(j).MarshalText(); string(got) != want || err != nil || j.Valid != (want != "null") {
			t.Errorf("%q, %v, valid %v; want %s", got, err, j.Valid, want)
		}
	}
}
