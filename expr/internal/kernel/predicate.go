package kernel

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Predicate writes the rows where a condition is TRUE to into, as Selector does.
// The arguments are those of a Func. Rows with a NULL argument may be listed unless
// the condition is careful; the answer for them does not matter.
type Predicate func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error)

// LongPredicate is a Predicate that may take long for one row, and tells the meter.
type LongPredicate func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error)

// Condition is a condition that is NULL where any operand is.
type Condition struct {
	origin
	args    []Node
	run     Predicate
	careful bool

	meter    *quota.Meter // of the batch
	argv     []*vector.Vector
	flat     []Result
	live     []int32
	few      vector.Vector // of a dictionary, the values of few rows
	codes    []int32       // of these
	selected []int32
	out      Result
	memo     selectionMemo
}

// selectionMemo is a dictionaryMemo of booleans.
type selectionMemo struct {
	dictionaryMemo
	hits []bool
	rows []int32
}

// NewCondition is the node of a predicate over the results of args.
func NewCondition(args []Node, run Predicate, careful bool) *Condition {
	return &Condition{
		args: args, run: run, careful: careful,
		argv: make([]*vector.Vector, len(args)),
	}
}

// NewLongCondition is NewCondition for a careful predicate that takes long.
func NewLongCondition(args []Node, run LongPredicate) *Condition {
	p := NewCondition(args, nil, true)
	p.run = func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
		return run(p.meter, args, rows, n, into)
	}
	return p
}

func (p *Condition) Eval(f *Frame, rows []int32) (*vector.Vector, error) {
	boolean := vector.Of(vector.Boolean)
	if CountRows(rows, f.N) == 0 {
		return p.out.SetNull(boolean, f.N), nil
	}
	p.meter = f.Meter
	shape, err := evalArgs(f, rows, p.args, p.argv)
	if err != nil {
		return nil, err
	}
	if shape.null {
		return p.out.SetNull(boolean, f.N), nil
	}
	p.selected = vector.Resize(p.selected, f.N)
	selected, err := p.selectRows(shape, rows, f.N, p.selected)
	if err != nil {
		return nil, p.explain(err)
	}
	p.out.Reset(boolean, f.N)
	if rows == nil {
		clear(p.out.Bool)
	} else {
		for _, i := range rows {
			p.out.Bool[i] = false
		}
	}
	for _, i := range selected {
		p.out.Bool[i] = true
	}
	for _, v := range p.argv {
		if v.Form != vector.Constant {
			p.out.restrict(v.Valid)
		}
	}
	return &p.out.Vector, nil
}

func (p *Condition) Select(f *Frame, rows, into []int32) ([]int32, error) {
	if CountRows(rows, f.N) == 0 {
		return into[:0], nil
	}
	p.meter = f.Meter
	shape, err := evalArgs(f, rows, p.args, p.argv)
	if err != nil {
		return nil, err
	}
	if shape.null {
		return into[:0], nil
	}
	selected, err := p.selectRows(shape, rows, f.N, into)
	return selected, p.explain(err)
}

// selectRows runs the predicate over the arguments in argv.
func (p *Condition) selectRows(shape argShape, rows []int32, n int, into []int32) ([]int32, error) {
	if shape.varying == 0 {
		var one [1]int32
		hit, err := p.run(p.argv, nil, 1, one[:])
		if err != nil || len(hit) == 0 {
			return into[:0], err
		}
		return into[:copy(into, Listed(rows, n))], nil
	}
	if shape.varying == 1 && shape.dictionary >= 0 && p.tryDictionary(shape.dictionary, CountRows(rows, n)) {
		v := p.argv[shape.dictionary]
		return KeepValid(coded(v.Codes[:n], p.memo.hits, rows, into), v.Valid), nil
	}
	if shape.varying == 1 && shape.dictionary >= 0 && rows != nil && len(rows) <= n/sparseRows {
		return p.selectFew(shape.dictionary, rows, into)
	}
	Flatten(p.argv, &p.flat, rows, n)
	if !p.careful {
		selected, err := p.run(p.argv, rows, n, into)
		if err != nil {
			return nil, err
		}
		for _, v := range p.argv {
			if v.Form != vector.Constant {
				selected = KeepValid(selected, v.Valid)
			}
		}
		return selected, nil
	}
	for _, v := range p.argv {
		if v.Form != vector.Constant && v.Valid != nil {
			p.live = vector.Resize(p.live, n)
			rows = v.Valid.Select(rows, n, true, p.live)
		}
	}
	return p.run(p.argv, rows, n, into)
}

// sparseRows is the part of a batch below which rows are put together rather than flattened where they are, as memory for the whole
// batch would be cleared.
const sparseRows = 16

// selectFew runs the predicate over the values of the listed rows alone.
func (p *Condition) selectFew(arg int, rows, into []int32) ([]int32, error) {
	v := p.argv[arg]
	p.live, p.codes = p.live[:0], p.codes[:0]
	for _, i := range rows {
		if v.Valid == nil || v.Valid.Get(int(i)) {
			p.live, p.codes = append(p.live, i), append(p.codes, v.Codes[i])
		}
	}
	if len(p.live) == 0 {
		return into[:0], nil
	}
	if err := p.few.Gather(v.Dict, p.codes); err != nil {
		return nil, err
	}
	p.argv[arg] = &p.few
	selected, err := p.run(p.argv, nil, len(p.live), into)
	p.argv[arg] = v
	if err != nil {
		return nil, err
	}
	for k, i := range selected {
		into[k] = p.live[i]
	}
	return into[:len(selected)], nil
}

// coded writes the rows whose codes are hits to into.
func coded(codes []int32, hits []bool, rows, into []int32) []int32 {
	k := 0
	if rows == nil {
		for i, c := range codes {
			into[k] = int32(i)
			if hits[c] {
				k++
			}
		}
		return into[:k]
	}
	for _, i := range rows {
		into[k] = i
		if hits[codes[i]] {
			k++
		}
	}
	return into[:k]
}

// tryDictionary fills memo.hits for the argument's dictionary.
func (p *Condition) tryDictionary(arg, rows int) bool {
	v, m := p.argv[arg], &p.memo
	if !m.ready(p.argv, arg, rows) {
		return false
	}
	if m.Out != nil {
		return true
	}
	m.rows = vector.Resize(m.rows, v.Dict.Len)
	p.argv[arg] = v.Dict
	hit, err := p.run(p.argv, nil, v.Dict.Len, m.rows)
	p.argv[arg] = v
	if err != nil {
		m.Failed = true
		return false
	}
	m.hits = vector.Resize(m.hits, v.Dict.Len)
	clear(m.hits)
	for _, i := range hit {
		m.hits[i] = true
	}
	m.Out = &p.out // not nil: hits is filled
	return true
}
