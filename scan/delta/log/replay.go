package log

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/schema"
	"github.com/parquetsql/parquetsql/storage"
)

// replay applies actions in the order of the log (PROTOCOL.md, "Action Reconciliation"): the
// newest protocol and metadata count, and of each logical file the newest action. It is the sink
// of the files of a log.
type replay struct {
	table    *Table
	mu       sync.Mutex
	protocol *action.Protocol
	metadata *action.Metadata
	listed   []*action.File          // of the checkpoint or the version that it began with
	files    map[string]*action.File // by key, in the place of listed once a commit changes them; else nil
	sidecars []action.Sidecar
	budget   *quota.Budget
	stats    int64 // bytes of the statistics of files

	whole bool // a checkpoint is read: what it removes is not in it
}

func newReplay(t *Table) *replay {
	return &replay{table: t, budget: quota.New(t.memory)}
}

// begin starts with the state of a version.
func (r *replay) begin(s *Snapshot) {
	r.protocol, r.metadata, r.listed = &s.Protocol, &s.Metadata, slices.Clip(s.Files)
	for _, f := range s.Files {
		r.stats += int64(len(f.Stats))
	}
}

// byKey are the files so far, to be changed.
func (r *replay) byKey() map[string]*action.File {
	if r.files == nil {
		files := make(map[string]*action.File, len(r.listed)+len(r.listed)/8)
		for _, f := range r.listed {
			files[f.Key()] = f
		}
		if len(files) < len(r.listed) { // a checkpoint has one twice
			for _, f := range r.sorted() {
				files[f.Key()] = f
			}
		}
		r.files, r.listed = files, nil
	}
	return r.files
}

// count is how many files there are so far.
func (r *replay) count() int { return len(r.listed) + len(r.files) }

// Protocol implements action.Sink.
func (r *replay) Protocol(p action.Protocol) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.protocol = &p
	return nil
}

// Metadata implements action.Sink.
func (r *replay) Metadata(m action.Metadata) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.metadata = &m
	return nil
}

// fileBytes is about what a file takes besides its texts: itself, and its place in a map and a
// list; vectorBytes is a deletion vector.
const (
	fileBytes   = 72 + 56
	vectorBytes = 56
)

// Add implements action.Sink.
func (r *replay) Add(list ...action.File) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := int64(0)
	for i := range list {
		f := &list[i]
		if f.Path == "" || f.Size < 0 || strings.IndexByte(f.Path, 0) >= 0 {
			return fmt.Errorf("the log adds the file %q of %d bytes", f.Path, f.Size)
		}
		r.shorten(f)
		n += bytesOf(f)
	}
	if err := r.budget.Need(n); err != nil {
		return fmt.Errorf("the state of a Delta table with %d files: %w", r.count()+len(list), err)
	}
	for i := range list {
		f := &list[i]
		if r.whole {
			r.listed = append(r.listed, f)
		} else {
			r.byKey()[f.Key()] = f
		}
	}
	return nil
}

// bytesOf is about how much memory a file takes.
func bytesOf(f *action.File) int64 {
	n := int64(fileBytes + len(f.Path) + len(f.Stats))
	if d := f.Deletion; d != nil {
		n += int64(vectorBytes + 2*len(d.PathOrInline) + len(f.Path))
	}
	return n
}

// shorten leaves out the statistics of a file, but for its number of rows, where those of all
// would take more than half of the memory, or more than the table's bound: they only save work.
func (r *replay) shorten(f *action.File) {
	now, limit := r.stats+int64(len(f.Stats)), r.budget.Limit()/2
	if limit > 0 && now > limit || r.table.stats > 0 && now > r.table.stats {
		if rows := schema.Rows(f.Stats); rows >= 0 {
			f.Stats = fmt.Sprintf(`{"numRecords":%d}`, rows)
		} else {
			f.Stats = ""
		}
	}
	r.stats += int64(len(f.Stats))
}

// Remove implements action.Sink.
func (r *replay) Remove(a action.Remove) error {
	if r.whole {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byKey(), a.Key)
	return nil
}

// Sidecar implements action.Sink.
func (r *replay) Sidecar(s action.Sidecar) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sidecars = append(r.sidecars, s)
	return nil
}

// Commit implements action.Sink.
func (r *replay) Commit(action.Commit) error { return nil }

// run applies the files of a segment.
func (r *replay) run(ctx context.Context, s segment) error {
	if s.from != nil {
		r.whole = true
		if err := r.checkpoint(ctx, s.from); err != nil {
			return err
		}
		r.whole = false
	}
	return r.commits(ctx, s.files)
}

// checkpoint reads a checkpoint and its sidecars.
func (r *replay) checkpoint(ctx context.Context, c *checkpoint) error {
	shared := &action.Partitions{Budget: r.budget}
	within := func(files int) int { return (runtime.GOMAXPROCS(0) + files - 1) / files }
	err := parallel.Some(r.atOnce(), len(c.files), func(i int) error { return r.file(ctx, c.files[i], within(len(c.files)), shared) })
	if err != nil || len(r.sidecars) == 0 {
		return err
	}
	return parallel.Some(r.atOnce(), len(r.sidecars), func(i int) error { return r.sidecar(ctx, r.sidecars[i], within(len(r.sidecars)), shared) })
}

// atOnce is how many files are read at a time.
func (r *replay) atOnce() int { return max(4, min(16, r.table.store.Cost().AtOnce)) }

// sidecar reads a sidecar, which is always in the folder of sidecars ("Sidecar File Information").
func (r *replay) sidecar(ctx context.Context, s action.Sidecar, within int, shared *action.Partitions) error {
	name := path.Join(r.table.folder, Folder, "_sidecars", path.Base(s.Path))
	e, err := r.table.store.Stat(ctx, name)
	if err == nil && e.Folder {
		err = storage.ErrNotRegular
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("a checkpoint names it and it is not there")
		}
		return fmt.Errorf("file %q: %w", name, err)
	}
	return r.file(ctx, e, within, shared)
}

// file reads a file of a checkpoint, within it in so many goroutines.
func (r *replay) file(ctx context.Context, e storage.Entry, within int, shared *action.Partitions) error {
	if strings.HasSuffix(e.Name, ".json") {
		text, err := r.text(ctx, e)
		if err != nil {
			return err
		}
		defer r.budget.Release(e.Size)
		return r.wrap(e, action.ReadJSON(e.Name, text, r, shared))
	}
	f := r.table.store.Open(e)
	defer f.Close()
	o := action.Options{Budget: r.budget, Cost: r.table.store.Cost(), AtOnce: within}
	return r.wrap(e, action.ReadParquet(ctx, e.Name, readerAt{ctx, f}, e.Size, o, r, shared))
}

// text reads a file as a whole. It stays charged.
func (r *replay) text(ctx context.Context, e storage.Entry) (string, error) {
	if err := r.budget.Need(e.Size); err != nil {
		return "", r.wrap(e, err)
	}
	text, err := r.table.read(ctx, e)
	return text, r.wrap(e, err)
}

// wrap names the file in an error that does not.
func (r *replay) wrap(e storage.Entry, err error) error {
	var corrupt *errs.CorruptError
	if err == nil || errors.As(err, &corrupt) {
		return err
	}
	return fmt.Errorf("file %q: %w", e.Name, err)
}

// commits reads several files at a time and applies them one after the other.
func (r *replay) commits(ctx context.Context, files []storage.Entry) error {
	shared := &action.Partitions{Budget: r.budget}
	for len(files) > 0 {
		now := files[:min(len(files), r.atOnce())]
		files = files[len(now):]
		texts := make([]string, len(now))
		err := parallel.Some(len(now), len(now), func(i int) (err error) {
			texts[i], err = r.text(ctx, now[i])
			return err
		})
		if err != nil {
			return err
		}
		for i, e := range now {
			if err := r.commit(e, texts[i], shared); err != nil {
				return r.wrap(e, err)
			}
			r.budget.Release(e.Size)
		}
	}
	return ctx.Err()
}

// commit applies a commit or a compaction.
func (r *replay) commit(e storage.Entry, text string, shared *action.Partitions) error {
	if parseName(path.Base(e.Name)).kind != compactedFile {
		return action.ReadJSON(e.Name, text, r, shared)
	}
	c := &compacted{}
	if err := action.ReadJSON(e.Name, text, c, shared); err != nil {
		return err
	}
	return c.applyTo(r)
}

// snapshot is the state after the last file.
func (r *replay) snapshot(version int64) (*Snapshot, error) {
	missing := func(what string) error {
		return r.table.named(&errs.CorruptError{File: path.Join(r.table.folder, Folder), RowGroup: -1, Offset: -1, Err: fmt.Errorf("version %d has no %s", version, what)})
	}
	switch {
	case r.protocol == nil:
		return nil, missing("protocol action")
	case r.metadata == nil:
		return nil, missing("metaData action")
	}
	out := &Snapshot{Version: version, Protocol: *r.protocol, Metadata: *r.metadata, Files: r.sorted()}
	for i, f := range out.Files {
		if out.Bytes += bytesOf(f); i == 0 || f.Partition != out.Files[i-1].Partition {
			out.Bytes += f.Partition.Bytes()
		}
	}
	return out, nil
}

// named says which table an error is about.
func (t *Table) named(err error) error {
	return fmt.Errorf("the Delta table %q: %w", t.folder, err)
}
