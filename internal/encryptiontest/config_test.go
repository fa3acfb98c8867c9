package encryptiontest

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestDSN: the keys of each file of parquet-testing, in a DSN in both alphabets of base64
// and in a Config, give the rows that its answer has. TestForeignFiles compares all values.
func TestDSN(t *testing.T) {
	for _, name := range []string{"uniform_encryption", "encrypt_columns_and_footer", "encrypt_columns_and_footer_disable_aad_storage", "encrypt_columns_plaintext_footer",
		"external_key_material_java", "aes256/uniform_encryption", "aes256/encrypt_columns_and_footer"} {
		path := javaFolder + name + ".parquet.encrypted"
		var answer struct {
			Config struct {
				FooterKey  []byte            `json:"footer_key"`
				ColumnKeys map[string][]byte `json:"column_keys"`
				AADPrefix  []byte            `json:"aad_prefix"`
			}
			Rows []any
		}
		if err := json.Unmarshal(read(t, "testdata/expected/files/parquet-testing/data/"+name+".parquet.encrypted.json").Data, &answer); err != nil {
			t.Fatal(err)
		}
		keys := answer.Config
		config := func(c *parquetsql.Config) {
			c.FooterKey, c.ColumnKeys, c.AADPrefix = keys.FooterKey, keys.ColumnKeys, keys.AADPrefix
		}
		literal := &parquetsql.Config{Path: path}
		config(literal)
		formatted, err := sql.Open("parquet", literal.FormatDSN())
		if err != nil {
			t.Fatal(err)
		}
		defer formatted.Close()
		dbs := []*sql.DB{open(t, path, nil, config), formatted}
		for _, alphabet := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			dsn := path + "?footer_key=" + url.PathEscape(alphabet.EncodeToString(keys.FooterKey))
			for column, key := range keys.ColumnKeys {
				dsn += "&column_key." + column + "=" + url.PathEscape(alphabet.EncodeToString(key))
			}
			if keys.AADPrefix != nil {
				dsn += "&aad_prefix=" + url.PathEscape(alphabet.EncodeToString(keys.AADPrefix))
			}
			db, err := sql.Open("parquet", dsn)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			dbs = append(dbs, db)
		}
		for i, db := range dbs {
			var table string
			if err := db.QueryRow("SHOW TABLES").Scan(&table); err != nil {
				t.Fatal(err)
			}
			got, err := rows(db, "SELECT * FROM `"+table+"`")
			if err != nil || len(got) != len(answer.Rows) {
				t.Errorf("%s: configuration %d: %d rows of %d, %v", name, i, len(got), len(answer.Rows), err)
			}
		}
	}
}

// TestGroupKey: the key of a group is that of the columns in it.
func TestGroupKey(t *testing.T) {
	path := javaFolder + "aes256/encrypt_columns_and_footer.parquet.encrypted"
	keys := func(column string) func(*parquetsql.Config) {
		return func(c *parquetsql.Config) {
			c.FooterKey = []byte("01234567890123456789012345678901")
			c.ColumnKeys = map[string][]byte{column: []byte("12345678901234567890123456789018")}
		}
	}
	var want []string
	for _, column := range []string{"int64_field.list.element", "int64_field.list", "int64_field"} {
		db := open(t, path, nil, keys(column))
		var table string
		if err := db.QueryRow("SHOW TABLES").Scan(&table); err != nil {
			t.Fatal(err)
		}
		got, err := rows(db, "SELECT int64_field FROM `"+table+"`")
		if want == nil {
			want = got
		}
		if err != nil || len(got) < 10 || !slices.Equal(got, want) {
			t.Errorf("key of %s: %q, %v", column, got, err)
		}
	}
}

// TestKeysAreNotShown: neither %v of what the driver gives out nor its statistics show keys.
func TestKeysAreNotShown(t *testing.T) {
	key := bytes.Repeat([]byte("0123456789ABCDEF"), 2)
	c := parquetsql.Config{Path: staff, FooterKey: key, ColumnKeys: map[string][]byte{"salary": key}, AADPrefix: key}
	connector, err := parquetsql.NewConnector(&c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = rows(sql.OpenDB(connector), "SELECT salary FROM staff")
	if err == nil {
		t.Error("no error")
	}
	for _, v := range []any{c, &c, err, connector, []any{c, &c}, struct{ C parquetsql.Config }{c}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
			text := fmt.Sprintf(verb, v)
			for _, shown := range []string{"0123456789ABCDEF", base64.RawStdEncoding.EncodeToString(key)[:20], fmt.Sprintf("%x", key[:16])} {
				if bytes.Contains([]byte(text), []byte(shown)) {
					t.Errorf("%s of %T shows a key: %s", verb, v, text)
				}
			}
		}
	}
}
