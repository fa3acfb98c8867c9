package action

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/fetch"
	"github.com/parquetsql/parquetsql/storage"
)

// Options says how a Parquet file of a log is read.
type Options struct {
	Budget *quota.Budget // of what is read ahead and of pages; nil: unlimited
	Cost   storage.Cost
}

// ReadParquet gives the actions of a Parquet file to a sink: first those about the table and
// sidecars, then files. file is its name, for errors. The sink may keep the texts.
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

// group reads a row group.
func (p *parquetReader) group(g *fileformat.RowGroup) error {
	rows := &rowReader{parquetReader: p, group: g, columns: map[string]*cursor{}}
	defer rows.close()
	rows.fetch(append(fileColumns, tableColumns...))
	for _, pass := range []struct {
		column string // has a value where the row is such an action
		give   func() error
	}{
		{"protocol.minReaderVersion", rows.protocol},
		{"metaData.id", rows.metadata},
		{"sidecar.path", rows.sidecar},
		{"add.path", rows.add},
	} {
		if err := rows.each(pass.column, pass.give); err != nil {
			return err
		}
	}
	return rows.err
}

// each calls give for the rows that have a value in a column.
func (r *rowReader) each(name string, give func() error) error {
	if r.missing(name) {
		return nil
	}
	for row := range r.group.NumRows {
		if row%1024 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if r.row = row; !r.has(name) {
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
	p := Protocol{MinReader: r.integer("protocol.minReaderVersion", 0), MinWriter: r.integer("protocol.minWriterVersion", 0)}
	p.ReaderFeatures, p.WriterFeatures = r.texts("protocol.readerFeatures"), r.texts("protocol.writerFeatures")
	return doneRow(r, r.to.Protocol, p)
}

func (r *rowReader) metadata() error {
	m := Metadata{
		ID: r.text("metaData.id"), Name: r.text("metaData.name"), Description: r.text("metaData.description"),
		Provider: r.text("metaData.format.provider"), Schema: r.text("metaData.schemaString"),
		PartitionColumns: r.texts("metaData.partitionColumns"), CreatedTime: r.integer("metaData.createdTime", 0),
		Configuration: map[string]string{},
	}
	names, values := r.pairs("metaData.configuration")
	for i, n := range names {
		m.Configuration[n] = values[i].Text
	}
	return doneRow(r, r.to.Metadata, m)
}

func (r *rowReader) sidecar() error {
	return doneRow(r, r.to.Sidecar, Sidecar{Path: DecodePath(r.text("sidecar.path")), Size: r.integer("sidecar.sizeInBytes", 0)})
}

func (r *rowReader) add() error {
	f := File{Path: DecodePath(r.text("add.path")), Size: r.integer("add.size", 0), Modified: r.integer("add.modificationTime", 0)}
	f.Partition = r.shared.share(r.pairs("add.partitionValues"))
	if f.Stats = r.text("add.stats"); f.Stats == "" && !r.missing(parsedStats) {
		f.Stats = r.json(parsedStats)
	}
	if r.has("add.deletionVector.storageType") {
		f.Deletion = &Deletion{
			Storage: r.text("add.deletionVector.storageType"), PathOrInline: r.text("add.deletionVector.pathOrInlineDv"),
			Offset: r.integer("add.deletionVector.offset", -1), Size: r.integer("add.deletionVector.sizeInBytes", 0), Rows: r.integer("add.deletionVector.cardinality", 0),
		}
	}
	return doneRow(r, r.to.Add, f)
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
