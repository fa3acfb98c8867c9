package variant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const parquetTesting = "../testdata/files/parquet-testing"

// answers are the rows of a file of testdata/expected, by number: the JSON text of
// each, where a row has one.
func answers(t *testing.T, file string) (texts []string, first []any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../testdata/expected/files/parquet-testing", file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Rows [][]any }
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	for _, row := range answer.Rows {
		text, err := json.Marshal(row[1].(map[string]any)["json"])
		if err != nil {
			t.Fatal(err)
		}
		texts, first = append(texts, string(text)), append(first, row[0])
	}
	return texts, first
}

// sameJSON compares two JSON texts by meaning: numbers by their digits, or as floats
// where they have an exponent or more digits than a decimal.
func sameJSON(a, b string) bool {
	var values [2]any
	for i, text := range []string{a, b} {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&values[i]) != nil {
			return false
		}
	}
	return sameValue(values[0], values[1])
}

func sameValue(x, y any) bool {
	switch x := x.(type) {
	case json.Number:
		n, ok := y.(json.Number)
		if !ok || x == n {
			return ok
		}
		f, _ := x.Float64()
		g, _ := n.Float64()
		return f == g && (strings.ContainsAny(string(x+n), "eE-") || max(len(x), len(n)) > 38)
	case []any:
		list, ok := y.([]any)
		if !ok || len(list) != len(x) {
			return false
		}
		for i := range x {
			if !sameValue(x[i], list[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := y.(map[string]any)
		if !ok || len(object) != len(x) {
			return false
		}
		for k := range x {
			if v, ok := object[k]; !ok || !sameValue(x[k], v) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(x, y)
}

// TestBinaryFiles reads the values of parquet-testing's folder variant, which Spark
// wrote.
func TestBinaryFiles(t *testing.T) {
	texts, names := answers(t, "variant/values.parquet")
	if len(texts) < 10 {
		t.Fatalf("%d values", len(texts))
	}
	for i, name := range names {
		v := parsed(t, binaryFile(t, fmt.Sprint("variant/", name, ".metadata")), binaryFile(t, fmt.Sprint("variant/", name, ".value")))
		if got := string(v.AppendJSON(nil)); !sameJSON(got, texts[i]) {
			t.Errorf("%s: %s, want %s", name, got, texts[i])
		}
	}
}

// TestShreddedBinaryFiles reads the values of parquet-testing's folder
// shredded_variant, which Iceberg wrote: metadata and value, one behind the other.
func TestShreddedBinaryFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(parquetTesting, "shredded_variant/*.bin"))
	if err != nil || len(files) < 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	part := regexp.MustCompile(`^(.*)_row-(\d)\.variant\.bin$`)
	for _, file := range files {
		match := part.FindStringSubmatch(filepath.Base(file))
		texts, _ := answers(t, "shredded_variant/"+match[1]+".parquet")
		bytes := binaryFile(t, "shredded_variant/"+filepath.Base(file))
		names, err := ParseMetadata(bytes)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		end := names.first + int(names.offset(names.count))
		v := parsed(t, bytes[:end], bytes[end:])
		if want, got := texts[match[2][0]-'0'], string(v.AppendJSON(nil)); !sameJSON(got, want) {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

func binaryFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parquetTesting, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// parsed is a Variant that must be right.
func parsed(t *testing.T, metadata, value string) Value {
	t.Helper()
	v, err := Parse(metadata, value)
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		t.Fatalf("%x %x: %v", metadata, value, err)
	}
	if _, data := v.Bytes(); len(data) != len(value) {
		t.Fatalf("%x %x: the value has %d bytes", metadata, value, len(data))
	}
	return v
}
