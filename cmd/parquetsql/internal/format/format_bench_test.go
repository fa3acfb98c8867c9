package format

import (
	"io"
	"testing"
	"time"
)

// BenchmarkRow is the time and memory of one row of five columns in each format.
func BenchmarkRow(b *testing.B) {
	columns := []Column{{Name: "date", Type: "TIMESTAMP"}, {Name: "delay", Type: "BIGINT"}, {Name: "distance", Type: "BIGINT"},
		{Name: "origin", Type: "VARCHAR"}, {Name: "destination", Type: "VARCHAR"}}
	row := []any{time.Date(2001, 1, 13, 14, 56, 0, 0, time.UTC), int64(-4), int64(1740), "SFO", "New York"}
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			w, err := New(name, io.Discard, Options{Null: "NULL", MaxCell: 100})
			if err != nil {
				b.Fatal(err)
			}
			if err := w.Head(columns); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Row(row); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
