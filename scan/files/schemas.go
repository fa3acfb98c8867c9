package files

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/mapping"
)

// A table of folders is the union of its files by column name. So the schema of every file
// is needed, even of a file that the query does not read: its columns are columns of
// the table, and its types may widen those of other files. The schema of one file says
// nothing about another file. But most files of a table have the same schema, and a
// schema stays valid until the file changes. So the cache remembers the schema of
// many more files than it caches footers of: after the first query, a file that its
// folder or name rules out is not opened.

// Schema is the columns of a file. Files with equal schemas share one.
type Schema struct {
	Columns   []nested.Column
	Summary   bool // the footer names other files
	Encrypted bool // some column may be encrypted

	fields string // see appendFields; equal for equal schemas

	// Alone is a table whose files all have this schema; nil: none was made yet.
	Alone atomic.Pointer[Alone]
}

// Alone is what a table has of its files where all have one schema. It is immutable: tables share it.
type Alone struct {
	Columns []scan.Column
	Mapping *mapping.Columns
}

// aloneBytes is the memory that Alone takes for a column.
const aloneBytes = 176

// schemas holds the schemas in use.
type schemas struct {
	mu       sync.Mutex
	byFields map[string]*Schema
}

// schemaFactor: the columns of a schema take at most this many times the bytes of its
// text.
const schemaFactor = 6

// maxSchemas bounds how many different schemas are shared.
const maxSchemas = 1 << 10

// share returns the shared schema of a file, and its bytes if no other file has been
// charged for it.
func (s *schemas) share(own *Schema) (shared *Schema, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.byFields[own.fields]; known != nil && known.Summary == own.Summary {
		return known, 0
	}
	if s.byFields == nil || len(s.byFields) >= maxSchemas {
		s.byFields = map[string]*Schema{}
	}
	s.byFields[own.fields] = own
	return own, schemaFactor*int64(len(own.fields)) + aloneBytes*int64(len(own.Columns))
}

// fieldsOf is the text of a file's schema. Encrypted files have another one, so that
// each kind shares its schemas.
func fieldsOf(f *fileformat.File) string {
	text := appendFields(nil, f.Schema.Root)
	if f.Encrypted() {
		text = append(text, "encrypted"...)
	}
	return string(text)
}

// appendFields appends everything that a schema's columns depend on.
func appendFields(to []byte, group *fileformat.Node) []byte {
	for _, n := range group.Children {
		to = strconv.AppendQuote(to, n.Name)
		for _, v := range [...]int{int(n.Repetition), int(n.Physical), n.TypeLength, int(n.Converted)} {
			to = strconv.AppendInt(append(to, ' '), int64(v), 10)
		}
		if n.Logical != (fileformat.LogicalType{}) || n.Err != nil {
			to = fmt.Appendf(to, " %+v %v", n.Logical, n.Err)
		}
		to = append(to, " ("...)
		if n.Geo != nil {
			to = fmt.Appendf(to, "%+v", *n.Geo)
		}
		to = append(appendFields(to, n), ')')
	}
	return to
}
