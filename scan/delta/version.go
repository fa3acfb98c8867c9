package delta

import (
	"context"
	"fmt"
	"strings"

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

	table    *Table
	schema   *schema.Schema
	mapping  mapping.Mapping
	variants string
	evidence *evidence
	found    finder
	bytes    int64 // about how much memory it takes; of the Cache
}

// Set is the version as a table of a name.
func (v *Version) Set(name string, o scan.Options) *files.Set {
	return &files.Set{Table: scan.Table{Name: name, Columns: v.Columns}, Find: v.find, Size: v.found.bytes, Scan: o, Version: fmt.Sprintf("delta %d", v.Snapshot.Version), Ready: v.evidence.ready}
}

func newVersion(t *Table, s *log.Snapshot) (*Version, error) {
	of, err := schema.New(&s.Metadata, &s.Protocol)
	if err != nil {
		return nil, err
	}
	v := &Version{Snapshot: s, table: t, schema: of, variants: strings.Join(variants(of.Fields, ""), ",")}
	m := mapping.NewSchema(fieldsOf(of.Fields), keys[of.Mapping])
	v.mapping, v.Columns, v.evidence = m, m.Columns(), newEvidence(s.Files, of, m)
	partitions := map[int]*schema.Field{}
	for i := range of.Fields {
		f := &of.Fields[i]
		if !f.Partition {
			continue
		}
		if at, ok := m.Column(f.Name); ok {
			v.Columns[at].Origin, v.Columns[at].Partition = scan.FromPartition, true
			partitions[at] = f
		}
	}
	if err := v.divide(partitions); err != nil {
		return nil, err
	}
	v.bytes = s.Bytes + int64(len(s.Files))*fileBytes
	return v, nil
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
