package dialect

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// version reads which version of a table is meant, if that is said:
//
//	t@v3                            as in Delta Lake
//	t [FOR] VERSION AS OF 3         also SYSTEM_VERSION
//	t [FOR] TIMESTAMP AS OF '…'     also SYSTEM_TIME, as in the SQL standard
//	t AT (VERSION => 3)             also TIMESTAMP, as in DuckDB
func (b *block) version(t *ast.TableName) {
	p := b.p
	if at := p.cur(); at.kind == tParam && p.text[at.pos] == '@' && at.pos == p.ahead(-1).end && isVersion(at.text) {
		p.advance()
		s := ast.Span{Pos: at.pos, End: at.end}
		t.Version = &ast.Version{Span: s, Value: &ast.Literal{Span: s, Kind: ast.Integer, Text: at.text[1:]}}
		return
	}
	first := p.pos
	next := 0
	if p.isWord("FOR") {
		next = 1
	}
	kind := p.ahead(next).upper
	time, ok := versionWords[kind]
	switch {
	case ok && p.ahead(next+1).word("AS") && p.ahead(next+2).word("OF"):
		p.pos += next + 3
		b.versionValue(t, first, time)
	case p.isWord("AT") && p.ahead(1).op("(") && p.ahead(3).op("=>"):
		if time, ok = versionWords[p.ahead(2).upper]; !ok {
			return
		}
		p.pos += 4
		b.versionValue(t, first, time)
		p.need(")")
		t.Version.Span = p.span(first)
	}
}

func (b *block) versionValue(t *ast.TableName, first int, time bool) {
	v := &ast.Version{Time: time}
	t.Version = v
	b.operandSlot(func(e ast.Expr) { v.Value = e })
	v.Span = b.p.span(first)
}

// versionWords begin a version; true: by time.
var versionWords = map[string]bool{"VERSION": false, "SYSTEM_VERSION": false, "TIMESTAMP": true, "SYSTEM_TIME": true}

// isVersion reports whether a text is v and a number.
func isVersion(text string) bool {
	digits, ok := strings.CutPrefix(text, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
