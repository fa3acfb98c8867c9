package parquetsql

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql/internal/idle"
	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/storage"
)

// QueryStats is what a query did, or has done so far. Of a statement that reads no
// files the counts are 0, of EXPLAIN they are those of printing the plan.
type QueryStats struct {
	Text     string
	Began    time.Time
	Duration time.Duration // from its beginning until its rows were closed, or until now
	Err      error         // that ended it; nil also where the program closed the rows early
	Rows     int64         // handed out
	Done     bool          // the rows are closed

	Files           int64 // of the tables
	FilesPruned     int64 // by their folders, or by what their footers say of all rows
	FilesOpened     int64
	RowGroups       int64 // in the files opened
	RowGroupsPruned int64
	Pages           int64 // in the columns read, as far as their number is known
	PagesPruned     int64
	BytesRead       int64
	BytesPlanned    int64 // to be read in the files opened; pruning within row groups makes it less
	RowsPlanned     int64 // to be passed in the files opened, likewise
	RowsPassed      int64 // that were read, or turned out not to be needed
	PeakMemory      int64 // bytes that were charged to memory_limit at a time
	SpilledBytes    int64 // written to temp_dir

	Requests     int64 // to a remote store, with those that list and those that were repeated
	RequestBytes int64 // that came of them
	CachedBytes  int64 // of remote files, from the cache on disk
	Retries      int64 // requests that were repeated

	fraction float64
}

// Fraction is how much of its input the query has passed, from 0 to 1, by the rows of
// the row groups and the sizes of files that are not opened yet. It may shrink, as what
// is pruned becomes known only on the way, and a query may end before it has passed all.
func (s *QueryStats) Fraction() float64 { return s.fraction }

// Watcher shows a query while it runs.
type Watcher struct {
	query atomic.Pointer[watched]
}

// Watch returns a context for a query, and the Watcher of that query:
//
//	ctx, watcher := parquetsql.Watch(ctx)
//	go showProgress(watcher) // calls watcher.Stats() now and then
//	rows, err := db.QueryContext(ctx, "SELECT …")
//
// Of several queries with one such context the Watcher shows the one that began last.
func Watch(ctx context.Context) (context.Context, *Watcher) {
	w := &Watcher{}
	return context.WithValue(ctx, watcherKey{}, w), w
}

type watcherKey struct{}

// Stats is what the query has done so far; nothing before it begins. It may be called
// by several goroutines, also after the query has ended.
func (w *Watcher) Stats() QueryStats {
	q := w.query.Load()
	if q == nil {
		return QueryStats{}
	}
	return q.stats()
}

// watched is a query whose statistics somebody may ask for.
type watched struct {
	ctx  context.Context // that the program gave
	rows atomic.Int64    // handed out

	traffic storage.Traffic  // of the requests of its contexts
	told    func(QueryStats) // at the end; nil: nobody

	mu     sync.Mutex
	began  time.Time
	text   string
	result planner.Result // of the last run
	final  *QueryStats    // when it has ended
}

// watch begins the statistics of a query, which told gets at its end: it must have one.
func watch(ctx context.Context, text string, told func(QueryStats)) *watched {
	idle.Begin()
	q := &watched{ctx: ctx, text: text, began: time.Now(), told: told}
	if w, ok := ctx.Value(watcherKey{}).(*Watcher); ok {
		w.query.Store(q)
	}
	return q
}

// runs notes the operators of the query; those of a second run replace the first's.
func (q *watched) runs(r planner.Result) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.result = r
}

func (q *watched) stats() QueryStats {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.final != nil {
		return *q.final
	}
	return q.now()
}

// end fixes the statistics, forgets the operators, and tells the statistics.
func (q *watched) end(err error) {
	prefix(&err)
	q.mu.Lock()
	s := q.now()
	s.Done, s.Err = true, err
	q.final, q.result = &s, planner.Result{}
	q.mu.Unlock()
	idle.End()
	if q.told != nil {
		q.told(s)
	}
}

// now adds up the counters of all scans.
func (q *watched) now() QueryStats {
	s := QueryStats{Text: q.text, Began: q.began, Duration: time.Since(q.began), Rows: q.rows.Load()}
	s.Requests, s.RequestBytes = q.traffic.Requests.Load(), q.traffic.Bytes.Load()
	s.CachedBytes, s.Retries = q.traffic.Cached.Load(), q.traffic.Retries.Load()
	if q.result.Root == nil {
		return s
	}
	s.PeakMemory, s.SpilledBytes = q.result.Root.Memory()
	var size, passed float64
	for _, r := range q.result.Root.Scans() {
		c, p := r.Counters(), r.Progress()
		s.Files += c.FilesTotal
		s.FilesPruned += c.FilesPruned
		s.FilesOpened += p.FilesOpened
		s.RowGroups += c.RowGroupsTotal
		s.RowGroupsPruned += c.RowGroupsPrunedStatistics + c.RowGroupsPrunedBloom + c.RowGroupsPrunedDictionary
		s.Pages += c.PagesTotal
		s.PagesPruned += c.PagesPruned
		s.BytesRead += p.BytesRead
		s.BytesPlanned += p.BytesPlanned
		s.RowsPlanned += p.RowsPlanned
		s.RowsPassed += p.RowsPassed
		size += float64(p.FileBytes)
		passed += float64(p.FileBytes) * p.Fraction()
	}
	if size > 0 {
		s.fraction = min(max(passed/size, 0), 1)
	}
	return s
}
