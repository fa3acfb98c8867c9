package enginetest

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/scan"
)

// prunerSets are the sets to compare: none, whose answer counts as right, all, and each
// pruner alone. A pruner that skips nothing by itself comes with the one that it needs.
var prunerSets = []struct {
	name string
	set  scan.Pruners
}{
	{"off", scan.NoPruners},
	{"on", scan.AllPruners},
	{"paths", scan.PrunePaths},
	{"statistics", scan.PruneStatistics},
	{"bloom filters", scan.PruneBloom},
	{"dictionaries", scan.PruneDictionary},
	{"page index", scan.PrunePages},
	{"bounds and keys on statistics", scan.PruneRunTime | scan.PruneStatistics},
	{"bounds and keys on pages", scan.PruneRunTime | scan.PrunePages},
	{"keys on bloom filters", scan.PruneRunTime | scan.PruneBloom},
	{"order of row groups", scan.PruneOrder | scan.PruneStatistics},
	{"order of pages", scan.PruneOrder | scan.PrunePages},
	{"metadata", scan.PruneMetadata | scan.PruneStatistics},
}

// TestPruningChangesNothing runs random queries over every file without pruning,
// with each pruner alone and with all: the answers must be the same. A predicate made
// from a row's own values must also find that row. PARQUETSQL_PRUNE_ROUNDS is the
// number of queries per file, PARQUETSQL_PRUNE_SEED repeats a run.
func TestPruningChangesNothing(t *testing.T) {
	seed, rounds := pruneRun(t, 4, 1)
	asked := map[string]int{}
	for _, file := range smallFiles(t, 256<<10) {
		if strings.Contains(file.name, "bad_data") {
			continue
		}
		t.Run(file.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(len(file.data))))
			if o := newPruneOracle(t, r, parquetsql.Config{Path: file.name, VerifyChecksums: true}); o != nil {
				o.ask(t, rounds, asked)
			}
		})
	}
	t.Logf("asked: %v", asked)
}

// TestPruningOfUnions does the same with tables of two files, in folders that make a
// partition column. Columns of the same name may differ in type.
func TestPruningOfUnions(t *testing.T) {
	seed, rounds := pruneRun(t, 80, 6)
	r := rand.New(rand.NewPCG(seed, 0))
	var files []corpusFile
	columns := map[string][]string{}
	for _, f := range smallFiles(t, 100<<10) {
		if names := columnsOf(t, f); names != nil {
			files, columns[f.name] = append(files, f), names
		}
	}
	asked := map[string]int{}
	for range rounds {
		a, b := pick(r, files), pick(r, files)
		for tries := 0; tries < 100 && !haveInCommon(columns[a.name], columns[b.name]); tries++ {
			b = pick(r, files)
		}
		config := parquetsql.Config{FS: fstest.MapFS{
			"t/k=1/a.parquet": {Data: a.data, ModTime: time.Unix(1e9, 0)}, "t/k=2/b.parquet": {Data: b.data, ModTime: time.Unix(1e9, 0)},
			"t/k=__HIVE_DEFAULT_PARTITION__/a.parquet": {Data: a.data, ModTime: time.Unix(1e9, 0)},
		}}
		t.Run(a.name+" and "+b.name, func(t *testing.T) {
			if o := newPruneOracle(t, r, config); o != nil {
				o.ask(t, 10, asked)
			}
		})
	}
	t.Logf("asked: %v", asked)
}

// columnsOf returns a file's column names, or nil where it cannot be read.
func columnsOf(t *testing.T, file corpusFile) []string {
	t.Helper()
	db := openDir(t, file.name)
	columns, err := queryTable(db, "DESCRIBE "+quoted(one[string](t, db, "SHOW TABLES")))
	if err != nil {
		return nil
	}
	var names []string
	for _, row := range columns.rows {
		names = append(names, row[0].(string))
	}
	return names
}

func haveInCommon(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// pruneRun returns the seed, which it prints, and the number of rounds.
func pruneRun(t *testing.T, usual, short int) (seed uint64, rounds int) {
	t.Helper()
	seed, rounds = uint64(time.Now().UnixNano()), usual
	if testing.Short() {
		rounds = short
	}
	if n, err := strconv.ParseUint(os.Getenv("PARQUETSQL_PRUNE_SEED"), 10, 64); err == nil {
		seed = n
	}
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_PRUNE_ROUNDS")); err == nil {
		rounds = n
	}
	t.Logf("seed %d", seed)
	return seed, rounds
}

// prunable is a connector of this driver.
type prunable interface {
	WithPruners(scan.Pruners) driver.Connector
}

// rowID are the columns that identify a row.
const rowID = "_file, _row_group, _row"

// pruneOracle runs queries over the table of one location with each set of pruners.
type pruneOracle struct {
	*predicates
	dbs []*sql.DB // as prunerSets
}

// question is a query whose answer must not depend on pruning.
type question struct {
	form  string // what kind of question it is, for the count
	query string
	args  []any
	finds bool // the current row is in the answer
}

// newPruneOracle opens the one table of a location. It returns nil where the table
// cannot be read or is empty.
func newPruneOracle(t *testing.T, r *rand.Rand, config parquetsql.Config) *pruneOracle {
	t.Helper()
	connector, err := parquetsql.NewConnector(&config)
	if err != nil {
		t.Fatal(err)
	}
	o := &pruneOracle{}
	for _, s := range prunerSets {
		db := sql.OpenDB(connector.(prunable).WithPruners(s.set))
		t.Cleanup(func() { db.Close() })
		o.dbs = append(o.dbs, db)
	}
	name := one[string](t, o.dbs[0], "SHOW TABLES")
	all, err := queryTable(o.dbs[0], "SELECT *, "+rowID+" FROM "+quoted(name))
	if err != nil || len(all.rows) == 0 {
		t.Logf("%d rows, %v", len(all.rows), err)
		return nil
	}
	o.predicates = newPredicates(r, o.dbs[0], name, all)
	return o
}

// question makes a random query with a random predicate: the rows that it selects,
// aggregates that metadata may answer, the first rows of an order, and its values as
// keys of a join.
func (o *pruneOracle) question() (question, bool) {
	p, ok := o.predicate(2)
	if !ok {
		return question{}, false
	}
	column := o.anyColumn()
	switch o.IntN(16) {
	case 0, 1:
		return question{"aggregates", fmt.Sprintf("SELECT COUNT(*), COUNT(%[1]s), MIN(%[1]s), MAX(%[1]s) FROM %[2]s WHERE %[3]s", column, o.table, p.text), p.args, false}, true
	case 2, 3:
		order := pick(o.Rand, []string{"", "DESC", "NULLS FIRST", "DESC NULLS FIRST"})
		text := fmt.Sprintf("SELECT %[1]s FROM %[2]s WHERE %[3]s ORDER BY %[1]s %[4]s LIMIT %[5]d", column, o.table, p.text, order, o.IntN(20))
		return question{"first rows", text, p.args, false}, true
	case 4:
		text := fmt.Sprintf("SELECT "+rowID+" FROM %[2]s WHERE %[1]s IN (SELECT %[1]s FROM %[2]s WHERE %[3]s)", column, o.table, p.text)
		return question{"keys", text, p.args, false}, true
	case 5:
		text := fmt.Sprintf("SELECT "+rowID+" FROM %[2]s WHERE %[1]s = (SELECT MAX(%[1]s) FROM %[2]s WHERE %[3]s)", column, o.table, p.text)
		return question{"scalar subquery", text, p.args, false}, true
	}
	return question{"rows", "SELECT " + rowID + " FROM " + o.table + " WHERE " + p.text, p.args, p.finds}, true
}

// ask runs the given number of queries and counts those that do not fail.
func (o *pruneOracle) ask(t *testing.T, questions int, asked map[string]int) {
	t.Helper()
	for range questions {
		q, ok := o.question()
		switch {
		case !ok:
		case o.compare(t, q):
			asked[q.form]++
		default:
			asked["without an answer"]++
		}
	}
}

// compare returns false where the query fails without pruning, so that there is
// nothing to compare.
func (o *pruneOracle) compare(t *testing.T, q question) bool {
	t.Helper()
	want, failed := answerTo(o.dbs[0], q)
	if failed == nil && q.finds && len(want) == 0 {
		t.Fatalf("%s %v: does not find %s", q.query, q.args, o.here)
	}
	for i, s := range prunerSets[1:] {
		got, err := answerTo(o.dbs[i+1], q)
		switch {
		case failed != nil: // pruning may skip rows on which the predicate fails
		case err != nil || !slices.Equal(got, want):
			t.Fatalf("%s %v:\n with %s: %v (%v)\n without pruning: %v", q.query, q.args, s.name, short(got), err, short(want))
		}
	}
	return failed == nil
}

func short(rows []string) any {
	if len(rows) > 20 {
		return fmt.Sprintf("%d rows, %v…", len(rows), rows[:20])
	}
	return rows
}

// answerTo returns the rows as sorted text.
func answerTo(db *sql.DB, q question) ([]string, error) {
	all, err := queryTable(db, q.query, q.args...)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(all.rows))
	for i, row := range all.rows {
		for j, v := range row {
			switch x := v.(type) { // 0 and -0 are equal: either may come
			case float64:
				row[j] = x + 0
			case float32:
				row[j] = x + 0
			}
		}
		out[i] = fmt.Sprint(row...)
	}
	slices.Sort(out)
	return out, nil
}
