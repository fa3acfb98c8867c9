package reader

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/prune"
)

// morsel is a piece of work for one reader: rows of one row group.
type morsel struct {
	group *groupScan
	rows  prune.Ranges // within the row group
}

// queue hands out work: first the row groups of files that were opened, then
// files, whose row groups are then added. Any number of readers may wait on it.
type queue struct {
	mu      sync.Mutex
	files   []*catalog.File
	groups  []*groupScan // opened, not yet pruned beyond statistics
	morsels []morsel     // ready to be read
	opening int          // readers that may still add work
	stopped bool
	changed chan struct{} // closed and replaced when work was added or ended
}

func newQueue(files []*catalog.File) *queue {
	return &queue{files: files, changed: make(chan struct{})}
}

// task is exactly one of a ready morsel, a row group to prune, a file to open.
type task struct {
	morsel *morsel
	group  *groupScan
	file   *catalog.File
}

// next is the next task; false is the end. After a task of a group or a file the
// caller must call add.
func (q *queue) next(ctx context.Context) (task, bool, error) {
	for {
		if err := ctx.Err(); err != nil {
			return task{}, false, err
		}
		q.mu.Lock()
		t, ok := q.take()
		end := !ok && (q.opening == 0 || q.stopped)
		changed := q.changed
		q.mu.Unlock()
		if ok || end {
			return t, ok, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return task{}, false, ctx.Err()
		}
	}
}

func (q *queue) take() (t task, ok bool) {
	switch {
	case q.stopped:
		return t, false
	case len(q.morsels) > 0:
		t.morsel, q.morsels = &q.morsels[0], q.morsels[1:]
		return t, true
	case len(q.groups) > 0:
		t.group, q.groups = q.groups[0], q.groups[1:]
	case len(q.files) > 0:
		t.file, q.files = q.files[0], q.files[1:]
	default:
		return t, false
	}
	q.opening++
	return t, true
}

// add ends a task of a group or a file and adds the work that it made.
func (q *queue) add(groups []*groupScan, morsels []morsel) {
	q.mu.Lock()
	q.opening--
	stopped := q.stopped
	if !stopped {
		q.groups = append(q.groups, groups...)
		q.morsels = append(q.morsels, morsels...)
	}
	q.wake()
	q.mu.Unlock()
	if stopped {
		discard(groups, morsels)
	}
}

// stop makes every call of next return the end.
func (q *queue) stop() {
	q.mu.Lock()
	groups, morsels := q.groups, q.morsels
	q.stopped, q.groups, q.morsels = true, nil, nil
	q.wake()
	q.mu.Unlock()
	discard(groups, morsels)
}

// discard releases work that will not be done.
func discard(groups []*groupScan, morsels []morsel) {
	for _, g := range groups {
		g.file.release()
	}
	for _, m := range morsels {
		m.group.end()
	}
}

func (q *queue) wake() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// takeFiles takes out all files that wait to be opened.
func (q *queue) takeFiles() []*catalog.File {
	q.mu.Lock()
	defer q.mu.Unlock()
	files := q.files
	q.files = nil
	return files
}

// give adds row groups to be read.
func (q *queue) give(groups []*groupScan) {
	q.mu.Lock()
	q.opening++
	q.mu.Unlock()
	q.add(groups, nil)
}

// left is the number of waiting tasks; a file counts as one.
func (q *queue) left() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.files) + len(q.groups) + len(q.morsels)
}
