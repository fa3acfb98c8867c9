package query

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

// bar is the line on a terminal that shows how far a query is. It appears after a second
// and leaves nothing behind.
type bar struct {
	w       io.Writer
	columns int
	begin   time.Time
	rows    atomic.Int64 // that were written

	once  sync.Once
	done  chan struct{}
	ended sync.WaitGroup
}

const (
	barAfter = time.Second
	barEvery = 100 * time.Millisecond
)

// startBar returns the bar of a query, and the context to run it with.
func (r *Runner) startBar(ctx context.Context) (context.Context, *bar) {
	b := &bar{w: r.Stderr, begin: time.Now(), done: make(chan struct{})}
	if !r.Progress {
		return ctx, b
	}
	b.columns, _ = terminal.Size(r.Stderr)
	b.ended.Go(b.run)
	return ctx, b
}

func (b *bar) run() {
	wait := time.NewTimer(barAfter)
	defer wait.Stop()
	select {
	case <-b.done:
		return
	case <-wait.C:
	}
	ticker := time.NewTicker(barEvery)
	defer ticker.Stop()
	for {
		fmt.Fprintf(b.w, "\r%s\x1b[K", b.line())
		select {
		case <-b.done:
			fmt.Fprint(b.w, "\r\x1b[K")
			return
		case <-ticker.C:
		}
	}
}

// line is what the bar shows now, short enough for one line.
func (b *bar) line() string {
	text := fmt.Sprintf("%.1f s", time.Since(b.begin).Seconds())
	if rows := b.rows.Load(); rows > 0 {
		text += fmt.Sprintf("  %s rows written", short(rows))
	}
	if len(text) >= b.columns {
		return strings.Repeat(".", max(b.columns-1, 0))
	}
	return text
}

// stop ends the bar and clears its line. It may be called twice.
func (b *bar) stop() {
	b.once.Do(func() { close(b.done) })
	b.ended.Wait()
}

// short writes a count with three digits: 1.23M.
func short(n int64) string {
	units := []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}
	for _, u := range units {
		if v := float64(n) / u.size; v >= 1 {
			return fmt.Sprintf("%.3g%s", v, u.name)
		}
	}
	return fmt.Sprint(n)
}
