package dialect

import "strings"

// This file has the name that PostgreSQL gives to a column without alias (FigureColname in its
// parser): that of a function, a column, a type to which something is cast, or else ?column?. Its
// clients find columns by these names: row.count is COUNT(*). The tree does not say it: EXTRACT and
// others are short for functions there. So it is read from the tokens.

// noLabel is the name of what has none.
const noLabel = "?column?"

// strength says how much a name counts: that of a function or a column is kept by a cast, which
// gives its type's name to what has none.
type strength uint8

const (
	none strength = iota
	weak          // of a type, or CASE
	strong
)

// labelWork bounds what the names of a statement cost: queries within each other are looked through
// again and again.
type labelWork struct{ left int }

// perToken is how often tokens may be looked at, on average.
const perToken = 20

// label is the name of the expression that tokens are.
func (w *labelWork) label(toks []token) string {
	name, how := w.labelOf(toks)
	if how == none {
		return noLabel
	}
	return name
}

func (w *labelWork) labelOf(toks []token) (name string, how strength) {
	if w.left -= len(toks); len(toks) == 0 || w.left < 0 {
		return "", none
	}
	switch first := toks[0]; {
	case first.op("(") && pair(toks, 0) == len(toks)-1:
		return w.inParentheses(enclosed(toks, 1, len(toks)-1))
	case first.word("CASE") && pair(toks, 0) == len(toks)-1:
		if name, how := w.labelOf(afterElse(toks)); how == strong {
			return name, how
		}
		return "case", weak
	}
	cast, zone, collation := -1, -1, -1
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.op("(") || t.op("[") || t.op("{") || t.word("CASE"):
			i = pair(toks, i)
		case t.op("::"):
			cast = i
		case t.word("AT") && i+1 < len(toks) && toks[i+1].word("TIME"):
			zone = i
		case t.word("COLLATE"):
			collation = i
		case t.kind == tOp && !t.op("."), t.kind == tWord && nameless[t.upper] && (i == 0 || !toks[i-1].op(".")):
			return "", none
		}
	}
	switch last := len(toks) - 1; {
	case zone > cast && zone > collation:
		return "timezone", strong
	case cast > collation:
		return w.castLabel(toks[:cast], toks[cast+1:])
	case collation > 0:
		return w.labelOf(toks[:collation])
	case toks[last].op("]") && !toks[0].word("ARRAY") && !toks[0].op("["):
		return w.labelOf(toks[:opening(toks)])
	}
	return w.primary(toks)
}

// nameless are the words that make something without a name of what stands beside them.
var nameless = words("AND OR NOT IS ISNULL NOTNULL IN LIKE ILIKE SIMILAR BETWEEN OPERATOR GLOB")

// pair is where the parenthesis, or CASE, at i ends; the last token if it does not.
func pair(toks []token, i int) int {
	for depth := 0; i < len(toks); i++ {
		switch t := toks[i]; {
		case t.op("(") || t.op("[") || t.op("{") || t.word("CASE"):
			depth++
		case t.op(")") || t.op("]") || t.op("}") || t.word("END"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(toks) - 1
}

// enclosed are some tokens; none where what encloses them does not end.
func enclosed(toks []token, from, to int) []token { return toks[min(from, to):to] }

// opening is where the bracket begins that ends with the last token.
func opening(toks []token) int {
	depth := 0
	for i := len(toks) - 1; i > 0; i-- {
		switch t := toks[i]; {
		case t.op(")") || t.op("]") || t.op("}") || t.word("END"):
			depth++
		case t.op("(") || t.op("[") || t.op("{") || t.word("CASE"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// afterElse is the expression behind ELSE of the CASE that tokens are.
func afterElse(toks []token) []token {
	for i := 1; i < len(toks); i++ {
		switch t := toks[i]; {
		case t.op("(") || t.op("[") || t.op("{") || t.word("CASE"):
			i = pair(toks, i)
		case t.word("ELSE"):
			return enclosed(toks, i+1, len(toks)-1)
		}
	}
	return nil
}

// inParentheses is the name of (x), of a row (x, y), and of a query: that of its first column.
func (w *labelWork) inParentheses(toks []token) (string, strength) {
	if len(toks) == 0 {
		return "row", strong
	}
	query := toks[0].word("SELECT")
	if toks[0].word("WITH") || toks[0].word("VALUES") {
		return "", none
	}
	from := 0
	if query {
		for from = 1; from < len(toks) && (toks[from].word("DISTINCT") || toks[from].word("ALL")); from++ {
		}
	}
	for i := from; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.op("(") || t.op("[") || t.op("{") || t.word("CASE"):
			i = pair(toks, i)
		case t.op(",") && !query:
			return "row", strong
		case query && (t.op(",") || t.reserved() && itemEnds[t.upper]):
			return w.itemLabel(toks[from:i])
		}
	}
	if query {
		return w.itemLabel(toks[from:])
	}
	return w.labelOf(toks)
}

// itemEnds are the words that follow a select list.
var itemEnds = words("FROM WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT WINDOW QUALIFY")

// itemLabel is the name of an item with or without alias.
func (w *labelWork) itemLabel(toks []token) (string, strength) {
	n := len(toks)
	if n > 2 && toks[n-2].word("AS") {
		return toks[n-1].text, strong
	}
	if n > 1 && toks[n-1].name() && (toks[n-2].op(")") || toks[n-2].name() || toks[n-2].kind == tNumber || toks[n-2].kind == tString) {
		return toks[n-1].text, strong
	}
	if name, how := w.labelOf(toks); how != none {
		return name, strong
	}
	return noLabel, strong
}

func (w *labelWork) castLabel(x, of []token) (string, strength) {
	if name, how := w.labelOf(x); how == strong {
		return name, strong
	}
	return typeLabel(of), weak
}

// typeLabels are PostgreSQL's names of types.
var typeLabels = map[string]string{
	"INT": "int4", "INTEGER": "int4", "BIGINT": "int8", "SMALLINT": "int2", "REAL": "float4", "FLOAT": "float8", "DOUBLE": "float8", "DECIMAL": "numeric", "DEC": "numeric",
	"BOOLEAN": "bool", "CHAR": "bpchar", "CHARACTER": "bpchar",
}

// typeLabel is the name of a type as PostgreSQL's catalog has it.
func typeLabel(toks []token) string {
	name := ""
	for i, t := range toks {
		if t.kind != tWord && t.kind != tQuoted || i > 0 && !toks[i-1].op(".") {
			break
		}
		name = strings.ToLower(t.text)
		if known, ok := typeLabels[t.upper]; ok {
			name = known
		}
		if i+1 < len(toks) && !toks[i+1].op(".") {
			break
		}
	}
	has := func(word string) bool {
		for _, t := range toks {
			if t.word(word) {
				return true
			}
		}
		return false
	}
	switch {
	case name == "bpchar" && has("VARYING"):
		return "varchar"
	case (name == "time" || name == "timestamp") && has("WITH"):
		return name + "tz"
	}
	return name
}

// primary is the name of a call, a column, a constant with its type before it.
func (w *labelWork) primary(toks []token) (string, strength) {
	n := 0 // the tokens of a name
	for n < len(toks) && (toks[n].kind == tWord || toks[n].kind == tQuoted) {
		if n++; n == len(toks) || !toks[n].op(".") {
			break
		}
		n++
	}
	if n == 0 || n > len(toks) {
		return "", none
	}
	name := toks[n-1]
	switch {
	case n == len(toks):
		if name.word("NULL") || name.word("TRUE") || name.word("FALSE") {
			return "", none
		}
		return strings.ToLower(name.text), strong
	case name.word("ARRAY"):
		return "array", strong
	case toks[n].op("("):
		return w.callLabel(name, enclosed(toks, n+1, pair(toks, n)))
	case toks[len(toks)-1].kind == tString, name.word("INTERVAL"):
		return typeLabel(toks), weak
	}
	return "", none
}

// callLabel is the name of a call by that of the function and what stands in its parentheses.
func (w *labelWork) callLabel(name token, args []token) (string, strength) {
	switch name.upper {
	case "CAST", "TRY_CAST":
		for i := 0; i < len(args); i++ {
			switch t := args[i]; {
			case t.op("(") || t.op("[") || t.op("{") || t.word("CASE"):
				i = pair(args, i)
			case t.word("AS"):
				return w.castLabel(args[:i], args[i+1:])
			}
		}
	case "TRIM":
		side := "btrim"
		if len(args) > 0 && args[0].word("LEADING") {
			side = "ltrim"
		} else if len(args) > 0 && args[0].word("TRAILING") {
			side = "rtrim"
		}
		return side, strong
	}
	return strings.ToLower(name.text), strong
}
