package scaling

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // the writer

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/fragmentstest"
)

func open(folder string) (fragments.Store, error) { return NewCounted(folder) }

func TestMain(m *testing.M) {
	fragmentstest.Main(open)
	os.Exit(m.Run())
}

// groups is how many row groups the table has; a split is some of them.
const groups = 28

// table writes a table of that many row groups with rows as DuckDB makes them.
func table(t *testing.T) string {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir := t.TempDir()
	_, err = db.Exec(fmt.Sprintf(`COPY (SELECT i AS id, hash(i) %% 1000 AS few, hash(i + 7) %% 60000 AS many, hash(i + 9) %% 1000003 / 7.0 AS x, 'text ' || hash(i + 3) %% 5000 AS s
		FROM range(%d) t(i)) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 8192)`, groups*8192, filepath.ToSlash(filepath.Join(dir, "t.parquet"))))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// queries are one of each kind of exchange.
var queries = []string{
	"SELECT few, COUNT(*), SUM(x) FROM t GROUP BY few",
	"SELECT many, COUNT(*), SUM(x), MIN(s) FROM t GROUP BY many",
	"SELECT id, x FROM t WHERE few < 30",
	"SELECT id, s FROM t ORDER BY x DESC LIMIT 100",
	"SELECT COUNT(*), SUM(a.x) FROM t a JOIN t b ON a.id = b.many",
	"SELECT few, MEDIAN(x) FROM t GROUP BY few",
	"SELECT COUNT(DISTINCT many) FROM t",
}

// within is how far bytes may be from what the model says: how well rows are compressed depends on how many of them
// a batch has.
const within = 0.12

// TestModel says what queries take in 1, 2, 4 and 7 processes, with 4, 7, 14 and 28 splits, from runs with 2 and with
// 10, and compares: tasks and requests are as it says, bytes nearly.
func TestModel(t *testing.T) {
	dir := table(t)
	list := queries
	if testing.Short() {
		list = list[:2]
	}
	for _, query := range list {
		whole, err := scanned(t, dir, query)
		if err != nil {
			t.Fatal(err)
		}
		run := func(workers, splits, partitions int) *Measured {
			folder := filepath.Join(t.TempDir(), "exchange")
			pool := fragmentstest.NewPool(fragmentstest.Options{Workers: workers, Store: folder})
			defer pool.Close()
			// Row groups have not all the same size: a split of a bit more takes as many as it should.
			o := parquetsql.StageOptions{SplitBytes: whole/int64(splits) + whole/groups/3, Partitions: partitions, BroadcastBytes: -1, SmallBytes: -1}
			m, err := Measure(t.Context(), dir, query, o, folder, workers, pool.Run)
			if err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			return m
		}
		shape, err := Of(run(1, 2, 2).Stages, run(1, 2, 20).Stages, run(1, 10, 20).Stages)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for _, c := range []struct{ workers, splits int }{{1, 4}, {2, 7}, {4, 14}, {7, 28}} {
			m := run(c.workers, c.splits, c.splits)
			out := shape.Predict(Setting{Workers: c.workers, Splits: m.Splits(), Partitions: m.Partitions, Keys: 1000})
			text := fmt.Sprintf("%s: %d processes, %v tasks, %d partitions", query, c.workers, m.Splits(), m.Partitions)
			t.Logf("%s: %d tasks, %d requests (%.0f), %d bytes (%.0f), skew %.2f (%.2f)", text, m.Tasks, m.Gets+m.Puts, out.Gets+out.Puts, m.Written, out.Written, m.Skew, out.Skew)
			for what, n := range map[string][2]float64{
				"tasks": {float64(m.Tasks), float64(out.Tasks)}, "GETs": {float64(m.Gets), out.Gets}, "PUTs": {float64(m.Puts), out.Puts},
				"LISTs": {float64(m.Lists), out.Lists}, "DELETEs": {float64(m.Delete), out.Delete},
			} {
				if math.Round(n[1]) != n[0] {
					t.Errorf("%s: %s are %.0f, the model says %.2f", text, what, n[0], n[1])
				}
			}
			for what, n := range map[string][2]float64{"written": {float64(m.Written), out.Written}, "read": {float64(m.Read), out.Read}, "read of manifests": {float64(m.Manifests), out.Manifests}} {
				if math.Abs(n[0]-n[1]) > within*n[0] {
					t.Errorf("%s: %.0f bytes are %s, the model says %.0f", text, n[0], what, n[1])
				}
			}
			if m.Skew > 1.1*out.Skew {
				t.Errorf("%s: the largest partition has %.2f times the mean, the model says at most %.2f", text, m.Skew, out.Skew)
			}
		}
	}
}

// scanned is what a query reads of a table.
func scanned(t *testing.T, dir, query string) (int64, error) {
	t.Helper()
	plan, err := fragments.New(context.Background(), fragments.Query{DSN: dir, SQL: query, StageOptions: parquetsql.StageOptions{SplitBytes: 1, SmallBytes: -1, BroadcastBytes: -1}})
	if err != nil {
		return 0, err
	}
	n := map[int]int64{}
	whole := int64(0)
	for _, f := range plan.Fragments {
		for _, s := range f.Splits {
			n[f.Stage] += s.Bytes
			whole = max(whole, n[f.Stage])
		}
	}
	return whole, plan.Close()
}
