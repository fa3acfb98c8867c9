package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// begins      are the words that statements begin with, and clauseWords those of a query: what a word may be
// a misspelling of.
var (
	begins      = strings.Fields("SELECT WITH VALUES SHOW DESCRIBE EXPLAIN FROM SUMMARIZE PIVOT")
	clauseWords = strings.Fields("FROM WHERE GROUP ORDER HAVING LIMIT OFFSET JOIN LEFT INNER UNION BETWEEN QUALIFY WINDOW")
)

// hint says what may be meant where the token at the cursor is not expected; mostly "".
func (p *parser) hint() string {
	t, before := p.cur(), p.prev()
	behindName := before.kind == tWord && !before.reserved() && p.pos > 1
	switch {
	case t.kind == tNumber && before.word("TOP"):
		return "; LIMIT " + t.text + " at the end of the query takes the place of TOP"
	case t.kind == tWord && !t.reserved():
		if said := likely(t.text, clauseWords); said != "" {
			return said
		}
	case t.op("#"):
		return "; a comment begins with --"
	case p.clause() == tables && (t.op(".") || t.op("/") || t.op("-") || t.op("[") && before.word("FROM")):
		return "; a path has single quotes, a name with signs double ones"
	case t.op("(") && behindName:
		return "; a name with spaces has double quotes"
	}
	// An unknown word before the token may have been read as an alias.
	if behindName {
		if said := likely(before.text, clauseWords); said != "" {
			return said
		}
	}
	if p.clause() != others && beginsItem(t) && endsItem(before) {
		return "; is a comma missing before it?"
	}
	return ""
}

// beginsItem and endsItem report whether a token may begin and end an item of a list.
func beginsItem(t token) bool { return t.name() || t.kind == tNumber || t.kind == tString }
func endsItem(t token) bool   { return beginsItem(t) || t.op(")") }

// part is where in a query the cursor is in, as far as hints need it.
type part int

const (
	others part = iota
	tables
	items
)

// clauseBegins are the words that begin parts.
var clauseBegins = map[string]part{
	"FROM": tables, "JOIN": tables, "DESCRIBE": tables, "SUMMARIZE": tables, "SELECT": items, "BY": items,
	"WHERE": others, "ON": others, "HAVING": others, "QUALIFY": others, "LIMIT": others, "OFFSET": others, "VALUES": others, "WINDOW": others,
}

// clauseTokens is how far clause looks back: a statement of many parts that fail one after another
// would be read again for each.
const clauseTokens = 50

func (p *parser) clause() part {
	for i := p.pos - 1; i >= max(p.pos-clauseTokens, 0); i-- {
		if t := p.toks[i]; t.kind == tWord {
			if at, ok := clauseBegins[t.upper]; ok {
				return at
			}
		}
	}
	return others
}

// likely is the word of the language that a text may be a misspelling of.
func likely(text string, words []string) string {
	if slices.Contains(words, strings.ToUpper(text)) {
		return ""
	}
	for _, word := range errs.Nearest(text, words) {
		return fmt.Sprintf(" (%s?)", word)
	}
	return ""
}

// by reads the BY after GROUP or ORDER. After a comma these may be meant as the name of a table or column.
func (p *parser) by() {
	if p.pos > 1 && p.ahead(-2).op(",") && !p.isWord("BY") {
		p.pos--
		p.unexpectedName("a name")
		return
	}
	p.needWord("BY")
}

// unexpectedName is unexpected where a name may stand: a word of the language is one with quotes.
func (p *parser) unexpectedName(wanted string) {
	t := p.cur()
	if t.kind != tWord {
		p.unexpected(wanted)
		return
	}
	p.fail(t, `expected %s, found '%s', which is a word of the language: as a name it has double quotes, "%[2]s"`, wanted, clip(t.text))
}
