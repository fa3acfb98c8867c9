package catalog

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// columnKey identifies a column of a table. A file may have several columns of one
// name; the n-th column of a name unites with the n-th one in the other files.
type columnKey struct {
	name       string // see spelling
	occurrence int
	group      bool
}

// union collects the columns of a table's files.
type union struct {
	name    string
	files   []*unitedFile
	columns []scan.Column
	types   [][]fileType // by column: its distinct types, each with the first file that has it
	first   []fileType   // by column, the memory of types with one entry
	seen    []int        // by column: how many files have it
	byKey   map[columnKey]int

	shadowed map[int]bool // values that are all NULL, and a group in another file
	last     *unitedFile  // the file added last

	spelled *spelling // nil: all files have the same columns
	keys    []string  // by column: see spelling
}

// unitedFile is a file whose columns are united.
type unitedFile struct {
	*files.File
	schema    *files.Schema // nil: its footer is damaged
	columns   []nested.Column
	index     []int               // by column of the union: the index into columns, or -1
	valueless map[int]vector.Type // by index into columns: see valueless.go
}

// fileType is the type that a column has in a file.
type fileType struct {
	vector.Type
	file int
}

// unite makes a table from files, their schemas and their values of partition columns.
func (s *Snapshot) unite(ctx context.Context, name string, list []*files.File, schemas []*files.Schema, partitions []partitionColumn) (*files.Set, error) {
	if t := alone(name, list, schemas, partitions); t != nil {
		t.Scan = s.catalog.config.Scan
		return t, nil
	}
	u := &union{name: name, files: make([]*unitedFile, len(list)), shadowed: map[int]bool{}}
	ofSchema := u.spell(schemas)
	present := 0
	encrypted := false
	for i, f := range list {
		u.files[i] = &unitedFile{File: f, schema: schemas[i]}
		if schemas[i] == nil {
			continue
		}
		present++
		encrypted = encrypted || schemas[i].Encrypted
		u.files[i].columns = schemas[i].Columns
		u.add(i, ofSchema[schemas[i]])
	}
	for c := range u.columns {
		u.columns[c].Nullable = u.columns[c].Nullable || u.seen[c] < present
	}
	if err := u.widen(ctx); err != nil {
		return nil, err
	}
	t := u.table(partitions)
	t.Encrypted, t.Scan = encrypted, s.catalog.config.Scan
	u.keepAlone(t, onlySchema(schemas, partitions))
	return t, nil
}

// hive is how the folders of a table are read: see Config.HivePartitioning.
func (s *Snapshot) hive(of *tableSource) string {
	return cmp.Or(of.hive, s.catalog.config.HivePartitioning)
}

// spell compares the names in the files' schemas. It returns the place of each schema in
// spelled.
func (u *union) spell(schemas []*files.Schema) map[*files.Schema]int {
	places := map[*files.Schema]int{}
	var names [][][]string
	for _, s := range schemas {
		if _, known := places[s]; known || s == nil {
			continue
		}
		places[s] = len(names)
		paths := make([][]string, 0, len(s.Columns))
		for _, c := range s.Columns {
			paths = append(paths, c.Node.Path)
		}
		names = append(names, paths)
	}
	if len(names) > 1 {
		u.spelled = newSpelling(names)
	}
	return places
}

// key is the key of column k of a schema, and how its name is shown.
func (u *union) key(schema, k int, name string) (key, shown string) {
	if u.spelled == nil {
		return name, name
	}
	key = u.spelled.keys[schema][k]
	return key, u.spelled.shown[key]
}

// add unites the columns of file i, which has the given schema of spelled, with those added so
// far. The file's index maps the union's columns to the file's.
func (u *union) add(i, schema int) {
	f := u.files[i]
	if u.last != nil && (f.schema == u.last.schema || sameColumns(f.columns, u.last.columns)) {
		f.index = u.last.index
		for at, k := range f.index {
			if k >= 0 {
				u.seen[at]++
			}
		}
		return
	}
	u.last = f
	if len(u.columns) == 0 {
		u.expect(len(f.columns))
	}
	occurrences := make(map[columnKey]int, len(f.columns))
	f.index = make([]int, 0, len(f.columns))
	for k, c := range f.columns {
		c.Type = canonical(c.Type)
		name, shown := u.key(schema, k, c.Name)
		key := columnKey{name: name, group: c.Group}
		key.occurrence = occurrences[key]
		occurrences[columnKey{name: name, group: c.Group}]++
		at, known := u.byKey[key]
		if !known {
			at = len(u.columns)
			u.byKey[key] = at
			u.columns = append(u.columns, scan.Column{Name: shown, Type: c.Type, Nullable: c.Nullable, Group: c.Group, Hidden: c.Group})
			u.keys = append(u.keys, name)
			u.first = append(u.first, fileType{c.Type, i})
			last := len(u.first)
			u.types, u.seen = append(u.types, u.first[last-1:last:last]), append(u.seen, 0)
		}
		column := &u.columns[at]
		if !slices.ContainsFunc(u.types[at], func(o fileType) bool { return o.Equal(c.Type) }) {
			u.types[at] = append(u.types[at], fileType{c.Type, i})
		}
		column.Nullable = column.Nullable || c.Nullable
		u.seen[at]++
		for len(f.index) <= at {
			f.index = append(f.index, -1)
		}
		f.index[at] = k
	}
}

// expect makes room for the columns of the first file, which most often are all.
func (u *union) expect(columns int) {
	u.columns, u.keys = make([]scan.Column, 0, columns), make([]string, 0, columns)
	u.types, u.seen, u.first = make([][]fileType, 0, columns), make([]int, 0, columns), make([]fileType, 0, columns)
	u.byKey = make(map[columnKey]int, columns)
}

// widen gives each column a type that holds its values of all files. If there is no
// such type, or if a name is a group in one file and a value in another, the files are asked
// which of them have values at all (see valueless.go). If that does not help, the column
// cannot be read; all others can.
func (u *union) widen(ctx context.Context) error {
	var apart []int
	for at := range u.columns {
		if len(u.types[at]) == 1 {
			u.columns[at].Type = u.types[at][0].Type
			continue
		}
		t, ok := widenAll(u.typesOf(at))
		if ok {
			u.columns[at].Type = t
		} else {
			apart = append(apart, at)
		}
	}
	clashes := u.clashes()
	with, err := u.withValues(ctx, append(slices.Collect(maps.Keys(clashes)), apart...))
	if err != nil {
		return err
	}
	for _, at := range apart {
		if t, ok := widenAll(with[at]); ok {
			u.columns[at].Type = t
			u.replace(at, with[at])
			continue
		}
		a, b := misfits(with[at])
		u.conflict(at, fmt.Errorf("column %q is %v in file %q and %v in file %q: no type holds both; %s", u.columns[at].Name,
			u.types[at][a].Type, u.files[u.types[at][a].file].Path, u.types[at][b].Type, u.files[u.types[at][b].file].Path, apartHelp))
	}
	for at, group := range clashes {
		if t, ok := widenAll(with[at]); ok && t.Kind == vector.Null {
			u.shadowed[at] = true
			continue
		}
		value := u.types[at][slices.IndexFunc(with[at], func(t vector.Type) bool { return t.Kind != vector.Null })]
		err := fmt.Errorf("column %q is %v in file %q and a group in file %q; %s",
			u.columns[at].Name, value.Type, u.files[value.file].Path, u.files[u.types[group][0].file].Path, apartHelp)
		u.conflict(at, err)
		u.conflict(group, err)
	}
	return nil
}

// clashes are the columns that are values, each with the group that another file has under its
// name.
func (u *union) clashes() map[int]int {
	out := map[int]int{}
	for c, column := range u.columns {
		at, clash := u.byKey[columnKey{name: u.keys[c]}]
		if column.Group && clash && u.types[at][0].file != u.types[c][0].file {
			out[at] = c
		}
	}
	return out
}

// apartHelp says what helps where files have no common type.
const apartHelp = "read them apart, by path or glob, and CAST the column, or leave it out"

// typesOf are the distinct types of a column.
func (u *union) typesOf(at int) []vector.Type {
	types := make([]vector.Type, len(u.types[at]))
	for i, t := range u.types[at] {
		types[i] = t.Type
	}
	return types
}

// conflict records why a column cannot be read.
func (u *union) conflict(at int, err error) {
	u.columns[at].Conflict, u.columns[at].Nullable = fmt.Errorf("table %q: %w", u.name, err), true
}

// sameColumns reports whether two files have the same columns. Most files of a table
// do, and then they need not be united again.
func sameColumns(a, b []nested.Column) bool {
	return slices.EqualFunc(a, b, func(a, b nested.Column) bool {
		return a.Name == b.Name && a.Group == b.Group && a.Nullable == b.Nullable && a.Type.Equal(b.Type)
	})
}

// order is the columns that are no groups. The columns of a group are where another file has
// NULLs in its place.
func (u *union) order() []int {
	out := make([]int, 0, len(u.columns))
	placed := map[int]bool{}
	for i, c := range u.columns {
		if c.Group || placed[i] {
			continue
		}
		if !u.shadowed[i] {
			out = append(out, i)
			continue
		}
		for k := i + 1; k < len(u.columns); k++ {
			if of := u.columns[k]; !of.Group && !placed[k] && !u.shadowed[k] && strings.HasPrefix(of.Name, c.Name+".") {
				out, placed[k] = append(out, k), true
			}
		}
	}
	return out
}

// hiddenColumns is how many columns a table has that no file has.
const hiddenColumns = 3

// table puts the columns in order and maps the table's columns to each file's.
func (u *union) table(partitions []partitionColumn) *files.Set {
	t := &files.Set{Table: scan.Table{Name: u.name}}
	var from []int                             // by table column: the union's column, or -1
	var values = make(map[int][]vector.Scalar) // by table column: the partition values
	add := func(c scan.Column, column int) {
		t.Columns, from = append(t.Columns, c), append(from, column)
	}
	taken := make(map[string]int, len(u.columns))
	room := len(u.columns) + len(partitions) + hiddenColumns
	t.Columns, from = make([]scan.Column, 0, room), make([]int, 0, room)
	for _, i := range u.order() {
		c := u.columns[i]
		if _, twice := taken[c.Name]; !twice {
			taken[c.Name] = len(t.Columns)
		}
		add(c, i)
	}
	own, exact := maps.Clone(taken), map[string]int{} // keys are compared with the files' columns, not with each other
	for _, p := range partitions {
		if at, ok := own[p.key]; ok {
			exact[p.key] = at
			delete(own, p.key)
		}
	}
	for _, p := range partitions {
		c := scan.Column{Name: p.key, Type: p.typ, Nullable: p.nullable, Partition: true, Origin: scan.FromPartition, Conflict: p.unsure}
		at, known := exact[p.key]
		if !known {
			at, known = placeOf(own, p.key)
		}
		if known {
			delete(own, t.Columns[at].Name) // a column is that of one key
			c.Name = t.Columns[at].Name
			t.Columns[at], from[at] = c, -1
		} else {
			at = len(t.Columns)
			taken[p.key] = at
			add(c, -1)
		}
		values[at] = p.values
	}
	for _, c := range scan.HiddenColumns(func(name string) bool { _, real := taken[name]; return real }) {
		add(c, -1)
	}
	for i, c := range u.columns {
		if c.Group {
			add(c, i)
		}
	}
	finished := map[*int][]int{} // files with equal columns share one index
	var last *mapping.Columns    // and those of one schema, one after the other, a mapping
	for i, f := range u.files {
		t.Files = append(t.Files, f.File)
		if i == 0 || f.schema == nil || f.schema != u.files[i-1].schema || len(f.valueless) > 0 || len(u.files[i-1].valueless) > 0 {
			last = mapping.At(f.columns, finish(f.index, from, finished), f.valueless)
		}
		f.Mapping = last
		if f.schema != nil {
			f.Expect(f.schema)
		}
		for _, at := range slices.Sorted(maps.Keys(values)) {
			f.Values = append(f.Values, files.Value{Column: at, Scalar: &values[at][i]})
		}
	}
	return t
}

// finish returns a file's index by the table's columns, from its index by the union's.
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
