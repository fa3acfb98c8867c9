// Package dialect reads SQL text into the tree of package ast. Only this package
// uses the parser, github.com/xwb1989/sqlparser. Its grammar is that of MySQL in 2018:
// it lacks much syntax that users of other engines write, and it gives no positions.
//
// So this package reads the statement itself and leaves the parser the rest:
//
//  1. A tokenizer of our own cuts the text (lex.go). It knows the quoting and
//     the operators of this dialect, and the position of each token.
//  2. A recursive descent over the tokens (query.go, from.go, expr.go) cuts a
//     query into its blocks and a block into its clauses. It does not
//     parse expressions; it only finds the operands and operators.
//  3. Each operand is replaced by a numbered name, and each construct around
//     operands by a numbered call: CAST(x AS DATE)::text || 'a' becomes
//     f3(f2(q1)) | q4. The table of marks says what each number stands for.
//     Operators that the grammar lacks are written as others of the same
//     precedence: || as |, ILIKE as LIKE, IS DISTINCT FROM as <=>.
//  4. The parser reads the rewritten block. It decides precedence, BETWEEN …
//     AND, NOT, LIKE … ESCAPE, and whether the block is well formed.
//  5. Its tree is turned into ours (convert.go). A mark knows its
//     tokens, and an operator lies between its operands. So every node gets its
//     position in the user's text and the operator that the user wrote.
//
// Bounds: the parser takes quadratic time for nested NOT, and later steps walk
// the tree recursively; a Go program cannot recover from a stack overflow.
// Therefore text length, nesting, runs of prefix operators and the length of
// operator chains are limited before the parser is called. It takes 200 parentheses
// within each other, so an operand that is deep is an expression of its own for it.
//
// Files:
//
//   - dialect.go, parser.go, token.go: the entry, the cursor, the tokens; hint.go: what errors add
//   - lex.go, lex_bracket.go, lex_strings.go, lex_token.go: cut the text into tokens
//   - statement.go, set.go, query.go, block.go, union.go: statements and queries
//   - distinct.go, group.go, limit.go, window.go, sample.go: clauses
//   - from.go, table.go, version.go, pivot.go: FROM
//   - expr.go, chain.go, operand.go, generic.go, operator.go, collate.go: operators and operands
//   - call.go, special.go, array.go, nested.go, lambda.go, star.go, types.go: kinds of operands
//   - label.go: what PostgreSQL calls a column without alias
//   - mark.go, convert.go: the text for the parser, and its tree
package dialect

import (
	"context"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// The limits of a statement.
const (
	maxText     = 4 << 20 // bytes
	maxDepth    = 2000    // nested parentheses, brackets, CASEs and casts; a call counts as two
	maxPrefixes = 1000    // NOT and signs in a row
	maxChain    = 1000    // operators other than AND and OR between two separators

	// maxSubqueries is how many subqueries stand in expressions. Each becomes a join, and
	// each join has the columns of all those before it.
	maxSubqueries = 500
)

// Params describes the placeholders of a statement.
type Params struct {
	Count int         // how many positional arguments it takes
	Names []string    // the names, in order of first use; nil if positional
	At    []string    // those of Names that were written @name alone, never :name or $name
	All   []ast.Param // each of them, for its place
}

// Type reads the name of a type, as it stands in a CAST.
func Type(ctx context.Context, text string) (ast.TypeName, error) {
	if len(text) > maxText {
		return ast.TypeName{}, &errs.SyntaxError{Position: maxText, Message: "the type is longer than 4 MiB"}
	}
	p := &parser{ctx: ctx, ticker: quota.NewTicker(ctx, quota.NodesPerLook), text: text}
	toks, err := tokenize(ctx, text)
	if err != nil {
		return ast.TypeName{}, err
	}
	p.toks = toks
	t := p.typeName()
	if end := p.cur(); p.err == nil && end.kind != tEOF {
		p.fail(end, "%s is not expected here", end.describe())
	}
	return t, p.err
}

// Parse reads one statement; the end of ctx ends it. columns are names x of which @x is no
// placeholder but the absolute value of a column. Where other placeholders are numbered, so is
// every @x.
func Parse(ctx context.Context, text string, columns ...string) (ast.Statement, Params, error) {
	if len(text) > maxText {
		return nil, Params{}, &errs.SyntaxError{Position: maxText, Message: "the statement is longer than 4 MiB"}
	}
	p := &parser{ctx: ctx, ticker: quota.NewTicker(ctx, quota.NodesPerLook), text: text, columns: columns}
	toks, err := tokenize(ctx, text)
	if err != nil {
		return nil, Params{}, err
	}
	p.toks, p.labels.left = toks, perToken*len(toks)
	p.qualified()
	p.findAt()
	s := p.statement()
	if p.err != nil {
		return nil, Params{}, p.err
	}
	return s, p.params, nil
}
