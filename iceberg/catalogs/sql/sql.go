// Package sql reads catalogs of Iceberg tables that are tables of a database, as those of PyIceberg,
// of Iceberg's JdbcCatalog and of iceberg-go. Its import registers the scheme iceberg+sql:
//
//	import (
//		_ "github.com/parquetsql/parquetsql/iceberg/catalogs/sql"
//		_ "modernc.org/sqlite"
//	)
//
//	sql.Open("parquet", "iceberg+sql://default?driver=sqlite&dsn=file:/data/catalog.db")
//
// What follows the scheme is the catalog's name in the database. The driver of the database is the
// program's own.
package sql

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/iceberg/catalogs/internal/located"
	"github.com/parquetsql/parquetsql/storage"
)

func init() {
	storage.Register("iceberg+sql", storage.Scheme{
		Options: located.Options(map[string]string{
			"driver": "the name of a driver of database/sql that the program imports: `sqlite`, `pgx`, `mysql`",
			"dsn":    "what that driver opens; it is not shown",
		}),
		Secrets: located.Secrets("dsn"), Open: open,
	})
}

// catalog is a storage.Tables of a database.
type catalog struct {
	name  string
	db    *sql.DB
	mark  func(n int) string // the placeholder of the nth argument, from 1
	files *located.Files

	asked chan struct{} // who holds it may look at kinds
	kinds *bool         // whether the table has iceberg_type, which tells tables from views
}

var _ storage.Tables = (*catalog)(nil)

func open(a storage.Address, o map[string]string) (storage.Root, error) {
	if a.Authority == "" || a.Path != "" {
		return storage.Root{}, errors.New("an address is iceberg+sql://NAME, with the name of the catalog in the database")
	}
	if o["driver"] == "" || o["dsn"] == "" {
		return storage.Root{}, errors.New("options driver and dsn: they say where the database is")
	}
	db, err := sql.Open(o["driver"], o["dsn"])
	if err != nil {
		if !slices.Contains(sql.Drivers(), o["driver"]) {
			return storage.Root{}, fmt.Errorf("option driver: the program imports no driver %q of database/sql; there are %s", o["driver"], strings.Join(sql.Drivers(), ", "))
		}
		return storage.Root{}, errors.New("option dsn: the driver does not take it") // its error may show a password
	}
	c := &catalog{name: a.Authority, db: db, mark: markOf(o["driver"]), files: located.FilesOf(o), asked: make(chan struct{}, 1)}
	return storage.Root{Tables: c}, nil
}

// markOf is how statements name arguments, which is known of the drivers of some databases.
func markOf(driver string) func(int) string {
	for prefix, names := range map[string][]string{"$": {"pgx", "postgres", "pq", "cockroach"}, "@p": {"sqlserver", "mssql"}, ":": {"oracle", "godror"}} {
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(driver, n) }) {
			return func(n int) string { return prefix + strconv.Itoa(n) }
		}
	}
	return func(int) string { return "?" }
}

// Close closes the database.
func (c *catalog) Close() error { return c.db.Close() }

// failed is an error of the database. What it shows is up to the driver.
func (c *catalog) failed(err error) error {
	return fmt.Errorf("catalog iceberg+sql://%s: %w", c.name, err)
}

// Ping implements storage.Tables.
func (c *catalog) Ping(ctx context.Context) error {
	_, err := c.hasKinds(ctx)
	return err
}

// hasKinds asks once whether tables are told from views.
func (c *catalog) hasKinds(ctx context.Context) (bool, error) {
	select {
	case c.asked <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-c.asked }()
	if c.kinds != nil {
		return *c.kinds, nil
	}
	rows, err := c.db.QueryContext(ctx, "SELECT * FROM iceberg_tables WHERE 1 = 0")
	if err != nil {
		return false, c.failed(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return false, c.failed(err)
	}
	has := slices.ContainsFunc(columns, func(n string) bool { return strings.EqualFold(n, "iceberg_type") })
	c.kinds = &has
	return has, nil
}

// encodedPrefix stands before namespaces in JSON, which iceberg-go writes where a part has a dot.
const encodedPrefix = "__iceberg_namespace_v1__:"

// keys are the texts that a namespace may have in the database.
func keys(schema []string) []string {
	plain := strings.Join(schema, ".")
	if !strings.Contains(plain, encodedPrefix) && !slices.ContainsFunc(schema, func(p string) bool { return strings.Contains(p, ".") }) {
		return []string{plain}
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return []string{plain}
	}
	return []string{encodedPrefix + string(text), plain}
}

// parts is the namespace of such a text.
func parts(key string) []string {
	if text, ok := strings.CutPrefix(key, encodedPrefix); ok {
		var out []string
		if json.Unmarshal([]byte(text), &out) == nil && len(out) > 0 {
			return out
		}
	}
	return strings.Split(key, ".")
}

// Load implements storage.Tables.
func (c *catalog) Load(ctx context.Context, t storage.TableName, _ string, _ int64) (*storage.Loaded, error) {
	kinds, err := c.hasKinds(ctx)
	if err != nil {
		return nil, err
	}
	query := "SELECT metadata_location FROM iceberg_tables WHERE catalog_name = " + c.mark(1) + " AND table_namespace = " + c.mark(2) + " AND table_name = " + c.mark(3)
	if kinds {
		query += " AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)"
	}
	for _, key := range keys(t.Schema) {
		var file sql.NullString
		err := c.db.QueryRowContext(ctx, query, c.name, key, t.Name).Scan(&file)
		switch {
		case errors.Is(err, sql.ErrNoRows), err == nil && file.String == "":
			continue
		case err != nil:
			return nil, c.failed(err)
		}
		return c.files.Loaded(file.String), nil
	}
	return nil, c.failed(fmt.Errorf("table %s.%s: %w", strings.Join(t.Schema, "."), t.Name, storage.ErrNoTable))
}

// Schemas implements storage.Tables: those that have tables or properties, and those around them.
func (c *catalog) Schemas(ctx context.Context) ([][]string, error) {
	found, err := c.texts(ctx, "SELECT DISTINCT table_namespace FROM iceberg_tables WHERE catalog_name = "+c.mark(1), c.name)
	if err != nil {
		return nil, err
	}
	// Not every catalog has this table.
	if more, err := c.texts(ctx, "SELECT DISTINCT namespace FROM iceberg_namespace_properties WHERE catalog_name = "+c.mark(1), c.name); err == nil {
		found = append(found, more...)
	}
	seen := map[string]bool{}
	var out [][]string
	for _, key := range found {
		all := parts(key)
		for depth := 1; depth <= len(all); depth++ {
			if k := strings.Join(all[:depth], "\x1f"); !seen[k] {
				seen[k] = true
				out = append(out, all[:depth])
			}
		}
	}
	return out, ctx.Err()
}

// Names implements storage.Tables.
func (c *catalog) Names(ctx context.Context, schema []string) ([]string, error) {
	kinds, err := c.hasKinds(ctx)
	if err != nil {
		return nil, err
	}
	query := "SELECT table_name FROM iceberg_tables WHERE catalog_name = " + c.mark(1) + " AND table_namespace = " + c.mark(2)
	if kinds {
		query += " AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)"
	}
	var out []string
	for _, key := range keys(schema) {
		found, err := c.texts(ctx, query, c.name, key)
		if err != nil {
			return nil, err
		}
		if out = append(out, found...); len(found) > 0 {
			break
		}
	}
	return out, nil
}

// texts is the rows of a query of one column.
func (c *catalog) texts(ctx context.Context, query string, args ...any) (out []string, err error) {
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, c.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s sql.NullString
		if err := rows.Scan(&s); err != nil {
			return nil, c.failed(err)
		}
		if s.String != "" {
			out = append(out, s.String)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, c.failed(err)
	}
	return out, nil
}
