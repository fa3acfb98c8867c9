package stages

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/estimate"
	"github.com/parquetsql/parquetsql/planner/logical"
)

// Options say how to cut.
type Options struct {
	// Bytes is how many bytes the files of a scan have that can be divided into splits; false: it cannot.
	Bytes func(*logical.Scan) (int64, bool)
	// WholeBytes is how many bytes the files of all tables may have that one task reads, and SmallBytes
	// those of a table that several tasks read.
	WholeBytes, SmallBytes int64
	// Partitions is how many partitions rows are divided into by hash, at least 1.
	Partitions int
	// BroadcastBytes is about how many bytes a side of a join may have that each task reads.
	BroadcastBytes float64
	// AllowGather lets one task do what cannot be divided. Without it that is an error.
	AllowGather bool
}

// Cut cuts the plan of a query.
func Cut(q logical.Query, o Options) (*Plan, error) {
	c := &cutter{Options: o, ids: q.IDs, query: q, sizes: estimate.New(q.Statistics), withs: map[logical.CommonID]*with{},
		reads: map[*logical.Scan]*Input{}, before: map[logical.Node]logical.Node{}}
	c.Partitions = max(1, c.Partitions)
	c.sizes.Of(q.Root) // from the root, see Estimator.Of
	cut := c.cut
	if c.tableBytes(q.Root) <= o.WholeBytes {
		c.SmallBytes = o.WholeBytes
		cut = func(n logical.Node) (part, error) { return c.whole(n, "") }
	}
	p, err := cut(q.Root)
	if err != nil {
		return nil, err
	}
	c.finish(c.gathered(p), nil)
	return &Plan{Stages: c.stages, Partitions: c.Partitions}, nil
}

type cutter struct {
	Options
	ids    *logical.IDs
	query  logical.Query
	sizes  *estimate.Estimator
	stages []*Stage
	withs  map[logical.CommonID]*with
	reads  map[*logical.Scan]*Input      // of semi joins that reduce scans
	before map[logical.Node]logical.Node // what nodes were before their scans were reduced
}

// cut cuts below a node where tasks would not have the rows that it needs.
func (c *cutter) cut(n logical.Node) (part, error) {
	switch n := n.(type) {
	case *logical.Scan:
		return c.scan(n), nil
	case *logical.Values, *logical.OneRow:
		return part{node: n}, nil
	case *logical.Filter, *logical.Project, *logical.Unnest:
		return c.each(n)
	case *logical.MetaAggregate: // metadata knows whole files, and tasks have parts of them
		return c.cut(&logical.Aggregate{In: n.In, Aggs: n.Aggs})
	case *logical.Aggregate:
		return c.aggregate(n)
	case *logical.GroupingSets:
		return c.groupingSets(n)
	case *logical.Sort:
		return c.sort(n)
	case *logical.TopN:
		return c.topN(n)
	case *logical.Limit:
		return c.limit(n)
	case *logical.Window:
		return c.window(n)
	case *logical.Join:
		return c.join(n)
	case *logical.AsOfJoin:
		return c.asOf(n)
	case *logical.Union:
		return c.union(n)
	case *logical.With:
		return c.with(n)
	case *logical.Reuse:
		return c.reuse(n)
	case *logical.Portion:
		return c.whole(n, "LIMIT n %, which counts rows")
	case *logical.Sample:
		return c.whole(n, "a sample, which counts rows")
	case *logical.PositionalJoin:
		return c.whole(n, "POSITIONAL JOIN, which counts rows of both sides")
	case *logical.Recursive:
		return c.whole(n, "a recursion")
	}
	return part{}, errs.Unsupported("%T in a query of several machines", n)
}

// scan reads a table by splits, or a small one as a whole.
func (c *cutter) scan(n *logical.Scan) part {
	if in := c.reads[n]; in != nil {
		return part{node: n, inputs: []*Input{in}}
	}
	bytes, ok := c.Bytes(n)
	switch {
	case !ok:
		return part{node: n}
	case bytes <= c.SmallBytes:
		return part{node: n, whole: []*logical.Scan{n}}
	}
	return part{node: n, split: n, spread: true}
}

// tableBytes is how many bytes the files of a plan's tables have.
func (c *cutter) tableBytes(n logical.Node) (bytes int64) {
	if s, ok := n.(*logical.Scan); ok {
		bytes, _ = c.Bytes(s)
	}
	for _, in := range n.Inputs() {
		bytes = min(bytes+c.tableBytes(in), math.MaxInt64/2)
	}
	return bytes
}

// each is a node that makes its rows of one row each.
func (c *cutter) each(n logical.Node) (part, error) {
	in, err := c.cut(n.Inputs()[0])
	if err != nil {
		return part{}, err
	}
	return over(n, in)
}

// sort sorts the rows of each task. The last sort finds its runs in order and merges them.
func (c *cutter) sort(n *logical.Sort) (part, error) {
	in, err := c.cut(n.In)
	if err == nil && in.spread {
		in, err = over(n, in)
	}
	if err != nil {
		return part{}, err
	}
	return over(n, c.gathered(in))
}

// forced is one where it is not wanted.
func (c *cutter) forced(n logical.Node, in part, what string) (part, error) {
	if in.spread && !c.AllowGather {
		return part{}, gather(what)
	}
	return over(n, c.gathered(in))
}

// ErrGather is what errors.Is finds where AllowGather is needed.
var ErrGather = errors.New("one machine would have all rows, which allow_gather lets it")

// gather is the error where one task would have to do all.
func gather(what string) error {
	return fmt.Errorf("%w: %s on several machines: %w", errs.ErrUnsupported, what, ErrGather)
}

// topN takes the first rows of each task, then those of all.
func (c *cutter) topN(n *logical.TopN) (part, error) {
	in, err := c.cut(n.In)
	if err != nil {
		return part{}, err
	}
	if most := n.Offset + n.Limit; in.spread && most >= n.Offset && n.Limit >= 0 {
		if in, err = over(&logical.TopN{In: n.In, Keys: n.Keys, Limit: most}, in); err != nil {
			return part{}, err
		}
	}
	return over(n, c.gathered(in))
}

// limit is topN in the order of the rows.
func (c *cutter) limit(n *logical.Limit) (part, error) {
	in, err := c.cut(n.In)
	if err != nil {
		return part{}, err
	}
	if in.spread && n.Limit >= 0 && n.Limit <= math.MaxInt64-n.Offset {
		if in, err = over(&logical.Limit{In: n.In, Limit: n.Offset + n.Limit}, in); err != nil {
			return part{}, err
		}
	}
	return over(n, c.gathered(in))
}

// window has each partition in one task.
func (c *cutter) window(n *logical.Window) (part, error) {
	in, err := c.cut(n.In)
	switch {
	case err != nil:
		return part{}, err
	case in.spread && len(n.Partition) > 0 && !volatile(n.Partition):
		return over(n, c.divided(in, n.Partition))
	}
	return c.forced(n, in, "a window over all rows")
}

// union reads the rows of each input as they are divided.
func (c *cutter) union(n *logical.Union) (part, error) {
	inputs, spread := make([]part, len(n.In)), false
	for i, in := range n.In {
		p, err := c.cut(in)
		if err != nil {
			return part{}, err
		}
		inputs[i], spread = p, spread || p.spread
	}
	if !spread {
		return over(n, inputs...)
	}
	from := make([]*Stage, len(inputs))
	for i, p := range inputs {
		columns := p.node.Columns()
		items := &logical.Project{In: p.node}
		for k, id := range n.From[i] {
			column, _ := columns.Find(id)
			made := n.Output[k]
			made.ID, made.Nullable = c.ids.New(), column.Nullable
			items.Items = append(items.Items, logical.Computed{Column: made, Expr: column.Ref()})
		}
		p.node = items
		from[i] = c.finish(p, nil)
	}
	return c.read(Task, n.Output, from...), nil
}

// with is rows that several places read: a stage, once one of them does.
type with struct {
	def   logical.Node
	stage *Stage
	read  Read
}

func (c *cutter) with(n *logical.With) (part, error) {
	c.withs[n.ID] = &with{def: n.Def}
	return c.cut(n.Body)
}

// reuse reads the stage of a With.
func (c *cutter) reuse(n *logical.Reuse) (part, error) {
	w := c.withs[n.ID]
	if w == nil {
		return part{}, errs.Unsupported("rows of %s within a recursion on several machines", n.Name)
	}
	if w.stage == nil {
		p, err := c.cut(w.def)
		if err != nil {
			return part{}, err
		}
		if w.stage, w.read = c.finish(p, nil), All; p.spread {
			w.read = Task
		}
	}
	has := w.stage.Root.Columns()
	columns := make([]int, len(n.From))
	for i, id := range n.From {
		columns[i] = has.Position(id)
	}
	if slices.Contains(columns, -1) {
		return part{}, errs.Unsupported("a column of %s on several machines", n.Name)
	}
	if repeats(columns) {
		return c.repeated(w, n, columns), nil
	}
	return c.readSome(w.read, columns, n.Output, w.stage), nil
}

// repeated is readSome where a column is read twice, which a scan does not do.
func (c *cutter) repeated(w *with, n *logical.Reuse, columns []int) part {
	as := slices.Clone(w.stage.Root.Columns())
	for i := range as {
		as[i].ID = c.ids.New()
	}
	p := c.read(w.read, as, w.stage)
	items := &logical.Project{In: p.node}
	for i, at := range columns {
		items.Items = append(items.Items, logical.Computed{Column: n.Output[i], Expr: as[at].Ref()})
	}
	p.node = items
	return p
}

func repeats(list []int) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) < len(list)
}

// bytes is about how many bytes the rows of a node have; infinite where nothing is known.
func (c *cutter) bytes(n logical.Node) float64 {
	n = c.estimated(n)
	if !c.sizes.Known(n) {
		return math.Inf(1)
	}
	width := 0.0
	for _, column := range n.Columns() {
		width += widthOf(column.Ref())
	}
	return c.sizes.Of(n).Count * max(1, width)
}

// widthOf is about how many bytes a value has.
func widthOf(e expr.Expr) float64 {
	if t := e.Type(); t.IsText() || t.IsNested() {
		return 32
	}
	return 8
}
