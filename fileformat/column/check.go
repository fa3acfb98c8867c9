package column

import (
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
)

// checkWhole decodes the page that was just opened to its end and then resets its
// decoders to its beginning; values is its values section. Any error in the page is
// found here ("Error recovery": if the data within a page is corrupt, that page is
// lost), so that the lost rows do not depend on how many rows are read at a time.
func (r *Reader) checkWhole(values []byte) error {
	p := &r.page
	if err := r.checkFirst(); err != nil {
		return err
	}
	if err := r.checkContinued(); err != nil {
		return err
	}
	present, err := r.countValues()
	if err != nil || present == 0 {
		return err
	}
	if !p.coded {
		if err := r.values.check(present, r.options.Check); err != nil {
			return err
		}
		return r.openValues(values)
	}
	if err := r.checkDictionary(); err != nil {
		return err
	}
	return r.checkCodes(p.codes, present)
}

// checkDictionary checks the dictionary that a page needs.
func (r *Reader) checkDictionary() error {
	if err := r.needDictionary(); err != nil {
		return err
	}
	d := &r.dict
	if !d.checked && r.options.Check != nil {
		if err := r.options.Check(&d.page.Values, d.page.Len); err != nil {
			d.wrong = fmt.Errorf("dictionary page: %w", err)
		}
	}
	d.checked = true
	return d.wrong
}

// checkFirst is checkRecords for a page with an unknown number of records: its first
// entry may then belong to the record before.
func (r *Reader) checkFirst() error {
	p := &r.page
	if r.leaf.MaxRep == 0 || p.Rows >= 0 {
		return nil
	}
	begin, err := countRecords(p.rep, p.left, p.First > 0)
	if err == nil && begin > r.total-p.First {
		err = errManyRows
	}
	return err
}

// checkContinued decodes the page's levels, which checks that entries continue
// lists that have elements.
func (r *Reader) checkContinued() error {
	if r.leaf.MaxRep == 0 {
		return nil
	}
	defer r.levels.dropBlock()
	for page := r.page; page.left > 0; {
		if err := r.levels.fillBlock(&page); err != nil {
			return err
		}
	}
	return nil
}

// countValues decodes the page's definition levels and returns how many entries have
// a value.
func (r *Reader) countValues() (int, error) {
	if r.leaf.MaxDef == 0 {
		return r.page.left, nil
	}
	levels := r.page.def
	return r.levels.skipDef(&levels, r.page.left)
}

// checkCodes decodes n dictionary codes.
func (r *Reader) checkCodes(codes encoding.Indices, n int) error {
	have := len(r.codes) // the batch may have codes of earlier pages
	defer func() { r.codes = r.codes[:have] }()
	r.codes = grown(r.codes, min(n, valuesAtOnce))
	for n > 0 {
		dst := r.codes[have:][:min(n, valuesAtOnce)]
		k, err := codes.Decode(dst)
		if err != nil {
			return err
		}
		if k < len(dst) {
			return errFewValues
		}
		n -= k
	}
	return nil
}
