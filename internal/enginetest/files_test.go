package enginetest

import (
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// An answer has the rows that SELECT * over a file must return, in the form that
// testdata/README.md describes.
type answer struct {
	Columns []struct {
		Name, Type string
		Nullable   bool
	}
	Rows    [][]any
	Error   string
	MayFail bool `json:"may_fail"`
	Config  struct {
		FooterKey  []byte            `json:"footer_key"`
		ColumnKeys map[string][]byte `json:"column_keys"`
		AADPrefix  []byte            `json:"aad_prefix"`
	}
	Queries json.RawMessage
	SameAs  string `json:"same_as"` // another file's answer
}

// disputedNullable are files whose schema says OPTIONAL although the answer has no
// NULL. The driver follows the schema.
var disputedNullable = map[string]bool{"unknown-logical-type.parquet": true}

// TestForeignFiles reads every file of testdata that has an answer.
func TestForeignFiles(t *testing.T) {
	answers := filepath.Join("testdata", "expected")
	err := filepath.WalkDir(answers, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(answers, strings.TrimSuffix(path, ".json"))
		t.Run(filepath.ToSlash(rel), func(t *testing.T) { checkAnswer(t, filepath.Join("testdata", rel), path) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readAnswer(t *testing.T, path string) answer {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var want answer
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if want.SameAs != "" {
		same := readAnswer(t, filepath.Join("testdata", "expected", filepath.FromSlash(want.SameAs)+".json"))
		same.Config = want.Config // the keys are this file's own
		return same
	}
	return want
}

func checkAnswer(t *testing.T, file, path string) {
	want := readAnswer(t, path)
	for _, options := range []string{"", "?pruning=off", "?parallelism=1"} {
		got, err := selectAll(withKeys(t, file+options, want))
		var corrupt *parquetsql.CorruptError
		switch {
		case want.Error == "corrupt":
			if !errors.As(err, &corrupt) {
				t.Errorf("%q: got error %v, want a *CorruptError", options, err)
			}
		case want.Error != "":
			if err == nil {
				t.Errorf("%q: got %d rows, want an error", options, len(got.rows))
			}
		case err != nil:
			if !want.MayFail {
				t.Errorf("%q: %v", options, err)
			}
		default:
			compareAnswer(t, got, want)
		}
	}
}

// withKeys is the DSN with the keys that the answer has.
func withKeys(t *testing.T, dsn string, want answer) string {
	c, err := parquetsql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	c.FooterKey, c.ColumnKeys, c.AADPrefix = want.Config.FooterKey, want.Config.ColumnKeys, want.Config.AADPrefix
	return c.FormatDSN()
}

type table struct {
	types []*sql.ColumnType
	rows  [][]any
}

func selectAll(dsn string) (table, error) {
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		return table{}, err
	}
	defer db.Close()
	var name string
	if err := db.QueryRow("SHOW TABLES").Scan(&name); err != nil {
		return table{}, err
	}
	return queryTable(db, "SELECT * FROM `"+name+"`")
}

func queryTable(db *sql.DB, query string, args ...any) (table, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return table{}, err
	}
	defer rows.Close()
	var out table
	if out.types, err = rows.ColumnTypes(); err != nil {
		return table{}, err
	}
	for rows.Next() {
		row := make([]any, len(out.types))
		targets := make([]any, len(row))
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return table{}, err
		}
		out.rows = append(out.rows, row)
	}
	return out, rows.Err()
}

func compareAnswer(t *testing.T, got table, want answer) {
	t.Helper()
	if len(got.types) != len(want.Columns) {
		t.Errorf("got %d columns, want %d", len(got.types), len(want.Columns))
		return
	}
	for i, c := range want.Columns {
		nullable, _ := got.types[i].Nullable()
		if disputedNullable[filepath.Base(t.Name())] {
			nullable = c.Nullable
		}
		if got.types[i].Name() != c.Name || got.types[i].DatabaseTypeName() != c.Type || nullable != c.Nullable {
			t.Errorf("column %d: got %s %s nullable %v, want %s %s nullable %v", i,
				got.types[i].Name(), got.types[i].DatabaseTypeName(), nullable, c.Name, c.Type, c.Nullable)
		}
	}
	if len(got.rows) != len(want.Rows) {
		t.Errorf("got %d rows, want %d", len(got.rows), len(want.Rows))
		return
	}
	for r, row := range want.Rows {
		for c, value := range row {
			if !sameValue(got.rows[r][c], value) {
				t.Errorf("row %d, %s: got %#v, want %v", r, want.Columns[c].Name, got.rows[r][c], value)
				return
			}
		}
	}
}

// sameValue compares a driver value with one of an answer file.
func sameValue(got, want any) bool {
	switch w := want.(type) {
	case nil:
		return got == nil
	case bool, string:
		return reflect.DeepEqual(got, want)
	case json.Number:
		return sameNumber(got, w.String())
	case map[string]any:
		for kind, v := range w {
			switch kind {
			case "float":
				return fmt.Sprint(floatOf(got)) == map[string]string{"NaN": "NaN", "Infinity": "+Inf", "-Infinity": "-Inf"}[v.(string)]
			case "time":
				at, ok := got.(time.Time)
				return ok && at.Format(time.RFC3339Nano) == v && at.Location() == time.UTC
			case "hex":
				b, ok := got.([]byte)
				return ok && hex.EncodeToString(b) == v
			case "json":
				text, ok := got.(string)
				return ok && sameJSON(text, v)
			case "any_of":
				for _, one := range v.([]any) {
					if sameValue(got, one) {
						return true
					}
				}
				return false
			}
		}
	}
	return false
}

func floatOf(v any) float64 {
	switch x := v.(type) {
	case float32:
		return float64(x)
	case float64:
		return x
	}
	return math.MaxFloat64
}

// sameNumber compares by value; floats in their shortest form for their width.
func sameNumber(got any, want string) bool {
	switch x := got.(type) {
	case int64:
		return sameRational(strconv.FormatInt(x, 10), want)
	case uint64:
		return sameRational(strconv.FormatUint(x, 10), want)
	case float32:
		w, err := strconv.ParseFloat(want, 32)
		return err == nil && float32(w) == x
	case float64:
		w, err := strconv.ParseFloat(want, 64)
		return err == nil && w == x
	}
	return false
}

func sameRational(a, b string) bool {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

func sameJSON(text string, want any) bool {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var got any
	return d.Decode(&got) == nil && !d.More() && sameTree(got, want)
}

func sameTree(got, want any) bool {
	switch w := want.(type) {
	case json.Number:
		g, ok := got.(json.Number)
		return ok && sameRational(g.String(), w.String())
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !sameTree(g[i], w[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for k := range w {
			if v, ok := g[k]; !ok || !sameTree(v, w[k]) {
				return false
			}
		}
		return true
	}
	return got == want
}
