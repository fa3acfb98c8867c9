package iceberg

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
	"github.com/parquetsql/parquetsql/scan/selection"
)

// deletes is the delete files of a snapshot, by the data files that they may be of (Scan Planning).
type deletes struct {
	version   *Version
	vectors   map[string][]*manifest.File // by the data file, without scheme and host
	byPath    map[string][]*manifest.File // position deletes of one data file
	byBounds  ranges                      // the same, of which their bounds say it
	byKey     map[string]*ranges          // position deletes of a partition
	partition map[string][]*keyed         // equality deletes of a partition
	global    []*keyed
	positions positionTable
}

func newDeletes(v *Version, list []*manifest.File) *deletes {
	d := &deletes{
		version: v, vectors: map[string][]*manifest.File{}, byPath: map[string][]*manifest.File{}, byKey: map[string]*ranges{},
		partition: map[string][]*keyed{}, positions: newPositionTable(),
	}
	for _, f := range list {
		switch path := f.Referenced; {
		case f.Content == manifest.Equality && unpartitioned(f.Spec):
			d.global = d.addKeyed(d.global, f)
		case f.Content == manifest.Equality:
			d.partition[f.Key] = d.addKeyed(d.partition[f.Key], f)
		case isVector(f):
			d.vectors[bare(path)] = append(d.vectors[bare(path)], f)
		case path != "":
			d.byPath[bare(path)] = append(d.byPath[bare(path)], f)
		case oneFile(f):
			d.byBounds.add(f)
		default:
			r := d.byKey[f.Key]
			if r == nil {
				r = &ranges{}
				d.byKey[f.Key] = r
			}
			r.add(f)
		}
	}
	d.byBounds.sort()
	for _, r := range d.byKey {
		r.sort()
	}
	return d
}

// unpartitioned reports whether a spec has no partitions: then equality deletes are of all files.
func unpartitioned(s *partition.Spec) bool {
	return !slices.ContainsFunc(s.Fields, func(f partition.Field) bool { return f.Transform.Kind != partition.Void })
}

// oneFile reports whether the bounds of a position delete file are the path of one data file, or what is
// left of paths that were cut. Then its partition is not asked for.
func oneFile(f *manifest.File) bool {
	c := f.Column(pathID)
	return c != nil && c.Lower != nil && string(c.Lower) == string(c.Upper)
}

// of are the deleted rows of a data file; nil: there are none.
func (d *deletes) of(f *manifest.File, table *files.File) *files.Deletes {
	own := &fileDeletes{of: d, file: f, table: table, vectors: d.named(d.vectors, f)}
	var first string
	if own.vectors != nil { // a vector has what the files before it delete, too
		first = own.vectors[0].Path
	} else {
		for p := range d.positionsOf(f) {
			first = p.Path
			break
		}
	}
	for _, list := range [][]*keyed{d.global, d.partition[f.Key]} {
		for _, k := range list {
			if f.Sequence < k.newest {
				own.keyed, first = append(own.keyed, k), cmp.Or(first, k.files[0].Path)
			}
		}
	}
	if first == "" {
		return nil
	}
	out := &files.Deletes{Name: first, Rows: -1, Load: own.load}
	if len(own.vectors) == 1 && len(own.keyed) == 0 && own.vectors[0].Records <= f.Records { // else reading it says what is wrong
		out.Rows = own.vectors[0].Records
	}
	return out
}

// named are the files of those that name a data file that are of it.
func (d *deletes) named(of map[string][]*manifest.File, f *manifest.File) (out []*manifest.File) {
	for _, o := range of[bare(f.Path)] {
		if f.Sequence <= o.Sequence && sameFile(o.Referenced, f.Path) {
			out = append(out, o)
		}
	}
	return out
}

// positionsOf are the position delete files that may be of a data file.
func (d *deletes) positionsOf(f *manifest.File) iter.Seq[*manifest.File] {
	return func(yield func(*manifest.File) bool) {
		for _, o := range d.named(d.byPath, f) {
			if !yield(o) {
				return
			}
		}
		for _, r := range []*ranges{&d.byBounds, d.byKey[f.Key]} {
			for o := range r.of(f.Path) {
				if f.Sequence <= o.Sequence && !yield(o) {
					return
				}
			}
		}
	}
}

// fileDeletes is the delete files of a data file.
type fileDeletes struct {
	of      *deletes
	file    *manifest.File
	table   *files.File
	vectors []*manifest.File
	keyed   []*keyed
}

// positions are the position delete files of the data file.
func (d *fileDeletes) positions() iter.Seq[*manifest.File] {
	if d.vectors != nil {
		return func(func(*manifest.File) bool) {}
	}
	return d.of.positionsOf(d.file)
}

// load implements files.Deletes.Load.
func (d *fileDeletes) load(ctx context.Context, b *quota.Budget) (selection.Rows, func(), error) {
	if len(d.vectors) > 0 && len(d.keyed) == 0 {
		set, free, err := d.vector(ctx, b)
		if err != nil {
			return nil, nil, err
		}
		return set, free, nil
	}
	r := &rowSet{budget: b}
	err := d.add(ctx, r)
	if err != nil {
		r.free()
		return nil, nil, err
	}
	return &r.set, r.free, nil
}

func (d *fileDeletes) add(ctx context.Context, to *rowSet) error {
	if len(d.vectors) > 0 {
		rows, free, err := d.vector(ctx, to.budget)
		if err != nil {
			return err
		}
		defer free()
		for from, end := range rows.Ranges(0, rows.Last()+1) {
			for ; from < end; from++ {
				if err := to.add(from); err != nil {
					return err
				}
			}
		}
	}
	for f := range d.positions() {
		if err := d.of.positions.add(ctx, d.of.version.pinned, f, d.file.Path, to); err != nil {
			return err
		}
	}
	for _, k := range d.keyed {
		if err := k.add(ctx, d, to); err != nil {
			return err
		}
	}
	return nil
}

// rowSet is rows of a file, whose memory is charged.
type rowSet struct {
	set     selection.Set
	budget  *quota.Budget
	charged int64
}

func (r *rowSet) add(row int64) error {
	if row < 0 {
		return nil
	}
	r.set.Add(row)
	if n := r.set.Bytes() - r.charged; n > 0 {
		if err := r.budget.Reserve(n); err != nil {
			return err
		}
		r.charged += n
	}
	return nil
}

func (r *rowSet) free() {
	r.budget.Release(r.charged)
	r.charged = 0
}
