package log

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/deletion"
	"github.com/parquetsql/parquetsql/scan/delta/action"
)

// Deleted reads the deletion vector of a file: the numbers of the rows that are not in the table.
// It is nil where the file has none.
func (t *Table) Deleted(ctx context.Context, f *action.File) (*deletion.Set, error) {
	d := f.Deletion
	if d == nil || d.Rows == 0 {
		return nil, nil
	}
	file, data, err := t.vector(ctx, d)
	var set *deletion.Set
	if err == nil {
		set, err = deletion.Decode(data)
	}
	if err == nil && set.Len() != d.Rows {
		err = fmt.Errorf("it deletes %d rows, the log says %d", set.Len(), d.Rows)
	}
	var corrupt *errs.CorruptError
	switch {
	case err == nil:
		return set, nil
	case errors.Is(err, errs.ErrUnsupported), errors.As(err, &corrupt), ctx.Err() != nil, errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the deletion vector: %w", err)
	}
	return nil, fmt.Errorf("the deletion vector: %w", &errs.CorruptError{File: file, RowGroup: -1, Offset: max(-1, d.Offset), Err: err})
}

// vector is the bytes of a vector, and the file that has them.
func (t *Table) vector(ctx context.Context, d *action.Deletion) (file string, data []byte, err error) {
	switch d.Storage {
	case "i":
		data, err = deletion.FromInline(d.PathOrInline, d.Size)
		return Folder, data, err
	case "u", "p":
	default:
		return Folder, nil, errs.Unsupported("storage type %q of deletion vectors", d.Storage)
	}
	at, err := t.vectorAt(d)
	if err != nil {
		return "", nil, err
	}
	e, err := at.Store.Stat(ctx, at.Name)
	if err != nil {
		return at.Name, nil, fmt.Errorf("file %q: %w", at.Name, err)
	}
	offset := max(0, d.Offset)
	from, n := deletion.FileRange(offset, d.Size)
	if d.Size < 0 || d.Size > e.Size || from > e.Size-n {
		return at.Name, nil, fmt.Errorf("it has %d bytes from %d on, the file has %d", d.Size, offset, e.Size)
	}
	f := at.Store.Open(e)
	defer f.Close()
	data = make([]byte, n)
	if got, err := f.ReadAt(ctx, data, from); got < len(data) {
		return at.Name, nil, cmp.Or(err, io.ErrUnexpectedEOF)
	}
	data, err = deletion.FromFile(data, offset, d.Size)
	return at.Name, data, err
}
