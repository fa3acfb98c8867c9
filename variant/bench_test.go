package variant_test

import (
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
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

// Benchmark reads 2,048 rows in each operation.
func Benchmark(b *testing.B) {
	integer, text := vector.Of(vector.BigInt), vector.Of(vector.Varchar)
	shredded := columns("id", group(integer), "type", group(text), "user", group(columns("name", group(text), "age", group(integer))))
	path := vector.FieldPath("user", "age")
	for name, typed := range map[string][]vector.Type{"plain": nil, "shredded": {shredded}} {
		src := shredRows(b, events(2048), typed...)
		l, err := variant.NewLayout(src.Type)
		if err != nil {
			b.Fatal(err)
		}
		var out vector.Vector
		for what, f := range map[string]func() error{
			"canonical": func() error { return l.Canonical(src, &out) },
			"path": func() error {
				_, err := l.Locate(src, nil, path, variant.Values)
				return err
			},
			"json": func() error {
				_, err := l.Locate(src, nil, nil, variant.Text)
				return err
			},
		} {
			b.Run(what+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
