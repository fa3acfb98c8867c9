package column

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
)

var (
	errManyRows = errors.New("the page has more rows than the row group has left")
	errRecords  = errors.New("the page's number of rows is not that of its header or of the offset index")
)

// A batch of a repeated column has whole records only, and the format does not
// bound the length of a record: a few bytes of run-length encoded levels can
// stand for a record of two billion entries. A batch may always have freeEntries
// entries, and more in proportion to the bytes of the chunk.
const (
	freeEntries    = 1 << 24
	entriesPerByte = 1 << 10
)

// batchMark is a place in the batch to go back to.
type batchMark struct{ got, entries, nonNull int }

func (r *Reader) mark() batchMark {
	return batchMark{got: r.got, entries: len(r.levels.def), nonNull: r.nonNull}
}

// rollback drops what was added to the batch since the mark, including values that
// were decoded before an error.
func (r *Reader) rollback(to batchMark) {
	r.got, r.nonNull = to.got, to.nonNull
	r.levels.def = r.levels.def[:to.entries]
	r.levels.rep = r.levels.rep[:min(to.entries, len(r.levels.rep))]
	switch r.form {
	case formCodes:
		r.codes = r.codes[:to.nonNull]
	case formValues:
		r.values.truncate(to.nonNull)
	}
}

// records passes the next n records of a repeated column and returns how many it
// passed, fewer where memory is short. With keep it adds them to the batch. After an error the batch has only
// the records that are known to be complete.
func (r *Reader) records(n int64, keep bool) (done int64, err error) {
	r.whole = r.mark()
	for {
		if r.levels.blockEmpty() {
			var end bool
			if done, end, err = r.moreRecords(done, n); err == nil && end {
				return done, nil
			}
		}
		var entries int
		var started int64
		if err == nil {
			entries, started, err = r.scan(done, n, keep)
		}
		if err != nil {
			r.rollback(r.whole)
			return done, r.loseAt(err)
		}
		done += started
		r.page.started += started
		r.levels.blockAt += entries
		if !r.levels.blockEmpty() {
			return done, nil // at the beginning of record n+1
		}
	}
}

// scan passes those entries of the block that belong to the wanted records.
func (r *Reader) scan(done, n int64, keep bool) (entries int, started int64, err error) {
	entries, begin, err := r.span(done, n)
	if err != nil {
		return 0, 0, err
	}
	rep, def := r.levels.rest()
	present := []byte{uint8(r.leaf.MaxDef)}
	nonNull := bytes.Count(def[:entries], present)
	if !keep {
		r.page.unused += nonNull
		return entries, int64(begin), nil
	}
	before := r.mark()
	if err := r.takeEntries(entries, nonNull); err != nil {
		return 0, 0, err
	}
	r.got += begin
	if begin > 0 && entries == len(rep) {
		// The last record may continue in the next block, where an error can still
		// make it incomplete.
		last := bytes.LastIndexByte(rep[:entries], 0)
		nonNull -= bytes.Count(def[last:entries], present)
		r.whole = batchMark{r.got - 1, before.entries + last, before.nonNull + nonNull}
	}
	return entries, int64(begin), nil
}

// span returns how many entries of the block belong to the wanted records and how
// many records begin in these entries.
func (r *Reader) span(done, n int64) (entries, begin int, err error) {
	rep, _ := r.levels.rest()
	wanted, room := n-done, r.total-r.at-done
	entries, begin = zeroAfter(rep, int(min(wanted, room, blockSize)))
	if entries < len(rep) && room <= wanted {
		return 0, 0, errManyRows
	}
	return entries, begin, nil
}

// takeEntries adds the block's next entries to the batch.
func (r *Reader) takeEntries(n, nonNull int) error {
	have := int64(len(r.levels.def)) + int64(n)
	if have > freeEntries && have/entriesPerByte > r.chunk.Meta.TotalCompressedSize {
		return fmt.Errorf("%w: records of %d values in a chunk of %d bytes", errs.ErrMemoryLimit, have, r.chunk.Meta.TotalCompressedSize)
	}
	rep, def := r.levels.rest()
	r.levels.rep = append(r.levels.rep, rep[:n]...)
	r.levels.def = append(r.levels.def, def[:n]...)
	return r.take(nonNull, false)
}

// moreRecords decodes the next block of levels, from the next page if the current
// page has none left. It returns how many records are passed by then, which is more
// than done if whole pages were skipped. end says that record n is known to be
// complete.
func (r *Reader) moreRecords(done, n int64) (now int64, end bool, err error) {
	for r.levels.blockEmpty() { // a block may have only padding
		for r.page.left == 0 || !r.page.active {
			if done, end, err = r.nextRecords(done, n); end || err != nil {
				return done, end, err
			}
		}
		if err := r.options.interrupted(); err != nil {
			return done, false, err
		}
		if err := r.levels.fillBlock(&r.page); err != nil {
			return done, false, err
		}
	}
	inside := done > 0 && !r.page.Whole || r.page.started > 0
	if rep, _ := r.levels.rest(); rep[0] != 0 && !inside {
		return done, false, errFirstLevel
	}
	return done, false, nil
}

// nextRecords goes on to the next page.
func (r *Reader) nextRecords(done, n int64) (now int64, end bool, err error) {
	complete := r.page.active && r.page.Whole
	r.closePage()
	if complete {
		r.whole = r.mark()
		if done == n || r.got > 0 && r.crowded() {
			return done, true, nil
		}
	}
	if lost, err := r.nextPage(); err != nil {
		if done == n && r.at+done == r.total && errors.Is(err, page.ErrMissing) {
			return done, true, nil
		}
		return done, false, pageError{lost, err}
	}
	return max(done, r.page.First-r.at), false, nil
}

// closePage ends a page of a repeated column. The number of its rows is known now.
func (r *Reader) closePage() {
	p := &r.page
	if !p.active || r.leaf.MaxRep == 0 {
		return
	}
	p.active = false
	if p.Rows < 0 {
		p.Rows = p.started
		r.pages.Pass(&p.Page)
	}
}

// checkRecords compares the number of records that begin in a page with the offset
// index before a row of the page is handed out. Without an index, that number is
// the number of the page's rows if the page begins and ends with a record.
func (r *Reader) checkRecords() error {
	p := &r.page
	if r.leaf.MaxRep == 0 || p.Rows < 0 && !p.Whole {
		return nil
	}
	begin, err := countRecords(p.rep, p.left, false)
	switch {
	case err != nil:
		return err
	case p.Rows >= 0 && begin != p.Rows:
		return errRecords
	case p.Rows >= 0:
		return nil
	}
	p.Rows, err = r.believe(&p.Page, begin)
	return err
}

// believe decides how many rows a page has in which begin records begin, without an
// offset index. Many writers put another number into the header. But if the sum of
// the headers' numbers is right and that of the levels is not, a page that disagrees
// with its header is damaged.
func (r *Reader) believe(p *page.Page, begin int64) (int64, error) {
	if begin != int64(p.NumRows) && r.pages.HintsAddUp() && !r.checkedHints().addUp {
		return -1, errRecords
	}
	if begin > r.total-p.First {
		return -1, errManyRows
	}
	return begin, nil
}

// countRows counts the records of a page of version 2.
func (r *Reader) countRows(p *page.Page) error {
	begin, err := recordsOf(r.chunk, r.pages, p)
	if err != nil {
		return fmt.Errorf("repetition levels: %w", err)
	}
	p.Rows, err = r.believe(p, begin)
	return err
}

// countRecords counts the records that begin in a page of n entries. The page must
// begin with a record unless goesOn is set, which says that its first entries may
// belong to the record before.
//
// A page with fewer repetition levels than entries is an error, as in
// ARROW-RS-GH-6229-LEVELS.parquet of parquet-testing's bad_data. DuckDB reads that
// file, but nothing in the file says to which records the entries without a level
// belong: any answer is a guess and may be a wrong row.
func countRecords(levels encoding.Levels, n int, goesOn bool) (int64, error) {
	var first [1]uint8
	all := levels
	if err := decodeLevels(&levels, first[:]); err != nil {
		return 0, err
	}
	if first[0] != 0 && !goesOn {
		return 0, errFirstLevel
	}
	begin, err := all.CountZeros(n)
	return int64(begin), err
}
