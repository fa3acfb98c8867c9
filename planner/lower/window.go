package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	execwindow "github.com/parquetsql/parquetsql/exec/window"
	"github.com/parquetsql/parquetsql/planner/logical"
)

func (b *builder) window(n *logical.Window) ([]exec.Operator, error) {
	below := positionsOf(n.In.Columns())
	var w execwindow.Window
	var err error
	if w.Partition, err = below.all(b.ctx, n.Partition); err != nil {
		return nil, err
	}
	if w.OrderBy, err = below.keys(b.ctx, n.OrderBy); err != nil {
		return nil, err
	}
	for _, c := range n.Calls {
		call, err := c.Call.Transform(below.of(b.ctx))
		if err != nil {
			return nil, err
		}
		w.Calls = append(w.Calls, call)
	}
	in, err := b.windowInput(n)
	if err != nil {
		return nil, err
	}
	return execwindow.New(b.env, in, w, b.workers, n.Columns().Schema())
}

// windowInput is the rows of a window. Those of OVER () have an order of their own,
// which ROW_NUMBER shows.
func (b *builder) windowInput(n *logical.Window) ([]exec.Operator, error) {
	if len(n.Partition)+len(n.OrderBy) > 0 {
		return b.build(n.In)
	}
	in, err := b.stream(n.In)
	return []exec.Operator{in}, err
}
