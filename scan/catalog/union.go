package catalog

import (
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

// columnKey tells a table's columns apart. A file may have two columns of one
// name; the n-th of a name then unites with the n-th of the other files.
type columnKey struct {
	name       string
	occurrence int
	group      bool
}

// union collects the columns of a table's files.
type union struct {
	files   []*File
	columns []scan.Column
	first   []int // by column: the file that has it first
	seen    []int // by column: how many files have it
	byKey   map[columnKey]int
	last    *File // the file added last
}

// unite makes the table of files whose footers are known.
func (s *Snapshot) unite(name string, files []*File, footers []*footer) (*Table, error) {
	u := &union{files: files, byKey: map[columnKey]int{}}
	for i, f := range files {
		if footers[i] == nil {
			continue
		}
		f.columns = footers[i].columns
		if err := u.add(i); err != nil {
			return nil, fmt.Errorf("parquet: table %q: %w", name, err)
		}
	}
	present := 0
	for _, f := range footers {
		if f != nil {
			present++
		}
	}
	for c := range u.columns {
		u.columns[c].Nullable = u.columns[c].Nullable || u.seen[c] < present
	}
	if err := u.checkGroups(); err != nil {
		return nil, fmt.Errorf("parquet: table %q: %w", name, err)
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return u.table(name, partitionColumns(s.catalog.config.HivePartitioning, paths)), nil
}

// add unites the columns of file i with those so far. The file's index maps
// from the union's columns to the file's.
func (u *union) add(i int) error {
	f := u.files[i]
	if u.last != nil && sameColumns(f.columns, u.last.columns) {
		f.index = u.last.index
		for at, k := range f.index {
			if k >= 0 {
				u.seen[at]++
			}
		}
		return nil
	}
	u.last = f
	occurrences := map[columnKey]int{}
	f.index = make([]int, 0, len(f.columns))
	for k, c := range f.columns {
		key := columnKey{name: c.Name, group: c.Group}
		key.occurrence = occurrences[key]
		occurrences[columnKey{name: c.Name, group: c.Group}]++
		at, known := u.byKey[key]
		if !known {
			at = len(u.columns)
			u.byKey[key] = at
			u.columns = append(u.columns, scan.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable, Group: c.Group, Hidden: c.Group})
			u.first, u.seen = append(u.first, i), append(u.seen, 0)
		}
		column := &u.columns[at]
		t, ok := widen(column.Type, c.Type)
		if !ok {
			return fmt.Errorf("column %q is %v in file %q and %v in file %q, which no type holds both", c.Name, column.Type, u.files[u.first[at]].Path, c.Type, f.Path)
		}
		column.Type, column.Nullable = t, column.Nullable || c.Nullable
		u.seen[at]++
		for len(f.index) <= at {
			f.index = append(f.index, -1)
		}
		f.index[at] = k
	}
	return nil
}

// sameColumns spares the files of a table that have one schema, which is most of
// them, the work of uniting it again and again.
func sameColumns(a, b []nested.Column) bool {
	return slices.EqualFunc(a, b, func(a, b nested.Column) bool {
		return a.Name == b.Name && a.Group == b.Group && a.Nullable == b.Nullable && a.Type.Equal(b.Type)
	})
}

// checkGroups finds a name that is a group in one file and a value in another.
func (u *union) checkGroups() error {
	for c, column := range u.columns {
		at, clash := u.byKey[columnKey{name: column.Name}]
		if column.Group && clash && u.first[at] != u.first[c] {
			return fmt.Errorf("column %q is %v in file %q and a group in file %q", column.Name, u.columns[at].Type, u.files[u.first[at]].Path, u.files[u.first[c]].Path)
		}
	}
	return nil
}

// table puts the columns in their order and maps each file's columns to it.
func (u *union) table(name string, partitions []partitionColumn) *Table {
	t := &Table{Table: scan.Table{Name: name}, Files: u.files}
	var from []int                             // by table column: the union's column, or -1
	var values = make(map[int][]vector.Scalar) // by table column: the partition values
	add := func(c scan.Column, column int) {
		t.Columns, from = append(t.Columns, c), append(from, column)
	}
	taken := map[string]int{}
	for i, c := range u.columns {
		if !c.Group {
			if _, twice := taken[c.Name]; !twice {
				taken[c.Name] = len(t.Columns)
			}
			add(c, i)
		}
	}
	for _, p := range partitions {
		c := scan.Column{Name: p.key, Type: p.typ, Nullable: p.nullable, Partition: true, Source: scan.FromPartition}
		at, known := taken[p.key]
		if known {
			t.Columns[at], from[at] = c, -1
		} else {
			at = len(t.Columns)
			taken[p.key] = at
			add(c, -1)
		}
		values[at] = p.values
	}
	for _, c := range []scan.Column{
		{Name: "_file", Type: vector.Of(vector.Varchar), Hidden: true, Source: scan.FromFilePath},
		{Name: "_row_group", Type: vector.Of(vector.BigInt), Hidden: true, Source: scan.FromRowGroup},
		{Name: "_row", Type: vector.Of(vector.BigInt), Hidden: true, Source: scan.FromRow},
	} {
		if _, real := taken[c.Name]; !real {
			add(c, -1)
		}
	}
	for i, c := range u.columns {
		if c.Group {
			add(c, i)
		}
	}
	finished := map[*int][]int{} // files of one schema share their index
	for i, f := range u.files {
		f.index = finish(f.index, from, finished)
		if len(values) == 0 {
			continue
		}
		f.Partition = make([]vector.Scalar, len(from))
		for at, v := range values {
			f.Partition[at] = v[i]
		}
	}
	return t
}

// finish turns a file's index, so far by the union's columns, to the table's.
func finish(index, from []int, finished map[*int][]int) []int {
	var key *int
	if len(index) > 0 {
		key = &index[0]
	}
	if out := finished[key]; out != nil {
		return out
	}
	out := make([]int, len(from))
	for i, column := range from {
		out[i] = -1
		if column >= 0 && column < len(index) {
			out[i] = index[column]
		}
	}
	finished[key] = out
	return out
}
