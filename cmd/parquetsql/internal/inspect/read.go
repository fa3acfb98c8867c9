package inspect

import (
	"context"
	"database/sql"
	"math/big"
	"slices"
	"strings"
)

// file is a row of t$files.
type file struct {
	name      string
	size      int64
	rows      int64
	rowGroups int64
	createdBy sql.NullString
}

// rowGroup is a row of t$row_groups.
type rowGroup struct {
	file                   string
	number                 int64
	rows                   int64
	bytes, compressedBytes sql.NullInt64
}

// column sums up the chunks of a column.
type column struct {
	name, typ              string
	codecs, encodings      []string
	chunks                 int64
	values                 int64
	nulls                  int64
	nullsKnown             bool
	compressed, plain      int64
	min, max               string
	bounded                int64 // chunks with bounds
	blooms, columnIndexes  int64
	offsetIndexes          int64
	pages, dictionaryPages int64
}

func readFiles(ctx context.Context, db *sql.DB, table string) (files []file, err error) {
	return files, each(ctx, db, "SELECT file, size, rows, row_groups, created_by FROM "+systemTable(table, "files"), func(rows *sql.Rows) error {
		var f file
		err := rows.Scan(&f.name, &f.size, &f.rows, &f.rowGroups, &f.createdBy)
		files = append(files, f)
		return err
	})
}

func readRowGroups(ctx context.Context, db *sql.DB, table string) (groups []rowGroup, err error) {
	err = each(ctx, db, "SELECT file, row_group, rows, bytes, compressed_bytes FROM "+systemTable(table, "row_groups"), func(rows *sql.Rows) error {
		var g rowGroup
		err := rows.Scan(&g.file, &g.number, &g.rows, &g.bytes, &g.compressedBytes)
		groups = append(groups, g)
		return err
	})
	return groups, err
}

func readColumns(ctx context.Context, db *sql.DB, table string) ([]*column, error) {
	var columns []*column
	byName := map[string]*column{}
	const list = `SELECT "column", type, codec, encodings, "values", null_count, min, max, compressed_bytes, uncompressed_bytes,
		bloom_offset IS NOT NULL, column_index_offset IS NOT NULL, offset_index_offset IS NOT NULL FROM `
	err := each(ctx, db, list+systemTable(table, "columns"), func(rows *sql.Rows) error {
		var name string
		var typ, codec, encodings, low, high sql.NullString
		var values, nulls, compressed, plain sql.NullInt64
		var bloom, columnIndex, offsetIndex bool
		if err := rows.Scan(&name, &typ, &codec, &encodings, &values, &nulls, &low, &high, &compressed, &plain, &bloom, &columnIndex, &offsetIndex); err != nil {
			return err
		}
		c := byName[name]
		if c == nil {
			c = &column{name: name, typ: typ.String, nullsKnown: true}
			byName[name] = c
			columns = append(columns, c)
		}
		c.chunks++
		c.codecs = addNames(c.codecs, codec.String)
		c.encodings = addNames(c.encodings, encodings.String)
		c.values += values.Int64
		c.nulls += nulls.Int64
		c.nullsKnown = c.nullsKnown && nulls.Valid
		c.compressed += compressed.Int64
		c.plain += plain.Int64
		if low.Valid && high.Valid {
			c.widen(low.String, high.String)
		}
		c.blooms += count(bloom)
		c.columnIndexes += count(columnIndex)
		c.offsetIndexes += count(offsetIndex)
		return nil
	})
	return columns, err
}

// readPages counts the pages of each column, which means to read all page headers.
func readPages(ctx context.Context, db *sql.DB, table string, columns []*column) error {
	const list = `SELECT "column", COUNT(*) FILTER (WHERE kind <> 'DICTIONARY_PAGE'), COUNT(*) FILTER (WHERE kind = 'DICTIONARY_PAGE') FROM `
	return each(ctx, db, list+systemTable(table, "pages")+` GROUP BY "column"`, func(rows *sql.Rows) error {
		var name string
		var pages, dictionaries int64
		if err := rows.Scan(&name, &pages, &dictionaries); err != nil {
			return err
		}
		if i := slices.IndexFunc(columns, func(c *column) bool { return c.name == name }); i >= 0 {
			columns[i].pages, columns[i].dictionaryPages = pages, dictionaries
		}
		return nil
	})
}

func each(ctx context.Context, db *sql.DB, query string, f func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func count(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// addNames adds the names of a list that are not there yet.
func addNames(names []string, list string) []string {
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '[' || r == ']' || r == '"' }) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// widen extends the bounds of the column by those of a chunk. They are text, of which the
// numbers have to be compared as numbers.
func (c *column) widen(low, high string) {
	if c.bounded == 0 || less(low, c.min) {
		c.min = low
	}
	if c.bounded == 0 || less(c.max, high) {
		c.max = high
	}
	c.bounded++
}

func less(a, b string) bool {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	if okX && okY {
		return x.Cmp(y) < 0
	}
	return a < b
}
