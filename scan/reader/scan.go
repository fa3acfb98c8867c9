package reader

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"

	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/vector"
)

// Scan is one pass over a table: a queue of work that any number of Readers
// share. Files are opened when readers get to them, or a few before that, so that a
// query which has enough rows never opens the rest.
type Scan struct {
	table       *files.Set // with Request.Derived behind its own columns
	own         int        // columns of the table that are not derived
	request     scan.Request
	parallelism int
	minMorsel   int64 // rows: see minMorselRows

	stay          map[int]bool          // outputs of which the consumer keeps texts, see Request.Lent
	outputs       []int                 // table columns of the output, ascending, without repeats
	fields        map[int][]vector.Path // of an output column: which fields are needed; absent: all
	needed        []int                 // outputs and all columns of conjuncts
	windowRows    int64                 // rows that are read at once
	filterColumns [][]int               // by conjunct
	required      int                   // conjuncts of the request; those after them are of Restrict
	probes        []probe.Probe         // by conjunct; nil: cannot prune
	fallible      []int                 // conjuncts of the request that may fail for some values
	unnested      []probe.Probe         // of Request.Unnested: they may rule rows out, and never find that all pass

	counted int64 // rows that Metadata counts, of files that the queue has not

	queue  *queue
	opener *files.Opener // of the queue's files
	count  *counters
	full   atomic.Bool // no more rows are needed

	bound  atomic.Pointer[rowBound] // the last of SetBound
	better atomic.Pointer[[]better] // the last of SetBetter

	patience prune.Patience // with dictionaries
	spares   spares
	windows  *windows

	cancel context.CancelFunc
	ctx    context.Context // ends with Close

	mu         sync.Mutex
	runtime    []probe.Probe // by slot; nil where empty
	runtimeSet atomic.Int64  // how often they were changed
	begun      bool          // a reader has begun; see Restrict
	skipMu     sync.Mutex
}

// New plans a pass over the table: files are ruled out here by folder and by
// name; row groups and pages when their turn comes. ctx bounds the whole pass.
func New(ctx context.Context, t *files.Set, r scan.Request) (*Scan, error) {
	return newScan(ctx, t, r, minMorselRows)
}

func newScan(ctx context.Context, t *files.Set, r scan.Request, minMorsel int64) (*Scan, error) {
	r.Filter = expr.Unite(r.Filter)
	s := &Scan{minMorsel: minMorsel, table: withDerived(t, r.Derived), own: len(t.Columns), request: r, parallelism: max(1, r.Readers), count: &counters{}, windows: newWindows()}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.count.table = t.Name
	if err := s.planColumns(ctx); err != nil {
		s.cancel()
		return nil, err
	}
	s.windowRows = int64(expr.BatchRows(r.Budget, len(s.needed)+expr.Operations(ctx, r.Filter[:min(len(r.Filter), expr.KeptOperands)])))
	s.probes = make([]probe.Probe, len(r.Filter))
	for i, e := range r.Filter {
		if r.Pruning.Any(scan.AllPruners) {
			s.probes[i] = probe.New(ctx, e)
		}
		if len(r.Filter) <= expr.KeptOperands && s.probes[i] != nil && expr.CanFail(e) {
			s.fallible = append(s.fallible, i)
		}
	}
	for _, e := range r.Unnested {
		if p := s.usable(probe.New(ctx, e), scan.AllPruners); p != nil {
			s.unnested = append(s.unnested, p)
		}
	}
	found, err := s.findFiles()
	list := found.Files
	if err == nil {
		for _, f := range list {
			s.count.bytesRead.Add(f.TakeFooterBytes())
		}
		s.count.filesTotal.Add(int64(found.Omitted + found.Counted))
		s.count.filesPruned.Add(int64(found.Omitted))
		s.counted = found.Rows
		list, err = s.pruneFiles(list)
	}
	if err != nil {
		s.cancel()
		return nil, err
	}
	for _, f := range list {
		s.count.fileBytes.Add(f.Size())
	}
	s.queue, s.opener = newQueue(list), files.NewOpener(s.ctx, list, r.Limit < 0)
	if r.First != nil && r.Pruning.Any(scan.PruneOrder) {
		if err := s.orderGroups(ctx, *r.First); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// withDerived is the table with columns behind its own.
func withDerived(t *files.Set, derived []scan.Derived) *files.Set {
	if len(derived) == 0 {
		return t
	}
	out := *t
	out.Columns = slices.Clip(t.Columns)
	for _, d := range derived {
		from := t.Columns[d.Column]
		out.Columns = append(out.Columns, scan.Column{Name: d.Of(from.Name), Type: d.Type(), Nullable: true, Hidden: true, Conflict: from.Conflict})
	}
	return &out
}

// planColumns notes which columns are needed, and for what.
func (s *Scan) planColumns(ctx context.Context) error {
	s.fields = map[int][]vector.Path{}
	outputs := map[int]bool{}
	for _, p := range s.request.Columns {
		known := outputs[p.Column]
		switch {
		case !known && p.Fields != nil:
			s.fields[p.Column] = p.Fields
		case known && p.Fields == nil:
			delete(s.fields, p.Column)
		case known && s.fields[p.Column] != nil:
			s.fields[p.Column] = append(slices.Clone(s.fields[p.Column]), p.Fields...)
		}
		outputs[p.Column] = true
	}
	s.outputs = slices.Sorted(maps.Keys(outputs))
	s.stay = outputs
	for _, c := range s.request.Lent {
		delete(s.stay, c)
	}
	if lendsAll {
		clear(s.stay)
	}
	each, all, err := conjunctColumns(ctx, s.request.Filter)
	s.filterColumns, s.needed, s.required = each, ascending(s.outputs, all), len(s.request.Filter)
	for _, c := range all { // a conjunct may look at any field
		delete(s.fields, c)
	}
	for _, c := range s.needed {
		err = cmp.Or(err, s.table.Columns[c].Conflict)
	}
	return err
}

func (s *Scan) pruneFiles(all []*files.File) ([]*files.File, error) {
	s.count.filesTotal.Add(int64(len(all)))
	probes := slices.DeleteFunc(s.planned(), func(p probe.Probe) bool { return p == nil })
	if !s.request.Pruning.Any(scan.PrunePaths) || len(probes) == 0 {
		return all, nil
	}
	var out []*files.File
	k := &known{scan: s}
	get := k.summary
	for _, f := range all {
		if k.of(f); !s.rulesOut(probes, get) {
			out = append(out, f)
		}
	}
	s.count.filesPruned.Add(int64(len(all) - len(out)))
	return out, nil
}

// AddProbe adds a run-time probe (the keys of a join's other side, say): rows
// that it rules out need not be returned. Row groups that readers begin from
// now on are tested. It returns a slot for SetProbe.
func (s *Scan) AddProbe(p probe.Probe) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runtime = append(slices.Clone(s.runtime), s.usable(p, scan.PruneRunTime))
	s.runtimeSet.Add(1)
	return len(s.runtime) - 1
}

// SetProbe replaces a probe that was added: a TopN's new bound replaces the old one.
func (s *Scan) SetProbe(slot int, p probe.Probe) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runtime = slices.Clone(s.runtime)
	s.runtime[slot] = s.usable(p, scan.PruneRunTime)
	s.runtimeSet.Add(1)
}

// SetBound replaces a probe that was added by a condition, which readers test of rows,
// too. Only a scan whose request has First tests rows.
func (s *Scan) SetBound(slot int, e expr.Expr) {
	p := probe.New(s.ctx, e)
	if s.usable(p, scan.PruneRunTime) != nil {
		s.bound.Store(&rowBound{e, ascending(expr.ColumnsOf(e))})
	}
	s.SetProbe(slot, p)
}

// usable is p, or nil if the request does not allow this kind of probe or the
// statistics of its columns are not available.
func (s *Scan) usable(p probe.Probe, kind scan.Pruners) probe.Probe {
	if p == nil || !s.request.Pruning.Any(kind) {
		return nil
	}
	for _, c := range p.Columns() {
		if c < len(s.table.Columns) && !s.needs(c) {
			return nil
		}
	}
	return p
}

// needs reports whether a column of the table is read.
func (s *Scan) needs(column int) bool {
	_, found := slices.BinarySearch(s.needed, column)
	return found
}

func (s *Scan) runtimeProbes() []probe.Probe {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]probe.Probe, 0, len(s.runtime))
	for _, p := range s.runtime {
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// readOptions charges pages to the query's memory. Pages are decoded as a whole
// where corrupt rows are skipped: which rows are lost must not depend on how many
// are read at a time.
func (s *Scan) readOptions(source io.ReaderAt) column.Options {
	o := column.Options{Source: source, WholePages: s.request.OnCorruptSkip, MostExpanded: s.request.Budget.Limit() / 8, Interrupt: s.ctx.Err}
	if s.request.Budget.Limit() > 0 {
		pages := s.request.Budget.Pages()
		o.Reserve, o.Release, o.Crowded = pages.Reserve, pages.Release, pages.Crowded
	}
	return o
}

// planned are the probes of the request, some of them nil, in memory of its own.
func (s *Scan) planned() []probe.Probe { return slices.Concat(s.probes, s.unnested) }

// onlySkip are the probes that may take rows away but whose conjuncts the scan
// does not evaluate.
func (s *Scan) onlySkip() []probe.Probe { return append(slices.Clip(s.unnested), s.runtimeProbes()...) }

// Probes are the conjuncts that statistics may decide, as EXPLAIN shows them.
func (s *Scan) Probes() []string {
	var out []string
	for _, p := range s.planned() {
		if p != nil {
			out = append(out, p.String())
		}
	}
	return out
}

// Schema is the output columns in Request.Columns order.
func (s *Scan) Schema() vector.Schema {
	out := make(vector.Schema, len(s.request.Columns))
	for i, p := range s.request.Columns {
		c := s.table.Columns[p.Column]
		out[i] = vector.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable}
	}
	return out
}

// Counters are the scan's counters so far.
func (s *Scan) Counters() scan.Counters { return s.count.read() }

// Close ends the scan: readers find no more work, and what they do in the
// background ends. Readers are closed on their own. It may be called twice.
func (s *Scan) Close() error {
	s.cancel()
	if s.queue == nil {
		return nil
	}
	s.queue.stop()
	return s.opener.Close()
}

// enough notes rows that were returned, of a morsel unless t is nil, and stops when the
// limit is reached.
func (s *Scan) enough(t *task, rows int) {
	n := s.count.returned.Add(int64(rows))
	if s.request.Limit < 0 {
		return
	}
	if s.request.InOrder && t != nil {
		n = s.queue.returned(t, rows)
	}
	if n < s.request.Limit {
		return
	}
	s.full.Store(true)
	if s.queue != nil {
		s.queue.stop()
	}
}

// fetch is the next morsel, one behind the task after if that is not nil: until one is
// ready, it prunes row groups and opens files. nil is the end.
func (s *Scan) fetch(ctx context.Context, after *task) (*morsel, error) {
	for {
		t, ok, err := s.queue.next(ctx, after)
		if err != nil || !ok {
			return nil, err
		}
		if t.morsel != nil {
			return t.morsel, nil
		}
		if err := s.prepare(ctx, t); err != nil {
			return nil, err
		}
	}
}

// prepare does a task that makes work for other readers. If it fails, the task waits again: it
// may be that only this reader's context has ended, and others have to read these rows. Either
// way it wakes the readers that wait for the work.
func (s *Scan) prepare(ctx context.Context, t *task) error {
	var groups []*groupScan
	var morsels []morsel
	failed := true // also by a panic
	defer func() {
		if failed {
			s.queue.putBack(t)
			return
		}
		s.queue.add(t, groups, morsels)
	}()
	var err error
	if t.file != nil {
		groups, err = s.openFile(ctx, t.file)
	} else {
		morsels, err = s.plan(ctx, t.group)
	}
	failed = err != nil
	return err
}
