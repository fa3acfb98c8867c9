package format

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
)

// texts has what readers of the formats could take for something else.
var texts = []string{
	"plain", "", "NULL", "'NULL'", `\N`, `\.`, "a,b", `say "hi"`, "two\nlines", "cr\r and \r\n", "a\ttab", `back\slash`, `\n`,
	" before", "behind ", "two  blanks", "日本語", "é", "👩‍👩‍👧", "<b>&amp;</b>", "|pipe|", "*stars* _under_ ~~wave~~", "`code`",
	"# head", "- list", "1. list", "[a](b)", "https://a.example/b", "www.a.example", "a@b.example", "<!-- -->", "{}", `{"a":1}`,
	"\\|", "a\\", "  ", "![x](y)", "**", "&lt;", "@user", "#1",
}

func write(t *testing.T, name string, o Options, columns []Column, rows ...[]any) string {
	t.Helper()
	var out bytes.Buffer
	w, err := New(name, &out, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Head(columns); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Tail(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// textRows returns a row for each text, with NULL beside it.
func textRows() (columns []Column, rows [][]any) {
	columns = []Column{{Name: "text", Type: "VARCHAR"}, {Name: "a|b, \"c\" <d>", Type: "VARCHAR"}, {Name: "n", Type: "BIGINT"}}
	for i, text := range texts {
		rows = append(rows, []any{text, nil, int64(i)})
	}
	return columns, rows
}

func TestCSV(t *testing.T) {
	columns, rows := textRows()
	out := write(t, "csv", Options{}, columns, rows...)
	records, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != len(texts)+1 || records[0][1] != columns[1].Name {
		t.Fatalf("%d records, the head is %q", len(records), records[0])
	}
	for i, text := range texts {
		// encoding/csv reads \r\n as \n within quotes too.
		if got, want := records[i+1][0], strings.ReplaceAll(text, "\r\n", "\n"); got != want {
			t.Errorf("%q is read as %q", want, got)
		}
	}
	got := write(t, "csv", Options{NoHeader: true}, columns[:2], []any{"", nil}, []any{nil, ""})
	if want := "\"\",\n,\"\"\n"; got != want {
		t.Errorf("NULL and the empty text are %q, want %q", got, want)
	}
}

// TestTSV reads the format as the section "Text Format" of PostgreSQL's COPY describes it.
func TestTSV(t *testing.T) {
	columns, rows := textRows()
	lines := strings.Split(strings.TrimSuffix(write(t, "tsv", Options{NoHeader: true}, columns, rows...), "\n"), "\n")
	if len(lines) != len(texts) {
		t.Fatalf("%d lines for %d rows", len(lines), len(texts))
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 || fields[1] != `\N` || fields[0] == `\N` {
			t.Errorf("%q has the fields %q", texts[i], fields)
		}
		if got := unescape.Replace(fields[0]); got != texts[i] {
			t.Errorf("%q is read as %q", texts[i], got)
		}
	}
}

func TestJSON(t *testing.T) {
	columns, rows := textRows()
	var array []map[string]any
	if err := json.Unmarshal([]byte(write(t, "json", Options{}, columns, rows...)), &array); err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(strings.NewReader(write(t, "ndjson", Options{}, columns, rows...)))
	for i, text := range texts {
		var line map[string]any
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		for _, object := range []map[string]any{array[i], line} {
			if object["text"] != text || object[columns[1].Name] != nil || object["n"] != float64(i) {
				t.Errorf("%q is read as %v", text, object)
			}
		}
	}
	if out := write(t, "ndjson", Options{}, columns, rows...); strings.Count(out, "\n") != len(rows) {
		t.Errorf("%d lines for %d rows", strings.Count(out, "\n"), len(rows))
	}
	if out := write(t, "json", Options{}, columns); out != "[]\n" {
		t.Errorf("no rows are %q", out)
	}
}

// TestJSONValues compares with what encoding/json writes or reads.
func TestJSONValues(t *testing.T) {
	moment := time.Date(2024, 1, 2, 3, 4, 5, 60_000_000, time.UTC)
	tests := []struct {
		typ   string
		value any
		want  string
	}{
		{"BIGINT", int64(math.MinInt64), "-9223372036854775808"},
		{"UBIGINT", uint64(math.MaxUint64), "18446744073709551615"},
		{"DOUBLE", 0.1, "0.1"},
		{"DOUBLE", 1e300, "1e+300"},
		{"DOUBLE", math.NaN(), `"NaN"`},
		{"DOUBLE", math.Inf(-1), `"-Infinity"`},
		{"FLOAT", float32(0.1), "0.1"},
		{"FLOAT", float32(math.Inf(1)), `"Infinity"`},
		{"BOOLEAN", true, "true"},
		{"DECIMAL", "12345678901234567890123456789012345678.90", "12345678901234567890123456789012345678.90"},
		{"DECIMAL", "-0.50", "-0.50"},
		{"DATE", moment, `"2024-01-02"`},
		{"TIMESTAMP", moment, `"2024-01-02T03:04:05.060"`},
		{"TIMESTAMPTZ", moment, `"2024-01-02T03:04:05.060Z"`},
		{"LIST", `[1,{"a":null}]`, `[1,{"a":null}]`},
		{"JSON", "{\n \"a\": 1.50\n}", `{"a":1.50}`},
		{"JSON", "no JSON", `"no JSON"`},
		{"VARIANT", "null", "null"},
		{"BLOB", []byte{0, 255}, `"` + base64.StdEncoding.EncodeToString([]byte{0, 255}) + `"`},
		{"VARCHAR", "\x00\x1f\x7f\u2028", "\"\\u0000\\u001f\x7f\u2028\""},
		{"VARCHAR", "a\xffb", "\"a\\ufffdb\""},
	}
	for _, test := range tests {
		out := write(t, "ndjson", Options{}, []Column{{Name: "v", Type: test.typ}}, []any{test.value})
		if want := `{"v":` + test.want + "}\n"; out != want {
			t.Errorf("%s %v is %q, want %q", test.typ, test.value, out, want)
		}
		if !json.Valid([]byte(out)) {
			t.Errorf("%q is not JSON", out)
		}
	}
}

func TestJSONNames(t *testing.T) {
	columns := []Column{{Name: "a"}, {Name: "a"}, {Name: "a_1"}, {Name: "a"}, {Name: `"`}}
	out := write(t, "ndjson", Options{}, columns, []any{int64(1), int64(2), int64(3), int64(4), int64(5)})
	var object map[string]int
	if err := json.Unmarshal([]byte(out), &object); err != nil || len(object) != 5 {
		t.Errorf("%s has %d names: %v", out, len(object), err)
	}
}

// cells returns the texts of the cells of a page by rows, with <br> as a newline, and the
// classes of the cells; emphasis is marked.
func cells(t *testing.T, page string) (texts [][]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var text func(n *html.Node) string
	text = func(n *html.Node) string {
		out := ""
		switch {
		case n.Type == html.TextNode:
			return n.Data
		case n.Data == "br":
			return "\n"
		case n.Data != "td" && n.Data != "th":
			out = "<" + n.Data + ">"
		case n.Data == "td":
			for _, a := range n.Attr {
				if a.Key == "class" {
					out = "." + a.Val + ":"
				}
			}
		}
		for c := range n.ChildNodes() {
			out += text(c)
		}
		return out
	}
	for n := range root.Descendants() {
		switch n.Data {
		case "tr":
			texts = append(texts, nil)
		case "td", "th":
			texts[len(texts)-1] = append(texts[len(texts)-1], text(n))
		}
	}
	return texts
}

func TestHTML(t *testing.T) {
	columns, rows := textRows()
	got := cells(t, write(t, "html", Options{}, columns, rows...))
	if len(got) != len(rows)+1 || got[0][1] != columns[1].Name {
		t.Fatalf("%d rows, the head is %q", len(got), got[0])
	}
	for i, text := range texts {
		row := got[i+1]
		if row[0] != text || row[1] != ".null:NULL" || !strings.HasPrefix(row[2], ".number:") {
			t.Errorf("%q is read as %q", text, row)
		}
	}
}

// TestMarkdown reads what goldmark makes of the table. Readers of HTML take CR for LF.
func TestMarkdown(t *testing.T) {
	columns, rows := textRows()
	var page bytes.Buffer
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))
	if err := markdown.Convert([]byte(write(t, "markdown", Options{}, columns, rows...)), &page); err != nil {
		t.Fatal(err)
	}
	got := cells(t, page.String())
	if len(got) != len(rows)+1 || got[0][1] != columns[1].Name {
		t.Fatalf("%d rows for %d, the head is %q", len(got), len(rows)+1, got[0])
	}
	for i, text := range texts {
		row := got[i+1]
		if row[0] != strings.ReplaceAll(text, "\r", "\n") || row[1] != "<em>NULL" {
			t.Errorf("%q is read as %q", text, row)
		}
	}
}

func TestText(t *testing.T) {
	moment := time.Date(2024, 1, 1, 10, 20, 30, 0, time.UTC)
	tests := []struct {
		typ   string
		value any
		want  string
	}{
		{"DATE", moment, "2024-01-01"},
		{"DATE", time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC), "-0044-03-15"},
		{"TIMESTAMP", moment, "2024-01-01 10:20:30"},
		{"TIMESTAMP", moment.Add(500 * time.Millisecond), "2024-01-01 10:20:30.500"},
		{"TIMESTAMP", moment.Add(1234 * time.Microsecond), "2024-01-01 10:20:30.001234"},
		{"TIMESTAMP", moment.Add(7), "2024-01-01 10:20:30.000000007"},
		{"TIMESTAMPTZ", moment, "2024-01-01 10:20:30+00"},
		{"BLOB", []byte("\x00hi"), `\x006869`},
		{"DOUBLE", 3700.662251655629, "3700.662251655629"},
		{"DOUBLE", 1e21, "1e+21"},
		{"DOUBLE", math.Copysign(0, -1), "-0"},
		{"DOUBLE", math.Inf(1), "Infinity"},
		{"FLOAT", float32(0.1), "0.1"},
		{"DECIMAL", "0.10", "0.10"},
		{"INTERVAL", "P1M", "P1M"},
		{"BOOLEAN", false, "false"},
	}
	for _, test := range tests {
		if got := string(textOf(Column{Type: test.typ})(nil, test.value)); got != test.want {
			t.Errorf("%s %v is %q, want %q", test.typ, test.value, got, test.want)
		}
	}
}
