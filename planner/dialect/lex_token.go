package dialect

import "strings"

// tokenKind is what a token is.
type tokenKind uint8

// The kinds of tokens.
const (
	tEOF    tokenKind = iota
	tWord             // an unquoted name or keyword
	tQuoted           // "name" or `name`; Text is without quotes
	tString           // 'text'; Text is without quotes, escapes are resolved
	tNumber
	tBlob   // x'00ff', 0x00ff; Text holds the bytes
	tSystem // @@version; Text is "version"
	tParam  // ?, $1, :name; Text is "", "1" or "name"
	tOp     // anything else; Text is the operator
)

// token is one token. Its positions are bytes of the text, from 0.
type token struct {
	kind     tokenKind
	pos, end int
	text     string
	upper    string // of a tWord: in upper case, to compare with keywords
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// word reports whether the token is an unquoted word, which is given in upper case.
func (t token) word(word string) bool { return t.kind == tWord && t.upper == word }

// op reports whether the token is an operator.
func (t token) op(op string) bool { return t.kind == tOp && t.text == op }

// reserved are the words that end an expression. Unquoted they are neither a
// column nor an alias; all other words may be names.
var reserved = words(`AND AS ASC BETWEEN BY CASE CROSS DESC DISTINCT ELSE END EXCEPT FETCH FOR FROM FULL GROUP HAVING
	ILIKE IN INNER INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT NATURAL NOT OFFSET ON OR ORDER OUTER QUALIFY
	RIGHT SELECT TABLESAMPLE THEN UNION USING WHEN WHERE WINDOW WITH`)

// reserved reports whether the token is a word that cannot be a name.
func (t token) reserved() bool { return t.kind == tWord && reserved[t.upper] }

// words is the set of the words in a text.
func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}
