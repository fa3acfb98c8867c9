package log

import (
	"fmt"

	"github.com/parquetsql/parquetsql/storage"
)

// segment is the files that a version is made of: a checkpoint, if there is one, and what was
// committed after it.
type segment struct {
	from    *checkpoint // nil: the table's first commit begins it
	files   []storage.Entry
	version int64
}

// VersionError is a version of a table that cannot be read.
type VersionError struct {
	Table          string
	Version        int64
	Oldest, Newest int64 // that can be read
}

// Error implements error.
func (e *VersionError) Error() string {
	return fmt.Sprintf("version %d of the Delta table %q cannot be read: there are the versions %d to %d", e.Version, e.Table, e.Oldest, e.Newest)
}

// segment finds the files for a version: the newest checkpoint that is not newer, then
// compactions as far as they reach, and else commits. Each version after the checkpoint has to
// be there.
func (l *Log) segment(version int64) (segment, error) {
	if version < 0 || version > l.newest {
		return segment{}, &VersionError{l.table.folder, version, l.firstWhole(), l.newest}
	}
	s, next := segment{version: version}, int64(0)
	for i := len(l.checkpoints) - 1; i >= 0; i-- {
		if c := &l.checkpoints[i]; c.version <= version {
			s.from, next = c, c.version+1
			break
		}
	}
	return l.after(s, next)
}

// after adds the files of the versions from next on.
func (l *Log) after(s segment, next int64) (segment, error) {
	for next <= s.version {
		if c, ok := l.longest(next, s.version); ok {
			s.files = append(s.files, c.file)
			next = c.last + 1
			continue
		}
		e, ok := l.commits[next]
		if !ok {
			return segment{}, l.gap(next, s)
		}
		s.files = append(s.files, e)
		next++
	}
	return s, nil
}

// longest is the compaction that begins at a version and ends latest, but not after another.
func (l *Log) longest(first, last int64) (out compaction, ok bool) {
	for _, c := range l.compactions[first] {
		if c.last <= last && c.last > out.last {
			out, ok = c, true
		}
	}
	return out, ok
}

// gap is the error of a version whose commit is missing. Where that is because old versions were
// cleaned up, the version that was asked for does not exist any more.
func (l *Log) gap(missing int64, s segment) error {
	if whole := l.firstWhole(); s.version < whole {
		return &VersionError{l.table.folder, s.version, whole, l.newest}
	}
	if s.from == nil && missing == 0 {
		return l.corrupt(fmt.Errorf("neither the commit of version 0 nor a complete checkpoint is there, the oldest commit is of version %d", l.oldest))
	}
	return l.corrupt(fmt.Errorf("the commit of version %d is missing, version %d needs it", missing, s.version))
}

// firstWhole is the oldest version that a checkpoint or the first commit begins.
func (l *Log) firstWhole() int64 {
	if _, ok := l.commits[0]; ok || len(l.checkpoints) == 0 {
		return 0
	}
	return l.checkpoints[0].version
}
