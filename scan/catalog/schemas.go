package catalog

import (
	"fmt"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
)

// A table is the union of all its files by column name, so that each file's schema
// is needed, also that of a file which the query does not read: its columns are
// columns of the table, and its types may widen the others'. No file tells the
// schema of another. But most files of a table have the same schema, and a schema
// that was read once stays valid until the file changes. So the catalog remembers
// which schema each file has, for many more files than it has footers of: after
// the first query a file that its folder or name rules out is not opened.

// schema is the columns of a file. Files with equal schemas share one.
type schema struct {
	fields  string // see appendFields; equal for equal schemas
	columns []nested.Column
	summary bool // the footer names other files, see expandSummaries
}

// schemas is the schemas that are in use.
type schemas struct {
	mu       sync.Mutex
	byFields map[string]*schema
}

// schemaFactor is how much larger the columns of a schema are than its text, at most.
const schemaFactor = 6

// maxSchemas bounds how many different schemas are shared.
const maxSchemas = 1 << 10

// share is the schema of a file, and how many bytes it takes that no other file
// has paid for.
func (s *schemas) share(own schema) (shared *schema, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.byFields[own.fields]; known != nil && known.summary == own.summary {
		return known, 0
	}
	if s.byFields == nil || len(s.byFields) >= maxSchemas {
		s.byFields = map[string]*schema{}
	}
	s.byFields[own.fields] = &own
	return &own, schemaFactor * int64(len(own.fields))
}

// appendFields appends all that a schema's columns depend on.
func appendFields(to []byte, group *fileformat.Node) []byte {
	for _, n := range group.Children {
		to = fmt.Appendf(to, "%q %d %d %d %d %+v (", n.Name, n.Repetition, n.Physical, n.TypeLength, n.Converted, n.Logical)
		to = append(appendFields(to, n), ')')
	}
	return to
}
