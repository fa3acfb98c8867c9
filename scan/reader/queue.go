package reader

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/selection"
)

// morsel is a piece of work for one reader: rows of one row group.
type morsel struct {
	group *groupScan
	rows  selection.Ranges // within the row group
	task  *task            // its place in the queue
}

// task is exactly one of a file to open, a row group to prune, a morsel to read.
type task struct {
	file   *files.File
	group  *groupScan
	morsel *morsel

	prev, next *task // in the order of the rows
	state      taskState
	rows       int64 // of a morsel: that were returned
}

type taskState uint8

const (
	waiting taskState = iota
	taken
	wasRead // a morsel whose rows were all returned, but not yet passed on; see Scan.Pass
	ended   // not in the queue
)

// queue hands out work, in the order of the rows: at first all files wait; a file
// that was opened is replaced by its row groups, a row group that was pruned by its
// morsels. Work stays in the queue until it has ended, so that the first of the queue
// is always the work whose rows come next. Any number of readers may wait on it.
type queue struct {
	mu          sync.Mutex
	first, last *task
	waiting     int
	opening     int // tasks that may still be replaced by others
	passed      int64
	stopped     bool
	changed     chan struct{} // closed and replaced when work was added or ended
}

func newQueue(list []*files.File) *queue {
	q := &queue{changed: make(chan struct{})}
	tasks := make([]task, len(list))
	for i, f := range list {
		tasks[i].file = f
		q.insert(q.last, &tasks[i])
	}
	return q
}

// next is the first waiting task, of those behind after if that is not nil; false is
// the end. After a task of a group or a file the caller must call add.
func (q *queue) next(ctx context.Context, after *task) (*task, bool, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		q.mu.Lock()
		t := q.take(after)
		end := t == nil && (q.opening == 0 || q.stopped)
		changed := q.changed
		q.mu.Unlock()
		if t != nil || end {
			return t, t != nil, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

func (q *queue) take(after *task) *task {
	if q.stopped || q.waiting == 0 {
		return nil
	}
	t := q.first
	if after != nil {
		t = after.next // also of a task that has ended since: it leads to later tasks
	}
	for ; t != nil; t = t.next {
		if t.state == waiting {
			t.state = taken
			q.waiting--
			if t.morsel == nil {
				q.opening++
			}
			return t
		}
	}
	return nil
}

// add replaces a task of a group or a file by the work that it made.
func (q *queue) add(t *task, groups []*groupScan, morsels []morsel) {
	q.mu.Lock()
	q.opening--
	stopped := q.stopped
	if !stopped {
		at := t
		for _, g := range groups {
			at = q.insert(at, &task{group: g})
		}
		for i := range morsels {
			m := &task{morsel: &morsels[i]}
			m.morsel.task = m
			at = q.insert(at, m)
		}
		q.remove(t)
	}
	q.wake()
	q.mu.Unlock()
	if stopped {
		discard(groups, morsels)
	}
}

// putBack lets a task that was taken and not done wait again.
func (q *queue) putBack(t *task) {
	q.mu.Lock()
	stopped := q.stopped
	if t.morsel == nil {
		q.opening--
	}
	if !stopped {
		t.state = waiting
		q.waiting++
	}
	q.wake()
	q.mu.Unlock()
	if stopped {
		t.discard()
	}
}

// insert puts a waiting task behind another, or in front if that is nil.
func (q *queue) insert(at, t *task) *task {
	q.waiting++
	t.prev = at
	if at == nil {
		t.next, q.first = q.first, t
	} else {
		t.next, at.next = at.next, t
	}
	if t.next == nil {
		q.last = t
	} else {
		t.next.prev = t
	}
	return t
}

// remove takes a task out. It keeps its link to the next task, see take.
func (q *queue) remove(t *task) {
	if t.state == ended {
		return
	}
	if t.state == waiting {
		q.waiting--
	}
	if t.prev == nil {
		q.first = t.next
	} else {
		t.prev.next = t.next
	}
	if t.next == nil {
		q.last = t.prev
	} else {
		t.next.prev = t.prev
	}
	q.passed += t.rows
	t.state = ended
}

// end takes out tasks whose rows nobody waits for any more.
func (q *queue) end(tasks ...*task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, t := range tasks {
		q.remove(t)
	}
	q.wake()
}

// read notes that all rows of a morsel were returned.
func (q *queue) read(t *task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.state = wasRead
}

// returned notes rows of a morsel. It is how many rows were returned in all that no
// row that is still to be read comes before.
func (q *queue) returned(t *task, rows int) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.rows += int64(rows)
	n := q.passed
	for t := q.first; t != nil; t = t.next {
		n += t.rows
		if t.state != wasRead {
			break
		}
	}
	return n
}

// stop makes every call of next return the end.
func (q *queue) stop() {
	q.mu.Lock()
	q.stopped = true
	groups, morsels, _ := q.takeWaiting()
	q.wake()
	q.mu.Unlock()
	discard(groups, morsels)
}

// takeWaiting takes out all tasks that wait.
func (q *queue) takeWaiting() (groups []*groupScan, morsels []morsel, opened []*files.File) {
	for t := q.first; t != nil; t = t.next {
		if t.state != waiting {
			continue
		}
		q.remove(t)
		switch {
		case t.file != nil:
			opened = append(opened, t.file)
		case t.group != nil:
			groups = append(groups, t.group)
		default:
			morsels = append(morsels, *t.morsel)
		}
	}
	return groups, morsels, opened
}

// discard releases a task that will not be done.
func (t *task) discard() {
	switch {
	case t.group != nil:
		discard([]*groupScan{t.group}, nil)
	case t.morsel != nil:
		discard(nil, []morsel{*t.morsel})
	}
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

// takeFiles takes out all files that wait to be opened. There is no other work yet.
func (q *queue) takeFiles() []*files.File {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, _, waiting := q.takeWaiting()
	return waiting
}

// takeGroups takes out all row groups that wait to be read. There is no other work.
func (q *queue) takeGroups() []*groupScan {
	q.mu.Lock()
	defer q.mu.Unlock()
	groups, _, _ := q.takeWaiting()
	return groups
}

// give adds row groups to be read.
func (q *queue) give(groups []*groupScan) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, g := range groups {
		q.insert(q.last, &task{group: g})
	}
	q.wake()
}

// left is the number of waiting tasks; a file counts as one.
func (q *queue) left() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}
