package expr_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/expr/internal/scalar"
	"github.com/parquetsql/parquetsql/vector"
)

// The tests of this package from outside take expressions from their SQL text to their results: every case
// is evaluated with literals and over columns in all forms of vectors.

// sqlReader parses the SQL expressions that the tests of this package need, by
// precedence climbing. A hook receives each literal, so that a test can turn it into a
// column.
type sqlReader struct {
	tokens  []string
	at      int
	literal func(vector.Scalar) expr.Expr
	columns map[string]expr.Expr
}

// readSQL builds an expression, or returns the builder's error.
func readSQL(text string, columns map[string]expr.Expr, literal func(vector.Scalar) expr.Expr) (e expr.Expr, err error) {
	r := &sqlReader{tokens: sqlTokens(text), columns: columns, literal: literal}
	if literal == nil {
		r.literal = expr.NewConst
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
		return nil, fmt.Errorf("test text %q: unexpected %q", text, r.tokens[r.at])
	}
	return e, nil
}

// mustSQL builds an expression over columns.
func mustSQL(t testing.TB, text string, columns map[string]expr.Expr) expr.Expr {
	t.Helper()
	e, err := readSQL(text, columns, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

type buildError struct{ error }

func built(e expr.Expr, err error) expr.Expr {
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
	op    scalar.Op
}{
	"OR": {1, scalar.OpOr}, "AND": {2, scalar.OpAnd},
	"=": {4, scalar.OpEq}, "<>": {4, scalar.OpNe}, "<": {4, scalar.OpLt}, "<=": {4, scalar.OpLe}, ">": {4, scalar.OpGt}, ">=": {4, scalar.OpGe},
	"||": {5, scalar.OpConcat}, "|": {5, scalar.OpBitOr}, "&": {6, scalar.OpBitAnd}, "<<": {6, scalar.OpShiftLeft}, ">>": {6, scalar.OpShiftRight},
	"+": {7, scalar.OpAdd}, "-": {7, scalar.OpSub}, "*": {8, scalar.OpMul}, "/": {8, scalar.OpDiv}, "%": {8, scalar.OpMod}, "DIV": {8, scalar.OpIntDiv},
}

func (r *sqlReader) expression(level int) expr.Expr {
	var left expr.Expr
	if level <= 3 && r.accept("NOT") {
		left = built(expr.NewNot(r.expression(3)))
	} else {
		left = r.unary()
	}
	for {
		if b, ok := sqlBinary[r.peek()]; ok && b.level >= level {
			r.at++
			right := r.expression(b.level + 1)
			if b.op.IsComparison() {
				left = built(expr.NewCompare(b.op, left, right))
			} else {
				left = built(expr.NewArith(b.op, left, right))
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

// suffix parses IS, IN, BETWEEN and LIKE.
func (r *sqlReader) suffix(left expr.Expr) expr.Expr {
	if r.accept("IS") {
		not := r.accept("NOT")
		switch {
		case r.accept("NULL"):
			return expr.NewIsNull(left, not)
		case r.accept("TRUE"):
			return built(expr.NewIsBool(left, true, not))
		case r.accept("FALSE"):
			return built(expr.NewIsBool(left, false, not))
		}
		r.expect("DISTINCT")
		r.expect("FROM")
		return built(expr.NewDistinctFrom(left, r.expression(5), not))
	}
	not := r.accept("NOT")
	switch {
	case r.accept("IN"):
		r.expect("(")
		return built(expr.NewIn(left, r.list(), not))
	case r.accept("BETWEEN"):
		lo := r.expression(5)
		r.expect("AND")
		return built(expr.NewBetween(left, lo, r.expression(5), not))
	}
	insensitive := r.accept("ILIKE")
	if insensitive || r.accept("LIKE") {
		pattern := r.expression(5)
		var escape expr.Expr
		if r.accept("ESCAPE") {
			escape = r.expression(5)
		}
		return built(expr.NewLike(left, pattern, escape, insensitive, not))
	}
	return nil
}

// list parses expressions up to the closing parenthesis.
func (r *sqlReader) list() []expr.Expr {
	var list []expr.Expr
	for !r.accept(")") {
		list = append(list, r.expression(0))
		if !r.accept(",") && r.peek() != ")" {
			r.expect(")")
		}
	}
	return list
}

func (r *sqlReader) unary() expr.Expr {
	switch {
	case r.accept("-"):
		return built(expr.NewNeg(r.unary()))
	case r.accept("~"):
		return built(expr.NewBitNot(r.unary()))
	}
	e := r.primary()
	for {
		switch {
		case r.accept("::"):
			e = built(expr.NewCast(e, r.typeName(), false))
		case r.accept("->>"):
			e = built(function.New("->>", []expr.Expr{e, r.unary()}))
		case r.accept("->"):
			e = built(function.New("->", []expr.Expr{e, r.unary()}))
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
	t, err := scalar.ParseType(name, args)
	if err != nil {
		panic(buildError{err})
	}
	return t
}

func (r *sqlReader) next() string {
	if r.at == len(r.tokens) {
		panic(buildError{fmt.Errorf("test text ends too early")})
	}
	r.at++
	return r.tokens[r.at-1]
}

func (r *sqlReader) primary() expr.Expr {
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
		return expr.NewConst(vector.NullOf(vector.Of(vector.Null)))
	case upper == "X" && r.peek() != "" && r.peek()[0] == '\'':
		raw, _ := hex.DecodeString(unquote(r.next()))
		return r.literal(vector.Scalar{Type: vector.Of(vector.Blob), Str: string(raw)})
	case upper == "CAST" || upper == "TRY_CAST":
		r.expect("(")
		e := r.expression(0)
		r.expect("AS")
		t := r.typeName()
		r.expect(")")
		return built(expr.NewCast(e, t, upper == "TRY_CAST"))
	case upper == "CASE":
		return r.caseOf()
	case r.peek() != "" && r.peek()[0] == '\'':
		t, err := scalar.ParseType(token, nil)
		if err != nil {
			panic(buildError{err})
		}
		v := built(expr.NewCast(expr.NewConst(vector.StringScalar(unquote(r.next()))), t, false))
		if c, ok := v.(*expr.Const); ok {
			return r.literal(c.Value)
		}
		return v
	case r.accept("("):
		return built(function.New(token, r.list()))
	}
	c, ok := r.columns[token]
	if !ok {
		panic(buildError{fmt.Errorf("test text: no column %s", token)})
	}
	return c
}

func (r *sqlReader) caseOf() expr.Expr {
	var operand, other expr.Expr
	if r.peek() != "WHEN" {
		operand = r.expression(0)
	}
	var whens, thens []expr.Expr
	for r.accept("WHEN") {
		whens = append(whens, r.expression(0))
		r.expect("THEN")
		thens = append(thens, r.expression(0))
	}
	if r.accept("ELSE") {
		other = r.expression(0)
	}
	r.expect("END")
	return built(expr.NewCase(operand, whens, thens, other))
}

func unquote(s string) string { return strings.ReplaceAll(s[1:len(s)-1], "''", "'") }

// numberLiteral builds a number literal as the planner does.
func numberLiteral(text string) vector.Scalar {
	n, _ := scalar.ParseNumeral(text)
	if strings.ContainsAny(text, "eE") {
		v, _ := scalar.ParseFloat(text, 64)
		return vector.FloatScalar(v)
	}
	v, _ := n.Scaled(38, -n.Exponent)
	switch {
	case strings.Contains(text, "."):
		p := max(n.Digits(), -n.Exponent, 1)
		return vector.Scalar{Type: vector.DecimalType(p, -n.Exponent), I64: v.Int64(), I128: v}
	case v.IsInt64():
		return vector.IntScalar(v.Int64())
	case v.Hi == 0:
		return vector.Scalar{Type: vector.Of(vector.UBigInt), U64: v.Lo}
	}
	return vector.Scalar{Type: vector.DecimalType(38, 0), I128: v}
}
