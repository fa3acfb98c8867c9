package log

import (
	"context"

	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/storage"
)

// Snapshot is a version of a table. It is immutable.
type Snapshot struct {
	Version  int64
	Protocol action.Protocol
	Metadata action.Metadata
	Files    []*action.File // sorted by path
	Bytes    int64          // about how much memory it takes

	mark storage.Entry // see Log.mark
}

// Property is a property of the table, as it is spelled in the specification.
func (s *Snapshot) Property(name string) string { return s.Metadata.Configuration[name] }

// Snapshot reads a version, -1 for the newest. What it needs that this package does not know is
// errs.ErrUnsupported, and a version that is not there a *VersionError.
func (l *Log) Snapshot(ctx context.Context, version int64) (*Snapshot, error) {
	if version == -1 {
		version = l.newest
	}
	known := l.table.valid(l)
	if known != nil && known.Version == version {
		return known, nil
	}
	if l.from > 0 && !l.reaches(known, version) {
		whole, err := l.all(ctx)
		if err != nil {
			return nil, err
		}
		return whole.Snapshot(ctx, version)
	}
	r := newReplay(l.table)
	var s segment
	var err error
	if known != nil && known.Version < version {
		s, err = l.after(segment{version: version}, known.Version+1)
		r.begin(known)
	}
	if known == nil || known.Version > version || err != nil || l.skips(known.Version, version) {
		r = newReplay(l.table)
		s, err = l.segment(version)
	}
	if err != nil {
		return nil, err
	}
	if err := r.run(ctx, s); err != nil {
		return nil, err
	}
	out, err := r.snapshot(version)
	if err != nil {
		return nil, err
	}
	out.mark = l.mark(version)
	if err := out.Protocol.Check(); err != nil {
		return nil, l.table.named(err)
	}
	l.table.keep(l, out)
	return out, nil
}

// reaches reports whether the versions that are listed are enough for one: it can be made of a known
// one, or of a checkpoint, and the commits between are there.
func (l *Log) reaches(known *Snapshot, version int64) bool {
	next := int64(-1)
	if known != nil && known.Version <= version {
		next = known.Version + 1
	}
	for _, c := range l.checkpoints {
		if c.version <= version {
			next = max(next, c.version+1)
		}
	}
	if next < 0 || version > l.newest {
		return false
	}
	_, err := l.after(segment{version: version}, next)
	return err == nil
}

// mark is a file that tells whether a version is still the one that was read: its commit or,
// where that is not there any more, the first file of its checkpoint.
func (l *Log) mark(version int64) storage.Entry {
	if e, ok := l.commits[version]; ok {
		return e
	}
	for _, c := range l.checkpoints {
		if c.version == version {
			return c.files[0]
		}
	}
	return storage.Entry{}
}

// skips reports whether a checkpoint after one version, and up to another, is nearer to the
// latter by so many commits that it is read instead of them.
func (l *Log) skips(from, to int64) bool {
	const many = 50
	for i := len(l.checkpoints) - 1; i >= 0; i-- {
		if v := l.checkpoints[i].version; v <= to {
			return v-from > many
		}
	}
	return false
}
