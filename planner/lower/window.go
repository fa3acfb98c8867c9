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
	if w.Partition, err = below.all(n.Partition); err != nil {
		return nil, err
	}
	if w.OrderBy, err = below.keys(n.OrderBy); err != nil {
		return nil, err
	}
	for _, c := range n.Calls {
		call, err := c.Call.Transform(below.expr)
		if err != nil {
			return nil, err
		}
		w.Calls = append(w.Calls, call)
	}
	in, err := b.build(n.In)
	if err != nil {
		return nil, err
	}
	return execwindow.New(b.env, in, w, b.workers, n.Columns().Schema())
}
