// Package stages cuts a plan into stages, so that several machines run a query: what a single one can
// do is a stage, and between two of them is an exchange of rows.
//
// A stage is a plan like any other. Its leaves are a scan whose splits are divided among the tasks of
// the stage, and scans of the rows of earlier stages (Input). So rules, operators, memory and spilling
// are those of a query of one machine. The last stage has one task, and its rows are the result.
//
//	SELECT k, SUM(x) FROM t GROUP BY k ORDER BY k
//
//	stage 0   Aggregate SUM STATE(x) by k  ◂ splits of t         rows by hash of k
//	stage 1   Aggregate SUM(…) by k        ◂ a partition of 0    rows as they are
//	stage 2   Sort k                       ◂ all rows of 1
//
// Rows move in three ways, by what the reading stage asks for: All rows, which is a gather where it has
// one task and a broadcast where it has many; a Partition by the hash of keys; and those of one Task,
// which stay as they are divided.
//
// Rows of a table stay in the order of its files: tasks are numbered in the order of their splits, and who
// reads several tasks reads one after the other.
//
//	stages.go     the plan, and its text
//	cut.go        a case for each node of package logical
//	aggregate.go  aggregates in two steps
//	join.go       which side of a join moves, and how
//	reduce.go     rows without a match stay where they are
//	exchange.go   stages and their inputs
//	whole.go      what one task has to do
package stages

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
)

// Plan is the stages of a query. Each reads those before it; the last has one task.
type Plan struct {
	Stages     []*Stage
	Partitions int // of rows that are divided by hash
}

// Stage is what many tasks do at the same time.
type Stage struct {
	Number int
	Root   logical.Node
	Split  *logical.Scan   // whose splits are divided among the tasks; nil: none is
	Whole  []*logical.Scan // of small tables, which each task reads
	Inputs []*Input
	// Keys are expressions over the columns of Root: rows with equal values are in one partition. nil:
	// there is one partition.
	Keys []expr.Expr
}

// Read is which rows of earlier stages a task reads.
type Read uint8

// The ways to read.
const (
	All       Read = iota // all rows
	Partition             // those of the partition that has the task's number
	Task                  // those of the task that has its number, among the tasks of all stages that it reads
)

// String is the word for it in texts.
func (r Read) String() string {
	return [...]string{All: "all", Partition: "partition", Task: "task"}[r]
}

// Input is rows of earlier stages, which have the same columns.
type Input struct {
	Scan *logical.Scan // the leaf of the stage's plan
	From []*Stage
	Read Read
}

// Rows is the table of an input's scan. Who runs the stage puts another in its place.
type Rows struct{ scan.Table }

// Tasks is how many tasks each stage has. splits is how many lists of splits the stages have that read
// splits; each has a task at least.
func (p *Plan) Tasks(splits map[int]int) []int {
	out := make([]int, len(p.Stages))
	for i, s := range p.Stages {
		out[i] = 1
		if s.Split != nil {
			out[i] = max(1, splits[i])
		}
		for _, in := range s.Inputs {
			switch in.Read {
			case Partition:
				out[i] = p.Partitions
			case Task:
				out[i] = 0
				for _, from := range in.From {
					out[i] += out[from.Number]
				}
			}
		}
	}
	return out
}

// Text describes the stages, line by line. plan describes the plan of a stage, and more says more of it.
func (p *Plan) Text(plan func(logical.Node) []string, more func(*Stage) string) []string {
	var out []string
	for i, s := range p.Stages {
		head := fmt.Sprintf("stage %d", i)
		if i == len(p.Stages)-1 {
			head += ", the result"
		} else if s.Keys != nil {
			keys := make([]string, len(s.Keys))
			for k, e := range s.Keys {
				keys[k] = e.String()
			}
			head += fmt.Sprintf(", to %d partitions by %s", p.Partitions, strings.Join(keys, ", "))
		}
		if s.Split != nil {
			head += ", splits of " + s.Split.Table.Description().Name
		}
		for _, whole := range s.Whole {
			head += ", all of " + whole.Table.Description().Name
		}
		out = append(out, head+more(s))
		for _, line := range plan(s.Root) {
			out = append(out, "  "+line)
		}
	}
	return out
}
