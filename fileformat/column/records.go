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
	errRecords  = errors.New("the page has not as many rows as its header or the offset index says")
)

// A batch of a repeated column has whole records only, yet a record's length is
// not bounded by anything in the format: a few bytes of run-length encoded
// levels can make one of two billion entries. So many are always all right, and
// more where the chunk has bytes to show for them.
const (
	freeEntries    = 1 << 24
	entriesPerByte = 1 << 10
)

// batchMark is a place in the batch to go back to.
type batchMark struct{ got, entries, nonNull int }

func (r *Reader) mark() batchMark {
	return batchMark{got: r.got, entries: len(r.levels.def), nonNull: r.nonNull}
}

// rollback drops what was added since. Values that were decoded before an error
// count as added.
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

// records goes over the next n records of a repeated column, which adds them to
// the batch where keep is set, and says how many it went over. An error leaves
// the batch with the records that are surely whole.
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

// scan takes those entries of the block that belong to the records wanted.
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
		// The last record may go on in the next block, and so may be lost yet.
		last := bytes.LastIndexByte(rep[:entries], 0)
		nonNull -= bytes.Count(def[last:entries], present)
		r.whole = batchMark{r.got - 1, before.entries + last, before.nonNull + nonNull}
	}
	return entries, int64(begin), nil
}

// span finds how many entries of the block belong to the records wanted and how
// many records begin there.
func (r *Reader) span(done, n int64) (entries, begin int, err error) {
	rep, _ := r.levels.rest()
	wanted, room := n-done, r.total-r.at-done
	entries, begin = zeroBehind(rep, int(min(wanted, room, blockSize)))
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

// moreRecords decodes the next block of levels, from the next page where this
// one is used up, and says how many records were gone over by then: pages that
// only have records to be skipped are left out. end is true where record n is
// known to be complete.
func (r *Reader) moreRecords(done, n int64) (now int64, end bool, err error) {
	for r.levels.blockEmpty() { // padding may be all that a block has
		for r.page.left == 0 || !r.page.active {
			if done, end, err = r.nextRecords(done, n); end || err != nil {
				return done, end, err
			}
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
		if done == n {
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

// closePage ends a page of a repeated column, whose rows are known now.
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

// checkRecords compares the number of records that begin in a page with what the
// offset index says, before a row of it is handed out. Without an index it is the
// number of the page's rows, if the page begins and ends with a record.
func (r *Reader) checkRecords() error {
	p := &r.page
	if r.leaf.MaxRep == 0 || p.Rows < 0 && !p.Whole {
		return nil
	}
	begin, err := r.countRecords(p.rep, p.left, false)
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

// believe decides how many rows a page has that has begin records, without an
// offset index. The header has another number in files of many writers; but where
// the headers' numbers together are right, it is the page that is damaged.
func (r *Reader) believe(p *page.Page, begin int64) (int64, error) {
	if begin != int64(p.NumRows) && r.pages.HintsAddUp() {
		return -1, errRecords
	}
	if begin > r.total-p.First {
		return -1, errManyRows
	}
	return begin, nil
}

// countRows counts the records of a page of version 2, whose repetition levels are
// not compressed.
func (r *Reader) countRows(p *page.Page) error {
	body, err := r.pages.Body(p)
	if err != nil {
		return err
	}
	var levels encoding.Levels
	if err := levels.Reset(body[:p.RepLength], uint8(r.leaf.MaxRep), int(p.NumValues)); err != nil {
		return fmt.Errorf("repetition levels: %w", err)
	}
	begin, err := r.countRecords(levels, int(p.NumValues), false)
	if err != nil {
		return err
	}
	p.Rows, err = r.believe(p, begin)
	return err
}

// countRecords is how many records begin in a page of n entries. Unless it may go
// on with the record before, it has to begin with one.
func (r *Reader) countRecords(levels encoding.Levels, n int, goesOn bool) (int64, error) {
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
