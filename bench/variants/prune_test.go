package variants

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/scan"
)

// TestPruned: conditions on a shredded path skip row groups and pages and read only the
// path's column. A value of another type in a row group keeps it.
func TestPruned(t *testing.T) {
	s := &shredding{kind: objects, fields: map[string]*shredding{"n": {kind: integers}, "s": {kind: texts}}}
	var groups [][]any
	for g := range 4 {
		var rows []any
		for i := range 1000 {
			v := map[string]any{"n": int64(g*1000 + i), "s": "text", "rest": "not shredded"}
			if g == 3 && i == 500 {
				v["n"] = "no number"
			}
			rows = append(rows, v)
		}
		groups = append(groups, rows)
	}
	data := write(s, groups, parquet.WithDataPageSize(800), parquet.WithBatchSize(100), parquet.WithPageIndexEnabled(true), parquet.WithDictionaryDefault(false))
	db := open(t, fstest.MapFS{"t.parquet": {Data: data, ModTime: time.Unix(1e9, 0)}}, scan.AllPruners)
	for _, c := range []struct {
		where        string
		rows, groups int64 // that are found, that statistics rule out
		bytes        int64 // at most; gaps are read too, as each read of an fs.FS may be a request
	}{
		{"v.n = 1500 AND id < 3000", 1, 3, 4000},
		{"VARIANT_GET(v, '$.n', 'BIGINT') = 500 AND id < 3000", 1, 3, 4000},
		{"TRY_VARIANT_GET(v, '$.n', 'BIGINT') BETWEEN 2100 AND 2109", 10, 2, 50000},
		{"v.n IS NULL", 0, 3, 50000},
		{"v->>'$.s' = 'other'", 0, 4, 3000},
		{"v.n > 'a'", 1, 3, 50000},
	} {
		var found int64
		if err := db.QueryRow("SELECT COUNT(*) FROM t WHERE " + c.where).Scan(&found); err != nil {
			t.Fatal(c.where, err)
		}
		var plan string
		if err := db.QueryRow("EXPLAIN ANALYZE FORMAT=JSON SELECT COUNT(*) FROM t WHERE " + c.where).Scan(&plan); err != nil {
			t.Fatal(c.where, err)
		}
		var p struct {
			Scans []struct {
				Groups int64 `json:"row_groups_pruned_statistics"`
				Bytes  int64 `json:"bytes_read"`
			}
		}
		if err := json.Unmarshal([]byte(plan), &p); err != nil {
			t.Fatal(err)
		}
		got := p.Scans[0]
		if found != c.rows || got.Groups != c.groups || got.Bytes > c.bytes {
			t.Errorf("%s: %d rows, %+v, want %+v", c.where, found, got, c)
		}
	}
}

// TestVariantGroups: a group without the logical type is a VARIANT by the option or a
// CAST.
func TestVariantGroups(t *testing.T) {
	s := &shredding{kind: objects, fields: map[string]*shredding{"n": {kind: integers}}}
	next := 2
	fields := append(schema.FieldList{schema.NewByteArrayNode("metadata", parquet.Repetitions.Required, -1)}, s.nodes(&next)...)
	group := must(schema.NewGroupNode("v", parquet.Repetitions.Optional, fields, -1))
	var data bytes.Buffer
	writeColumn(&data, group, s, slices.Values([][]any{{map[string]any{"n": int64(7), "x": "y"}, missing{}, map[string]any{"n": nil}}}))
	files := fstest.MapFS{"t.parquet": {Data: data.Bytes(), ModTime: time.Unix(1e9, 0)}}
	for _, c := range []struct{ groups, v string }{{"v", "v"}, {"u,v", "v"}, {"", "CAST(v AS VARIANT)"}} {
		config := parquetsql.NewConfig()
		config.FS, config.Path, config.VariantGroups = files, ".", c.groups
		db := sql.OpenDB(must(parquetsql.NewConnector(config)))
		defer db.Close()
		var whole, n sql.NullString
		var nulls int
		err := db.QueryRow("SELECT MAX(("+c.v+")::VARCHAR), MAX(("+c.v+")->>'$.n'), COUNT(*) - COUNT("+c.v+") FROM t").Scan(&whole, &n, &nulls)
		if err != nil || whole.String != `{"n":null}` || n.String != "7" || nulls != 1 {
			t.Errorf("%+v: %v %v %d, %v", c, whole, n, nulls, err)
		}
	}
}

// TestRestOfPath: the values of a shredded path that are not shredded are read, with the
// metadata, of pages only that have a row without a shredded one.
func TestRestOfPath(t *testing.T) {
	s := &shredding{kind: objects, fields: map[string]*shredding{"n": {kind: integers}}}
	var rows []any
	for i := range 4000 {
		v := map[string]any{"n": int64(i), "rest": "not shredded"}
		switch i {
		case 2500:
			v["n"] = "no number"
		case 2501:
			delete(v, "n")
		}
		rows = append(rows, v)
	}
	data := write(s, [][]any{rows}, parquet.WithDataPageSize(800), parquet.WithBatchSize(100), parquet.WithPageIndexEnabled(true), parquet.WithDictionaryDefault(false))
	files := fstest.MapFS{"t.parquet": {Data: data, ModTime: time.Unix(1e9, 0)}}
	on, off := open(t, files, scan.AllPruners), open(t, files, scan.NoPruners)
	for _, c := range []struct {
		query  string
		pages  int64 // that are read at most: 40 of id, about as many of n, 1 each of value and metadata
		others bool  // the latter are read
	}{
		{"SELECT COUNT(*) - COUNT(v->>'$.n') || ' ' || SUM(TRY_VARIANT_GET(v, '$.n', 'BIGINT')) || ' ' || MAX(v->>'$.n') FROM t", 42, true},
		{"SELECT COUNT(*) || ' ' || SUM(id) FROM t WHERE v.n >= 'no' OR v.n = 17", 44, true},
		{"SELECT STRING_AGG(v->'$.n', ' ' ORDER BY id) FROM t WHERE id BETWEEN 2495 AND 2505", 7, true},
		{"SELECT STRING_AGG(v->'$.n', ' ' ORDER BY id) FROM t WHERE id BETWEEN 1495 AND 1505", 5, false},
		{"SELECT SUM(TRY_VARIANT_GET(v, '$.n', 'BIGINT'))::VARCHAR FROM t WHERE id % 1000 <> 500", 82, true},
		{"SELECT SUM(TRY_VARIANT_GET(v, '$.n', 'BIGINT'))::VARCHAR FROM t WHERE id % 1000 < 500", 76, false},
	} {
		var got, want, plan string
		if err := on.QueryRow(c.query).Scan(&got); err != nil {
			t.Fatal(c.query, err)
		}
		if err := off.QueryRow(c.query).Scan(&want); err != nil || got != want {
			t.Errorf("%s: %s, without pruning %s, %v", c.query, got, want, err)
		}
		if err := on.QueryRow("EXPLAIN ANALYZE FORMAT=JSON " + c.query).Scan(&plan); err != nil {
			t.Fatal(c.query, err)
		}
		var p struct {
			Scans []struct {
				Total  int64 `json:"pages_total"`
				Pruned int64 `json:"pages_pruned"`
			}
		}
		if err := json.Unmarshal([]byte(plan), &p); err != nil {
			t.Fatal(err)
		}
		if n := p.Scans[0].Total - p.Scans[0].Pruned; n > c.pages || strings.Contains(plan, `"v.metadata"`) != c.others {
			t.Errorf("%s: %d pages\n%s", c.query, n, plan)
		}
	}
}
