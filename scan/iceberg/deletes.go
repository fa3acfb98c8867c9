package iceberg

import (
	"context"
	"slices"
	"strings"

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
	byKey     map[string][]*manifest.File // position deletes of a partition
	partition map[string][]*keyed         // equality deletes of a partition
	global    []*keyed
	positions positionTable
}

func newDeletes(v *Version) *deletes {
	d := &deletes{
		version: v, vectors: map[string][]*manifest.File{}, byPath: map[string][]*manifest.File{}, byKey: map[string][]*manifest.File{},
		partition: map[string][]*keyed{}, positions: newPositionTable(),
	}
	for _, f := range v.Snapshot.Deletes {
		switch path := referenced(f); {
		case f.Content == manifest.Equality && unpartitioned(f.Spec):
			d.global = d.addKeyed(d.global, f)
		case f.Content == manifest.Equality:
			d.partition[f.Key] = d.addKeyed(d.partition[f.Key], f)
		case isVector(f):
			d.vectors[bare(path)] = append(d.vectors[bare(path)], f)
		case path != "":
			d.byPath[bare(path)] = append(d.byPath[bare(path)], f)
		default:
			d.byKey[f.Key] = append(d.byKey[f.Key], f)
		}
	}
	return d
}

// unpartitioned reports whether a spec has no partitions: then equality deletes are of all files.
func unpartitioned(s *partition.Spec) bool {
	return !slices.ContainsFunc(s.Fields, func(f partition.Field) bool { return f.Transform.Kind != partition.Void })
}

// referenced is the only data file of which a delete file deletes rows; "": it may be several. Where
// the manifest does not say so, its bounds may.
func referenced(f *manifest.File) string {
	if f.Referenced != "" || f.Content != manifest.Positions {
		return f.Referenced
	}
	if c := f.Column(pathID); c != nil && c.Lower != nil && string(c.Lower) == string(c.Upper) {
		return string(c.Lower)
	}
	return ""
}

// of are the deleted rows of a data file; nil: there are none.
func (d *deletes) of(f *manifest.File, table *files.File) *files.Deletes {
	own := &fileDeletes{of: d, file: f, table: table}
	add := func(to *[]*manifest.File, list []*manifest.File, names func(*manifest.File, string) bool) {
		for _, o := range list {
			if f.Sequence <= o.Sequence && names(o, f.Path) {
				*to = append(*to, o)
			}
		}
	}
	add(&own.vectors, d.vectors[bare(f.Path)], isOf)
	if len(own.vectors) == 0 { // a vector has what the files before it delete, too
		add(&own.positions, d.byPath[bare(f.Path)], isOf)
		add(&own.positions, d.byKey[f.Key], mayName)
	}
	for _, k := range slices.Concat(d.global, d.partition[f.Key]) {
		if f.Sequence < k.newest {
			own.keyed = append(own.keyed, k)
		}
	}
	all := slices.Concat(own.vectors, own.positions)
	for _, k := range own.keyed {
		all = append(all, k.files...)
	}
	if len(all) == 0 {
		return nil
	}
	out := &files.Deletes{Name: all[0].Path, Rows: -1, Load: own.load}
	if len(own.vectors) == 1 && len(own.keyed) == 0 {
		out.Rows = own.vectors[0].Records
	}
	return out
}

// isOf reports whether a delete file is of one data file.
func isOf(f *manifest.File, path string) bool { return sameFile(referenced(f), path) }

// mayName reports whether a position delete file may name a data file, by its bounds.
// These count only where all have the same scheme, in whatever spelling, and where they are in order:
// some writers have them the wrong way round.
func mayName(f *manifest.File, path string) bool {
	c := f.Column(pathID)
	if c == nil || c.Lower == nil || c.Upper == nil {
		return true
	}
	low, high, path := canonical(string(c.Lower)), canonical(string(c.Upper)), canonical(path)
	if path == bare(path) || low == bare(low) || high == bare(high) || low > high {
		return true
	}
	return low <= path && (path <= high || strings.HasPrefix(path, high))
}

// fileDeletes is the delete files of a data file.
type fileDeletes struct {
	of        *deletes
	file      *manifest.File
	table     *files.File
	vectors   []*manifest.File
	positions []*manifest.File
	keyed     []*keyed
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
	for _, f := range d.positions {
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
