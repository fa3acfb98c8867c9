package iceberg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/deletion"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// The ids of the columns of position delete files.
const (
	pathID = manifest.PathID
	posID  = 2147483545
)

// isVector reports whether the positions of a file are a deletion vector, in Puffin.
func isVector(f *manifest.File) bool { return f.Content == manifest.Positions && f.Format == "puffin" }

// vector reads the deletion vector of a file. Its blob lies where the manifest says, so that what
// the Puffin file says of it is not needed (Deletion Vectors).
func (d *fileDeletes) vector(ctx context.Context, b *quota.Budget) (*deletion.Set, func(), error) {
	f := d.vectors[0]
	fail := func(err error) (*deletion.Set, func(), error) {
		if !isOther(err) && ctx.Err() == nil {
			err = &errs.CorruptError{File: f.Path, RowGroup: -1, Offset: max(-1, f.ContentOffset), Err: err}
		}
		return nil, nil, fmt.Errorf("the deletion vector: %w", err)
	}
	if len(d.vectors) > 1 {
		return fail(fmt.Errorf("data file %q has another one, in %q", d.file.Path, d.vectors[1].Path))
	}
	a, err := d.of.version.pinned.locator.locate(ctx, f.Path)
	if err != nil {
		return nil, nil, err
	}
	e, err := statFile(ctx, a.store, a.name)
	if err != nil {
		return nil, nil, err
	}
	// What is around the vector is its length and its checksum.
	size := f.ContentSize - frame
	if f.ContentOffset < 0 || size < 0 || f.ContentSize > e.Size || f.ContentOffset > e.Size-f.ContentSize {
		return fail(fmt.Errorf("it has %d bytes from %d on, the file has %d", f.ContentSize, f.ContentOffset, e.Size))
	}
	// A vector takes about as much memory as its bytes, which are there besides it at first.
	if err := b.Reserve(2 * size); err != nil {
		return nil, nil, err
	}
	defer b.Release(2 * size)
	h := a.store.Open(e)
	defer h.Close()
	data := make([]byte, f.ContentSize)
	if n, err := h.ReadAt(ctx, data, f.ContentOffset); n < len(data) {
		return fail(cmp.Or(err, io.ErrUnexpectedEOF))
	}
	var set *deletion.Set
	if data, err = deletion.Framed(data, size); err == nil {
		set, err = deletion.Decode(data)
	}
	if err == nil && set.Len() != f.Records {
		err = fmt.Errorf("it deletes %d rows, the manifest says %d", set.Len(), f.Records)
	}
	if err == nil && set.Last() >= d.file.Records {
		err = fmt.Errorf("it deletes row %d of a file of %d rows", set.Last(), d.file.Records)
	}
	if err != nil {
		return fail(err)
	}
	n := set.Bytes()
	if err := b.Reserve(n); err != nil {
		return nil, nil, err
	}
	return set, func() { b.Release(n) }, nil
}

// frame is how many bytes are around a vector: its length and its checksum.
const frame = 8

// positionTable reads position delete files (Position Delete Files).
type positionTable struct {
	mapping *mapping.Schema
	path    int
	pos     int
}

func newPositionTable() positionTable {
	m := mapping.NewSchema([]mapping.Field{
		{Name: "file_path", Type: vector.Of(vector.Varchar), ID: pathID, Names: []string{"file_path"}},
		{Name: "pos", Type: vector.Of(vector.BigInt), ID: posID, Names: []string{"pos"}},
	}, mapping.ByIDOrNames)
	path, _ := m.Column("file_path")
	pos, _ := m.Column("pos")
	return positionTable{m, path, pos}
}

// add adds the positions that a delete file has of a data file. It is sorted by the data files, so
// that statistics leave most of the others out.
func (t *positionTable) add(ctx context.Context, p *Pinned, f *manifest.File, path string, to *rowSet) error {
	of, err := t.names(path)
	if err != nil {
		return err
	}
	file := p.open(ctx, f)
	file.Mapping = t.mapping
	r := scan.Request{Columns: []scan.Projection{{Column: t.pos}, {Column: t.path}}, Filter: []expr.Expr{of}, Limit: -1, Budget: to.budget}
	return eachBatch(ctx, p, "position deletes", file, t.mapping, r, func(b *vector.Batch) error {
		v := b.Cols[0]
		for i := range b.Rows() {
			row := b.Row(i)
			if !sameFile(b.Cols[1].Get(row).Str, path) {
				continue
			}
			if v.IsNull(row) {
				return &errs.CorruptError{File: file.Path, RowGroup: -1, Offset: -1, Err: errors.New("a position is NULL")}
			}
			if err := to.add(v.Get(row).I64); err != nil {
				return err
			}
		}
		return nil
	})
}

// names is the condition that a row may be of a data file, whose path is spelled with or without its
// scheme.
func (t *positionTable) names(path string) (expr.Expr, error) {
	column := expr.NewColumn(t.path, "file_path", vector.Of(vector.Varchar))
	if path == bare(path) {
		suffix := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(path)
		return expr.NewLike(column, expr.NewConst(vector.StringScalar("%"+suffix)), expr.NewConst(vector.StringScalar(`\`)), false, false)
	}
	var list []expr.Expr
	for _, s := range spellings(path) {
		list = append(list, expr.NewConst(vector.StringScalar(s)))
	}
	return expr.NewIn(column, list, false)
}

// eachBatch reads a file as a table of one file. Damage of it is never skipped: rows would come back.
func eachBatch(ctx context.Context, p *Pinned, name string, f *files.File, m *mapping.Schema, r scan.Request, visit func(*vector.Batch) error) (err error) {
	read := p.of.options.Read
	if read == nil {
		return errors.New("nothing is there that reads delete files")
	}
	set := &files.Set{Table: scan.Table{Name: name, Columns: m.Columns()}, Files: []*files.File{f}, Scan: scan.Options{Pruning: p.of.options.Pruning}}
	s, err := read(set).Scan(ctx, r)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, s.Close()) }()
	rows := s.NewReader()
	defer func() { err = cmp.Or(err, rows.Close()) }()
	for {
		b, err := rows.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		if err := visit(b); err != nil {
			return err
		}
	}
}
