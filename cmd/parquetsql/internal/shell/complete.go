package shell

import (
	"cmp"
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/format"
	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/session"
)

// completer finds what may follow in a statement or command.
type completer struct{ names *names }

func newCompleter(db *sql.DB) *completer { return &completer{&names{db: db}} }

// complete returns what may stand at a byte of a line, and what is before and behind it.
// pending has the lines of the statement above it.
func (c *completer) complete(pending, line string, at int) (head string, words []string, tail string) {
	before := pending + line[:at]
	word, words := c.candidates(before, pending+line)
	if mixed(words, word) {
		for i, w := range words {
			quote := unwritten(w, word)
			words[i] = quote + word + w[len(quote)+len(word):]
		}
	}
	return strings.TrimSuffix(line[:at], word), slices.Compact(words), line[at:]
}

// mixed reports whether words begin in another case than was typed. Names match without
// regard to case, and the editor inserts what the words have in common.
func mixed(words []string, word string) bool {
	return len(words) > 1 && slices.ContainsFunc(words, func(w string) bool { return !strings.HasPrefix(strings.TrimPrefix(w, unwritten(w, word)), word) })
}

// candidates returns the part of a word at the end of before, and what may stand for it.
func (c *completer) candidates(before, whole string) (word string, found []string) {
	if command, ok := strings.CutPrefix(strings.TrimLeft(before, " "), `\`); ok {
		word, found = c.ofCommand(command)
	} else {
		word, found = c.ofStatement(before, whole)
	}
	found = slices.DeleteFunc(found, func(f string) bool { return !hasPrefix(f, word) })
	return word, found
}

// hasPrefix compares without regard to case, and to a quote that the user has not typed.
func hasPrefix(text, prefix string) bool {
	text = strings.TrimPrefix(text, unwritten(text, prefix))
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// unwritten is the quote that a name begins with and the word that stands for it does not, "" of none. Where
// nothing is typed there is no word.
func unwritten(name, word string) string {
	if word == "" || !isQuoted(name) || isQuoted(word) {
		return ""
	}
	return name[:1]
}

func isQuoted(name string) bool { return strings.HasPrefix(name, `"`) || strings.HasPrefix(name, "`") }

// ofCommand completes a command, which stands behind its backslash, and its argument.
func (c *completer) ofCommand(text string) (word string, found []string) {
	name, argument, ok := strings.Cut(text, " ")
	if !ok {
		for _, command := range session.Commands() {
			found = append(found, command.Name)
		}
		return `\` + text, found
	}
	argument = strings.TrimLeft(argument, " ")
	switch name {
	case "d":
		return argument, c.tables()
	case "f":
		found = format.Names()
	case "i", "o":
		found = files(argument)
	case "timing":
		found = []string{"on", "off"}
	}
	return argument, found
}

// files returns the files whose names begin so.
func files(prefix string) (found []string) {
	folder, _ := filepath.Split(prefix)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := folder + e.Name()
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		found = append(found, name)
	}
	return found
}

var (
	// wordAtEnd is a name or word that ends the text; a quote that is open begins one.
	wordAtEnd = regexp.MustCompile(`(?:"[^"]*|` + "`[^`]*" + `|[\pL\d_$]*)$`)
	// ownerAtEnd is a table or its alias, and the point behind it.
	ownerAtEnd = regexp.MustCompile(`("[^"]+"|` + "`[^`]+`" + `|[\pL_][\pL\d_$]*)\.$`)
	// wantsTable ends where the name of a table has to follow.
	wantsTable = regexp.MustCompile(`(?is)\b(?:from|join|describe|summarize|columns\s+from)\s+$|\bfrom\s+[\pL\d_$"., ` + "`" + `]*,\s*$`)
	// tablesInText finds the lists of tables in a statement, and tableInList one with its alias.
	tablesInText = regexp.MustCompile(`(?i)\b(?:from|join)\s+(` + tableName + `(?:\s*,\s*` + tableName + `)*)`)
	tableInList  = regexp.MustCompile(`(?i)` + tableName)
)

// tableName is a table and perhaps its alias.
const tableName = `("[^"]+"|` + "`[^`]+`" + `|[\pL_][\pL\d_$]*)(?:\s+(?:as\s+)?([\pL_][\pL\d_]*))?`

// tablesOf returns the tables of a statement and their aliases.
func tablesOf(statement string) (tables []struct{ name, alias string }) {
	for _, list := range tablesInText.FindAllStringSubmatch(statement, -1) {
		for _, m := range tableInList.FindAllStringSubmatch(list[1], -1) {
			tables = append(tables, struct{ name, alias string }{unquoted(m[1]), m[2]})
		}
	}
	return tables
}

// ofStatement completes a name or keyword of a statement.
func (c *completer) ofStatement(before, whole string) (word string, found []string) {
	open, ok := openName(before)
	if !ok {
		return "", nil
	}
	word = wordAtEnd.FindString(open)
	rest := strings.TrimSuffix(before, word)
	if owner := ownerAtEnd.FindStringSubmatch(rest); owner != nil {
		return word, c.columnsOf(unquoted(owner[1]), whole)
	}
	if wantsTable.MatchString(rest) {
		return word, c.tables()
	}
	for _, t := range c.mentioned(whole) {
		found = append(found, c.columns(t)...)
	}
	found = slices.Compact(found)
	if word == "" || strings.HasPrefix(word, `"`) {
		return word, append(found, c.tables()...)
	}
	found = append(found, c.functions(word)...)
	found = append(found, keywords(word)...)
	return word, append(found, c.tables()...)
}

// openName returns the end of a text that has the name at the cursor: from the quote that
// is open, or behind the last one. Within a string there is none.
func openName(text string) (name string, ok bool) {
	var open byte
	from := 0
	for i := range len(text) {
		switch ch := text[i]; {
		case open == ch:
			open = 0
		case open == 0 && (ch == '"' || ch == '\'' || ch == '`'):
			open, from = ch, i
		}
	}
	switch open {
	case '"', '`':
		return text[from:], true
	case 0:
		return text[strings.LastIndexAny(text, `"`+"`")+1:], true
	}
	return "", false
}

// columnsOf returns the columns of a table or of what has its alias.
func (c *completer) columnsOf(owner, whole string) []string {
	for _, t := range tablesOf(whole) {
		if strings.EqualFold(t.alias, owner) {
			return c.columns(t.name)
		}
	}
	return c.columns(owner)
}

// mentioned returns the tables that a statement reads.
func (c *completer) mentioned(whole string) (tables []string) {
	known := c.names.tables()
	for _, read := range tablesOf(whole) {
		i := slices.IndexFunc(known, func(t string) bool { return strings.EqualFold(t, read.name) })
		if i >= 0 && !slices.Contains(tables, known[i]) {
			tables = append(tables, known[i])
		}
	}
	if len(tables) == 0 && len(known) == 1 {
		return known
	}
	return tables
}

func (c *completer) tables() (found []string) {
	for _, t := range c.names.tables() {
		found = append(found, quotedIfNeeded(t))
	}
	return found
}

func (c *completer) columns(table string) (found []string) {
	for _, col := range c.names.columns(table) {
		found = append(found, quotedIfNeeded(col))
	}
	return found
}

func (c *completer) functions(prefix string) (found []string) {
	for _, f := range c.names.functions() {
		if hasPrefix(f, prefix) {
			found = append(found, asTyped(f, prefix)+"(")
		}
	}
	return found
}

// asTyped returns a word in upper case where the user types so.
func asTyped(word, prefix string) string {
	if prefix != "" && prefix == strings.ToUpper(prefix) && prefix != strings.ToLower(prefix) {
		return strings.ToUpper(word)
	}
	return strings.ToLower(word)
}

var plainName = regexp.MustCompile(`^[\pL_][\pL\d_]*(\.[\pL_][\pL\d_]*)*$`)

func quotedIfNeeded(name string) string {
	if plainName.MatchString(name) && !isReserved(name) {
		return name
	}
	return session.Quoted(name)
}

func unquoted(name string) string {
	if len(name) > 1 && (name[0] == '"' || name[0] == '`') {
		q := name[:1]
		return strings.ReplaceAll(name[1:len(name)-1], q+q, q)
	}
	return name
}
