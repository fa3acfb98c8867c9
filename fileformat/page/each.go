package page

import (
	"io"

	"github.com/parquetsql/parquetsql/fileformat"
)

// Each calls visit with every page of the chunk, in the order of the file,
// dictionary pages and pages of unknown types included, until visit returns an
// error, which Each then returns. It reads the headers only. A Page is valid
// during the call and has neither First nor Rows.
func Each(c *fileformat.ColumnChunk, source io.ReaderAt, visit func(*Page) error) error {
	r, err := NewReader(c, Options{Source: source})
	if err != nil {
		return err
	}
	defer r.Close()
	r.window = newWindow(source, r.window.end, 0, account{})
	// After the last value there may be padding (see ColumnChunk.Range).
	for r.next < r.window.end && r.values < c.Meta.NumValues {
		p, err := r.header(&r.window, r.next, r.window.end, r.ordinal)
		if err != nil {
			return r.Locate(r.next, err)
		}
		r.next += p.Length()
		if p.Type == fileformat.DataPage || p.Type == fileformat.DataPageV2 {
			p.Ordinal = r.ordinal
			r.ordinal++
			r.values += int64(p.NumValues)
		}
		if err := visit(&p); err != nil {
			return err
		}
	}
	return nil
}
