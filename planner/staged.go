package planner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/explain"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/operators"
	"github.com/parquetsql/parquetsql/planner/stages"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/computed"
	"github.com/parquetsql/parquetsql/scan/reader"
	"github.com/parquetsql/parquetsql/vector"
)

// StageOptions say how a query is cut into stages. The zero value is good for most.
type StageOptions struct {
	// SplitBytes is about how many compressed bytes, of the columns that are needed, a split has; 0: 128 MiB.
	SplitBytes int64
	// SmallBytes is how many bytes the files of a table may have that each task reads as a whole, where it
	// needs the table; 0: 1/32 of SplitBytes, negative: none. All tables of a query that have no more than
	// SplitBytes are read by one task.
	SmallBytes int64
	// Partitions is into how many partitions rows are divided by hash; 0: as many as the tables have splits,
	// 256 at most.
	Partitions int
	// BroadcastBytes is about how many bytes a side of a join may have that every task reads as a whole;
	// 0: 64 MiB, negative: none.
	BroadcastBytes int64
	// AllowGather lets one task have all rows where they cannot be divided. Without it that is ErrUnsupported.
	AllowGather bool
}

func (o StageOptions) filled() StageOptions {
	o.SplitBytes, o.BroadcastBytes = cmp.Or(o.SplitBytes, 128<<20), cmp.Or(o.BroadcastBytes, 64<<20)
	o.SmallBytes = cmp.Or(o.SmallBytes, o.SplitBytes/32)
	return o
}

// StageSnapshot is the moment of a query, and the tables at that moment: what all processes that cut it have
// to agree on. One with nothing but Now is of the tables as they are.
type StageSnapshot struct {
	Now   time.Time    `json:"now"` // CURRENT_TIMESTAMP
	Pins  catalog.Pins `json:"pins,omitzero"`
	Sizes []int64      `json:"sizes,omitempty"` // about how many bytes the tables have, in the order of the plan
}

// ErrNoQuery is the error of statements that are no SELECT, and so have no stages.
var ErrNoQuery = errs.Unsupported("a statement on several machines that is no SELECT")

// RowStream is the rows of another stage.
type RowStream = computed.Stream

// Staged is a query that is cut into stages. It may be used by several goroutines.
type Staged struct {
	run     *run
	text    string
	plan    *stages.Plan
	options StageOptions
	columns vector.Schema
	hash    string
	at      StageSnapshot
}

// Stages cuts a query into stages. The same statement, arguments, options and snapshot give the same stages in
// every process; Hash tells.
func (s *Statement) Stages(ctx context.Context, se *Session, at StageSnapshot, o StageOptions, args []Arg) (_ *Staged, err error) {
	defer errs.Recover(&err)
	if s, err = s.forArguments(ctx, args); err != nil {
		return nil, err
	}
	tree, ok := s.tree.(*ast.Query)
	if !ok {
		return nil, ErrNoQuery
	}
	r, err := s.run(ctx, se, tables{se.Snapshot}, args)
	if err != nil {
		return nil, err
	}
	r.env.Now = at.Now
	out := &Staged{run: r, text: s.text, options: o.filled(), at: at}
	se.Snapshot.Pin(&at.Pins)
	defer se.Snapshot.Unpin()
	if err := out.cut(tree); err != nil {
		return nil, out.placed(err)
	}
	out.at.Pins = se.Snapshot.Pins()
	return out, nil
}

func (s *Staged) cut(tree *ast.Query) error {
	q, err := s.run.rewritten(tree)
	if err != nil {
		return err
	}
	if encrypted(q.Root) {
		return errs.Unsupported("encrypted columns on several machines: their rows would be exchanged in the clear")
	}
	s.columns = q.Root.Columns().Schema()
	sizes, sum := s.sizes(q.Root)
	if s.options.Partitions == 0 {
		s.options.Partitions = int(min(mostPartitions, 1+sum/max(1, s.options.SplitBytes)))
	}
	s.plan, err = stages.Cut(q, stages.Options{
		Bytes:      func(n *logical.Scan) (bytes int64, files bool) { bytes, files = sizes[n]; return bytes, files },
		WholeBytes: s.options.SplitBytes, SmallBytes: s.options.SmallBytes,
		Partitions: s.options.Partitions, BroadcastBytes: float64(s.options.BroadcastBytes), AllowGather: s.options.AllowGather,
	})
	if err != nil {
		return err
	}
	s.hash = s.fingerprint()
	return nil
}

func (s *Staged) placed(err error) error { return errs.InText(err, s.text) }

// mostPartitions is how many partitions there are where nobody says how many.
const mostPartitions = 256

// sizes is about how many bytes the tables of files have that a plan scans, and all together: what another
// process has found, if one has.
func (s *Staged) sizes(root logical.Node) (of map[*logical.Scan]int64, sum int64) {
	const most = 1 << 50 // a log may say any size
	of = map[*logical.Scan]int64{}
	known := s.at.Sizes
	s.at.Sizes = nil
	var add func(n logical.Node)
	add = func(n logical.Node) {
		if scan, ok := n.(*logical.Scan); ok {
			if f, ok := scan.Table.(reader.Files); ok {
				bytes := min(f.Bytes(), most)
				if at := len(s.at.Sizes); at < len(known) {
					bytes = min(max(0, known[at]), most)
				}
				of[scan], s.at.Sizes, sum = bytes, append(s.at.Sizes, bytes), min(sum+bytes, most)
			}
		}
		for _, in := range n.Inputs() {
			add(in)
		}
	}
	add(root)
	return of, sum
}

// encrypted reports whether some table of a plan has encrypted columns.
func encrypted(n logical.Node) bool {
	if s, ok := n.(*logical.Scan); ok {
		return s.Table.Description().Encrypted
	}
	return slices.ContainsFunc(n.Inputs(), encrypted)
}

// fingerprint is a hash of all that tasks must agree on: nodes, columns with their identities and types,
// and the versions of tables. Files are in the splits.
func (s *Staged) fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %+v\n", s.run.env.Version, s.options)
	var node func(n logical.Node)
	node = func(n logical.Node) {
		fmt.Fprintf(h, "(%T", n)
		for _, c := range n.Columns() {
			fmt.Fprintf(h, " %d %q %s %v", c.ID, c.Name, c.Type, c.Nullable)
		}
		for _, e := range n.Exprs() {
			fmt.Fprintf(h, " %s", e)
		}
		if scan, ok := n.(*logical.Scan); ok {
			fmt.Fprintf(h, " %q", scan.Table.Description().Name)
			if f, ok := scan.Table.(reader.Files); ok {
				fmt.Fprintf(h, " %q", f.Version)
			}
		}
		for _, in := range n.Inputs() {
			node(in)
		}
		fmt.Fprint(h, ")")
	}
	text := s.plan.Text(func(n logical.Node) []string {
		node(n)
		return explain.Logical(n, nil)
	}, func(*stages.Stage) string { return "" })
	fmt.Fprint(h, strings.Join(text, "\n"))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Snapshot is what another process needs to make the same stages.
func (s *Staged) Snapshot() StageSnapshot { return s.at }

// Hash is the same for plans that are the same.
func (s *Staged) Hash() string { return s.hash }

// Columns are those of the result.
func (s *Staged) Columns() vector.Schema { return s.columns }

// Text describes the stages, line by line.
func (s *Staged) Text() []string {
	return s.described(func(*stages.Stage) string { return "" })
}

func (s *Staged) described(more func(*stages.Stage) string) []string {
	return s.plan.Text(func(n logical.Node) []string { return explain.Logical(n, nil) }, more)
}

// Plan is the stages.
func (s *Staged) Plan() *stages.Plan { return s.plan }

// Task is one task of a stage that runs. Rows come from Result.Root.
type Task struct {
	Result
	divider *operators.Divider // nil: all rows are in partition 0
}

// Partitions is the partition of each selected row of a batch of the task, nil where all are in the
// first. It is valid until the next call.
func (t *Task) Partitions(b *vector.Batch) ([]uint64, error) {
	if t.divider == nil {
		return nil, nil
	}
	return t.divider.Of(b)
}

// Task runs a task of a stage: that of some splits, where the stage has any. input opens the rows of an
// input of the stage that this task reads. ctx bounds the whole task.
func (s *Staged) Task(ctx context.Context, stage int, splits []Split, input func(ctx context.Context, input int) (RowStream, error)) (_ *Task, err error) {
	defer errs.Recover(&err)
	st := s.plan.Stages[stage]
	root, err := s.bound(ctx, st, splits, input)
	if err != nil {
		return nil, s.placed(err)
	}
	p, err := s.run.choose(root)
	if err != nil {
		return nil, s.placed(err)
	}
	t := &Task{}
	if st.Keys != nil {
		if t.divider, err = operators.NewDivider(ctx, root.Columns(), st.Keys, s.plan.Partitions); err != nil {
			return nil, s.placed(err)
		}
	}
	if t.Root, err = operators.Build(ctx, p, s.run.session.Limits, nil); err != nil {
		return nil, s.placed(err)
	}
	t.Root.OnError(s.placed)
	return t, nil
}

// bound is the plan of a stage over the tables of a task.
func (s *Staged) bound(ctx context.Context, st *stages.Stage, splits []Split, input func(context.Context, int) (RowStream, error)) (logical.Node, error) {
	in := map[*logical.Scan]logical.Table{}
	for i, scan := range append([]*logical.Scan{st.Split}, st.Whole...) {
		if scan == nil {
			continue
		}
		whole, ok := scan.Table.(reader.Files)
		if !ok {
			return nil, fmt.Errorf("internal error: splits of a %T", scan.Table)
		}
		some, err := partOf(ctx, whole.Set, slices.DeleteFunc(slices.Clone(splits), func(x Split) bool { return x.Scan != i }))
		if err != nil {
			return nil, err
		}
		in[scan] = reader.Files{Set: some}
	}
	for i, x := range st.Inputs {
		in[x.Scan] = &computed.Table{
			Table:  *x.Scan.Table.Description(),
			Stream: func(ctx context.Context) (RowStream, error) { return input(ctx, i) },
		}
	}
	return replaced(st.Root, in)
}

// replaced is a plan with other tables in place of those of some scans.
func replaced(n logical.Node, tables map[*logical.Scan]logical.Table) (logical.Node, error) {
	if s, ok := n.(*logical.Scan); ok {
		if t := tables[s]; t != nil {
			return s.Of(t), nil
		}
		return n, nil
	}
	inputs := make([]logical.Node, len(n.Inputs()))
	for i, in := range n.Inputs() {
		var err error
		if inputs[i], err = replaced(in, tables); err != nil {
			return nil, err
		}
	}
	return logical.WithInputs(n, inputs)
}
