package column

import (
	"bytes"
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// maxContinued is the longest value that the next page may continue. Without a
// limit, many pages of a few bytes each could repeat a value of megabytes.
const maxContinued = 64 << 10

// continuation carries the last value of a DELTA_BYTE_ARRAY page over to the next
// page (see fileformat.FileMetaData.ContinuesPrefixes). Such a chunk is read page
// by page: a page whose rows are skipped is still decoded to its end.
type continuation struct {
	needed bool   // the chunk is of a writer that continues prefixes
	open   bool   // the decoder is in a page whose last value may be needed
	last   []byte // of the page before the current page
}

// continues reports whether later pages may need a page's last value.
func (c *continuation) continues(p *page.Page) bool {
	return c.needed && p.Encoding == fileformat.DeltaByteArray && p.NumValues > 0
}

// newContinuation decides whether the chunk needs it. A chunk with an offset index
// does not, even if its writer is unknown: the defect is older than offset indexes.
func newContinuation(c *fileformat.ColumnChunk, o *Options) continuation {
	return continuation{needed: isBytes(c.Leaf.Physical) && c.OffsetIndexOffset < 0 && o.Offset == nil && c.File().Meta.ContinuesPrefixes()}
}

// openContinued opens a page of which only the last value is needed. If the page
// is damaged, that value is unknown.
func (r *Reader) openContinued(p page.Page) error {
	err := r.open(p)
	r.page.active = false
	var stopped interruptError
	if err == nil || errors.As(err, &stopped) {
		return err
	}
	r.continued.open = false
	if located := r.pages.Locate(p.Offset, err); !errors.As(located, new(*errs.CorruptError)) {
		return err
	}
	return nil
}

// leaveContinued finds the last value of the page that was open before, decoding
// the rest of the page where it was not read. If the rest is damaged, the value is
// unknown: the next page is then damaged as well if it needs it.
func (r *Reader) leaveContinued() error {
	c := &r.continued
	if !c.open {
		c.last = nil
		return nil
	}
	c.open = false
	for done := false; !done; {
		var err error
		if c.last, done, err = r.values.last(skipAtOnce); err != nil {
			c.last = nil
			return nil
		}
		if err := r.options.interrupted(); err != nil {
			return err
		}
	}
	if len(c.last) > maxContinued {
		c.last = nil
	}
	c.last = bytes.Clone(c.last) // the page's memory may be used again
	return nil
}

// last is encoding.Continuer's Finish; other decoders have no last value.
func (v *typedValues[T]) last(n int) (value []byte, done bool, err error) {
	d, ok := v.decoder.(encoding.Continuer)
	if !ok {
		return nil, true, nil
	}
	return d.Finish(n)
}

// continueFrom sets the value before the page's first.
func (v *typedValues[T]) continueFrom(last []byte) {
	if d, ok := v.decoder.(encoding.Continuer); ok {
		d.Continue(last)
	}
}
