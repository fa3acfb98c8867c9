package enginetest

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestElementPruningChangesNothing runs random predicates on the elements of every
// file's lists and on their parents, with and without pruning: the rows must be the
// same. A predicate made from a row's own values must find a row.
func TestElementPruningChangesNothing(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rounds := 30
	if testing.Short() {
		rounds = 12
	}
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_PRUNE_ROUNDS")); err == nil {
		rounds = n // cases per file
	}
	asked := 0
	for _, file := range smallFiles(t, 256<<10) {
		if strings.Contains(file.name, "bad_data") {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(len(file.data))))
		on, off := openDir(t, file.name), openDir(t, file.name+"?pruning=off&parallelism=1")
		for range rounds {
			u, ok := randomUnnesting(r, off)
			if !ok {
				break
			}
			asked++
			u.check(t, r, on, off, file.name)
		}
	}
	if asked < rounds {
		t.Errorf("only %d queries: are there no lists?", asked)
	}
}

// unnesting is a table and element tables of its columns, also those of nested
// elements.
type unnesting struct {
	from  string   // of the query
	inner bool     // no LEFT JOIN
	all   table    // some of its rows
	names []string // of the columns, qualified
}

// randomUnnesting returns false where the file cannot be read, or the first random
// list has no elements.
func randomUnnesting(r *rand.Rand, db *sql.DB) (u unnesting, ok bool) {
	var name string
	if db.QueryRow("SHOW TABLES").Scan(&name) != nil {
		return u, false
	}
	u = unnesting{from: "FROM `" + name + "` t", inner: true}
	join := []string{" JOIN ", ", "}[r.IntN(2)]
	for depth, alias := range []string{"t", "e1", "e2", "e3"} {
		columns, err := queryTable(db, "SELECT "+alias+".* "+u.from+" LIMIT 0")
		if err != nil {
			return u, false
		}
		names := quotedNames(columns, alias+".")
		u.names = append(u.names, names...)
		var lists []string
		for i, c := range columns.types {
			if kind := c.DatabaseTypeName(); kind == "LIST" || kind == "MAP" {
				lists = append(lists, names[i])
			}
		}
		if len(lists) == 0 || depth == 3 || depth > 0 && r.IntN(3) == 0 {
			ok = depth > 0
			break
		}
		kind := join
		if join == " JOIN " && r.IntN(2) == 0 {
			kind, u.inner = " LEFT JOIN ", false
		}
		u.from += kind + lists[r.IntN(len(lists))] + fmt.Sprintf(" e%d", depth+1)
	}
	if !ok {
		return u, false
	}
	var err error
	u.all, err = queryTable(db, "SELECT "+strings.Join(u.names, ", ")+" "+u.from+" LIMIT 3000")
	return u, err == nil && len(u.all.rows) > 0
}

func (u *unnesting) check(t *testing.T, r *rand.Rand, on, off *sql.DB, file string) {
	t.Helper()
	text, args, finds := randomPredicate(r, u.all, u.names, r.IntN(len(u.all.rows)))
	clause := " WHERE "
	if u.inner && strings.Contains(u.from, " JOIN ") && r.IntN(4) == 0 {
		clause = " ON "
	}
	query := "SELECT t._row_group, t._row, e1.pos " + u.from + clause + text
	got, err1 := sortedRows(on, query, args)
	want, err2 := sortedRows(off, query, args)
	if err2 != nil && err1 == nil {
		return // pruning may skip rows on which the predicate fails
	}
	if err1 != nil && err2 == nil || !slices.Equal(got, want) {
		t.Errorf("%s: %s %v:\n with pruning    %v (%v)\n without pruning %v (%v)", file, query, args, short(got), err1, short(want), err2)
	}
	if err1 == nil && finds && len(got) == 0 {
		t.Errorf("%s: %s %v: does not find the row that it was made of", file, query, args)
	}
}

// sortedRows returns the rows of a query as sorted text.
func sortedRows(db *sql.DB, query string, args []any) ([]string, error) {
	found, err := queryTable(db, query, args...)
	var out []string
	for _, row := range found.rows {
		out = append(out, fmt.Sprint(row...))
	}
	slices.Sort(out)
	return out, err
}

// quotedNames returns the names of the columns, quoted for a query.
func quotedNames(t table, qualifier string) (names []string) {
	for _, c := range t.types {
		names = append(names, qualifier+"`"+strings.ReplaceAll(c.Name(), "`", "``")+"`")
	}
	return names
}

// randomPredicate combines one or two comparisons of the named columns. finds says
// that the given row satisfies it.
func randomPredicate(r *rand.Rand, all table, names []string, row int) (text string, args []any, finds bool) {
	text, args, finds = comparison(r, all, names, row)
	switch r.IntN(4) {
	case 0:
		other, more, also := comparison(r, all, names, row)
		return text + " AND " + other, append(args, more...), finds && also
	case 1:
		other, more, also := comparison(r, all, names, row)
		return text + " OR " + other, append(args, more...), finds || also
	case 2:
		if !finds {
			return "NOT (" + text + ")", args, false
		}
	}
	return text, args, finds
}

func comparison(r *rand.Rand, all table, names []string, row int) (text string, args []any, finds bool) {
	c := r.IntN(len(all.types))
	name, v := names[c], all.rows[row][c]
	if v == nil {
		if r.IntN(2) == 0 {
			return name + " IS NULL", nil, true
		}
		return name + " IS NOT NULL", nil, false
	}
	switch all.types[c].DatabaseTypeName() {
	case "LIST", "MAP", "JSON", "BSON", "VARIANT", "GEOMETRY", "GEOGRAPHY", "NULL":
		return name + " IS NOT NULL", nil, true
	}
	if f, ok := v.(float32); ok {
		v = float64(f)
		if all.types[c].DatabaseTypeName() == "FLOAT" {
			v = f
		}
	}
	other := all.rows[r.IntN(len(all.rows))][c]
	switch r.IntN(9) {
	case 0:
		return name + " >= ?", []any{v}, true
	case 1:
		return name + " <= ?", []any{v}, true
	case 2:
		return name + " < ?", []any{v}, false
	case 3:
		return name + " > ?", []any{v}, false
	case 4:
		return name + " <> ?", []any{v}, false
	case 5:
		if other != nil && !isNaN(other) {
			return name + " IN (?, ?)", []any{other, v}, true
		}
	case 6:
		if other != nil {
			return name + " BETWEEN ? AND ?", []any{v, other}, false
		}
	case 7:
		if s, ok := v.(string); ok && len(s) > 1 && strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", s[0]) >= 0 && all.types[c].DatabaseTypeName() == "VARCHAR" {
			return name + " LIKE ?", []any{s[:1] + "%"}, true
		}
	}
	return name + " = ?", []any{v}, true
}

func isNaN(v any) bool {
	switch x := v.(type) {
	case float64:
		return math.IsNaN(x)
	case float32:
		return x != x
	}
	return false
}
