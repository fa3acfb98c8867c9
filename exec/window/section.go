package window

import (
	"math"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

const (
	// sectionRows is how many rows a section has at least, if there are as many.
	sectionRows = 8 * vector.BatchSize
	// freeBytes of rows and of what is prepared for them are not charged.
	freeBytes = quota.FreeWindowRow * vector.BatchSize
	// sectionShare is the part of the limit from which on a section needs no more rows,
	// but for at least leastSection bytes.
	sectionShare, leastSection = 16, 256 << 10
)

// plan is the columns of rows: those of the input, then the expressions that the window
// and its calls read, each once. A section keeps those of the input and the resident
// ones.
type plan struct {
	env       exec.Env
	types     []vector.Type
	resident  []bool // by column: whether evaluators read it
	input     int
	computed  expr.Unique
	partition []int // the columns of PARTITION BY
	peers     []int // the columns of ORDER BY
	sort      []expr.SortKey
	desc      bool // the first key of ORDER BY is descending
	nullFirst bool

	sectionBytes int64       // from which on a section needs no more rows
	refuse       func() bool // see Window
}

func newPlan(env exec.Env, input vector.Schema, w Window) *plan {
	p := &plan{env: env, input: len(input), resident: make([]bool, len(input)), sectionBytes: math.MaxInt64, refuse: w.Refuse}
	if limit := env.Budget.Limit(); limit > 0 {
		p.sectionBytes = max(limit/sectionShare, leastSection)
	}
	for _, c := range input {
		p.types = append(p.types, c.Type)
	}
	for _, e := range w.Partition {
		if _, constant := e.(*expr.Const); !constant {
			p.partition = append(p.partition, p.place(compared(e)))
			p.sort = append(p.sort, expr.SortKey{Expr: e})
		}
	}
	for i, k := range w.OrderBy {
		if i == 0 {
			p.desc, p.nullFirst = k.Desc, k.NullsFirst
		}
		if _, constant := k.Expr.(*expr.Const); !constant {
			p.peers = append(p.peers, p.place(compared(k.Expr)))
			p.sort = append(p.sort, k)
		}
	}
	return p
}

// compared is what tells whether rows have the same key: nested values need not be written as bytes once more.
func compared(key expr.Expr) expr.Expr {
	if o, ok := key.(*expr.Ordered); ok {
		return o.X
	}
	return key
}

// column finds or adds the column of an expression that an evaluator reads.
func (p *plan) column(e expr.Expr) int {
	at := p.place(e)
	p.resident[at] = true
	return at
}

// place finds or adds the column of an expression.
func (p *plan) place(e expr.Expr) int {
	if c, ok := e.(*expr.Column); ok {
		return c.Index
	}
	at, added := p.computed.Add(e)
	if added {
		p.types, p.resident = append(p.types, e.Type()), append(p.resident, false)
	}
	return p.input + at
}

// section is sorted rows of whole partitions. While it grows its last partition may go
// on.
type section struct {
	plan *plan
	eval *exec.ExprSet
	n    int
	room int // rows for which the columns have memory
	// expected is how many rows it will have, 0 if that is not known.
	expected int
	cols     []*rowstore.Column // nil for columns that are not kept
	open     bool               // last has a row
	last     []*vector.Vector   // the last row, of the columns that decide on partitions and peers
	// parts and peers are the first rows of the partitions and of the peer groups;
	// finish adds n.
	parts, peers []int32
	finished     bool
	rest         rest

	all    []*vector.Vector // the columns of a batch
	begins []uint8          // by row of a batch
	sel    []int32
}

// rest is partitions that were cut off a section: rows of its columns behind the others.
type rest struct {
	n            int
	parts, peers []int32 // counted from the first of the rows
}

func (p *plan) newSection() *section {
	s := &section{plan: p, eval: exec.NewExprSet(p.env)}
	for i, t := range p.types {
		var c *rowstore.Column
		if i < p.input || p.resident[i] {
			c = rowstore.NewColumn(t)
			c.Share = true
		}
		s.cols, s.last = append(s.cols, c), append(s.last, &vector.Vector{})
	}
	for _, e := range p.computed.List {
		s.eval.Add(e)
	}
	return s
}

func (s *section) reset() {
	s.n, s.room, s.expected, s.parts, s.peers, s.open = 0, 0, 0, s.parts[:0], s.peers[:0], false
	s.finished, s.rest = false, rest{}
	large := s.bytes() >= s.plan.sectionBytes
	if large {
		s.parts, s.peers = nil, nil
	}
	for _, c := range s.cols {
		switch {
		case c == nil:
		case large: // the next section is of ordinary size
			c.Clear()
		default:
			c.Reset()
		}
	}
}

func (s *section) bytes() int64 {
	n := int64(cap(s.parts)+cap(s.peers)) * 4
	for _, c := range s.cols {
		if c != nil {
			n += c.Bytes()
		}
	}
	return n
}

// vec is a resident column.
func (s *section) vec(c int) *vector.Vector { return &s.cols[c].Vec }

// What a row begins.
const (
	sameRow  = iota // nothing: it is a peer of the row before it
	newPeers        // a peer group
	newPart         // a partition, and a peer group
)

// add appends sorted rows. If a partition ends and the section is large enough, the rows
// after it go to next, and cut is true. It returns
// quota.ErrBatchTooLong where fewer rows have to be added at once.
func (s *section) add(b *vector.Batch, next *section) (cut bool, err error) {
	if err := s.look(b); err != nil {
		return false, err
	}
	n := b.Rows()
	end, large := n, s.bytes() >= s.plan.sectionBytes
	for i := n - 1; i >= 0 && (large || s.n+i >= sectionRows); i-- {
		if s.begins[i] == newPart && s.n+i > 0 {
			end = i
			break
		}
	}
	if err := s.take(b, s.all, s.begins, 0, end); err != nil || end == n {
		return false, err
	}
	return true, next.take(b, s.all, s.begins, end, n)
}

// look evaluates the columns of sorted rows and finds out what each of them begins.
func (s *section) look(b *vector.Batch) error {
	values, err := s.eval.Eval(b)
	if err != nil {
		return err
	}
	s.all = append(append(s.all[:0], b.Cols...), values...)
	s.begins = vector.Resize(s.begins, b.Rows())
	clear(s.begins)
	s.mark(b, s.plan.partition, newPart)
	s.mark(b, s.plan.peers, newPeers)
	if !s.open {
		s.begins[0] = newPart
	}
	return nil
}

// mark notes the rows whose values differ from those of the row before.
func (s *section) mark(b *vector.Batch, columns []int, what uint8) {
	for _, c := range columns {
		v := s.all[c]
		if s.open && !same(s.last[c], 0, v, b.Row(0)) {
			s.begins[0] = max(s.begins[0], what)
		}
		if marksOf(v, b, s.begins, what) {
			continue
		}
		for i := 1; i < len(s.begins); i++ {
			if s.begins[i] < what && !same(v, b.Row(i-1), v, b.Row(i)) {
				s.begins[i] = what
			}
		}
	}
}

// same reports whether two values are equal, NULLs too.
func same(a *vector.Vector, i int, b *vector.Vector, j int) bool {
	x, y := a.IsNull(i), b.IsNull(j)
	if x || y {
		return x == y
	}
	return vector.Compare(a, i, b, j) == 0
}

// take appends the rows from to end-1 of those that b selects.
func (s *section) take(b *vector.Batch, columns []*vector.Vector, begins []uint8, from, end int) error {
	if from == end {
		return nil
	}
	for i := from; i < end; i++ {
		at := int32(s.n + i - from)
		switch begins[i] {
		case newPart:
			s.parts, s.peers = append(s.parts, at), append(s.peers, at)
		case newPeers:
			s.peers = append(s.peers, at)
		}
	}
	var sel []int32 // the first rows
	if b.Sel != nil || from > 0 {
		s.sel = s.sel[:0]
		for i := from; i < end; i++ {
			s.sel = append(s.sel, int32(b.Row(i)))
		}
		sel = s.sel
	}
	s.double(end - from)
	for c, col := range s.cols {
		if col == nil {
			continue
		}
		if err := col.AppendFirst(columns[c], sel, end-from); err != nil {
			return err
		}
	}
	s.n += end - from
	return s.remember(columns, int32(b.Row(end-1)))
}

// double makes room for all rows that are expected, or for twice the rows where n more do not fit: append makes room for a
// fourth more, so that the rows of one long partition would be moved four times.
func (s *section) double(n int) {
	most := s.plan.sectionBytes / 2
	switch {
	case s.n == 0 || s.n+n <= s.room || s.bytes() >= most:
		return
	case s.expected > s.n+n && float64(s.bytes())/float64(s.n)*float64(s.expected) < float64(most):
		s.room = s.expected
	case s.n < 4*sectionRows:
		return
	default:
		s.room = 2 * (s.n + n)
	}
	for _, col := range s.cols {
		if col != nil {
			col.Vec.Reserve(s.room - s.n)
		}
	}
}

// remember notes the last row.
func (s *section) remember(columns []*vector.Vector, row int32) error {
	s.open = true
	for _, keys := range [][]int{s.plan.partition, s.plan.peers} {
		for _, c := range keys {
			if err := s.last[c].Gather(columns[c], []int32{row}); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish is called when all rows are there.
func (s *section) finish() {
	s.parts, s.peers, s.finished = append(s.parts, int32(s.n)), append(s.peers, int32(s.n)), true
}
