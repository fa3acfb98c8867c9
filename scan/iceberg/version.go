package iceberg

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg/avro"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/metadata"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// Version is a snapshot as a table. It may be used by several goroutines.
type Version struct {
	*Snapshot
	Columns []scan.Column

	pinned  *Pinned
	schema  *schema.Schema
	mapping *mapping.Schema
	places  map[int32]column // by field id
	fieldAt []int32          // by place among Columns: the field id in places; 0: none
	planned *planned
	deletes *deletes // nil: not read; planned says when

	mu     sync.Mutex
	filled map[string]*mapping.Schema // by the key of a partition: with its values within structs
}

// column is a column of the table that is neither a list nor a map nor within one.
type column struct {
	at   int // among the table's columns
	typ  vector.Type
	path []*schema.Field
}

// Set is the snapshot as a table of a name.
func (v *Version) Set(name string, o scan.Options) *files.Set {
	version := "iceberg without a snapshot"
	if v.Of != nil {
		// Metadata alone may change what a snapshot's files mean: a column of the same name has another ID.
		version = fmt.Sprintf("iceberg %d schema %d names %v", v.Of.ID, v.schema.ID, v.pinned.Names)
	}
	return &files.Set{Table: scan.Table{Name: name, Columns: v.Columns}, Find: v.find, Sample: v.sample, Size: v.size(), Scan: o, Version: version}
}

func newVersion(p *Pinned, s *Snapshot, columns *schema.Schema) *Version {
	v := &Version{Snapshot: s, pinned: p, schema: columns}
	v.mapping = p.mappingAll(columns.Fields)
	v.Columns = v.mapping.Columns()
	v.places, v.fieldAt, v.filled = map[int32]column{}, make([]int32, len(v.Columns)), map[string]*mapping.Schema{}
	v.findColumns()
	v.planned = v.newPlanned()
	return v
}

// filesOf are the data files of a manifest as those of the table. All have the same spec.
func (v *Version) filesOf(ctx context.Context, list []*manifest.File) ([]*files.File, error) {
	out := make([]*files.File, len(list))
	var sources []source
	for i, f := range list {
		if i == 0 {
			sources = v.sourcesOf(f.Spec)
		}
		var err error
		if out[i], err = v.file(ctx, f, sources); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mappingOf says where files have fields: by their ids (Column Projection). Files without ids have
// them by the names of the table's name mapping or, without one, at their place in the first schema.
func (p *Pinned) mappingOf(fields []schema.Field, more ...mapping.Field) *mapping.Schema {
	return mapping.NewSchema(append(p.fieldsOf(fields), more...), p.key())
}

// key is how files without field ids have fields.
func (p *Pinned) key() mapping.Key {
	if p.Names == nil {
		return mapping.ByIDOrPlace
	}
	return mapping.ByIDOrNames
}

func (p *Pinned) fieldsOf(list []schema.Field) []mapping.Field {
	out := make([]mapping.Field, len(list))
	for i, f := range list {
		out[i] = mapping.Field{
			Name: f.Name, Type: f.Type, Nullable: !f.Required, Fields: p.fieldsOf(f.Fields), ID: f.ID, Names: p.Names[f.ID], Default: f.Default, Filled: f.Filled,
		}
		if f.Type.Kind == vector.Null { // what files have of an unknown type is not read
			out[i].ID, out[i].Names = 0, nil
		}
	}
	return out
}

// findColumns notes the places of the fields that are no structs.
func (v *Version) findColumns() {
	schema.Each(v.schema.Fields, func(path []*schema.Field) {
		f := path[len(path)-1]
		switch f.Type.Kind {
		case vector.Struct, vector.List, vector.Map, vector.Null:
			return
		}
		names := make([]string, len(path))
		for k, p := range path {
			names[k] = p.Name
		}
		if at, ok := v.mapping.Column(names...); ok {
			v.places[f.ID] = column{at, f.Type, slices.Clone(path)}
			v.fieldAt[at] = f.ID
		}
	})
}

// source is a column that a partition field is made of.
type source struct {
	column
	field     int // of the spec
	transform partition.Transform
}

// sourcesOf are the columns that partition values of a spec say something of.
func (v *Version) sourcesOf(s *partition.Spec) (out []source) {
	for i, f := range s.Fields {
		c, ok := v.places[f.Source]
		if ok && f.Transform.Kind != partition.Unknown && f.Transform.Kind != partition.Void && !(f.Transform.Kind == partition.Bucket && v.pinned.wasDate(f.Source, c.typ)) {
			out = append(out, source{c, i, f.Transform})
		}
	}
	return out
}

// wasDate reports whether a column that is a timestamp may have been a date: buckets of a date are
// others.
func (p *Pinned) wasDate(id int32, t vector.Type) bool {
	if t.Kind != vector.Timestamp {
		return false
	}
	for _, s := range p.Schemas {
		if path := schema.Find(s.Fields, id); path != nil && path[len(path)-1].Type.Kind == vector.Date {
			return true
		}
	}
	return false
}

// file is a data file as one of the table. One that cannot be found, or that is no Parquet file, is
// an error when it is opened: a query may not need it.
func (v *Version) file(ctx context.Context, f *manifest.File, sources []source) (*files.File, error) {
	out := v.pinned.open(ctx, f)
	out.Mapping, out.Rows = v.mapping, f.Records
	var within []withinStruct
	for _, s := range sources {
		value, err := s.valueOf(f)
		if err != nil {
			return nil, fmt.Errorf("file %q: the partition value %q: %w", f.Path, f.Spec.Fields[s.field].Name, err)
		}
		switch {
		case s.transform.Kind != partition.Identity:
		case len(s.path) == 1:
			out.Values = append(out.Values, files.Value{Column: s.at, Scalar: &value})
		case !value.Null:
			within = append(within, withinStruct{s.path, &value})
		}
	}
	if within != nil {
		out.Mapping = v.mappingWith(f.Key, within)
	}
	v.addLineage(out, f)
	out.Bounds = v.boundsOf(f, sources)
	out.Deletes = v.deletes.of(f, out)
	return out, nil
}

// open is a data file or a delete file of which nothing is known but where it is. On a disk its size
// is looked up: manifests of files that were written anew have the old one. In a store of objects
// that would be a request for each.
func (p *Pinned) open(ctx context.Context, f *manifest.File) *files.File {
	a, err := p.locator.locate(ctx, f.Path)
	if err != nil {
		a = at{store: p.of.store, name: f.Path}
	}
	e := claimed(a.name, f.Size)
	if err == nil && a.store.Cost().IsLocal() {
		if found, err := statFile(ctx, a.store, a.name); err == nil {
			e = found
		}
	}
	out := p.of.footers.File(a.store, e, a.name)
	if a.root != "" {
		out.Path, out.Root = f.Path, a.root
	}
	if out.Err = err; err == nil {
		out.Err = unread(f)
	}
	out.Unlisted, out.VariantGroups = true, p.variants
	return out
}

// valueOf is the partition value of a file, of the type of the transform.
func (s *source) valueOf(f *manifest.File) (vector.Scalar, error) {
	return scalarOf(f.Partition[s.field], s.transform.Result(s.typ))
}

// scalarOf is a value of a manifest as one of a type.
func scalarOf(v avro.Value, t vector.Type) (vector.Scalar, error) {
	out := vector.Scalar{Type: t}
	number := t.IsInteger() || t.Kind == vector.Date || t.Kind == vector.Time || t.IsTimestamp()
	switch {
	case v.Kind == avro.Null:
		return vector.NullOf(t), nil
	case v.Kind == avro.Int && v.Short && t.Kind == vector.Timestamp && v.Int == int64(int32(v.Int)): // a date, before it was promoted
		if s, ok := schema.FromBytes(binary.LittleEndian.AppendUint32(nil, uint32(v.Int)), t); ok {
			return s, nil
		}
	case v.Kind == avro.Int && number:
		out.I64 = v.Int
		return out, nil
	case v.Kind == avro.Boolean && t.Kind == vector.Boolean:
		out.Bool = v.Int != 0
		return out, nil
	case (v.Kind == avro.Float || v.Kind == avro.Double) && t.Kind == vector.Float:
		out.F32 = float32(v.Float)
		return out, nil
	case (v.Kind == avro.Float || v.Kind == avro.Double) && t.Kind == vector.Double:
		out.F64 = v.Float
		return out, nil
	case v.Kind == avro.Bytes || v.Kind == avro.Fixed:
		switch t.Kind {
		case vector.Varchar, vector.Blob, vector.UUID, vector.Decimal:
			if s, ok := schema.FromBytes(v.Bytes, t); ok {
				return s, nil
			}
		}
	}
	return out, fmt.Errorf("it is no %s", t)
}

// variantsOf are the paths of Variants in files, comma-separated: some writers do not say in a file
// that a group is one. A file has the names of its time.
func variantsOf(m *metadata.Table) string {
	out := map[string]bool{}
	var add func(list []schema.Field, within string)
	add = func(list []schema.Field, within string) {
		for _, f := range list {
			switch path := within + f.Name; f.Type.Kind {
			case vector.Variant:
				out[path] = true
			case vector.Struct:
				add(f.Fields, path+".")
			case vector.List:
				add(f.Fields, path+".list.")
			case vector.Map:
				add(f.Fields, path+".key_value.")
			}
		}
	}
	add(m.Schema.Fields, "")
	for _, s := range m.Schemas {
		add(s.Fields, "")
	}
	return strings.Join(slices.Sorted(maps.Keys(out)), ",")
}

// mappingAll is the mapping of all columns, the hidden ones too.
func (p *Pinned) mappingAll(fields []schema.Field) *mapping.Schema {
	if p.Table.Version >= lineageFrom {
		return p.withLineage(fields)
	}
	return p.mappingOf(fields)
}

// withinStruct is the value that all rows have of a field within structs, where the file lacks it.
type withinStruct struct {
	path  []*schema.Field
	value *vector.Scalar
}

// mappingWith is the mapping of the files of a partition.
func (v *Version) mappingWith(key string, values []withinStruct) *mapping.Schema {
	v.mu.Lock()
	defer v.mu.Unlock()
	known := v.filled[key]
	if known == nil {
		fields := v.schema.Fields
		for _, w := range values {
			fields = withValue(fields, w.path, w.value)
		}
		known = v.pinned.mappingAll(fields)
		v.filled[key] = known
	}
	return known
}

// withValue is fields in which the one at the end of a path has a value where a file lacks it.
func withValue(fields []schema.Field, path []*schema.Field, value *vector.Scalar) []schema.Field {
	out := slices.Clone(fields)
	i := slices.IndexFunc(out, func(f schema.Field) bool { return f.ID == path[0].ID })
	if len(path) == 1 {
		out[i].Default = value
	} else {
		out[i].Filled, out[i].Fields = true, withValue(out[i].Fields, path[1:], value)
	}
	return out
}
