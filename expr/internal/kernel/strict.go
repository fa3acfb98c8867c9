package kernel

import (
	"math"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Func computes one operation over many rows: those listed, or 0 to n-1
// where rows is nil. The arguments are flat or, where others are flat,
// constant, and never a constant NULL; those of a Coded operation may be dictionaries. out is flat with n rows of the result
// type, NULL where an argument is; the kernel writes values and may call
// out.Null. It owns the scratch memory that it closes over, so a kernel belongs
// to one goroutine.
type Func func(args []*vector.Vector, rows []int32, n int, out *Result) error

// Operation is an operation bound to its argument types. A cast without Make
// changes only the type and leaves the values as they are.
type Operation struct {
	Make func() Func
	// Careful operations may fail or are expensive, so they run only over listed rows
	// without a NULL argument. Others run over all rows, which is cheaper than
	// checking each row.
	Careful bool
	// Coded operations take dictionaries as they are. Others get flat vectors of them.
	Coded bool
}

// Strict is a node whose result is NULL where any operand is.
type Strict struct {
	origin
	args    []Node
	run     Func
	typ     vector.Type
	careful bool
	coded   bool

	argv []*vector.Vector
	flat []Result // flattened dictionary arguments
	live []int32
	out  Result
	Memo dictionaryMemo
}

// NewStrict is the node of an operation over the results of args; t is its type.
func NewStrict(t vector.Type, o Operation, args []Node) *Strict {
	return &Strict{
		args: args, run: o.Make(), typ: t, careful: o.Careful, coded: o.Coded,
		argv: make([]*vector.Vector, len(args)),
	}
}

func (s *Strict) Eval(f *Frame, rows []int32) (*vector.Vector, error) {
	if CountRows(rows, f.N) == 0 {
		return s.out.SetNull(s.typ, f.N), nil
	}
	s.out.Meter = f.Meter
	shape, err := evalArgs(f, rows, s.args, s.argv)
	if err != nil {
		return nil, err
	}
	switch {
	case shape.null:
		return s.out.SetNull(s.typ, f.N), nil
	case shape.varying == 0:
		s.out.Reset(s.typ, 1)
		if err := s.run(s.argv, nil, 1, &s.out); err != nil {
			return nil, s.explain(err)
		}
		return s.out.setConstant(f.N), nil
	case shape.varying == 1 && shape.dictionary >= 0:
		if v := s.evalDictionary(shape.dictionary, rows, f.N); v != nil {
			return v, nil
		}
	}
	if !s.coded {
		Flatten(s.argv, &s.flat, rows, f.N)
	}
	s.out.Reset(s.typ, f.N)
	for _, v := range s.argv {
		if v.Form != vector.Constant {
			s.out.restrict(v.Valid)
		}
	}
	if s.careful && s.out.Valid != nil {
		s.live = vector.Resize(s.live, f.N)
		rows = s.out.Valid.Select(rows, f.N, true, s.live)
	}
	if err := s.run(s.argv, rows, f.N, &s.out); err != nil {
		return nil, s.explain(err)
	}
	return &s.out.Vector, nil
}

// argShape describes the forms of the arguments of one batch.
type argShape struct {
	null       bool // an argument is NULL in all rows
	varying    int  // number of arguments that are not constant
	dictionary int  // index of an argument that is a dictionary, or -1
}

func evalArgs(f *Frame, rows []int32, args []Node, argv []*vector.Vector) (argShape, error) {
	shape := argShape{dictionary: -1}
	for i, a := range args {
		v, err := a.Eval(f, rows)
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

// Flatten replaces the dictionary vectors of argv by flat ones in memory, which
// hold the listed rows only. The memory is made when it is needed: most operations never
// see a dictionary.
func Flatten(argv []*vector.Vector, memory *[]Result, rows []int32, n int) {
	for i, v := range argv {
		if v.Form == vector.Dictionary {
			if *memory == nil {
				*memory = make([]Result, len(argv))
			}
			argv[i] = FlattenRows(v, &(*memory)[i], rows, n)
		}
	}
}

// FlattenRows is the dictionary vector v as a flat vector in memory, which holds the
// listed rows only.
func FlattenRows(v *vector.Vector, memory *Result, rows []int32, n int) *vector.Vector {
	memory.Reset(v.Type, n)
	memory.Valid = v.Valid
	_ = memory.CopyValues(v, rows) // fails only for lists, which are never in dictionary form
	return &memory.Vector
}

// dictionaryMemo holds the results of an operation for the entries of a dictionary,
// so that it runs once per entry and not once per row. A dictionary may have more
// entries than rows are ever evaluated, so the memo is filled only after as many
// rows as the dictionary has entries: at worst twice the work.
type dictionaryMemo struct {
	dict   *vector.Vector
	seen   int
	others []vector.Scalar // the constants, by argument
	Failed bool            // an entry raised an error; perhaps no row has it, so evaluate row by row
	Out    *Result         // one result per entry
	kept   int64           // bytes of Out, as meter knows them
	meter  *quota.Meter
	view   vector.Vector
}

// ready reports whether to use the memo for a batch with this number of rows, in which
// argument arg is a dictionary and all others are constants. A constant is not always a
// literal: a column may be constant in one batch and have another value in the next.
func (m *dictionaryMemo) ready(argv []*vector.Vector, arg, rows int) bool {
	dict := argv[arg].Dict
	if m.dict != dict || !m.sameOthers(argv, arg) {
		m.meter.Keep(-m.kept)
		m.dict, m.seen, m.Failed, m.Out, m.kept = dict, 0, false, nil, 0
		m.others = make([]vector.Scalar, len(argv))
		for i, v := range argv {
			if i != arg {
				m.others[i] = v.Get(0)
			}
		}
	}
	m.seen += rows
	return !m.Failed && (m.Out != nil || m.seen >= dict.Len)
}

// sameOthers reports whether the constants are those of the last batch.
func (m *dictionaryMemo) sameOthers(argv []*vector.Vector, arg int) bool {
	for i, v := range argv {
		if i != arg && !SameScalar(v.Get(0), m.others[i]) {
			return false
		}
	}
	return true
}

// SameScalar reports whether two values are the same to every operation.
func SameScalar(a, b vector.Scalar) bool {
	if a.Nested != nil || b.Nested != nil {
		return false // its memory may have been reused
	}
	floats := math.Float64bits(a.F64) == math.Float64bits(b.F64) && math.Float32bits(a.F32) == math.Float32bits(b.F32)
	return floats && a.Type.Equal(b.Type) && a.Null == b.Null && a.Bool == b.Bool && a.I64 == b.I64 && a.U64 == b.U64 &&
		a.I128 == b.I128 && a.Str == b.Str && a.Interval == b.Interval
}

// evalDictionary returns nil if the rows must be evaluated one by one.
func (s *Strict) evalDictionary(arg int, rows []int32, n int) *vector.Vector {
	v, m := s.argv[arg], &s.Memo
	if s.typ.Storage() == vector.StoreNested { // which is never in dictionary form
		return nil
	}
	if !m.ready(s.argv, arg, CountRows(rows, n)) {
		return nil
	}
	if m.Out == nil {
		// The results outlive this batch, because a node above may have a memo for this
		// dictionary of results and recognizes it by its address.
		out := &Result{Meter: s.out.Meter}
		out.Reset(s.typ, v.Dict.Len)
		s.argv[arg] = v.Dict
		err := s.run(s.argv, nil, v.Dict.Len, out)
		s.argv[arg] = v
		if err != nil {
			m.Failed = true
			return nil
		}
		kept := out.Bytes() + out.TextBytesOf(0, out.Len)
		if m.meter = s.out.Meter; !m.meter.Keep(kept) {
			m.Failed = true
			return nil
		}
		m.Out, m.kept = out, kept
		// What keeps the texts of the entries keeps those that were made of them.
		out.Lease = v.Dict.Lease
	}
	if m.Out.Valid == nil {
		m.view = vector.Vector{Type: s.typ, Form: vector.Dictionary, Len: n, Valid: v.Valid, Codes: v.Codes, Dict: &m.Out.Vector}
		return &m.view
	}
	// Dictionary entries are never NULL, so rows with a NULL result need a flat vector.
	decoded := vector.Vector{Type: s.typ, Form: vector.Dictionary, Len: n, Valid: v.Valid, Codes: v.Codes, Dict: &m.Out.Vector}
	FlattenRows(&decoded, &s.out, rows, n)
	for _, i := range Listed(rows, n) {
		if !m.Out.Valid.Get(int(v.Codes[i])) {
			s.out.Null(int(i))
		}
	}
	return &s.out.Vector
}
