package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestTextsAreKept: pages and dictionaries use the memory of others again, and yet operators and programs keep texts.
func TestTextsAreKept(t *testing.T) {
	textOf := func(id any) string {
		return strings.Repeat(string(rune('a'+id.(int64)%26)), int(id.(int64)%70)) + fmt.Sprint(id)
	}
	seed, files, total := rand.Uint64(), map[string][]byte{}, int64(0)
	r := rand.New(rand.NewPCG(seed, 1))
	for part := range 12 {
		var ids, values, patterns []any
		for end := total + 1 + r.Int64N(3000); total < end; total++ {
			ids, values, patterns = append(ids, total), append(values, textOf(total)), append(patterns, "%"+fmt.Sprint(total+total%2))
		}
		text, pattern := texts("text", values...), texts("pattern", patterns...)
		text.coded, pattern.coded = r.IntN(2) == 0, r.IntN(2) == 0
		list := texts("list", values...)
		list.repeated = true // one text in each
		files[fmt.Sprintf("t/%d.parquet", part)] = parquetOf(longs("id", ids...), text, pattern, list)
	}
	db := openDir(t, tree(t, files)+"?parallelism=3")
	for _, every := range []int64{1, 2, 5, 60, 2000} {
		rest := r.Int64N(every)
		where := fmt.Sprintf(" FROM t WHERE id %% %d = %d", every, rest)
		like := fmt.Sprint(one[int64](t, db, "SELECT COUNT(*)"+where+" AND id % 2 = 0"))
		want := []string{}
		for id := rest; id < total; id += every {
			want = append(want, textOf(id))
		}
		slices.Sort(want)
		for query, want := range map[string][]string{
			"SELECT text" + where: want, "SELECT text" + where + " ORDER BY text DESC": want, "SELECT DISTINCT text" + where: want,
			"SELECT text" + where + " AND text <> ''": want, "SELECT UNNEST([text])" + where: want, "SELECT MAX(text)" + where: want[len(want)-1:],
			"SELECT x[1] FROM (SELECT [text] AS x" + where + ") y": want, "SELECT LEFT(text, 100)" + where + " GROUP BY text, id": want,
			"SELECT ANY_VALUE([text])[1]" + where + " GROUP BY id": want, "SELECT ARG_MAX(text, pattern)" + where + " GROUP BY id": want,
			"SELECT LIST(text)[1]" + where + " GROUP BY id": want, "SELECT LAST_VALUE(text) OVER (PARTITION BY id)" + where: want,
			"SELECT list[1]" + where + " GROUP BY list[1]": want, "SELECT list[1]" + where + " ORDER BY pattern, id": want, "SELECT MAX(list[1])" + where + " GROUP BY id": want,
			"SELECT x FROM (SELECT list" + where + "), UNNEST(list) AS u(x) GROUP BY x": want, "SELECT x FROM (SELECT list" + where + "), UNNEST(list) AS u(x) ORDER BY x": want,
			"SELECT text" + where + " AND list_contains(list, text)": want, "SELECT MAX(list)[1]" + where + " GROUP BY pattern, id": want, "SELECT DISTINCT list[1]" + where: want, "SELECT list[1]" + where: want,
			"SELECT text" + where + " GROUP BY text": want, "SELECT STRING_AGG(text, '')" + where + " GROUP BY id": want,
			"SELECT text" + where + " GROUP BY text, id, pattern": want, "SELECT FIRST(text ORDER BY pattern)" + where + " GROUP BY id": want,
			"SELECT MIN(text)" + where + " GROUP BY text, pattern": want, "SELECT MAX(text) FILTER (WHERE text <> '')" + where + " GROUP BY pattern, id": want,
			"SELECT MODE(text)" + where + " GROUP BY id": want, "SELECT LIST(DISTINCT text)[1]" + where + " GROUP BY id": want,
			"SELECT ARG_MIN(text, text)" + where + " GROUP BY id": want, "SELECT QUANTILE_DISC(text, 0.5)" + where + " GROUP BY id": want,
			"SELECT LAST(text)" + where + " GROUP BY pattern, text": want, "SELECT MAP_KEYS(HISTOGRAM(text))[1]" + where + " GROUP BY id": want,
			"SELECT MIN(text, 1)[1]" + where + " GROUP BY text": want, "SELECT COUNT(DISTINCT text)" + where: {fmt.Sprint(len(want))},
			"SELECT text" + where + " ORDER BY pattern, id LIMIT 100000": want, "SELECT text" + where + " ORDER BY id LIMIT 1000000": want,
			"SELECT text" + where + " ORDER BY UPPER(text), pattern": want, "SELECT text" + where + " ORDER BY LEFT(text, 3) LIMIT 100000": want,
			"SELECT text" + where + " ORDER BY id DESC":                                                          want,
			"SELECT u.text FROM (SELECT text, id" + where + ") u JOIN (SELECT text" + where + ") v USING (text)": want,
			"SELECT text" + where + " ORDER BY text LIMIT 3":                                                     want[:min(3, len(want))], "SELECT COUNT_IF(text LIKE pattern)" + where: {like},
			"SELECT COUNT(*)" + where + " AND REGEXP_MATCHES(text, REPLACE(pattern, '%', '')||'$')": {like},
		} {
			rows, err := db.Query(query)
			if err != nil {
				t.Fatal(query, err)
			}
			got := []string{}
			for rows.Next() {
				got = append(got, "")
				err = errors.Join(err, rows.Scan(&got[len(got)-1]))
			}
			one[int64](t, db, "SELECT SUM(STRLEN(text)) FROM t WHERE text <> pattern") // before the texts are looked at
			if slices.Sort(got); err != nil || rows.Err() != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %d rows, want %d: %.200q, want %.200q; %v (seed %d)", query, len(got), len(want), got, want, rows.Err(), seed)
			}
		}
	}
}
