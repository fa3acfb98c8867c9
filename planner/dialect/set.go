package dialect

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// scopes stand before the name of a setting.
var scopes = words("SESSION GLOBAL LOCAL PERSIST")

// set reads SET and USE: SET a = 1, @@session.b = 'x'; SET SESSION a TO on; SET NAMES utf8;
// SET TIME ZONE 'UTC'; SET [SESSION] TRANSACTION READ ONLY.
func (p *parser) set() ast.Statement {
	first := p.pos
	if p.words("USE") {
		p.inSchema("main")
		return &ast.Set{}
	}
	p.advance()
	s := &ast.Set{}
	for p.err == nil {
		for scopes[p.cur().upper] && p.ahead(1).kind == tWord {
			p.advance()
		}
		if p.words("TRANSACTION") || p.words("CHARACTERISTICS", "AS", "TRANSACTION") {
			p.transaction()
			return s
		}
		s.Assignments = append(s.Assignments, p.assignment(first))
		if !p.op(",") {
			break
		}
		first = p.pos
	}
	return s
}

// assignment reads a name, = or TO, and the value as text.
func (p *parser) assignment(first int) ast.Assignment {
	var a ast.Assignment
	switch t := p.cur(); {
	case p.words("NAMES"):
		a.Name = "names"
	case p.words("TIME", "ZONE"):
		a.Name = "TimeZone"
	case t.kind == tSystem:
		a.Name = p.advance().text
	default:
		a.Name = p.name("the name of a setting")
	}
	if !p.op("=") && !p.op(":=") {
		p.words("TO")
	}
	a.Value = p.settingValue()
	if a.Name == "names" && p.words("COLLATE") {
		p.settingValue()
	}
	a.Span = p.span(first)
	return a
}

// settingValue reads a string, a number, a word, or, for TO a, b, several of these.
func (p *parser) settingValue() string {
	var out strings.Builder
	for {
		if p.isOp("-") || p.isOp("+") {
			out.WriteString(p.advance().text)
		}
		switch t := p.cur(); {
		case t.kind == tString, t.kind == tNumber, t.kind == tQuoted, t.kind == tWord:
			out.WriteString(p.advance().text)
		default:
			p.unexpected("a value")
			return ""
		}
		// Another assignment may follow the comma.
		if !p.isOp(",") || p.ahead(1).kind == tSystem || p.ahead(2).op("=") || p.ahead(2).op(":=") {
			return out.String()
		}
		p.advance()
		out.WriteString(",")
	}
}

// transaction reads what SET TRANSACTION may say of a transaction that reads.
func (p *parser) transaction() {
	for p.err == nil && p.cur().kind == tWord {
		switch {
		case p.words("READ", "ONLY"), p.words("ISOLATION", "LEVEL", "READ", "COMMITTED"), p.words("ISOLATION", "LEVEL", "READ", "UNCOMMITTED"),
			p.words("ISOLATION", "LEVEL", "REPEATABLE", "READ"), p.words("ISOLATION", "LEVEL", "SERIALIZABLE"):
			p.op(",")
		default:
			p.unexpected("READ ONLY or ISOLATION LEVEL …")
		}
	}
}

// showSettings reads what follows SHOW where it is a setting or one of MySQL's lists;
// nil: neither.
func (p *parser) showSettings() ast.Statement {
	start := p.pos
	table := p.onlyName()
	for p.words("GLOBAL") || p.words("SESSION") {
	}
	switch {
	case p.words("VARIABLES"):
		return &ast.Show{Kind: ast.ShowSettings, Table: table, Like: p.like()}
	case p.words("ALL"):
		return &ast.Show{Kind: ast.ShowSettings, Table: table}
	case p.words("TIME", "ZONE"):
		return &ast.Show{Kind: ast.ShowSetting, Name: "TimeZone"}
	case p.words("TRANSACTION", "ISOLATION", "LEVEL"):
		return &ast.Show{Kind: ast.ShowSetting, Name: "transaction_isolation"}
	}
	for list, columns := range emptyLists {
		if p.words(strings.Fields(list)...) {
			// Of which table, which rows: there are none.
			for p.err == nil && p.cur().kind != tEOF && !p.isOp(";") && !p.isOp(")") {
				p.advance()
			}
			kind := ast.ShowNothing
			if list == "WARNINGS" {
				kind = ast.ShowWarnings
			}
			return &ast.Show{Kind: kind, Table: table, Name: columns}
		}
	}
	p.pos = start
	return nil
}

// onlyName is the word at the cursor if it is the last one: it may be a table's name.
func (p *parser) onlyName() *ast.TableName {
	t, next := p.cur(), p.ahead(1)
	if t.kind != tWord || next.kind != tEOF && !next.op(";") && !next.op(")") {
		return nil
	}
	return &ast.TableName{Span: ast.Span{Pos: t.pos, End: t.end}, Parts: []string{t.text}}
}

// emptyLists are the lists of MySQL that have no rows here, but for WARNINGS, with their columns.
var emptyLists = map[string]string{
	"STATUS":   "Variable_name Value",
	"WARNINGS": "Level Code Message",
	"ERRORS":   "Level Code Message",
	"KEYS":     "Table Non_unique Key_name Seq_in_index Column_name Collation Cardinality Sub_part Packed Null Index_type Comment Index_comment",
	"INDEX":    "Table Non_unique Key_name Seq_in_index Column_name Collation Cardinality Sub_part Packed Null Index_type Comment Index_comment",
	"INDEXES":  "Table Non_unique Key_name Seq_in_index Column_name Collation Cardinality Sub_part Packed Null Index_type Comment Index_comment",
	"ENGINES":  "Engine Support Comment Transactions XA Savepoints",
	"PLUGINS":  "Name Status Type Library License",
	"TRIGGERS": "Trigger Event Table Statement Timing Created sql_mode Definer",
	"EVENTS":   "Db Name Definer Status",
	"GRANTS":   "Grants",

	"PROCESSLIST":      "Id User Host db Command Time State Info",
	"PROCEDURE STATUS": "Db Name Type Definer",
	"FUNCTION STATUS":  "Db Name Type Definer",
	"CHARACTER SET":    "Charset Description Default_collation Maxlen",
	"CHARSET":          "Charset Description Default_collation Maxlen",
	"COLLATION":        "Collation Charset Id Default Compiled Sortlen",
	"OPEN TABLES":      "Database Table In_use Name_locked",
}
