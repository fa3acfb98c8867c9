package column

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
)

const encryptedFolder = "../../testdata/files/parquet-testing/data/"

// The keys of the encrypted files of parquet-testing (its README.md).
var (
	arrowKeys = chunktest.Keys{
		Footer:  "0123456789012345",
		Columns: map[string]string{"double_field": "1234567890123450", "float_field": "1234567890123451"},
	}
	arrowKeys256 = chunktest.Keys{
		Footer: "01234567890123456789012345678901",
		Columns: map[string]string{
			"double_field": "12345678901234567890123456789012", "float_field": "12345678901234567890123456789013",
			"boolean_field": "12345678901234567890123456789014", "int32_field": "12345678901234567890123456789015",
			"ba_field": "12345678901234567890123456789016", "flba_field": "12345678901234567890123456789017",
			"int64_field.list.element": "12345678901234567890123456789018", "int96_field": "12345678901234567890123456789019",
		},
	}
)

// arrowColumns are the values of the files that Arrow C++ wrote
// (cpp/src/parquet/encryption/test_encryption_util.cc).
var arrowColumns = map[string]func(i int) string{
	"boolean_field": func(i int) string { return fmt.Sprint(i%2 == 0) },
	"int32_field":   func(i int) string { return fmt.Sprint(i) },
	"int64_field": func(i int) string {
		return fmt.Sprintf("0 %d | 1 %d", 2*int64(i)*1_000_000_000_000, (2*int64(i)+1)*1_000_000_000_000)
	},
	"float_field":  func(i int) string { return strconv.FormatFloat(float64(float32(i)*1.1), 'x', -1, 32) },
	"double_field": func(i int) string { return strconv.FormatFloat(float64(i)*1.1111111, 'x', -1, 64) },
	"ba_field": func(i int) string {
		if i%2 != 0 {
			return "NULL:0"
		}
		return fmt.Sprintf("%q", fmt.Sprintf("parquet%03d", i))
	},
	"flba_field": func(i int) string { return fmt.Sprintf("%q", strings.Repeat(string(rune(i)), 10)) },
}

func openEncrypted(t testing.TB, name string, keys fileformat.Keys) (*fileformat.File, *bytes.Reader, error) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(encryptedFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	source := bytes.NewReader(data)
	f, err := fileformat.Open(source, int64(len(data)), fileformat.Options{Name: "test", VerifyChecksums: true, Keys: keys})
	return f, source, err
}

// TestEncryptedArrow reads files of Arrow C++ with all keys.
func TestEncryptedArrow(t *testing.T) {
	prefixed := arrowKeys
	prefixed.Prefix = "tester"
	for name, keys := range map[string]chunktest.Keys{
		"encrypt_columns_and_footer.parquet.encrypted":                     arrowKeys,
		"encrypt_columns_and_footer_disable_aad_storage.parquet.encrypted": prefixed,
		"encrypt_columns_plaintext_footer.parquet.encrypted":               arrowKeys,
		"uniform_encryption.parquet.encrypted":                             {Footer: arrowKeys.Footer},
		"aes256/encrypt_columns_and_footer.parquet.encrypted":              arrowKeys256,
		"aes256/uniform_encryption.parquet.encrypted":                      {Footer: arrowKeys256.Footer},
	} {
		t.Run(name, func(t *testing.T) {
			f, source, err := openEncrypted(t, name, keys)
			if err != nil {
				t.Fatal(err)
			}
			for leaf := range f.Schema.Leaves {
				if f, err = f.Unlock(t.Context(), []int{leaf}); err != nil {
					t.Fatal(err)
				}
			}
			compareArrow(t, f, source, nil)
		})
	}
}

// compareArrow reads all columns but those of locked, which must be locked.
func compareArrow(t *testing.T, f *fileformat.File, source *bytes.Reader, locked []string) {
	t.Helper()
	read := 0
	for _, c := range f.RowGroups()[0].Columns {
		r, err := NewReader(c, Options{Source: source})
		if slices.Contains(locked, c.Leaf.Name) {
			if !errors.Is(err, errs.ErrKeyMissing) || !strings.Contains(err.Error(), c.Leaf.Name) || !c.Locked() {
				t.Errorf("%s is locked: %v", c.Leaf.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAllRows(t, r, 100)
		if err != nil || len(got) != 50 {
			t.Errorf("%s: %d rows, %v", c.Leaf.Name, len(got), err)
		}
		value := arrowColumns[c.Leaf.Path[0]]
		if value == nil {
			continue
		}
		read++
		var want records
		for i := range 50 {
			want = append(want, value(i))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q", c.Leaf.Name, got)
		}
	}
	if want := len(arrowColumns) - len(locked); read != want {
		t.Errorf("%d columns were compared, not %d", read, want)
	}
}

// TestPlaintextFooter: without keys, or with the footer's only, the unencrypted columns
// of a file with a signed plaintext footer are readable.
func TestPlaintextFooter(t *testing.T) {
	for _, keys := range []fileformat.Keys{nil, chunktest.Keys{}, chunktest.Keys{Footer: arrowKeys.Footer}} {
		f, source, err := openEncrypted(t, "encrypt_columns_plaintext_footer.parquet.encrypted", keys)
		if err != nil {
			t.Fatal(err)
		}
		compareArrow(t, f, source, []string{"float_field", "double_field"})
		for leaf, n := range f.Schema.Leaves {
			_, err := f.Unlock(t.Context(), []int{leaf})
			locked := n.Name == "float_field" || n.Name == "double_field"
			if errors.Is(err, errs.ErrKeyMissing) != locked || locked && !strings.Contains(err.Error(), n.Name) {
				t.Errorf("%s: %v", n.Name, err)
			}
		}
	}
}

// TestEncryptedJava reads a file of parquet-java. The data keys are those that its
// external key material has, unwrapped.
func TestEncryptedJava(t *testing.T) {
	key := func(s string) string {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	f, source, err := openEncrypted(t, "external_key_material_java.parquet.encrypted", chunktest.Keys{
		Footer:  key("XmOtoVk/q0q7auy8aoLdGg=="),
		Columns: map[string]string{"integers": key("aGRyawm72Xj66H3wrUFV0A=="), "strings": key("TxsXxiHWGxkXo1bSzx6vzA==")},
	})
	if err == nil {
		f, err = f.Unlock(t.Context(), []int{0, 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	var want [2]records
	for i := range 100 {
		want[0] = append(want[0], strconv.Itoa(i))
		want[1] = append(want[1], fmt.Sprintf("%q", string(rune('a'+i%10))+strconv.Itoa(i)))
	}
	for i, c := range f.RowGroups()[0].Columns {
		r, err := NewReader(c, Options{Source: source})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readAllRows(t, r, 100); err != nil || !reflect.DeepEqual(got, want[i]) {
			t.Errorf("%s: %q, %v", c.Leaf.Name, got, err)
		}
		if x, err := c.OffsetIndex(source); err != nil || x == nil {
			t.Errorf("offset index: %v, %v", x, err)
		}
		if x, err := c.ColumnIndex(source); err != nil || x == nil {
			t.Errorf("column index: %v, %v", x, err)
		}
	}
}
