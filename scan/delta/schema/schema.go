// Package schema reads what the metadata of a Delta Lake table says about its columns
// (PROTOCOL.md, "Schema Serialization Format", "Column Mapping", "Type Widening"), and the values
// that the log has of them: partition values and statistics of files.
package schema

import (
	"errors"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/vector"
)

// Mapping says how a column of the table is found in a data file ("Column Mapping").
type Mapping uint8

// The mappings.
const (
	ByName     Mapping = iota // by its own name
	ByPhysical                // by its physical name
	ByID                      // by its field id
)

// Schema is a table's columns.
type Schema struct {
	Fields  []Field
	Mapping Mapping
}

// Field is a column, or a field of a STRUCT; or what is within a LIST or MAP, which has no names
// and ids of its own.
type Field struct {
	Name      string
	Physical  string // the name in files and in the log; Name where columns are not mapped
	ID        int32  // the field id in files; 0: none
	Type      vector.Type
	Nullable  bool
	Partition bool    // its values are in the log, and not in files
	Fields    []Field // of a STRUCT its fields; of a LIST the element; of a MAP the key and the value
}

// New reads the schema of a version.
func New(m *action.Metadata, p *action.Protocol) (*Schema, error) {
	if m.Provider != "" && m.Provider != "parquet" {
		return nil, errs.Unsupported("a Delta table whose files are %s", m.Provider)
	}
	s := &Schema{}
	if p.Has("columnMapping") {
		switch mode := m.Configuration["delta.columnMapping.mode"]; mode {
		case "", "none":
		case "name":
			s.Mapping = ByPhysical
		case "id":
			s.Mapping = ByID
		default:
			return nil, errs.Unsupported("column mapping %q of Delta Lake", mode)
		}
	}
	if m.Schema == "" {
		return nil, corrupt(errors.New("the metadata has no schema"))
	}
	r := newReader(m.Schema, s.Mapping != ByName, p.Has("typeWidening"))
	s.Fields = r.root()
	if err := r.err(); err != nil {
		return nil, err
	}
	return s, s.partition(m.PartitionColumns)
}

func corrupt(err error) error {
	return fmt.Errorf("the schema of a Delta table: %w", &errs.CorruptError{RowGroup: -1, Offset: -1, Err: err})
}

// partition marks the partition columns.
func (s *Schema) partition(names []string) error {
	for _, name := range names {
		at := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
		if at < 0 {
			return corrupt(fmt.Errorf("there is no partition column %q", name))
		}
		f := &s.Fields[at]
		if f.Type.IsNested() || f.Type.Kind == vector.Variant {
			return corrupt(fmt.Errorf("the partition column %q is %s", name, f.Type))
		}
		f.Partition = true
	}
	return nil
}
