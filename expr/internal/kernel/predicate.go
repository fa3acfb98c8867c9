package kernel

import "github.com/parquetsql/parquetsql/vector"

// Predicate writes the rows where a condition is TRUE to into, as chooser does.
// Arguments come as they come to a kernel; rows with a NULL argument may be
// among those asked for unless the predicate is careful, and the answer for
// them does not matter.
type Predicate func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error)

// Condition is a condition that is NULL where any operand is.
type Condition struct {
	args    []Node
	test    Predicate
	careful bool

	argv   []*vector.Vector
	flat   []Result
	live   []int32
	chosen []int32
	out    Result
	lift   hitLift
}

// hitLift is lift for conditions: a boolean for each dictionary entry.
type hitLift struct {
	lift
	hits []bool
	rows []int32
}

func NewCondition(args []Node, test Predicate, careful bool) *Condition {
	return &Condition{
		args: args, test: test, careful: careful,
		argv: make([]*vector.Vector, len(args)), flat: make([]Result, len(args)),
	}
}

func (p *Condition) Eval(f *Frame, rows []int32) (*vector.Vector, error) {
	boolean := vector.Of(vector.Boolean)
	if CountRows(rows, f.N) == 0 {
		return p.out.SetNull(boolean, f.N), nil
	}
	shape, err := evalArgs(f, rows, p.args, p.argv)
	if err != nil {
		return nil, err
	}
	if shape.null {
		return p.out.SetNull(boolean, f.N), nil
	}
	p.chosen = vector.Resize(p.chosen, f.N)
	chosen, err := p.find(shape, rows, f.N, p.chosen)
	if err != nil {
		return nil, err
	}
	p.out.Reset(boolean, f.N)
	if rows == nil {
		clear(p.out.Bool)
	} else {
		for _, i := range rows {
			p.out.Bool[i] = false
		}
	}
	for _, i := range chosen {
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
	shape, err := evalArgs(f, rows, p.args, p.argv)
	if err != nil {
		return nil, err
	}
	if shape.null {
		return into[:0], nil
	}
	return p.find(shape, rows, f.N, into)
}

// find runs the test over the arguments in argv.
func (p *Condition) find(shape argShape, rows []int32, n int, into []int32) ([]int32, error) {
	if shape.varying == 0 {
		var one [1]int32
		hit, err := p.test(p.argv, nil, 1, one[:])
		if err != nil || len(hit) == 0 {
			return into[:0], err
		}
		return into[:copy(into, Listed(rows, n))], nil
	}
	if shape.varying == 1 && shape.dictionary >= 0 && p.tryDictionary(shape.dictionary, CountRows(rows, n)) {
		v, k := p.argv[shape.dictionary], 0
		for _, i := range Listed(rows, n) {
			into[k] = i
			if p.lift.hits[v.Codes[i]] {
				k++
			}
		}
		return KeepValid(into[:k], v.Valid), nil
	}
	Flatten(p.argv, p.flat, rows, n)
	if !p.careful {
		chosen, err := p.test(p.argv, rows, n, into)
		if err != nil {
			return nil, err
		}
		for _, v := range p.argv {
			if v.Form != vector.Constant {
				chosen = KeepValid(chosen, v.Valid)
			}
		}
		return chosen, nil
	}
	for _, v := range p.argv {
		if v.Form != vector.Constant && v.Valid != nil {
			p.live = vector.Resize(p.live, n)
			rows = validRows(rows, n, v.Valid, p.live)
		}
	}
	return p.test(p.argv, rows, n, into)
}

// tryDictionary fills lift.hits for the argument's dictionary.
func (p *Condition) tryDictionary(arg, rows int) bool {
	v, l := p.argv[arg], &p.lift
	if !l.ready(v.Dict, rows) {
		return false
	}
	if l.Out != nil {
		return true
	}
	l.rows = vector.Resize(l.rows, v.Dict.Len)
	p.argv[arg] = v.Dict
	hit, err := p.test(p.argv, nil, v.Dict.Len, l.rows)
	p.argv[arg] = v
	if err != nil {
		l.Failed = true
		return false
	}
	l.hits = vector.Resize(l.hits, v.Dict.Len)
	clear(l.hits)
	for _, i := range hit {
		l.hits[i] = true
	}
	l.Out = &p.out // only says that hits are there
	return true
}
