package enginetest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

func one32(v int32) []byte { return parquetOf(ints("a", v)) }

// TestTableNames: which files make a table, and its name.
func TestTableNames(t *testing.T) {
	dir := tree(t, map[string][]byte{
		"one.parquet": one32(1), "two.parq": one32(2), "three.PQ": one32(3), "not.csv": {1}, ".hidden.parquet": one32(9), "_private.parquet": one32(9),
		"folder/a.parquet": one32(4), "folder/deep/er/b.parquet": one32(5), "folder/note.txt": {1}, "folder/_tmp/c.parquet": one32(9), "empty/x.txt": {1},
		"sales/y=2023/m=1/a.parquet": one32(6), "sales/y=2024/m=2/a.parquet": one32(7), "Mixed.parquet": one32(8), "has.dots.parquet": one32(9),
		"broken.parquet": []byte("PAR1 nothing PAR1"), "twice.parquet": one32(1), "twice/x.parquet": one32(2), "lake/_delta_log/0.json": {1}, "lake/p.parquet": one32(1),
	})
	db := openDir(t, dir)
	keep(t, db, say(
		"SHOW TABLES", "'Mixed'; 'broken'; 'folder'; 'has.dots'; 'lake'; 'one'; 'sales'; 'three'; 'twice'; 'two'",
		"SHOW TABLES LIKE 't%'", "'three'; 'twice'; 'two'",
		"SELECT table_name FROM information_schema.tables ORDER BY 1", "'Mixed'; 'broken'; 'folder'; 'has.dots'; 'lake'; 'one'; 'sales'; 'three'; 'twice'; 'two'",
		"SELECT a FROM one", "1",
		"SELECT a FROM ONE", "1",
		"SELECT A FROM mixed", "8",
		"SELECT a FROM folder ORDER BY a", "4; 5",
		"SELECT a FROM `folder/a.parquet`", "4",
		"SELECT a FROM `./folder/a.parquet`", "4",
		"SELECT a FROM `folder/deep`", "5",
		"SELECT a FROM `folder/**/*.parquet`", "4; 5",
		"SELECT a FROM `folder/**`", "error: folder/note.txt",
		"SELECT a FROM `**/a.parquet` ORDER BY a", "4; 6; 7",
		"SELECT a FROM `???.parquet`", "1",
		"SELECT a FROM `[ot]*.parq` ORDER BY a", "2",
		"SELECT a FROM \"two.parq\"", "2",
		"SELECT a FROM `has.dots`", "9",
		"SELECT a FROM has.dots", "9",
		"SELECT a FROM `_private.parquet`", "9",
		"SELECT a FROM `.hidden.parquet`", "9",
		"SELECT a FROM main.one", "1",
		"SELECT a FROM parquet.main.one", "1",
		"SELECT a FROM broken", "error: broken.parquet",
		"SELECT a FROM twice", "error: twice.parquet twice/",
		"SELECT a FROM `twice.parquet`", "1",
		"SELECT a FROM `twice/`", "2",
		"SELECT a FROM lake", "error: _delta_log neither a commit",
		"SELECT a FROM `lake/p.parquet`", "1",
		"SELECT a FROM `lake/*.parquet`", "1",
		"SELECT a FROM nothing", "error: nothing",
		"SELECT a FROM `nothing*`", "error: nothing",
		"SELECT a FROM empty", "error: empty",
		"SELECT COUNT(*) FROM information_schema.columns WHERE table_name IN ('broken', 'twice', 'lake')", "0",
		"SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'sales' ORDER BY ordinal_position", "'a' 'INTEGER'; 'y' 'BIGINT'; 'm' 'BIGINT'",
		"SELECT y, m, a FROM sales ORDER BY y", "2023 1 6; 2024 2 7",
		// No name leads out of the location.
		"SELECT * FROM `../one.parquet`", "error: outside",
		"SELECT * FROM `folder/../one.parquet`", "error: outside",
		"SELECT * FROM `/etc/passwd`", "error: outside",
		"SELECT * FROM `"+filepath.ToSlash(dir)+"/one.parquet`", "error: outside",
		"SELECT * FROM `../*/one.parquet`", "error: outside",
	)...)
	for glob, name := range map[string]string{"/folder/*.parquet": "folder", "/sales/*/*/a.parquet": "a", "/sales/y=2023/**": "y=2023", "/*/a.parquet": "a"} {
		keep(t, openDir(t, dir+glob), promise{query: "SHOW TABLES", want: "'" + name + "'"})
	}
	t.Chdir(filepath.Join(dir, "folder"))
	keep(t, openDir(t, "*.parquet"), say("SHOW TABLES", "'data'", "SELECT a, _file FROM data", "4 'a.parquet'")...)
	keep(t, openDir(t, filepath.Join(dir, "sales")), say("SHOW TABLES", "'sales'", "SELECT COUNT(*) FROM sales WHERE y = 2024", "1")...)
	keep(t, openDir(t, filepath.Join(dir, "one.parquet")), say("SHOW TABLES", "'one'", "SELECT a, _file, _row, _row_group FROM one", "1 'one.parquet' 0 0", "SELECT * FROM `../two.parq`", "error: outside")...)
}

func TestSymbolicLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	outside := tree(t, map[string][]byte{"secret.parquet": one32(1), "folder/secret.parquet": one32(1)})
	dir := tree(t, map[string][]byte{"one.parquet": one32(2)})
	for from, to := range map[string]string{"in.parquet": "one.parquet", "out.parquet": filepath.Join(outside, "secret.parquet"), "folder": filepath.Join(outside, "folder")} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	keep(t, openDir(t, dir), say(
		"SELECT a FROM `in`", "2",
		"SELECT a FROM out", "error: out.parquet",
		"SELECT a FROM `out.parquet`", "error: out.parquet",
		"SELECT a FROM `folder/secret.parquet`", "error: folder/secret.parquet",
		"SELECT a FROM `folder`", "error: folder",
		"SELECT a FROM `folder/*`", "error: folder",
	)...)
}

// TestHivePartitions: types, NULL, decoding, and a key that the files hold too.
func TestHivePartitions(t *testing.T) {
	dir := tree(t, map[string][]byte{
		"n/k=1/a.parquet": one32(1), "n/k=-20/a.parquet": one32(2), "n/k=__HIVE_DEFAULT_PARTITION__/a.parquet": one32(3),
		"d/k=2024-01-02/a.parquet": one32(1), "d/k=2023-12-31/a.parquet": one32(2),
		"s/k=1/a.parquet": one32(1), "s/k=x%20y%2Fz%2B+/a.parquet": one32(2), "s/k=2024-01-01/a.parquet": one32(3),
		"own/k=7/x.parquet": parquetOf(ints("k", int32(1)), texts("v", "x")), "own/k=8/x.parquet": parquetOf(ints("k", int32(2)), texts("v", "y")),
		"uneven/k=1/a.parquet": one32(1), "uneven/a.parquet": one32(2),
		"order/a=1/b=2/a.parquet": texts1("v"), "order/b=1/a=2/a.parquet": texts1("w"),
		"big/k=99999999999999999999/a.parquet": one32(1),
	})
	keep(t, openDir(t, dir), say(
		"SELECT * FROM n ORDER BY a", "1 1; 2 -20; 3 NULL",
		"SELECT a FROM n WHERE k > 0", "1",
		"SELECT a FROM n WHERE k IS NULL", "3",
		"SELECT a, _file FROM n WHERE k = -20", "2 'n/k=-20/a.parquet'",
		"SELECT * FROM d WHERE k < '2024-01-01'", "2 2023-12-31T00:00:00Z",
		"SELECT k FROM s ORDER BY a", "'1'; 'x y/z++'; '2024-01-01'",
		"SELECT * FROM own ORDER BY v", "7 'x'; 8 'y'",
		"SELECT v FROM own WHERE k = 2", "",
		"SELECT * FROM uneven ORDER BY a", "1; 2",
		"SELECT k FROM uneven", "error: k",
		"SELECT * FROM `order` ORDER BY v", "'v' 1 2; 'w' 2 1",
		"SELECT * FROM big", "1 '99999999999999999999'",
		"SELECT k, COUNT(*), SUM(a) FROM n GROUP BY k ORDER BY k", "-20 1 2; 1 1 1; NULL 1 3",
		"SELECT column_name, column_type, \"null\" FROM x", "error: x",
		"DESCRIBE n", "'a' 'INTEGER' 'NO' NULL NULL NULL; 'k' 'BIGINT' 'YES' NULL NULL NULL",
	)...)
	keep(t, openDir(t, dir+"?hive_partitioning=off"), say("SELECT * FROM n ORDER BY a", "1; 2; 3", "SELECT k FROM own ORDER BY k", "1; 2")...)
	keep(t, openDir(t, dir+"?hive_partitioning=on"), say("SELECT * FROM uneven ORDER BY a", "1 1; 2 NULL")...)
}

func texts1(v string) []byte { return parquetOf(texts("v", v)) }

// TestUnion: columns are united by name and widened, or an error names the files and
// the column.
func TestUnion(t *testing.T) {
	decimal := func(precision, scale int, v int32) flat {
		return flat{name: "d", physical: 1, converted: 5, precision: precision, scale: scale, values: []any{v}}
	}
	of := func(physical, converted int, v any) flat {
		return flat{name: "c", physical: physical, converted: converted, values: []any{v}}
	}
	dir := tree(t, map[string][]byte{
		"w/1.parquet": parquetOf(ints("i", int32(1)), flat{name: "f", physical: 4, converted: -1, values: []any{float32(1.5)}}, decimal(4, 2, 125)),
		"w/2.parquet": parquetOf(texts("new", "x"), longs("i", int64(1)<<40), flat{name: "f", physical: 5, converted: -1, values: []any{2.5}}, decimal(9, 4, 12345)),
		"u/1.parquet": parquetOf(of(1, 13, int32(-1))), "u/2.parquet": parquetOf(of(1, 15, int32(-5))),
		"ub/1.parquet": parquetOf(of(2, 14, int64(-1))), "ub/2.parquet": parquetOf(of(1, -1, int32(-5))),
		"ts/1.parquet": parquetOf(of(2, 9, int64(1000))), "ts/2.parquet": parquetOf(of(2, 10, int64(2000001))), "ts/3.parquet": parquetOf(of(3, -1, "\x00\x00\x00\x00\x00\x00\x00\x00\x8c\x3d\x25\x00")),
		"t/1.parquet": parquetOf(of(6, -1, "b")), "t/2.parquet": parquetOf(of(6, 0, "v")), "t/3.parquet": parquetOf(of(6, 4, "e")), "t/4.parquet": parquetOf(of(6, 19, "{}")),
		"text/1.parquet": parquetOf(of(1, -1, int32(1))), "text/2.parquet": parquetOf(of(6, 0, "x")),
		"drift/1.parquet": parquetOf(longs("c", int64(1), int64(2), int64(1)<<53+1)), "drift/2.parquet": parquetOf(flat{name: "c", physical: 5, converted: -1, values: []any{1.5, -2.0}}),
		"mixed/1.parquet": parquetOf(ints("a", int32(1)), ints("c", int32(7))), "mixed/2.parquet": parquetOf(ints("a", int32(2)), of(1, 6, int32(3))),
		"day/1.parquet": parquetOf(of(1, 6, int32(1))), "day/2.parquet": parquetOf(of(2, 10, int64(1))),
		"bad/1.parquet": parquetOf(of(0, -1, "\x01")), "bad/2.parquet": parquetOf(of(1, 6, int32(1))),
	})
	keep(t, openDir(t, dir), say(
		"SELECT * FROM w ORDER BY i", "1 1.5d '1.2500' NULL; 1099511627776 2.5d '1.2345' 'x'",
		"DESCRIBE w", "'i' 'BIGINT' 'NO' NULL NULL NULL; 'f' 'DOUBLE' 'NO' NULL NULL NULL; 'd' 'DECIMAL(9,4)' 'NO' NULL NULL NULL; 'new' 'VARCHAR' 'YES' NULL NULL NULL",
		"SELECT COUNT(new), MAX(i), MIN(f), SUM(d) FROM w", "1 1099511627776 1.5d '2.4845'",
		"SELECT new FROM w WHERE i > 5", "'x'",
		"SELECT i FROM w WHERE new IS NULL", "1",
		"SELECT i FROM w WHERE d = 1.25", "1",
		"SELECT c FROM u ORDER BY c", "-5; 4294967295",
		"SELECT c FROM ub ORDER BY c", "'-5'; '18446744073709551615'",
		"SELECT c FROM ts ORDER BY c", "1970-01-01T00:00:00Z; 1970-01-01T00:00:01Z; 1970-01-01T00:00:02.000001Z",
		"SELECT c FROM t ORDER BY c", "'b'; 'e'; 'v'; '{}'",
		"SELECT c FROM t WHERE c LIKE 'v%'", "'v'",
		"SELECT * FROM text ORDER BY c", "'1'; 'x'",
		"SELECT c FROM drift ORDER BY c", "-2d; 1d; 1.5d; 2d; 9.007199254740992e+15d",
		"SELECT c FROM drift WHERE c = 2", "2d",
		"SELECT c FROM drift WHERE c > 1.5 ORDER BY c", "2d; 9.007199254740992e+15d",
		"SELECT c FROM drift WHERE c = 9007199254740992e0", "9.007199254740992e+15d",
		"SELECT MIN(c), MAX(c), COUNT(c) FROM drift", "-2d 9.007199254740992e+15d 5",
		"SELECT a FROM mixed ORDER BY a", "1; 2",
		"SELECT COUNT(*), MAX(a) FROM mixed", "2 2",
		"SELECT a FROM mixed WHERE c = 7", "error: c mixed/1.parquet mixed/2.parquet INTEGER DATE path glob CAST",
		"SELECT * FROM mixed", "error: c mixed/1.parquet mixed/2.parquet INTEGER DATE path glob CAST",
		"SELECT MAX(c) FROM mixed", "error: c mixed/1.parquet mixed/2.parquet INTEGER DATE path glob CAST",
		"SELECT c + 1 FROM mixed", "error: c mixed/1.parquet mixed/2.parquet INTEGER DATE path glob CAST",
		"SELECT COUNT(*) FROM mixed GROUP BY c", "error: c mixed/1.parquet mixed/2.parquet INTEGER DATE path glob CAST",
		"SELECT c FROM day ORDER BY c", "1970-01-01T00:00:00.000001Z; 1970-01-02T00:00:00Z",
		"SELECT 1 FROM bad", "1; 1",
		"SELECT c FROM bad", "error: c bad/1.parquet bad/2.parquet BOOLEAN DATE",
		"SELECT c FROM `bad/2.parquet`", "1970-01-02T00:00:00Z",
	)...)
}

// TestDecimalBeyondType: a DECIMAL of more digits than its type is an error of the queries that read
// it, in each physical type, in lists, dictionaries and files that a union widens. Arithmetic would
// make another number of it.
func TestDecimalBeyondType(t *testing.T) {
	column := func(physical, precision int, values ...any) []byte {
		return parquetOf(longs("id", int64(1), int64(2)), flat{name: "d", physical: physical, converted: 5, precision: precision, values: values})
	}
	coded := flat{name: "d", physical: 2, converted: 5, precision: 18, coded: true, values: []any{int64(5), int64(9e18)}}
	dir := tree(t, map[string][]byte{
		"int32.parquet": column(1, 4, int32(5), int32(1000000)), "int64.parquet": column(2, 18, int64(5), int64(9e18)),
		"bytes.parquet":   column(6, 18, "\x05", "\x7f\xff\xff\xff\xff\xff\xff\xff"),
		"fixed.parquet":   column(7, 38, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05", "\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		"dict.parquet":    parquetOf(longs("id", int64(1), int64(2)), coded),
		"union/1.parquet": parquetOf(flat{name: "d", physical: 2, converted: 5, precision: 10, values: []any{int64(9e18)}}),
		"union/2.parquet": parquetOf(flat{name: "d", physical: 2, converted: 5, precision: 18, scale: 8, values: []any{int64(1)}}),
	})
	db := openDir(t, dir)
	for _, table := range []string{"int32", "int64", "bytes", "fixed", "dict"} {
		keep(t, db, say(
			"SELECT COUNT(*), MAX(id) FROM "+table, "2 2",
			"SELECT d FROM "+table, "error: "+table+".parquet d DECIMAL digits",
			"SELECT d * 100000 FROM "+table, "error: "+table+".parquet d DECIMAL digits",
			"SELECT CAST(d AS DECIMAL(38,4)) FROM "+table, "error: "+table+".parquet d DECIMAL digits",
			"SELECT COUNT(*) FROM "+table+" WHERE d + 1 > 0", "error: "+table+".parquet d DECIMAL digits",
			"SELECT SUM(d) FROM "+table, "error: "+table+".parquet d DECIMAL digits",
		)...)
	}
	keep(t, db, say("SELECT d FROM \"union\"", "error: union/1.parquet d DECIMAL(10,0) digits")...)
}

// TestHiddenColumns: they count within a file, also after pruning, and real columns of
// their names hide them.
func TestHiddenColumns(t *testing.T) {
	dir := tree(t, map[string][]byte{
		"f/a.parquet": parquetOf(ints("x", int32(1), int32(2), int32(3))), "f/sub/b.parquet": parquetOf(ints("x", int32(4), int32(5))),
		"real.parquet": parquetOf(ints("_row", int32(7)), texts("_file", "mine")), "case.parquet": parquetOf(ints("Ab", int32(1)), ints("aB", int32(2))),
	})
	keep(t, openDir(t, dir), say(
		"SELECT *, _file, _row_group, _row FROM f WHERE x IN (3, 5) ORDER BY x", "3 'f/a.parquet' 0 2; 5 'f/sub/b.parquet' 0 1",
		"SELECT * FROM f LIMIT 1", "1",
		"SELECT x FROM f WHERE _row = 1 AND _file LIKE '%b.parquet'", "5",
		"SELECT _file, COUNT(*) FROM f GROUP BY _file ORDER BY 1", "'f/a.parquet' 3; 'f/sub/b.parquet' 2",
		"SELECT COUNT(*), MAX(_row) FROM f", "5 2",
		"SELECT * FROM real", "7 'mine'",
		"SELECT _file, _row, _row_group FROM real", "'mine' 7 0",
		"SELECT Ab, aB FROM `case`", "1 2",
		"SELECT ab FROM `case`", "error: ab",
	)...)
	db := openDir(t, "testdata/airports.parquet")
	all, _, err := ask(db, "SELECT _row FROM airports WHERE state = 'HI'")
	if err != nil {
		t.Fatal(err)
	}
	off, _, _ := ask(openDir(t, "testdata/airports.parquet?pruning=off"), "SELECT _row FROM airports WHERE state = 'HI'")
	if all != off || all == "" {
		t.Errorf("_row with pruning %s, without %s", all, off)
	}
}

// TestDescriptions: the columns of SHOW, DESCRIBE, information_schema and the system tables.
func TestDescriptions(t *testing.T) {
	db := openDir(t, "testdata")
	for query, want := range map[string]string{
		"SHOW TABLES": "name", "DESCRIBE penguins": "column_name column_type null key default extra", "SHOW COLUMNS FROM penguins": "column_name column_type null key default extra",
		"DESCRIBE SELECT 1":              "column_name column_type null key default extra",
		"SELECT * FROM `penguins$files`": "file size rows row_groups created_by", "SELECT * FROM `penguins$row_groups`": "file row_group rows bytes compressed_bytes",
		"SELECT * FROM `penguins$columns`":                                       "file row_group column type codec encodings values null_count min max compressed_bytes uncompressed_bytes bloom_offset column_index_offset offset_index_offset xmin xmax ymin ymax zmin zmax mmin mmax geometry_types",
		"SELECT * FROM `penguins$pages`":                                         "file row_group column page kind encoding rows first_row offset compressed_bytes null_count min max",
		"SELECT * FROM `penguins$schema`":                                        "file column type physical_type logical_type repetition max_definition_level max_repetition_level",
		"SELECT * FROM `penguins$key_values`":                                    "file key value",
		"SELECT * FROM information_schema.schemata":                              "catalog_name schema_name schema_owner",
		"SELECT * FROM information_schema.tables":                                "table_catalog table_schema table_name table_type",
		"SELECT * FROM information_schema.columns WHERE table_name = 'penguins'": "table_catalog table_schema table_name column_name ordinal_position column_default is_nullable data_type character_maximum_length character_octet_length numeric_precision numeric_scale datetime_precision",
		"EXPLAIN SELECT 1":                                                       "plan", "EXPLAIN ANALYZE SELECT 1": "plan", "EXPLAIN FORMAT=JSON SELECT 1": "plan",
	} {
		_, names, err := ask(db, query)
		for _, w := range strings.Fields(want) {
			if !slices.Contains(names, w) {
				t.Errorf("%s has no column %s: %q %v", query, w, names, err)
			}
		}
	}
	keep(t, db, say(
		"SELECT file, rows, row_groups FROM `penguins$files`", "'penguins.parquet' 344 1",
		"SELECT SUM(rows) FROM `seattle_weather$row_groups`", "1461",
		"SELECT \"column\", \"values\", null_count FROM \"penguins$columns\" WHERE min = 'Adelie'", "'Species' 344 0",
		"SELECT COUNT(*) > 0, SUM(rows) FROM `penguins$pages` WHERE \"column\" = 'Sex' AND kind LIKE 'DATA_PAGE%'", "true 344",
		"SELECT repetition, physical_type FROM `penguins$schema` WHERE \"column\" = 'Sex'", "'OPTIONAL' 'BYTE_ARRAY'",
		"SELECT table_catalog, table_schema FROM information_schema.tables WHERE table_name = 'penguins'", "'parquet' 'main'",
		"SELECT COUNT(*) FROM information_schema.schemata WHERE catalog_name = 'parquet' AND schema_name = 'main'", "1",
		"SELECT * FROM `penguins$nonsense`", "error: penguins$nonsense",
		"SHOW CREATE TABLE nonsense", "error: nonsense",
		"DESCRIBE nonsense", "error: nonsense",
	)...)
	create, _, err := ask(db, "SHOW CREATE TABLE penguins")
	if err != nil || !strings.Contains(create, `"Body Mass (g)" BIGINT`) {
		t.Errorf("SHOW CREATE TABLE: %s, %v", create, err)
	}
}

// TestExplainJSON: the keys that docs/contract.md lists, all numbers.
func TestExplainJSON(t *testing.T) {
	db := openDir(t, "testdata")
	for _, c := range []struct {
		explain             string
		rowGroups, returned float64
	}{{"EXPLAIN FORMAT=JSON ", 1, 0}, {"EXPLAIN ANALYZE FORMAT=JSON ", 1, 641}} {
		var doc struct {
			Operators map[string]any
			Scans     []map[string]any
		}
		text := one[string](t, db, c.explain+"SELECT * FROM seattle_weather WHERE weather = 'rain'")
		if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.Operators == nil || len(doc.Scans) != 1 {
			t.Fatalf("%v: %s", err, text)
		}
		for _, key := range strings.Fields(`files_total files_pruned row_groups_total row_groups_pruned_statistics row_groups_pruned_bloom
			row_groups_pruned_dictionary pages_total pages_pruned bytes_read rows_decoded rows_returned pages_skipped_corrupt`) {
			if _, number := doc.Scans[0][key].(float64); !number {
				t.Errorf("%s: %s is %v", c.explain, key, doc.Scans[0][key])
			}
		}
		s := doc.Scans[0]
		if s["table"] != "seattle_weather" || s["files_total"] != 1.0 || s["rows_returned"] != c.returned || s["row_groups_total"] != c.rowGroups {
			t.Errorf("%s: %v", c.explain, s)
		}
	}
	if rows, _, err := ask(db, "EXPLAIN SELECT * FROM penguins WHERE Island = 'Dream'"); err != nil || !strings.Contains(rows, "Scan penguins") {
		t.Errorf("EXPLAIN: %s, %v", rows, err)
	}
}

// TestExplainLeaves: EXPLAIN names the leaf columns that a path into a VARIANT reads. The
// schema of the file has more of them.
func TestExplainLeaves(t *testing.T) {
	db := openDir(t, "testdata")
	for _, c := range []struct{ of, leaves string }{
		{"var.a", "leaves      var.metadata, var.typed_value.a.typed_value, var.typed_value.a.value'"},
		{"VARIANT_GET(var, '$.c', 'BIGINT')", "leaves      var.metadata, var.value'"},
	} {
		for _, explain := range []string{"EXPLAIN ", "EXPLAIN ANALYZE "} {
			rows, _, err := ask(db, explain+"SELECT "+c.of+" FROM `files/parquet-testing/shredded_variant/case-046.parquet`")
			if err != nil || !strings.Contains(rows, c.leaves) {
				t.Errorf("%s%s: %s, %v", explain, c.of, rows, err)
			}
		}
	}
	if rows, _, err := ask(db, "EXPLAIN ANALYZE SELECT species FROM penguins"); err != nil || strings.Contains(rows, "leaves") {
		t.Errorf("a column that is no group: %s, %v", rows, err)
	}
}

// TestConflict: a whole value that is in value and in typed_value is an error, with
// pruning too.
func TestConflict(t *testing.T) {
	db := openDir(t, "testdata")
	for _, of := range []string{"var", "var::VARCHAR", "COUNT(var::VARCHAR)", "var = 1", "VARIANT_TYPE(var)", "VARIANT_GET(var, '$', 'BIGINT')"} {
		rows, _, err := ask(db, "SELECT "+of+" FROM `files/parquet-testing/shredded_variant/case-042.parquet`")
		if err == nil || !strings.Contains(err.Error(), "both value and typed_value") {
			t.Errorf("%s: %s, %v", of, rows, err)
		}
	}
}

// TestErrors: their types, positions and similar names.
func TestErrors(t *testing.T) {
	db := openDir(t, "testdata")
	for _, c := range []struct{ query, kind, name, nearest string }{
		{"SELECT * FROM pengins", "table", "pengins", "penguins"},
		{"SELECT Specie FROM penguins", "column", "Specie", "Species"},
		{"SELECT p.Specie FROM penguins p", "column", "p.Specie", "Species"},
		{"SELECT Sex FROM penguins ORDER BY Islnd", "column", "Islnd", "Island"},
		{"SELECT Sex FROM penguins GROUP BY Islnd", "column", "Islnd", "Island"},
		{"SELECT UPPR(Sex) FROM penguins", "function", "UPPR", "UPPER"},
		{"SELECT UPPR(Sex), COUNT(*) FROM penguins", "function", "UPPR", "UPPER"},
		{"SELECT MAXX(Sex) FROM penguins", "function", "MAXX", "MAX"},
		{"SELECT * EXCLUDE (Specie) FROM penguins", "column", "Specie", "Species"},
		{"SELECT * FROM `penguin$files`", "table", "penguin", "penguins"},
		{"SELECT x.* FROM penguins", "table", "x", ""},
	} {
		_, _, err := ask(db, c.query)
		var found *parquetsql.NotFoundError
		if !errors.As(err, &found) || found.Kind != c.kind || found.Name != c.name || c.nearest != "" && !strings.Contains(strings.ToUpper(err.Error()), strings.ToUpper(c.nearest)) {
			t.Errorf("%s: %v (%+v)", c.query, err, found)
		}
	}
	for query, position := range map[string]int{
		"SELEC 1": 0, "SELECT 1 +": 10, "SELECT * FROM penguins WHERE": 28, "SELECT 'ä' ä ö": 15, "SELECT (1": 9, "SELECT 1)": 8, "SELECT 'x": 7, "SELECT 1 FROM penguins GROUP Sex": 29,
	} {
		_, _, err := ask(db, query)
		var syntax *parquetsql.SyntaxError
		if !errors.As(err, &syntax) || syntax.Position != position {
			t.Errorf("%s: %v, want a syntax error at %d", query, err, position)
		}
	}
	_, _, err := ask(openDir(t, tree(t, map[string][]byte{"b.parquet": []byte("PAR1garbagegarbagePAR1")})), "SELECT * FROM b")
	var corrupt *parquetsql.CorruptError
	if !errors.As(err, &corrupt) || corrupt.File != "b.parquet" || corrupt.RowGroup != -1 || corrupt.Column != "" || corrupt.Err == nil {
		t.Errorf("a corrupt file: %v %+v", err, corrupt)
	}
	if !reflect.TypeFor[*parquetsql.CorruptError]().Implements(reflect.TypeFor[error]()) {
		t.Error("*CorruptError is no error")
	}
}
