package dialect

import "strings"

type kind uint8

const (
	tEOF    kind = iota
	tWord        // an unquoted name or keyword
	tQuoted      // "name" or `name`; text is without quotes
	tString      // 'text'; text is without quotes
	tNumber
	tBlob  // x'00ff', 0x00ff; text holds the bytes
	tParam // ?, $1, :name; text is "", "1" or "name"
	tOp    // anything else; text is the operator
)

// token is one token. upper is an unquoted word in upper case, to compare with keywords.
type token struct {
	kind     kind
	pos, end int
	text     string
	upper    string // tWord only
}

func (t token) word(w string) bool { return t.kind == tWord && t.upper == w }
func (t token) op(o string) bool   { return t.kind == tOp && t.text == o }

// reserved are the words that end an expression. Unquoted they are neither a
// column nor an alias; all other words may be names.
var reserved = words(`AND AS ASC BETWEEN BY CASE CROSS DESC DISTINCT ELSE END EXCEPT FETCH FOR FROM FULL GROUP HAVING
	ILIKE IN INNER INTERSECT INTO IS JOIN LATERAL LEFT LIKE LIMIT NATURAL NOT OFFSET ON OR ORDER OUTER QUALIFY
	RIGHT SELECT TABLESAMPLE THEN UNION USING WHEN WHERE WINDOW WITH`)

// notAlias are words that may name a column but are not an alias without AS.
var notAlias = words(`DIV MOD REGEXP RLIKE SIMILAR GLOB ESCAPE ISNULL NOTNULL COLLATE OVER FILTER LOCK INTERVAL PARTITION`)

// joinWords are written before JOIN and give its kind; there they are not an alias.
var joinWords = words(`SEMI ANTI ASOF POSITIONAL STRAIGHT_JOIN`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

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
	return "'" + clip(t.text) + "'"
}

func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
