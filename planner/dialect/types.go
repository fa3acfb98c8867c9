package dialect

import (
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// units are the words after INTERVAL 'n', singular.
var units = words(`YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND DECADE CENTURY MILLENNIUM`)

// unitOf is the singular of a unit, or empty.
func unitOf(t token) string {
	if t.kind != tWord {
		return ""
	}
	if units[t.upper] {
		return t.upper
	}
	if s := strings.TrimSuffix(t.upper, "S"); units[s] {
		return s
	}
	switch t.upper {
	case "CENTURIES":
		return "CENTURY"
	case "MILLENNIA":
		return "MILLENNIUM"
	}
	return ""
}

// beginsInterval reports whether INTERVAL begins a literal and is not a column's name.
func (p *parser) beginsInterval() bool {
	i := 1
	if t := p.ahead(i); t.op("-") || t.op("+") {
		i++
	}
	switch t := p.ahead(i); t.kind {
	case tString, tNumber, tParam:
		return true
	case tWord, tQuoted:
		return unitOf(p.ahead(i+1)) != ""
	default:
		return t.op("(")
	}
}

// interval reads INTERVAL '1' YEAR, INTERVAL '1 month' and INTERVAL x DAY.
func (b *block) interval(first int) {
	p := b.p
	p.advance()
	text := p.cur().kind == tString
	m := b.open(first)
	if !b.prefixes(&chain{}) {
		b.primary(p.pos)
	}
	unit := unitOf(p.cur())
	switch {
	case unit != "":
		p.advance()
		if p.isWord("TO") {
			p.unsupported("INTERVAL … %s TO …", unit)
		}
	case !text:
		p.unexpected("a unit such as DAY")
	}
	s := p.span(first)
	b.close(m, func(a []ast.Expr) ast.Expr { return &ast.Interval{Span: s, Value: a[0], Unit: unit} })
}

// typeName reads a type: one or more words, parameters, [] and [3] for lists, for which the standard has
// ARRAY and ARRAY[3].
func (p *parser) typeName() ast.TypeName {
	first := p.pos
	if t := p.cur(); t.kind != tWord && t.kind != tQuoted {
		p.unexpected("a type")
		return ast.TypeName{}
	}
	if !p.enter() {
		return ast.TypeName{}
	}
	defer p.leave()
	if p.isWord("PG_CATALOG") && p.ahead(1).op(".") && (p.ahead(2).kind == tWord || p.ahead(2).kind == tQuoted) {
		p.pos += 2
	}
	t := ast.TypeName{Name: strings.ToUpper(p.advance().text)}
	switch {
	case p.isOp("(") && (t.Name == "STRUCT" || t.Name == "ROW" || t.Name == "MAP" || t.Name == "LIST"):
		t = p.nestedType(t.Name)
	default:
		t = p.scalarType(t.Name)
	}
	for word := p.words("ARRAY"); word || p.isOp("["); word = false {
		list := ast.TypeName{Name: "LIST", Fields: []ast.TypeField{{Type: t}}}
		if p.op("[") {
			if !p.isOp("]") {
				list.Args = p.typeArgs(t.Name)
			}
			p.need("]")
		}
		t = list
	}
	t.Span = p.span(first)
	return t
}

// scalarType reads the rest of a type without fields.
func (p *parser) scalarType(name string) ast.TypeName {
	switch name {
	case "DOUBLE":
		p.words("PRECISION")
	case "CHARACTER", "CHAR":
		if p.words("VARYING") {
			name = "VARCHAR"
		}
	case "SIGNED", "UNSIGNED":
		if !p.words("INTEGER") {
			p.words("INT")
		}
	}
	t := ast.TypeName{Name: name}
	if p.op("(") && !p.op(")") {
		t.Args = p.typeArgs(t.Name)
		p.need(")")
	}
	switch {
	case p.words("WITH", "TIME", "ZONE"):
		t.Name += " WITH TIME ZONE"
	case p.words("WITHOUT", "TIME", "ZONE"):
	case p.words("UNSIGNED"):
		t.Name += " UNSIGNED"
	}
	return t
}

// nestedType reads the fields of STRUCT(a INT, b VARCHAR), which has names, of MAP(K, V)
// and of LIST(T).
func (p *parser) nestedType(name string) ast.TypeName {
	if name == "ROW" {
		name = "STRUCT"
	}
	t := ast.TypeName{Name: name}
	p.need("(")
	for p.err == nil {
		var f ast.TypeField
		if n := p.ahead(1); name == "STRUCT" && (n.kind == tWord || n.kind == tQuoted) {
			f.Name = p.anyName("the name of a field")
		}
		f.Type = p.typeName()
		t.Fields = append(t.Fields, f)
		if !p.op(",") {
			break
		}
	}
	p.need(")")
	return t
}

// typeArgs are the numbers after the name of a type.
func (p *parser) typeArgs(name string) []int {
	var args []int
	for p.err == nil {
		t := p.cur()
		if t.kind != tNumber {
			p.unsupported("the type %s(…)", name)
			return nil
		}
		n, err := strconv.Atoi(t.text)
		if err != nil || n > 1<<30 {
			p.fail(t, "a type's parameter must be a small whole number")
			return nil
		}
		p.advance()
		args = append(args, n)
		if !p.op(",") {
			break
		}
	}
	return args
}
