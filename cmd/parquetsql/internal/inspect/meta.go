package inspect

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/chart"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
)

// Options say what Meta shows.
type Options struct {
	Table string // "" is the only one
	All   bool   // every file and row group, and the pages
	Width int    // of the terminal; 0 is no limit
	JSON  bool   // everything as an object, instead of the picture
}

// Without Options.All this many files and row groups are shown.
const fewLines = 12

// Meta writes a picture of the files of a table: what their row groups and columns take,
// how they are encoded, and what helps queries to skip parts of them.
func Meta(ctx context.Context, db *sql.DB, w io.Writer, o Options) error {
	table, err := TableOf(ctx, db, o.Table)
	if err != nil {
		return err
	}
	files, err := readFiles(ctx, db, table)
	if err != nil {
		return err
	}
	groups, err := readRowGroups(ctx, db, table)
	if err != nil {
		return err
	}
	columns, err := readColumns(ctx, db, table)
	if err != nil {
		return err
	}
	if o.All {
		if err := readPages(ctx, db, table, columns); err != nil {
			return err
		}
	}
	if o.JSON {
		return writeJSON(w, table, files, groups, columns, o.All)
	}
	out := bufio.NewWriter(w)
	writeFiles(out, files, o)
	writeRowGroups(out, groups, o)
	if err := writeColumns(out, columns, o); err != nil {
		return err
	}
	return out.Flush()
}

func writeFiles(w io.Writer, files []file, o Options) {
	var size, rows, groups int64
	for i, f := range files {
		size, rows, groups = size+f.size, rows+f.rows, groups+f.rowGroups
		if !o.All && i >= fewLines {
			continue
		}
		fmt.Fprintf(w, "%s  %s, %d rows in %s", f.name, format.Size(f.size), f.rows, counted(f.rowGroups, "row group"))
		if f.createdBy.String != "" {
			fmt.Fprintf(w, ", by %s", f.createdBy.String)
		}
		fmt.Fprintln(w)
	}
	if more := len(files) - fewLines; more > 0 && !o.All {
		fmt.Fprintf(w, "… %d more\n", more)
	}
	if len(files) > 1 {
		fmt.Fprintf(w, "%d files  %s, %d rows in %s\n", len(files), format.Size(size), rows, counted(groups, "row group"))
	}
}

func writeRowGroups(w io.Writer, groups []rowGroup, o Options) {
	var largest int64
	for _, g := range groups {
		largest = max(largest, g.compressedBytes.Int64)
	}
	fmt.Fprintln(w, "\nRow groups")
	file := ""
	for i, g := range groups {
		if !o.All && i >= fewLines {
			fmt.Fprintf(w, "  … %d more\n", len(groups)-i)
			break
		}
		if g.file != file && i > 0 {
			fmt.Fprintf(w, "  %s\n", g.file)
		}
		file = g.file
		fmt.Fprintf(w, "  %3d  %s  %8d rows  %9s of %s\n", g.number, chart.Bar(float64(g.compressedBytes.Int64), float64(largest), 24), g.rows,
			format.Size(g.compressedBytes.Int64), format.Size(g.bytes.Int64))
	}
}

// writeColumns draws a table: a column of the file is a row of it.
func writeColumns(w io.Writer, columns []*column, o Options) error {
	var total int64
	for _, c := range columns {
		total += c.compressed
	}
	fmt.Fprintln(w, "\nColumns")
	table, err := format.New("table", w, format.Options{Width: o.Width, MaxCell: 40, NoCount: true})
	if err != nil {
		return err
	}
	head := []format.Column{{Name: "column"}, {Name: "type"}, {Name: "size", Type: "DECIMAL"}, {Name: "of all"}, {Name: "ratio", Type: "DECIMAL"},
		{Name: "nulls", Type: "BIGINT"}, {Name: "codec"}, {Name: "encodings"}, {Name: "indexes"}, {Name: "min"}, {Name: "max"}}
	if o.All {
		head = append(head, format.Column{Name: "pages", Type: "BIGINT"})
	}
	if err := table.Head(head); err != nil {
		return err
	}
	for _, c := range columns {
		row := []any{c.name, c.typ, format.Size(c.compressed), chart.Bar(float64(c.compressed), float64(total), 8), ratio(c.plain, c.compressed), "",
			strings.Join(c.codecs, " "), strings.Join(c.encodings, " "), c.indexes(), c.min, c.max}
		if c.nullsKnown {
			row[5] = fmt.Sprint(c.nulls)
		}
		if o.All {
			row = append(row, c.pages)
		}
		if err := table.Row(row); err != nil {
			return err
		}
	}
	if err := table.Tail(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "indexes: S statistics, B bloom filter, C column index, O offset index; in part of the row groups in small letters")
	return err
}

// indexes returns a letter for what helps to skip parts of the column.
func (c *column) indexes() string {
	out := ""
	for _, index := range []struct {
		letter string
		chunks int64
	}{{"S", c.bounded}, {"B", c.blooms}, {"C", c.columnIndexes}, {"O", c.offsetIndexes}} {
		switch {
		case index.chunks == c.chunks:
			out += index.letter
		case index.chunks > 0:
			out += strings.ToLower(index.letter)
		default:
			out += "·"
		}
	}
	return out
}

func ratio(plain, compressed int64) string {
	if compressed == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", float64(plain)/float64(compressed))
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
