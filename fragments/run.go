package fragments

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments/internal/travel"
)

// Worker runs fragments. The zero value does; several goroutines may use it.
type Worker struct {
	// Keep is how many plans stay for further fragments of the same queries, for a minute: planning reads
	// footers, and each fragment needs the plan. Close ends them.
	Keep int
	// Config, unless nil, completes what a fragment says of the files and of the process: it adds keys
	// and secrets, and sets limits of memory and folders.
	Config func(*parquetsql.Config) error

	kept keptPlans
}

// Close closes the plans that are kept. Fragments that still run end theirs.
func (w *Worker) Close() error { return w.kept.close() }

// Run runs a fragment. Whether this attempt or another one counts makes no difference: without an error the
// task is done. A fragment may be run again after any error; ErrNotReady says that it came too early.
func (w *Worker) Run(ctx context.Context, f *Fragment, s Store) error {
	return ranOnce(ctx, f, s, func() error {
		return w.kept.use(ctx, f, w.Keep, func() (*made, error) { return w.replan(ctx, f) }, func(m *made) error { return attempt(ctx, m, f, s) })
	})
}

// Run runs a fragment of the plan here, without planning again.
func (p *Plan) Run(ctx context.Context, f *Fragment, s Store) error {
	if f.ID != p.ID || f.Hash != p.last.Hash {
		return fmt.Errorf("%s: it is a fragment of another plan", f.Name())
	}
	return ranOnce(ctx, f, s, func() error { return attempt(ctx, p.made, f, s) })
}

// ranOnce runs a fragment that is not done.
func ranOnce(ctx context.Context, f *Fragment, s Store, run func() error) error {
	if err := f.check(); err != nil {
		return err
	}
	if _, err := readManifest(ctx, s, f.ID, f.Stage, f.Task, f.Hash); !errors.Is(err, ErrNotReady) {
		return err // done, or a damaged manifest
	}
	return run()
}

// replan plans the query of a fragment as this process can, and compares.
func (w *Worker) replan(ctx context.Context, f *Fragment) (*made, error) {
	config, err := parquetsql.ParseDSN(f.DSN)
	if err == nil && w.Config != nil {
		err = w.Config(config)
	}
	if err != nil {
		return nil, err
	}
	m, err := replan(ctx, config, f)
	if err != nil {
		return nil, err
	}
	if m.stages.Hash() != f.Hash {
		err := fmt.Errorf("%s: %w: the tables, or its version of the driver, are not those of the fragment", f.Name(), ErrOtherPlan)
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// attempt runs the task and commits.
func attempt(ctx context.Context, m *made, f *Fragment, s Store) (err error) {
	list := m.stages.Stages()
	if f.Stage >= len(list) {
		return fmt.Errorf("there is no stage %d", f.Stage)
	}
	var name [8]byte
	if _, err := rand.Read(name[:]); err != nil {
		return err
	}
	o := &output{columns: list[f.Stage].Columns, parts: map[uint64]*pending{}}
	o.manifest = manifest{Format: formatVersion, Hash: f.Hash, File: "rows-" + hex.EncodeToString(name[:])}
	if o.schema, err = travel.Schema(o.columns); err != nil {
		return err
	}
	file := folder(f.ID, f.Stage, f.Task) + "/" + o.manifest.File
	if o.to, err = s.Create(ctx, file); err != nil {
		return err
	}
	defer o.to.Abort()
	if err := o.fill(ctx, m, f, list, s); err != nil {
		return err
	}
	if err := o.to.Close(); err != nil {
		return err
	}
	counts, err := commit(ctx, s, f, &o.manifest)
	if err == nil && !counts {
		err = s.Remove(ctx, file)
	}
	return err
}

// fill runs the task.
func (o *output) fill(ctx context.Context, m *made, f *Fragment, list []parquetsql.Stage, s Store) (err error) {
	task, err := m.stages.Task(ctx, f.Stage, f.Splits, inputOf(f, list, s))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, task.Close()) }()
	for {
		b, partitions, err := task.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			return o.flush()
		}
		if err := o.add(b, partitions); err != nil {
			return err
		}
	}
}
