package log

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/parquetsql/parquetsql/scan/delta/action"
)

// Commit is a version and what its commit says of itself.
type Commit struct {
	Version int64
	Time    time.Time
	action.Commit
}

// VersionAt is the newest version that is not younger than a time. It is an error where all that
// can be read are younger. Of commits that have their time themselves few are read: their times
// ascend.
func (l *Log) VersionAt(ctx context.Context, at time.Time) (int64, error) {
	l, err := l.all(ctx)
	if err != nil {
		return 0, err
	}
	from, err := l.inCommit(ctx)
	if err != nil {
		return 0, err
	}
	old, own := l.split(from)
	i, err := l.search(ctx, own, at)
	if err != nil {
		return 0, err
	}
	if i >= 0 {
		return own[i], nil
	}
	times := l.fileTimes(old)
	n := sort.Search(len(times), func(i int) bool { return times[i].time.After(at) })
	if all := append(old, own...); len(all) == 0 {
		return 0, l.table.named(errors.New("no version has a time: the commits of all were removed"))
	} else if n == 0 {
		return 0, l.table.named(fmt.Errorf("no version is as old as %s: the oldest that has a time is version %d", at.UTC().Format(time.RFC3339Nano), all[0]))
	}
	return times[n-1].version, nil
}

// search is the place of the last version that is not younger than a time, by the times that
// commits have; -1: all are younger.
func (l *Log) search(ctx context.Context, versions []int64, at time.Time) (int, error) {
	var failed error
	n := sort.Search(len(versions), func(i int) bool {
		t, err := l.ownTime(ctx, versions[i])
		if err != nil {
			failed = err
			return true
		}
		return t.After(at)
	})
	return n - 1, failed
}

type versionTime struct {
	version int64
	time    time.Time
}

// times are the times of the versions that can be read and whose commits are there, ascending
// ("Recommendations for Readers of Tables with In-Commit Timestamps"). The time of a commit is
// the one that it has itself where the table's property says so, else that of its file.
func (l *Log) times(ctx context.Context) ([]versionTime, error) {
	from, err := l.inCommit(ctx)
	if err != nil {
		return nil, err
	}
	old, own := l.split(from)
	out := l.fileTimes(old)
	for _, v := range own {
		t, err := l.ownTime(ctx, v)
		if err != nil {
			return nil, err
		}
		out = append(out, versionTime{v, t})
	}
	return out, nil
}

// fileTimes are the times of the files of commits. They may go back, where a clock or a copy
// did; each then counts as a millisecond after the one before, as in the reference
// implementation.
func (l *Log) fileTimes(versions []int64) (out []versionTime) {
	for _, v := range versions {
		t := l.commits[v].Time
		if n := len(out); n > 0 && !t.After(out[n-1].time) {
			t = out[n-1].time.Add(time.Millisecond)
		}
		out = append(out, versionTime{v, t})
	}
	return out
}

// ownTime is the time that a commit has itself.
func (l *Log) ownTime(ctx context.Context, version int64) (time.Time, error) {
	c, err := l.commit(ctx, version)
	if err == nil && c.InCommit == 0 {
		err = l.table.named(fmt.Errorf("the commit of version %d has no inCommitTimestamp, which the table promises", version))
	}
	return time.UnixMilli(c.InCommit), err
}

// split are the versions that can be read and whose commits are there, ascending: those before a
// version, and the others. All are before -1.
func (l *Log) split(from int64) (before, others []int64) {
	var all []int64
	for v := range l.commits {
		if v >= l.firstWhole() {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	at := len(all)
	if from >= 0 {
		at, _ = slices.BinarySearch(all, from)
	}
	return all[:at:at], all[at:]
}

// inCommit is the first version whose commit has its time itself; -1: none has.
func (l *Log) inCommit(ctx context.Context) (int64, error) {
	s, err := l.Snapshot(ctx, -1)
	if err != nil {
		return 0, err
	}
	if s.Property("delta.enableInCommitTimestamps") != "true" {
		return -1, nil
	}
	first := s.Property("delta.inCommitTimestampEnablementVersion")
	if first == "" {
		return 0, nil
	}
	v, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return 0, l.table.named(fmt.Errorf("the property delta.inCommitTimestampEnablementVersion is %q", first))
	}
	return v, nil
}

// Commits are the versions that can be read, the newest first. yield is called for each until it
// is false.
func (l *Log) Commits(ctx context.Context, yield func(Commit) bool) error {
	l, err := l.all(ctx)
	if err != nil {
		return err
	}
	times, err := l.times(ctx)
	if err != nil {
		return err
	}
	for _, v := range slices.Backward(times) {
		c, err := l.commit(ctx, v.version)
		if err != nil {
			return err
		}
		if !yield(Commit{v.version, v.time, c}) {
			return nil
		}
	}
	return nil
}

// commit reads what a commit says of itself.
func (l *Log) commit(ctx context.Context, version int64) (action.Commit, error) {
	e := l.commits[version]
	text, err := l.table.read(ctx, e)
	if err != nil {
		return action.Commit{}, err
	}
	var s commitSink
	if err := action.ReadJSON(e.Name, text, &s, nil); err != nil && !errors.Is(err, errFound) {
		return action.Commit{}, err
	}
	return s.commit, nil
}

var errFound = errors.New("the commitInfo was found")

// commitSink wants the commitInfo, which is mostly the first action.
type commitSink struct {
	compacted
	commit action.Commit
}

// Commit implements action.Sink.
func (s *commitSink) Commit(c action.Commit) error {
	s.commit = c
	return errFound
}

// Add implements action.Sink.
func (s *commitSink) Add(...action.File) error { return nil }

// Remove implements action.Sink.
func (s *commitSink) Remove(action.Remove) error { return nil }
