package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/iceberg"
	"github.com/parquetsql/parquetsql/storage"
)

// A location may be a catalog, which knows tables by their names. Its schemas stand before the names,
// those within others with a dot between them: a.b.t. A dot that is part of a name has a backslash
// before it. Nothing is listed unless a statement lists: a table takes the one request that loads it.

// tables is the catalog that the location is; nil: it is none.
func (c *Catalog) tables() storage.Tables {
	if c.config.Remote == nil {
		return nil
	}
	return c.config.Remote.Tables
}

// locateTables is the location of a catalog.
func (c *Catalog) locateTables() *location {
	return &location{store: storage.Nowhere, kind: atTables, flat: true}
}

// Schema is a schema of the location, by the names of those that it is within, and the text that
// stands for it before the name of a table.
type Schema struct {
	Parts []string
	Text  string
}

// mainSchema is the only one of a location with files.
const mainSchema = "main"

// Schemas lists the schemas of the location.
func (s *Snapshot) Schemas(ctx context.Context) ([]Schema, error) {
	if s.location.kind != atTables {
		return []Schema{{[]string{mainSchema}, mainSchema}}, nil
	}
	list, err := s.catalog.tables().Schemas(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Schema, len(list))
	for i, parts := range list {
		out[i] = Schema{parts, joined(parts)}
	}
	slices.SortFunc(out, func(a, b Schema) int { return strings.Compare(a.Text, b.Text) })
	return out, nil
}

// SchemaNamed is a schema by its text. A catalog is not asked whether it has it.
func (s *Snapshot) SchemaNamed(text string) (Schema, error) {
	if s.location.kind == atTables {
		parts := SplitName(text)
		return Schema{parts, joined(parts)}, nil
	}
	if !strings.EqualFold(text, mainSchema) {
		return Schema{}, fmt.Errorf("there is no schema %q, only %q", text, mainSchema)
	}
	return Schema{[]string{mainSchema}, mainSchema}, nil
}

// Listing is a table of a schema: by the name that finds it, and by its own.
type Listing struct{ Full, Own string }

// TablesIn lists the tables of a schema, sorted.
func (s *Snapshot) TablesIn(ctx context.Context, schema Schema) (out []Listing, err error) {
	if s.location.kind != atTables {
		names, err := s.TableNames(ctx)
		for _, name := range names {
			out = append(out, Listing{name, name})
		}
		return out, err
	}
	names, err := s.catalog.tables().Names(ctx, schema.Parts)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if full := schema.Text + "." + escaped(name); s.catalog.config.shows(full) {
			out = append(out, Listing{full, escaped(name)})
		}
	}
	slices.SortFunc(out, func(a, b Listing) int { return strings.Compare(a.Full, b.Full) })
	return out, nil
}

// namesOfAll are the tables of all schemas.
func (s *Snapshot) namesOfAll(ctx context.Context) ([]string, error) {
	schemas, err := s.Schemas(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, schema := range schemas {
		tables, err := s.TablesIn(ctx, schema)
		if IsHiddenSchema(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, t := range tables {
			out = append(out, t.Full)
		}
	}
	return out, nil
}

// IsHiddenSchema reports whether lists of all schemas leave one out: it has gone meanwhile, or who asks may
// not see it.
func IsHiddenSchema(err error) bool {
	return errors.Is(err, storage.ErrNoTable) || errors.Is(err, storage.ErrForbidden)
}

// escaped is a name within one with dots.
func escaped(name string) string {
	return strings.NewReplacer(`\`, `\\`, ".", `\.`).Replace(name)
}

func joined(parts []string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = escaped(p)
	}
	return strings.Join(out, ".")
}

// SplitName divides the name of a table of a catalog into those of its schemas and its own.
func SplitName(name string) (out []string) {
	var part []byte
	for i := 0; i < len(name); i++ {
		switch ch := name[i]; {
		case ch == '\\' && i+1 < len(name) && (name[i+1] == '.' || name[i+1] == '\\'):
			i++
			part = append(part, name[i])
		case ch == '.':
			out, part = append(out, string(part)), part[:0]
		default:
			part = append(part, ch)
		}
	}
	return append(out, string(part))
}

// notSchemas are schemas that no catalog is asked for: those of the driver itself.
var notSchemas = []string{"information_schema", "pg_catalog"}

// tableNamed is what a catalog is asked for by a name; false: no table can have it.
func tableNamed(name string) (storage.TableName, bool) {
	parts := SplitName(name)
	last := len(parts) - 1
	if last < 1 || slices.ContainsFunc(parts, func(p string) bool { return p == "" || p == "." || p == ".." }) || slices.Contains(notSchemas, strings.ToLower(parts[0])) {
		return storage.TableName{}, false
	}
	return storage.TableName{Schema: parts[:last], Name: parts[last]}, true
}

// findLoaded finds a table of the catalog, by asking for it. What follows an "@v" is a version, as it
// is of other tables.
func (s *Snapshot) findLoaded(ctx context.Context, name string) (*tableSource, error) {
	of, ok := tableNamed(name)
	_, _, versioned := splitVersion(name)
	if !ok || versioned || !s.catalog.config.shows(name) {
		missing := &errs.NotFoundError{Kind: "table", Name: name}
		if !ok && !strings.Contains(name, ".") {
			missing.Hint = "tables of a catalog are named with their schema: FROM schema.table"
		}
		return nil, missing
	}
	s.mu.Lock()
	known, asked := s.earlier[name]
	s.mu.Unlock()
	if asked && known != nil {
		return known, nil
	}
	if !asked {
		found := &tableSource{name: name, what: name, folder: name, lake: lake{folder: name, iceberg: true}, named: true}
		_, err := s.pin(ctx, found)
		switch {
		case errors.Is(err, storage.ErrNoTable):
			found = nil
		case err != nil:
			return nil, err
		}
		s.mu.Lock()
		if s.earlier == nil {
			s.earlier = map[string]*tableSource{}
		}
		s.earlier[name] = found
		s.mu.Unlock()
		if found != nil {
			return found, nil
		}
	}
	return s.findFolded(ctx, name, of)
}

// findFolded finds a table by its name in another case, or says which names are near.
func (s *Snapshot) findFolded(ctx context.Context, name string, of storage.TableName) (*tableSource, error) {
	tables, err := s.TablesIn(ctx, Schema{of.Schema, joined(of.Schema)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	missing := &errs.NotFoundError{Kind: "table", Name: name}
	if err != nil { // it has no such schema, or cannot list: that there is no such table is known
		tables = nil
	}
	var names, folded []string
	for _, t := range tables {
		names = append(names, t.Full)
		if strings.EqualFold(t.Full, name) && t.Full != name {
			folded = append(folded, t.Full)
		}
	}
	if len(folded) == 1 {
		return s.findLoaded(ctx, folded[0])
	}
	if missing.Nearest = folded; folded == nil {
		missing.Nearest = errs.Nearest(name, names)
	}
	if missing.Nearest == nil && len(of.Schema) > 1 {
		missing.Hint = `a dot that is part of a name has a backslash before it: "a\.b"`
	}
	return nil, missing
}

// loadedTable is the table of a name in the catalog, with what is kept of it.
func (s *Snapshot) loadedTable(l lake) *iceberg.Table {
	c := s.catalog
	of, _ := tableNamed(l.folder)
	access := &access{catalog: c, of: of, name: l.folder, keeper: c.stores}
	return iceberg.New(storage.Nowhere, l.folder, "", c.cache, iceberg.Options{
		Memory: c.config.FooterMemory, Mapped: c.places(s.location)[1:], Read: c.config.Read, Pruning: c.config.Scan.Pruning,
		Catalog: &iceberg.Catalog{Load: access.load, Place: access.place},
	})
}

// noFiles is the error of who asks for the files of a table of a catalog.
func noFiles(name string) error {
	return fmt.Errorf("table %q: %w", name, errs.Unsupported("the paths of files of a catalog's tables; `%s$files` has those of the table", name))
}
