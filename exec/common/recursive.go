package common

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// Recursion describes WITH RECURSIVE.
type Recursion struct {
	// Init is the streams of the rows to begin with.
	Init []exec.Operator
	// Step makes the operators of a round: its rows are computed from those of the
	// round before. The rows live until all that Step made is closed.
	Step func(before *Rows) ([]exec.Operator, error)
	// Each, which may be nil, makes the operators of all rounds at once, of whose rows each is computed from one
	// row, for rounds of few rows.
	Each func(before *Queue) ([]exec.Operator, error)
	// Schema describes the rows of Init and Step.
	Schema vector.Schema
	// All keeps rows that are equal to earlier ones. Without it the recursion ends when
	// a round has only such rows.
	All bool
	// Keep releases the rows that Step reads in every round, see Rows.Hold. Close calls
	// them.
	Keep []func() error
}

// recursive returns the rows of each round while it keeps them for the next one.
type recursive struct {
	Recursion
	env exec.Env

	round exec.Operator // of the current round
	// before is the rows that round reads, after those that it has returned. Both are held.
	before, after *held
	seen          *seen // nil with All
	ahead         bool  // before is the rows of the next round already

	done   bool
	closed bool
	err    error
}

// held is rows that are kept until release is called.
type held struct {
	*Rows
	release func() error
}

// NewRecursive returns the rows of Init, then those of Step for these, and so on until
// there are none.
func NewRecursive(env exec.Env, r Recursion) exec.Operator {
	op := &recursive{Recursion: r, env: env, round: env.Gather(r.Init)}
	if !r.All {
		op.seen = newSeen(env, r.Schema)
	}
	op.begin()
	return op
}

// Schema implements exec.Operator.
func (r *recursive) Schema() vector.Schema { return r.Recursion.Schema }

// begin makes room for the rows of a round.
func (r *recursive) begin() {
	rows := newRows(r.env, r.Recursion.Schema, 1)
	rows.started, rows.cancel = true, func() {}
	r.after = &held{rows, rows.Hold()}
	if r.seen != nil {
		r.seen.returned = rows.parts[0]
	}
}

// Close implements exec.Operator.
func (r *recursive) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	failures := []error{r.round.Close(), r.before.drop(), r.after.drop()}
	for _, release := range r.Keep {
		failures = append(failures, release())
	}
	if r.seen != nil {
		failures = append(failures, r.seen.close())
	}
	return errors.Join(failures...)
}

func (h *held) drop() error {
	if h == nil {
		return nil
	}
	h.complete()
	return h.release()
}

// Next implements exec.Operator.
func (r *recursive) Next(ctx context.Context) (*vector.Batch, error) {
	for !r.done && !r.closed {
		b, err := r.next(ctx)
		if b != nil && err == nil {
			return b, nil
		}
		r.err, r.done = err, err != nil || r.done
	}
	return nil, r.err
}

// next is the next batch. Without one and without an error a new round has begun, or
// the last one has ended.
func (r *recursive) next(ctx context.Context) (*vector.Batch, error) {
	for {
		b, err := r.rows(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return nil, r.turn(ctx)
		}
		if b.Rows() > 0 {
			return b, r.after.parts[0].add(b)
		}
	}
}

// rows is the next rows of the round that are new, nil at its end.
func (r *recursive) rows(ctx context.Context) (*vector.Batch, error) {
	b, err := r.round.Next(ctx)
	switch {
	case err != nil || r.seen == nil:
		return b, err
	case b == nil:
		return r.seen.late(ctx)
	}
	return b, r.seen.narrow(b)
}

// turn ends a round and begins the next one, or ends the recursion.
func (r *recursive) turn(ctx context.Context) error {
	err := r.round.Close()
	if !r.ahead {
		err = errors.Join(err, r.swap(ctx))
	}
	r.ahead = false
	if err != nil {
		return err
	}
	if r.before.n == 0 {
		r.done = true
		return nil
	}
	streams, err := r.step()
	if err != nil {
		return err
	}
	r.round = r.env.Gather(streams)
	return nil
}

// step makes the operators of the next round, or of all rounds until there are many rows.
func (r *recursive) step() ([]exec.Operator, error) {
	if r.Each != nil && r.before.n <= few && !r.late() {
		return r.Each(&Queue{of: r})
	}
	return r.Step(r.before.Rows)
}

// late reports whether it is known at the end of a round alone which of its rows are new.
func (r *recursive) late() bool { return r.seen != nil && r.seen.old != nil }

// swap makes the rows of the round that has ended those that are read.
func (r *recursive) swap(ctx context.Context) error {
	if err := errors.Join(r.before.drop(), ctx.Err()); err != nil {
		r.before = nil
		return err
	}
	r.before, r.after = r.after, nil
	r.before.complete()
	if r.before.n > 0 {
		r.begin()
	}
	return nil
}

// complete says that all rows were added.
func (c *Rows) complete() {
	select {
	case <-c.done:
	default:
		c.finish()
		close(c.done)
	}
}
