package column

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// arrowColumns are the values of the files that Arrow C++ wrote
// (cpp/src/parquet/encryption/test_encryption_util.cc).
var arrowColumns = map[string]func(i int) string{
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
	if read != len(arrowColumns) {
		t.Errorf("%d columns were compared", read)
	}
}

// TestPlaintextFooter: without keys, or with the footer's only, the unencrypted columns
// of a file with a signed plaintext footer are readable.
func TestPlaintextFooter(t *testing.T) {
	data, err := os.ReadFile("../../testdata/files/parquet-testing/data/encrypt_columns_plaintext_footer.parquet.encrypted")
	if err != nil {
		t.Fatal(err)
	}
	source := bytes.NewReader(data)
	for _, keys := range []fileformat.Keys{nil, chunktest.Keys{}, chunktest.Keys{Footer: "0123456789012345"}} {
		f, err := fileformat.Open(source, int64(len(data)), fileformat.Options{Name: "test", VerifyChecksums: true, Keys: keys})
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
