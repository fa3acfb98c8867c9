package parquetsql_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestMistakes makes the mistakes of newcomers. Each error says what would help, and marks the part
// of the statement that it is about: what stands in brackets here.
func TestMistakes(t *testing.T) {
	db := openTexts(t, "testdata")
	for _, m := range []struct{ statement, help string }{
		// Names.
		{"SELECT * FROM [penguin]", "there is penguins"},
		{"SELECT * FROM [quatsch]", "the tables are airports"},
		{"SELECT * FROM [Penguins.csv]", "no such table"},
		{"SELECT * FROM ['nothing/*.parquet']", "no file matches"},
		{"SELECT * FROM ['s3://bucket/x.parquet']", "a module that is not imported"},
		{"DESCRIBE [penguin]", "there is penguins"},
		{"SUMMARIZE [quatsch]", "the tables are airports"},
		{"SELECT [specie] FROM penguins", "there is Species"},
		{"SELECT [id] FROM penguins", "the columns are Species, Island"},
		{"SELECT [body_mass] FROM penguins", `there is "Body Mass (g)"`},
		{"SELECT * FROM read_parquet([penguins.parquet])", "a path has single quotes"},
		{"SELECT [*] FROM penguins GROUP BY Species", "from *, must be in GROUP BY"},
		{"SELECT [Body] Mass FROM penguins", `there is "Body Mass (g)"`},
		{"SELECT Body Mass [(]g) FROM penguins", "a name with spaces has double quotes"},
		{"SELECT [p.specie] FROM penguins p", "there is Species"},
		{"SELECT [p.x] FROM penguins p JOIN airports a ON TRUE", "the columns are Species, Island"},
		{"SELECT [name] FROM airports a, airports b", "it may be a.name or b.name"},
		{"SELECT [lenght(Species)] FROM penguins", "there is LENGTH"},
		{`SELECT * FROM penguins WHERE Species = ["Adelie"]`, "single quotes: 'Adelie'"},
		{"SELECT * FROM penguins WHERE Species = [Adelie]", "single quotes: 'Adelie'"},
		{"SELECT [‘x’]", "straight"},
		{"SELECT * FROM [order]", `"order"`},
		{"SELECT [order] FROM penguins", `"order"`},
		{"SELECT * FROM penguins WHERE [group] = 1", `"group"`},
		{"SELECT * FROM ['/etc/passwd']", "it lies outside the location"},
		{"SELECT [COUTN(*)] FROM penguins", "(there is COUNT"},
		{"SELECT * FROM [.]/penguins.parquet", "a path has single quotes"},
		// Grammar.
		{"[SELCT] * FROM penguins", "(SELECT?)"},
		{"SELECT * [FORM] penguins", "(FROM?)"},
		{"SELECT Species FORM [penguins]", "(FROM?)"},
		{"SELECT * FROM penguins WERE [x] = 1", "(WHERE?)"},
		{"SELECT Species FROM penguins GRUOP [BY] Species", "(GROUP?)"},
		{"SELECT Species FROM penguins GROUP [Species]", "expected BY"},
		{"SELECT * FROM penguins WHERE Species = ['Adelie]", "the string does not end"},
		{"SELECT [FROM] penguins", "the columns are missing"},
		{"SELECT * FROM [penguins NATURAL JOIN airports]", "no column of the same name"},
		{"[BEGIN]", "db.Begin"},
		{"[COMMIT]", "db.Begin"},
		{"[#] all of them\nSELECT 1", "a comment begins with --"},
		{"SELECT CASE Species WHEN 'a' THEN 1 [FROM] penguins", "expected END"},
		{"SELECT * FROM [penguins JOIN airports]", "CROSS JOIN"},
		{"SELECT Species Island [Sex] FROM penguins", "is a comma missing before it?"},
		{"SELECT Species, COUNT(*) FROM penguins GROUP BY Species [Island]", "is a comma missing before it?"},
		{"SELECT COUNT(* [FROM] penguins", "expected ')'"},
		{"SELECT * FROM penguins WHERE Species IS ['Adelie']", "(= and <> compare values)"},
		{"SELECT * FROM all[-]penguins", "a name with signs double ones"},
		{"SELECT * FROM penguins WHERE [/]penguins = 1", "expected an expression, found '/'"},
		{"SELECT * FROM penguins JOIN penguins ON [Species] = Species", "give each table a name of its own"},
		{"SELECT * FROM penguins a JOIN penguins b USING [(Specie)]", "there is Species"},
		{"SELECT * FROM penguins WHERE Species BETWEEN 'a' [ORDER] BY 1", "expected AND"},
		{"SELECT * FROM histogram([penguin], Species)", "there is penguins"},
		{"SELECT * FROM histogram(penguins, [Specie])", "there is Species"},
		// Aggregates.
		{"SELECT [Species], COUNT(*) FROM penguins", "must be in GROUP BY"},
		{"SELECT Species FROM penguins WHERE [COUNT(*)] > 1 GROUP BY Species", "HAVING"},
		{"SELECT COUNT(*) n FROM penguins WHERE [n] > 1", "HAVING"},
		{"SELECT * FROM penguins WHERE [ROW_NUMBER() OVER ()] < 3", "QUALIFY"},
		{"SELECT [ROW_NUMBER()] FROM penguins", "OVER"},
		{"SELECT [MAX(Species, Island)] FROM penguins", "GREATEST"},
		{"SELECT Species FROM penguins ORDER BY [3]", "the select list has 1 column"},
		// Types and values.
		{"SELECT [Species + 1] FROM penguins", "CAST"},
		{"SELECT [SUM(Species)] FROM penguins", "CAST"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" > ['heavy']`, "cannot cast VARCHAR to BIGINT"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" IN ('3750', ['x'])`, "cannot cast VARCHAR to BIGINT"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" BETWEEN ['a'] AND 3`, "cannot cast VARCHAR to BIGINT"},
		{"SELECT [CAST('abc' AS INTEGER)]", "cannot cast VARCHAR to INTEGER: 'abc'"},
		{"SELECT 1 WHERE [DATE '2024-02-30'] > CURRENT_DATE", "there is no such day"},
		{"SELECT 1 WHERE [DATE '30.2.2024'] > CURRENT_DATE", "a DATE is written 2025-12-31"},
		{"SELECT [TIMESTAMP '2024-02-01 25:00']", "there is no such day or time"},
		{"SELECT [TIME '25:00:00']", "there is no such time"},
		{"SELECT [DECODE('a'::BLOB, 'latin1')]", "'replace' or 'ignore'"},
		{"SELECT [{'abc': 1}.abd]", "(there is abc)"},
		{"SELECT [{'abc': 1}['bac']]", "(there is abc)"},
		{"SELECT EXTRACT([foo] FROM NOW())", "year, quarter, month"},
		{"SELECT 1, [9223372036854775807 + 1]", "does not fit BIGINT"},
		{"SELECT (SELECT [300::TINYINT])", "cannot cast BIGINT to TINYINT: 300"},
		{"SELECT NOT ['a']", "cannot cast VARCHAR to BOOLEAN: 'a'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" = [CAST('abc' AS INTEGER)]`, "cannot cast VARCHAR to INTEGER: 'abc'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" > [9223372036854775807 + 1]`, "does not fit BIGINT"},
		{"SELECT * FROM movies WHERE \"Release Date\"::DATE > [DATE '2014-13-45']", "there is no such day"},
		{"SELECT CASE 1 WHEN ['a'] THEN 2 END", "cannot cast VARCHAR to BIGINT: 'a'"},
		{"SELECT CASE WHEN Sex = 'x' THEN 1 ELSE ['none'] END FROM penguins", "'none'"},
		{"SELECT * FROM seattle_weather WHERE wind = ANY(['{1,x}'])", "cannot cast VARCHAR to DOUBLE: 'x'"},
		{"SELECT * FROM seattle_weather WHERE (date, wind) = (['abc'], 1)", "cannot cast VARCHAR to DATE: 'abc'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" > ['abc' || 'def']`, "'abcdef'"},
		{"SELECT DATE_TRUNC(['mnth'], date) FROM seattle_weather", "there is month"},
		{"SELECT EXTRACT([yaer] FROM date) FROM seattle_weather", "there is year"},
		{"SELECT REGEXP_MATCHES(Species, ['(']) FROM penguins", "missing closing )"},
		{"SELECT REGEXP_SPLIT_TO_ARRAY(Species, ['(']) FROM penguins", "missing closing )"},
		{"SELECT LAG(Species, ['x']) OVER () FROM penguins", "a whole number"},
		{"SELECT 1 UNION ALL SELECT [DATE '2020-01-01']", "no common type"},
		{"SELECT 1, 2 INTERSECT (SELECT 1, [DATE '2020-01-01'])", "no common type"},
		{"SELECT * FROM penguins WHERE [Species]", "cannot cast VARCHAR to BOOLEAN: 'Adelie'"},
		{"SELECT * FROM penguins WHERE [CURRENT_DATE]", "WHERE needs a condition, not DATE"},
		{`SELECT COUNT(*) FROM penguins HAVING MIN("Body Mass (g)") = ['x']`, "cannot cast VARCHAR to BIGINT: 'x'"},
		{"VALUES (1), (['x'])", "VALUES: column 1: cannot cast VARCHAR to BIGINT: 'x'"},
		{"VALUES (1), ([1, 2])", "VALUES: row 1 has 1 value, row 2 has 2"},
		{"SELECT * FROM [(VALUES (1, 'a')) t(x, y, z)]", "t has 2 columns, but its alias names 3"},
		{"SELECT * FROM [penguins t(a, b, c, d, e, f, g, h, i, j)]", "but its alias names 10"},
		{"WITH [a(x, y) AS (SELECT 1)] SELECT * FROM a", "a has 1 column, but its alias names 2"},
		{"SELECT [t.*] FROM penguins p", "there is p"},
		{"SELECT [p.*] FROM penguins", "in FROM the only table is penguins"},
		{"SELECT * FROM penguins, [group]", `as a name it has double quotes, "group"`},
		{"SELECT Species, [order] FROM penguins", `"order"`},
		{"SELECT * FROM penguins WHERE Species = ANY(['Adelie'])", "ANY takes a list such as ['a', 'b']"},
		{"SELECT * FROM penguins WHERE Species <> ALL(['{a,b'])", "ends with }"},
		{"SELECT * FROM penguins WHERE Species = ANY([1])", "ANY takes a list or a query, not BIGINT"},
		{`SELECT Species, ["Body Mass (g)"] FROM penguins GROUP BY Species`, `MIN("Body Mass (g)")`},
		{`SELECT ["Body Mass (g)" * 10000000000000000] FROM penguins`, `(in "Body Mass (g)" * `},
		{"SELECT * FROM penguins WHERE ['Body Mass (g)'] > 3000", `the name of a column has double quotes: "Body Mass (g)"`},
		{"SELECT ['2012-01-01'] + INTERVAL 1 DAY", "as a date it is written DATE '2012-01-01'"},
		{"SELECT [DATE '2020-01-01' + '1 day']", "a length of time is written INTERVAL '1' DAY"},
		{"SELECT [NOW() - 1]", "a length of time is written INTERVAL '1' DAY"},
		{"SELECT * FROM penguins WHERE Species = 'O'Neil[']", "a quote within a string is written twice: ''"},
		{"SELECT * FROM [public.penguins]", "the schema of tables is main: main.penguins, or penguins alone"},
		{"[COPY] penguins TO 'x.parquet' (FORMAT parquet)", "parquetsql -o file.parquet"},
		{"SELECT SUBSTR(Species, ['a']) FROM penguins", "cannot cast VARCHAR to BIGINT: 'a'"},
		{"SELECT * FROM penguins WHERE Species = [?] AND Island = ?", "the argument for number 1 is missing"},
		{"SELECT * FROM penguins WHERE Species = [:name]", "the argument for :name is missing"},
		{"SELECT * FROM seattle_weather WHERE date = ALL([ARRAY['abc']])", "cannot cast VARCHAR to DATE: 'abc'"},
		{"SELECT [items.n] FROM (SELECT LIST_VALUE({'n': 1}) AS items) t", `no such column: "items.n"; items is a LIST`},
		// Values of rows.
		{"SELECT [CAST(Sex AS INT)] FROM penguins", "(in Sex; TRY_CAST gives NULL)"},
		{"SELECT x FROM (SELECT [Sex::INT] AS x FROM penguins) t WHERE x > 3", "(in Sex; TRY_CAST gives NULL)"},
		{"SELECT COUNT(*) FROM penguins a JOIN penguins b ON [a.Sex::INT] = b.\"Body Mass (g)\"", "TRY_CAST gives NULL"},
		{"SELECT Species FROM penguins ORDER BY [Sex::INT]", "TRY_CAST gives NULL"},
		{`SELECT 1 FROM penguins WHERE ["Body Mass (g)" * 10000000000000000] > 3`, "does not fit BIGINT"},
		{`SELECT Species, [SUM("Body Mass (g)" * 100000000000000)] FROM penguins GROUP BY Species`, "CAST the argument to DECIMAL(38,0)"},
		{`SELECT [SUM("Body Mass (g)" * 100000000000000) OVER ()] FROM penguins`, "CAST the argument to DECIMAL(38,0)"},
		{"SELECT [NTILE(0) OVER ()] FROM penguins", "greater than 0"},
		{"SELECT * FROM penguins WHERE Species = [(SELECT Species FROM penguins)]", "add LIMIT 1"},
		{"SELECT [(SELECT b.Sex FROM penguins b WHERE b.Species = a.Species)] FROM penguins a", "add LIMIT 1"},
		{"SELECT [STRPTIME(Sex, '%Y')] FROM penguins", "does not have the format"},
		{"SELECT list_transform(LIST_VALUE(Sex), x -> [x::INT]) FROM penguins", "TRY_CAST gives NULL"},
		{"SELECT [SUBSTR(1)]", "does not take 1 argument; use SUBSTR(VARCHAR, BIGINT)"},
		{"SELECT * FROM penguins LIMIT [-1]", "cannot be negative"},
		{"SELECT 1 UNION [SELECT 1, 2]", "the left side has 1 column, the right side 2"},
		// Other engines.
		{"SELECT TOP [5] * FROM penguins", "LIMIT 5"},
		{"SELECT [ISNULL(Species, 'x')] FROM penguins", "COALESCE"},
		{"SELECT [SAFE_CAST](Species AS INT64) FROM penguins", "TRY_CAST"},
		{"SELECT [DATEADD(day, 1, CURRENT_DATE)]", "INTERVAL '1' DAY"},
		{"SELECT DATEDIFF([day], NOW(), NOW())", "'day'"},
		{"SELECT DATE_TRUNC(NOW(), [MONTH])", "'MONTH'"},
		{"SELECT [GETDATE()]", "NOW()"},
		{"SELECT [unixepoch()]", "EPOCH"},
		{"SELECT * FROM penguins WHERE Species = 'a' && Island [!=] 'x'", "AND joins conditions"},
		{"SELECT * FROM [[penguins]", "a name with signs double ones"},
		{"[SET memory_limit = '1GB']", "the option memory_limit in the DSN"},
		{"[ATTACH] 'x.db'", "DSN"},
		{"[INSTALL] httpfs", "module"},
		{"[COPY] penguins TO 'x.csv'", "parquetsql -format csv"},
		{"SELECT * FROM [read_csv('x.csv')]", "Parquet files alone"},
	} {
		before, rest, _ := strings.Cut(m.statement, "[")
		i := strings.LastIndex(rest, "]")
		part, after := rest[:i], rest[i+1:]
		_, err := db.Exec(before + part + after)
		if err == nil || !strings.Contains(err.Error(), m.help) {
			t.Errorf("%s: %v, which does not say %q", m.statement, err, m.help)
			continue
		}
		position, end := -1, -1
		if e, ok := errors.AsType[*parquetsql.SyntaxError](err); ok {
			position, end = e.Position, e.Position+len(part) // it is at a token, whose end is not known
		} else if e, ok := errors.AsType[*parquetsql.StatementError](err); ok {
			position, end = e.Position, e.End
		}
		if position != len(before) || end != len(before)+len(part) {
			t.Errorf("%s: %v is about bytes %d to %d", m.statement, err, position, end)
		}
	}
}

// TestMistakenArguments gives arguments of the wrong kind.
func TestMistakenArguments(t *testing.T) {
	db := openTexts(t, "testdata")
	for _, m := range []struct {
		statement string
		arg       any
		help      string
	}{
		{"SELECT * FROM penguins WHERE Species = [?]", []string{"Adelie"}, "= ANY(?) or IN (?)"},
		{"SELECT * FROM penguins WHERE Species <> [?]", []string{"Adelie"}, "<> ALL(?) or NOT IN (?)"},
		{"SELECT * FROM penguins WHERE (Species, Island) IN ([?])", [][]string{{"Adelie", "Dream"}}, "IN ((?, ?), (?, ?), …)"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" = [?]`, []int{1}, "= ANY(?) or IN (?)"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" = [?]`, "heavy", "cannot cast VARCHAR to BIGINT: 'heavy'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" BETWEEN 1 AND [?]`, "heavy", "cannot cast VARCHAR to BIGINT: 'heavy'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" IN ([?])`, []string{"1", "x"}, "cannot cast VARCHAR to BIGINT: 'x'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" = ANY([?])`, []string{"1", "x"}, "cannot cast VARCHAR to BIGINT: 'x'"},
		{"SELECT * FROM seattle_weather WHERE date > [?]", "gestern", "cannot cast VARCHAR to DATE: 'gestern'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" = ANY([?])`, 1, "ANY takes a list or a query, not BIGINT"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" = ANY([?])`, "1,2", "the text of an array such as '{a,b}', not '1,2'"},
		{`SELECT * FROM penguins WHERE "Body Mass (g)" = ANY([?])`, "{1,2", "ends with }"},
		{"SELECT * FROM penguins WHERE Species = [:name]     ", sql.Named("nam", 1), `there is one named "nam", but no :nam`},
		{"SELECT * FROM penguins LIMIT [?]", "x", "LIMIT needs a number, not 'x'"},
		{"SELECT * FROM penguins OFFSET [?]", "x", "OFFSET needs a number, not 'x'"},
	} {
		at := strings.Index(m.statement, "[")
		_, err := db.Exec(strings.NewReplacer("[", "", "]", "").Replace(m.statement), m.arg)
		e, ok := errors.AsType[*parquetsql.StatementError](err)
		if !ok || e.Position != at || e.End != strings.Index(m.statement, "]")-1 || !strings.Contains(err.Error(), m.help) {
			t.Errorf("%s: %v, which does not say %q of the placeholder", m.statement, err, m.help)
		}
	}
}

// TestWrongFiles opens what is no Parquet file, or is not there.
func TestWrongFiles(t *testing.T) {
	folder := t.TempDir()
	whole, err := os.ReadFile("testdata/penguins.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"penguins.parquet": string(whole), "cut.parquet": string(whole[:3000]), "text.parquet": "a,b\n1,2\n", "zero.parquet": "",
		"gz.parquet": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00", "db.parquet": "SQLite format 3\x00", "x.csv": "a,b\n1,2\n",
		"mixed/notes.csv": "a\n1\n", "mixed/t.parquet": string(whole), "json.parquet": `{"a": 1}`,
	} {
		name = filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct{ dsn, statement, help string }{
		{"penguin.parquet", "SELECT 1", "(there is penguins.parquet"},
		{"nosuch/x.parquet", "SELECT 1", "nor is there a folder"},
		{"*.nothing", "SELECT 1", "no file matches"},
		{"?memory_limit=1", "SELECT 1", "1 is too little, the least is 1MiB"},
		{"?memory=1GB", "SELECT 1", "there is memory_limit"},
		{"?quatsch=1", "SELECT 1", "DSN option quatsch: no such option"},
		{"?memory_limit=1 gig", "SELECT 1", "a size such as 512MiB"},
		{"?parallelism=many", "SELECT 1", "a whole number"},
		{"empty", "SELECT * FROM t", "the location has no Parquet files"},
		{"mixed", "SELECT * FROM notes", `"notes.csv" is no table`},
		{"x.csv", "SELECT * FROM x", "it looks like text, such as CSV"},
		{"", "SELECT * FROM cut", "it is cut off or damaged"},
		{"", "SELECT * FROM text", "it looks like text, such as CSV"},
		{"", "SELECT * FROM json", "it looks like JSON"},
		{"", "SELECT * FROM zero", "it is empty"},
		{"", "SELECT * FROM gz", "it looks like a gzip file"},
		{"", "SELECT * FROM db", "it looks like a SQLite database"},
		{"", "SELECT * FROM '/etc/x.parquet'", "paths in FROM begin at the location"},
	} {
		db, err := sql.Open("parquet", folder+"/"+m.dsn)
		if err == nil {
			_, err = db.Exec(m.statement)
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), m.help) {
			t.Errorf("%s, %s: %v, which does not say %q", m.dsn, m.statement, err, m.help)
		}
	}
}
