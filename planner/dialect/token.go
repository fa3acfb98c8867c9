package dialect

// notAlias are words that may name a column but are not an alias without AS.
var notAlias = words(`DIV MOD REGEXP RLIKE SIMILAR GLOB ESCAPE ISNULL NOTNULL COLLATE OVER FILTER LOCK INTERVAL PARTITION`)

// joinWords are written before JOIN and give its kind; there they are not an alias.
var joinWords = words(`SEMI ANTI ASOF POSITIONAL STRAIGHT_JOIN`)

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
