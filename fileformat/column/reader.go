package column

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/listlevels"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Reader reads one column chunk from its first row to its last. It is for
// one goroutine at a time.
//
// Its parts: page.Reader finds pages and has their bytes, dataPage has the decoders
// of the current page, collector and levels collect a batch. Two positions are kept:
// row is the next row to deliver, and at is the row that decoding has reached. They
// differ between a Skip and the next Read. Both are already past the settled rows of
// the current batch: a batch of selected rows is collected run by run.
type Reader struct {
	chunk   *fileformat.ColumnChunk
	leaf    *fileformat.Node
	options Options
	total   int64 // rows of the row group

	pages *page.Reader
	page  dataPage
	dict  chunkDictionary

	continued continuation

	row, at int64
	batch   Batch
	values  collector
	levels  levels
	codes   []int32
	form    batchForm
	nonNull int // values in the batch
	got     int // rows in the batch
	settled int // how many of them row and at have passed
	whole   batchMark
	hints   hints
	bare    bool // see OnlyLevels

	damage   *DamageError // Read returns it until Skip has passed it
	returned bool         // Read has returned it; it does so at least once
	err      error        // permanent: every Read returns it
	stats    Stats
}

// batchForm is what the batch's values are in.
type batchForm uint8

const (
	formNone batchForm = iota // no values yet
	formCodes
	formValues
)

// NewReader starts to read a chunk. It checks the chunk's metadata and reads
// nothing.
func NewReader(c *fileformat.ColumnChunk, o Options) (*Reader, error) {
	pages, err := page.NewReader(c, page.Options{Source: o.Source, Offset: o.Offset, Reserve: o.Reserve, Release: o.Release, LentDictionary: o.LentDictionary, MostExpanded: o.MostExpanded, Interrupt: o.interrupted, ShortPieces: o.ShortPieces})
	if err != nil {
		return nil, err
	}
	r := &Reader{pages: pages, chunk: c, leaf: c.Leaf, options: o, total: c.RowGroup.NumRows, continued: newContinuation(c, &o)}
	r.takeMemory()
	switch {
	case r.values == nil:
		return nil, c.Corrupt(-1, fmt.Errorf("physical type %v", c.Leaf.Physical))
	case c.Leaf.MaxDef > 255 || c.Leaf.MaxRep > 255:
		return nil, errs.Unsupported("column %q is nested more than 255 deep", c.Leaf.Dotted())
	}
	if c.Leaf.MaxRep > 0 {
		r.levels.lists = listlevels.New(c.Leaf, c.File().Meta.Writer)
	}
	return r, nil
}

// OnlyLevels says, before the first row is read, that batches need only levels: NonNull is 0 then.
// Pages of version 2 are not decompressed. It has no effect where the values are checked,
// with WholePages or by decrypting them.
func (r *Reader) OnlyLevels() {
	r.bare = r.options.Levels && !r.options.WholePages && r.chunk.Cipher() == nil
	r.continued.needed = r.continued.needed && !r.bare
}

// Row is the next row, within the row group.
func (r *Reader) Row() int64 { return r.row }

// Stats counts what the reader did so far.
func (r *Reader) Stats() Stats { return r.stats }

// Keep makes the strings of the last batch, and those of the dictionary, stay valid although
// they are lent.
func (r *Reader) Keep() {
	if r.values != nil {
		r.values.keep()
		r.pages.KeepLent()
		if d := r.dict.page; d != nil {
			d.Keep()
		}
	}
}

// Close releases the reader's buffers. Batches are no longer valid.
func (r *Reader) Close() {
	if r.values != nil {
		r.values.begin(true)
	}
	if r.pages != nil {
		r.endDictionary()
		r.pages.Close()
		r.leaveMemory()
	}
	*r = Reader{chunk: r.chunk, leaf: r.leaf, row: r.row, at: r.at, total: r.total, stats: r.stats, err: errClosed}
}

var errClosed = errors.New("the column reader is closed")

// Read delivers the next min(rows, rows left) rows. Before a damaged part, and where memory
// is short, it may deliver fewer, but at least one. It delivers none only at the end.
func (r *Reader) Read(rows int) (*Batch, error) {
	if r.err != nil {
		return nil, r.err
	}
	n := int(min(int64(max(rows, 0)), r.total-r.row))
	r.begin()
	if n > 0 {
		if err := r.add(n, true); err != nil && (r.got == 0 || r.err != nil) {
			return nil, err
		}
	}
	return r.finish(), nil
}

// add adds the next n rows to the batch; alone says that the batch gets no others.
// After an error, the rows before it are in the batch and settled.
func (r *Reader) add(n int, alone bool) error {
	err := r.advance()
	switch {
	case err != nil:
	case r.leaf.MaxRep > 0:
		_, err = r.records(int64(n), true)
	default:
		err = r.fillFlat(n, alone)
	}
	added := int64(r.got - r.settled)
	r.row, r.at, r.settled = r.row+added, r.at+added, r.got
	return err
}

// Skip passes rows. Pages with only skipped rows are neither decompressed nor decoded
// if their number of rows is known, and not read at all if there is an offset index.
// The work is done by the next Read; a Skip without a later Read costs nothing.
func (r *Reader) Skip(rows int64) error {
	switch {
	case r.err != nil:
		return r.err
	case rows < 0 || rows > r.total-r.row:
		return fmt.Errorf("cannot skip %d rows of column %q: %d are left", rows, r.leaf.Dotted(), r.total-r.row)
	}
	r.row += rows
	return nil
}

func (r *Reader) begin() {
	forget := r.crowded()
	r.pages.Free(r.page.active && (r.page.left > 0 || r.leaf.MaxRep > 0) || r.continued.open)
	r.got, r.settled, r.nonNull, r.form = 0, 0, 0, formNone
	r.codes = r.codes[:0]
	r.values.begin(forget)
	r.levels.begin()
}

// finish hands the batch out.
func (r *Reader) finish() *Batch {
	b := &r.batch
	*b = Batch{Rows: r.got, Count: r.got, NonNull: r.nonNull}
	if r.leaf.MaxRep > 0 {
		b.Count = len(r.levels.rep)
		b.Rep = r.levels.rep
	}
	b.Nulls = b.Count - b.NonNull
	switch {
	case r.leaf.MaxDef == 0:
	case r.leaf.MaxRep > 0 || r.options.Levels:
		b.Def = r.levels.def
	case b.Nulls > 0:
		b.Valid = r.levels.validity(r.got)
	}
	if r.form == formCodes {
		b.Dict, b.Codes = r.dict.page, r.codes
	} else {
		r.values.publish(&b.Values)
	}
	return b
}

// fillFlat adds n rows of a column that is not repeated.
func (r *Reader) fillFlat(n int, alone bool) error {
	for to := r.got + n; r.got < to; {
		over := !r.page.active || r.page.left == 0
		if (over || r.page.step < n) && r.crowded() {
			return nil
		} else if over {
			if lost, err := r.nextPage(); err != nil {
				return r.lose(&lost, err)
			}
		}
		k := min(to-r.got, r.page.left, r.page.step)
		before := r.mark()
		if err := r.flat(k, alone && k == n); err != nil {
			r.rollback(before)
			return r.lose(&r.page.Page, err)
		}
		r.got += k
	}
	return nil
}

// crowded reports whether the batch should have no other page.
func (r *Reader) crowded() bool {
	return r.options.Crowded != nil && r.nonNull > 0 && r.form == formValues && isBytes(r.leaf.Physical) && r.options.Crowded()
}

// flat adds the page's next n rows; whole says that they are the whole batch.
func (r *Reader) flat(n int, whole bool) (err error) {
	nonNull := n
	switch {
	case r.leaf.MaxDef == 0:
	case r.options.Levels:
		dst := r.levels.growDef(n)
		if err := decodeLevels(&r.page.def, dst); err != nil {
			return err
		}
		nonNull = bytes.Count(dst, []byte{uint8(r.leaf.MaxDef)})
	default:
		r.levels.growValid(r.got + n)
		if nonNull, err = r.page.def.DecodeValidity(r.levels.valid, r.got, n); err != nil {
			return err
		}
	}
	r.page.left -= n
	return r.take(nonNull, whole)
}

// take adds the page's next n values; whole says that they are all values of the
// batch. A batch has codes only if all its pages have codes.
func (r *Reader) take(n int, whole bool) error {
	if n == 0 || r.bare {
		return nil
	}
	if r.page.coded {
		if err := r.needDictionary(); err != nil {
			return err
		}
	}
	if err := r.passUnused(); err != nil {
		return err
	}
	switch {
	case r.page.coded && r.form != formValues && !r.options.NoDictionaryCodes:
		have := len(r.codes)
		r.codes, r.form = grown(r.codes, n), formCodes
		if err := r.decodeCodes(r.codes[have:]); err != nil {
			return err
		}
	case r.page.coded:
		r.form = formValues
		if err := r.takeCoded(n); err != nil {
			return err
		}
	default:
		if r.form == formCodes {
			r.values.gather(r.dict.page, r.codes)
			r.codes = r.codes[:0]
		}
		r.form = formValues
		add := r.values.decode
		if whole {
			add = r.values.view
		}
		if err := add(n); err != nil {
			return err
		}
	}
	r.nonNull += n
	return nil
}

// valuesAtOnce is how many codes are looked up, or values are checked, at once: few
// enough to stay in the cache.
const valuesAtOnce = 2048

// takeCoded adds the values of the page's next n codes.
func (r *Reader) takeCoded(n int) error {
	r.codes = grown(r.codes[:0], min(n, valuesAtOnce))
	for n > 0 {
		codes := r.codes[:min(n, valuesAtOnce)]
		if err := r.decodeCodes(codes); err != nil {
			return err
		}
		r.values.gather(r.dict.page, codes)
		n -= len(codes)
	}
	r.codes = r.codes[:0]
	return nil
}

func (r *Reader) decodeCodes(dst []int32) error {
	k, err := r.page.codes.Decode(dst)
	if err == nil && k < len(dst) {
		err = errFewValues
	}
	return err
}

// passUnused passes the values of rows that were skipped. This is delayed until a
// value of the page is needed, because often none is.
func (r *Reader) passUnused() error {
	n := r.page.unused
	if n == 0 {
		return nil
	}
	r.page.unused = 0
	r.pages.Skipping(true)
	defer r.pages.Skipping(false)
	for n > 0 {
		k := min(n, skipAtOnce)
		if err := r.skipValues(k); err != nil {
			return err
		}
		if err := r.options.interrupted(); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

func (r *Reader) skipValues(n int) error {
	if !r.page.coded {
		return r.values.skip(n)
	}
	k, err := r.page.codes.Skip(n)
	if err == nil && k < n {
		err = errFewValues
	}
	return err
}

func (o *Options) interrupted() error {
	if o.Interrupt == nil {
		return nil
	}
	if err := o.Interrupt(); err != nil {
		return interruptError{err}
	}
	return nil
}

// interruptError is an error of Interrupt, not damage of the file.
type interruptError struct{ err error }

func (e interruptError) Error() string { return e.err.Error() }
func (e interruptError) Unwrap() error { return e.err }
