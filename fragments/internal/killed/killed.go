// Package killed is the test of workers that are killed at random, for all stores: whatever happens to them, the
// rows are those of the driver.
package killed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/fragmentstest"
)

// queries have the same rows each time, in some order.
var queries = []string{
	"SELECT * FROM sales WHERE amount > 50",
	"SELECT COUNT(*), SUM(amount), AVG(price), MIN(day), MAX(product), STDDEV(amount), CORR(amount, id), ARG_MAX(product, id) FROM sales",
	"SELECT product, COUNT(*), SUM(price), AVG(amount), COUNT(DISTINCT shop), MEDIAN(amount) FROM sales GROUP BY product",
	"SELECT product, STRING_AGG(id, ',' ORDER BY id) FROM sales GROUP BY product ORDER BY product NULLS FIRST LIMIT 7",
	"SELECT id, product FROM sales ORDER BY amount DESC NULLS LAST, id LIMIT 20 OFFSET 5",
	"SELECT id FROM sales LIMIT 300 OFFSET 600",
	"SELECT DISTINCT shop, day FROM sales",
	"SELECT town, COUNT(*), SUM(amount) FROM sales JOIN shops USING (shop) GROUP BY town",
	"SELECT s.id, o.town FROM sales s LEFT JOIN shops o ON s.shop = o.shop WHERE s.id % 7 = 0",
	"SELECT o.town, s.id FROM sales s RIGHT JOIN shops o ON s.shop = o.shop AND s.id < 100",
	"SELECT s.id, o.town FROM sales s FULL JOIN shops o ON s.shop = o.shop AND s.id < 500",
	"SELECT id FROM sales WHERE shop NOT IN (SELECT shop FROM shops WHERE town <> 'town 1')",
	"SELECT id FROM sales s WHERE EXISTS (SELECT 1 FROM shops o WHERE o.shop = s.shop AND o.town = 'town 2')",
	"SELECT a.id, b.id FROM sales a JOIN sales b ON a.product = b.product AND a.day = b.day WHERE a.id < b.id",
	"SELECT id, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY id), SUM(amount) OVER (PARTITION BY product ORDER BY id) FROM sales",
	"SELECT shop, product, COUNT(*), GROUPING(shop) FROM sales GROUP BY CUBE (shop, product)",
	"SELECT id FROM sales WHERE id < 900 EXCEPT SELECT id FROM sales WHERE amount > 20",
	"SELECT product FROM sales UNION SELECT town FROM shops",
	"WITH x AS (SELECT shop, SUM(amount) AS total FROM sales GROUP BY shop) SELECT a.shop, b.shop FROM x a JOIN x b ON a.total < b.total",
	"SELECT tag, COUNT(*), MIN(id) FROM sales, UNNEST(tags) AS t(tag) GROUP BY tag",
	"SELECT product, tags, MAX(id) FROM sales GROUP BY product, tags",
	"SELECT s.id, o.shop FROM sales s ASOF JOIN shops o ON s.shop >= o.shop",
	"SELECT town, (SELECT COUNT(*) FROM sales s WHERE s.shop = o.shop) FROM shops o",
	"SELECT id FROM sales WHERE amount = (SELECT MAX(amount) FROM sales)",
}

// Workers runs the queries on 1, 2, 4 and 7 processes that die in operations of a store, a third of the fragments
// twice at the same time, with manifests that are seen late. The rows are those of the driver, and no file is left.
// The test's TestMain calls fragmentstest.Main with open.
//
// PARQUETSQL_FRAGMENT_RUNS is how many runs there are, PARQUETSQL_FRAGMENT_SEED chooses what happens.
func Workers(t *testing.T, address string, open func(string) (fragments.Store, error)) {
	seed, err := number("PARQUETSQL_FRAGMENT_SEED", uint64(time.Now().UnixNano()))
	if err != nil {
		t.Fatal(err)
	}
	all, err := number("PARQUETSQL_FRAGMENT_RUNS", uint64(len(queries)))
	if err != nil {
		t.Fatal(err)
	}
	runs := int(all)
	t.Logf("seed %d (PARQUETSQL_FRAGMENT_SEED), %d runs (PARQUETSQL_FRAGMENT_RUNS)", seed, runs)
	store, err := open(address)
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{dir: Tables(t, seed), store: store, rng: rand.New(rand.NewPCG(seed, 0)), want: map[string][]string{}}
	if r.plain, err = sql.Open("parquet", r.dir); err != nil {
		t.Fatal(err)
	}
	defer r.plain.Close()
	died := 0
	for i, workers := range []int{1, 2, 4, 7} {
		// Deaths are so rare that some attempts end, and so many that no operation is spared.
		pool := fragmentstest.NewPool(fragmentstest.Options{Workers: workers, Store: address, Seed: r.rng.Uint64(), Kill: 0.02, Delay: 0.1, Double: true})
		for run := i; run < runs; run += 4 {
			query := queries[run%len(queries)]
			if runs > len(queries) {
				query = queries[r.rng.IntN(len(queries))]
			}
			if problem := r.run(t, query, workers, pool); problem != "" {
				t.Errorf("seed %d: %s with %d workers: %s", seed, query, workers, problem)
			}
		}
		pool.Close()
		died += pool.Died()
	}
	t.Logf("%d fragments, %d workers died", r.fragments, died)
	if died == 0 {
		t.Error("no worker died")
	}
}

// number is that of a variable of the environment.
func number(variable string, otherwise uint64) (uint64, error) {
	if s := os.Getenv(variable); s != "" {
		return strconv.ParseUint(s, 10, 64)
	}
	return otherwise, nil
}

type runner struct {
	dir       string
	plain     *sql.DB
	store     fragments.Store
	rng       *rand.Rand
	want      map[string][]string // rows of the driver
	fragments int
}

// run runs a query, with options that chance chooses, and says what is wrong.
func (r *runner) run(t *testing.T, query string, workers int, pool *fragmentstest.Pool) string {
	o := parquetsql.StageOptions{SplitBytes: 1 + r.rng.Int64N(8<<10), Partitions: 1 + r.rng.IntN(5), BroadcastBytes: r.rng.Int64N(3) - 1}
	if r.want[query] == nil {
		r.want[query] = rowsOf(t, r.plain.QueryContext, query)
	}
	plan, err := fragments.New(t.Context(), fragments.Query{DSN: r.dir, SQL: query, StageOptions: o})
	if err != nil {
		return err.Error()
	}
	r.fragments += len(plan.Fragments)
	if err := plan.Do(t.Context(), workers, 200, pool.Run); err != nil {
		return errors.Join(err, plan.Close()).Error()
	}
	got := rowsOf(t, func(ctx context.Context, _ string, _ ...any) (*sql.Rows, error) { return plan.Rows(ctx, r.store) }, query)
	if !slices.Equal(got, r.want[query]) {
		return fmt.Sprintf("%+v: %d rows, want %d, the first that differs\n%s\n%s\n%s",
			o, len(got), len(r.want[query]), firstOther(got, r.want[query]), firstOther(r.want[query], got), strings.Join(plan.Text(), "\n"))
	}
	if err := errors.Join(plan.Close(), fragments.Clean(t.Context(), r.store, plan.ID)); err != nil {
		return err.Error()
	}
	if left, err := r.store.List(t.Context(), ""); len(left) > 0 || err != nil {
		return fmt.Sprintf("left are %q, %v", left, err)
	}
	return ""
}

// rowsOf is the rows of a query as sorted texts.
func rowsOf(t *testing.T, query func(context.Context, string, ...any) (*sql.Rows, error), text string) []string {
	t.Helper()
	rows, err := query(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	out := []string{}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		parts := make([]string, len(values))
		for i, v := range values {
			if f, ok := v.(float64); ok {
				v = strconv.FormatFloat(f, 'g', 9, 64) // sums in another order
			}
			parts[i] = fmt.Sprint(v)
		}
		out = append(out, strings.Join(parts, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	slices.Sort(out)
	return out
}

// firstOther is the first row that another list does not have.
func firstOther(rows, other []string) string {
	for _, row := range rows {
		if !slices.Contains(other, row) {
			return row
		}
	}
	return ""
}
