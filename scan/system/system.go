// Package system has the tables about tables: t$files, t$row_groups,
// t$columns, t$pages, t$schema and t$key_values of a table t, as in Trino, t$history and
// t$properties of a Delta table, t$snapshots and its kin of an Iceberg table, and information_schema of the SQL standard.
package system

import (
	"context"
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/computed"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/reader"
	"github.com/parquetsql/parquetsql/vector"
)

// row is one row of a system table.
type row []vector.Scalar

// systemDefinition is a system table's columns and the function that makes its rows:
// it calls emit for each row and stops at an error of emit.
type systemDefinition struct {
	columns []scan.Column
	rows    func(ctx context.Context, emit func(row) error) error
	// some makes rows instead, whose columns that are not needed may be NULL.
	some func(ctx context.Context, needs func(column int) bool, emit func(row) error) error
}

// Table finds a table of the snapshot. If the location has no table of exactly that
// name, a name like "t$files" or "information_schema.tables" is a system table.
func Table(ctx context.Context, s *catalog.Snapshot, name string) (scan.Source, error) {
	has, err := s.Has(ctx, name)
	if err != nil {
		return nil, err
	}
	if !has {
		t, err := systemTable(ctx, s, name)
		if err != nil {
			return nil, err // not a nil pointer in the interface
		}
		if t != nil {
			return t, nil
		}
	}
	t, err := s.Table(ctx, name)
	if err != nil {
		return nil, err
	}
	return reader.Files{Set: t}, nil
}

// Named reports whether a name may be that of a system table.
func Named(name string) bool {
	schema, _, _ := strings.Cut(name, ".")
	return strings.EqualFold(schema, "information_schema") || strings.Contains(name, "$")
}

// systemTable returns nil if the name is not that of a system table.
func systemTable(ctx context.Context, s *catalog.Snapshot, name string) (*computed.Table, error) {
	if schema, table, ok := strings.Cut(strings.ToLower(name), "."); ok && schema == "information_schema" {
		switch table {
		case "schemata":
			return virtual(name, schemata(s)), nil
		case "tables":
			return virtual(name, tablesTable(s)), nil
		case "columns":
			return virtual(name, columnsTable(s)), nil
		case "routines":
			return virtual(name, routines()), nil
		}
		return nil, nil
	}
	at := strings.LastIndexByte(name, '$')
	if at <= 0 {
		return nil, nil
	}
	if name[at+1:] == "glob" { // what the table function GLOB asks
		return virtual(catalog.Shown(name), pathsTable(s, name[:at])), nil
	}
	for _, of := range []func(context.Context, *catalog.Snapshot, string, string) (*computed.Table, error){deltaTable, icebergTable} {
		if t, err := of(ctx, s, name[:at], strings.ToLower(name[at+1:])); t != nil || err != nil && !isMissing(err) {
			return t, err
		}
	}
	definition := metadataTables[strings.ToLower(name[at+1:])]
	if definition == nil {
		return nil, nil
	}
	t, err := s.Table(ctx, name[:at])
	if err != nil {
		return nil, err
	}
	out := virtual(catalog.Shown(name), definition(t))
	out.Encrypted = t.Encrypted // it has bounds of encrypted columns
	return out, nil
}

func isMissing(err error) bool {
	var missing *errs.NotFoundError
	return errors.As(err, &missing)
}

// metadataTables has the table t$x of a table t under x.
var metadataTables = map[string]func(*files.Set) systemDefinition{
	"files":      filesTable,
	"row_groups": rowGroupsTable,
	"columns":    chunksTable,
	"pages":      pagesTable,
	"schema":     schemaTable,
	"key_values": keyValuesTable,

	"parquet_metadata":      duckChunksTable,
	"parquet_schema":        duckSchemaTable,
	"parquet_file_metadata": duckFilesTable,
	"parquet_kv_metadata":   duckPairsTable,
}

// virtual makes the table. Each call of Make makes its rows anew.
func virtual(name string, d systemDefinition) *computed.Table {
	t := &computed.Table{Table: scan.Table{Name: name, Columns: d.columns}}
	t.Make = func(ctx context.Context, needs func(column int) bool) ([]*vector.Batch, error) {
		b := batchBuilder{columns: d.columns}
		add := func(r row) error {
			if err := b.add(r); err != nil {
				return err
			}
			return ctx.Err()
		}
		var err error
		if d.some != nil {
			err = d.some(ctx, needs, add)
		} else {
			err = d.rows(ctx, add)
		}
		if err != nil {
			return nil, err
		}
		return b.finish()
	}
	return t
}

// batchBuilder turns rows into batches.
type batchBuilder struct {
	columns []scan.Column
	rows    []row
	out     []*vector.Batch
}

func (b *batchBuilder) add(r row) error {
	if b.rows = append(b.rows, r); len(b.rows) == vector.BatchSize {
		return b.flush()
	}
	return nil
}

func (b *batchBuilder) flush() error {
	batch := &vector.Batch{Len: len(b.rows)}
	for i, c := range b.columns {
		values := make([]vector.Scalar, len(b.rows))
		for at, r := range b.rows {
			values[at] = r[i]
		}
		v := &vector.Vector{}
		if err := v.FromScalars(c.Type, values); err != nil {
			return err
		}
		batch.Cols = append(batch.Cols, v)
	}
	b.out, b.rows = append(b.out, batch), b.rows[:0]
	return nil
}

func (b *batchBuilder) finish() ([]*vector.Batch, error) {
	if len(b.rows) > 0 {
		if err := b.flush(); err != nil {
			return nil, err
		}
	}
	return b.out, nil
}

// systemColumns parses a list of column names, each with ":t" for text, ":n" for an
// integer or ":f" for a DOUBLE, and "?" if it may be NULL.
func systemColumns(specification string) []scan.Column {
	var out []scan.Column
	for field := range strings.FieldsSeq(specification) {
		name, kind, _ := strings.Cut(field, ":")
		c := scan.Column{Name: name, Type: vector.Of(vector.Varchar), Nullable: strings.HasSuffix(kind, "?")}
		switch kind[0] {
		case 'n':
			c.Type = vector.Of(vector.BigInt)
		case 'f':
			c.Type = vector.Of(vector.Double)
		}
		out = append(out, c)
	}
	return out
}

func text(s string) vector.Scalar { return vector.StringScalar(s) }

func number(n int64) vector.Scalar { return vector.IntScalar(n) }

var (
	noText   = vector.NullOf(vector.Of(vector.Varchar))
	noNumber = vector.NullOf(vector.Of(vector.BigInt))
)

// orNull returns n, or NULL for -1: unknown.
func orNull(n int64) vector.Scalar {
	if n < 0 {
		return noNumber
	}
	return number(n)
}
