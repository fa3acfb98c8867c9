package fileformat

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// nextPage opens the next page that has a row from r.row on and passes over
// those before. With an error it gives the page that is lost.
func (r *LeafReader) nextPage() (lost pageRef, err error) {
	w := &r.walk
	if w.index != nil {
		if !r.dict.tried && w.ordinal == 0 && len(w.index.Pages) > 0 && w.index.Pages[0].Offset > w.start {
			r.lookForDictionary() // in the order in which it lies in the file
		}
		r.stats.PagesSkipped += w.jump(r.row)
	}
	for {
		p, err := w.find()
		if err == nil && p.Type == DictionaryPage {
			if err = r.metDictionary(&p); err == nil {
				w.pass(&p)
				continue
			}
			p = pageRef{offset: p.offset, first: w.row, rows: -1}
		}
		if err != nil {
			if w.index != nil {
				w.pass(&p)
			}
			return p, err
		}
		if p.rows == 0 || p.rows > 0 && p.first+p.rows <= r.row {
			w.pass(&p)
			r.stats.PagesSkipped++
			continue
		}
		if p.rows > 0 {
			w.pass(&p)
		}
		r.levels.dropBlock()
		if err := r.open(p); err != nil {
			if errors.Is(err, errRecords) && w.index == nil {
				p.rows = -1 // where the next page's rows begin, nothing says
			}
			return p, err
		}
		r.stats.PagesDecoded++
		return pageRef{}, nil
	}
}

// advance makes up for what Skip put off: it moves decoding on to r.row.
func (r *LeafReader) advance() error {
	if r.damage != nil {
		if r.row < r.damage.EndRow || !r.told && r.row == r.damage.EndRow {
			r.told = true
			return &DamageError{Err: r.damage.Err, FirstRow: r.row, EndRow: r.damage.EndRow}
		}
		r.page.active = false
		r.levels.dropBlock()
		r.at, r.damage = r.damage.EndRow, nil
	}
	for r.at < r.row {
		p := &r.page
		if !p.active || p.rows >= 0 && p.first+p.rows <= r.row {
			p.active = false
			r.levels.dropBlock()
			if lost, err := r.nextPage(); err != nil {
				return r.lose(&lost, err)
			}
			r.at = p.first
			continue
		}
		if r.leaf.MaxRep > 0 {
			n, err := r.records(r.row-r.at, false)
			r.at += n
			if err != nil {
				return err
			}
			continue
		}
		if err := r.skipFlat(int(r.row - r.at)); err != nil {
			return r.lose(&p.pageRef, err)
		}
		r.at = r.row
	}
	return nil
}

// skipFlat passes over the page's next n rows.
func (r *LeafReader) skipFlat(n int) (err error) {
	nonNull := n
	if r.leaf.MaxDef > 0 {
		if nonNull, err = r.levels.skipDef(&r.page.def, n); err != nil {
			return err
		}
	}
	r.page.left -= n
	r.page.unused += nonNull
	return nil
}

// pageError says which page an error is about, where it is not the page at hand.
type pageError struct {
	page pageRef
	err  error
}

func (e pageError) Error() string { return e.err.Error() }
func (e pageError) Unwrap() error { return e.err }

// loseAt is lose for the page that err names, or else for the page at hand.
func (r *LeafReader) loseAt(err error) error {
	var at pageError
	if errors.As(err, &at) {
		return r.lose(&at.page, at.err)
	}
	return r.lose(&r.page.pageRef, err)
}

// lose gives up a page, or the rest of the chunk where it cannot be known where
// the next one starts, by the format's rules ("Error recovery").
func (r *LeafReader) lose(p *pageRef, err error) error {
	r.page.active = false
	r.levels.dropBlock()
	located := r.locate(p.offset, err)
	corrupt, ok := located.(*errs.CorruptError)
	if !ok {
		r.err = located
		return located
	}
	r.told = r.got == 0
	r.damage = &DamageError{Err: corrupt, FirstRow: r.row + int64(r.got-r.settled), EndRow: p.end(r.total)}
	return r.damage
}

// locate says where an error is. What the source failed at, and what is valid
// but cannot be read, is not the file's fault.
func (r *LeafReader) locate(offset int64, err error) error {
	var read readError
	var refused reserveError
	if errors.As(err, &read) || errors.As(err, &refused) || errors.Is(err, errs.ErrUnsupported) || errors.Is(err, errs.ErrMemoryLimit) {
		return fmt.Errorf("parquet: file %q, row group %d, column %q, page at %d: %w",
			r.chunk.file.options.Name, r.chunk.RowGroup.Index, r.leaf.Dotted(), offset, err)
	}
	return r.chunk.corrupt(offset, err)
}
