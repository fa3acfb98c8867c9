package expr

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// sqlReader is as much of SQL's expressions as the tables of this package's
// tests need, by precedence climbing. Literals go through a hook, so that a test may make
// columns of them.
type sqlReader struct {
	tokens  []string
	at      int
	literal func(vector.Scalar) Expr
	columns map[string]Expr
}

// readSQL builds an expression, or returns the builder's error.
func readSQL(text string, columns map[string]Expr, literal func(vector.Scalar) Expr) (e Expr, err error) {
	r := &sqlReader{tokens: sqlTokens(text), columns: columns, literal: literal}
	if literal == nil {
		r.literal = NewConst
	}
	defer func() {
		if p := recover(); p != nil {
			b, ok := p.(buildError)
			if !ok {
				panic(p)
			}
			err = b.error
		}
	}()
	e = r.expression(0)
	if r.at != len(r.tokens) {
		return nil, fmt.Errorf("test text %q goes on at %q", text, r.tokens[r.at])
	}
	return e, nil
}

// mustSQL builds an expression over columns.
func mustSQL(t testing.TB, text string, columns map[string]Expr) Expr {
	t.Helper()
	e, err := readSQL(text, columns, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

type buildError struct{ error }

func built(e Expr, err error) Expr {
	if err != nil {
		panic(buildError{err})
	}
	return e
}

func sqlTokens(text string) []string {
	var tokens []string
	for i := 0; i < len(text); {
		c := text[i]
		from := i
		switch {
		case c == ' ':
			i++
			continue
		case c == '\'':
			for i++; i < len(text) && (text[i] != '\'' || i+1 < len(text) && text[i+1] == '\''); i++ {
				if text[i] == '\'' {
					i++
				}
			}
			i++
		case isWord(c) || c == '.' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
			number := c >= '0' && c <= '9' || c == '.'
			for i < len(text) && (isWord(text[i]) || number && text[i] == '.') {
				i++
				if number && i+1 < len(text) && (text[i-1] == 'e') && (text[i] == '-' || text[i] == '+') {
					i++
				}
			}
		default:
			i++
			for _, op := range []string{"->>", "->", "::", "||", "<=", ">=", "<>", "<<", ">>"} {
				if strings.HasPrefix(text[from:], op) {
					i = from + len(op)
					break
				}
			}
		}
		tokens = append(tokens, text[from:i])
	}
	return tokens
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func (r *sqlReader) peek() string {
	if r.at < len(r.tokens) {
		return strings.ToUpper(r.tokens[r.at])
	}
	return ""
}

func (r *sqlReader) accept(words ...string) bool {
	for k, w := range words {
		if r.at+k >= len(r.tokens) || strings.ToUpper(r.tokens[r.at+k]) != w {
			return false
		}
	}
	r.at += len(words)
	return true
}

func (r *sqlReader) expect(word string) {
	if !r.accept(word) {
		panic(buildError{fmt.Errorf("test text: want %s at %v", word, r.tokens[min(r.at, len(r.tokens)):])})
	}
}

var sqlBinary = map[string]struct {
	level int
	op    Op
}{
	"OR": {1, OpOr}, "AND": {2, OpAnd},
	"=": {4, OpEq}, "<>": {4, OpNe}, "<": {4, OpLt}, "<=": {4, OpLe}, ">": {4, OpGt}, ">=": {4, OpGe},
	"||": {5, OpConcat}, "|": {5, OpBitOr}, "&": {6, OpBitAnd}, "<<": {6, OpShiftLeft}, ">>": {6, OpShiftRight},
	"+": {7, OpAdd}, "-": {7, OpSub}, "*": {8, OpMul}, "/": {8, OpDiv}, "%": {8, OpMod}, "DIV": {8, OpIntDiv},
}

func (r *sqlReader) expression(level int) Expr {
	var left Expr
	if level <= 3 && r.accept("NOT") {
		left = built(NewNot(r.expression(3)))
	} else {
		left = r.unary()
	}
	for {
		if b, ok := sqlBinary[r.peek()]; ok && b.level >= level {
			r.at++
			right := r.expression(b.level + 1)
			if b.op.IsComparison() {
				left = built(NewCompare(b.op, left, right))
			} else {
				left = built(NewArith(b.op, left, right))
			}
			continue
		}
		if level > 4 {
			return left
		}
		next := r.suffix(left)
		if next == nil {
			return left
		}
		left = next
	}
}

// suffix is IS, IN, BETWEEN and LIKE.
func (r *sqlReader) suffix(left Expr) Expr {
	if r.accept("IS") {
		not := r.accept("NOT")
		switch {
		case r.accept("NULL"):
			return NewIsNull(left, not)
		case r.accept("TRUE"):
			return built(NewIsBool(left, true, not))
		case r.accept("FALSE"):
			return built(NewIsBool(left, false, not))
		}
		r.expect("DISTINCT")
		r.expect("FROM")
		return built(NewDistinctFrom(left, r.expression(5), not))
	}
	not := r.accept("NOT")
	switch {
	case r.accept("IN"):
		r.expect("(")
		return built(NewIn(left, r.list(), not))
	case r.accept("BETWEEN"):
		lo := r.expression(5)
		r.expect("AND")
		return built(NewBetween(left, lo, r.expression(5), not))
	}
	insensitive := r.accept("ILIKE")
	if insensitive || r.accept("LIKE") {
		pattern := r.expression(5)
		var escape Expr
		if r.accept("ESCAPE") {
			escape = r.expression(5)
		}
		return built(NewLike(left, pattern, escape, insensitive, not))
	}
	return nil
}

// list reads up to the closing parenthesis.
func (r *sqlReader) list() []Expr {
	var list []Expr
	for !r.accept(")") {
		list = append(list, r.expression(0))
		if !r.accept(",") && r.peek() != ")" {
			r.expect(")")
		}
	}
	return list
}

func (r *sqlReader) unary() Expr {
	switch {
	case r.accept("-"):
		return built(NewNeg(r.unary()))
	case r.accept("~"):
		return built(NewBitNot(r.unary()))
	}
	e := r.primary()
	for {
		switch {
		case r.accept("::"):
			e = built(NewCast(e, r.typeName(), false))
		case r.accept("->>"):
			e = built(NewCall("->>", []Expr{e, r.unary()}))
		case r.accept("->"):
			e = built(NewCall("->", []Expr{e, r.unary()}))
		default:
			return e
		}
	}
}

func (r *sqlReader) typeName() vector.Type {
	name := r.next()
	var args []int
	if r.accept("(") {
		for !r.accept(")") {
			var n int
			fmt.Sscan(r.next(), &n)
			args = append(args, n)
			r.accept(",")
		}
	}
	t, err := ParseType(name, args)
	if err != nil {
		panic(buildError{err})
	}
	return t
}

func (r *sqlReader) next() string {
	if r.at == len(r.tokens) {
		panic(buildError{fmt.Errorf("test text ends early")})
	}
	r.at++
	return r.tokens[r.at-1]
}

func (r *sqlReader) primary() Expr {
	token := r.next()
	upper := strings.ToUpper(token)
	switch {
	case token == "(":
		e := r.expression(0)
		r.expect(")")
		return e
	case token[0] == '\'':
		return r.literal(vector.StringScalar(unquote(token)))
	case token[0] >= '0' && token[0] <= '9' || token[0] == '.':
		return r.literal(numberLiteral(token))
	case upper == "TRUE" || upper == "FALSE":
		return r.literal(vector.BoolScalar(upper == "TRUE"))
	case upper == "NULL":
		return NewConst(vector.NullOf(vector.Of(vector.Null)))
	case upper == "X" && r.peek() != "" && r.peek()[0] == '\'':
		raw, _ := hex.DecodeString(unquote(r.next()))
		return r.literal(vector.Scalar{Type: vector.Of(vector.Blob), Str: string(raw)})
	case upper == "CAST" || upper == "TRY_CAST":
		r.expect("(")
		e := r.expression(0)
		r.expect("AS")
		t := r.typeName()
		r.expect(")")
		return built(NewCast(e, t, upper == "TRY_CAST"))
	case upper == "CASE":
		return r.caseOf()
	case r.peek() != "" && r.peek()[0] == '\'':
		t, err := ParseType(token, nil)
		if err != nil {
			panic(buildError{err})
		}
		v := built(NewCast(NewConst(vector.StringScalar(unquote(r.next()))), t, false))
		if c, ok := v.(*Const); ok {
			return r.literal(c.Value)
		}
		return v
	case r.accept("("):
		return built(NewCall(token, r.list()))
	}
	c, ok := r.columns[token]
	if !ok {
		panic(buildError{fmt.Errorf("test text: no column %s", token)})
	}
	return c
}

func (r *sqlReader) caseOf() Expr {
	var operand, other Expr
	if r.peek() != "WHEN" {
		operand = r.expression(0)
	}
	var whens, thens []Expr
	for r.accept("WHEN") {
		whens = append(whens, r.expression(0))
		r.expect("THEN")
		thens = append(thens, r.expression(0))
	}
	if r.accept("ELSE") {
		other = r.expression(0)
	}
	r.expect("END")
	return built(NewCase(operand, whens, thens, other))
}

func unquote(s string) string { return strings.ReplaceAll(s[1:len(s)-1], "''", "'") }

// numberLiteral is a literal as the planner makes it.
func numberLiteral(text string) vector.Scalar {
	n, _ := parseNumeral(text)
	if strings.ContainsAny(text, "eE") {
		v, _ := parseFloat(text, 64)
		return vector.FloatScalar(v)
	}
	v, _ := n.scaled(38, -n.exponent)
	switch {
	case strings.Contains(text, "."):
		p := max(len(n.digits), -n.exponent, 1)
		return vector.Scalar{Type: vector.DecimalType(p, -n.exponent), I64: v.Int64(), I128: v}
	case v.IsInt64():
		return vector.IntScalar(v.Int64())
	case v.Hi == 0:
		return vector.Scalar{Type: vector.Of(vector.UBigInt), U64: v.Lo}
	}
	return vector.Scalar{Type: vector.DecimalType(38, 0), I128: v}
}
