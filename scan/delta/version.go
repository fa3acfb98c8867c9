package delta

import (
	"context"
	"runtime"
	"strings"

	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/scan/delta/schema"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// Version is a version of a table. It is immutable.
type Version struct {
	*log.Snapshot
	Columns []scan.Column
	Files   []*files.File // in the order of Snapshot.Files

	table    *Table
	schema   *schema.Schema
	variants string
	evidence *evidence
	bytes    int64 // about how much memory it takes; of the Cache
}

// Set is the version as a table of a name.
func (v *Version) Set(name string, o scan.Options) *files.Set {
	return &files.Set{Table: scan.Table{Name: name, Columns: v.Columns}, Files: v.Files, Scan: o, Blocks: v.evidence.Blocks}
}

func newVersion(t *Table, s *log.Snapshot) (*Version, error) {
	of, err := schema.New(&s.Metadata, &s.Protocol)
	if err != nil {
		return nil, err
	}
	v := &Version{Snapshot: s, table: t, schema: of, variants: strings.Join(variants(of.Fields, ""), ",")}
	m := mapping.NewSchema(fieldsOf(of.Fields), keys[of.Mapping])
	v.Columns, v.evidence = m.Columns(), newEvidence(s.Files, of, m)
	partitions := map[int]*schema.Field{}
	for i := range of.Fields {
		f := &of.Fields[i]
		if !f.Partition {
			continue
		}
		at, ok := m.Column(f.Name)
		if !ok {
			continue
		}
		v.Columns[at].Origin, v.Columns[at].Partition = scan.FromPartition, true
		partitions[at] = f
		v.evidence.values[at] = &partitionings{values: make([]*vector.Scalar, len(s.Files))}
	}
	values := make([][]files.Value, len(s.Files))
	known := map[*action.Partition][]files.Value{}
	for i, f := range s.Files {
		if i > 0 && f.Partition == s.Files[i-1].Partition {
			values[i] = values[i-1]
		} else if own, ok := known[f.Partition]; ok {
			values[i] = own
		} else {
			if values[i], err = valuesOf(f.Partition, partitions); err != nil {
				return nil, err
			}
			known[f.Partition] = values[i]
		}
		for _, value := range values[i] {
			v.evidence.values[value.Column].values[i] = value.Scalar
		}
	}
	v.Files = make([]*files.File, len(s.Files))
	parts := (len(s.Files) + filesAtOnce - 1) / filesAtOnce
	err = parallel.Some(runtime.GOMAXPROCS(0), parts, func(part int) error {
		v.makeFiles(part*filesAtOnce, values, m)
		return nil
	})
	v.bytes = s.Bytes + int64(len(s.Files))*fileBytes
	return v, err
}

// keys are by what files are searched for the columns of each kind of mapping.
var keys = [...]mapping.Key{schema.ByName: mapping.ByName, schema.ByPhysical: mapping.ByName, schema.ByID: mapping.ByID}

// fieldsOf are the fields of a schema as a mapping has them.
func fieldsOf(list []schema.Field) []mapping.Field {
	out := make([]mapping.Field, len(list))
	for i, f := range list {
		out[i] = mapping.Field{Name: f.Name, Type: f.Type, Nullable: f.Nullable, Fields: fieldsOf(f.Fields), FileName: f.Physical, ID: f.ID}
	}
	return out
}

// variants are the paths of Variants in files. Most writers do not say in the file that a group
// is one.
func variants(list []schema.Field, within string) (out []string) {
	for _, f := range list {
		path := within + f.Physical
		switch f.Type.Kind {
		case vector.Variant:
			out = append(out, path)
		case vector.Struct:
			out = append(out, variants(f.Fields, path+".")...)
		case vector.List:
			out = append(out, variants(f.Fields, path+".list.")...)
		case vector.Map:
			out = append(out, variants(f.Fields, path+".key_value.")...)
		}
	}
	return out
}

// valuesOf are the values of partition columns, which are given by their place.
func valuesOf(p *action.Partition, columns map[int]*schema.Field) ([]files.Value, error) {
	var out []files.Value
	for at, f := range columns {
		text, _ := p.Find(f.Physical)
		s, err := f.PartitionValue(text)
		if err != nil {
			return nil, err
		}
		out = append(out, files.Value{Column: at, Scalar: &s})
	}
	return out, nil
}

// fileBytes is about what a files.File takes, with what is in the lists of a version besides.
const fileBytes = 400

// makeFiles makes files of the table of filesAtOnce of the log. One that cannot be found is an error when it
// is opened: a query may not need it.
func (v *Version) makeFiles(from int, values [][]files.Value, m mapping.Mapping) {
	end := min(from+filesAtOnce, len(v.Files))
	list, names := v.table.footers.Files(end-from), v.table.log.Names(v.Snapshot.Files[from:end])
	for i := from; i < end; i++ {
		f, out := v.Snapshot.Files[i], &list[i-from]
		at, err := log.At{Store: v.table.store, Name: names[i-from]}, error(nil)
		if at.Name == "" {
			if at, err = v.table.log.Locate(f.Path); err != nil {
				at = log.At{Store: v.table.store, Name: f.Path}
			}
		}
		out.Store, out.Entry.Name, out.Entry.Size, out.Path = at.Store, at.Name, f.Size, at.Name
		if at.Root != "" {
			out.Path, out.Root = f.Path, at.Root
		}
		out.Mapping, out.Values, out.VariantGroups, out.Err = m, values[i], v.variants, err
		out.Unlisted, out.Rows = true, v.evidence.rows[i]
		if f.Stats != "" {
			out.Bounds = v.evidence.of(i)
		}
		if d := f.Deletion; d != nil && d.Rows > 0 {
			out.Deletes = &files.Deletes{Name: v.table.log.VectorName(d), Rows: d.Rows, Load: v.deletes(f)}
		}
		v.Files[i] = out
	}
}

// deletes loads the deletion vector of a file.
func (v *Version) deletes(f *action.File) func(context.Context, *quota.Budget) (selection.Rows, func(), error) {
	return func(ctx context.Context, b *quota.Budget) (selection.Rows, func(), error) {
		// A vector takes about as much memory as its bytes, which are there besides it at first.
		read := 2 * f.Deletion.Size
		if err := b.Reserve(read); err != nil {
			return nil, nil, err
		}
		defer b.Release(read)
		set, err := v.table.log.Deleted(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		n := set.Bytes()
		if err := b.Reserve(n); err != nil {
			return nil, nil, err
		}
		return set, func() { b.Release(n) }, nil
	}
}
