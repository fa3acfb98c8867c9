package encryptiontest

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

// TestWithoutKeys: a column without a key spoils only the queries that need it.
func TestWithoutKeys(t *testing.T) {
	db := open(t, staff, nil, nil)
	for query, want := range map[string]string{
		"SHOW TABLES":                                    "staff",
		"SELECT COUNT(*) FROM staff":                     "12",
		"SELECT COUNT(name) FROM staff":                  "12",
		"SELECT COUNT(*) FROM staff WHERE name < 'C'":    "2",
		"SELECT department FROM staff WHERE name='Ivan'": "support",
		"SELECT MAX(name) FROM staff":                    "Linus",
		"SELECT COUNT(*) FROM information_schema.columns WHERE table_name = 'staff'":       "4",
		"SELECT COUNT(*) FROM (SELECT salary, name FROM staff) t":                          "12",
		"SELECT type FROM `staff$schema` WHERE column = 'salary'":                          "BIGINT",
		"SELECT COUNT(*) FROM `staff$columns` WHERE column = 'iban'":                       "1",
		"SELECT COUNT(*) FROM `staff$columns` WHERE column = 'name' AND min = 'Ada'":       "1",
		"SELECT COUNT(*) FROM `staff$columns` WHERE column = 'iban' AND min IS NOT NULL":   "0",
		"SELECT COUNT(*) FROM `staff$columns` WHERE column = 'salary' AND max IS NOT NULL": "0",
		"SELECT COUNT(*) FROM `staff$pages` WHERE column = 'salary' AND min IS NOT NULL":   "0",
		"SELECT COUNT(*) FROM `staff$row_groups`":                                          "1",
		"SELECT rows FROM `staff$files`":                                                   "12",
		"SELECT COUNT(*) FROM `staff$key_values`":                                          "0",

		"SELECT COUNT(*) FROM (SELECT name FROM staff ORDER BY name LIMIT 3) t":                                          "3",
		"SELECT COUNT(*) FROM (SELECT name, salary FROM staff) a LEFT JOIN staff b ON a.name = b.name":                   "12",
		"WITH s AS (SELECT * FROM staff) SELECT COUNT(*) FROM s WHERE name = 'Ivan'":                                     "1",
		"SELECT COUNT(*) FROM (SELECT name FROM staff UNION ALL SELECT department FROM staff) t":                         "24",
		"SELECT a.name FROM staff a LEFT JOIN (SELECT name, salary FROM staff) b ON a.name = b.name WHERE a.name='Ivan'": "Ivan",
	} {
		if got, err := rows(db, query); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, %v", query, got, err)
		}
	}
	skipping := open(t, staff, nil, func(c *parquetsql.Config) { c.OnCorrupt = parquetsql.OnCorruptSkip })
	for query, column := range map[string]string{
		"SELECT * FROM staff":                          "salary",
		"SELECT iban FROM staff":                       "iban",
		"SELECT name FROM staff WHERE iban = 'x'":      "iban",
		"SELECT MIN(salary) FROM staff":                "salary",
		"SELECT name FROM staff ORDER BY iban LIMIT 1": "iban",

		"SELECT a.name FROM staff a LEFT JOIN staff b ON a.name = b.name AND b.salary > 1": "salary",
		"SELECT name FROM staff WHERE name IN (SELECT iban FROM staff)":                    "iban",
		"SELECT department, SUM(salary) FROM staff GROUP BY department":                    "salary",
		"SELECT COUNT(iban) FROM staff":                                                    "iban",
		"SELECT name FROM staff WHERE salary IS NOT NULL AND name = 'Ivan'":                "salary",
		"SELECT DISTINCT iban FROM staff":                                                  "iban",
	} {
		for _, db := range []*sql.DB{db, skipping} { // a missing key is no damage
			_, err := rows(db, query)
			missing(t, err, column, "staff.parquet")
		}
	}
	if _, err := rows(open(t, javaFolder+javaFile, nil, nil), "SELECT COUNT(*) FROM `external_key_material_java.parquet`"); !errors.Is(err, parquetsql.ErrKeyMissing) {
		t.Errorf("a file whose footer is encrypted: %v", err)
	}
}

// TestHiddenValues: neither plans nor system tables show what is in a column whose key is
// not known, and with the key its statistics prune.
func TestHiddenValues(t *testing.T) {
	hidden, shown := open(t, staff, nil, nil), open(t, staff, nil, staffKMS(t).keys)
	for _, query := range []string{
		"EXPLAIN SELECT name FROM staff WHERE salary > 4000",
		"EXPLAIN FORMAT=JSON SELECT MIN(salary) FROM staff",
		"SELECT * FROM `staff$columns`",
		"SELECT * FROM `staff$pages`",
		"SELECT * FROM `staff$files`",
		"SHOW CREATE TABLE staff",
	} {
		got, err := rows(hidden, query)
		if err != nil && !errors.Is(err, parquetsql.ErrKeyMissing) {
			t.Errorf("%s: %v", query, err)
		}
		if text := strings.Join(got, "\n"); strings.Contains(text, "4347") || strings.Contains(text, "3000") || strings.Contains(text, "XX") {
			t.Errorf("%s shows %s", query, text)
		}
	}
	if got, err := rows(shown, "SELECT min, max FROM `staff$columns` WHERE column = 'salary'"); err != nil || !slices.Equal(got, []string{"3000 4347"}) {
		t.Errorf("with the key: %q, %v", got, err)
	}
	plan, err := rows(shown, "EXPLAIN ANALYZE FORMAT=JSON SELECT name FROM staff WHERE salary > 5000")
	if err != nil || !strings.Contains(strings.ReplaceAll(plan[0], " ", ""), `"row_groups_pruned_statistics":1`) {
		t.Errorf("%s, %v", plan, err)
	}
	for query, want := range map[string][]string{
		"SELECT name FROM staff WHERE salary > 3900 ORDER BY salary": {"Ivan", "Karen", "Linus"},
		"SELECT MIN(salary), MAX(salary), COUNT(*) FROM staff":       {"3000 4347 12"},
	} {
		if got, err := rows(shown, query); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", query, got, err)
		}
	}
	_, err = rows(shown, "SELECT * FROM staff")
	missing(t, err, "iban")
}

// TestWrongKeys: a wrong key is an error that says so. No key is in an error.
func TestWrongKeys(t *testing.T) {
	footer, columns := javaKeys(t)
	wrong := []byte("a wrong key 0123")
	for name, change := range map[string]func(*parquetsql.Config){
		"footer": func(c *parquetsql.Config) { c.FooterKey, c.ColumnKeys = wrong, columns },
		"column": func(c *parquetsql.Config) {
			c.FooterKey, c.ColumnKeys = footer, map[string][]byte{"integers": wrong, "strings": wrong}
		},
		"swapped": func(c *parquetsql.Config) {
			c.FooterKey, c.ColumnKeys = footer, map[string][]byte{"integers": columns["strings"], "strings": columns["integers"]}
		},
		"longer": func(c *parquetsql.Config) {
			c.FooterKey, c.ColumnKeys = append(bytes.Clone(footer), footer...), columns
		},
		"retriever": func(c *parquetsql.Config) {
			c.KeyRetriever = func([]byte) ([]byte, error) { return wrong, nil }
		},
	} {
		query := "SELECT integers FROM `external_key_material_java.parquet`"
		got, err := rows(open(t, javaFolder+javaFile, nil, func(c *parquetsql.Config) { change(c); c.OnCorrupt = parquetsql.OnCorruptSkip }), query)
		if err == nil {
			t.Errorf("%s: the rows are left out, as if the file were damaged: %q", name, got)
		}
		if _, err = rows(open(t, javaFolder+javaFile, nil, change), query); err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, key := range [][]byte{wrong, footer, columns["integers"]} {
			if strings.Contains(err.Error(), string(key)) || strings.Contains(err.Error(), base64.RawStdEncoding.EncodeToString(key)) {
				t.Errorf("%s: the error shows a key: %v", name, err)
			}
		}
		if !strings.Contains(err.Error(), "key") || !strings.Contains(err.Error(), javaFile) {
			t.Errorf("%s: the error does not say that the key may be wrong: %v", name, err)
		}
	}
}

// TestTwoConnectors: what one connector could decrypt, another one over the same files
// does not see.
func TestTwoConnectors(t *testing.T) {
	with, without := open(t, staff, nil, staffKMS(t).keys), open(t, staff, nil, nil)
	for range 3 {
		if got, err := rows(with, "SELECT MAX(salary) FROM staff"); err != nil || !slices.Equal(got, []string{"4347"}) {
			t.Errorf("%q, %v", got, err)
		}
		_, err := rows(without, "SELECT MAX(salary) FROM staff")
		missing(t, err, "salary")
	}
}

// TestMixedFolder: a table of encrypted and plain files. A file that the query does not
// read needs no key.
func TestMixedFolder(t *testing.T) {
	files := fstest.MapFS{"t/a.parquet": read(t, staff), "t/b.parquet": read(t, "testdata/penguins.parquet"), "u.parquet": read(t, javaFolder+javaFile)}
	without, with := open(t, ".", files, nil), open(t, ".", files, staffKMS(t).keys)
	for query, want := range map[string][]string{
		"SHOW TABLES": {"t", "u"},
		"SELECT DISTINCT table_name FROM information_schema.columns":   {"t"},
		"SELECT COUNT(*) FROM t":                                       {"356"},
		"SELECT MAX(name), MAX(Species) FROM t":                        {"Linus Gentoo"},
		"SELECT COUNT(*) FROM t WHERE _file = 't/a.parquet'":           {"12"},
		"SELECT COUNT(salary) FROM t WHERE _file = 't/b.parquet'":      {"0"},
		"SELECT COUNT(*) FROM t WHERE Species IS NULL AND name < 'B' ": {"1"},
	} {
		if got, err := rows(without, query); err != nil || !slices.Equal(got, want) {
			t.Errorf("without keys: %s: %q, %v", query, got, err)
		}
		if got, err := rows(with, query); err != nil || !slices.Equal(got, want) {
			t.Errorf("with keys: %s: %q, %v", query, got, err)
		}
	}
	if got, err := rows(with, "SELECT COUNT(salary), SUM(salary) FROM t"); err != nil || !slices.Equal(got, []string{"12 42542"}) {
		t.Errorf("%q, %v", got, err)
	}
	_, err := rows(without, "SELECT COUNT(salary) FROM t WHERE name > 'A'")
	missing(t, err, "salary", "t/a.parquet")
	_, err = rows(with, "SELECT * FROM u")
	missing(t, err, "u.parquet")
}
