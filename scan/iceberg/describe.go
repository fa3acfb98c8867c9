package iceberg

import (
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/metadata"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
	"github.com/parquetsql/parquetsql/vector"
)

// Ancestors are the ids of the current snapshot and of those that it was made of.
func (p *Pinned) Ancestors() map[int64]bool {
	out := map[int64]bool{}
	for s := p.Current; s != nil && !out[s.ID]; {
		out[s.ID] = true
		var parent *metadata.Snapshot
		if s.Parent != nil {
			parent = p.Snapshot(*s.Parent)
		}
		s = parent
	}
	return out
}

// PartitionText is the partition values of a file as JSON.
func (p *Pinned) PartitionText(f *manifest.File) string {
	var j object
	for i, field := range f.Spec.Fields {
		t := vector.Of(vector.Null)
		if path := p.fieldOf(p.Schema, field.Source); path != nil {
			t = field.Transform.Result(path[len(path)-1].Type)
		}
		s, err := scalarOf(f.Partition[i], t)
		j.add(field.Name, jsonOf(s, err == nil))
	}
	return j.text()
}

// SummaryText is what a manifest says of its partition values, as JSON.
func (p *Pinned) SummaryText(m *manifest.Manifest) string {
	spec := p.Specs[int(m.Spec)]
	if spec == nil || len(spec.Fields) != len(m.Partitions) {
		return "{}"
	}
	var out object
	for i, s := range m.Partitions {
		var j object
		j.add("contains_null", strconv.FormatBool(s.Null))
		j.add("contains_nan", strconv.FormatBool(s.NaN))
		j.add("lower_bound", p.partitionBound(spec.Fields[i], s.Lower))
		j.add("upper_bound", p.partitionBound(spec.Fields[i], s.Upper))
		out.add(spec.Fields[i].Name, j.text())
	}
	return out.text()
}

func (p *Pinned) partitionBound(f partition.Field, b []byte) string {
	path := p.fieldOf(p.Schema, f.Source)
	if path == nil || b == nil {
		return "null"
	}
	s, ok := schema.FromBytes(b, f.Transform.Result(path[len(path)-1].Type))
	return jsonOf(s, ok)
}

// CountsText is a number that is known of columns, by their names, as JSON.
func (p *Pinned) CountsText(f *manifest.File, of func(manifest.Column) int64) string {
	var j object
	for _, c := range f.Columns {
		if n := of(c); n >= 0 {
			j.add(p.nameOf(c.ID), strconv.FormatInt(n, 10))
		}
	}
	return j.text()
}

// BoundsText is bounds of columns, by their names, as JSON.
func (p *Pinned) BoundsText(f *manifest.File, of func(manifest.Column) []byte) string {
	var j object
	for _, c := range f.Columns {
		b := of(c)
		if path := p.fieldOf(p.Schema, c.ID); path != nil && b != nil {
			s, ok := schema.FromBytes(b, path[len(path)-1].Type)
			j.add(p.nameOf(c.ID), jsonOf(s, ok))
		}
	}
	return j.text()
}

// nameOf is the dotted name of a field, or its id.
func (p *Pinned) nameOf(id int32) string {
	var names []string
	for _, f := range p.fieldOf(p.Schema, id) {
		names = append(names, f.Name)
	}
	if names == nil {
		return strconv.Itoa(int(id))
	}
	return strings.Join(names, ".")
}

// jsonOf is a value as JSON; null where it is none.
func jsonOf(s vector.Scalar, ok bool) string {
	if !ok || s.Null || s.Type.Kind == vector.Null {
		return "null"
	}
	v := vector.New(s.Type, 1)
	v.Set(0, s)
	return string(nested.AppendJSON(nil, v, 0))
}

// object is a JSON object that is written.
type object []byte

func (o *object) add(name, value string) {
	if len(*o) > 0 {
		*o = append(*o, ',')
	}
	*o = append(append(vector.AppendQuoted(*o, name), ':'), value...)
}

func (o *object) text() string { return "{" + string(*o) + "}" }
