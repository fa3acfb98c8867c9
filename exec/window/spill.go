package window

import (
	"github.com/parquetsql/parquetsql/exec/rowstore"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/vector"
)

// A large partition may exceed the memory limit. The columns that no evaluator reads are
// needed only when a batch is returned, so they go to disk, in blocks of one batch.
// What evaluators read must fit.

// storeRows is how many rows wait for being written.
const storeRows = 4 * vector.BatchSize

// spill moves columns to disk, those of further rows too. It returns false if there is
// nothing to move.
func (s *section) spill() (bool, error) {
	if s.onDisk || s.n == 0 || len(s.onlyReturned()) == 0 {
		return false, nil
	}
	s.onDisk = true
	return true, s.store()
}

// onlyReturned are the columns that no evaluator reads.
func (s *section) onlyReturned() (out []int) {
	for c := range s.plan.input {
		if !s.plan.resident[c] {
			out = append(out, c)
		}
	}
	return out
}

// store writes full blocks, and the last one when all rows are there.
func (s *section) store() error {
	complete := len(s.parts) > 0 && int(s.parts[len(s.parts)-1]) == s.n
	first, view := s.stored, &vector.Vector{}
	for s.stored < s.n {
		n := min(vector.BatchSize, s.n-s.stored)
		if n < vector.BatchSize && !complete {
			break
		}
		s.block = spill.Begin(s.block, n)
		for _, c := range s.onlyReturned() {
			view.Slice(s.vec(c), s.stored-first, n)
			s.block = spill.AppendColumn(s.block, view)
		}
		block, err := s.file.Append(s.block)
		if err != nil {
			return err
		}
		s.blocks = append(s.blocks, block)
		s.stored += n
	}
	for _, c := range s.onlyReturned() {
		rest := rowstore.NewColumn(s.plan.types[c])
		rest.Share = true
		view.Slice(s.vec(c), s.stored-first, s.n-s.stored)
		if err := rest.Append(view, nil); err != nil {
			return err
		}
		s.cols[c] = rest
	}
	return nil
}

// input makes the input's columns of n rows, from the given one on.
func (s *section) input(from, n int, out []*vector.Vector) error {
	if !s.onDisk {
		for c := range out {
			out[c].Slice(s.vec(c), from, n)
		}
		return nil
	}
	data, err := s.file.Read(nil, s.blocks[from/vector.BatchSize])
	if err != nil {
		return err
	}
	r, rows, err := spill.Open(data)
	if err != nil {
		return err
	}
	for c := range out {
		if s.plan.resident[c] {
			out[c].Slice(s.vec(c), from, n)
			continue
		}
		out[c] = &vector.Vector{} // the old one may be a view of a section
		if err := r.Column(out[c], s.plan.types[c], rows); err != nil {
			return err
		}
	}
	return nil
}
