package enginetest

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestJoinConditions joins random rows on random conditions: what each kind of join returns follows from
// the value of the condition for each pair, which a projection over the cross join tells.
func TestJoinConditions(t *testing.T) {
	seed, rounds := uint64(time.Now().UnixNano()), 100
	if testing.Short() {
		rounds = 25
	}
	for _, dsn := range []string{"", "?parallelism=1&memory_limit=2MiB"} {
		db, asked := openDir(t, t.TempDir()+dsn), 0
		for round := range rounds {
			r := rand.New(rand.NewPCG(seed, uint64(round)))
			extremes := r.IntN(4) == 0
			a, b := randomSide(r, extremes), randomSide(r, extremes)
			var on []string
			for range 1 + r.IntN(2) {
				on = append(on, joinCondition(r, 2))
			}
			condition := strings.Join(on, " AND ")
			if !joinsAgree(t, db, a, b, condition, &asked) {
				t.Fatalf("seed %d, round %d", seed, round)
			}
		}
		if asked < rounds/2 {
			t.Errorf("seed %d: only %d of %d conditions have a value for each pair", seed, asked, rounds)
		}
	}
}

// randomSide is rows of id, x, y BIGINT, f DOUBLE, s VARCHAR, as a query.
func randomSide(r *rand.Rand, extremes bool) string {
	n := r.IntN(30)
	if n == 0 {
		return "(SELECT 0::BIGINT AS id, 0::BIGINT AS x, 0::BIGINT AS y, 0::DOUBLE AS f, '' AS s LIMIT 0)"
	}
	var rows []string
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for i := range n {
		x := pick("NULL", "1", "2", "3", "4", "5", fmt.Sprint(r.IntN(40)), fmt.Sprint(r.IntN(40)), fmt.Sprint(r.IntN(40)))
		if extremes && r.IntN(5) == 0 {
			x = pick("9223372036854775807", "(-9223372036854775807 - 1)", "9223372036854775804", "(-9223372036854775804)")
		}
		y := pick("NULL", "1", "2", fmt.Sprint(r.IntN(40)), fmt.Sprint(r.IntN(40)))
		f := pick("NULL", "0.5", "1", "'NaN'", "'Infinity'", "'-Infinity'", "-0.0", "1e16", "1e-20", fmt.Sprint(r.Float64()*5), fmt.Sprint(r.IntN(5)))
		s := pick("NULL", "''", "'a'", "'b'", "'c'")
		rows = append(rows, fmt.Sprintf("(%d, %s::BIGINT, %s::BIGINT, %s::DOUBLE, %s)", i, x, y, f, s))
	}
	return "(VALUES " + strings.Join(rows, ", ") + ")"
}

func joinCondition(r *rand.Rand, depth int) string {
	whole, op := []string{"x", "y", "id"}, []string{"<", "<=", ">", ">="}[r.IntN(4)]
	c, d, n := whole[r.IntN(3)], whole[r.IntN(3)], r.IntN(6)-1
	below := []string{"<", "<="}[r.IntN(2)]
	number := []string{"0", "0.5", "1", "1.5", "3", "1e16"}[r.IntN(6)] + "::DOUBLE"
	switch k := r.IntN(12); {
	case k == 0:
		return fmt.Sprintf("ABS(a.%s - b.%s) %s %d", c, d, below, n)
	case k == 1:
		return fmt.Sprintf("%d %s ABS(b.%s - a.%s)", n, []string{">", ">="}[r.IntN(2)], c, d)
	case k == 2:
		return fmt.Sprintf("a.%s - b.%s %s %d", c, d, op, n)
	case k == 3:
		return fmt.Sprintf("b.f - a.f %s %s", op, number)
	case k == 4:
		return fmt.Sprintf("ABS(a.f - b.f) %s %s", below, number)
	case k == 5:
		return fmt.Sprintf("a.s = b.s AND b.%s BETWEEN a.%s AND a.%s + %d", c, d, d, n)
	case k == 6:
		return fmt.Sprintf("a.s = b.s AND ABS(a.%s - b.%s) %s %d", c, d, below, n)
	case k == 7:
		return fmt.Sprintf("a.y = b.y AND b.f %s a.f", op)
	case k <= 9 && depth > 0:
		return fmt.Sprintf("(%s OR %s)", joinCondition(r, depth-1), joinCondition(r, depth-1))
	case k == 10:
		return fmt.Sprintf("a.%s IN (b.x, b.y)", c)
	}
	return []string{"a.x = b.x", "a.y = b.y", "a.s = b.s", "a.f = b.f", "a.id = b.y", "a.x IS NOT DISTINCT FROM b.x"}[r.IntN(6)]
}

// joinsAgree compares all kinds of joins with what the pairs say.
func joinsAgree(t *testing.T, db *sql.DB, a, b, condition string, asked *int) bool {
	with := fmt.Sprintf("WITH a(id, x, y, f, s) AS (SELECT * FROM %s), b(id, x, y, f, s) AS (SELECT * FROM %s) ", a, b)
	ids := func(from string) (out []string) {
		rows, err := pairsOf(db, with+"SELECT id, id FROM "+from)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			out = append(out, row[:strings.Index(row, " ")])
		}
		return out
	}
	// The condition is volatile, so that it is asked of each pair.
	matches, err := pairsOf(db, with+"SELECT a.id, b.id FROM a CROSS JOIN b WHERE ("+condition+") AND random() < 2")
	if err != nil {
		return true // of a number that is out of range
	}
	*asked++
	left, right := map[string]bool{}, map[string]bool{}
	for _, m := range matches {
		x, y, _ := strings.Cut(m, " ")
		left[x], right[y] = true, true
	}
	var semi, anti, onlyLeft, onlyRight, semiRight, antiRight []string
	for _, id := range ids("a") {
		if left[id] {
			semi = append(semi, id+" "+id)
		} else {
			anti, onlyLeft = append(anti, id+" "+id), append(onlyLeft, id+" NULL")
		}
	}
	for _, id := range ids("b") {
		if right[id] {
			semiRight = append(semiRight, id+" "+id)
		} else {
			antiRight, onlyRight = append(antiRight, id+" "+id), append(onlyRight, "NULL "+id)
		}
	}
	ok := true
	for query, want := range map[string][]string{
		"SELECT a.id, b.id FROM a JOIN b ON " + condition:                        matches,
		"SELECT a.id, b.id FROM b JOIN a ON " + condition:                        matches,
		"SELECT a.id, b.id FROM a LEFT JOIN b ON " + condition:                   slices.Concat(matches, onlyLeft),
		"SELECT a.id, b.id FROM a RIGHT JOIN b ON " + condition:                  slices.Concat(matches, onlyRight),
		"SELECT a.id, b.id FROM a FULL JOIN b ON " + condition:                   slices.Concat(matches, onlyLeft, onlyRight),
		"SELECT id, id FROM a WHERE EXISTS (FROM b WHERE " + condition + ")":     semi,
		"SELECT id, id FROM a WHERE NOT EXISTS (FROM b WHERE " + condition + ")": anti,
		"SELECT id, id FROM b WHERE EXISTS (FROM a WHERE " + condition + ")":     semiRight,
		"SELECT id, id FROM b WHERE NOT EXISTS (FROM a WHERE " + condition + ")": antiRight,
	} {
		got, err := pairsOf(db, with+query)
		if err != nil && strings.Contains(err.Error(), "out of range") {
			continue // of a pair whose other conjuncts were not asked first: no order is promised
		}
		want = slices.Sorted(slices.Values(want))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s%s\n%v\n got %v\nwant %v", with, query, err, got, want)
			ok = false
		}
	}
	return ok
}

// pairsOf is the rows of two numbers of a query, sorted.
func pairsOf(db *sql.DB, query string) (out []string, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var x, y sql.NullInt64
		if err := rows.Scan(&x, &y); err != nil {
			return nil, err
		}
		text := func(n sql.NullInt64) string {
			if !n.Valid {
				return "NULL"
			}
			return fmt.Sprint(n.Int64)
		}
		out = append(out, text(x)+" "+text(y))
	}
	slices.Sort(out)
	return out, rows.Err()
}
