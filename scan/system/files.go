package system

import (
	"context"
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// pathsTable has the files of a path or glob, of which none is opened.
func pathsTable(s *catalog.Snapshot, pattern string) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file:t"),
		rows: func(ctx context.Context, emit func(row) error) error {
			paths, err := s.Paths(ctx, pattern)
			for _, p := range paths {
				if err == nil {
					err = emit(row{text(p)})
				}
			}
			return err
		},
	}
}

// eachFile opens a table's files one after another. A damaged file, which OnCorruptSkip
// leaves out, is reported to OnSkip.
func eachFile(ctx context.Context, t *files.Set, visit func(*files.File, *files.OpenFile) error) error {
	t, err := t.Whole(ctx)
	if err != nil {
		return err
	}
	for _, f := range t.Files {
		if f.Err != nil {
			tellDamage(t, f)
			continue
		}
		open, err := f.Open(ctx)
		if err != nil {
			return err
		}
		err = visit(f, open)
		if closeErr := open.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tellDamage calls OnSkip for a file whose footer is damaged.
func tellDamage(t *files.Set, f *files.File) {
	var corrupt *errs.CorruptError
	if t.Scan.OnSkip != nil && errors.As(f.Err, &corrupt) {
		t.Scan.OnSkip(corrupt)
	}
}

// eachChunk visits all column chunks of a table's files. A chunk whose key is missing is
// locked.
func eachChunk(ctx context.Context, t *files.Set, visit func(*files.File, *files.OpenFile, *fileformat.ColumnChunk) error) error {
	return eachFile(ctx, t, func(f *files.File, open *files.OpenFile) error {
		if err := open.UnlockKnown(ctx); err != nil {
			return err
		}
		for _, g := range open.RowGroups() {
			for _, c := range g.Columns {
				if err := visit(f, open, c); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// filesTable has one row per file. Of a damaged file, which OnCorruptSkip leaves out, it
// has the error.
func filesTable(t *files.Set) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file:t size:n rows:n? row_groups:n? created_by:t? error:t?"),
		rows: func(ctx context.Context, emit func(row) error) error {
			t, err := t.Whole(ctx)
			if err != nil {
				return err
			}
			for _, f := range t.Files {
				if err := emitFile(ctx, t, f, emit); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func emitFile(ctx context.Context, t *files.Set, f *files.File, emit func(row) error) error {
	if err := f.Err; err != nil {
		tellDamage(t, f)
		return emit(row{text(f.Path), number(f.Size()), noNumber, noNumber, noText, text(err.Error())})
	}
	open, err := f.Open(ctx)
	if err != nil {
		return err
	}
	defer open.Close()
	by := noText
	if open.Meta.CreatedBy != "" {
		by = text(open.Meta.CreatedBy)
	}
	return emit(row{text(f.Path), number(f.Size()), number(open.NumRows()), number(int64(len(open.RowGroups()))), by, noText})
}

func rowGroupsTable(t *files.Set) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file:t row_group:n rows:n bytes:n compressed_bytes:n?"),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachFile(ctx, t, func(f *files.File, open *files.OpenFile) error {
				for _, g := range open.RowGroups() {
					if err := emit(row{text(f.Path), number(int64(g.Index)), number(g.NumRows), number(g.TotalByteSize), orNull(compressedSize(g))}); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// compressedSize is the bytes of a row group in the file: the sum of its chunks, because
// the group's own is optional, unless the metadata of a chunk is encrypted.
func compressedSize(g *fileformat.RowGroup) int64 {
	sum := int64(0)
	for _, c := range g.Columns {
		if !described(c) {
			return g.TotalCompressedSize
		}
		sum += c.Meta.TotalCompressedSize
	}
	return sum
}

// described is false if the chunk's metadata is encrypted and locked. A locked chunk of a
// file with a plaintext footer has some.
func described(c *fileformat.ColumnChunk) bool { return !c.Locked() || c.Meta.DataPageOffset > 0 }

func keyValuesTable(t *files.Set) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file:t key:t value:t?"),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachFile(ctx, t, func(f *files.File, open *files.OpenFile) error {
				for _, kv := range open.Meta.KeyValues {
					value := noText
					if kv.HasValue {
						value = text(kv.Value)
					}
					if err := emit(row{text(f.Path), text(kv.Key), value}); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// schemaTable has one row per field of the schema, groups included. A group has no
// physical type; its type is the nested type or NULL.
func schemaTable(t *files.Set) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file:t column:t type:t? physical_type:t? logical_type:t? repetition:t max_definition_level:n max_repetition_level:n"),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachFile(ctx, t, func(f *files.File, open *files.OpenFile) error {
				return schemaRows(f, open.Schema.Root, emit)
			})
		},
	}
}

func schemaRows(f *files.File, group *fileformat.Node, emit func(row) error) error {
	for _, n := range group.Children {
		typ, physical, logical := noText, noText, noText
		if n.IsLeaf() {
			typ, physical = text(nested.TypeOf(n, f.NestedOptions()).String()), text(n.Physical.String())
		} else if t, ok := nested.GeometryType(n, f.NestedOptions()); ok {
			typ = text(t.String())
		} else if k := n.Logical.Kind; k == fileformat.LogicalList || k == fileformat.LogicalMap {
			typ = text(n.Logical.String())
		}
		if n.Logical.Kind != fileformat.LogicalNone {
			logical = text(n.Logical.String())
		}
		err := emit(row{text(f.Path), text(n.Dotted()), typ, physical, logical, text(n.Repetition.String()), number(int64(n.MaxDef)), number(int64(n.MaxRep))})
		if err == nil {
			err = schemaRows(f, n, emit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func chunksTable(t *files.Set) systemDefinition {
	return systemDefinition{
		columns: systemColumns("file:t row_group:n column:t type:t codec:t? encodings:t? values:n? null_count:n? min:t? max:t? " +
			"compressed_bytes:n? uncompressed_bytes:n? bloom_offset:n? column_index_offset:n? offset_index_offset:n? " +
			"xmin:f? xmax:f? ymin:f? ymax:f? zmin:f? zmax:f? mmin:f? mmax:f? geometry_types:t?"),
		rows: func(ctx context.Context, emit func(row) error) error {
			return eachChunk(ctx, t, func(f *files.File, open *files.OpenFile, c *fileformat.ColumnChunk) error {
				return emit(chunkRow(f, c))
			})
		},
	}
}

// chunkRow is the row of t$columns for a chunk. What a missing key hides is NULL.
func chunkRow(f *files.File, c *fileformat.ColumnChunk) row {
	m := &c.Meta
	codec, names := noText, noText
	values, compressed, uncompressed := noNumber, noNumber, noNumber
	if described(c) {
		encodings := make([]string, len(m.Encodings))
		for i, e := range m.Encodings {
			encodings[i] = e.String()
		}
		codec, names = text(m.Codec.String()), text(strings.Join(encodings, ", "))
		values, compressed, uncompressed = number(m.NumValues), number(m.TotalCompressedSize), number(m.TotalUncompressedSize)
	}
	nulls, low, high := statisticsTexts(f, c.Leaf, c.Statistics())
	return append(row{
		text(f.Path), number(int64(c.RowGroup.Index)), text(c.Leaf.Dotted()), text(nested.TypeOf(c.Leaf, f.NestedOptions()).String()),
		codec, names, values, nulls, low, high, compressed, uncompressed,
		orNull(m.BloomFilterOffset), orNull(c.ColumnIndexOffset), orNull(c.OffsetIndexOffset),
	}, geospatialRow(c)...)
}

// statisticsTexts returns null_count, min and max as the file states them, or the
// deprecated bounds if there are no others. It does not check the column order.
func statisticsTexts(f *files.File, leaf *fileformat.Node, s *fileformat.Statistics) (nulls, low, high vector.Scalar) {
	if s == nil {
		return noNumber, noText, noText
	}
	minimum, maximum := s.Min, s.Max
	if minimum == nil && maximum == nil {
		minimum, maximum = s.DeprecatedMin, s.DeprecatedMax
	}
	return orNull(s.NullCount), boundText(f, leaf, minimum), boundText(f, leaf, maximum)
}

// boundText returns a statistic's PLAIN bytes as text, NULL if there are none or if
// they are not a value of the column.
func boundText(f *files.File, leaf *fileformat.Node, plain []byte) vector.Scalar {
	if plain == nil {
		return noText
	}
	s, ok := nested.ScalarOf(leaf, f.NestedOptions(), plain)
	if !ok {
		return noText
	}
	if s.Type.IsText() {
		return text(s.Str)
	}
	v := vector.New(s.Type, 1)
	v.Set(0, s)
	return text(strings.Trim(string(nested.AppendJSON(nil, v, 0)), `"`))
}
