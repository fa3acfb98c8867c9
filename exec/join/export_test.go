package join

import "context"

// SetFreeBytes changes how much memory a table uses without a charge, and returns a
// function that undoes it.
func SetFreeBytes(n int64) (undo func()) {
	old := freeBytes
	freeBytes = n
	return func() { freeBytes = old }
}

// Turns are the turns of workers, for tests.
type Turns struct {
	*turns
	workers int
}

func NewTurns(workers int) *Turns { return &Turns{newTurns(workers), workers} }

func (t *Turns) Wait(ctx context.Context) (alone bool, err error) { return t.wait(ctx) }
func (t *Turns) Gave()                                            { t.gave() }

func (t *Turns) Ended() {
	t.ended()
	t.workers--
}

// Waits reports whether a worker waits.
func (t *Turns) Waits() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running < t.workers
}
