package dialect

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// writes are the first words of statements that would change something.
var writes = words(`INSERT UPDATE DELETE CREATE DROP ALTER TRUNCATE REPLACE MERGE RENAME COPY GRANT REVOKE IMPORT
	VACUUM OPTIMIZE REPAIR LOAD COMMENT UPSERT ATTACH DETACH ANALYZE CHECKPOINT EXPORT`)

// objects may stand behind the first word of a statement that writes.
var objects = words(`OR REPLACE TEMP TEMPORARY PERSISTENT UNIQUE TABLE VIEW MACRO FUNCTION TYPE SEQUENCE SCHEMA DATABASE INDEX SECRET`)

// sessions are the first words of statements about the session. This driver keeps
// no session state.
var sessions = words(`RESET SAVEPOINT RELEASE PRAGMA CALL PREPARE EXECUTE
	DEALLOCATE LOCK UNLOCK KILL FLUSH INSTALL DECLARE DO HANDLER`)

// transactions are the statements that programs of database/sql have methods for.
var transactions = words(`BEGIN START COMMIT ROLLBACK`)

// statement reads the whole text.
func (p *parser) statement() ast.Statement {
	for p.op(";") {
	}
	if p.cur().kind == tEOF {
		p.fail(p.cur(), "the statement is empty")
		return nil
	}
	s := p.one()
	for p.op(";") {
	}
	if t := p.cur(); p.err == nil && t.kind != tEOF {
		if p.prev().op(";") {
			p.fail(t, "only one statement per call is allowed")
		} else {
			p.fail(t, "%s is not expected here%s", t.describe(), p.hint())
		}
	}
	return s
}

func (p *parser) one() ast.Statement {
	t := p.cur()
	if t.kind != tWord {
		if t.op("(") {
			return p.query()
		}
		p.unexpected("a statement")
		return nil
	}
	switch w := t.upper; {
	case queryWords[w] || p.beginsPivot(p.pos):
		return p.query()
	case w == "SUMMARIZE":
		p.advance()
		return &ast.Summarize{Query: p.queryOrTable()}
	case w == "EXPLAIN":
		return p.explain()
	case w == "SHOW":
		return p.show()
	case w == "DESCRIBE" || w == "DESC":
		p.advance()
		return p.describe()
	case w == "SET" || w == "USE":
		return p.set()
	case w == "CALL" || w == "PRAGMA" && (p.ahead(2).op("(") || p.ahead(2).kind == tEOF || p.ahead(2).op(";")):
		return p.callStatement()
	}
	p.refuse(t)
	return nil
}

// writing is how the program writes what COPY is asked to write.
func (p *parser) writing() string {
	for _, t := range p.toks {
		if t.word("PARQUET") || t.kind == tString && strings.HasSuffix(t.text, ".parquet") {
			return "parquetsql -o file.parquet LOCATION 'SELECT …'"
		}
	}
	return "parquetsql -format csv LOCATION 'SELECT …' > file.csv"
}

// refuse reports why a statement that begins with t is not accepted.
func (p *parser) refuse(t token) {
	switch {
	case writes[t.upper]:
		what := t.upper
		for i := 1; objects[p.ahead(i).upper]; i++ { // CREATE OR REPLACE MACRO
			what += " " + p.ahead(i).upper
		}
		if t.upper == "COPY" || t.upper == "EXPORT" {
			what += "; the program parquetsql writes the rows of a query: " + p.writing()
		}
		if t.upper == "ATTACH" || t.upper == "LOAD" {
			what += "; a folder, file or bucket is opened by its DSN, and all in it are tables"
		}
		p.abort(errs.At(t.pos, t.end, fmt.Errorf("%w: %s", errs.ErrReadOnly, what)))
	case t.upper == "INSTALL":
		p.unsupported("the statement INSTALL: there are no extensions; what reads buckets is a module of Go that the program imports")
	case transactions[t.upper]:
		p.unsupported("the statement %s: db.Begin of database/sql begins a transaction, Commit and Rollback of what it returns end it", t.upper)
	case sessions[t.upper]:
		p.unsupported("the statement %s", t.upper)
	default:
		p.fail(t, "expected a statement (SELECT, WITH, VALUES, SHOW, DESCRIBE, EXPLAIN), found %s%s", t.describe(), likely(t.text, begins))
	}
}

// callStatement reads CALL f(…), which is SELECT * FROM f(…), and PRAGMA f(…), where f is
// called pragma_f as a table.
func (p *parser) callStatement() ast.Statement {
	first := p.pos
	if p.words("CALL") {
		return p.allOf(first)
	}
	p.advance()
	switch {
	case p.words("SHOW_TABLES"):
		return &ast.Show{Kind: ast.ShowTables}
	case p.words("SHOW_TABLES_EXPANDED"):
		return &ast.Show{Kind: ast.ShowAllTables}
	}
	b := p.block()
	f := &ast.TableFunction{Name: "pragma_" + p.name("a pragma")}
	if p.op("(") {
		for p.err == nil && !p.isOp(")") {
			if b.tableArgument(f); !p.op(",") {
				break
			}
		}
		p.need(")")
	}
	b.finish()
	f.Span = p.span(first)
	all := &ast.Select{Span: f.Span, Items: []ast.Item{{Expr: &ast.Star{Span: f.Span}}}, From: f}
	return &ast.Query{Span: f.Span, Body: all}
}

// explain reads EXPLAIN with ANALYZE and FORMAT=JSON in any order, also in
// parentheses as in PostgreSQL.
func (p *parser) explain() ast.Statement {
	p.advance()
	if !p.enter() {
		return nil
	}
	defer p.leave()
	e := &ast.Explain{}
	paren := p.isOp("(") && p.ahead(1).kind == tWord && (p.ahead(1).word("ANALYZE") || p.ahead(1).word("FORMAT") || p.ahead(1).word("DISTRIBUTED"))
	if paren {
		p.advance()
	}
	for p.err == nil {
		switch {
		case p.words("ANALYZE"):
			e.Analyze = true
		case paren && p.words("DISTRIBUTED"):
			e.Distributed = true
		case p.words("FORMAT"):
			p.op("=")
			switch {
			case p.words("JSON"):
				e.JSON = true
			case !p.words("TEXT"):
				p.unexpected("JSON or TEXT")
			}
		case paren && p.op(","):
		default:
			if paren {
				p.need(")")
			}
			e.Statement = p.one()
			return e
		}
	}
	return nil
}

func (p *parser) show() ast.Statement {
	p.advance()
	if p.ended() {
		return &ast.Show{Kind: ast.ShowAllTables}
	}
	for p.words("FULL") || p.words("EXTENDED") {
	}
	switch {
	case p.words("TABLES"):
		s := &ast.Show{Kind: ast.ShowTables}
		if p.words("FROM") || p.words("IN") {
			s.Name = strings.Join(p.tableName().Parts, ".")
		}
		s.Like = p.like()
		return s
	case p.words("ALL", "TABLES"):
		return &ast.Show{Kind: ast.ShowAllTables}
	case p.words("DATABASES") || p.words("SCHEMAS"):
		return &ast.Show{Kind: ast.ShowDatabases, Like: p.like()}
	case p.words("COLUMNS") || p.words("FIELDS"):
		if !p.words("FROM") && !p.words("IN") {
			p.unexpected("FROM")
		}
		t := p.tableName()
		if p.words("FROM") || p.words("IN") {
			p.inSchema("main")
		}
		return &ast.Describe{Table: t, Like: p.like()}
	case p.words("FUNCTIONS"):
		return &ast.Show{Kind: ast.ShowFunctions, Like: p.like()}
	case p.words("CREATE"):
		p.needWord("TABLE")
		return &ast.Show{Kind: ast.ShowCreate, Table: p.tableName()}
	}
	if s := p.showSettings(); s != nil {
		return s
	}
	if p.cur().name() || p.cur().kind == tString {
		return &ast.Describe{Table: p.tableName()} // SHOW t
	}
	p.unexpected("TABLES, COLUMNS, FUNCTIONS, CREATE TABLE, DATABASES or a table")
	return nil
}

// inSchema reads the name of the schema; only one schema exists.
func (p *parser) inSchema(only string) {
	t := p.cur()
	name := p.name("a schema")
	if p.err == nil && !strings.EqualFold(name, only) {
		p.fail(t, "there is no schema %q, only %q", name, only)
	}
}

func (p *parser) like() *string {
	if !p.words("LIKE") {
		return nil
	}
	if p.cur().kind != tString {
		p.unexpected("a pattern")
		return nil
	}
	s := p.advance().text
	return &s
}

// ended reports whether the statement ends at the cursor.
func (p *parser) ended() bool { return p.cur().kind == tEOF || p.isOp(";") || p.isOp(")") }

func (p *parser) describe() ast.Statement {
	if p.ended() {
		return &ast.Show{Kind: ast.ShowAllTables}
	}
	if p.beginsStatement() {
		return &ast.Describe{Query: p.query()}
	}
	p.words("TABLE")
	if p.cur().name() && p.ahead(1).op("(") {
		return &ast.Describe{Query: p.queryOrTable()}
	}
	return &ast.Describe{Table: p.tableName()}
}

// queryWords are the words that begin a query.
var queryWords = words("SELECT FROM WITH VALUES TABLE")

// beginsStatement reports whether a query comes next.
func (p *parser) beginsStatement() bool {
	return p.isOp("(") || queryWords[p.cur().upper] && !p.isWord("TABLE") || p.beginsPivot(p.pos)
}

// queryOrTable reads a query, or a table as the query of all its rows.
func (p *parser) queryOrTable() *ast.Query {
	if p.beginsStatement() {
		return p.query()
	}
	first := p.pos
	p.words("TABLE")
	return p.allOf(first)
}

// allOf is SELECT * FROM the table at the cursor.
func (p *parser) allOf(first int) *ast.Query {
	b := p.block()
	t := b.table()
	b.finish()
	span := p.span(first)
	all := &ast.Select{Span: span, Items: []ast.Item{{Expr: &ast.Star{Span: span}}}, From: t}
	return &ast.Query{Span: span, Body: all}
}

// tableName reads the name of a table, without alias.
func (p *parser) tableName() *ast.TableName {
	first := p.pos
	t := &ast.TableName{}
	if p.cur().kind == tString { // FROM 'file.parquet', as in DuckDB
		t.Parts = []string{p.advance().text}
	} else {
		t.Parts = append(t.Parts, p.name("a table"))
		for p.op(".") {
			t.Parts = append(t.Parts, p.anyName("a name"))
		}
	}
	t.Span = p.span(first)
	return t
}
