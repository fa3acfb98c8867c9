package fragments

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Do runs all fragments, each when those that it depends on are done. It calls run from so many goroutines,
// and up to so many times for a fragment as long as run has an error. It is the scheduler of tests and of
// programs without one.
func (p *Plan) Do(ctx context.Context, parallel, attempts int, run func(context.Context, *Fragment) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &doing{left: map[int]int{}, waiting: append([]*Fragment(nil), p.Fragments...)}
	d.changed = sync.NewCond(&d.mu)
	for _, f := range p.Fragments {
		d.left[f.Stage]++
	}
	var wg sync.WaitGroup
	for range max(1, parallel) {
		wg.Go(func() {
			for f := d.next(); f != nil; f = d.next() {
				d.done(f, tried(ctx, f, attempts, run), cancel)
			}
		})
	}
	wg.Wait()
	return d.err
}

// tried runs a fragment until it has no error.
func tried(ctx context.Context, f *Fragment, attempts int, run func(context.Context, *Fragment) error) error {
	var all []error
	for range max(1, attempts) {
		err := run(ctx, f)
		if err == nil {
			return nil
		}
		if all = append(all, err); ctx.Err() != nil {
			break
		}
	}
	return fmt.Errorf("fragment %s: %w", f.Name(), errors.Join(all...))
}

// doing is what is done and what waits.
type doing struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting []*Fragment
	left    map[int]int // tasks of a stage that are not done
	err     error
}

// next is a fragment that can run, nil at the end.
func (d *doing) next() *Fragment {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		if d.err != nil || len(d.waiting) == 0 {
			return nil
		}
		for i, f := range d.waiting {
			if d.ready(f) {
				d.waiting = append(d.waiting[:i], d.waiting[i+1:]...)
				return f
			}
		}
		d.changed.Wait()
	}
}

func (d *doing) ready(f *Fragment) bool {
	for _, stage := range f.DependsOn {
		if d.left[stage] > 0 {
			return false
		}
	}
	return true
}

// done notes the end of a fragment. Its error ends the others.
func (d *doing) done(f *Fragment, err error, cancel func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left[f.Stage]--; err != nil && d.err == nil {
		d.err = err
		cancel()
	}
	d.changed.Broadcast()
}
