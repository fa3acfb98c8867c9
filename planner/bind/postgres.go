package bind

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"
	"github.com/parquetsql/parquetsql/vector"
)

// What PostgreSQL's clients write and DuckDB means otherwise. Sessions of theirs (Env.PostgreSQL) get
// what PostgreSQL means.

// spelled is what a call means to PostgreSQL; the call itself for most.
func spelled(e *ast.Call) (ast.Expr, error) {
	called := func(name string, args ...ast.Expr) *ast.Call { return &ast.Call{Span: e.Span, Name: name, Args: args} }
	switch name := strings.ToLower(e.Name); {
	case name == "to_hex" && len(e.Args) == 1:
		return called("lower", called("hex", e.Args[0])), nil
	case (name == "encode" || name == "decode") && len(e.Args) == 2:
		return desugar.Coded(e), nil
	case name == "format" && len(e.Args) > 0:
		return spelledFormat(e)
	case (name == "date_part" || name == "datepart") && len(e.Args) == 2:
		part, ok := e.Args[0].(*ast.Literal)
		if !ok {
			break
		}
		switch strings.ToLower(part.Text) {
		case "second", "seconds", "sec", "secs", "s": // with their fraction
			micros := called("date_part", &ast.Literal{Span: part.Span, Kind: ast.String, Text: "microseconds"}, e.Args[1])
			million := &ast.Literal{Span: e.Span, Kind: ast.Double, Text: "1e6"}
			return &ast.Binary{Span: e.Span, Op: ast.Div, L: micros, R: million}, nil
		}
	}
	return e, nil
}

// spelledFormat is format('%s: %I = %2$L', …): its parts one after another.
func spelledFormat(e *ast.Call) (ast.Expr, error) {
	template, ok := e.Args[0].(*ast.Literal)
	if !ok || template.Kind != ast.String {
		return nil, errs.Unsupported("FORMAT whose template is no string")
	}
	text := func(s string) ast.Expr { return &ast.Literal{Span: e.Span, Kind: ast.String, Text: s} }
	out := &ast.Call{Span: e.Span, Name: "concat", Args: []ast.Expr{text("")}}
	next := 1
	rest := template.Text
	for {
		before, after, found := strings.Cut(rest, "%")
		out.Args = append(out.Args, text(before))
		if !found {
			return out, nil
		}
		if strings.HasPrefix(after, "%") {
			out.Args, rest = append(out.Args, text("%")), after[1:]
			continue
		}
		digits := len(after) - len(strings.TrimLeft(after, "0123456789"))
		if digits > 0 && strings.HasPrefix(after[digits:], "$") {
			next, _ = strconv.Atoi(after[:digits]) // digits; a number that is too large is no argument
			after = after[digits+1:]
		}
		if after == "" || strings.IndexByte("sIL", after[0]) < 0 {
			return nil, errs.Unsupported("FORMAT with %%%.10s: there are %%s, %%I, %%L, %%%% and %%1$s, without a width", after)
		}
		if next < 1 || next >= len(e.Args) {
			return nil, errs.State("22023", errs.Unsupported("FORMAT with too few arguments"))
		}
		x := ast.Expr(&ast.Cast{Span: e.Span, X: e.Args[next], Type: ast.TypeName{Span: e.Span, Name: "VARCHAR"}})
		switch after[0] {
		case 'I':
			x = &ast.Call{Span: e.Span, Name: "quote_ident", Args: []ast.Expr{x}}
		case 'L':
			quoted := &ast.Call{Span: e.Span, Name: "quote_literal", Args: []ast.Expr{x}}
			x = &ast.Call{Span: e.Span, Name: "coalesce", Args: []ast.Expr{quoted, text("NULL")}}
		}
		out.Args, rest = append(out.Args, x), after[1:]
		next++
	}
}

// spelledBytes is the literal '\x00ff' that is cast to bytea; nil if it is none. Others are as in DuckDB,
// '\x00\xff'.
func spelledBytes(e *ast.Cast) *ast.Literal {
	l, ok := e.X.(*ast.Literal)
	if !ok || l.Kind != ast.String || !strings.HasPrefix(l.Text, `\x`) || e.Type.Name != "BYTEA" && e.Type.Name != "BLOB" {
		return nil
	}
	data, err := hex.DecodeString(l.Text[2:])
	if err != nil {
		return nil
	}
	return &ast.Literal{Span: l.Span, Kind: ast.Blob, Text: string(data)}
}

// escapeOf is the escape of LIKE where none is written: a backslash, if the pattern may have one.
func escapeOf(pattern expr.Expr) expr.Expr {
	if text, ok := expr.TextLiteral(pattern); ok && !strings.Contains(text.Str, `\`) {
		return nil
	}
	return expr.NewConst(vector.StringScalar(`\`))
}

// similarPattern is a pattern of SIMILAR TO as a regular expression for the whole text.
func similarPattern(pattern string) string {
	var out strings.Builder
	inside := false // of [ ]
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			if strings.IndexByte(`.^$\*+?(){}[]|`, pattern[i]) >= 0 {
				out.WriteByte('\\')
			}
			out.WriteByte(pattern[i])
		case c == '[':
			inside = true
			out.WriteByte(c)
		case c == ']':
			inside = false
			out.WriteByte(c)
		case inside:
			out.WriteByte(c)
		case c == '%':
			out.WriteString("(?s:.*)")
		case c == '_':
			out.WriteString("(?s:.)")
		case c == '.' || c == '^' || c == '$':
			out.WriteByte('\\')
			out.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}
