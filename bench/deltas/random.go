package deltas

import (
	"fmt"
	"math/rand"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Table is a random Delta table that grows version by version.
type Table struct {
	Dir    string
	States []*State // by version
	First  int      // the oldest version that can still be read

	r        *rand.Rand
	columns  []*Column
	files    []*file
	ids      int
	mapping  string // none, name or id
	metadata bool   // the schema was changed
	shreds   bool   // the file that is being written shreds VARIANTs
	protocol Protocol
	removed  []Remove
	log      [][]Action // by version; those without commitInfo
}

// file is a data file of the table.
type file struct {
	path      string // in the log
	size      int64
	rows      []Row
	gone      map[int]bool
	vector    *Vector
	partition map[string]*string
	stats     bool
	columns   []*Column // that the statistics are of
	types     map[int]string
}

// New begins a table in a folder: its version 0 has a schema and perhaps rows.
func New(r *rand.Rand, dir string) (*Table, error) {
	t := &Table{Dir: dir, r: r, mapping: []string{"none", "name", "id"}[r.Intn(3)]}
	if err := os.MkdirAll(filepath.Join(dir, "_delta_log", "_sidecars"), 0o700); err != nil {
		return nil, err
	}
	features := []string{"deletionVectors", "typeWidening", "v2Checkpoint", "timestampNtz", "variantType", "variantShredding"}
	if t.mapping != "none" {
		features = append(features, "columnMapping")
	}
	t.protocol = Protocol{MinReader: 3, MinWriter: 7, ReaderFeatures: features, WriterFeatures: append([]string{"appendOnly"}, features...)}
	t.columns = append(t.columns, t.column("long"))
	for range 1 + r.Intn(4) {
		t.columns = append(t.columns, t.column(types[r.Intn(len(types))]))
	}
	for range r.Intn(3) {
		c := t.column([]string{"string", "string", "long", "date", "boolean", "double", "timestamp", "timestamp_ntz"}[r.Intn(8)])
		c.Partition = true
		t.columns = append(t.columns, c)
	}
	actions := []Action{{Protocol: &t.protocol}, {MetaData: t.metaData()}}
	if r.Intn(2) == 0 {
		more, err := t.append()
		if err != nil {
			return nil, err
		}
		actions = append(actions, more...)
	}
	return t, t.commit(actions)
}

var types = []string{"long", "integer", "double", "float", "string", "date", "boolean", "timestamp", "timestamp_ntz", "variant", "struct"}

// inStruct is how many of types may be fields of a struct.
const inStruct = 9

// column is a new column with an odd name.
func (t *Table) column(typ string) *Column {
	t.ids++
	c := &Column{ID: t.ids, Type: typ}
	c.Name = fmt.Sprintf("%s%d", []string{"c", "Ümlaut ", "with space ", "q\"uote"}[t.r.Intn(4)], c.ID)
	if c.Physical = c.Name; t.mapping != "none" {
		c.Physical = fmt.Sprintf("col-%x", t.r.Int63())
	}
	if typ == "struct" {
		for range 1 + t.r.Intn(3) {
			c.Fields = append(c.Fields, t.column(types[t.r.Intn(inStruct)]))
		}
	}
	return c
}

func (t *Table) metaData() *MetaData {
	m := &MetaData{ID: "random", Format: Format{Provider: "parquet", Options: map[string]string{}}, PartitionColumns: []string{}, Configuration: map[string]string{}}
	if t.mapping != "none" {
		m.Configuration["delta.columnMapping.mode"] = t.mapping
	}
	for _, c := range t.columns {
		if c.Partition {
			m.PartitionColumns = append(m.PartitionColumns, c.Name)
		}
	}
	m.Schema = schemaText(t.fields(t.columns))
	return m
}

func (t *Table) fields(list []*Column) (out []field) {
	for _, c := range list {
		f := field{Name: c.Name, Type: c.Type, Nullable: true, Metadata: map[string]any{}}
		if c.Type == "struct" {
			f.Type = map[string]any{"type": "struct", "fields": t.fields(c.Fields)}
		}
		if t.mapping != "none" {
			f.Metadata["delta.columnMapping.id"], f.Metadata["delta.columnMapping.physicalName"] = c.ID, c.Physical
		}
		if c.changes != nil {
			f.Metadata["delta.typeChanges"] = c.changes
		}
		out = append(out, f)
	}
	return out
}

// Step makes the next version by a random operation, and perhaps a checkpoint and others of the
// files that are beside commits.
func (t *Table) Step() error {
	steps := []func() ([]Action, error){t.append, t.append, t.deleteRows, t.deleteRows, t.removeFile, t.rewrite, t.restate, t.addColumn, t.addField, t.widen}
	if t.mapping != "none" {
		steps = append(steps, t.rename, t.drop)
	}
	var actions []Action
	for range 1 + t.r.Intn(2) {
		more, err := steps[t.r.Intn(len(steps))]()
		if err != nil {
			return err
		}
		if actions = append(actions, more...); len(actions) > 0 {
			break // a version has at most one action of a file
		}
	}
	if t.metadata {
		actions, t.metadata = append(actions, Action{MetaData: t.metaData()}), false
	}
	t.r.Shuffle(len(actions), func(i, j int) { actions[i], actions[j] = actions[j], actions[i] })
	if err := t.commit(actions); err != nil {
		return err
	}
	return t.beside()
}

// commit writes the next version.
func (t *Table) commit(actions []Action) error {
	v := len(t.States)
	own := Action{Commit: &Commit{Timestamp: time.Now().UnixMilli(), Operation: "RANDOM"}}
	if err := writeJSON(filepath.Join(t.Dir, "_delta_log", version(int64(v))+".json"), append([]Action{own}, actions...)); err != nil {
		return err
	}
	t.log, t.States = append(t.log, actions), append(t.States, stateOf(t.columns, t.files))
	return nil
}

// append adds files with random rows.
func (t *Table) append() (out []Action, err error) {
	for range 1 + t.r.Intn(3) {
		rows := t.r.Intn(40)
		if t.r.Intn(60) == 0 {
			rows = 9000 + t.r.Intn(2000)
		}
		f, err := t.newFile(t.partitionRow(), rows)
		if err != nil {
			return nil, err
		}
		t.files = append(t.files, f)
		out = append(out, Action{Add: t.add(f)})
	}
	return out, nil
}

// partitionRow is the values of partition columns.
func (t *Table) partitionRow() Row {
	out := Row{}
	for _, c := range t.columns {
		if c.Partition {
			if out[c.ID] = t.value(c.Type); c.Type == "string" && out[c.ID] != nil && t.r.Intn(2) == 0 {
				out[c.ID] = oddWords[t.r.Intn(len(oddWords))]
			}
			if out[c.ID] == "" {
				out[c.ID] = nil // an empty text is NULL
			}
		}
	}
	return out
}

// value is a random value, mostly not NULL.
func (t *Table) value(typ string) any {
	if t.r.Intn(6) == 0 {
		return nil
	}
	switch typ {
	case "long", "integer":
		return int64(t.r.Intn(100))
	case "double", "float":
		return float64(t.r.Intn(1000)) / 8
	case "date":
		return time.Unix(0, 0).UTC().AddDate(0, 0, t.r.Intn(30000)-5000).Format(time.DateOnly)
	case "timestamp", "timestamp_ntz":
		return time.UnixMicro(t.r.Int63n(4e15) - 1e15).UTC().Format(timestampForm)
	case "boolean":
		return t.r.Intn(2) == 0
	case "variant":
		if t.r.Intn(2) == 0 {
			return Variant{int64(t.r.Intn(100))}
		}
		return Variant{words[t.r.Intn(len(words))]}
	}
	return words[t.r.Intn(len(words))]
}

func (t *Table) newFile(partition Row, rows int) (*file, error) {
	f := &file{gone: map[int]bool{}, partition: map[string]*string{}, stats: t.r.Intn(5) > 0, types: map[int]string{}}
	folder := ""
	for _, c := range t.columns {
		if !c.Partition {
			continue
		}
		f.partition[c.Physical] = nil
		if v := partition[c.ID]; v != nil {
			text := fmt.Sprint(v)
			if c.Type == "timestamp" && t.r.Intn(2) == 0 { // the other form
				text = strings.Replace(text, " ", "T", 1) + "Z"
			}
			f.partition[c.Physical] = &text
		} else if t.r.Intn(2) == 0 {
			empty := ""
			f.partition[c.Physical] = &empty
		}
		folder = filepath.Join(folder, "p="+strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) {
				return '_'
			}
			return r
		}, fmt.Sprint(partition[c.ID])))
	}
	for range rows {
		row := Row{}
		for id, v := range partition {
			row[id] = v
		}
		t.fill(row, t.columns, false)
		f.rows = append(f.rows, row)
	}
	disk := filepath.Join(folder, fmt.Sprintf("part %d%%20#%x.parquet", len(t.States), t.r.Int63()))
	var parts []string
	for _, p := range strings.Split(filepath.ToSlash(disk), "/") {
		parts = append(parts, url.PathEscape(p))
	}
	f.path = strings.Join(parts, "/")
	if t.r.Intn(8) == 0 {
		f.path = (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(t.Dir, disk))}).String()
	}
	name := filepath.Join(t.Dir, disk)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	f.columns = slices.Clone(t.columns)
	for _, c := range t.columns {
		f.types[c.ID] = c.Type
	}
	var err error
	f.size, err = t.writeData(name, f.rows)
	return f, err
}

// fill gives a row values of columns that files have.
func (t *Table) fill(row Row, list []*Column, null bool) {
	for _, c := range list {
		switch {
		case c.Partition:
		case c.Type == "struct":
			t.fill(row, c.Fields, null || t.r.Intn(6) == 0)
		case !null:
			row[c.ID] = t.value(c.Type)
		}
	}
}

func (t *Table) add(f *file) *Add {
	a := &Add{Path: f.path, Partition: f.partition, Size: f.size, Modified: time.Now().UnixMilli(), DataChange: true, Vector: f.vector}
	if f.stats || f.vector != nil {
		text := t.stats(f)
		a.Stats = &text
	}
	return a
}

// some is a random file, nil if there is none.
func (t *Table) some() *file {
	if len(t.files) == 0 {
		return nil
	}
	return t.files[t.r.Intn(len(t.files))]
}

func (t *Table) remove(f *file) Action {
	r := Remove{Path: f.path, Deleted: time.Now().UnixMilli(), DataChange: true, Vector: f.vector}
	t.removed = append(t.removed, r)
	return Action{Remove: &r}
}

// deleteRows gives a file a deletion vector, or another one.
func (t *Table) deleteRows() ([]Action, error) {
	f := t.some()
	if f == nil || len(f.rows) == 0 {
		return nil, nil
	}
	next := *f
	next.gone = map[int]bool{}
	part := 1 + t.r.Intn(4)
	for i := range f.rows {
		if f.gone[i] || t.r.Intn(part+1) == 0 {
			next.gone[i] = true
		}
	}
	next.gone[t.r.Intn(len(f.rows))] = true
	if len(next.gone) == len(f.gone) {
		return nil, nil
	}
	old := t.remove(f)
	var err error
	if next.vector, err = t.vector(next.gone); err != nil {
		return nil, err
	}
	t.files[slices.Index(t.files, f)] = &next
	return []Action{old, {Add: t.add(&next)}}, nil
}

func (t *Table) removeFile() ([]Action, error) {
	f := t.some()
	if f == nil {
		return nil, nil
	}
	t.files = slices.DeleteFunc(t.files, func(o *file) bool { return o == f })
	return []Action{t.remove(f)}, nil
}

// rewrite puts a new file in the place of one.
func (t *Table) rewrite() ([]Action, error) {
	f := t.some()
	if f == nil {
		return nil, nil
	}
	next, err := t.newFile(t.partitionRow(), t.r.Intn(30))
	if err != nil {
		return nil, err
	}
	t.files[slices.Index(t.files, f)] = next
	return []Action{t.remove(f), {Add: t.add(next)}}, nil
}

// restate adds a file again that is there, with other statistics.
func (t *Table) restate() ([]Action, error) {
	f := t.some()
	if f == nil {
		return nil, nil
	}
	f.stats = !f.stats
	return []Action{{Add: t.add(f)}}, nil
}

func (t *Table) addColumn() ([]Action, error) {
	if len(t.columns) < 9 {
		t.columns, t.metadata = append(slices.Clone(t.columns), t.column(types[t.r.Intn(len(types))])), true
	}
	return nil, nil
}

// addField gives a struct one more field, which the files that are there lack.
func (t *Table) addField() ([]Action, error) {
	at := slices.IndexFunc(t.columns, func(c *Column) bool { return c.Type == "struct" && len(c.Fields) < 5 })
	if at < 0 {
		return nil, nil
	}
	c := *t.columns[at]
	c.Fields = append(slices.Clone(c.Fields), t.column(types[t.r.Intn(inStruct)]))
	t.columns = slices.Clone(t.columns)
	t.columns[at], t.metadata = &c, true
	return nil, nil
}

// change puts a changed copy of a random column in its place: older states keep theirs.
func (t *Table) change(of func(c *Column) bool) {
	list := slices.Clone(t.columns)
	at := t.r.Intn(len(list))
	c := *list[at]
	if c.Type == "struct" && t.r.Intn(2) == 0 {
		fields := slices.Clone(c.Fields)
		inner := t.r.Intn(len(fields))
		own := *fields[inner]
		if !of(&own) {
			return
		}
		fields[inner], c.Fields = &own, fields
		c.Fields[inner] = &own
	} else if !of(&c) {
		return
	}
	list[at] = &c
	t.columns, t.metadata = list, true
}

// widen gives a column a wider type.
func (t *Table) widen() ([]Action, error) {
	t.change(func(c *Column) bool {
		to := map[string]string{"integer": "long", "float": "double"}[c.Type]
		if to == "" || c.Partition {
			return false
		}
		c.changes = append(slices.Clone(c.changes), map[string]string{"fromType": c.Type, "toType": to})
		c.Type = to
		return true
	})
	return nil, nil
}

func (t *Table) rename() ([]Action, error) {
	t.change(func(c *Column) bool {
		t.ids++ // so that names are used once
		c.Name = "renamed " + strconv.Itoa(t.ids)
		return true
	})
	return nil, nil
}

// drop takes a column away that is neither the first nor one of the partition.
func (t *Table) drop() ([]Action, error) {
	at := 1 + t.r.Intn(len(t.columns))
	if at < len(t.columns) && !t.columns[at].Partition && len(t.columns) > 2 {
		t.columns, t.metadata = slices.Delete(slices.Clone(t.columns), at, at+1), true
	}
	return nil, nil
}
