package query

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/terminal"
)

// bar is the line on a terminal that shows how far a query is. It appears after a second
// and leaves nothing behind.
type bar struct {
	w       io.Writer
	columns int
	begin   time.Time
	stats   func() parquetsql.QueryStats
	once    sync.Once
	done    chan struct{}
	ended   sync.WaitGroup
}

const (
	barAfter = time.Second
	barEvery = 100 * time.Millisecond
)

// startBar returns the bar of a query, and the context to run it with.
func (r *Runner) startBar(ctx context.Context) (context.Context, *bar) {
	ctx, watcher := parquetsql.Watch(ctx)
	b := &bar{w: r.Stderr, begin: time.Now(), stats: watcher.Stats, done: make(chan struct{})}
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

// line is what the bar shows now, cut to one line: how much of the files is done, rows and
// bytes of those planned, the rows that came out, and the time.
func (b *bar) line() string {
	s := b.stats()
	var parts []string
	if fraction := s.Fraction(); fraction > 0 {
		const cells = 20
		done := min(int(fraction*cells), cells)
		parts = append(parts, fmt.Sprintf("%s%s %3.0f %%", strings.Repeat("█", done), strings.Repeat("░", cells-done), min(100*fraction, 100)))
	}
	if s.RowsPlanned > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s rows", short(s.RowsPassed), short(s.RowsPlanned)))
	}
	if s.BytesPlanned > 0 {
		parts = append(parts, fmt.Sprintf("%sB of %sB", short(s.BytesRead), short(s.BytesPlanned)))
	}
	if s.Requests > 0 {
		parts = append(parts, requests(s))
	}
	if s.Rows > 0 {
		parts = append(parts, short(s.Rows)+" rows out")
	}
	if s.SpilledBytes > 0 {
		parts = append(parts, short(s.SpilledBytes)+"B on disk")
	}
	text := []rune(strings.Join(append(parts, fmt.Sprintf("%.1f s", time.Since(b.begin).Seconds())), "  "))
	return string(text[:min(len(text), max(b.columns-1, 0))])
}

// requests is what a remote store was asked for.
func requests(s parquetsql.QueryStats) string {
	text := fmt.Sprintf("%s requests, %sB", short(s.Requests), short(s.RequestBytes))
	if s.CachedBytes > 0 {
		text += fmt.Sprintf(", %sB cached", short(s.CachedBytes))
	}
	if s.Retries > 0 {
		text += fmt.Sprintf(", %s repeated", short(s.Retries))
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
		if v := float64(n) / u.size; v >= 0.9995 {
			return fmt.Sprintf("%.3g%s", v, u.name)
		}
	}
	return fmt.Sprint(n)
}
