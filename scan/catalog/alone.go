package catalog

import (
	"slices"

	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
)

// Most tables have files of one schema, and are asked again: what was made of the schema is kept with it.

// onlySchema is the schema that all files have; nil where there are several, or where folders have
// columns, too.
func onlySchema(schemas []*files.Schema, partitions []partitionColumn) *files.Schema {
	if len(partitions) > 0 || len(schemas) == 0 || slices.ContainsFunc(schemas, func(s *files.Schema) bool { return s != schemas[0] }) {
		return nil
	}
	return schemas[0]
}

// alone is the table of files of one schema if one was made before, else nil: most tables are asked again.
func alone(name string, list []*files.File, schemas []*files.Schema, partitions []partitionColumn) *files.Set {
	only := onlySchema(schemas, partitions)
	if only == nil {
		return nil
	}
	known := only.Alone.Load()
	if known == nil {
		return nil
	}
	for _, f := range list {
		f.Mapping = known.Mapping
		f.Expect(only)
	}
	return &files.Set{Table: scan.Table{Name: name, Columns: known.Columns, Encrypted: only.Encrypted}, Files: list}
}

// keepAlone keeps what a table has of its files, which all have the schema unless it is nil.
func (u *union) keepAlone(t *files.Set, only *files.Schema) {
	if only == nil || len(u.files[0].valueless) > 0 || slices.ContainsFunc(t.Columns, func(c scan.Column) bool { return c.Conflict != nil }) {
		return
	}
	if m, ok := t.Files[0].Mapping.(*mapping.Columns); ok {
		only.Alone.Store(&files.Alone{Columns: slices.Clip(t.Columns), Mapping: m})
	}
}
