package expr

import "github.com/parquetsql/parquetsql/vector"

// kernel computes one operation over many rows: those listed, or 0 to n-1
// where rows is nil. The arguments are flat or, where others are flat,
// constant, and never a constant NULL. out is flat with n rows of the result
// type, NULL where an argument is; the kernel writes values and may call
// out.null. It owns the scratch memory that it closes over, so a kernel belongs
// to one goroutine.
type kernel func(args []*vector.Vector, rows []int32, n int, out *result) error

// routine is an operation bound to its argument types.
type routine struct {
	args []Expr
	make func() kernel
	// careful operations may fail or cost much, so they are shown only rows that
	// exist and have no NULL argument. Others run over everything, which is
	// cheaper than looking.
	careful bool
	// node makes the runtime state of what is no strict operation over a kernel.
	node func() node
}

// strict is a node whose result is NULL where any operand is.
type strict struct {
	args    []node
	run     kernel
	typ     vector.Type
	careful bool

	argv []*vector.Vector
	flat []result // flattened dictionary arguments
	live []int32
	out  result
	lift lift
}

func newStrict(t vector.Type, r *routine) *strict {
	s := &strict{run: r.make(), typ: t, careful: r.careful}
	s.args, s.argv, s.flat = compileAll(r.args), make([]*vector.Vector, len(r.args)), make([]result, len(r.args))
	return s
}

func compileAll(list []Expr) []node {
	nodes := make([]node, len(list))
	for i, e := range list {
		nodes[i] = e.compile()
	}
	return nodes
}

func (s *strict) eval(f *frame, rows []int32) (*vector.Vector, error) {
	if countRows(rows, f.n) == 0 {
		return s.out.setNull(s.typ, f.n), nil
	}
	shape, err := evalArgs(f, rows, s.args, s.argv)
	if err != nil {
		return nil, err
	}
	switch {
	case shape.null:
		return s.out.setNull(s.typ, f.n), nil
	case shape.varying == 0:
		s.out.reset(s.typ, 1)
		if err := s.run(s.argv, nil, 1, &s.out); err != nil {
			return nil, err
		}
		return s.out.setConstant(f.n), nil
	case shape.varying == 1 && shape.dictionary >= 0:
		if v := s.evalDictionary(shape.dictionary, rows, f.n); v != nil {
			return v, nil
		}
	}
	flatten(s.argv, s.flat, rows, f.n)
	s.out.reset(s.typ, f.n)
	for _, v := range s.argv {
		if v.Form != vector.Constant {
			s.out.restrict(v.Valid)
		}
	}
	if s.careful && s.out.Valid != nil {
		s.live = vector.Resize(s.live, f.n)
		rows = validRows(rows, f.n, s.out.Valid, s.live)
	}
	if err := s.run(s.argv, rows, f.n, &s.out); err != nil {
		return nil, err
	}
	return &s.out.Vector, nil
}

// argShape is what the arguments of one batch look like together.
type argShape struct {
	null       bool // one is NULL in all rows
	varying    int  // how many are not constant
	dictionary int  // one that is a dictionary, or -1
}

func evalArgs(f *frame, rows []int32, args []node, argv []*vector.Vector) (argShape, error) {
	shape := argShape{dictionary: -1}
	for i, a := range args {
		v, err := a.eval(f, rows)
		if err != nil {
			return shape, err
		}
		argv[i] = v
		switch {
		case v.Type.Kind == vector.Null || v.Form == vector.Constant && v.IsNull(0):
			shape.null = true
		case v.Form == vector.Dictionary:
			shape.varying++
			shape.dictionary = i
		case v.Form == vector.Flat:
			shape.varying++
		}
	}
	return shape, nil
}

// flatten replaces the dictionary vectors of argv by flat ones in memory, which
// hold the listed rows only.
func flatten(argv []*vector.Vector, memory []result, rows []int32, n int) {
	for i, v := range argv {
		if v.Form == vector.Dictionary {
			argv[i] = flattenRows(v, &memory[i], rows, n)
		}
	}
}

func flattenRows(v *vector.Vector, memory *result, rows []int32, n int) *vector.Vector {
	memory.reset(v.Type, n)
	memory.Valid = v.Valid
	_ = memory.CopyValues(v, rows) // only lists can fail, which are never in dictionary form
	return &memory.Vector
}

// lift remembers what an operation yields for each entry of a dictionary, so
// that it runs once an entry and not once a row. A dictionary may be larger
// than all rows that are ever asked for, so it is worked through only when as
// many rows have been seen as it has entries: at worst twice the work.
type lift struct {
	dict   *vector.Vector
	seen   int
	failed bool    // an entry raised an error, which its rows may never have: go row by row
	out    *result // the results, an entry each
	view   vector.Vector
}

// ready reports whether to use the dictionary for a batch with so many rows.
func (l *lift) ready(dict *vector.Vector, rows int) bool {
	if l.dict != dict {
		l.dict, l.seen, l.failed, l.out = dict, 0, false, nil
	}
	l.seen += rows
	return !l.failed && (l.out != nil || l.seen >= dict.Len)
}

// evalDictionary is nil where the rows have to be looked at one by one.
func (s *strict) evalDictionary(arg int, rows []int32, n int) *vector.Vector {
	v, l := s.argv[arg], &s.lift
	if !l.ready(v.Dict, countRows(rows, n)) {
		return nil
	}
	if l.out == nil {
		// The results outlive this batch: who gets them may in turn remember
		// what it made of this dictionary, by its address.
		out := &result{}
		out.reset(s.typ, v.Dict.Len)
		s.argv[arg] = v.Dict
		err := s.run(s.argv, nil, v.Dict.Len, out)
		s.argv[arg] = v
		if err != nil {
			l.failed = true
			return nil
		}
		l.out = out
	}
	if l.out.Valid == nil {
		l.view = vector.Vector{Type: s.typ, Form: vector.Dictionary, Len: n, Valid: v.Valid, Codes: v.Codes, Dict: &l.out.Vector}
		return &l.view
	}
	// Dictionary entries are never NULL, so rows with a NULL result need a flat vector.
	decoded := vector.Vector{Type: s.typ, Form: vector.Dictionary, Len: n, Valid: v.Valid, Codes: v.Codes, Dict: &l.out.Vector}
	flattenRows(&decoded, &s.out, rows, n)
	for _, i := range listed(rows, n) {
		if !l.out.Valid.Get(int(v.Codes[i])) {
			s.out.null(int(i))
		}
	}
	return &s.out.Vector
}
