package window

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// The rows of window functions come to the workers from a rowSource: sorted, and divided by the
// hash of their partition where several workers compute them.

// rowSource is where an operator gets its rows: lists of sorted rows. No partition has
// rows in two of them.
type rowSource interface {
	// Next is the next list, which the caller closes; nil at the end.
	Next(ctx context.Context) (exec.Operator, error)
	Close() error
}

// sorted is a source of one list.
type sorted struct {
	op     exec.Operator
	given  bool
	inputs []exec.Operator
}

// newSorted is the rows of all inputs in order. The first keys are those of partitions.
func newSorted(env exec.Env, in []exec.Operator, keys []expr.SortKey, partition int) rowSource {
	if len(keys) == 0 {
		return &sorted{op: env.Gather(in), inputs: in}
	}
	env.Budget = env.Budget.Half() // what the sort has in memory must leave room for a section
	return &sorted{op: order.NewPartitioned(env, in, keys, partition), inputs: in}
}

func (s *sorted) Next(context.Context) (exec.Operator, error) {
	if s.given {
		return nil, nil
	}
	s.given = true
	return s.op, nil
}

func (s *sorted) Close() error { return errors.Join(s.op.Close(), exec.CloseAll(s.inputs)) }

// divided is the rows of all inputs, divided by the hash of their partition. Several
// operators have it as their source: the first one that needs rows divides those of
// all inputs, then each sorts and computes one list after the other.
type divided struct {
	rows   int // of a list, about
	in     []exec.Operator
	keys   []expr.Expr
	sort   []expr.SortKey
	layout spill.Layout
	env    exec.Env      // of the sorts
	budget *quota.Budget // of the rows that wait
	file   *spill.File

	mu    sync.Mutex // of what follows
	ran   bool
	err   error
	parts []*spill.Partitions // by input
	first int                 // the first partition of the next list
	step  int                 // partitions of a list
	users int                 // operators that are not closed
}

// newDivided is the rows of all inputs for so many operators, divided by keys. A list has about
// so many rows, but whole partitions.
func newDivided(env exec.Env, in []exec.Operator, keys []expr.Expr, sort []expr.SortKey, users, rows int) rowSource {
	d := &divided{
		rows: rows, in: in, keys: keys, sort: sort, env: env, budget: env.Budget.Half(), file: spill.New(env.TempDir, env.Encrypt, env.Budget), users: users,
		layout: spill.Layout{Keys: len(keys), Seed: hashtable.NewSeed(), Copies: true},
	}
	// A quarter of the memory remains for the sections.
	d.env.Budget = env.Budget.Half().Half()
	for _, k := range keys {
		d.layout.Types = append(d.layout.Types, k.Type())
	}
	for _, c := range in[0].Schema() {
		d.layout.Types = append(d.layout.Types, c.Type)
	}
	d.layout.Coarse = len(d.layout.Types) > spill.ManyColumns
	return d
}

func (d *divided) Next(ctx context.Context) (exec.Operator, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ran {
		d.ran = true
		d.err = d.divide(ctx)
	}
	if d.err != nil || d.first == hashtable.Partitions {
		return nil, d.err
	}
	list := &part{divided: d, from: d.first, to: min(d.first+d.step, hashtable.Partitions)}
	d.first = list.to
	return order.NewPartitioned(d.env, []exec.Operator{list}, d.sort, len(d.keys)), nil
}

// divide reads all inputs.
func (d *divided) divide(ctx context.Context) error {
	for range d.in {
		d.parts = append(d.parts, spill.NewPartitions(d.layout, d.file, d.budget))
	}
	var total atomic.Int64
	err := parallel.Each(ctx, len(d.in), func(ctx context.Context, i int) error {
		keys, row, parts := exec.NewExprSet(d.env), vector.Batch{}, expr.Parts{}
		for _, k := range d.keys {
			keys.Add(k)
		}
		for {
			b, err := d.in[i].Next(ctx)
			if err != nil {
				keys.End()
				return err
			}
			if b == nil {
				keys.End()
				return d.parts[i].Flush(nil)
			}
			if b.Rows() == 0 {
				continue
			}
			total.Add(int64(b.Rows()))
			add := func(b *vector.Batch) error {
				values, err := keys.Eval(b)
				if err != nil {
					return err
				}
				row = vector.Batch{Len: b.Len, Sel: b.Sel, Cols: append(append(row.Cols[:0], values...), b.Cols...)}
				return d.parts[i].Add(&row, nil)
			}
			if err := parts.Each(b, add); err != nil {
				return err
			}
		}
	})
	// Small lists cost more for their beginning than for their rows.
	d.step = int(min(max(hashtable.Partitions*int64(d.rows)/max(total.Load(), 1), 1), hashtable.Partitions))
	return err
}

// Close ends the inputs when the last operator is closed.
func (d *divided) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.users--; d.users > 0 {
		return nil
	}
	for _, p := range d.parts {
		p.Close()
	}
	d.parts, d.ran, d.first = nil, true, hashtable.Partitions
	return errors.Join(d.file.Close(), exec.CloseAll(d.in))
}

// part is the rows of some partitions, in any order.
type part struct {
	*divided
	from, to int
	input    int // the next one whose rows of the partition from are read
	cursor   *spill.Cursor
	batch    *vector.Batch // being returned, from row at on
	at       int
	out      vector.Batch
}

func (p *part) Schema() vector.Schema { return p.in[0].Schema() }
func (p *part) Close() error          { return nil }

func (p *part) Next(ctx context.Context) (*vector.Batch, error) {
	for p.batch == nil || p.at == p.batch.Len {
		if p.cursor == nil {
			if p.from == p.to {
				return nil, nil
			}
			p.cursor = p.parts[p.input].Cursor(p.from)
		}
		var err error
		if p.batch, err = p.cursor.Next(ctx); err != nil {
			return nil, err
		}
		if p.at = 0; p.batch == nil {
			p.forward()
		}
	}
	for len(p.out.Cols) < len(p.Schema()) {
		p.out.Cols = append(p.out.Cols, &vector.Vector{})
	}
	p.out.Len, p.out.Sel = min(vector.BatchSize, p.batch.Len-p.at), nil
	for c, v := range p.out.Cols {
		v.Slice(p.batch.Cols[len(p.keys)+c], p.at, p.out.Len)
	}
	p.at += p.out.Len
	return &p.out, nil
}

// forward forgets the rows that were read, and goes to the next input or partition.
func (p *part) forward() {
	p.parts[p.input].Drop(p.from)
	p.cursor = nil
	if p.input++; p.input == len(p.parts) {
		p.input = 0
		p.from++
	}
}
