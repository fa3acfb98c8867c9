package enginetest

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// wideFile has the columns c0, c1, …, of which the row groups have one row each: column i has i
// in the first one, i+1 in the next one, and so on.
func wideFile(columns, groups int) []byte {
	file := []byte("PAR1")
	schema := make([]flat, columns)
	for i := range schema {
		schema[i] = ints(fmt.Sprintf("c%d", i), int32(i))
	}
	var f thrift
	f.begin(2, schema, int64(groups))
	f.list(4, 12, groups)
	for g := range groups {
		f.list(1, 12, columns)
		for i := range schema {
			at := int64(len(file))
			var h thrift
			h.pageOf(0, 4)
			h.head(5, 12)
			h.int(1, 5, 1)
			h.int(2, 5, 0)
			h.int(3, 5, 3)
			h.int(4, 5, 3)
			h.end()
			h.end()
			file = binary.LittleEndian.AppendUint32(append(file, h...), uint32(i+g))
			f.chunk(schema[i], 1, at, int64(len(file))-at)
		}
		f.int(2, 6, 100)
		f.int(3, 6, 1)
		f.end()
	}
	f.end()
	return append(binary.LittleEndian.AppendUint32(append(file, f...), uint32(len(f))), "PAR1"...)
}

// TestWide: what a query allocates grows with the columns, and not with their square.
func TestWide(t *testing.T) {
	queries := []string{
		"SELECT * FROM t", "SELECT * FROM t WHERE c7 >= 0", "SELECT c5 FROM t", "SELECT COUNT(*) FROM t", "DESCRIBE t", "SELECT * FROM `t$columns`", "SELECT * FROM `t$schema`",
		"SELECT * FROM t UNION ALL BY NAME SELECT * FROM t", "SELECT * EXCLUDE (c3) FROM t", "SELECT * FROM (SELECT * FROM t) ORDER BY c1", "SELECT t.* FROM t", "EXPLAIN SELECT * FROM t",
		"SELECT * FROM t, (SELECT 1 AS one)", "SUMMARIZE t", "SELECT DISTINCT * FROM t", "WITH w AS (SELECT * FROM t) SELECT * FROM w LIMIT 1",
	}
	const few, many = 400, 1600
	used := map[int]map[string]uint64{}
	for _, n := range []int{few, many} {
		db := openDir(t, tree(t, map[string][]byte{"t.parquet": wideFile(n, 2)})+"?parallelism=1")
		used[n] = map[string]uint64{}
		for _, query := range queries {
			before := leaktest.Allocated()
			got, err := queryTable(db, query)
			if err != nil {
				t.Fatalf("%d columns, %s: %v", n, query, err)
			}
			used[n][query] = leaktest.Allocated() - before
			if strings.HasPrefix(query, "SELECT * FROM t ") && (len(got.types) < n || fmt.Sprint(got.rows[0][n-1]) != fmt.Sprint(n-1)) {
				t.Errorf("%d columns, %s: %d columns", n, query, len(got.types))
			}
		}
	}
	for _, query := range queries {
		const share = many / few
		if few, many := used[few][query], used[many][query]; many > 2*share*few && many > 8<<20 {
			t.Errorf("%s: %d bytes allocated for %d times as many columns as with %d bytes", query, many, share, few)
		} else {
			t.Logf("%s: %d, %d", query, few, many)
		}
	}
}
