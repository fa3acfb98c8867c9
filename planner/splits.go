package planner

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/operators"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/reader"
)

// Split is a part of a version of a file: its row groups From to To-1.
type Split struct {
	Scan    int       `json:"scan,omitempty"` // 0 is that of the splits of the stage, and n its n-th small table
	File    string    `json:"file"`
	Copy    int       `json:"copy,omitempty"` // how many files of this path come before it
	Size    int64     `json:"size"`
	Time    time.Time `json:"time,omitzero"`
	Version string    `json:"version,omitempty"`
	From    int       `json:"from"`
	To      int       `json:"to"`
	Bytes   int64     `json:"bytes"` // compressed, of the columns that are needed
}

// Splits are those of each task of a stage, in the order of their rows; none where the stage has no table
// that is divided. Row groups that no row is needed of are in none.
func (s *Staged) Splits(ctx context.Context, stage int) (_ [][]Split, err error) {
	defer errs.Recover(&err)
	n := s.plan.Stages[stage].Split
	if n == nil {
		return nil, nil
	}
	return s.splits(ctx, n, s.options.SplitBytes)
}

// Shared are the splits of small tables that each task of a stage reads, besides those of Splits.
func (s *Staged) Shared(ctx context.Context, stage int) (out []Split, err error) {
	defer errs.Recover(&err)
	for i, n := range s.plan.Stages[stage].Whole {
		lists, err := s.splits(ctx, n, math.MaxInt64)
		if err != nil {
			return nil, err
		}
		for _, x := range slices.Concat(lists...) {
			x.Scan = i + 1
			out = append(out, x)
		}
	}
	return out, nil
}

// splits are those of a scan, in lists of about so many bytes.
func (s *Staged) splits(ctx context.Context, n *logical.Scan, most int64) ([][]Split, error) {
	pieces, err := s.pieces(ctx, n)
	if err != nil {
		return nil, s.placed(err)
	}
	copies := map[*files.File]int{}
	if f, ok := n.Table.(reader.Files); ok {
		copies = copiesOf(f.Set.Files)
	}
	var out [][]Split
	var task []Split
	bytes := int64(0)
	for _, p := range pieces {
		if bytes >= most {
			out, task, bytes = append(out, task), nil, 0
		}
		bytes += p.Bytes
		if k := len(task) - 1; k >= 0 && task[k].File == p.File.Path && task[k].Copy == copies[p.File] && task[k].To <= p.Group {
			task[k].To, task[k].Bytes = p.Group+1, task[k].Bytes+p.Bytes
			continue
		}
		e := p.File.Entry
		task = append(task, Split{File: p.File.Path, Copy: copies[p.File], Size: e.Size, Time: e.Time, Version: e.Version, From: p.Group, To: p.Group + 1, Bytes: p.Bytes})
	}
	if task != nil {
		out = append(out, task)
	}
	return out, nil
}

// pieces are the row groups that a scan reads.
func (s *Staged) pieces(ctx context.Context, n *logical.Scan) (out []reader.Piece, err error) {
	p, err := s.run.choose(n)
	if err != nil {
		return nil, err
	}
	root, err := operators.Build(ctx, p, s.run.session.Limits, nil)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, running := range root.Scans() {
		files, ok := running.Scan.(interface {
			Pieces(ctx context.Context) ([]reader.Piece, error)
		})
		if !ok {
			return nil, fmt.Errorf("internal error: a %T has no splits", running.Scan)
		}
		if out, err = files.Pieces(ctx); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// copiesOf is how many files of the same path come before each: a query may read one twice.
func copiesOf(list []*files.File) map[*files.File]int {
	seen, out := map[string]int{}, make(map[*files.File]int, len(list))
	for _, f := range list {
		out[f] = seen[f.Path]
		seen[f.Path]++
	}
	return out
}

// partOf is the splits of a table. A file of them that is another one by now is an errs.ErrChanged.
func partOf(ctx context.Context, set *files.Set, splits []Split) (*files.Set, error) {
	if len(splits) == 0 {
		return set.Part(nil, map[*files.File]files.Groups{}), nil
	}
	whole, err := set.Whole(ctx)
	if err != nil {
		return nil, err
	}
	type place struct {
		path string
		copy int
	}
	at := make(map[place]*files.File, len(whole.Files))
	copies := copiesOf(whole.Files)
	for _, f := range whole.Files {
		at[place{f.Path, copies[f]}] = f
	}
	groups := map[*files.File]files.Groups{}
	var list []*files.File
	for _, x := range splits {
		f := at[place{x.File, x.Copy}]
		if f == nil || f.Entry.Size != x.Size || f.Entry.Version != x.Version || !f.Entry.Time.Equal(x.Time) {
			return nil, &errs.ChangedError{File: x.File}
		}
		g, twice := groups[f]
		if !twice {
			list, g = append(list, f), files.Groups{From: x.From, To: x.To}
		}
		groups[f] = files.Groups{From: min(g.From, x.From), To: max(g.To, x.To)}
	}
	return whole.Part(list, groups), nil
}
