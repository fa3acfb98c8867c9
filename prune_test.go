package parquetsql_test

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

// TestPruningChangesNothing asks random predicates of every file with pruning
// and without: the rows, by their numbers, must be the same. A predicate made
// of a row's own values must also find that row.
func TestPruningChangesNothing(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_PRUNE_ROUNDS")); err == nil {
		rounds = n // cases a file
	}
	for _, file := range smallFiles(t, 256<<10) {
		if notYet(file.name) || strings.Contains(file.name, "bad_data") {
			continue
		}
		t.Run(file.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(len(file.data))))
			all, err := selectAll(file.name)
			if err != nil || len(all.rows) == 0 || len(all.types) == 0 {
				t.Skipf("%d rows, %v", len(all.rows), err)
			}
			on, off := openDir(t, file.name), openDir(t, file.name+"?pruning=off&parallelism=1")
			name := one[string](t, on, "SHOW TABLES")
			names := quotedNames(all, "")
			for range rounds {
				row := r.IntN(len(all.rows))
				text, args, finds := randomPredicate(r, all, names, row)
				query := "SELECT _row_group, _row FROM `" + name + "` WHERE " + text
				got, err1 := rowNumbers(on, query, args)
				want, err2 := rowNumbers(off, query, args)
				if (err1 == nil) != (err2 == nil) && err2 != nil {
					continue // pruning may spare rows on which the predicate fails
				}
				if err1 != nil && err2 == nil || !slices.Equal(got, want) {
					t.Fatalf("%s %v:\n with pruning    %v (%v)\n without pruning %v (%v)", query, args, short(got), err1, short(want), err2)
				}
				if err1 == nil && finds && len(got) == 0 {
					t.Fatalf("%s %v: does not find row %d", query, args, row)
				}
			}
		})
	}
}

func short(rows []string) any {
	if len(rows) > 20 {
		return fmt.Sprintf("%d rows, %v…", len(rows), rows[:20])
	}
	return rows
}

func rowNumbers(db *sql.DB, query string, args []any) ([]string, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var group, row int64
		if err := rows.Scan(&group, &row); err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%d.%06d", group, row))
	}
	slices.Sort(out)
	return out, rows.Err()
}

// quotedNames are the columns' names, as a query has them.
func quotedNames(t table, qualifier string) (names []string) {
	for _, c := range t.types {
		names = append(names, qualifier+"`"+strings.ReplaceAll(c.Name(), "`", "``")+"`")
	}
	return names
}

// randomPredicate combines one or two comparisons of columns, whose names in the
// query are given; finds says that the row at hand satisfies it.
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
