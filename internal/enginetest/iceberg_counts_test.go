package enginetest

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// read are the manifests and the data files that were read since the log began.
func (f *remoteFS) read() (manifests, data map[string]bool) {
	manifests, data = map[string]bool{}, map[string]bool{}
	for _, line := range f.log {
		name, _, _ := strings.Cut(line, " ")
		if base := filepath.Base(name); strings.HasPrefix(base, "m") && strings.HasSuffix(base, ".avro") {
			manifests[base] = true
		} else if strings.HasSuffix(base, ".parquet") {
			data[base] = true
		}
	}
	return manifests, data
}

// dayTable has a manifest for each of some days, each with two files of the day, of 3 and 2 rows.
func dayTable(t *testing.T, transform string, days int) *oddTable {
	r := newOddTable(t, `[{"source-id":2,"field-id":1000,"name":"p","transform":"`+transform+`"}]`)
	for day := range days {
		var list []oddFile
		for _, rows := range []int{3, 2} {
			var x, d []any
			for i := range rows {
				x, d = append(x, int64(10*day+i)), append(d, int32(day))
			}
			f := r.data(t, withID(longs("x", x...), 1), withID(flat{name: "d", physical: 1, converted: 6, values: d}, 2))
			f.partition = avroLong(nil, int64(day))
			list = append(list, f)
		}
		bound := binary.LittleEndian.AppendUint32(nil, uint32(day))
		r.addAll(t, `{"name":"p","type":{"type":"int","logicalType":"date"},"field-id":1000}`, []icebergSummary{{lower: bound, upper: bound}}, list...)
	}
	return r
}

const daySchema = `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"d","required":false,"type":"date"}]`

// TestIcebergCounts: COUNT(*) is what the manifest list says of manifests all of whose rows count; of
// others, manifests are read, and files only where these do not tell.
func TestIcebergCounts(t *testing.T) {
	for _, transform := range []string{"identity", "day"} {
		r := dayTable(t, transform, 20)
		r.commit(t, 2, daySchema)
		for _, c := range []struct {
			query           string
			want            int
			manifests, data int
		}{
			{"SELECT COUNT(*) FROM t", 100, 0, 0},
			{"SELECT COUNT(*) + COUNT(*) FROM t", 200, 0, 0},
			{"SELECT COUNT(*) FROM t WHERE d = DATE '1970-01-04'", 5, 0, 0},
			{"SELECT COUNT(*) FROM t WHERE d >= DATE '1970-01-04' AND d < DATE '1970-01-10'", 30, 0, 0},
			{"SELECT COUNT(*) FROM t WHERE d IN (DATE '1970-01-04', DATE '1970-01-10', DATE '1980-01-10')", 10, 0, 0},
			{"SELECT COUNT(*) FROM t WHERE d IS NULL", 0, 0, 0},
			{"SELECT COUNT(*) FROM t WHERE d IS NOT NULL", 100, 0, 0},
			{"SELECT COUNT(*) FROM t WHERE d <= DATE '1970-01-02' AND x = 10", 2, 2, 4},
			{"SELECT COUNT(*) FROM t WHERE d = DATE '1970-01-02' OR x = 0", 7, 19, 38},
			{"SELECT COUNT(*) + COUNT(x) - 5 FROM t WHERE d = DATE '1970-01-02'", 5, 1, 2},
			{"SELECT COUNT(*) FROM (SELECT * FROM t LIMIT 7)", 7, 20, -1},
		} {
			db, files := remote(t, filepath.Dir(r.dir))
			if got := one[int](t, db, c.query); got != c.want {
				t.Errorf("%s: %d, want %d", c.query, got, c.want)
			}
			if manifests, data := files.read(); len(manifests) != c.manifests || c.data >= 0 && len(data) != c.data {
				t.Errorf("%s, %s: %d manifests and %d files are read, want %d and %d", transform, c.query, len(manifests), len(data), c.manifests, c.data)
			}
			// Manifests that were read know as much.
			if n := one[int](t, db, "SELECT SUM(x) FROM t"); n == 0 {
				t.Error("no sum")
			}
			if got := one[int](t, db, c.query); got != c.want {
				t.Errorf("%s, warm: %d, want %d", c.query, got, c.want)
			}
		}
		// The counters say how many files there are.
		_, plan, err := answerOf(openDir(t, filepath.ToSlash(r.dir)), "EXPLAIN ANALYZE SELECT COUNT(*) FROM t WHERE d < DATE '1970-01-04'")
		if text := strings.Join(plan, "\n"); err != nil || !strings.Contains(text, "40") {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// TestIcebergCountsOfDeletes: what a list says counts only where nothing may be deleted, and where it
// says it.
func TestIcebergCountsOfDeletes(t *testing.T) {
	for name, change := range map[string]func(r *oddTable) int{
		"position deletes": func(r *oddTable) int {
			d := r.data(t, withID(texts("file_path", filepath.ToSlash(filepath.Join(r.dir, "data", "1.parquet"))), 2147483546), withID(longs("pos", int64(0)), 2147483545))
			d.content, d.partition = 1, avroLong(nil, 0)
			r.add(t, `{"name":"p","type":{"type":"int","logicalType":"date"},"field-id":1000}`, d)
			return 1
		},
		"equality deletes": func(r *oddTable) int {
			d := r.data(t, withID(longs("x", int64(0)), 1))
			d.content, d.equality, d.partition = 2, 1, avroLong(nil, 0)
			r.add(t, `{"name":"p","type":{"type":"int","logicalType":"date"},"field-id":1000}`, d)
			return 2
		},
		"deletes that were taken back": func(r *oddTable) int {
			d := r.data(t, withID(longs("x", int64(0)), 1))
			d.content, d.equality, d.partition = 2, 1, avroLong(nil, 0)
			r.add(t, `{"name":"p","type":{"type":"int","logicalType":"date"},"field-id":1000}`, d)
			r.list[len(r.list)-1].added = 0
			return 0
		},
		"no counts":      func(r *oddTable) int { r.list[1].rows = nil; return 0 },
		"counts of zero": func(r *oddTable) int { r.list[1].rows = &[2]int64{}; return 0 },
		"counts that overflow": func(r *oddTable) int {
			for i := range r.list {
				r.list[i].rows = &[2]int64{1 << 62, 0}
			}
			return 0
		},
		"no count of existing rows": func(r *oddTable) int {
			r.list[1].added, r.list[1].existing, r.list[1].rows = 1, 1, &[2]int64{3, 0}
			return 0
		},
		"no count of added rows": func(r *oddTable) int {
			r.list[1].added, r.list[1].existing, r.list[1].rows = 1, 1, &[2]int64{0, 2}
			return 0
		},
	} {
		r := dayTable(t, "identity", 3)
		gone := change(r)
		r.commit(t, 2, daySchema)
		r.wants(t, "SELECT COUNT(*) FROM t", fmt.Sprint(15-gone))
		r.wants(t, "SELECT COUNT(*) FROM t WHERE d = DATE '1970-01-01'", fmt.Sprint(5-gone))
		r.wants(t, "SELECT COUNT(*) FROM t WHERE d <> DATE '1970-01-01'", "10")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestIcebergSamples: joins, windows and DISTINCT look at some manifests and at those that conditions
// leave, not at all.
func TestIcebergSamples(t *testing.T) {
	r := dayTable(t, "day", 60)
	r.commit(t, 2, daySchema)
	for _, c := range []struct {
		query string
		want  int
		most  int // manifests
	}{
		{"SELECT COUNT(*) FROM t AS a JOIN t AS b ON a.x = b.x WHERE a.d = DATE '1970-01-20' AND b.d = DATE '1970-01-20'", 9, 9},
		{"SELECT COUNT(*) FROM (SELECT DISTINCT x FROM t WHERE d = DATE '1970-01-20')", 3, 9},
		{"SELECT MAX(n) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY d ORDER BY x) AS n FROM t WHERE d < DATE '1970-01-03')", 5, 10},
		{"SELECT COUNT(*) FROM (SELECT x FROM t WHERE d = DATE '1970-01-20' GROUP BY x)", 3, 9},
	} {
		db, files := remote(t, filepath.Dir(r.dir))
		if got := one[int](t, db, c.query); got != c.want {
			t.Errorf("%s: %d, want %d", c.query, got, c.want)
		}
		if manifests, _ := files.read(); len(manifests) > c.most {
			t.Errorf("%s: %d of 60 manifests are read, want %d at most", c.query, len(manifests), c.most)
		}
	}
}

// TestIcebergSizes: in a store of objects the size that a manifest has of a file is believed, and looked up
// where it is wrong.
func TestIcebergSizes(t *testing.T) {
	for _, by := range []int64{0, -1, 1, -100, 4096, 1 << 40} {
		r := newOddTable(t, "[]")
		f := r.data(t, withID(longs("x", int64(5), int64(6), int64(7)), 1))
		f.size = max(0, f.size+by)
		r.add(t, "", f)
		d := r.data(t, withID(texts("file_path", f.path), 2147483546), withID(longs("pos", int64(1)), 2147483545))
		d.content, d.size = 1, max(0, d.size+by)
		r.add(t, "", d)
		k := r.data(t, withID(longs("x", int64(7)), 1))
		k.content, k.equality, k.size = 2, 1, max(0, k.size+by)
		r.add(t, "", k)
		r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"}]`)
		db, _ := remote(t, filepath.Dir(r.dir))
		for range 2 {
			for query, want := range map[string]int{"SELECT SUM(x) FROM t": 5, "SELECT COUNT(*) FROM t": 1, "SELECT MAX(x) FROM t AS a JOIN t AS b USING (x)": 5} {
				if got := one[int](t, db, query); got != want {
					t.Errorf("%d more: %s: %d, want %d", by, query, got, want)
				}
			}
		}
	}
}
