package kernel

import (
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// RenderJSON writes values of any type as JSON.
func RenderJSON() Func {
	t := &TextBuffer{}
	w := nested.JSON{More: func(text []byte) error { return t.ask(len(text)) }}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		v := args[0]
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
			dst, err := w.Append(dst, v, int(i))
			return dst, Outcome{Err: err}
		})
	}
}
