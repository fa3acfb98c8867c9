package query

import (
	"bufio"
	"io"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

// output collects what is written to pass it on in large parts, and at the latest after
// flushEvery, so that the rows of a slow query show as they come.
type output struct {
	mu     sync.Mutex
	w      *bufio.Writer
	err    error // of a flush
	end    func() error
	ticker *time.Ticker
	done   chan struct{}
	ended  sync.WaitGroup
}

const (
	flushEvery  = 200 * time.Millisecond
	outputBytes = 64 << 10
)

// output returns where rows go: a file, a program, or the terminal and its pager. begun is called
// before something shows on the screen; it may be nil.
func (r *Runner) output(begun func()) *output {
	switch {
	case r.File != nil:
		return newOutput(r.File, func() error { return nil })
	case terminal.Is(r.Stdout):
		pager := terminal.NewPager(r.Stdout, begun)
		return newOutput(pager, pager.Close)
	}
	return newOutput(r.Stdout, func() error { return nil })
}

func newOutput(w io.Writer, end func() error) *output {
	o := &output{w: bufio.NewWriterSize(w, outputBytes), end: end, ticker: time.NewTicker(flushEvery), done: make(chan struct{})}
	o.ended.Go(o.flushRegularly)
	return o
}

func (o *output) flushRegularly() {
	for {
		select {
		case <-o.done:
			return
		case <-o.ticker.C:
			o.mu.Lock()
			if err := o.w.Flush(); o.err == nil {
				o.err = err
			}
			o.mu.Unlock()
		}
	}
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	return o.w.Write(b)
}

// close passes on what is left and waits for a pager.
func (o *output) close() error {
	o.ticker.Stop()
	close(o.done)
	o.ended.Wait()
	err := o.w.Flush()
	if endErr := o.end(); err == nil {
		err = endErr
	}
	return err
}
