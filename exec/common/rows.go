// Package common keeps rows that several places of a plan read: those of WITH and those
// of a round of WITH RECURSIVE.
//
//	Rows       rows that are computed once, when a reader first asks for one
//	Recursive  the rows of one round after the other
//
// Whoever reads Rows waits only for the operators that compute them, which run in
// goroutines of their own and never wait for a reader. So readers may be pulled in any
// order, at the same time or one after the other, or never.
//
//	      ┌ reader ─ ...      of one Reuse: they divide the rows among themselves
//	Rows ─┼ reader ─ ...
//	      └ reader ─ ...      of another Reuse: it reads all rows, too
//
// The rows are in memory, charged to the budget, until half of the budget is used up;
// then they go to disk. The last reader's Close frees them. So it is with the rows that
// UNION compares those of a round with (seen).
package common

import (
	"context"
	"errors"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/vector"
)

// Rows are rows that are computed once and read by any number of readers.
type Rows struct {
	in    []exec.Operator // closed when the rows are complete
	parts []*part
	file  *spill.File

	mu      sync.Mutex
	users   int // readers that are not closed, and holds
	started bool
	freed   bool
	cancel  context.CancelFunc

	done  chan struct{} // closed when the rows are complete
	err   error         // like units and n written before done is closed
	units []unit
	n     int64
}

// unit is rows that a reader takes at once: a block on disk, or a chunk in memory.
type unit struct {
	part  *part
	block int // of part.disk, -1: in memory
	chunk int
	n     int
}

// New computes the rows of in, one stream per worker, as soon as the first reader needs
// them.
func New(env exec.Env, in []exec.Operator) *Rows {
	c := newRows(env, in[0].Schema(), len(in))
	c.in = in
	return c
}

// newRows has room for the rows of some writers.
func newRows(env exec.Env, schema vector.Schema, writers int) *Rows {
	c := &Rows{file: spill.New(env.TempDir, env.Encrypt, env.Budget), done: make(chan struct{})}
	types := make([]vector.Type, len(schema))
	for i, col := range schema {
		types[i] = col.Type
	}
	for range writers {
		c.parts = append(c.parts, newPart(types, c.file, env.Budget))
	}
	return c
}

// Hold keeps the rows until the function that it returns is called, also while there is
// no reader.
func (c *Rows) Hold() (release func() error) {
	c.enter()
	return sync.OnceValue(c.leave)
}

func (c *Rows) enter() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users++
}

// leave ends one use; the last one ends the computation and frees the rows.
func (c *Rows) leave() error {
	c.mu.Lock()
	c.users--
	last := c.users == 0
	c.freed = c.freed || last
	started := c.started
	c.mu.Unlock()
	if !last {
		return nil
	}
	var err error
	if started {
		c.cancel()
		<-c.done
	} else {
		err = exec.CloseAll(c.in)
	}
	for _, p := range c.parts {
		p.free()
	}
	c.units = nil
	return errors.Join(err, c.file.Close())
}

// wait returns when the rows are complete. They are computed with a context of their
// own: that of the reader which asked first may end while others need the rows.
func (c *Rows) wait(ctx context.Context) error {
	c.mu.Lock()
	switch {
	case c.freed:
		c.mu.Unlock()
		return errors.New("internal error: common rows are read after they were freed")
	case !c.started:
		c.started = true
		var own context.Context
		own, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
		go c.compute(own)
	}
	c.mu.Unlock()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// compute runs the operators. A panic becomes the error of all readers.
func (c *Rows) compute(ctx context.Context) {
	defer close(c.done)
	c.err = parallel.Each(ctx, 1, func(ctx context.Context, _ int) error {
		err := parallel.Each(ctx, len(c.in), func(ctx context.Context, i int) error { return c.parts[i].fill(ctx, c.in[i]) })
		if closed := exec.CloseAll(c.in); err == nil {
			err = closed
		}
		return err
	})
	c.finish()
}

// finish makes the units of all rows.
func (c *Rows) finish() {
	for _, p := range c.parts {
		p.finish()
		c.n += p.n
		for i, b := range p.disk {
			c.units = append(c.units, unit{part: p, block: i, n: b.rows})
		}
		for i := range p.rows.Chunks() {
			c.units = append(c.units, unit{part: p, block: -1, chunk: i, n: p.rows.ChunkLen(i)})
		}
	}
}
