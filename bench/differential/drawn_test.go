package differential

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// undrawn are the functions that no query has, and why; a name with * is a family.
var undrawn = map[string]string{
	"ST_*": "geometries: bench/geos compares them, DuckDB has them in an extension", "*VARIANT*": "no table has a VARIANT: bench/varianttest",
	"INITCAP": notThere, "SUBSTRING_INDEX": notThere, "STRCMP": notThere, "SPACE": notThere, "LOCATE": notThere, "UNIX_TIMESTAMP": notThere, "TIMESTAMPADD": notThere, "FROM_UNIXTIME": notThere,
	"DATE_FORMAT": notThere, "SUBDATE": notThere, "ADDDATE": notThere, "DIV": notThere, "REGEXP_SUBSTR": notThere, "REGEXP_COUNT": notThere, "DAYS_IN_MONTH": notThere, "SIMILAR_TO": notThere,
	"DATE": notThere, "TIMESTAMP": notThere, "TIME": notThere, "UNESCAPE_BLOB": notThere, "ISNULL": notThere, "JSON_EACH": "a table", "JSON_TREE": "a table",
	"UUID*": "no table has a UUID, and new ones are random", "RANDOM": random, "NOW": clock, "LOCALTIMESTAMP": clock, "CURRENT_*": clock, "CONNECTION_ID": session, "VERSION": session,
	"DATABASE": session, "QUOTE_IDENT": session, "QUOTE_LITERAL": notThere, "TO_CHAR": notThere, "WIDTH_BUCKET": notThere, "INET_*": session, "FORMAT_TYPE": session, "HAS_*": session, "PG_*": session, "OBJ_DESCRIPTION": session, "COL_DESCRIPTION": session,
	"SHOBJ_DESCRIPTION": session, "CAN_CAST_IMPLICITLY": typeNames, "REPLACE_TYPE": typeNames, "ERROR": "it fails", "APPROX_*": approximate, "RESERVOIR_QUANTILE": approximate,
	"NEGATE": notThere, "TYPEOF": typeNames, "GLOB": operator, "&&": operator, "||": operator, "<@": "LIST_HAS_ALL from the other side",
	"FILL": "docs/dialect.md: values at the ends differ", "REGR_COUNT": "without rows in a correlated subquery it is NULL in DuckDB, and anything in some", "SWITCH": "its branches are lambdas",
}

const (
	notThere    = "DuckDB has no such function"
	random      = "its values are random"
	clock       = "its values change"
	session     = "it says something about the session or the catalog"
	typeNames   = "it is about types, whose names differ"
	approximate = "DuckDB approximates"
	operator    = "it is drawn as an operator"
)

// TestDrawn: each function is in a form by one of its names, or is said not to be.
func TestDrawn(t *testing.T) {
	var forms strings.Builder
	for _, f := range allForms() {
		forms.WriteString(f.text + "\n")
	}
	forms.WriteString(strings.Join(chosen, "\n") + written)
	drawn := map[string]bool{}
	for _, m := range regexp.MustCompile(`([A-Z_0-9]+)\(`).FindAllStringSubmatch(forms.String(), -1) {
		drawn[m[1]] = true
	}
	rows, err := openEngines(t).ours[0].Query("SELECT STRING_AGG(DISTINCT UPPER(name), ' ') FROM (SHOW FUNCTIONS) GROUP BY type, help, example")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var names string
		if err := rows.Scan(&names); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(strings.Fields(names), func(name string) bool { return drawn[name] || isUndrawn(name) }) {
			t.Errorf("no query has the function %s", names)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func allForms() (all []form) {
	for _, table := range []map[typ][]form{functions, families, others, statistics, measures} {
		for _, list := range table {
			all = append(all, list...)
		}
	}
	return all
}

// written are the functions that the generator has outside of the tables of forms.
const written = "COUNT( SUM( AVG( MIN( MAX( UPPER( BOOL_AND( BOOL_OR( STRING_AGG( LIST( ROW_NUMBER( RANK( DENSE_RANK( PERCENT_RANK( CUME_DIST( NTILE( LAG( LEAD( NTH_VALUE( "

func isUndrawn(name string) bool {
	for pattern := range undrawn {
		if ok, _ := regexp.MatchString("^"+strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")+"$", name); ok {
			return true
		}
	}
	return false
}

// TestForms: both engines answer each form.
func TestForms(t *testing.T) {
	e := openEngines(t)
	sample := map[typ]string{integer: "a", double: "d", text: "s", boolean: "(a > 3)", date: "DATE '2020-01-30'", decimal: "1.25::DECIMAL(9,2)", timestamp: "TIMESTAMP '2020-01-31 10:11:12'",
		list: "[a, 2]", structure: "{'a': a, 'b': s}", mapping: "MAP {1: s, 2: 'b'}", interval: "INTERVAL '1 day'", zoned: "TIMESTAMPTZ '2020-01-31 10:11:12+00'", stamp: "'2020-01-31 10:11:12'"}
	check := func(f form) {
		call := f.text
		for _, a := range f.args {
			call = strings.Replace(call, "$", sample[a], 1)
		}
		if g := e.check("SELECT " + call + " AS c FROM t1"); g != nil {
			t.Errorf("%s: %s", call, g.text)
		}
	}
	for _, f := range allForms() {
		check(f)
	}
	for _, f := range chosen {
		check(of(f, slices.Repeat([]typ{text}, strings.Count(f, "$"))...))
	}
}
