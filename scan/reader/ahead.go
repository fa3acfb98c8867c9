package reader

import (
	"context"
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/fetch"
)

// prefetch gets the next morsel ready while the reader works on another, one behind
// that: who takes the rows in order may wait for them before the reader goes on. It
// opens, prunes and reads the first bytes. For a TopN it reads none: the current
// morsel may rule out the next one.
type prefetch struct {
	morsel *morsel
	err    error
	cancel context.CancelFunc
	done   chan struct{}
}

// startPrefetch begins to get the next morsel ready, unless so little work is left
// that an idle reader should take it, or the query may end before it is needed.
func (r *Reader) startPrefetch() {
	s := r.scan
	if s.request.Limit >= 0 || s.queue.left() < s.parallelism || s.request.First != nil && len(s.runtimeProbes()) == 0 { // no bound yet
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	after := r.current.task
	p := &prefetch{cancel: cancel, done: make(chan struct{})}
	r.ahead = p
	stop := func() bool { return ctx.Err() != nil }
	go func() {
		defer close(p.done)
		defer errs.Recover(&p.err)
		if p.morsel, p.err = s.fetch(ctx, after); p.morsel != nil && s.request.First == nil {
			most := fetch.Ahead(p.morsel.group.file.open.Cost())
			if p.err = p.morsel.group.first.Prefetch(most, stop); p.err == nil && p.morsel.group.first.Bytes() == 0 {
				p.err = p.morsel.group.later.Prefetch(most, stop)
			}
		}
	}()
}

// takeMorsel begins to work on the next morsel; false is the end.
func (r *Reader) takeMorsel(ctx context.Context) (bool, error) {
	m, err := r.fetched(ctx)
	if m != nil && err != nil { // the prefetch of its bytes has panicked
		return false, errors.Join(err, m.group.end())
	}
	if m == nil || err != nil {
		return false, err
	}
	if r.current, err = r.newMorselReader(m); err != nil {
		return false, err
	}
	r.startPrefetch()
	return true, nil
}

// fetched is the morsel that was got ready or else, as where the prefetch found none
// behind the one that was read, the first that waits.
func (r *Reader) fetched(ctx context.Context) (*morsel, error) {
	if r.ahead == nil {
		return r.scan.fetch(ctx, nil)
	}
	select {
	case <-r.ahead.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	m, err := r.ahead.morsel, r.ahead.err
	r.ahead.cancel()
	r.ahead = nil
	if m == nil && err == nil {
		return r.scan.fetch(ctx, nil)
	}
	return m, err
}

// abandon waits until the prefetch ends and returns the morsel that it took, or nil.
func (p *prefetch) abandon() *morsel {
	p.cancel()
	<-p.done
	return p.morsel
}
