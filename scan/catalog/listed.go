package catalog

import (
	"context"
	"strings"

	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// Listed is the files of a table before any of them is opened, with the values of its partition
// columns, which the folders' names say. Their types are those of all files.
type Listed struct {
	snapshot   *Snapshot
	of         *tableSource
	partitions []partitionColumn
}

// Listed finds a table as Table does; nil if its folders' names say nothing.
func (s *Snapshot) Listed(ctx context.Context, name string) (*Listed, error) {
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
	if of.delta != "" || len(of.entries) < 2 || !keyed(of.entries[0]) {
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
	return &Listed{s, of, partitions}
}

// Columns are the partition columns.
func (l *Listed) Columns() vector.Schema {
	out := make(vector.Schema, len(l.partitions))
	for i, p := range l.partitions {
		out[i] = vector.Column{Name: p.key, Type: p.typ, Nullable: p.nullable}
	}
	return out
}

// Files is how many files there are.
func (l *Listed) Files() int { return len(l.of.entries) }

// Values has the values of Columns in n files from file from on, one row a file.
func (l *Listed) Values(from, n int) (*vector.Batch, error) {
	out := &vector.Batch{Len: n}
	for _, p := range l.partitions {
		v := &vector.Vector{}
		if err := v.FromScalars(p.typ, p.values[from:from+n]); err != nil {
			return nil, err
		}
		out.Cols = append(out.Cols, v)
	}
	return out, nil
}

// Table is the table as if it had no other files than some of them; nil where one of them names
// others.
func (l *Listed) Table(ctx context.Context, keep []bool) (*files.Set, error) {
	var list []*files.File
	partitions := make([]partitionColumn, len(l.partitions))
	for i, p := range l.partitions {
		partitions[i] = p
		partitions[i].values = nil
	}
	for i, e := range l.of.entries {
		if !keep[i] {
			continue
		}
		list = append(list, l.snapshot.tableFile(e))
		for k, p := range l.partitions {
			partitions[k].values = append(partitions[k].values, p.values[i])
		}
	}
	schemas, err := l.snapshot.readSchemas(ctx, list)
	if err != nil {
		return nil, err
	}
	for _, s := range schemas {
		if s != nil && s.Summary {
			return nil, nil
		}
	}
	out, err := l.snapshot.unite(ctx, l.of.name, list, schemas, partitions)
	if err != nil {
		return nil, err
	}
	out.Omitted = len(keep) - len(list)
	return out, nil
}
