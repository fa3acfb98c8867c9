package column

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
)

const matrixFolder = "../../testdata/files/arrow-go/encrypted/"

// matrixFile reads a file of the encryption matrix and its keys, from its answer.
func matrixFile(t testing.TB, name string) ([]byte, chunktest.Keys) {
	t.Helper()
	data, err := os.ReadFile(matrixFolder + name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../testdata/expected/files/arrow-go/encrypted/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Config struct {
			FooterKey  []byte            `json:"footer_key"`
			ColumnKeys map[string][]byte `json:"column_keys"`
			AADPrefix  []byte            `json:"aad_prefix"`
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	keys := chunktest.Keys{Footer: string(answer.Config.FooterKey), Columns: map[string]string{}, Prefix: string(answer.Config.AADPrefix)}
	for path, key := range answer.Config.ColumnKeys {
		keys.Columns[path] = string(key)
	}
	return data, keys
}

// openUnlocked opens a file and unlocks all its columns.
func openUnlocked(t testing.TB, data []byte, keys fileformat.Keys) (*fileformat.File, error) {
	f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Name: "test", VerifyChecksums: true, Keys: keys})
	if err != nil {
		return nil, err
	}
	var leaves []int
	for i := range f.Schema.Leaves {
		leaves = append(leaves, i)
	}
	return f.Unlock(t.Context(), leaves)
}

// contents is all that a file's chunks have: values, indexes and bloom filters.
type contents struct {
	values  []records
	indexes []*fileformat.ColumnIndex
	rows    [][]int64 // first rows of the offset indexes' pages
	blooms  []string
}

func readContents(t testing.TB, data []byte, keys fileformat.Keys) (out contents, err error) {
	f, err := openUnlocked(t, data, keys)
	if err != nil {
		return out, err
	}
	source := bytes.NewReader(data)
	for _, g := range f.RowGroups() {
		for _, c := range g.Columns {
			if err := out.add(t, c, source); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// add reads a chunk, in the order of the file and by its offset index.
func (x *contents) add(t testing.TB, c *fileformat.ColumnChunk, source *bytes.Reader) error {
	offsets, err := c.OffsetIndex(source)
	if err != nil {
		return err
	}
	bounds, err := c.ColumnIndex(source)
	if err != nil {
		return err
	}
	filter, err := c.BloomFilter(source)
	if err != nil {
		return err
	}
	var first []int64
	for _, o := range []*fileformat.OffsetIndex{nil, offsets} {
		r, err := NewReader(c, Options{Source: source, Offset: o})
		if err != nil {
			return err
		}
		got, err := readAllRows(t, r, 7)
		if err != nil {
			return err
		}
		x.values = append(x.values, got)
	}
	if offsets != nil {
		for _, p := range offsets.Pages {
			first = append(first, p.FirstRow)
		}
	}
	x.indexes, x.rows = append(x.indexes, bounds), append(x.rows, first)
	if filter != nil {
		answers := ""
		for _, s := range []string{"name 1", "name 9", "no name", "", "x", "name 10"} {
			answers += map[bool]string{true: "+", false: "-"}[filter.MayContainHash(fileformat.HashBytes([]byte(s)))]
		}
		x.blooms = append(x.blooms, answers)
		return filter.Err()
	}
	return nil
}

// TestEncryptionMatrix reads what arrow-go wrote with each algorithm, footer mode, key
// size and AAD prefix, with one key and with several. The values, and the indexes that
// the writer made, are those of the file in the clear.
func TestEncryptionMatrix(t *testing.T) {
	data, _ := matrixFile(t, "clear.parquet")
	want, err := readContents(t, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.rows[0]) < 2 || len(want.blooms) != 2 {
		t.Fatalf("the file in the clear has pages %v, bloom filters %q", want.rows, want.blooms)
	}
	files, err := filepath.Glob(matrixFolder + "*.parquet.encrypted")
	if err != nil || len(files) != 2*2*3*3*2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			data, keys := matrixFile(t, name)
			got, err := readContents(t, data, keys)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.values, want.values) {
				t.Errorf("values: %q, want %q", got.values, want.values)
			}
			if !reflect.DeepEqual(got.rows, want.rows) || !reflect.DeepEqual(got.indexes, want.indexes) {
				t.Errorf("indexes: rows %v, want %v", got.rows, want.rows)
			}
			// arrow-go writes bloom filters only where this is so.
			if strings.Contains(name, "_sealed_") && strings.Contains(name, "_uniform") && !reflect.DeepEqual(got.blooms, want.blooms) {
				t.Errorf("bloom filters: %q, want %q", got.blooms, want.blooms)
			}
			withWrongKeys(t, data, keys)
		})
	}
}

// withWrongKeys: another key of the same size, another prefix or none are errors.
func withWrongKeys(t *testing.T, data []byte, keys chunktest.Keys) {
	t.Helper()
	var corrupt *errs.CorruptError
	wrong := keys
	wrong.Footer = strings.ToUpper(keys.Footer)
	if _, err := readContents(t, data, wrong); !errors.As(err, &corrupt) {
		t.Errorf("a wrong footer key: %v", err)
	}
	for path := range keys.Columns {
		wrong = keys
		wrong.Columns = map[string]string{path: strings.ToUpper(keys.Columns[path])}
		_, err := readContents(t, data, wrong)
		if !errors.As(err, &corrupt) && !errors.Is(err, errs.ErrKeyMissing) {
			t.Errorf("a wrong key of %s: %v", path, err)
		}
	}
	wrong = keys
	wrong.Prefix = "another file's name"
	if _, err := readContents(t, data, wrong); !errors.As(err, &corrupt) {
		t.Errorf("another AAD prefix: %v", err)
	}
	if keys.Prefix == "" {
		return
	}
	wrong.Prefix = ""
	if _, err := readContents(t, data, wrong); !errors.Is(err, errs.ErrKeyMissing) || !strings.Contains(err.Error(), "AADPrefix") {
		t.Errorf("no AAD prefix: %v", err)
	}
}
