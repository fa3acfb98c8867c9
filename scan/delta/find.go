package delta

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/scan/delta/schema"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/prune"
)

// finder makes files of the table of those of the log, as far as a query needs them: a version may have
// a million, and most queries are about few partitions, or about numbers of rows.
type finder struct {
	parts []partition
	of    []int32 // by file: which of parts
	bytes int64   // of all files

	mu    sync.Mutex
	whole []*files.File // all files, once a query has needed them and there is room; nil: not yet
}

// partition is the files with the same partition values.
type partition struct {
	values []files.Value
	files  int
	rows   int64 // that are not deleted; -1: they are not known, or a file cannot be found
}

// known is what is known of a column of all rows of a partition.
func (p *partition) known(column int) *probe.Summary {
	for _, v := range p.values {
		if v.Column == column {
			return prune.Constant(*v.Scalar, 1)
		}
	}
	return nil
}

// divide makes the partitions, whose columns are given by their place.
func (v *Version) divide(columns map[int]*schema.Field) error {
	f := &v.found
	f.of = make([]int32, len(v.Files))
	known := map[*action.Partition]int32{}
	var last *action.Partition
	at := int32(-1)
	for i, file := range v.Files {
		if at < 0 || file.Partition != last { // files are sorted by path, which mostly has the partition
			last = file.Partition
			same, ok := known[last]
			if !ok {
				values, err := valuesOf(last, columns)
				if err != nil {
					return err
				}
				same = int32(len(f.parts))
				known[last] = same
				f.parts = append(f.parts, partition{values: values})
			}
			at = same
		}
		p := &f.parts[at]
		f.of[i], f.bytes, p.files = at, f.bytes+min(file.Size, math.MaxInt64-f.bytes), p.files+1
		if rows := v.live(i); p.rows < 0 || rows < 0 || rows > math.MaxInt64-p.rows || !v.table.log.Finds(file.Path) {
			p.rows = -1
		} else {
			p.rows += rows
		}
	}
	return nil
}

// live is how many rows of a file are not deleted; -1: the log does not say it, or what cannot be.
func (v *Version) live(i int) int64 {
	rows, deleted := v.evidence.rows[i], v.deleted(i)
	if rows < 0 || deleted < 0 {
		return -1
	}
	return rows - deleted
}

// deleted is how many rows of a file are deleted; -1: the log says what cannot be.
func (v *Version) deleted(i int) int64 {
	rows, d := v.evidence.rows[i], v.Files[i].Deletion
	switch {
	case d == nil:
		return 0
	case d.Rows < 0, rows >= 0 && d.Rows > rows:
		return -1
	}
	return d.Rows
}

// find implements files.Set.Find.
func (v *Version) find(ctx context.Context, w files.Wanted) (out files.Found, err error) {
	verdicts := v.verdicts(w)
	needed := 0
	for i, p := range v.found.parts {
		switch {
		case verdicts[i] == probe.None:
			out.Omitted += p.files
		case verdicts[i] == probe.All && w.Count && p.rows >= 0 && p.rows <= math.MaxInt64-out.Rows:
			out.Counted, out.Rows, verdicts[i] = out.Counted+p.files, out.Rows+p.rows, probe.None
		default:
			needed += p.files
		}
	}
	if needed == 0 {
		return out, nil
	}
	gone, err := v.ruledOut(ctx, w, needed)
	if err != nil {
		return files.Found{}, err
	}
	if gone == nil && needed == len(v.Files) {
		out.Files, err = v.All()
		return out, err
	}
	places := make([]int32, 0, needed)
	for i, p := range v.found.of {
		switch {
		case verdicts[p] == probe.None:
		case gone != nil && gone[i]:
			out.Omitted++
		default:
			places = append(places, int32(i))
		}
	}
	if out.Files, err = v.some(places); err != nil {
		return files.Found{}, err
	}
	return out, ctx.Err()
}

// verdicts is how many rows are wanted of each partition, as far as its values tell.
func (v *Version) verdicts(w files.Wanted) []probe.Verdict {
	out := make([]probe.Verdict, len(v.found.parts))
	some := false // whether values are asked for
	for _, c := range w.Columns {
		some = some || c < len(v.Columns) && v.Columns[c].Partition
	}
	for i := range out {
		switch {
		case w.Test == nil:
			out[i] = probe.All
		case some || i == 0:
			out[i] = w.Test(v.found.parts[i].known)
		default:
			out[i] = out[0]
		}
	}
	return out
}

// fewFiles is of how many of all files at most statistics are read one by one, and not of all at once.
const fewFiles = 1.0 / 16

// ruledOut marks files that statistics rule out many at once; nil: none.
func (v *Version) ruledOut(ctx context.Context, w files.Wanted, needed int) (gone []bool, err error) {
	if w.Test == nil || float64(needed) < fewFiles*float64(len(v.Files)) {
		return nil, nil
	}
	for _, column := range w.Columns {
		blocks, err := v.evidence.near(ctx, column)
		if err != nil {
			return nil, err
		}
		for _, b := range blocks {
			known := func(c int) *probe.Summary {
				if c == column {
					return &b.Summary
				}
				return nil
			}
			if w.Test(known) != probe.None {
				continue
			}
			if gone == nil {
				gone = make([]bool, len(v.Files))
			}
			for _, i := range b.Files {
				gone[i] = true
			}
		}
	}
	return gone, nil
}

// fileBytes is about what a file takes in memory besides what the log has of it; wholeBytes what it takes
// once it is made.
const (
	fileBytes  = 16
	wholeBytes = 420
)

// All is all files, in the order of Snapshot.Files.
func (v *Version) All() ([]*files.File, error) {
	f := &v.found
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.whole != nil {
		return f.whole, nil
	}
	places := make([]int32, len(v.Files))
	for i := range places {
		places[i] = int32(i)
	}
	out, err := v.made(places)
	if err == nil && v.evidence.kept(int64(len(out))*wholeBytes) {
		f.whole = out
	}
	return out, err
}

// some is the files of some places.
func (v *Version) some(places []int32) ([]*files.File, error) {
	v.found.mu.Lock()
	whole := v.found.whole
	v.found.mu.Unlock()
	if whole == nil {
		return v.made(places)
	}
	out := make([]*files.File, len(places))
	for i, at := range places {
		out[i] = whole[at]
	}
	return out, nil
}

// made makes files.
func (v *Version) made(places []int32) ([]*files.File, error) {
	out := make([]*files.File, len(places))
	parts := (len(places) + filesAtOnce - 1) / filesAtOnce
	err := parallel.Some(runtime.GOMAXPROCS(0), parts, func(part int) error {
		from := part * filesAtOnce
		end := min(from+filesAtOnce, len(places))
		v.make(places[from:end], out[from:end])
		return nil
	})
	return out, err
}

// make makes some files, next to each other. One that cannot be found is an error when it is opened: a
// query may not need it.
func (v *Version) make(places []int32, to []*files.File) {
	of := make([]*action.File, len(places))
	for i, at := range places {
		of[i] = v.Files[at]
	}
	list, names := v.table.footers.Files(len(places)), v.table.log.Names(of)
	for i, f := range of {
		place, out := places[i], &list[i]
		at, err := log.At{Store: v.table.store, Name: names[i]}, error(nil)
		if at.Name == "" {
			if at, err = v.table.log.Locate(f.Path); err != nil {
				at = log.At{Store: v.table.store, Name: f.Path}
			}
		}
		out.Store, out.Entry.Name, out.Entry.Size, out.Path = at.Store, at.Name, f.Size, at.Name
		if at.Root != "" {
			out.Path, out.Root = f.Path, at.Root
		}
		out.Mapping, out.Values, out.VariantGroups, out.Err = v.mapping, v.found.parts[v.found.of[place]].values, v.variants, err
		out.Unlisted, out.Rows = true, v.evidence.rows[place]
		if f.Stats != "" {
			out.Bounds = v.evidence.of(int(place))
		}
		if d := f.Deletion; d != nil && d.Rows != 0 {
			out.Deletes = &files.Deletes{Name: v.table.log.VectorName(d), Rows: v.deleted(int(place)), Load: v.deletes(f)}
		}
		to[i] = out
	}
}
