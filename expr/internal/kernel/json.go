package kernel

import (
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// RenderJSON writes values of any type as JSON.
func RenderJSON() Func {
	t := &TextBuffer{}
	return func(args []*vector.Vector, rows []int32, n int, out *Result) error {
		v := args[0]
		return t.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, Outcome) {
			return nested.AppendJSON(dst, v, int(i)), Outcome{}
		})
	}
}
