package iceberg

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// keyed is the equality delete files of one partition, or of all, that go by the same columns
// (Equality Delete Files). Their rows are the keys of one hash table, with the greatest sequence
// number of each: a row of a data file is deleted if its key has a greater one than the file. So one
// table serves all data files, however old they are. While queries use it, each is charged for it;
// afterwards it may stay with the snapshot.
type keyed struct {
	version *Version
	ids     []int32
	files   []*manifest.File
	newest  int64 // sequence number

	once    sync.Once
	invalid error // why the files cannot be used
	fields  []mapping.Field
	mapping *mapping.Schema
	columns []int
	row     int // the column with the number of a row
	types   []vector.Type

	turn chan struct{} // to load, and for what follows
	keys *keys         // nil: not loaded
	used map[*quota.Budget]int
}

// keys is a hash table: by the id of a key its sequence number.
type keys struct {
	table    hashtable.Table
	sequence []int64
	bytes    int64
}

func (d *deletes) addKeyed(list []*keyed, f *manifest.File) []*keyed {
	ids := slices.Clone(f.Equality)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	i := slices.IndexFunc(list, func(k *keyed) bool { return slices.Equal(k.ids, ids) })
	if i < 0 {
		k := &keyed{version: d.version, ids: ids, turn: make(chan struct{}, 1), used: map[*quota.Budget]int{}}
		i, list = len(list), append(list, k)
	}
	list[i].files = append(list[i].files, f)
	list[i].newest = max(list[i].newest, f.Sequence)
	return list
}

// prepare finds the columns of the ids. A column that was dropped is read all the same; a struct
// around one is read without its other fields. Their names are those of no column.
func (k *keyed) prepare() error {
	k.once.Do(func() {
		var names [][]string
		for i, id := range k.ids {
			path := k.version.pinned.fieldOf(k.version.schema, id)
			if path == nil {
				k.invalid = &errs.CorruptError{File: k.files[0].Path, RowGroup: -1, Offset: -1, Err: fmt.Errorf("equality deletes by field %d, which no schema of the table has outside of lists and maps", id)}
				return
			}
			last := path[len(path)-1]
			if last.Type.IsNested() || last.Type.Kind == vector.Variant || last.Type.Kind == vector.Null || last.Type.IsGeospatial() {
				k.invalid = errs.Unsupported("equality deletes by column %q of type %s", last.Name, last.Type)
				return
			}
			field, own := k.version.pinned.alone(path, strconv.Itoa(i))
			k.fields, names = append(k.fields, field), append(names, own)
			k.types = append(k.types, last.Type)
		}
		k.mapping = mapping.NewSchema(k.fields, k.version.pinned.key())
		for _, n := range names {
			at, _ := k.mapping.Column(n...)
			k.columns = append(k.columns, at)
		}
		k.row = slices.IndexFunc(k.mapping.Columns(), func(c scan.Column) bool { return c.Origin == scan.FromRow })
	})
	return k.invalid
}

// fieldOf is the field of an id: in a schema or, where that does not have it, in the newest one
// that has.
func (p *Pinned) fieldOf(s *schema.Schema, id int32) []*schema.Field {
	if path := p.now(id); path != nil && s == p.Schema {
		return path
	}
	if path := schema.Find(s.Fields, id); path != nil {
		return path
	}
	if path := p.now(id); path != nil {
		return path
	}
	newest, path := -1, []*schema.Field(nil)
	for number, s := range p.Schemas {
		if found := schema.Find(s.Fields, id); found != nil && number > newest {
			newest, path = number, found
		}
	}
	return path
}

// now is the field of an id in the current schema; nil: it is not there, or within a list or a map.
func (p *Pinned) now(id int32) []*schema.Field {
	p.pathsOnce.Do(func() {
		p.paths = map[int32][]*schema.Field{}
		schema.Each(p.Schema.Fields, func(path []*schema.Field) {
			if id := path[len(path)-1].ID; p.paths[id] == nil {
				p.paths[id] = slices.Clone(path)
			}
		})
	})
	return p.paths[id]
}

// alone is a field without others beside it, and the names that lead to it.
func (p *Pinned) alone(path []*schema.Field, name string) (mapping.Field, []string) {
	f := path[0]
	out := mapping.Field{Name: name, Type: f.Type, Nullable: true, ID: f.ID, Names: p.Names[f.ID], Default: f.Default, Filled: f.Filled}
	if len(path) == 1 {
		return out, []string{name}
	}
	inner, names := p.alone(path[1:], name)
	out.Type, out.Fields = vector.Type{Kind: vector.Struct}, []mapping.Field{inner}
	return out, append([]string{name}, names...)
}

// add adds the rows of a data file that have one of the keys.
func (k *keyed) add(ctx context.Context, of *fileDeletes, to *rowSet) error {
	if err := k.prepare(); err != nil {
		return err
	}
	known, err := k.acquire(ctx, to.budget)
	if err != nil {
		return err
	}
	defer k.release(to.budget)
	file := k.version.pinned.open(ctx, of.file)
	file.Mapping, file.Values = k.of(of.file)
	columns := append(slices.Clone(k.columns), k.row)
	finder := known.table.NewFinder()
	var ids []uint32
	return eachBatch(ctx, k.version.pinned, "equality deletes", file, k.mapping, k.request(columns, to.budget), func(b *vector.Batch) error {
		ids = vector.Resize(ids, b.Rows())
		if err := finder.Find(b.Cols[:len(k.columns)], b, ids); err != nil {
			return err
		}
		for i, id := range ids {
			if id == hashtable.Missing || known.sequence[id] <= of.file.Sequence {
				continue
			}
			if err := to.add(b.Cols[len(k.columns)].Get(b.Row(i)).I64); err != nil {
				return err
			}
		}
		return nil
	})
}

func (k *keyed) request(columns []int, b *quota.Budget) scan.Request {
	r := scan.Request{Limit: -1, Budget: b}
	for _, c := range columns {
		r.Columns = append(r.Columns, scan.Projection{Column: c})
	}
	return r
}

// of is where a data file has the columns, and the values that it has of them as partition values.
// Those of fields within structs are of rows whose structs it lacks.
func (k *keyed) of(f *manifest.File) (m *mapping.Schema, values []files.Value) {
	fields := k.fields
	for i, id := range k.ids {
		for n, p := range f.Spec.Fields {
			if p.Source != id || p.Transform.Kind != partition.Identity {
				continue
			}
			s, err := scalarOf(f.Partition[n], k.types[i])
			switch {
			case err != nil || s.Null && len(k.fields[i].Fields) > 0:
			case len(k.fields[i].Fields) == 0:
				values = append(values, files.Value{Column: k.columns[i], Scalar: &s})
			default:
				fields = slices.Clone(fields)
				fields[i] = filled(fields[i], &s)
			}
		}
	}
	if &fields[0] == &k.fields[0] {
		return k.mapping, values
	}
	return mapping.NewSchema(fields, k.version.pinned.key()), values
}

// filled is a field whose only field within has a value where a file lacks it.
func filled(f mapping.Field, value *vector.Scalar) mapping.Field {
	if len(f.Fields) == 0 {
		f.Default = value
		return f
	}
	f.Filled, f.Fields = true, []mapping.Field{filled(f.Fields[0], value)}
	return f
}

// acquire loads the keys, unless they are there, and charges them to a budget.
func (k *keyed) acquire(ctx context.Context, b *quota.Budget) (*keys, error) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if k.keys != nil {
		if k.used[b] == 0 {
			if err := b.Reserve(k.keys.bytes); err != nil {
				return nil, err
			}
		}
		k.used[b]++
		return k.keys, nil
	}
	loading := &keys{table: hashtable.New(k.types, hashtable.NewSeed(), false)}
	for _, f := range k.files {
		if err := k.load(ctx, loading, f, b); err != nil {
			b.Release(loading.bytes)
			return nil, err
		}
	}
	k.keys = loading
	k.used[b]++
	return loading, nil
}

// whole is a mapping of files that have to have its columns: a delete file without one would delete the
// rows that have NULL there, or a default.
type whole struct {
	*mapping.Schema
	columns []int
	ids     []int32 // of the columns
}

// In implements mapping.Mapping.
func (w whole) In(own []nested.Column, o nested.Options) (*mapping.Columns, error) {
	out, err := w.Schema.In(own, o)
	if err != nil {
		return nil, err
	}
	for i, c := range w.columns {
		if _, ok := out.Column(c); !ok || out.Within(c) != nil {
			return nil, fmt.Errorf("it has equality deletes by field %d and lacks the field", w.ids[i])
		}
	}
	return out, nil
}

// load adds the rows of a delete file to the keys.
func (k *keyed) load(ctx context.Context, to *keys, f *manifest.File, b *quota.Budget) error {
	file := k.version.pinned.open(ctx, f)
	file.Mapping = whole{k.mapping, k.columns, k.ids}
	var ids []uint32
	return eachBatch(ctx, k.version.pinned, "equality deletes", file, k.mapping, k.request(k.columns, b), func(batch *vector.Batch) error {
		ids = vector.Resize(ids, batch.Rows())
		if err := to.table.FindOrInsert(batch.Cols, batch, ids); err != nil {
			return err
		}
		to.sequence = append(to.sequence, make([]int64, to.table.Len()-len(to.sequence))...)
		for _, id := range ids {
			to.sequence[id] = max(to.sequence[id], f.Sequence)
		}
		if n := to.table.Bytes() + int64(8*cap(to.sequence)) - to.bytes; n > 0 {
			if err := b.Reserve(n); err != nil {
				return err
			}
			to.bytes += n
		}
		return nil
	})
}

// release is called when a file is done with the keys. Those that nobody uses stay if they are a
// small part of what is kept of the snapshot anyway.
func (k *keyed) release(b *quota.Budget) {
	k.turn <- struct{}{}
	defer func() { <-k.turn }()
	if k.used[b]--; k.used[b] > 0 {
		return
	}
	delete(k.used, b)
	b.Release(k.keys.bytes)
	if most := k.version.pinned.of.options.Memory / keptShare; len(k.used) == 0 && most > 0 && k.keys.bytes > most {
		k.keys = nil
	}
}

// keptShare is the part of the memory of a snapshot that keys may take that no query uses.
const keptShare = 8
