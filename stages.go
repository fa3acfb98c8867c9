package parquetsql

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/idle"
	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/vector"
)

// Stages is a query that is cut into stages, each of which many tasks do on as many machines. It is for
// modules that run them, as module fragments does, and may change with each release.
//
// Another process makes the same stages of the same query, arguments, options and Snapshot: where Hash is the
// same, they are.
type Stages struct {
	conn   *conn
	text   string
	staged *planner.Staged
}

// ErrNoQuery is the error of CutStages for a statement that is no SELECT. It is an ErrUnsupported, too.
var ErrNoQuery = planner.ErrNoQuery

// StageSnapshot is the moment of a query, and its tables at that moment.
type StageSnapshot = planner.StageSnapshot

// StageOptions say how a query is cut.
type StageOptions = planner.StageOptions

// Split is a part of a version of a file.
type Split = planner.Split

// VectorStream is the rows of another stage.
type VectorStream = planner.RowStream

// Stage describes a stage. The last one has one task, and is run by Rows.
type Stage struct {
	Inputs  []StageInput
	Columns vector.Schema
	Divided bool // the rows of each task are in partitions, by the hash of keys; else all are in one
	Splits  bool // the tasks read splits of a table
}

// StageInput is rows of earlier stages, which have the same columns.
type StageInput struct {
	From []int
	// Read is all; partition, the one with the task's number of all tasks; or task, the rows of the task
	// with its number among those of all of From. Who reads several tasks or partitions reads one after
	// the other, in their order.
	Read string
}

// CutStages cuts a query into stages. The connection c is that of QueryVectors, and is not closed before
// the last use of the stages. at is the moment, and the tables where another process has cut the query. ctx is
// the context of planning.
func CutStages(ctx context.Context, c any, at StageSnapshot, o StageOptions, query string, args ...any) (_ *Stages, err error) {
	defer prefix(&err)
	own := ownConn(c)
	if own == nil {
		return nil, foreign("CutStages", c)
	}
	values, err := own.namedValues(args)
	if err != nil {
		return nil, err
	}
	bound, err := bindArgs(values)
	if err != nil {
		return nil, err
	}
	statement, err := own.parse(ctx, query)
	if err != nil {
		return nil, err
	}
	session, err := own.session(ctx)
	if err != nil {
		return nil, err
	}
	staged, err := statement.Stages(ctx, session, at, o, bound)
	if err != nil {
		return nil, err
	}
	return &Stages{conn: own, text: query, staged: staged}, nil
}

// Snapshot is what another process needs to cut the same stages.
func (s *Stages) Snapshot() StageSnapshot { return s.staged.Snapshot() }

// Hash is the same for stages that are the same.
func (s *Stages) Hash() string { return s.staged.Hash() }

// Text describes the stages for people.
func (s *Stages) Text() []string { return s.staged.Text() }

// Stages are all stages, each after those that it reads.
func (s *Stages) Stages() []Stage {
	var out []Stage
	for _, st := range s.staged.Plan().Stages {
		d := Stage{Columns: st.Root.Columns().Schema(), Divided: st.Keys != nil, Splits: st.Split != nil}
		for _, in := range st.Inputs {
			x := StageInput{Read: in.Read.String()}
			for _, from := range in.From {
				x.From = append(x.From, from.Number)
			}
			d.Inputs = append(d.Inputs, x)
		}
		out = append(out, d)
	}
	return out
}

// Splits are those of each task of a stage that reads splits.
func (s *Stages) Splits(ctx context.Context, stage int) (_ [][]Split, err error) {
	defer prefix(&err)
	if err := s.check(stage); err != nil {
		return nil, err
	}
	return s.staged.Splits(ctx, stage)
}

// Shared are splits of small tables that each task of a stage reads, besides those of Splits.
func (s *Stages) Shared(ctx context.Context, stage int) (_ []Split, err error) {
	defer prefix(&err)
	if err := s.check(stage); err != nil {
		return nil, err
	}
	return s.staged.Shared(ctx, stage)
}

// Tasks is how many tasks each stage has, where Splits has so many lists for a stage.
func (s *Stages) Tasks(splits map[int]int) []int { return s.staged.Plan().Tasks(splits) }

// Partitions is how many partitions the rows of divided stages have.
func (s *Stages) Partitions() int { return s.staged.Plan().Partitions }

func (s *Stages) check(stage int) error {
	if n := len(s.staged.Plan().Stages); stage < 0 || stage >= n {
		return fmt.Errorf("there is no stage %d, the query has %d", stage, n)
	}
	return nil
}

// StageTask is the rows of a task. It is for one goroutine.
type StageTask struct{ task *planner.Task }

// Task runs a task of a stage, that of some splits of Splits and those of Shared. open opens an input of the stage,
// and may be called several times for one. ctx bounds the whole task.
func (s *Stages) Task(ctx context.Context, stage int, splits []Split, open func(ctx context.Context, input int) (VectorStream, error)) (_ *StageTask, err error) {
	defer prefix(&err)
	if err := s.check(stage); err != nil {
		return nil, err
	}
	idle.Enter()
	defer idle.Leave()
	t, err := s.staged.Task(ctx, stage, splits, open)
	if err != nil {
		return nil, err
	}
	return &StageTask{t}, nil
}

// Next is the next batch, valid until the next call; nil without an error is the end. partitions are those
// of its selected rows, nil where all rows are in the first.
func (t *StageTask) Next(ctx context.Context) (b *vector.Batch, partitions []uint64, err error) {
	defer prefix(&err)
	defer errs.Recover(&err)
	idle.Enter()
	defer idle.Leave()
	if b, err = t.task.Root.Next(ctx); b == nil || err != nil {
		return nil, nil, err
	}
	partitions, err = t.task.Partitions(b)
	return b, partitions, err
}

// Memory is the most bytes that the task has held, and how many it has written to disk.
func (t *StageTask) Memory() (peak, spilled int64) { return t.task.Root.Memory() }

// Close ends the task.
func (t *StageTask) Close() (err error) {
	defer prefix(&err)
	return t.task.Root.Close()
}

// Rows are the rows of the query, which its last stage makes here.
func (s *Stages) Rows(ctx context.Context, splits []Split, open func(ctx context.Context, input int) (VectorStream, error)) (_ driver.Rows, err error) {
	defer prefix(&err)
	last := len(s.staged.Plan().Stages) - 1
	r, err := s.conn.start(ctx, s.text, func(ctx context.Context, stats *watched) (planner.Result, error) {
		t, err := s.staged.Task(ctx, last, splits, open)
		if err != nil {
			return planner.Result{}, err
		}
		stats.runs(t.Result)
		return t.Result, nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}
