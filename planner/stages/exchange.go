package stages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
)

// part is the plan of a stage that is not finished.
type part struct {
	node   logical.Node
	split  *logical.Scan
	whole  []*logical.Scan // of small tables, which each task reads
	inputs []*Input
	spread bool // among several tasks; else one task has all rows
}

// over is a node over inputs, of which tasks have the same rows: at most one is spread, or all that are
// read partitions of the same keys.
func over(n logical.Node, inputs ...part) (part, error) {
	var out part
	nodes := make([]logical.Node, len(inputs))
	for i, in := range inputs {
		nodes[i] = in.node
		out.inputs, out.whole = append(out.inputs, in.inputs...), append(out.whole, in.whole...)
		out.spread = out.spread || in.spread
		if in.split != nil {
			out.split = in.split
		}
	}
	var err error
	out.node, err = logical.WithInputs(n, nodes)
	return out, err
}

// finish makes a stage of a part.
func (c *cutter) finish(p part, keys []expr.Expr) *Stage {
	s := &Stage{Number: len(c.stages), Root: p.node, Split: p.split, Whole: p.whole, Inputs: p.inputs, Keys: keys}
	c.stages = append(c.stages, s)
	return s
}

// read is the rows of stages, in columns that are those of the first one's plan or, unless nil, as.
func (c *cutter) read(how Read, as logical.Columns, from ...*Stage) part {
	columns := from[0].Root.Columns()
	if as == nil {
		as = columns
	}
	every := make([]int, len(columns))
	for i := range every {
		every[i] = i
	}
	return c.readSome(how, every, as, from...)
}

// readSome is read for some of the columns.
func (c *cutter) readSome(how Read, columns []int, as logical.Columns, from ...*Stage) part {
	t := &Rows{scan.Table{Name: nameOf(how, from)}}
	for i, column := range from[0].Root.Columns() {
		for _, s := range from[1:] {
			column.Nullable = column.Nullable || s.Root.Columns()[i].Nullable
		}
		t.Columns = append(t.Columns, scan.Column{Name: column.Name, Type: column.Type, Nullable: column.Nullable})
	}
	in := &Input{Scan: logical.NewScanAs(c.ids, t, columns, as), From: from, Read: how}
	return part{node: in.Scan, inputs: []*Input{in}, spread: how != All}
}

// gathered has all rows of a part in one task.
func (c *cutter) gathered(p part) part {
	if !p.spread {
		return p
	}
	if all, ok := unmoved(p); ok {
		return all
	}
	return c.read(All, nil, c.finish(p, nil))
}

// divided has the rows of a part divided by the hash of keys.
func (c *cutter) divided(p part, keys []expr.Expr) part {
	if c.Partitions == 1 {
		return c.gathered(p)
	}
	return c.read(Partition, nil, c.finish(p, keys))
}

// everywhere has all rows of a part in each task. Rows that each task can make itself need no stage.
func (c *cutter) everywhere(p part) part {
	if !p.spread && len(p.inputs) == 0 && c.fixed(p.node) {
		return p
	}
	if all, ok := unmoved(p); ok {
		return all
	}
	return c.read(All, nil, c.finish(p, nil))
}

// unmoved is all rows of a part that has nothing but rows of stages as they are: a stage of it would copy them.
func unmoved(p part) (part, bool) {
	s, ok := p.node.(*logical.Scan)
	if !ok || len(p.inputs) != 1 || p.inputs[0].Scan != s || s.Filter != nil || s.Limit >= 0 {
		return part{}, false
	}
	if !p.spread {
		return p, true
	}
	from := p.inputs[0].From
	t := &Rows{*s.Table.Description()}
	t.Name = nameOf(All, from)
	in := &Input{Scan: s.Of(t), From: from, Read: All}
	return part{node: in.Scan, inputs: []*Input{in}}, true
}

// nameOf describes rows of stages.
func nameOf(how Read, from []*Stage) string {
	names := make([]string, len(from))
	for i, s := range from {
		names[i] = fmt.Sprint(s.Number)
	}
	return how.String() + " of stage " + strings.Join(names, ", ")
}

// fixed reports whether a node makes the same rows in each task, at the cost of fixed rows or of reading
// small tables. Their order may be another.
func (c *cutter) fixed(n logical.Node) bool {
	switch n := n.(type) {
	case *logical.Values, *logical.OneRow:
		return true
	case *logical.Scan:
		_, files := c.Bytes(n)
		return files && n.Limit < 0 && !volatile(n.Exprs())
	case *logical.Filter, *logical.Project, *logical.Join:
	default:
		return false
	}
	return !volatile(n.Exprs()) && !slices.ContainsFunc(n.Inputs(), func(in logical.Node) bool { return !c.fixed(in) })
}

func volatile(list []expr.Expr) bool {
	for _, e := range list {
		if e != nil && expr.IsVolatile(e) {
			return true
		}
	}
	return false
}
