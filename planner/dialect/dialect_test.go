package dialect_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/dialect"
)

func format(s ast.Statement) string {
	if q, ok := s.(*ast.Query); ok {
		return formatQuery(q)
	}
	return ""
}

// TestExpressions has the expressions that the parser's own grammar reads
// differently or rejects. Each is read as SELECT <expression>.
func TestExpressions(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1 + 2 * 3", "(+ 1 (* 2 3))"},
		{"(1 + 2) * 3", "(* (+ 1 2) 3)"},
		{"-x ^ 2", "(^ (- x) 2)"},
		{"- - 5", "(- (- 5))"},
		{"a - -1", "(- a (- 1))"},
		{"a || 'x' || b", "(|| (|| a 'x') b)"},
		{"a || b = c AND NOT d", "(AND (= (|| a b) c) (NOT d))"},
		{"1 + 2 || 'x'", "(|| (+ 1 2) 'x')"},
		{"a | b & 3, a << 1 | 2", "(& (| a b) 3) (| (<< a 1) 2)"},
		{"~a + 1 & ~b, @ a - b, a ^@ b || c, a ~ b, a !~~* b", "(& (~ (+ a 1)) (~ b)) (abs (- a b)) (|| (^@ a b) c) (~ a b) (NOT ILIKE a b)"},
		{"7 // 2, 7 DIV 2, 7 MOD 2, 7 % 2", "(// 7 2) (DIV 7 2) (% 7 2) (% 7 2)"},
		{"NOT a = b OR c <> d AND e", "(OR (NOT (= a b)) (AND (<> c d) e))"},
		{"NOT a IS NULL", "(NOT (IS NULL a))"},
		{"a IS NULL = b, a IN (1) = b, a = b IN (1), a NOTNULL <> b", "(= (IS NULL a) b) (= (IN a 1) b) (= a (IN b 1)) (<> (IS NOT NULL a) b)"},
		{"a LIKE 'x' = b, a = b NOT LIKE 'x' AND c, a BETWEEN 1 AND 2 = b AND c", "(= (LIKE a 'x') b) (AND (= a (NOT LIKE b 'x')) c) (AND (= (BETWEEN a 1 2) b) c)"},
		{"a + 1 LIKE b || 'x' = c, NOT a IN (1) = b", "(= (LIKE (+ a 1) (|| b 'x')) c) (NOT (= (IN a 1) b))"},
		{"a = b IS NULL, a < b IS NOT DISTINCT FROM c, a = b IN (1) IS NULL", "(IS NULL (= a b)) (IS NOT DISTINCT (< a b) c) (IS NULL (= a (IN b 1)))"},
		{"a BETWEEN b AND c AND d IN (1) = e, a IS NULL IN (TRUE)", "(AND (BETWEEN a b c) (= (IN d 1) e)) (IN (IS NULL a) TRUE)"},
		{"a COLLATE nocase = b, a IN (b, 'c' COLLATE NOCASE.NOACCENT), a BETWEEN b AND c COLLATE binary", "(= (COLLATE a nocase) b) (IN a b (COLLATE 'c' NOCASE NOACCENT)) (BETWEEN a b (COLLATE c binary))"},
		{"MIN(a COLLATE NOCASE), f(x ORDER BY a COLLATE NOCASE)", "(MIN (COLLATE a NOCASE)) (f x ORDER (COLLATE a NOCASE))"},
		{`E'a\\b\x41\101\u00e9''\'', $$a'b$$, $x$a$$b$x$`, `'a\bAAé''''' 'a''b' 'a$$b'`},
		{"a.upper(), (a).f(1).g(b := 2), main.f(a), a.b.f(lambda x: x.g()), 'x'.f()", "(upper a) (g (f a 1) b:=2) (f a) (f a.b (LAMBDA x (g x))) (f 'x')"},
		{"a = b IS NOT TRUE", "(IS NOT TRUE (= a b))"},
		{"a IS UNKNOWN, b IS NOT UNKNOWN, c ISNULL, d NOTNULL, e NOT NULL",
			"(IS NULL a) (IS NOT NULL b) (IS NULL c) (IS NOT NULL d) (IS NOT NULL e)"},
		{"a IS DISTINCT FROM b + 1", "(IS DISTINCT a (+ b 1))"},
		{"a IS NOT DISTINCT FROM NULL OR a <=> 2", "(OR (IS NOT DISTINCT a NULL) (IS NOT DISTINCT a 2))"},
		{"a BETWEEN 1 AND 2 AND b NOT BETWEEN c AND d", "(AND (BETWEEN a 1 2) (NOT BETWEEN b c d))"},
		{"a IN (1, 'x', b + 1, -2, ?)", "(IN a 1 'x' (+ b 1) (- 2) $1)"},
		{"a NOT IN (1)", "(NOT IN a 1)"},
		{"(a, b) IN ((1, 2), (3, 4))", "(IN (ROW a b) (ROW 1 2) (ROW 3 4))"},
		{"a IN (SELECT b FROM t)", "(IN a SELECT b FROM t)"},
		{"EXISTS (SELECT 1)", "(EXISTS SELECT 1)"},
		{"(SELECT 1) + ((SELECT 2))", "(+ (QUERY SELECT 1) (QUERY ( SELECT 2)))"},
		{"[1, a + 1, ?], [], ARRAY['x']", "(list_value 1 (+ a 1) $1) (list_value) (list_value 'x')"},
		{`{'a': 1, b: x, "c d":y}, {'a':x}`, "(struct_pack a:=1 b:=x c d:=y) (struct_pack a:=x)"},
		{"MAP {'k':v, 1: [2]}, MAP {}", "(map (list_value 'k' 1) (list_value v (list_value 2))) (map (list_value) (list_value))"},
		{"f(a := 1, b => x, 2)", "(f a:=1 b:=x 2)"},
		{"xs[1:2], xs[:n], xs[a:b:-1], xs[:-:2], xs[1:], xs[i].y", "([:] xs 1 2 ()) ([:] xs () n ()) ([:] xs a b (- 1)) ([:] xs () () 2) ([:] xs 1 () ()) (. ([] xs i) y)"},
		{"list_filter(l, x -> x > 1), f(a, lambda x, y: x), apply(l, (x, i) -> x + i), coalesce(a, b -> 'c')",
			"(list_filter l (LAMBDA x (> x 1))) (f a (LAMBDA x,y x)) (apply l (LAMBDA x,i (+ x i))) (coalesce a (-> b 'c'))"},
		{"list_filter(l, lambda x:x > 1), f(lambda), lambda + 1", "(list_filter l (LAMBDA x (> x 1))) (f lambda) (+ lambda 1)"},
		{"[x + 1 for x in l if x > 2]", "(list_transform (list_filter l (LAMBDA x (> x 2))) (LAMBDA x (+ x 1)))"},
		{"a IN [1, 2], b NOT IN t.xs AND c", "(WITHIN a (list_value 1 2)) (AND (NOT WITHIN b t.xs) c)"},
		{`CAST(x AS STRUCT(a INT, "b c" DECIMAL(5,2)[3])), x::MAP(TEXT, INT[]), x::STRUCT(INT, TEXT)`,
			"(CAST x (STRUCT a INT b c (LIST3 DECIMAL5,2))) (CAST x (MAP TEXT (LIST INT))) (CAST x (STRUCT INT TEXT))"},
		{"a = ANY (SELECT 1), b <> ALL (xs)", "(= a (ANY SELECT 1)) (<> b (ALL xs))"},
		{`a LIKE 'x\_%' ESCAPE '\'`, `(LIKE a 'x\_%' '\')`},
		{"a NOT ILIKE 'X%' AND b GLOB '*.go' AND c SIMILAR TO 'a+'", "(AND (NOT ILIKE a 'X%') (GLOB b '*.go') (SIMILAR c 'a+'))"},
		{"a REGEXP 'x' OR b NOT RLIKE 'y'", "(OR (REGEXP a 'x') (NOT REGEXP b 'y'))"},
		{"CASE WHEN a THEN 1 END, CASE x WHEN 1 THEN 'a' WHEN 2 THEN 'b' ELSE y + 1 END",
			"(CASE [a 1] ()) (CASE x [1 'a'] [2 'b'] (+ y 1))"},
		{"CASE WHEN a BETWEEN 1 AND 2 OR b THEN CASE WHEN c THEN d END END + 1",
			"(+ (CASE [(OR (BETWEEN a 1 2) b) (CASE [c d] ())] ()) 1)"},
		{"DATE '2020-01-02' + INTERVAL '1' YEAR", "(+ (DATE '2020-01-02') (interval '1' YEAR))"},
		{"d - INTERVAL '1 month', INTERVAL 3 DAYS, INTERVAL (a + 1) HOUR, INTERVAL x SECOND, INTERVAL -1 DAY",
			"(- d (interval '1 month')) (interval 3 DAY) (interval (+ a 1) HOUR) (interval x SECOND) (interval (- 1) DAY)"},
		{"TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP WITH TIME ZONE '2020-01-01 00:00:00Z', TIME '12:00'",
			"(TIMESTAMP '2020-01-01 00:00:00') (TIMESTAMP WITH TIME ZONE '2020-01-01 00:00:00Z') (TIME '12:00')"},
		{"date, timestamp, interval, year(date)", "date timestamp interval (year date)"},
		{"EXTRACT(minute FROM ts) + 1, EXTRACT('dow' FROM ts)", "(+ (date_part 'minute' ts) 1) (date_part 'dow' ts)"},
		{"CAST(a + 1 AS DECIMAL(10, 2)), TRY_CAST(a AS DOUBLE PRECISION), CONVERT(a, CHAR)",
			"(CAST (+ a 1) DECIMAL10,2) (TRY_CAST a DOUBLE) (CAST a CHAR)"},
		{"-x::int, x::decimal(5,2)::text || 'a', (a + b)::timestamp with time zone, xs::int[]",
			"(- (CAST x INT)) (|| (CAST (CAST x DECIMAL5,2) TEXT) 'a') (CAST (+ a b) TIMESTAMP WITH TIME ZONE) (CAST xs (LIST INT))"},
		{"xs[1], f(x)[i + 1].a, t.xs[-1]", "([] xs 1) (. ([] (f x) (+ i 1)) a) ([] t.xs (- 1))"},
		{"v #>> '{a,0}', v#>ARRAY['a','b']::text[], v #> '{}'", `(coalesce (->> (-> v '$."a"') '$."0"') (->> (-> v '$."a"') 0)) (-> (-> v '$."a"') '$."b"') (-> v '$')`},
		{"v->'$.a'->>'$.b', f(v)->'$[0]' = 1, (v)->>?", "(->> (-> v '$.a') '$.b') (= (-> (f v) '$[0]') 1) (->> v $1)"},
		{"SUBSTRING(a FROM 2 FOR 3), SUBSTRING(a, 2), substr(a, 2, 3), SUBSTRING(a FOR 2), SUBSTRING(lower(a) FROM 2)",
			"(SUBSTRING a 2 3) (SUBSTRING a 2) (substr a 2 3) (SUBSTRING a 1 2) (SUBSTRING (lower a) 2)"},
		{"POSITION('a' IN b), POSITION(a || 'x' IN b)", "(strpos b 'a') (strpos b (|| a 'x'))"},
		{"TRIM(a), TRIM(a, 'x'), TRIM(BOTH 'x' FROM a), TRIM(LEADING FROM a), TRIM('x' FROM a), TRIM(TRAILING 'x' FROM a || b)",
			"(trim a) (trim a 'x') (trim a 'x') (ltrim a) (trim a 'x') (rtrim (|| a b) 'x')"},
		{"CURRENT_DATE, current_timestamp(), NOW()", "(CURRENT_DATE) (current_timestamp) (NOW)"},
		{"LEFT(a, 1), right(b, 2), REPLACE(a, 'x', 'y'), IF(a, b, c), MOD(a, 2), DATABASE(), VERSION()",
			"(LEFT a 1) (right b 2) (REPLACE a 'x' 'y') (IF a b c) (MOD a 2) (DATABASE) (VERSION)"},
		{"COUNT(*), COUNT(DISTINCT a, b), SUM(a) FILTER (WHERE b > 1), string_agg(a, ',' ORDER BY b DESC NULLS LAST, c) FILTER (WHERE d)",
			"(COUNT *) (COUNT DISTINCT a b) (SUM a (FILTER (> b 1))) (string_agg a ',' ORDER b DESC NULLS LAST ORDER c (FILTER d))"},
		{"row_number() OVER (PARTITION BY a ORDER BY b), SUM(x) OVER (), lag(x IGNORE NULLS) OVER (), lag(x) IGNORE NULLS OVER (), lag(x RESPECT NULLS) OVER ()",
			"(row_number (OVER a ORDER b)) (SUM x (OVER)) (lag x IGNORE (OVER)) (lag x IGNORE (OVER)) (lag x (OVER))"},
		{"SUM(x) OVER (ROWS 1 PRECEDING), SUM(x) FILTER (WHERE y) OVER (PARTITION BY a, b ORDER BY c DESC RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND x + 1 FOLLOWING EXCLUDE TIES)",
			"(SUM x (OVER ROWS 1 < TO ==)) (SUM x (FILTER y) (OVER a b ORDER c DESC RANGE (interval '1' DAY) < TO (+ x 1) > EXCLUDE TIES))"},
		{"SUM(x) OVER (GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE NO OTHERS), SUM(x) OVER (ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW), SUM(x) OVER (RANGE CURRENT ROW EXCLUDE GROUP)",
			"(SUM x (OVER GROUPS == TO >>)) (SUM x (OVER ROWS << TO == EXCLUDE ROW)) (SUM x (OVER RANGE == TO == EXCLUDE GROUP))"},
		{`"odd name", "a""b", ` + "`x y`.z, t.order, größe, t.\"select\"", "odd name a\"b x y.z t.order größe t.select"},
		{"'it''s', 'back\\slash', '', x'00ff', 0x00FF", "'it''s' 'back\\slash' '' x'00ff' x'00ff'"},
		{"1, 1.5, .06, 1e3, 1.5E-3, 18446744073709551616", "1 1.5 .06 1e3 1.5E-3 18446744073709551616"},
		{"a /* ; ' */ + b -- rest", "(+ a b)"},
		{"TRUE, false, NULL", "TRUE FALSE NULL"},
		{"key, keys, status, value, mode, comment, json, date.year", "key keys status value mode comment json date.year"},
		{"count(a > 1), sum(a IS NULL)", "(count (> a 1)) (sum (IS NULL a))"},
		{"a = (b = c)", "(= a (= b c))"},
		{"!a, ~b", "(NOT a) (~ b)"},
		{"a == b, a != b, a <> b", "(= a b) (<> a b) (<> a b)"},
		{"a && b", "(&& a b)"},
	} {
		s, _, err := dialect.Parse(t.Context(), "SELECT "+c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got := strings.TrimPrefix(format(s), "SELECT "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestQueries(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"select a x, b AS \"y z\", c 'w', d date from t", "SELECT a:x b:y z c:w d:date FROM t"},
		{"SELECT DISTINCT t.*, * FROM main.t AS u;", "SELECT DISTINCT t.* * FROM main.t:u"},
		{"SELECT * FROM `2024/*/part-?.parquet` p WHERE a GROUP BY 1, b + 1 HAVING c > 1 ORDER BY 1 DESC, b NULLS FIRST LIMIT 10 OFFSET ?",
			"SELECT * FROM 2024/*/part-?.parquet:p WHERE a GROUP 1 (+ b 1) HAVING (> c 1) ORDER 1 DESC ORDER b NULLS FIRST LIMIT 10 OFFSET $1"},
		{"SELECT 1 GROUP BY ROLLUP (a, (b, c + 1)), CUBE (((d))), (e, f), (g + 1) * 2, (), rollup, grouping",
			"SELECT 1 GROUP (ROLLUP a (b (+ c 1))) (CUBE d) (e f) (* (+ g 1) 2) () rollup grouping"},
		{"SELECT 1 GROUP BY GROUPING SETS (a, (b, c), (), CUBE (d), GROUPING SETS ((e))) HAVING GROUPING(a) = 1",
			"SELECT 1 GROUP (SETS a (b c) () (CUBE d) (SETS e)) HAVING (= (GROUPING a) 1)"},
		{"SELECT 1 LIMIT 5, 10", "SELECT 1 LIMIT 10 OFFSET 5"},
		{"SELECT 1 OFFSET 5", "SELECT 1 OFFSET 5"},
		{"SELECT 1 OFFSET 5 ROWS FETCH FIRST 3 ROWS ONLY", "SELECT 1 LIMIT 3 OFFSET 5"},
		{"SELECT 1 LIMIT ALL", "SELECT 1"},
		{"SELECT * FROM orders o, o.items i LEFT JOIN i.parts p CROSS JOIN x JOIN y ON a = b WHERE z",
			"SELECT * FROM (, orders:o (JOIN (CROSS JOIN (LEFT JOIN o.items:i i.parts:p) x) y ON (= a b))) WHERE z"},
		{"SELECT * FROM a FULL OUTER JOIN b USING (x, y) NATURAL JOIN c", "SELECT * FROM (NATURAL JOIN (FULL JOIN a b (USING x y)) c)"},
		{"SELECT * FROM (SELECT 1 UNION ALL SELECT 2 ORDER BY 1) AS d(x), (VALUES (1, 'a'), (2, b)) v",
			"SELECT * FROM (, ( (UNION ALL SELECT 1 SELECT 2) ORDER 1):d( x) ( (VALUES ( 1 'a') ( 2 b))):v)"},
		{"SELECT * FROM a SEMI JOIN b ON x, c ANTI JOIN d USING (y)", "SELECT * FROM (, (SEMI JOIN a b ON x) (ANTI JOIN c d (USING y)))"},
		{"SELECT * FROM a LEFT SEMI JOIN b ON x LEFT ANTI JOIN c ON y LEFT OUTER JOIN d ON z",
			"SELECT * FROM (LEFT JOIN (ANTI JOIN (SEMI JOIN a b ON x) c ON y) d ON z)"},
		{"SELECT * FROM a ASOF JOIN b ON x ASOF LEFT JOIN c USING (y)", "SELECT * FROM (ASOF LEFT JOIN (ASOF JOIN a b ON x) c (USING y))"},
		{"SELECT * FROM a POSITIONAL JOIN b asof ASOF JOIN c anti ON x", "SELECT * FROM (ASOF JOIN (POSITIONAL JOIN a b:asof) c:anti ON x)"},
		{"SELECT * FROM semi, anti a", "SELECT * FROM (, semi anti:a)"},
		{"FROM a", "SELECT * FROM a"},
		{"FROM a JOIN b ON x WHERE y LIMIT 1", "SELECT * FROM (JOIN a b ON x) WHERE y LIMIT 1"},
		{"FROM a SELECT DISTINCT b WHERE c ORDER BY b", "SELECT DISTINCT b FROM a WHERE c ORDER b"},
		{"FROM a UNION FROM b SELECT c", "(UNION SELECT * FROM a SELECT c FROM b)"},
		{"SELECT (FROM a SELECT b)", "SELECT (QUERY SELECT b FROM a)"},
		{"SELECT 1 UNION ALL BY NAME SELECT 2", "(UNION ALL BY NAME SELECT 1 SELECT 2)"},
		{"SELECT * FROM ((SELECT 1) a JOIN b ON x)", "SELECT * FROM (JOIN ( SELECT 1):a b ON x)"},
		{"SELECT * FROM ((SELECT 1) UNION SELECT 2)", "SELECT * FROM ( (UNION ( SELECT 1) SELECT 2))"},
		{"SELECT * FROM (((a)))", "SELECT * FROM a"},
		{"WITH a(x) AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a EXCEPT SELECT 1 INTERSECT SELECT 2",
			"(WITH a x SELECT 1) (WITH b SELECT 2) (EXCEPT SELECT * FROM a (INTERSECT SELECT 1 SELECT 2))"},
		{"(SELECT 1 LIMIT 1) UNION (SELECT 2)", "(UNION ( SELECT 1 LIMIT 1) ( SELECT 2))"},
		{"SELECT * FROM 'file.parquet'", "SELECT * FROM file.parquet:file"},
		{"SELECT a.b.c.d FROM t", "SELECT a.b.c.d FROM t"},
	} {
		s, _, err := dialect.Parse(t.Context(), c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got := format(s); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestText checks what result columns without alias are called.
func TestText(t *testing.T) {
	s, _, err := dialect.Parse(t.Context(), "SELECT a  +  b, COUNT( * ), (x), \"Y z\" AS q, CASE WHEN a THEN 'é' END FROM t")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a  +  b", "COUNT( * )", "(x)", "\"Y z\"", "CASE WHEN a THEN 'é' END"} {
		if got := s.(*ast.Query).Body.(*ast.Select).Items[i].Text; got != want {
			t.Errorf("item %d is %q, want %q", i, got, want)
		}
	}
}

// TestSyntaxErrors checks the position of errors: the byte that ^ points to.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ in, at string }{
		{"", "^"},
		{"SELECT", "      ^"},
		{"SELECT FROM t", "       ^"},
		{"SELECT a FROM t WHERE", "                     ^"},
		{"SELECT a b c FROM t", "           ^"},
		{"SELECT a FROM t GROUP b", "                      ^"},
		{"SELECT 'abc", "       ^"},
		{"SELECT \"abc", "       ^"},
		{"SELECT a FROM t /* x", "                ^"},
		{"SELECT 1; SELECT 2", "          ^"},
		{"SELECT (1", "         ^"},
		{"SELECT 1)", "        ^"},
		{"SELECT a = b = c FROM t", "             ^"},
		{"SELECT x, a = NOT b FROM t", "              ^"},
		{"SELECT 'é', a + FROM t", "                 ^"},
		{"SELECT CAST(a AS) FROM t", "                ^"},
		{"SELECT CASE a END", "              ^"},
		{"SELECT 12abc", "       ^"},
		{"SELECT 0x1", "       ^"},
		{"SELECT \\", "       ^"},
		{"DESCRIBE t junk", "           ^"},
		{"DESCRIBE t.*", "           ^"},
		{"SELECT ? + $1", "           ^"},
		{"SELECT a.*.b FROM t", "          ^"},
		{"FOO", "^"},
		{"SELECT a FROM t LIMIT 1 LIMIT 2", "                        ^"},
		{"SELECT * FROM t JOIN", "                    ^"},
		{"SELECT a FROM t ORDER BY a NULLS", "                           ^"},
		{"SELECT \xff", "       ^"},
	} {
		_, _, err := dialect.Parse(t.Context(), c.in)
		var e *errs.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want a SyntaxError", c.in, err)
		} else if e.Position != len(c.at)-1 {
			t.Errorf("%q: %v, want position %d", c.in, err, len(c.at)-1)
		}
	}
}

// TestRefused checks constructs that are understood but not supported.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		in   string
		want error
		text string
	}{
		{"INSERT INTO t VALUES (1)", errs.ErrReadOnly, "INSERT"},
		{"with x as (select 1) delete from t", errs.ErrReadOnly, "DELETE"},
		{"EXPLAIN UPDATE t SET a = 1", errs.ErrReadOnly, "UPDATE"},
		{"CREATE TABLE t (a INT)", errs.ErrReadOnly, "CREATE"},
		{"DROP TABLE t", errs.ErrReadOnly, "DROP"},
		{"SELECT * INTO x FROM t", errs.ErrReadOnly, "INTO"},
		{"SELECT * FROM t FOR UPDATE", errs.ErrReadOnly, "FOR UPDATE"},
		{"BEGIN", errs.ErrUnsupported, "BEGIN"},
		{"SELECT a FROM t GROUP BY a WITH ROLLUP", errs.ErrUnsupported, "ROLLUP (…)"},
	} {
		_, _, err := dialect.Parse(t.Context(), c.in)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v with %q", c.in, err, c.want, c.text)
		}
	}
}

func TestParams(t *testing.T) {
	for _, c := range []struct {
		in    string
		count int
		names string
	}{
		{"SELECT ?, a FROM t WHERE b IN (?, ?) LIMIT ?", 4, ""},
		{"SELECT $2, $1, $2", 2, ""},
		{"SELECT :a, :b_1, :a LIMIT @n", 0, "a b_1 n"},
		{"SELECT '?', \":x\", x::int -- ?", 0, ""},
	} {
		_, p, err := dialect.Parse(t.Context(), c.in)
		if err != nil || p.Count != c.count || strings.Join(p.Names, " ") != c.names {
			t.Errorf("%s: %+v %v", c.in, p, err)
		}
	}
}

// TestLinear: a text of twice the length allocates about twice as much, so no part
// of it is copied again and again.
func TestLinear(t *testing.T) {
	for _, more := range []string{" AND NOT a", " OR a = 1 AND b", ",a", " + a IN (1, 2) AND b"} {
		allocated := func(n int) float64 {
			text := "SELECT a" + strings.Repeat(more, n)
			before := leaktest.Allocated()
			if _, _, err := dialect.Parse(t.Context(), text); err != nil {
				t.Fatalf("%q: %v", more, err)
			}
			return float64(leaktest.Allocated() - before)
		}
		if once, twice := allocated(10_000), allocated(20_000); twice > 3*once {
			t.Errorf("%q: 10,000 times allocates %.0f bytes, 20,000 times %.0f", more, once, twice)
		}
	}
}

// scripts is the statements of testdata/slt.
func scripts(f *testing.F) []string {
	paths, err := filepath.Glob("../../testdata/slt/*.slt")
	if err != nil || len(paths) == 0 {
		f.Fatalf("%d scripts, %v", len(paths), err)
	}
	var out []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for record := range strings.SplitSeq(string(text), "\n\n") {
			statement, _, _ := strings.Cut(record, "\n----")
			if at := strings.LastIndex("\n"+statement, "\nquery"); at >= 0 {
				_, sql, _ := strings.Cut(statement[at:], "\n")
				out = append(out, sql)
			}
		}
	}
	return out
}

// FuzzParse looks for panics and hangs; a statement that is read has to have
// its spans inside the text. It begins with the statements of all scripts.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"SELECT a, b::int, xs[1], v->>'$.a' FROM t, t.items i WHERE x BETWEEN ? AND ? GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 5",
		"WITH a AS (SELECT 1) SELECT CASE WHEN a THEN b END, COUNT(DISTINCT x) FILTER (WHERE y) FROM a UNION VALUES (1)",
		"EXPLAIN (ANALYZE, FORMAT JSON) SELECT TRIM(BOTH 'x' FROM a), POSITION('a' IN b), EXTRACT(year FROM d), INTERVAL '1' DAY",
		"SHOW COLUMNS FROM `a b` LIKE 'x%'", "DESCRIBE SELECT 1", "SELECT a NOT IN (SELECT 1) IS NOT DISTINCT FROM TRUE",
	} {
		f.Add(s)
	}
	for _, s := range scripts(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, _, err := dialect.Parse(t.Context(), text)
		var syntax *errs.SyntaxError
		if errors.As(err, &syntax) && (syntax.Position < 0 || syntax.Position > len(text)) {
			t.Fatalf("position %d of %d", syntax.Position, len(text))
		}
		var missing *errs.NotFoundError // of a window
		if err != nil && !errors.Is(err, errs.ErrReadOnly) && !errors.Is(err, errs.ErrUnsupported) && syntax == nil && !errors.As(err, &missing) {
			t.Fatalf("unexpected error %v", err)
		}
		if err == nil {
			format(s)
		}
	})
}
