package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// Listed is the files of a table before any of them is opened, with the values of its partition
// columns, which the folders' names say. Their types are those of all files. Where folders are
// listed one by one, it is first the folders of the table's first key, of which none is listed.
type Listed struct {
	snapshot   *Snapshot
	of         *tableSource
	folders    []string // not listed; nil: of has the files
	partitions []partitionColumn
	omitted    int // files that were left out
}

// Listed finds a table as Table does; nil if its folders' names say nothing.
func (s *Snapshot) Listed(ctx context.Context, name string) (*Listed, error) {
	if l := s.listedTop(ctx, name); l != nil {
		return l, nil
	}
	found, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.listed(found), nil
}

// ListedFiles is Listed for what Files reads.
func (s *Snapshot) ListedFiles(ctx context.Context, names []string, hive string) (*Listed, error) {
	found, err := s.filesOf(ctx, names, hive)
	if err != nil {
		return nil, err
	}
	return s.listed(found), nil
}

func (s *Snapshot) listed(of *tableSource) *Listed {
	keyed := func(e storage.Entry) bool { return strings.Contains(e.Name, "=") }
	if of.lake.folder != "" || len(of.entries) < 2 || !keyed(of.entries[0]) {
		return nil
	}
	paths := make([]string, len(of.entries))
	for i, e := range of.entries {
		if e.Err != nil {
			return nil // an error of the whole table
		}
		paths[i] = e.Name
	}
	partitions := partitionColumns(s.hive(of), paths)
	if len(partitions) == 0 {
		return nil
	}
	return &Listed{snapshot: s, of: of, partitions: partitions}
}

// Columns are the partition columns whose types are known.
func (l *Listed) Columns() vector.Schema {
	var out vector.Schema
	for _, p := range l.partitions {
		if p.unsure == nil {
			out = append(out, vector.Column{Name: p.key, Type: p.typ, Nullable: p.nullable})
		}
	}
	return out
}

// Len is how many files, or folders, there are.
func (l *Listed) Len() int {
	if l.folders != nil {
		return len(l.folders)
	}
	return len(l.of.entries)
}

// Values has the values of Columns of n files from file from on, one row a file.
func (l *Listed) Values(from, n int) (*vector.Batch, error) {
	out := &vector.Batch{Len: n}
	for _, p := range l.partitions {
		if p.unsure != nil {
			continue
		}
		v := &vector.Vector{}
		if err := v.FromScalars(p.typ, p.values[from:from+n]); err != nil {
			return nil, err
		}
		out.Cols = append(out.Cols, v)
	}
	return out, nil
}

// Some is the same of some files only. Of folders it is their files, which may be without the
// rest; nil where it is not known what these make.
func (l *Listed) Some(ctx context.Context, keep []bool) (*Listed, error) {
	if l.folders != nil {
		return l.below(ctx, keep)
	}
	of := *l.of
	of.entries = nil
	out := &Listed{snapshot: l.snapshot, of: &of, partitions: slices.Clone(l.partitions), omitted: l.omitted}
	for k := range out.partitions {
		out.partitions[k].values, out.partitions[k].texts = nil, nil
	}
	for i, e := range l.of.entries {
		if !keep[i] {
			out.omitted++
			continue
		}
		of.entries = append(of.entries, e)
		for k, p := range l.partitions {
			out.partitions[k].values = append(out.partitions[k].values, p.values[i])
		}
	}
	return out, nil
}

// Table is the table as if it had no other files; nil where one of them names others.
func (l *Listed) Table(ctx context.Context) (*files.Set, error) {
	entries, err := l.snapshot.pins.known(l.of.name, l.of.entries)
	if err != nil {
		return nil, err
	}
	if len(entries) < len(l.of.entries) {
		return nil, nil // the values of the partitions are those of all; load reads the table
	}
	list := l.snapshot.tableFiles(entries)
	schemas, err := l.snapshot.readSchemas(ctx, list)
	if err != nil {
		return nil, err
	}
	for _, s := range schemas {
		if s != nil && s.Summary {
			return nil, nil
		}
	}
	out, err := l.snapshot.unite(ctx, l.of.name, list, schemas, l.partitions)
	if err != nil {
		return nil, err
	}
	out.Omitted = l.omitted
	return out, nil
}
