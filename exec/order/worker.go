package order

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// A reservation is the memory of the rows that a worker gathers for its next run. The
// first minRunBytes of them are not charged, so that each worker can have rows.
type reservation struct {
	runs  *runs
	input int   // its number, for the runs that are made
	own   int64 // reserved
}

// grow reserves memory for rows of so many bytes. It returns false if moving runs to disk
// does not free enough.
func (r *reservation) grow(ctx context.Context, bytes int64) (bool, error) {
	n := bytes - minRunBytes - r.own
	if n <= 0 {
		return true, nil
	}
	ok, err := r.runs.room(ctx, n)
	if ok {
		r.own += n
	}
	return ok, err
}

// shrink gives back what is reserved beyond the memory of rows of so many bytes.
func (r *reservation) shrink(bytes int64) {
	if n := r.own - max(0, bytes-minRunBytes); n > 0 {
		r.runs.budget.Release(n)
		r.own -= n
	}
}

func (r *reservation) release() {
	r.runs.budget.Release(r.own)
	r.own = 0
}

// add makes sorted rows of an input a run, in memory if there is room for it: about as
// much as the bytes that they hold where they are.
func (s *runs) add(input int, rows *sortRows, sorted []sortRef, bytes int64) error {
	var r *run
	var err error
	if s.budget.Reserve(bytes) == nil {
		if r, err = rows.toMemory(sorted); err != nil {
			s.budget.Release(bytes)
			return err
		}
		r.bytes = bytes
	} else if r, err = rows.toDisk(sorted, s.file); err != nil {
		return err
	}
	r.input = input
	s.keep(r)
	return nil
}

// each hands the rows of an input to take, in batches that are small or one long row,
// with the bytes of their texts.
func each(ctx context.Context, in exec.Operator, take func(ctx context.Context, b *vector.Batch, texts int64) error) error {
	for {
		b, err := in.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		if b.Rows() == 0 {
			continue
		}
		if err := vector.Cut(b, minRunBytes, func(part *vector.Batch, texts int64) error { return take(ctx, part, texts) }); err != nil {
			return err
		}
	}
}
