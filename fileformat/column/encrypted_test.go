package column

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestSignedFooter reads the unencrypted columns of a file with a signed plaintext
// footer. Arrow C++'s FileEncryptor wrote it; the values are from there
// (cpp/src/parquet/encryption/test_encryption_util.cc).
func TestSignedFooter(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "files", "parquet-testing", "data", "encrypt_columns_plaintext_footer.parquet.encrypted"))
	if err != nil {
		t.Fatal(err)
	}
	source := bytes.NewReader(data)
	f, err := fileformat.Open(source, int64(len(data)), fileformat.Options{Name: "test", VerifyChecksums: true})
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string]func(i int) string{
		"boolean_field": func(i int) string { return fmt.Sprint(i%2 == 0) },
		"int32_field":   func(i int) string { return fmt.Sprint(i) },
		"int64_field": func(i int) string {
			return fmt.Sprintf("0 %d | 1 %d", 2*int64(i)*1_000_000_000_000, (2*int64(i)+1)*1_000_000_000_000)
		},
		"ba_field": func(i int) string {
			if i%2 != 0 {
				return "NULL:0"
			}
			return fmt.Sprintf("%q", fmt.Sprintf("parquet%03d", i))
		},
		"flba_field": func(i int) string { return fmt.Sprintf("%q", strings.Repeat(string(rune(i)), 10)) },
	}
	read := 0
	for _, c := range f.RowGroups()[0].Columns {
		r, err := NewReader(c, Options{Source: source})
		if c.Leaf.Name == "float_field" || c.Leaf.Name == "double_field" {
			if !errors.Is(err, errs.ErrUnsupported) || !strings.Contains(err.Error(), c.Leaf.Name) {
				t.Errorf("%s is encrypted: %v", c.Leaf.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAllRows(t, r, 100)
		value := columns[c.Leaf.Name]
		if err != nil || len(got) != 50 {
			t.Errorf("%s: %d rows, %v", c.Leaf.Name, len(got), err)
		}
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
	if read != len(columns) {
		t.Errorf("%d columns were compared", read)
	}
}
