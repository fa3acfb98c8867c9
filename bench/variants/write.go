// Package variants writes random Variants with arrow-go, whole or shredded by random
// schemas, and compares what the driver reads with what was written.
package variants

import (
	"bytes"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/apache/arrow-go/v18/parquet/variant"
)

// shredding is how a value is shredded: the columns value and typed_value
// (VariantShredding.md, "Value Shredding").
type shredding struct {
	kind    kind
	fields  map[string]*shredding // of an object
	element *shredding            // of an array

	value leaf
	typed leaf // of a primitive kind
}

type kind int

const (
	whole kind = iota
	integers
	doubles
	texts
	booleans
	objects
	arrays
)

// leaf is the entries of a column in a row group.
type leaf struct {
	index    int
	def, rep []int16
	bytes    []parquet.ByteArray
	ints     []int64
	doubles  []float64
	bools    []bool
}

func (l *leaf) entry(def, rep int16) { l.def, l.rep = append(l.def, def), append(l.rep, rep) }

// nodes are the schema of a value, in the order of their leaves, whose numbers are
// given out from *next on.
func (s *shredding) nodes(next *int) schema.FieldList {
	s.value.index = *next
	*next++
	value := schema.NewByteArrayNode("value", parquet.Repetitions.Optional, -1)
	primitive := func(n schema.Node, err error) schema.FieldList {
		s.typed.index = *next
		*next++
		return schema.FieldList{value, must(n, err)}
	}
	optional := parquet.Repetitions.Optional
	switch s.kind {
	case integers:
		return primitive(schema.NewPrimitiveNode("typed_value", optional, parquet.Types.Int64, -1, 0))
	case doubles:
		return primitive(schema.NewPrimitiveNode("typed_value", optional, parquet.Types.Double, -1, 0))
	case booleans:
		return primitive(schema.NewPrimitiveNode("typed_value", optional, parquet.Types.Boolean, -1, 0))
	case texts:
		return primitive(schema.NewPrimitiveNodeLogical("typed_value", optional, schema.StringLogicalType{}, parquet.Types.ByteArray, 0, -1))
	case objects:
		var fields schema.FieldList
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			fields = append(fields, must(schema.NewGroupNode(name, parquet.Repetitions.Required, s.fields[name].nodes(next), -1)))
		}
		return schema.FieldList{value, must(schema.NewGroupNode("typed_value", optional, fields, -1))}
	case arrays:
		element := must(schema.NewGroupNode("element", parquet.Repetitions.Required, s.element.nodes(next), -1))
		list := must(schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{element}, -1))
		return schema.FieldList{value, must(schema.NewGroupNodeLogical("typed_value", optional, schema.FieldList{list}, schema.ListLogicalType{}, -1))}
	}
	return schema.FieldList{value}
}

// leaves calls f for each column.
func (s *shredding) leaves(f func(*leaf)) {
	f(&s.value)
	switch s.kind {
	case whole:
	case objects:
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			s.fields[name].leaves(f)
		}
	case arrays:
		s.element.leaves(f)
	default:
		f(&s.typed)
	}
}

// absent is an entry of all columns below a group that is not there.
func (s *shredding) absent(def, rep int16) {
	s.leaves(func(l *leaf) { l.entry(def, rep) })
}

// row is a Variant that is written.
type row struct {
	names variant.Metadata
	depth int16 // repetition level of the lists around a value
}

func (r row) encode(v any) parquet.ByteArray {
	b := variant.NewBuilderFromMeta(r.names)
	if err := b.Append(v); err != nil {
		panic(err)
	}
	return bytes.Clone(b.BuildWithoutMeta())
}

// put writes a value into a group that is present at def. missing is a field that the
// object around it does not have.
func (s *shredding) put(r row, v any, missing bool, def, rep int16) {
	if !missing && s.shred(r, v, def, rep) {
		return
	}
	if missing {
		s.absent(def, rep)
		return
	}
	s.absent(def, rep)
	s.value.def[len(s.value.def)-1]++
	s.value.bytes = append(s.value.bytes, r.encode(v))
}

// shred writes a value into typed_value; false if it is of another kind.
func (s *shredding) shred(r row, v any, def, rep int16) bool {
	switch x := v.(type) {
	case int64:
		if s.kind != integers {
			return false
		}
		s.typed.ints = append(s.typed.ints, x)
	case float64:
		if s.kind != doubles {
			return false
		}
		s.typed.doubles = append(s.typed.doubles, x)
	case string:
		if s.kind != texts {
			return false
		}
		s.typed.bytes = append(s.typed.bytes, parquet.ByteArray(x))
	case bool:
		if s.kind != booleans {
			return false
		}
		s.typed.bools = append(s.typed.bools, x)
	case map[string]any:
		return s.object(r, x, def, rep)
	case []any:
		return s.array(r, x, def, rep)
	default:
		return false
	}
	s.typed.entry(def+1, rep)
	s.value.entry(def, rep)
	return true
}

func (s *shredding) object(r row, x map[string]any, def, rep int16) bool {
	if s.kind != objects {
		return false
	}
	rest := map[string]any{}
	for name, v := range x {
		if s.fields[name] == nil {
			rest[name] = v
		}
	}
	if len(rest) > 0 {
		s.value.entry(def+1, rep)
		s.value.bytes = append(s.value.bytes, r.encode(rest))
	} else {
		s.value.entry(def, rep)
	}
	for name, f := range s.fields {
		v, ok := x[name]
		f.put(r, v, !ok, def+1, rep)
	}
	return true
}

func (s *shredding) array(r row, x []any, def, rep int16) bool {
	if s.kind != arrays {
		return false
	}
	s.value.entry(def, rep)
	if len(x) == 0 {
		s.element.absent(def+1, rep)
	}
	r.depth++
	for i, v := range x {
		at := rep
		if i > 0 {
			at = r.depth
		}
		s.element.put(r, v, false, def+2, at)
	}
	return true
}

// missing is a row without a Variant.
type missing struct{}

// write makes a file with the columns id, from 0, and v, in row groups.
func write(s *shredding, groups [][]any, options ...parquet.WriterProperty) []byte {
	next := 2
	fields := append(schema.FieldList{schema.NewByteArrayNode("metadata", parquet.Repetitions.Required, -1)}, s.nodes(&next)...)
	v := must(schema.NewGroupNodeLogical("v", parquet.Repetitions.Optional, fields, schema.VariantLogicalType{}, -1))
	var out bytes.Buffer
	writeColumn(&out, v, s, slices.Values(groups), options...)
	return out.Bytes()
}

// writeColumn is write for a group that is made already.
func writeColumn(out io.Writer, v schema.Node, s *shredding, groups iter.Seq[[]any], options ...parquet.WriterProperty) {
	id := schema.NewInt64Node("id", parquet.Repetitions.Required, -1)
	root := must(schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{id, v}, -1))
	w := file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	first := int64(0)
	for rows := range groups {
		writeGroup(w, s, rows, first)
		first += int64(len(rows))
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
}

func writeGroup(w *file.Writer, s *shredding, rows []any, first int64) {
	s.leaves(func(l *leaf) { *l = leaf{index: l.index} })
	ids, metadata := leaf{}, leaf{index: 1}
	for i, v := range rows {
		ids.ints = append(ids.ints, first+int64(i))
		if _, ok := v.(missing); ok {
			metadata.entry(0, 0)
			s.absent(0, 0)
			continue
		}
		names := metadataOf(v)
		metadata.entry(1, 0)
		metadata.bytes = append(metadata.bytes, bytes.Clone(names.Bytes()))
		s.put(row{names: names}, v, false, 1, 0)
	}
	g := must(w.AppendBufferedRowGroupChecked())
	writeLeaf(g, &ids)
	writeLeaf(g, &metadata)
	s.leaves(func(l *leaf) { writeLeaf(g, l) })
	if err := g.Close(); err != nil {
		panic(err)
	}
}

func writeLeaf(g file.BufferedRowGroupWriter, l *leaf) {
	c := must(g.Column(l.index))
	var err error
	switch c := c.(type) {
	case *file.ByteArrayColumnChunkWriter:
		_, err = c.WriteBatch(l.bytes, l.def, l.rep)
	case *file.Int64ColumnChunkWriter:
		_, err = c.WriteBatch(l.ints, l.def, l.rep)
	case *file.Float64ColumnChunkWriter:
		_, err = c.WriteBatch(l.doubles, l.def, l.rep)
	case *file.BooleanColumnChunkWriter:
		_, err = c.WriteBatch(l.bools, l.def, l.rep)
	}
	if err != nil {
		panic(err)
	}
}

// metadataOf has all names of a value.
func metadataOf(v any) variant.Metadata {
	var b variant.Builder
	if err := b.Append(v); err != nil {
		panic(err)
	}
	return must(b.Build()).Metadata()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
