package pull

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// value reads any value as encoding/json does.
func value(r *Reader) any {
	switch {
	case r.IsObject():
		out := map[string]any{}
		r.Object(func(name string) { out[name] = value(r) })
		return out
	case r.next() == '[':
		out := []any{}
		r.Array(func() { out = append(out, value(r)) })
		return out
	case r.IsText():
		s, _ := r.Text()
		return s
	case r.next() == 't' || r.next() == 'f':
		return r.Bool()
	case r.next() == 'n':
		if !r.Null() {
			r.fail("a value is missing")
		}
		return nil
	}
	return json.Number(r.Number())
}

// FuzzReader: what is read is what encoding/json reads, and what is passed is as long. Numbers
// with a leading zero, which JSON does not have, are read.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		`{"add":{"path":"a b","size":12,"stats":"{\"numRecords\":1}","x":[1,-2.5e+10,null,true]}}`, `"\ud83d\ude00\ud83dx\n\/"`,
		`[]`, `{}`, ` [ 1 , [ ] ] `, `"`, `{"a":}`, `[1,]`, "\"\x01\"", `nul`, `-`, `1.`, `"\u12"`, `{"a":1,"a":2}`, "\"\xff\"", `01`, `"\u+123"`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := New(text)
		got := value(r)
		end, err := r.At(), r.Err()
		r.Reset(text)
		if raw := r.Raw(); err == nil && (r.Err() != nil || strings.TrimLeft(text[:end], " \t\r\n") != raw) {
			t.Fatalf("%q: passed %q, %v", text, raw, r.Err())
		}
		if err != nil {
			end = len(text)
		}
		d := json.NewDecoder(bytes.NewReader([]byte(text[:end])))
		d.UseNumber()
		var want any
		wantErr := d.Decode(&want)
		if wantErr == nil && d.More() { // encoding/json ends at the value
			return
		}
		switch {
		case err == nil && wantErr != nil && !strings.Contains(wantErr.Error(), "after top-level") && !strings.Contains(text, "0"):
			t.Fatalf("%q: read as %v, encoding/json: %v", text, got, wantErr)
		case err != nil && wantErr == nil && !strings.Contains(text, `\u`) && !hasBadUTF8(text):
			t.Fatalf("%q: %v, encoding/json reads %v", text, err, want)
		case err == nil && wantErr == nil && !reflect.DeepEqual(got, want):
			t.Fatalf("%q: %v, encoding/json reads %v", text, got, want)
		}
	})
}

func hasBadUTF8(s string) bool { return strings.ToValidUTF8(s, "?") != s }

func TestValues(t *testing.T) {
	r := New(`{"i":-9223372036854775808,"n":null,"s":"a\tb","b":true,"l":[1,2],"x":{"y":"z"}} {"i":1}`)
	var sum int64
	got := map[string]any{}
	r.Object(func(name string) {
		switch name {
		case "i":
			got[name], _ = r.Int()
		case "n":
			if _, ok := r.Int(); ok {
				t.Error("null is an integer")
			}
		case "s":
			got[name], _ = r.Text()
		case "b":
			got[name] = r.Bool()
		case "l":
			r.Array(func() { n, _ := r.Int(); sum += n })
		default:
			got[name] = r.Raw()
		}
	})
	want := map[string]any{"i": int64(-1 << 63), "s": "a\tb", "b": true, "x": `{"y":"z"}`}
	if !reflect.DeepEqual(got, want) || sum != 3 || r.Err() != nil || !r.More() {
		t.Errorf("%v, %d, %v", got, sum, r.Err())
	}
	for text, what := range map[string]string{`{"i":1.5}`: "64 bits", `{"i":9223372036854775808}`: "64 bits", `{"i":"1"}`: "number", strings.Repeat("[", 2000): "within"} {
		r := New(text)
		if strings.HasPrefix(text, "[") {
			r.Skip()
		} else {
			r.Object(func(string) { r.Int() })
		}
		if r.Err() == nil || !strings.Contains(r.Err().Error(), what) {
			t.Errorf("%.20s: %v", text, r.Err())
		}
	}
}

func BenchmarkAdds(b *testing.B) {
	line := `{"add":{"path":"date=2017-12-10/part-00000-c000.gz.parquet","partitionValues":{"date":"2017-12-10"},"size":841454,"modificationTime":1512909768000,"dataChange":true,"stats":"{\"numRecords\":1,\"minValues\":{\"val\":\"aaaaaaaaaaaaa\",\"id\":12},\"maxValues\":{\"val\":\"zzzzzz\",\"id\":99},\"nullCount\":{\"val\":0,\"id\":0}}"}}` + "\n"
	text := strings.Repeat(line, 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r := New(text)
		for r.More() {
			r.Object(func(string) {
				r.Object(func(name string) {
					if name == "path" || name == "stats" {
						r.Text()
					} else {
						r.Skip()
					}
				})
			})
		}
	}
}
