package variant

import (
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// events are rows of objects as logs have them.
func events(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = map[string]any{
			"id": int64(i), "type": fmt.Sprint("type", i%7), "price": float64(i%1000) / 8, "user": map[string]any{"name": "someone", "age": int64(i % 90)},
			"tags": []any{"a", "b"}, "ok": i%3 == 0,
		}
	}
	return out
}

var eventPath = vector.Path{{Name: "user"}, {Name: "age"}}

func benchmarkVector(b *testing.B, typed ...vector.Type) (*Layout, *vector.Vector) {
	src := shredRows(b, events(2048), typed...)
	l, err := NewLayout(src.Type)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return l, src
}

var eventType = columns("id", group(vector.Of(vector.BigInt)), "type", group(vector.Of(vector.Varchar)),
	"user", group(columns("name", group(vector.Of(vector.Varchar)), "age", group(vector.Of(vector.BigInt)))))

// Each operation is 2,048 rows.

func BenchmarkLocateUnshredded(b *testing.B) {
	l, src := benchmarkVector(b)
	for b.Loop() {
		if _, err := l.Locate(src, eventPath); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLocateShredded(b *testing.B) {
	l, src := benchmarkVector(b, eventType)
	for b.Loop() {
		if _, err := l.Locate(src, eventPath); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGroups(b *testing.B) {
	l, src := benchmarkVector(b)
	located, err := l.Locate(src, eventPath)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Groups(located.Rest, nil)
	}
}

func BenchmarkCanonicalUnshredded(b *testing.B) {
	l, src := benchmarkVector(b)
	var out vector.Vector
	for b.Loop() {
		if err := l.Canonical(src, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonicalShredded(b *testing.B) {
	l, src := benchmarkVector(b, eventType)
	var out vector.Vector
	for b.Loop() {
		if err := l.Canonical(src, &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSON(b *testing.B) {
	l, src := benchmarkVector(b)
	var out vector.Vector
	if err := l.Canonical(src, &out); err != nil {
		b.Fatal(err)
	}
	var text []byte
	for b.Loop() {
		text = text[:0]
		for i := range out.Len {
			v, _ := Get(&out, i)
			text = v.AppendJSON(text)
		}
	}
	b.SetBytes(int64(len(text)))
}

func BenchmarkShreddedJSON(b *testing.B) {
	l, src := benchmarkVector(b, eventType)
	var text []byte
	var err error
	for b.Loop() {
		text = text[:0]
		for i := range src.Len {
			if text, err = l.AppendJSON(text, src, i); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(int64(len(text)))
}

func BenchmarkKeys(b *testing.B) {
	l, src := benchmarkVector(b)
	located, err := l.Locate(src, eventPath)
	if err != nil {
		b.Fatal(err)
	}
	var key []byte
	for b.Loop() {
		for i := range src.Len {
			v, _ := Get(located.Rest, i)
			key = v.AppendKey(key[:0])
		}
	}
}
