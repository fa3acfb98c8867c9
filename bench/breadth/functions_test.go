package breadth_test

import (
	"context"
	"testing"

	"github.com/parquetsql/parquetsql/bench/answer"
	"github.com/parquetsql/parquetsql/bench/breadth"
	"github.com/parquetsql/parquetsql/bench/tpc"
)

// differs are functions whose answers are not DuckDB's, and why.
var differs = map[string]string{
	"RANDOM": random, "UUID": random, "UUIDV7": random, "NOW": "the time goes on", "VERSION": session, "CURRENT_CATALOG": session, "CURRENT_USER": session, "FORMAT_TYPE": session,
	"APPROX_COUNT_DISTINCT": approximate, "LIST_APPROX_COUNT_DISTINCT": approximate, "APPROX_QUANTILE": approximate, "APPROX_TOP_K": approximate, "RESERVOIR_QUANTILE": approximate,
	"STRUCT_VALUES": unnamed, "ROW": unnamed,
	"DATESUB": "of TIMESTAMPTZ, DuckDB counts months that end on the last day otherwise than of TIMESTAMP",
}

const (
	random      = "its values are random"
	session     = "it says something about the session or the catalog"
	unnamed     = "JSON of fields without names"
	approximate = "DuckDB approximates"
)

// TestFunctions: each function of the table has a query that runs, and where DuckDB has the function, the answers agree.
func TestFunctions(t *testing.T) {
	dir := t.TempDir()
	if err := breadth.Write(dir, 6000); err != nil {
		t.Fatal(err)
	}
	ours, duck, err := tpc.Open(dir, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer duck.Close()
	all, err := breadth.Functions(ours)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	asked, compared := map[string]bool{}, 0
	for _, q := range all {
		open := ""
		for _, name := range q.Functions {
			asked[name] = true
			open += differs[name]
		}
		got, err := answer.Read(ctx, ours, q.Text)
		if err != nil {
			t.Errorf("%s: %v", q.Text, err)
			continue
		}
		want, err := answer.Read(ctx, duck, q.Text)
		if err != nil {
			continue // DuckDB has no such function, or not with such arguments
		}
		compared++
		if d := answer.Agree(got, want, q.Text); d != "" && open == "" {
			t.Errorf("%s: %s", q.Text, d)
		}
	}
	t.Logf("%d queries of %d functions, %d compared", len(all), len(asked), compared)
	names, err := answer.Read(ctx, ours, "SELECT ANY_VALUE(UPPER(name) ORDER BY number) FROM (SELECT *, ROW_NUMBER() OVER () AS number FROM (SHOW FUNCTIONS)) WHERE type <> 'window' GROUP BY type, help, example")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range names.Rows {
		if name := row[0]; asked[name] == (breadth.Unasked(name) != "") {
			t.Errorf("%s: has a query: %t, said to have none: %q", name, asked[name], breadth.Unasked(name))
		}
	}
}
