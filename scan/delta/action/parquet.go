package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/storage"
)

// Options says how a Parquet file of a log is read.
type Options struct {
	Budget *quota.Budget // of what is read ahead and of pages; nil: unlimited
	Cost   storage.Cost
	AtOnce int // how many goroutines decode a file, each some of its rows
}

// ReadParquet gives the actions of a Parquet file to a sink, which is called by several goroutines;
// removes are left out, as nothing comes before them. file is its name, for errors. The sink may keep
// the texts.
func ReadParquet(ctx context.Context, file string, source io.ReaderAt, size int64, o Options, to Sink, shared *Partitions) error {
	f, err := fileformat.OpenContext(ctx, source, size, fileformat.Options{Name: file, VerifyChecksums: true, Tail: o.Cost.Tail(size)})
	if err != nil {
		return err
	}
	columns, err := nested.Columns(f.Schema, nested.Options{BinaryAsString: true})
	if err != nil {
		return fmt.Errorf("file %q: %w", file, err)
	}
	p := &parquetReader{ctx: ctx, file: f, source: source, options: o, columns: map[string]nested.Column{}, to: to, shared: shared}
	for _, c := range columns {
		p.columns[c.Name] = c
	}
	if p.missing("add.path") && p.missing("sidecar.path") {
		return p.corrupt("add.path", errors.New("the file has neither files nor sidecars"))
	}
	for _, g := range f.RowGroups() {
		if err := p.group(g); err != nil {
			return err
		}
	}
	return nil
}

// parquetReader reads one file.
type parquetReader struct {
	ctx     context.Context
	file    *fileformat.File
	source  io.ReaderAt
	options Options
	columns map[string]nested.Column // by dotted name
	to      Sink
	shared  *Partitions
}

func (p *parquetReader) missing(name string) bool { _, ok := p.columns[name]; return !ok }

func (p *parquetReader) corrupt(column string, err error) error {
	return &errs.CorruptError{File: p.file.Name(), RowGroup: -1, Column: column, Offset: -1, Err: err}
}

// The columns that are read of each kind of action.
var (
	fileColumns  = []string{"add.path", "add.size", "add.modificationTime", "add.partitionValues", "add.stats", "add.deletionVector.storageType", "add.deletionVector.pathOrInlineDv", "add.deletionVector.offset", "add.deletionVector.sizeInBytes", "add.deletionVector.cardinality"}
	tableColumns = []string{
		"protocol.minReaderVersion", "protocol.minWriterVersion", "protocol.readerFeatures", "protocol.writerFeatures",
		"metaData.id", "metaData.name", "metaData.description", "metaData.format.provider", "metaData.schemaString", "metaData.partitionColumns", "metaData.createdTime", "metaData.configuration",
		"sidecar.path", "sidecar.sizeInBytes",
	}
)

// parsedStats are statistics that are columns, for files whose writer left out the text.
const parsedStats = "add.stats_parsed"

// rangeRows is how many rows are enough for a goroutine.
const rangeRows = 1 << 14

// group reads a row group, parts of it in goroutines where it is long. A part has to read, or to ask
// for, the pages before its own, so that this is for a disk alone.
func (p *parquetReader) group(g *fileformat.RowGroup) error {
	parts := int64(1)
	if p.options.Cost.IsLocal() {
		parts = max(1, min(int64(p.options.AtOnce), g.NumRows/rangeRows))
	}
	return parallel.Some(int(parts), int(parts), func(i int) error {
		from, end := g.NumRows/parts*int64(i), g.NumRows/parts*int64(i+1)
		if i == int(parts)-1 {
			end = g.NumRows
		}
		rows := &rowReader{parquetReader: p, group: g, columns: map[string]*cursor{}}
		defer rows.close()
		if i > 0 {
			rows.fetch(fileColumns)
			return rows.files(from, end)
		}
		rows.fetch(slices.Concat(fileColumns, tableColumns))
		if err := rows.tables(); err != nil {
			return err
		}
		return rows.files(from, end)
	})
}

// tables reads the actions about the table, and sidecars, of all rows.
func (r *rowReader) tables() error {
	for _, pass := range []struct {
		column string // has a value where the row is such an action
		give   func() error
	}{
		{"protocol.minReaderVersion", r.protocol},
		{"metaData.id", r.metadata},
		{"sidecar.path", r.sidecar},
	} {
		if err := r.each(r.named(pass.column), 0, r.group.NumRows, pass.give); err != nil {
			return err
		}
	}
	return r.err
}

// each calls give for those of some rows that have a value in a column.
func (r *rowReader) each(c *cursor, from, end int64, give func() error) error {
	if c == nil {
		return nil
	}
	r.end = end
	for row := from; row < end; row++ {
		if row%1024 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if r.row = row; !r.has(c) {
			if r.err != nil {
				return r.err
			}
			continue
		}
		if err := give(); err != nil {
			return err
		}
	}
	return nil
}

func (r *rowReader) protocol() error {
	p := Protocol{MinReader: r.integer(r.named("protocol.minReaderVersion"), 0), MinWriter: r.integer(r.named("protocol.minWriterVersion"), 0)}
	p.ReaderFeatures, p.WriterFeatures = r.texts(r.named("protocol.readerFeatures")), r.texts(r.named("protocol.writerFeatures"))
	return doneRow(r, r.to.Protocol, p)
}

func (r *rowReader) metadata() error {
	m := Metadata{
		ID: r.text(r.named("metaData.id")), Name: r.text(r.named("metaData.name")), Description: r.text(r.named("metaData.description")),
		Provider: r.text(r.named("metaData.format.provider")), Schema: r.text(r.named("metaData.schemaString")),
		PartitionColumns: r.texts(r.named("metaData.partitionColumns")), CreatedTime: r.integer(r.named("metaData.createdTime"), 0),
		Configuration: map[string]string{},
	}
	names, values := r.pairs(r.named("metaData.configuration"))
	for i, n := range names {
		m.Configuration[n] = values[i].Text
	}
	return doneRow(r, r.to.Metadata, m)
}

func (r *rowReader) sidecar() error {
	return doneRow(r, r.to.Sidecar, Sidecar{Path: DecodePath(r.text(r.named("sidecar.path"))), Size: r.integer(r.named("sidecar.sizeInBytes"), 0)})
}

// doneRow gives an action to the sink, unless it could not be read.
func doneRow[T any](r *rowReader, give func(T) error, action T) error {
	if r.err != nil {
		return r.err
	}
	return give(action)
}

// fetch plans the reads of the columns that are there.
func (r *rowReader) fetch(names []string) {
	var ranges []fetch.Range
	for _, name := range names {
		c, ok := r.parquetReader.columns[name]
		if !ok {
			continue
		}
		for _, leaf := range c.Leaves {
			if off, n, err := r.group.Columns[leaf].Range(); err == nil && n > 0 {
				ranges = append(ranges, fetch.Range{Off: off, N: n, Users: []int{leaf}})
			}
		}
	}
	r.source = fetch.New(r.parquetReader.source, ranges, r.options.Budget, 1, fetch.WindowSize(len(ranges), r.options.Cost), r.options.Cost)
}
