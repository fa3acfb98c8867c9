package expr

import "github.com/parquetsql/parquetsql/vector"

// tester writes the rows where a condition is TRUE to into, as chooser does.
// Arguments come as they come to a kernel; rows with a NULL argument may be
// among those asked for unless the predicate is careful, and the answer for
// them does not matter.
type tester func(args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error)

// predicate is a condition that is NULL where any operand is.
type predicate struct {
	args    []node
	test    tester
	careful bool

	argv   []*vector.Vector
	flat   []result
	live   []int32
	chosen []int32
	out    result
	lift   hitLift
}

// hitLift is lift for conditions: a boolean for each dictionary entry.
type hitLift struct {
	lift
	hits []bool
	rows []int32
}

func newPredicate(args []Expr, test tester, careful bool) *predicate {
	return &predicate{
		args: compileAll(args), test: test, careful: careful,
		argv: make([]*vector.Vector, len(args)), flat: make([]result, len(args)),
	}
}

func (p *predicate) eval(f *frame, rows []int32) (*vector.Vector, error) {
	boolean := vector.Of(vector.Boolean)
	if countRows(rows, f.n) == 0 {
		return p.out.setNull(boolean, f.n), nil
	}
	shape, err := evalArgs(f, rows, p.args, p.argv)
	if err != nil {
		return nil, err
	}
	if shape.null {
		return p.out.setNull(boolean, f.n), nil
	}
	p.chosen = vector.Resize(p.chosen, f.n)
	chosen, err := p.find(shape, rows, f.n, p.chosen)
	if err != nil {
		return nil, err
	}
	p.out.reset(boolean, f.n)
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

func (p *predicate) choose(f *frame, rows, into []int32) ([]int32, error) {
	if countRows(rows, f.n) == 0 {
		return into[:0], nil
	}
	shape, err := evalArgs(f, rows, p.args, p.argv)
	if err != nil {
		return nil, err
	}
	if shape.null {
		return into[:0], nil
	}
	return p.find(shape, rows, f.n, into)
}

// find runs the test over the arguments in argv.
func (p *predicate) find(shape argShape, rows []int32, n int, into []int32) ([]int32, error) {
	if shape.varying == 0 {
		var one [1]int32
		hit, err := p.test(p.argv, nil, 1, one[:])
		if err != nil || len(hit) == 0 {
			return into[:0], err
		}
		return into[:copy(into, listed(rows, n))], nil
	}
	if shape.varying == 1 && shape.dictionary >= 0 && p.tryDictionary(shape.dictionary, countRows(rows, n)) {
		v, k := p.argv[shape.dictionary], 0
		for _, i := range listed(rows, n) {
			into[k] = i
			if p.lift.hits[v.Codes[i]] {
				k++
			}
		}
		return keepValid(into[:k], v.Valid), nil
	}
	flatten(p.argv, p.flat, rows, n)
	if !p.careful {
		chosen, err := p.test(p.argv, rows, n, into)
		if err != nil {
			return nil, err
		}
		for _, v := range p.argv {
			if v.Form != vector.Constant {
				chosen = keepValid(chosen, v.Valid)
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
func (p *predicate) tryDictionary(arg, rows int) bool {
	v, l := p.argv[arg], &p.lift
	if !l.ready(v.Dict, rows) {
		return false
	}
	if l.out != nil {
		return true
	}
	l.rows = vector.Resize(l.rows, v.Dict.Len)
	p.argv[arg] = v.Dict
	hit, err := p.test(p.argv, nil, v.Dict.Len, l.rows)
	p.argv[arg] = v
	if err != nil {
		l.failed = true
		return false
	}
	l.hits = vector.Resize(l.hits, v.Dict.Len)
	clear(l.hits)
	for _, i := range hit {
		l.hits[i] = true
	}
	l.out = &p.out // only says that hits are there
	return true
}
