package page

import "github.com/parquetsql/parquetsql/fileformat"

// HintsAddUp reports whether the chunk has data pages of version 2 only and their
// num_rows together are the rows of the row group: then each is taken for right.
// It reads all headers of the chunk, the first time that it is called.
func (r *Reader) HintsAddUp() bool {
	if r.hints == hintsUnknown {
		r.hints = hintsWrong
		if r.addHints() == r.chunk.RowGroup.NumRows {
			r.hints = hintsRight
		}
	}
	return r.hints == hintsRight
}

// hints is what is known of the num_rows in a chunk's headers.
type hints uint8

const (
	hintsUnknown hints = iota
	hintsRight
	hintsWrong
)

// addHints is the sum of num_rows, or -1.
func (r *Reader) addHints() int64 {
	w := newWindow(r.options.Source, r.window.end, 0) // the other may hold a page in use
	defer w.close()
	rows, values := int64(0), int64(0)
	for at := r.start; at < w.end && values < r.chunk.Meta.NumValues; {
		p, err := r.header(&w, at, w.end)
		switch {
		case err != nil || p.Type == fileformat.DataPage || p.NumRows < 0:
			return -1
		case p.Type == fileformat.DataPageV2:
			rows += int64(p.NumRows)
			values += int64(p.NumValues)
		}
		at += p.Length()
	}
	return rows
}
