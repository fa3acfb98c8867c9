package expr

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// LambdaParam is a parameter of a lambda, within its body.
type LambdaParam struct {
	// Slot is its number among the parameters of the lambda and of the lambdas around it,
	// those of the outermost one first.
	Slot int
	Name string
	T    vector.Type
}

// Lambda is a function of parameters, an argument of a function such as LIST_TRANSFORM.
// Its body may use the columns and the parameters around it.
type Lambda struct {
	Params []*LambdaParam
	Body   Expr
}

// Type is the parameter's.
func (p *LambdaParam) Type() vector.Type { return p.T }

// Children is empty.
func (p *LambdaParam) Children() []Expr { return nil }

// String is the name.
func (p *LambdaParam) String() string { return p.Name }

func (p *LambdaParam) rebuild([]Expr) (Expr, error)  { return p, nil }
func (p *LambdaParam) same(o Expr) bool              { return p.Slot == o.(*LambdaParam).Slot }
func (p *LambdaParam) compile(*Compiler) kernel.Node { return paramNode{p.Slot} }

type paramNode struct{ slot int }

func (p paramNode) Eval(f *kernel.Frame, _ []int32) (*vector.Vector, error) {
	return f.Params[p.slot], nil
}

// Type is that of the body.
func (e *Lambda) Type() vector.Type { return e.Body.Type() }

// Children is the body.
func (e *Lambda) Children() []Expr { return []Expr{e.Body} }

// String is lambda x, i: body.
func (e *Lambda) String() string {
	names := make([]string, len(e.Params))
	for i, p := range e.Params {
		names[i] = p.Name
	}
	return fmt.Sprintf("lambda %s: %s", strings.Join(names, ", "), e.Body)
}

func (e *Lambda) rebuild(c []Expr) (Expr, error)   { return &Lambda{Params: e.Params, Body: c[0]}, nil }
func (e *Lambda) same(o Expr) bool                 { return len(e.Params) == len(o.(*Lambda).Params) }
func (e *Lambda) compile(by *Compiler) kernel.Node { return by.Node(e.Body) }

// closed reports whether the body uses nothing but the parameters and constants.
func (e *Lambda) closed() bool {
	c := NewCapture(e)
	return len(c.columns) == 0 && len(c.params) == 0 && !IsVolatile(e.Body)
}

// Cast is the lambda with a body of type t.
func (e *Lambda) Cast(t vector.Type) (*Lambda, error) {
	body, err := ImplicitCast(e.Body, t)
	return &Lambda{Params: e.Params, Body: body}, err
}

// Capture is what a lambda's body reads of the rows around it.
type Capture struct {
	columns []int
	params  []int // the slots of the parameters of outer lambdas
	first   int   // the slot of the lambda's first parameter
	own     int   // the number of its parameters
	memory  []vector.Vector
	frame   kernel.Frame
}

// NewCapture finds what the body reads.
func NewCapture(e *Lambda) *Capture {
	c := &Capture{columns: ColumnsOf(e.Body), first: e.Params[0].Slot, own: len(e.Params)}
	seen := map[int]bool{}
	Walk(e.Body, func(n Expr) bool {
		if p, ok := n.(*LambdaParam); ok && p.Slot < c.first && !seen[p.Slot] {
			seen[p.Slot] = true
			c.params = append(c.params, p.Slot)
		}
		return true
	})
	c.memory = make([]vector.Vector, len(c.columns)+len(c.params))
	return c
}

// Frame is the batch for the body: its row k is row owners[k] of f, with the given values
// of the parameters. It is valid until the next call.
func (c *Capture) Frame(f *kernel.Frame, owners []int32, params ...*vector.Vector) (*kernel.Frame, error) {
	c.frame.N, c.frame.Meter = len(owners), f.Meter
	c.frame.Cols = vector.Resize(c.frame.Cols, len(f.Cols))
	c.frame.Params = vector.Resize(c.frame.Params, c.first+c.own)
	for k, i := range c.columns {
		if err := gatherInto(&c.memory[k], f.Cols[i], owners); err != nil {
			return nil, err
		}
		c.frame.Cols[i] = &c.memory[k]
	}
	for k, slot := range c.params {
		v := &c.memory[len(c.columns)+k]
		if err := gatherInto(v, f.Params[slot], owners); err != nil {
			return nil, err
		}
		c.frame.Params[slot] = v
	}
	copy(c.frame.Params[c.first:], params)
	return &c.frame, nil
}

// gatherInto makes v the listed rows of src; a constant stays one.
func gatherInto(v, src *vector.Vector, rows []int32) error {
	if src.Form == vector.Constant || src.Type.Kind == vector.Null {
		*v = *src
		v.Len = len(rows)
		return nil
	}
	if v.Form != vector.Flat || v.Dict != nil {
		*v = vector.Vector{}
	}
	return v.Gather(src, rows)
}
