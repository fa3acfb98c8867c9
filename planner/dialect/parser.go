package dialect

import (
	"context"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// parser walks the tokens. The first failure is kept and moves the cursor to
// the end, so that every loop stops by itself and callers need not check.
type parser struct {
	ctx    context.Context
	text   string
	toks   []token
	labels labelWork
	pos    int
	depth  int
	err    error
	params Params
	nested int          // subqueries within expressions so far
	ticker quota.Ticker // of operands
	style  byte         // of the placeholders: '?', '$' or ':'; 0 before the first

	columns  []string // see Parse
	numbered bool     // some placeholders are numbered, so that none has a name

	holds    map[int]bool // answers of queryInParens
	closing  []int        // see closingParens; nil: not computed yet
	question map[int]int  // the number of each ? by its position; built at the first one
}

func (p *parser) abort(err error) {
	if p.err == nil {
		p.err = err
		p.pos = len(p.toks) - 1
	}
}

// spend ends parsing when the context has ended. It is called for each operand.
func (p *parser) spend() {
	if err := p.ticker.Work(1); err != nil {
		p.abort(err)
	}
}

func (p *parser) fail(at token, format string, args ...any) {
	p.abort(&errs.SyntaxError{Position: at.pos, Message: fmt.Sprintf(format, args...)})
}

// unsupported reports a construct that is understood but not implemented.
func (p *parser) unsupported(format string, args ...any) {
	p.abort(errs.At(p.cur().pos, p.cur().end, errs.Unsupported(format, args...)))
}

// unexpected reports the token at the cursor as a syntax error.
func (p *parser) unexpected(wanted string) {
	t := p.cur()
	p.fail(t, "expected %s, found %s%s", wanted, t.describe(), p.hint())
}

func (p *parser) cur() token { return p.toks[p.pos] }

// ahead is the i-th token after the cursor.
func (p *parser) ahead(i int) token {
	return p.toks[min(p.pos+i, len(p.toks)-1)]
}

func (p *parser) advance() token {
	t := p.toks[p.pos]
	if p.pos < len(p.toks)-1 {
		p.pos++
	}
	return t
}

// prev is the token before the cursor.
func (p *parser) prev() token { return p.toks[max(p.pos-1, 0)] }

func (p *parser) isWord(w string) bool { return p.cur().word(w) }
func (p *parser) isOp(o string) bool   { return p.cur().op(o) }

// words reads a sequence of keywords if all of them come next.
func (p *parser) words(ws ...string) bool {
	for i, w := range ws {
		if !p.ahead(i).word(w) {
			return false
		}
	}
	p.pos += len(ws)
	return true
}

func (p *parser) op(o string) bool {
	if p.isOp(o) {
		p.advance()
		return true
	}
	return false
}

// more reads a comma and reports whether the list goes on: it may end in a comma.
func (p *parser) more() bool {
	if !p.op(",") {
		return false
	}
	t := p.cur()
	return t.kind != tEOF && !afterList[t.upper] && !t.op(")") && !t.op("]") && !t.op("}") && !t.op(";")
}

// afterList are the words that may come after a list.
var afterList = words(`FROM WHERE GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT USING`)

func (p *parser) need(o string) {
	if !p.op(o) {
		p.unexpected("'" + o + "'")
	}
}

func (p *parser) needWord(w string) {
	if !p.words(w) {
		p.unexpected(w)
	}
}

// enter and leave count nesting; enter returns false if it is too deep.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.cur(), "the statement is nested more than %d levels deep", maxDepth)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// name reads a name: quoted, or any word that is not reserved.
func (p *parser) name(what string) string {
	t := p.cur()
	if t.kind == tQuoted || t.kind == tWord && !t.reserved() {
		p.advance()
		return t.text
	}
	p.unexpectedName(what)
	return ""
}

// anyName reads a name after a point, where keywords are names too.
func (p *parser) anyName(what string) string {
	t := p.cur()
	if t.kind == tQuoted || t.kind == tWord {
		p.advance()
		return t.text
	}
	p.unexpected(what)
	return ""
}

func (p *parser) names() []string {
	var out []string
	p.need("(")
	for p.err == nil {
		out = append(out, p.name("a column name"))
		if !p.more() {
			break
		}
	}
	p.need(")")
	return out
}

// span covers the tokens from the first up to the one before the cursor.
func (p *parser) span(first int) ast.Span {
	return ast.Span{Pos: p.toks[first].pos, End: p.prev().end}
}

// source is the text of the tokens from the first up to the one before the cursor.
func (p *parser) source(first int) string {
	s := p.span(first)
	return p.text[s.Pos:max(s.Pos, s.End)]
}
