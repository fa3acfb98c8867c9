package dialect

import (
	"context"

	"github.com/parquetsql/parquetsql/planner/lex"
)

// The kinds of tokens.
const (
	tEOF    = lex.EOF
	tWord   = lex.Word
	tQuoted = lex.Quoted
	tString = lex.String
	tNumber = lex.Number
	tBlob   = lex.Blob
	tSystem = lex.System
	tParam  = lex.Param
	tOp     = lex.Op
)

// token is one token. upper is an unquoted word in upper case, to compare with keywords.
type token struct {
	kind     lex.Kind
	pos, end int
	text     string
	upper    string // tWord only
}

// tokenize cuts the text into tokens.
func tokenize(ctx context.Context, text string) ([]token, error) {
	list, err := lex.Tokenize(ctx, text)
	if err == nil {
		err = ctx.Err() // memory of the tokens takes a while, too
	}
	if err != nil {
		return nil, err
	}
	toks := make([]token, len(list))
	for i, t := range list {
		if i%lex.TokensPerCheck == lex.TokensPerCheck-1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		toks[i] = token{kind: t.Kind, pos: t.Pos, end: t.End, text: t.Text, upper: t.Upper}
	}
	return toks, nil
}

func (t token) word(w string) bool { return t.kind == tWord && t.upper == w }
func (t token) op(o string) bool   { return t.kind == tOp && t.text == o }

// reserved are the words that end an expression.
var reserved = lex.Reserved

// notAlias are words that may name a column but are not an alias without AS.
var notAlias = words(`DIV MOD REGEXP RLIKE SIMILAR GLOB ESCAPE ISNULL NOTNULL COLLATE OVER FILTER LOCK INTERVAL PARTITION`)

// joinWords are written before JOIN and give its kind; there they are not an alias.
var joinWords = words(`SEMI ANTI ASOF POSITIONAL STRAIGHT_JOIN`)

func words(s string) map[string]bool { return lex.Words(s) }

func (t token) reserved() bool { return t.kind == tWord && reserved[t.upper] }

// name reports whether the token may be the name of a function.
func (t token) name() bool { return t.kind == tQuoted || t.kind == tWord && !t.reserved() }

// describe names the token in a message.
func (t token) describe() string {
	switch t.kind {
	case tEOF:
		return "the end of the statement"
	case tString:
		return "a string"
	case tNumber:
		return "the number " + t.text
	case tParam:
		return "a placeholder"
	case tBlob:
		return "a BLOB"
	}
	return "'" + lex.Clip(t.text) + "'"
}
