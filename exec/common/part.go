package common

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// part is the rows that one goroutine has written: the latest ones in memory, the others
// in blocks on disk.
type part struct {
	types  []vector.Type
	budget *quota.Budget
	file   *spill.File

	rows  *rowstore.Rows
	texts vector.Longest
	disk  []written
	n     int64 // rows
	held  int64 // bytes reserved of the budget; twice as many until full
	full  bool  // no more rows come

	reader rowstore.Reader
	data   []byte
}

// written is rows on disk, with a spill block per column, so that a reader reads only the
// columns that it needs.
type written struct {
	rows    int
	columns []spill.Block
}

const (
	// freeBytes of rows in memory are not charged.
	freeBytes = quota.FreeSharedRow * vector.BatchSize
	// blockRows is about how many rows a chunk in memory, or a block on disk, has at most.
	blockRows = 4 * vector.BatchSize
)

func newPart(types []vector.Type, file *spill.File, budget *quota.Budget) *part {
	return &part{types: types, budget: budget, file: file, rows: rowstore.NewBatches(types, blockRows)}
}

// fill adds all rows of an operator.
func (p *part) fill(ctx context.Context, in exec.Operator) error {
	for {
		b, err := in.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		if err := p.add(b); err != nil {
			return err
		}
	}
}

// add appends the selected rows of b. Half of what it reserves stays free for the
// operators that read the rows: not all of them can do with little.
func (p *part) add(b *vector.Batch) error {
	return p.texts.Cut(b, exec.CutBytes, func(some *vector.Batch, _ int64) error { return p.keep(some) })
}

func (p *part) keep(b *vector.Batch) error {
	if err := p.rows.Append(b.Cols, b.Sel, b.Len); err != nil {
		return err
	}
	p.n += int64(b.Rows())
	n := p.rows.Bytes() - freeBytes - p.held
	if n < quota.ChargeStep {
		return nil
	}
	if p.budget.Reserve(2*n) == nil {
		p.held += n
		return nil
	}
	return p.spill()
}

// spill moves the rows in memory to disk.
func (p *part) spill() error {
	per := min(blockRows, max(1, int64(p.rows.Len())*quota.BlockBytes/max(1, p.rows.Used())))
	for i := range p.rows.Chunks() {
		chunk := p.reader.Read(p.rows, i)
		for from := 0; from < chunk.Len; from += int(per) {
			if err := p.write(chunk, from, min(int(per), chunk.Len-from)); err != nil {
				return err
			}
		}
	}
	p.rows.Clear()
	p.release()
	return nil
}

// write makes a block of n rows of a chunk.
func (p *part) write(chunk *vector.Batch, from, n int) error {
	b := written{rows: n}
	var view vector.Vector
	for _, c := range chunk.Cols {
		view.Slice(c, from, n)
		flat, err := view.Flatten(nil)
		if err != nil {
			return err
		}
		p.data = block.AppendColumn(block.Begin(p.data, n), flat)
		written, err := p.file.Append(p.data)
		if err != nil {
			return err
		}
		b.columns = append(b.columns, written)
	}
	p.disk = append(p.disk, b)
	return nil
}

// finish says that no more rows come.
func (p *part) finish() {
	if !p.full {
		p.budget.Release(p.held)
		p.full, p.data, p.reader = true, nil, rowstore.Reader{}
	}
}

// release gives back to the budget all that is reserved.
func (p *part) release() {
	n := p.held
	if !p.full {
		n *= 2
	}
	p.budget.Release(n)
	p.held = 0
}

// free forgets the rows.
func (p *part) free() {
	p.release()
	p.rows.Clear()
	p.disk, p.n = nil, 0
}
