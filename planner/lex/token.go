package lex

import "strings"

// Kind is what a token is.
type Kind uint8

// The kinds of tokens.
const (
	EOF    Kind = iota
	Word        // an unquoted name or keyword
	Quoted      // "name" or `name`; Text is without quotes
	String      // 'text'; Text is without quotes, escapes are resolved
	Number
	Blob   // x'00ff', 0x00ff; Text holds the bytes
	System // @@version; Text is "version"
	Param  // ?, $1, :name; Text is "", "1" or "name"
	Op     // anything else; Text is the operator
)

// Token is one token. Its positions are bytes of the text, from 0.
type Token struct {
	Kind     Kind
	Pos, End int
	Text     string
	Upper    string // of a Word: in upper case, to compare with keywords
}

// Clip shortens a text for a message.
func Clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Is reports whether the token is an unquoted word, which is given in upper case.
func (t Token) Is(word string) bool { return t.Kind == Word && t.Upper == word }

// IsOp reports whether the token is an operator.
func (t Token) IsOp(op string) bool { return t.Kind == Op && t.Text == op }

// Reserved are the words that end an expression. Unquoted they are neither a
// column nor an alias; all other words may be names.
var Reserved = Words(`AND AS ASC BETWEEN BY CASE CROSS DESC DISTINCT ELSE END EXCEPT FETCH FOR FROM FULL GROUP HAVING
	ILIKE IN INNER INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT NATURAL NOT OFFSET ON OR ORDER OUTER QUALIFY
	RIGHT SELECT TABLESAMPLE THEN UNION USING WHEN WHERE WINDOW WITH`)

// Reserved reports whether the token is a word that cannot be a name.
func (t Token) Reserved() bool { return t.Kind == Word && Reserved[t.Upper] }

// Words is the set of the words in a text.
func Words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}
