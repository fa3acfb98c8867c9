package dialect

import (
	"slices"
	"strconv"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// mark is what a numbered name or call in the parser's text stands for.
type mark struct {
	first, last int // its tokens, inclusive
	// build makes the node from the converted arguments. For parentheses only,
	// it returns its argument.
	build func(args []ast.Expr) ast.Expr
}

// out is an expression written for the parser.
type out struct {
	buf    []byte
	places []place // ascending by offset
}

// place is an offset in out and the token that was written there.
type place struct{ offset, tok int }

// block is one SELECT on its way through the parser: its marks and, in the
// order of the parser's tree, its expressions.
type block struct {
	p     *parser
	marks []mark
	out   *out // being written
	slots []*slot
	first int // its first token
	level int // operands that are open within out

	named []namedWindow // the WINDOW clause
	uses  []windowUse   // the windows that name one of them
}

// leaf writes a numbered name for the tokens from first to the cursor.
func (b *block) leaf(first int, e ast.Expr) {
	b.out.at(first)
	b.out.buf = append(b.out.buf, 'q')
	b.number(first, func([]ast.Expr) ast.Expr { return e })
}

// number adds a mark for the tokens from first to the cursor and writes its number.
func (b *block) number(first int, build func([]ast.Expr) ast.Expr) {
	b.out.buf = strconv.AppendInt(b.out.buf, int64(len(b.marks)), 10)
	b.out.buf = append(b.out.buf, ' ')
	b.marks = append(b.marks, mark{first: first, last: b.p.pos - 1, build: build})
}

// open begins a numbered call whose arguments follow; close ends it.
func (b *block) open(first int) int {
	b.out.at(first)
	b.out.buf = append(b.out.buf, 'f')
	b.number(first, nil)
	b.out.buf = append(b.out.buf, '(')
	return len(b.marks) - 1
}

func (b *block) close(m int, build func([]ast.Expr) ast.Expr) {
	b.out.buf = append(b.out.buf, ')')
	b.marks[m].last = b.p.pos - 1
	b.marks[m].build = build
}

// comma separates the arguments of a numbered call.
func (b *block) comma() { b.out.buf = append(b.out.buf, ',') }

// write writes an operator.
func (b *block) write(tok int, s string) {
	b.out.at(tok)
	b.out.buf = append(b.out.buf, s...)
	b.out.buf = append(b.out.buf, ' ')
}

func (o *out) at(tok int) {
	o.places = append(o.places, place{len(o.buf), tok})
}

// wrap puts the text written since offset into a numbered call: postfix
// constructs are known only after their operand. The caller writes its further
// arguments and the closing parenthesis.
func (b *block) wrap(offset, first int) int {
	o := b.out
	head := "f" + strconv.Itoa(len(b.marks)) + "("
	o.buf = slices.Insert(o.buf, offset, []byte(head)...)
	for i := len(o.places) - 1; i >= 0 && o.places[i].offset >= offset; i-- {
		o.places[i].offset += len(head)
	}
	b.marks = append(b.marks, mark{first: first})
	return len(b.marks) - 1
}

// tokenAt is the token whose text lies at the offset.
func (o *out) tokenAt(offset int) int {
	i, found := slices.BinarySearchFunc(o.places, offset, func(p place, off int) int { return p.offset - off })
	if !found {
		i--
	}
	if i < 0 {
		i = 0
	}
	if len(o.places) == 0 {
		return 0
	}
	return o.places[i].tok
}
