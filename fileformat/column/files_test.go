package column

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/fileformat"
)

// An answer is the expected content of a file; testdata/README.md describes the form.
type answer struct {
	Columns []struct{ Name, Type string }
	Rows    [][]any
	Error   string
	MayFail bool `json:"may_fail"`
}

// foreignFiles returns files of other writers, with their answers if there are any.
func foreignFiles(t testing.TB, visit func(path, answerPath string)) {
	files := filepath.Join("..", "..", "testdata", "files")
	err := filepath.WalkDir(files, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") {
			rel, _ := filepath.Rel(files, path)
			visit(path, filepath.Join("..", "..", "testdata", "expected", "files", rel+".json"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestForeignFiles reads each chunk of each file in different ways. The results must
// agree with each other and, if a column is flat and of a simple type, with the
// file's answer.
func TestForeignFiles(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	foreignFiles(t, func(path, answerPath string) {
		if testing.Short() && rnd.IntN(4) > 0 { // the race detector's runs: 1 in 4 is enough
			return
		}
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want answer
			if text, err := os.ReadFile(answerPath); err == nil {
				d := json.NewDecoder(bytes.NewReader(text))
				d.UseNumber()
				if err := d.Decode(&want); err != nil {
					t.Fatal(err)
				}
			}
			err = checkFile(t, rnd, path, data, &want)
			var corrupt *errs.CorruptError
			switch {
			case strings.Contains(path, "shredded_variant"): // the errors of some are not in the pages
				if err != nil {
					t.Error(err)
				}
			case want.Error == "corrupt" && !errors.As(err, &corrupt), want.Error != "" && err == nil:
				t.Errorf("got %v, want an error (%s)", err, want.Error)
			case want.Error == "" && err != nil && !want.MayFail:
				t.Error(err)
			}
		})
	})
}

func checkFile(t *testing.T, rnd *rand.Rand, path string, data []byte, want *answer) error {
	f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Name: path, VerifyChecksums: true})
	if err != nil {
		return err
	}
	for i, leaf := range f.Schema.Leaves {
		if leaf.Err != nil && want.Error == "" { // an error of this column alone
			continue
		}
		var column []string
		for _, g := range f.RowGroups() {
			rows, err := checkChunk(t, rnd, g.Columns[i], bytes.NewReader(data))
			if err != nil {
				return err
			}
			column = append(column, rows...)
		}
		checkAnswer(t, leaf, column, want)
	}
	return nil
}

// checkChunk reads a chunk in many ways. Without levels, the text distinguishes NULLs
// from values, but not NULLs of different levels.
func checkChunk(t *testing.T, rnd *rand.Rand, c *fileformat.ColumnChunk, source *bytes.Reader) (records, error) {
	index, err := c.OffsetIndex(source)
	if err != nil {
		return nil, err
	}
	read := func(o Options, n int) (records, error) {
		o.Source = source
		r, err := NewReader(c, o)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return readAllRows(t, r, n)
	}
	full, err := read(Options{Levels: true}, 1000)
	if err != nil {
		return nil, err
	}
	flat := full
	if c.Leaf.MaxRep == 0 {
		if flat, err = read(Options{}, 1<<20); err != nil {
			return nil, err
		}
	}
	for _, o := range []Options{{}, {Levels: true}, {NoDictionaryCodes: true}, {Offset: index, Levels: true}} {
		want := flat
		if o.Levels {
			want = full
		}
		for _, n := range []int{1, 7, 64, 65, 2048} {
			if n == 1 && c.RowGroup.NumRows > 1000 {
				continue
			}
			got, err := read(o, n)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("column %s, %+v, %d at a time: different rows, %v", c.Leaf.Dotted(), o, n, err)
			}
		}
		o.Source = source
		if o.NoDictionaryCodes {
			o.Offset = index
		}
		r, err := NewReader(c, o)
		if err != nil {
			t.Fatal(err)
		}
		for r.Row() < r.total {
			if err := r.Skip(rnd.Int64N(min(r.total-r.Row()+1, 700))); err != nil {
				t.Fatal(err)
			}
			at := r.Row()
			b, err := r.Read(1 + rnd.IntN(100))
			if err != nil {
				t.Fatal(err)
			}
			if got := appendRecords(t, nil, c.Leaf, o, b); len(got) > 0 && !reflect.DeepEqual(got, want[at:r.Row()]) {
				t.Fatalf("column %s, %+v, rows %d to %d: different rows", c.Leaf.Dotted(), o, at, r.Row())
			}
		}
	}
	return flat, nil
}

// checkAnswer compares a flat column of a simple type with the file's answer.
func checkAnswer(t *testing.T, leaf *fileformat.Node, got records, want *answer) {
	at := -1
	for i, c := range want.Columns {
		if c.Name == leaf.Dotted() {
			at = i
		}
	}
	if at < 0 || leaf.MaxRep > 0 {
		return
	}
	if len(got) != len(want.Rows) {
		t.Errorf("column %s has %d rows, want %d", leaf.Dotted(), len(got), len(want.Rows))
		return
	}
	for row, values := range want.Rows {
		text, ok := answerText(leaf, want.Columns[at].Type, values[at])
		if isNull := strings.HasPrefix(got[row], "NULL:"); ok && text != got[row] || isNull != (values[at] == nil) {
			t.Errorf("column %s, row %d: got %s, want %v", leaf.Dotted(), row, got[row], values[at])
			return
		}
	}
}

// answerText returns an answer's value in the form of valueAt; ok is false for types
// whose physical values are converted by other packages.
func answerText(leaf *fileformat.Node, sqlType string, value any) (text string, ok bool) {
	switch v := value.(type) {
	case bool:
		return fmt.Sprint(v), true
	case json.Number:
		switch leaf.Physical {
		case fileformat.Int32, fileformat.Int64:
			if leaf.Logical.Kind == fileformat.LogicalDecimal {
				return "", false
			}
			u, err := strconv.ParseUint(v.String(), 10, 64)
			if strings.HasPrefix(sqlType, "U") && err == nil && leaf.Physical == fileformat.Int32 {
				return fmt.Sprint(int32(u)), true
			}
			if strings.HasPrefix(sqlType, "U") && err == nil {
				return fmt.Sprint(int64(u)), true
			}
			return v.String(), true
		case fileformat.Float:
			f, err := strconv.ParseFloat(v.String(), 32)
			return fmt.Sprintf("%x", float32(f)), err == nil
		case fileformat.Double:
			f, err := v.Float64()
			return fmt.Sprintf("%x", f), err == nil
		}
	case string:
		return fmt.Sprintf("%q", v), sqlType == "VARCHAR" || sqlType == "ENUM" || sqlType == "JSON"
	case map[string]any:
		if h, isHex := v["hex"].(string); isHex {
			b, err := hex.DecodeString(h)
			return fmt.Sprintf("%q", b), err == nil
		}
	}
	return "", false
}
