package dialect

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// windowParts counts the expressions of a window: the keys of its partition, those of
// its order, and the offsets of its frame.
type windowParts struct {
	partition  int
	start, end bool
}

// fill puts the converted expressions into the window.
func (n windowParts) fill(w *ast.Window, a []ast.Expr) {
	w.Partition, a = a[:n.partition:n.partition], a[n.partition:]
	a = setOrders(w.OrderBy, a)
	if n.start {
		w.Frame.Start.Offset, a = a[0], a[1:]
	}
	if n.end {
		w.Frame.End.Offset = a[0]
	}
}

// windowUse is a window that begins with the name of another one.
type windowUse struct {
	window *ast.Window
	base   string
	at     token
	whole  bool // OVER w, not OVER (w …): the frame is taken over too
}

// over reads the specification after OVER.
func (b *block) over(comma bool) (*ast.Window, windowParts) {
	p := b.p
	if p.isOp("(") {
		return b.window(comma)
	}
	w, at := &ast.Window{}, p.cur()
	b.uses = append(b.uses, windowUse{window: w, base: p.name("a window"), at: at, whole: true})
	return w, windowParts{}
}

// window reads a specification in parentheses and writes its expressions as arguments.
func (b *block) window(comma bool) (*ast.Window, windowParts) {
	p := b.p
	p.need("(")
	w, n := &ast.Window{}, windowParts{}
	if t := p.cur(); !p.isOp(")") && !p.isWord("PARTITION") && !p.isWord("ORDER") && !p.frameAhead() {
		b.uses = append(b.uses, windowUse{window: w, base: p.name("a window, PARTITION BY or ORDER BY"), at: t})
	}
	if p.words("PARTITION", "BY") {
		if comma {
			b.comma()
		}
		n.partition = b.exprs()
		comma = true
	}
	w.OrderBy = b.orders(comma)
	comma = comma || len(w.OrderBy) > 0
	if p.frameAhead() {
		w.Frame = b.frame(&n, comma)
	}
	p.need(")")
	return w, n
}

// frameAhead reports whether a frame begins at the cursor.
func (p *parser) frameAhead() bool {
	if !p.isWord("ROWS") && !p.isWord("RANGE") && !p.isWord("GROUPS") {
		return false
	}
	return !p.ahead(1).op(")") && !p.ahead(1).word("PARTITION") && !p.ahead(1).word("ORDER")
}

// frame reads ROWS, RANGE or GROUPS with one bound or two, and EXCLUDE.
func (b *block) frame(n *windowParts, comma bool) *ast.Frame {
	p := b.p
	f := &ast.Frame{}
	switch p.advance().upper {
	case "ROWS":
		f.Unit = ast.Rows
	case "GROUPS":
		f.Unit = ast.Groups
	}
	if p.words("BETWEEN") {
		f.Start, n.start = b.bound(comma)
		p.needWord("AND")
		f.End, n.end = b.bound(comma || n.start)
	} else {
		f.Start, n.start = b.bound(comma)
		f.End.Kind = ast.CurrentRow
	}
	if !p.words("EXCLUDE") {
		return f
	}
	switch {
	case p.words("NO", "OTHERS"):
	case p.words("CURRENT", "ROW"):
		f.Exclude = ast.ExcludeRow
	case p.words("GROUP"):
		f.Exclude = ast.ExcludeGroup
	case p.words("TIES"):
		f.Exclude = ast.ExcludeTies
	default:
		p.unexpected("NO OTHERS, CURRENT ROW, GROUP or TIES")
	}
	return f
}

// bound reads one end of a frame. offset says that it has an expression.
func (b *block) bound(comma bool) (out ast.FrameBound, offset bool) {
	p := b.p
	switch {
	case p.words("UNBOUNDED", "PRECEDING"):
		return out, false
	case p.words("UNBOUNDED", "FOLLOWING"):
		out.Kind = ast.UnboundedFollowing
		return out, false
	case p.words("CURRENT", "ROW"):
		out.Kind = ast.CurrentRow
		return out, false
	}
	if comma {
		b.comma()
	}
	b.expr()
	switch {
	case p.words("PRECEDING"):
		out.Kind = ast.Preceding
	case p.words("FOLLOWING"):
		out.Kind = ast.Following
	default:
		p.unexpected("PRECEDING or FOLLOWING")
	}
	return out, true
}

// windows reads the WINDOW clause.
func (b *block) windows() {
	p := b.p
	for p.err == nil {
		first, at := p.pos, p.cur()
		name := p.name("a window")
		if b.windowNamed(name) != nil {
			p.fail(at, "the window %q is defined twice", name)
		}
		p.needWord("AS")
		// The expressions are the arguments of a call, like those after OVER.
		b.out = &out{}
		m := b.open(first)
		w, n := b.window(false)
		b.named = append(b.named, namedWindow{name, w})
		b.close(m, func(a []ast.Expr) ast.Expr {
			n.fill(w, a)
			return &ast.Row{}
		})
		b.slots = append(b.slots, &slot{clause: inItems, out: b.out, set: func(ast.Expr) {}})
		if !p.op(",") {
			return
		}
	}
}

// namedWindow is an entry of the WINDOW clause.
type namedWindow struct {
	name   string
	window *ast.Window
}

func (b *block) windowNamed(name string) *ast.Window {
	for _, w := range b.named {
		if strings.EqualFold(w.name, name) {
			return w.window
		}
	}
	return nil
}

// resolve replaces the names of windows by what they stand for.
func (b *block) resolve() {
	open := make(map[*ast.Window]*windowUse, len(b.uses))
	for i, u := range b.uses {
		open[u.window] = &b.uses[i]
	}
	for _, u := range b.uses {
		b.take(u.window, open)
	}
}

// take completes a window by the one that it names. open are the windows that are not
// complete; nil is one that is being completed.
func (b *block) take(w *ast.Window, open map[*ast.Window]*windowUse) {
	u, ok := open[w]
	if !ok || b.p.err != nil {
		return
	}
	if u == nil {
		b.p.abort(fmt.Errorf("a window of the WINDOW clause refers to itself"))
		return
	}
	base := b.windowNamed(u.base)
	if base == nil {
		var names []string
		for _, n := range b.named {
			names = append(names, n.name)
		}
		b.p.abort(&errs.NotFoundError{Kind: "window", Name: u.base, Nearest: errs.Nearest(u.base, names)})
		return
	}
	open[w] = nil
	b.take(base, open)
	delete(open, w)
	switch {
	case u.whole:
		*w = *base
		return
	case base.Frame != nil:
		b.p.fail(u.at, "the window %q has a frame, so nothing can be added to it; write OVER %s", u.base, u.base)
	case len(w.Partition) > 0 && len(base.Partition) > 0:
		b.p.fail(u.at, "the window %q has a PARTITION BY already", u.base)
	case w.OrderBy != nil && base.OrderBy != nil:
		b.p.fail(u.at, "the window %q has an ORDER BY already", u.base)
	}
	if len(w.Partition) == 0 {
		w.Partition = base.Partition
	}
	if w.OrderBy == nil {
		w.OrderBy = base.OrderBy
	}
}
