package text

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// concatNode is CONCAT and CONCAT_WS, which skip NULLs.
type concatNode struct {
	args      []kernel.Node
	separator bool // the first argument separates the others; if it is NULL, the result is NULL
	texts     kernel.TextBuffer
	argv      []*vector.Vector
	join      kernel.Func     // where no argument is NULL
	flat      []kernel.Result // of dictionaries
	out       kernel.Result
}

func concatenate(separator bool) expr.Binding {
	signature := "VARCHAR, ... → VARCHAR"
	if separator {
		signature = "VARCHAR, " + signature
	}
	bind := func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		texts := make([]expr.Expr, len(args))
		for i, a := range args {
			var err error
			if texts[i], err = expr.TextOperand(call.Name, a); err != nil {
				return nil, err
			}
		}
		impl := &expr.Routine{Node: func(by *expr.Compiler) kernel.Node {
			return &concatNode{args: by.Nodes(texts), separator: separator, argv: make([]*vector.Vector, len(texts)), join: kernel.Join()}
		}}
		return expr.NewCall(call, texts, define.TypeText, impl), nil
	}
	return define.Custom(bind, signature)
}

func (c *concatNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	nulls := c.separator
	for i, a := range c.args {
		var err error
		if c.argv[i], err = a.Eval(f, rows); err != nil {
			return nil, err
		}
		nulls = nulls || c.argv[i].Type.Kind == vector.Null || c.argv[i].MayHaveNulls()
	}
	c.out.Begin(define.TypeText, f)
	if !nulls {
		kernel.Flatten(c.argv, &c.flat, rows, f.N)
		return &c.out.Vector, c.join(c.argv, rows, f.N, &c.out)
	}
	return &c.out.Vector, c.texts.Fill(rows, f.N, &c.out, c.appendRow)
}

func (c *concatNode) appendRow(dst []byte, i int32) ([]byte, kernel.Outcome) {
	parts, between := c.argv, ""
	if c.separator {
		if parts[0].IsNull(int(i)) {
			return dst, kernel.Outcome{Null: true}
		}
		between, parts = kernel.Cell[string](parts[0], i), parts[1:]
	}
	first := true
	for _, v := range parts {
		if v.IsNull(int(i)) {
			continue
		}
		text := kernel.Cell[string](v, i)
		var err error
		if dst, err = c.texts.Need(dst, len(between)+len(text)); err != nil {
			return dst, kernel.Outcome{Err: err}
		}
		if !first {
			dst = append(dst, between...)
		}
		dst, first = append(dst, text...), false
	}
	return dst, kernel.Outcome{}
}
