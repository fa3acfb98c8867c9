package parquetsql_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

// TestFootersOfManyFiles: aggregates that footers answer are the same whether one goroutine opens the
// files or several do, also where the pages of some have to be read, and one is damaged.
func TestFootersOfManyFiles(t *testing.T) {
	data, err := os.ReadFile("testdata/penguins.parquet")
	if err != nil {
		t.Fatal(err)
	}
	const files = 300
	at := func(i int) string { return fmt.Sprintf("birds/%03d.parquet", i) }
	for _, damaged := range []int{-1, 0, 150} {
		all := fstest.MapFS{}
		for i := range files {
			all[at(i)] = &fstest.MapFile{Data: data}
		}
		if damaged >= 0 {
			all[at(damaged)] = &fstest.MapFile{Data: append([]byte("PAR1"), make([]byte, 100)...)}
		}
		for _, parallelism := range []int{1, 4} {
			connector, err := parquetsql.NewConnector(&parquetsql.Config{FS: all, Path: ".", Parallelism: parallelism})
			if err != nil {
				t.Fatal(err)
			}
			db := sql.OpenDB(connector)
			t.Cleanup(func() { db.Close() })
			for query, want := range map[string][]int{
				"SELECT COUNT(*), COUNT(Sex), MIN(`Body Mass (g)`), MAX(`Body Mass (g)`) FROM birds":   {344, 334, 2700, 6300},
				"SELECT COUNT(*), 0, MIN(`Body Mass (g)`), 0 FROM birds WHERE `Body Mass (g)` > 100":   {342, 0, 2700, 0},
				"SELECT COUNT(*), 0, 0, MAX(`Body Mass (g)`) FROM birds WHERE `Body Mass (g)` >= 6000": {4, 0, 0, 6300},
				"SELECT COUNT(*), COUNT(Sex), 0, 0 FROM birds WHERE Species > 'z'":                     {0, 0, 0, 0},
			} {
				var got [4]int
				err := db.QueryRow(query).Scan(&got[0], &got[1], &got[2], &got[3])
				if damaged >= 0 {
					if corrupt := new(parquetsql.CorruptError); !errors.As(err, &corrupt) || !strings.Contains(err.Error(), at(damaged)) {
						t.Errorf("%s, file %d is damaged: %v, %v", query, damaged, got, err)
					}
					continue
				}
				if want := [4]int{want[0] * files, want[1] * files, want[2], want[3]}; err != nil || got != want {
					t.Errorf("%s with %d goroutines: %v, %v, want %v", query, parallelism, got, err, want)
				}
			}
		}
	}
}
