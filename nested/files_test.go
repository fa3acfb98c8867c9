package nested

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// testdata has the files and, below expected, their answers.
var testdata = filepath.Join("..", "testdata")

type answer struct {
	Columns []struct {
		Name, Type string
		Nullable   bool
	}
	Rows    [][]any
	Error   string
	MayFail bool `json:"may_fail"`
	Config  any
	Queries any
	SameAs  string `json:"same_as"` // another file's answer
}

// TestFiles reads every file that has an answer, column by column.
func TestFiles(t *testing.T) {
	root := filepath.Join(testdata, "expected")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".parquet.json") {
			return err
		}
		name, _ := filepath.Rel(root, strings.TrimSuffix(path, ".json"))
		want := readAnswer(t, root, name)
		if want.Rows == nil && want.Error == "" || want.Config != nil || want.Queries != nil || strings.Contains(name, "variant") {
			return nil
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) { checkAnswer(t, filepath.Join(testdata, name), &want) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readAnswer(t *testing.T, root, name string) (want answer) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&want); err != nil {
		t.Fatal(name, err)
	}
	if want.SameAs != "" {
		return readAnswer(t, root, want.SameAs)
	}
	return want
}

func checkAnswer(t *testing.T, file string, want *answer) {
	err := checkFile(t, file, want)
	var corrupt *errs.CorruptError
	switch {
	case want.Error == "corrupt" && !errors.As(err, &corrupt), want.Error == "any" && err == nil:
		t.Errorf("%v, want an error: %s", err, want.Error)
	case want.Error == "" && err != nil && !want.MayFail:
		t.Error(err)
	}
}

func checkFile(t *testing.T, path string, want *answer) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Name: path, VerifyChecksums: true})
	if err != nil {
		return err
	}
	columns, err := Columns(f.Schema, Options{})
	if err != nil {
		return err
	}
	for n := len(columns); n > 0 && columns[n-1].Group; n-- {
		if want.Error == "" { // there are no answers for whole groups
			if err := eachRow(f, data, columns[n-1], vector.BatchSize, func(*vector.Vector, int) error { return nil }); err != nil {
				return err
			}
		}
		columns = columns[:n-1]
	}
	if want.Error != "" {
		for _, c := range columns {
			if err := eachRow(f, data, c, vector.BatchSize, func(*vector.Vector, int) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	}
	if len(columns) != len(want.Columns) {
		return fmt.Errorf("%d columns, want %d", len(columns), len(want.Columns))
	}
	for i, c := range columns {
		w := want.Columns[i]
		nullable := w.Nullable
		if strings.HasSuffix(path, "unknown-logical-type.parquet") {
			nullable = true // the answer says otherwise, but the schema's elements have repetition_type OPTIONAL
		}
		if c.Name != w.Name || c.Type.Kind.String() != w.Type || c.Nullable != nullable {
			t.Errorf("column %s %v nullable %v, want %+v", c.Name, c.Type, c.Nullable, w)
		}
		for _, batch := range []int{vector.BatchSize, 3} {
			if err := checkColumn(t, f, data, c, i, batch, want.Rows); err != nil {
				return fmt.Errorf("column %s: %w", c.Name, err)
			}
		}
	}
	return nil
}

func checkColumn(t *testing.T, f *fileformat.File, data []byte, c Column, at, batch int, want [][]any) error {
	row := 0
	err := eachRow(f, data, c, batch, func(v *vector.Vector, i int) error {
		if row == len(want) {
			return fmt.Errorf("more than %d rows", len(want))
		}
		if got := shown(v, i); !matches(got, want[row][at]) {
			t.Fatalf("column %s, row %d: %#v, want %#v", c.Name, row, got, want[row][at])
		}
		row++
		return nil
	})
	if err == nil && row != len(want) {
		err = fmt.Errorf("%d rows, want %d", row, len(want))
	}
	return err
}

// used is what the reader before has left, of another row group or of any other column.
var used Buffers

// eachRow reads a column from beginning to end.
func eachRow(f *fileformat.File, data []byte, c Column, batch int, each func(v *vector.Vector, row int) error) error {
	for _, g := range f.RowGroups() {
		r, err := NewReader(c, nil, Options{}, func(leaf int, levels bool) (*column.Reader, error) {
			return column.NewReader(g.Columns[leaf], column.Options{Source: bytes.NewReader(data), Levels: levels})
		})
		if err != nil {
			return err
		}
		r.Use(&used)
		if err := eachOf(r, batch, each); err != nil {
			return err
		}
	}
	return nil
}

func eachOf(r *Reader, batch int, each func(v *vector.Vector, row int) error) error {
	defer r.Close()
	var v vector.Vector
	for {
		n, err := r.Read(batch, &v)
		if n == 0 || err != nil {
			return err
		}
		for i := range n {
			if err := each(&v, i); err != nil {
				return err
			}
		}
	}
}

// shown is a value in the form of the answers.
func shown(v *vector.Vector, row int) any {
	text := AppendJSON(nil, v, row)
	var parsed any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&parsed); err != nil || decoder.More() {
		return fmt.Errorf("not JSON: %s", text)
	}
	if v.IsNull(row) {
		return parsed
	}
	s := v.Get(row)
	utc := func(days, nanos int64) any {
		return map[string]any{"time": time.Unix(days*86400, nanos).UTC().Format(time.RFC3339Nano)}
	}
	switch v.Type.Kind {
	case vector.List, vector.Map, vector.Struct:
		return map[string]any{"json": parsed}
	case vector.BSON:
		return within(parsed.(string))
	case vector.Blob, vector.Geometry, vector.Geography:
		return map[string]any{"hex": hex.EncodeToString([]byte(s.Str))}
	case vector.Decimal:
		return string(text)
	case vector.Date:
		return utc(s.I64, 0)
	case vector.Timestamp, vector.TimestampTZ:
		if v.Type.Unit == vector.Wide {
			return utc(vector.SplitWide(s.I128))
		}
		return utc(vector.SplitTimestamp(s.I64, v.Type.Unit))
	case vector.Half, vector.Float, vector.Double:
		if text[0] == '"' {
			return map[string]any{"float": parsed}
		}
	}
	return parsed
}

// within is the value of a text of JSON: JSON and BSON are strings within JSON.
func within(text string) any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		return err
	}
	return map[string]any{"json": document}
}

// matches compares an answer with a shown value; numbers by value.
func matches(got, want any) bool {
	if w, ok := want.(map[string]any); ok {
		if any, ok := w["any_of"].([]any); ok {
			for _, one := range any {
				if matches(got, one) {
					return true
				}
			}
			return false
		}
		g, ok := got.(map[string]any)
		if text, is := got.(string); is { // a column of type JSON
			g, ok = within(text).(map[string]any)
		}
		if !ok || len(g) != len(w) {
			return false
		}
		for k, v := range w {
			if gv, ok := g[k]; !ok || !matches(gv, v) {
				return false
			}
		}
		return true
	}
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !matches(g[i], w[i]) {
				return false
			}
		}
		return true
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return false
		}
		x, okX := new(big.Rat).SetString(g.String())
		y, okY := new(big.Rat).SetString(w.String())
		return okX && okY && x.Cmp(y) == 0
	}
	return reflect.DeepEqual(got, want)
}
