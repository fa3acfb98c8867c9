package enginetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// TestCuts: where queries are cut, and which rows the stages read. The shape of a stage is what it reads, and
// "hash" if its rows are divided.
func TestCuts(t *testing.T) {
	conn, err := staged(t, "testdata", parquetsql.StageOptions{}, &counts{}).Connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	own := conn.(stagedConn).Conn
	for query, want := range map[string]string{
		"SELECT species FROM penguins":                                                  "splits | all",
		"SELECT * FROM penguins ORDER BY body_mass LIMIT 3":                             "splits | all",
		"SELECT COUNT(*), MIN(body_mass) FROM penguins":                                 "splits | all",
		"SELECT species, AVG(body_mass) FROM penguins GROUP BY species":                 "splits hash | partition | all",
		"SELECT DISTINCT species FROM penguins":                                         "splits hash | partition | all",
		"SELECT species, MEDIAN(body_mass) FROM penguins GROUP BY species":              "splits hash | partition | all",
		"SELECT COUNT(DISTINCT species) FROM penguins":                                  "splits hash | partition | all",
		"SELECT species, island, SUM(body_mass) FROM penguins GROUP BY ROLLUP (1, 2)":   "splits hash | partition | all",
		"SELECT a.species FROM penguins a JOIN penguins b ON a.island = b.island":       "splits | splits all | all",
		"SELECT ROW_NUMBER() OVER (PARTITION BY species ORDER BY island) FROM penguins": "splits hash | partition | all",
		"SELECT species FROM penguins UNION ALL SELECT island FROM penguins":            "splits | splits | all",
		"SELECT a.x FROM (VALUES (1)) a(x)":                                             "",
		"SELECT ROW_NUMBER() OVER () FROM penguins":                                     "error",
		"SELECT MEDIAN(body_mass) FROM penguins":                                        "error",
		"SELECT * FROM penguins a POSITIONAL JOIN penguins b":                           "error",
		"SELECT * FROM penguins USING SAMPLE 10 ROWS (reservoir, 7)":                    "error",
	} {
		query = strings.ReplaceAll(query, "body_mass", `"Body Mass (g)"`)
		st, err := parquetsql.CutStages(context.Background(), own, parquetsql.StageSnapshot{Now: time.Now()}, parquetsql.StageOptions{SplitBytes: 1, Partitions: 2}, query)
		got := "error"
		if err == nil {
			got = shape(st.Stages())
		} else if !errors.Is(err, parquetsql.ErrUnsupported) || !strings.Contains(err.Error(), "allow_gather") {
			t.Errorf("%s: %v", query, err)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if _, err := parquetsql.CutStages(context.Background(), own, parquetsql.StageSnapshot{Now: time.Now()}, parquetsql.StageOptions{SplitBytes: 1, AllowGather: true}, query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	// An equality of two large sides divides both.
	st, err := parquetsql.CutStages(context.Background(), own, parquetsql.StageSnapshot{Now: time.Now()}, parquetsql.StageOptions{SplitBytes: 1, Partitions: 2, BroadcastBytes: -1}, "SELECT a.species FROM penguins a JOIN penguins b ON a.island = b.island")
	if err != nil {
		t.Fatal(err)
	}
	if got := shape(st.Stages()); got != "splits hash | splits hash | partition partition | all" {
		t.Errorf("a join of two large sides: %s\n%s", got, strings.Join(st.Text(), "\n"))
	}
}

func shape(list []parquetsql.Stage) string {
	out := make([]string, len(list))
	for i, s := range list {
		var parts []string
		if s.Splits {
			parts = append(parts, "splits")
		}
		for _, in := range s.Inputs {
			parts = append(parts, in.Read)
		}
		if s.Divided {
			parts = append(parts, "hash")
		}
		out[i] = strings.Join(parts, " ")
	}
	return strings.Join(slices.Clip(out), " | ")
}

// TestExplainDistributed: EXPLAIN shows stages, tasks and what they read.
func TestExplainDistributed(t *testing.T) {
	db := openDir(t, "testdata")
	for query, want := range map[string][]string{
		"EXPLAIN (DISTRIBUTED) SELECT species, COUNT(*) FROM penguins WHERE island = 'Biscoe' GROUP BY species": {
			"stage 0, the result, all of penguins, 1 task, ", " row group", "COUNT(*)"},
		"EXPLAIN (DISTRIBUTED) SELECT ROW_NUMBER() OVER () FROM penguins": {"stage 0, the result, all of penguins, 1 task"},
	} {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			text.WriteString(line + "\n")
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(text.String(), part) {
				t.Errorf("%s has no %q:\n%s", query, part, text.String())
			}
		}
	}
	for _, query := range []string{"EXPLAIN (DISTRIBUTED, ANALYZE) SELECT 1", "EXPLAIN (DISTRIBUTED, FORMAT JSON) SELECT 1"} {
		if _, err := db.Query(query); !errors.Is(err, parquetsql.ErrUnsupported) {
			t.Errorf("%s: %v", query, err)
		}
	}
}
