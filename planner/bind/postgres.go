package bind

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

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
	shown := map[int]bool{} // the arguments so far
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
		if shown[next] && !desugar.Fixed(e.Args[next]) {
			return nil, errs.Unsupported("FORMAT that shows an argument twice which has another value each time")
		}
		shown[next] = true
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

// spelledBytes is a string that is cast to bytea; nil if it is none. \x begins hexadecimal digits, among
// which there may be white space; in others a backslash begins another one or three octal digits.
func spelledBytes(e *ast.Cast) (*ast.Literal, error) {
	l, ok := e.X.(*ast.Literal)
	if !ok || l.Kind != ast.String || e.Type.Name != "BYTEA" && e.Type.Name != "BLOB" {
		return nil, nil
	}
	if digits, ok := strings.CutPrefix(l.Text, `\x`); ok {
		if strings.Contains(digits, `\`) {
			return nil, nil // as the dialect writes them, '\x00\xff'
		}
		data, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
		if err != nil {
			return nil, errs.State("22023", fmt.Errorf("the bytea %.40q has no hexadecimal digits: %w", l.Text, err))
		}
		return &ast.Literal{Span: l.Span, Kind: ast.Blob, Text: string(data)}, nil
	}
	var data strings.Builder
	for i := 0; i < len(l.Text); i++ {
		if l.Text[i] != '\\' {
			data.WriteByte(l.Text[i])
			continue
		}
		rest := l.Text[i+1:]
		if strings.HasPrefix(rest, `\`) {
			data.WriteByte('\\')
			i++
			continue
		}
		octal, err := strconv.ParseUint(rest[:min(3, len(rest))], 8, 8)
		if err != nil || len(rest) < 3 {
			return nil, errs.State("22P02", fmt.Errorf("the bytea %.40q has a backslash without another one or three octal digits", l.Text))
		}
		data.WriteByte(byte(octal))
		i += 3
	}
	return &ast.Literal{Span: l.Span, Kind: ast.Blob, Text: data.String()}, nil
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
			if pattern[i] < utf8.RuneSelf { // \d is a digit; other letters mean themselves
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
		case c == '(': // (?i) is no flag
			out.WriteString("(?:")
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
