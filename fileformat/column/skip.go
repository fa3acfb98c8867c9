package column

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// nextPage opens the next page that has a row from r.row on and passes the pages
// before it. With an error it returns the page that is lost.
func (r *Reader) nextPage() (lost page.Page, err error) {
	if !r.dict.tried && r.pages.DictionaryFirst() {
		r.lookForDictionary() // in the order of the file
	}
	if r.options.WholePages {
		if lost, err := r.pages.CheckCounts(); err != nil {
			return lost, err
		}
	}
	r.stats.PagesSkipped += r.pages.Jump(r.row)
	for {
		p, err := r.pages.Find()
		if err == nil && p.Type == fileformat.DictionaryPage {
			if err = r.metDictionary(&p); err == nil {
				r.pages.Pass(&p)
				continue
			}
			p = page.Page{Offset: p.Offset, First: r.pages.Row(), Rows: -1}
		}
		if err != nil {
			if r.pages.Indexed() {
				r.pages.Pass(&p)
			}
			return p, err
		}
		if p.Rows < 0 && p.Whole && p.First < r.row {
			if err := r.countRows(&p); err != nil {
				p, err = r.loseRows(p, err)
				if p.Rows < 0 || p.First+p.Rows > r.row {
					return p, err
				}
				r.stats.PagesSkipped++
				continue
			}
		}
		if p.Rows == 0 || p.Rows > 0 && p.First+p.Rows <= r.row {
			r.pages.Pass(&p)
			if r.continued.continues(&p) {
				if err := r.openContinued(p); err != nil {
					return p, err
				}
			}
			r.stats.PagesSkipped++
			continue
		}
		if p.Rows > 0 {
			r.pages.Pass(&p)
		}
		r.levels.dropBlock()
		if err := r.open(p); err != nil {
			if p.Rows > 0 {
				return p, err
			}
			return r.loseRows(r.page.Page, err)
		}
		if p.Rows < 0 && r.page.Rows > 0 {
			r.pages.Pass(&r.page.Page)
		}
		r.stats.PagesDecoded++
		return page.Page{}, nil
	}
}

// loseRows gives up a page whose number of rows is in no header and no index. If the
// number can still be found, reading continues after the page.
func (r *Reader) loseRows(p page.Page, err error) (page.Page, error) {
	r.continued.open = false
	if p.Rows < 0 && p.Whole && r.hintsAgree() {
		p.Rows = int64(p.NumRows)
	}
	if p.Rows > 0 {
		r.pages.Pass(&p)
	}
	return p, err
}

// advance does the work that Skip delayed: it moves decoding forward to r.row.
func (r *Reader) advance() error {
	if r.damage != nil {
		if r.row < r.damage.EndRow || !r.returned && r.row == r.damage.EndRow {
			r.returned = true
			return &DamageError{Err: r.damage.Err, FirstRow: r.row, EndRow: r.damage.EndRow}
		}
		r.page.active = false
		r.levels.dropBlock()
		r.at, r.damage = r.damage.EndRow, nil
	}
	for r.at < r.row {
		p := &r.page
		if !p.active || p.Rows >= 0 && p.First+p.Rows <= r.row {
			p.active = false
			r.levels.dropBlock()
			if lost, err := r.nextPage(); err != nil {
				return r.lose(&lost, err)
			}
			r.at = p.First
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
			return r.lose(&p.Page, err)
		}
		r.at = r.row
	}
	return nil
}

// skipFlat passes the page's next n rows.
func (r *Reader) skipFlat(n int) (err error) {
	for n > 0 {
		k := min(n, skipAtOnce)
		nonNull := k
		if r.leaf.MaxDef > 0 {
			if nonNull, err = r.levels.skipDef(&r.page.def, k); err != nil {
				return err
			}
			if err := r.options.interrupted(); err != nil {
				return err
			}
		}
		r.page.left -= k
		r.page.unused += nonNull
		n -= k
	}
	return nil
}

// pageError says which page an error is about if it is not the current page.
type pageError struct {
	page page.Page
	err  error
}

func (e pageError) Error() string { return e.err.Error() }
func (e pageError) Unwrap() error { return e.err }

// loseAt is lose for the page that err names, or else for the current page.
func (r *Reader) loseAt(err error) error {
	var at pageError
	if errors.As(err, &at) {
		return r.lose(&at.page, at.err)
	}
	return r.lose(&r.page.Page, err)
}

// lose gives up a page, or the rest of the chunk if the start of the next page is
// unknown, by the format's rules ("Error recovery").
func (r *Reader) lose(p *page.Page, err error) error {
	r.page.active, r.continued.open = false, false
	r.levels.dropBlock()
	var stopped interruptError
	if errors.As(err, &stopped) {
		r.err = stopped.err
		return r.err
	}
	located := r.pages.Locate(p.Offset, err)
	corrupt, ok := located.(*errs.CorruptError)
	if !ok {
		r.err = located
		return located
	}
	end := p.End(r.total)
	if r.options.WholePages && !r.pages.Indexed() && r.leaf.MaxRep == 0 && !r.pages.CountsAddUp() {
		end = r.total // the damage may be in the page's num_values
	}
	r.returned = r.got == 0
	r.damage = &DamageError{Err: corrupt, FirstRow: r.row + int64(r.got-r.settled), EndRow: end}
	return r.damage
}
