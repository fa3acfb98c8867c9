package iceberg

import (
	"slices"

	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// Row lineage: the hidden columns _row_id and _last_updated_sequence_number, of which files have the
// values of rows that were moved there. Other rows inherit theirs (Row Lineage).

const (
	lineageFrom = 3 // the version of the format
	rowIDName   = "_row_id"
	updatedName = "_last_updated_sequence_number"
)

// withLineage is the mapping of a table with the columns, but those whose names are taken.
func (p *Pinned) withLineage(fields []schema.Field) *mapping.Schema {
	var more []mapping.Field
	for _, f := range []mapping.Field{{Name: rowIDName, ID: 2147483540}, {Name: updatedName, ID: 2147483539}} {
		f.Type, f.Nullable, f.Hidden = vector.Of(vector.BigInt), true, true
		if !slices.ContainsFunc(fields, func(o schema.Field) bool { return o.Name == f.Name }) {
			more = append(more, f)
		}
	}
	return p.mappingOf(fields, more...)
}

// addLineage adds what rows of a file inherit. Those of a file without ids, of a table that was
// upgraded, have NULL.
func (v *Version) addLineage(to *files.File, f *manifest.File) {
	if v.pinned.Table.Version < lineageFrom {
		return
	}
	for name, fill := range map[string]files.Fill{rowIDName: {From: f.FirstRow, Counted: true}, updatedName: {From: f.Sequence}} {
		at, ok := v.mapping.Column(name)
		if !ok || !v.Columns[at].Hidden {
			continue
		}
		if f.FirstRow < 0 {
			null := vector.NullOf(v.Columns[at].Type)
			to.Values = append(to.Values, files.Value{Column: at, Scalar: &null})
			continue
		}
		fill.Column = at
		to.Fills = append(to.Fills, fill)
	}
}
