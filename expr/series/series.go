// Package series makes the values of range() and generate_series().
package series

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Series makes the values of range(from, to, step) and generate_series one after
// another: whole numbers, or timestamps with an INTERVAL as the step. A timestamp is
// the one before it plus the step, as in DuckDB: the months after January 31st begin
// with February 29th and March 29th.
type Series struct {
	t         vector.Type // BIGINT, TIMESTAMP or TIMESTAMPTZ, in microseconds
	inclusive bool        // to is a value too: generate_series

	next, to int64
	step     int64 // of whole numbers
	by       vector.IntervalValue
	up, done bool
}

// New is a series of values of a type, without values until Start.
func New(t vector.Type, inclusive bool) *Series {
	return &Series{t: t, inclusive: inclusive, done: true}
}

// StepType is the type of the steps between values of type t.
func StepType(t vector.Type) vector.Type {
	if t.Kind == vector.BigInt {
		return t
	}
	return vector.Of(vector.Interval)
}

// Start begins a series. It has no values if from, to or step is NULL.
func (s *Series) Start(from, to, step vector.Scalar) error {
	if s.done = from.Null || to.Null || step.Null; s.done {
		return nil
	}
	s.next, s.to, s.step, s.by = from.I64, to.I64, step.I64, step.Interval
	sign := min(max(s.step, -1), 1)
	if s.t.Kind != vector.BigInt {
		var err error
		if sign, err = direction(s.by); err != nil {
			return err
		}
	}
	if sign == 0 {
		return errZero
	}
	s.up = sign > 0
	return nil
}

// StartIntegers is Start of whole numbers; without ok one of them is NULL.
func (s *Series) StartIntegers(from, to, step int64, ok bool) error {
	s.done = !ok
	s.next, s.to, s.step, s.up = from, to, step, step > 0
	if step == 0 && ok {
		return errZero
	}
	return nil
}

var errZero = errors.New("the step of a series is 0")

// direction is the sign of an interval whose parts have the same sign.
func direction(v vector.IntervalValue) (int64, error) {
	up := v.Months > 0 || v.Days > 0 || v.Micros > 0
	down := v.Months < 0 || v.Days < 0 || v.Micros < 0
	switch {
	case up && down:
		return 0, errors.New("the parts of a series' step have different signs")
	case up:
		return 1, nil
	case down:
		return -1, nil
	}
	return 0, nil
}

// Fill writes the next values, as many as there are and fit.
func (s *Series) Fill(out []int64) (int, error) {
	if s.t.Kind == vector.BigInt && s.step != 0 {
		return s.fillIntegers(out), nil
	}
	for i := range out {
		if s.done || s.ended() {
			s.done = true
			return i, nil
		}
		out[i] = s.next
		if err := s.advance(); err != nil {
			return i, err
		}
	}
	return len(out), nil
}

// fillIntegers is Fill of integers: how many are left is computed once.
func (s *Series) fillIntegers(out []int64) int {
	if len(out) == 0 {
		return 0
	}
	if s.done || s.ended() {
		s.done = true
		return 0
	}
	distance, step := uint64(s.to)-uint64(s.next), uint64(s.step)
	if !s.up {
		distance, step = -distance, -step
	}
	more := distance / step // values behind the next one
	if !s.inclusive && distance%step == 0 {
		more--
	}
	if more < uint64(len(out)) {
		out = out[:more+1]
	}
	v := s.next
	for i := range out {
		out[i] = v
		v += s.step
	}
	s.next = out[len(out)-1]
	_ = s.advance() // integers do not fail
	return len(out)
}

func (s *Series) ended() bool {
	switch {
	case s.next == s.to:
		return !s.inclusive
	case s.up:
		return s.next > s.to
	}
	return s.next < s.to
}

// advance goes to the next value. After the last one that 64 bits hold there is none.
func (s *Series) advance() error {
	if s.t.Kind == vector.BigInt {
		sum := s.next + s.step
		s.done = (sum > s.next) != s.up
		s.next = sum
		return nil
	}
	v, ok := kernel.AddInterval(s.next, s.by, false)
	if !ok {
		return fmt.Errorf("a series of %s exceeds the range of the type", s.t)
	}
	s.done = v == s.next
	s.next = v
	return nil
}
