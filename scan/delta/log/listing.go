package log

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/storage"
)

// Folder is the name of the folder that has the log, in that of the table.
const Folder = "_delta_log"

// Log is the files of a log as they were listed once. It may be used by several goroutines.
type Log struct {
	table       *Table
	commits     map[int64]storage.Entry // by version
	checkpoints []checkpoint            // complete ones, ascending by version
	compactions map[int64][]compaction  // by first version
	newest      int64
	oldest      int64 // the oldest version whose commit or checkpoint is there

	from  int64 // older versions are not listed
	mu    sync.Mutex
	whole *Log // with all of them; nil: nobody has asked
}

// checkpoint is the files of one checkpoint, in the order of their parts.
type checkpoint struct {
	version int64
	files   []storage.Entry
	v2      bool // named by a UUID
}

// compaction is a file with the commits from one version to another.
type compaction struct {
	first, last int64
	file        storage.Entry
}

// logName is what the name of a file of the log says.
type logName struct {
	kind        logKind
	version     int64
	last        int64 // of a compaction
	part, parts int64 // of a checkpoint in parts
}

type logKind uint8

const (
	otherFile logKind = iota
	commitFile
	checkpointFile
	partFile // of a checkpoint in parts
	uuidFile // a checkpoint named by a UUID
	compactedFile
)

// parseName reads the name of a file of a log (PROTOCOL.md, "File Types", "Checkpoint Naming
// Scheme"). What is none of these, such as checksums and what is left of failed writes, is
// otherFile.
func parseName(name string) logName {
	parts := strings.Split(name, ".")
	version, ok := digits(parts[0], 20)
	if !ok {
		return logName{}
	}
	out, rest := logName{version: version}, parts[1:]
	switch {
	case len(rest) == 1 && rest[0] == "json":
		out.kind = commitFile
	case len(rest) == 2 && rest[0] == "checkpoint" && rest[1] == "parquet":
		out.kind = checkpointFile
	case len(rest) == 3 && rest[0] == "checkpoint" && strings.Count(rest[1], "-") == 4 && (rest[2] == "parquet" || rest[2] == "json"):
		out.kind = uuidFile
	case len(rest) == 4 && rest[0] == "checkpoint" && rest[3] == "parquet":
		part, isPart := digits(rest[1], 10)
		of, isOf := digits(rest[2], 10)
		if isPart && isOf && 1 <= part && part <= of {
			out.kind, out.part, out.parts = partFile, part, of
		}
	case len(rest) == 3 && rest[1] == "compacted" && rest[2] == "json":
		if last, ok := digits(rest[0], 20); ok && last > version {
			out.kind, out.last = compactedFile, last
		}
	}
	return out
}

// digits reads a number of exactly n digits.
func digits(s string, n int) (int64, bool) {
	if len(s) != n || strings.ContainsAny(s, "+-_") {
		return 0, false
	}
	v, err := strconv.ParseInt(s, 10, 64)
	return v, err == nil
}

// Log lists the files of the table's log. Where a listing takes requests, it begins with the version
// that was read last, if there is one; it still has all that newer versions are made of.
func (t *Table) Log(ctx context.Context) (*Log, error) {
	if t.store.Cost().IsLocal() {
		return t.list(ctx, 0, nil)
	}
	t.mu.Lock()
	last := t.last
	t.mu.Unlock()
	if last != nil && last.mark.Name != "" {
		l, err := t.list(ctx, last.Version, nil)
		if err == nil && l.mark(last.Version) == last.mark {
			return l, nil
		}
	}
	return t.listFirst(ctx)
}

// pageFiles is how many files there are in a page of a listing: where there are more, the first
// pages have only old versions.
const pageFiles = 1000

// errLong ends a listing that takes several requests.
var errLong = errors.New("the log has many files")

// listFirst lists a log of which nothing is known. If that takes several requests, it begins once more
// with the last checkpoint, as _last_checkpoint says; that may be damaged, or older than the last
// checkpoint, so nothing else is made of it.
func (t *Table) listFirst(ctx context.Context) (*Log, error) {
	listed := 0
	l, err := t.list(ctx, 0, func(page []storage.Entry) error {
		if listed += len(page); listed >= pageFiles {
			return errLong
		}
		return nil
	})
	if !errors.Is(err, errLong) {
		return l, err
	}
	if from, ok := t.lastCheckpoint(ctx); ok {
		l, err := t.list(ctx, from, nil)
		if err == nil && len(l.checkpoints) > 0 {
			return l, nil
		}
	}
	return t.list(ctx, 0, nil)
}

// lastCheckpoint is the version that _last_checkpoint says ("Last Checkpoint File").
func (t *Table) lastCheckpoint(ctx context.Context) (version int64, ok bool) {
	const most = 1 << 20
	e, err := t.store.Stat(ctx, path.Join(t.folder, Folder, "_last_checkpoint"))
	if err != nil || e.Folder || e.Err != nil || e.Size > most {
		return 0, false
	}
	text, err := t.read(ctx, e)
	if err != nil {
		return 0, false
	}
	return action.LastCheckpoint(text)
}

// all is the log with its old versions, as far as they are still there. It has no newer ones.
func (l *Log) all(ctx context.Context) (*Log, error) {
	if l.from == 0 {
		return l, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.whole != nil {
		return l.whole, nil
	}
	out, err := l.table.list(ctx, 0, nil)
	if err != nil {
		return nil, err
	}
	for v := range out.commits {
		if v > l.newest {
			delete(out.commits, v)
		}
	}
	out.checkpoints = slices.DeleteFunc(out.checkpoints, func(c checkpoint) bool { return c.version > l.newest })
	for v, list := range out.compactions {
		out.compactions[v] = slices.DeleteFunc(list, func(c compaction) bool { return c.last > l.newest })
	}
	l.whole, out.newest = out, min(out.newest, l.newest)
	return out, nil
}

// list lists the files of versions from one on. each sees the pages, and may end it; nil: nobody does.
func (t *Table) list(ctx context.Context, from int64, each func([]storage.Entry) error) (*Log, error) {
	l := &Log{table: t, commits: map[int64]storage.Entry{}, compactions: map[int64][]compaction{}, newest: -1, oldest: -1, from: from}
	parts := map[[2]int64][]storage.Entry{} // by version and number of parts
	walk := storage.Walk{}
	if from > 0 {
		walk.From = fmt.Sprintf("%020d", from)
	}
	for page, err := range t.store.List(ctx, path.Join(t.folder, Folder), walk) {
		if err == nil && each != nil {
			err = each(page)
		}
		if err != nil {
			return nil, t.logError(err)
		}
		for _, e := range page {
			if e.Folder {
				continue
			}
			n := parseName(path.Base(e.Name))
			if n.version < from {
				continue
			}
			if n.kind != otherFile && e.Err != nil {
				return nil, fmt.Errorf("file %q: %w", e.Name, e.Err)
			}
			if n.kind == partFile {
				key := [2]int64{n.version, n.parts}
				parts[key] = append(parts[key], e)
			} else {
				l.add(n, e)
			}
		}
	}
	for key, files := range parts {
		if int64(len(files)) == key[1] { // each name is there once
			slices.SortFunc(files, func(a, b storage.Entry) int { return strings.Compare(a.Name, b.Name) })
			l.checkpoints = append(l.checkpoints, checkpoint{version: key[0], files: files})
		}
	}
	return l, l.finish()
}

func (t *Table) logError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("folder %q is no Delta table: it has no %s", t.folder, Folder)
	}
	return fmt.Errorf("the log of the Delta table %q: %w", t.folder, err)
}

// add notes a file that is complete on its own.
func (l *Log) add(n logName, e storage.Entry) {
	switch n.kind {
	case commitFile:
		l.commits[n.version] = e
	case checkpointFile, uuidFile:
		l.checkpoints = append(l.checkpoints, checkpoint{version: n.version, files: []storage.Entry{e}, v2: n.kind == uuidFile})
	case compactedFile:
		l.compactions[n.version] = append(l.compactions[n.version], compaction{n.version, n.last, e})
	}
}

// finish finds the versions that there are. Of several checkpoints of a version the last one is
// used: one of a single file whose name has no UUID, as all writers of that version know it.
func (l *Log) finish() error {
	rank := func(c checkpoint) int {
		switch {
		case len(c.files) > 1:
			return 0
		case c.v2:
			return 1
		}
		return 2
	}
	slices.SortFunc(l.checkpoints, func(a, b checkpoint) int {
		if a.version != b.version {
			return int(max(-1, min(1, a.version-b.version)))
		}
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.files[0].Name, b.files[0].Name)
	})
	for v := range l.commits {
		l.seen(v)
	}
	for _, c := range l.checkpoints {
		l.seen(c.version)
	}
	if l.newest < 0 {
		return fmt.Errorf("the Delta table %q: %w", l.table.folder, l.corrupt(errors.New("its log has neither a commit nor a complete checkpoint")))
	}
	return nil
}

func (l *Log) seen(v int64) {
	l.newest = max(l.newest, v)
	if l.oldest < 0 || v < l.oldest {
		l.oldest = v
	}
}

// Newest is the newest version.
func (l *Log) Newest() int64 { return l.newest }

// corrupt is an error of the log as a whole.
func (l *Log) corrupt(err error) error {
	return &errs.CorruptError{File: path.Join(l.table.folder, Folder), RowGroup: -1, Offset: -1, Err: err}
}
