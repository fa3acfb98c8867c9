package enginetest

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestIcebergBucketConstants: a bucket is that of a value of the column, of whatever type the constant is
// that a condition has.
func TestIcebergBucketConstants(t *testing.T) {
	wide := func(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	for _, c := range []struct {
		typ    string
		column flat
		hashed []byte
		equal  []string
	}{
		{"int", ints("c", int32(14)), wide(14), []string{"14", "14.0", "14::DOUBLE", "14::BIGINT", "14.00::DECIMAL(9,2)", "'14'"}},
		{"long", longs("c", int64(14)), wide(14), []string{"14", "14.0", "14::DOUBLE", "14::SMALLINT", "14.00::DECIMAL(9,2)"}},
		{"decimal(9, 2)", flat{name: "c", physical: 1, converted: 5, precision: 9, scale: 2, values: []any{int32(1420)}}, []byte{0x05, 0x8c}, []string{"14.2", "14.20", "14.200", "14.2::DECIMAL(3,1)", "14.2::DOUBLE", "14.2000::DECIMAL(38,4)"}},
		{"decimal(9, 2)", flat{name: "c", physical: 1, converted: 5, precision: 9, scale: 2, values: []any{int32(1400)}}, []byte{0x05, 0x78}, []string{"14", "14::BIGINT", "14.0", "14::DOUBLE"}},
		{"date", flat{name: "c", physical: 1, converted: 6, values: []any{int32(17486)}}, wide(17486), []string{"DATE '2017-11-16'", "TIMESTAMP '2017-11-16 00:00:00'", "'2017-11-16'"}},
		{"timestamp", flat{name: "c", physical: 2, converted: 10, values: []any{int64(17486 * 86400e6)}}, wide(17486 * 86400e6), []string{"DATE '2017-11-16'", "TIMESTAMP '2017-11-16'", "TIMESTAMP_NS '2017-11-16'", "'2017-11-16'"}},
		{"string", texts("c", "iceberg"), []byte("iceberg"), []string{"'iceberg'", "'ice' || 'berg'"}},
	} {
		r := newOddTable(t, `[{"source-id":2,"field-id":1000,"name":"p","transform":"bucket[1000]"}]`)
		for _, other := range []bool{false, true} {
			f := r.data(t, withID(longs("x", int64(1)), 1), withID(c.column, 2))
			f.partition = avroLong(nil, hashOf(c.hashed)%1000)
			if other {
				f = r.data(t, withID(longs("x", int64(1)), 1))
				f.partition = avroLong(nil, 1001)
			}
			bound := binary.LittleEndian.AppendUint32(nil, uint32(hashOf(c.hashed)%1000))
			if other {
				bound = binary.LittleEndian.AppendUint32(nil, 1001)
			}
			r.addAll(t, `{"name":"p","type":"int","field-id":1000}`, []icebergSummary{{lower: bound, upper: bound}}, f)
		}
		r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":"`+c.typ+`"}]`)
		for _, e := range c.equal {
			r.wants(t, "SELECT COUNT(*) FROM t WHERE c = "+e, "1")
			r.wants(t, "SELECT COUNT(*) FROM t WHERE c IN ("+e+", NULL)", "1")
			r.wants(t, "SELECT COUNT(*) FROM t WHERE c IS NOT DISTINCT FROM "+e, "1")
			r.wants(t, "SELECT COUNT(*) FROM t JOIN (SELECT "+e+" AS e) ON c = e", "1")
		}
	}
}

// TestIcebergSignedZeros: -0.0 and 0.0 are one value, as a partition, as bounds and as a key.
func TestIcebergSignedZeros(t *testing.T) {
	eight := func(f float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)) }
	minus := math.Copysign(0, -1)
	for _, zeros := range [][2]float64{{minus, 0}, {0, minus}, {minus, minus}, {0, 0}} {
		r := newOddTable(t, `[{"source-id":2,"field-id":1000,"name":"p","transform":"identity"}]`)
		for _, z := range zeros {
			f := r.data(t, withID(longs("x", int64(1)), 1), withID(flat{name: "c", physical: 5, converted: -1, values: []any{z}}, 2))
			f.partition = eight(z)
			f.boundOf, f.lower, f.upper = 2, string(eight(z)), string(eight(z))
			r.addAll(t, `{"name":"p","type":"double","field-id":1000}`, []icebergSummary{{lower: eight(z), upper: eight(z)}}, f)
		}
		r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":"double"}]`)
		for _, where := range []string{"c = 0.0", "c = -0.0", "c >= 0.0", "c <= -0.0", "c IN (0.0, 5)", "c BETWEEN -0.0 AND 0.0"} {
			r.wants(t, "SELECT COUNT(x) FROM t WHERE "+where, "2")
		}
	}
}

// TestIcebergUUIDSummaries: some writers compare UUIDs as two signed numbers, so that the bounds of
// several say nothing.
func TestIcebergUUIDSummaries(t *testing.T) {
	id := func(low byte, high byte) string {
		return "\x01\x02\x03\x04\x05\x06\x07" + string([]byte{high, low}) + "\x00\x00\x00\x00\x00\x00\x01"
	}
	r := newOddTable(t, `[{"source-id":2,"field-id":1000,"name":"p","transform":"identity"}]`)
	var list []oddFile
	for _, u := range []string{id(0x10, 1), id(0x90, 1), id(0x10, 2)} {
		f := r.data(t, withID(longs("x", int64(1)), 1))
		f.partition = []byte(u)
		list = append(list, f)
	}
	r.addAll(t, `{"name":"p","type":{"type":"fixed","name":"uuid_fixed","size":16,"logicalType":"uuid"},"field-id":1000}`, []icebergSummary{{lower: []byte(id(0x90, 1)), upper: []byte(id(0x10, 2))}}, list...)
	r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":"uuid"}]`)
	r.wants(t, "SELECT COUNT(x) FROM t WHERE c = UUID '01020304-0506-0701-1000-000000000001'", "1")
	r.wants(t, "SELECT COUNT(x) FROM t WHERE c = UUID '01020304-0506-0702-1000-000000000001'", "1")
	r.wants(t, "SELECT COUNT(x) FROM t WHERE c > UUID '01020304-0506-0701-1000-000000000001'", "2")
}

// TestIcebergKeyValues: keys of equality deletes are equal where the values of columns are.
func TestIcebergKeyValues(t *testing.T) {
	double := func(v ...any) flat { return flat{name: "c", physical: 5, converted: -1, values: v} }
	for name, c := range map[string]struct {
		typ       string
		rows, key flat
		left      string
	}{
		"NaN":           {"double", double(math.NaN(), math.Float64frombits(0xfff8000000000001), 1.5), double(math.NaN()), "1.5"},
		"float":         {"double", double(1.5, 0.1), flat{name: "c", physical: 4, converted: -1, values: []any{float32(1.5)}}, "0.1"},
		"int":           {"long", longs("c", int64(5), int64(6)), ints("c", int32(5)), "6"},
		"a wider key":   {"long", ints("c", int32(5), int32(6)), longs("c", int64(5)), "6"},
		"a decimal":     {"decimal(18, 2)", flat{name: "c", physical: 1, converted: 5, precision: 9, scale: 2, values: []any{int32(150), int32(250)}}, flat{name: "c", physical: 2, converted: 5, precision: 18, scale: 2, values: []any{int64(150)}}, "2.50"},
		"an empty text": {"string", texts("c", "", "a"), texts("c", ""), "a"},
		"a date":        {"timestamp", flat{name: "c", physical: 1, converted: 6, values: []any{int32(1), int32(2)}}, flat{name: "c", physical: 2, converted: 10, values: []any{int64(86400e6)}}, "1970-01-03 00:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newOddTable(t, "[]")
			r.add(t, "", r.data(t, withID(c.rows, 1)))
			d := r.data(t, withID(c.key, 1))
			d.content, d.equality = 2, 1
			r.add(t, "", d)
			r.commit(t, 3, `[{"id":1,"name":"c","required":false,"type":"`+c.typ+`"}]`)
			r.wants(t, "SELECT STRING_AGG(CAST(c AS VARCHAR)) FROM t", c.left)
			r.wants(t, "SELECT COUNT(*) FROM t", "1")
			r.wants(t, "SELECT COUNT(c) FROM t", "1")
		})
	}
}

// TestIcebergOwnSequence: an equality delete is of files before it, a position delete also of those of its
// own commit; which is which, data sequence numbers say, not the order of manifests.
func TestIcebergOwnSequence(t *testing.T) {
	for _, content := range []int64{1, 2} {
		r := newOddTable(t, "[]")
		f := r.data(t, withID(longs("x", int64(1), int64(2)), 1))
		var d oddFile
		if content == 1 {
			d = r.data(t, withID(texts("file_path", f.path), 2147483546), withID(longs("pos", int64(0)), 2147483545))
		} else {
			d = r.data(t, withID(longs("x", int64(1)), 1))
			d.equality = 1
		}
		d.content = content
		r.add(t, "", d)
		r.add(t, "", f)
		r.list[1].sequence = r.list[0].sequence
		r.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"}]`)
		r.wants(t, "SELECT STRING_AGG(CAST(x AS VARCHAR) ORDER BY x) FROM t", map[int64]string{1: "2", 2: "1,2"}[content])
		r.wants(t, "SELECT COUNT(*) FROM t", map[int64]string{1: "1", 2: "2"}[content])
	}
}

// TestIcebergVectorOfMany: a deletion vector that deletes more rows than there are is an error, also for
// COUNT(*).
func TestIcebergVectorOfMany(t *testing.T) {
	r := newOddTable(t, "[]")
	f := r.data(t, withID(longs("x", int64(5), int64(6)), 1))
	r.add(t, "", f)
	blob := vectorBlob([]int64{0, 1, 2})
	file, n := r.put(t, "data/v.puffin", puffinFile(blob, f.path, 3))
	r.add(t, "", oddFile{content: 1, path: file, format: "PUFFIN", records: 3, size: n, offset: 4, bytes: int64(len(blob)), referenced: f.path})
	r.commit(t, 3, `[{"id":1,"name":"x","required":false,"type":"long"}]`)
	r.fails(t, "SELECT x FROM t", "deletes row 2")
	r.fails(t, "SELECT COUNT(*) FROM t", "deletes")
	r.fails(t, "SELECT COUNT(x) FROM t", "deletes")
}

// TestIcebergHiveFiles: files without ids that lack partition columns, as Hive has them, have the values
// of the partition, and the other columns by the name mapping.
func TestIcebergHiveFiles(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		r := newOddTable(t, `[{"source-id":2,"field-id":1000,"name":"p","transform":"identity"}]`)
		f := r.data(t, longs("a", int64(1), int64(2)), longs("b", int64(30), int64(40)))
		f.partition = avroLong(nil, 7)
		r.add(t, `{"name":"p","type":"long","field-id":1000}`, f)
		if mapped {
			r.properties = map[string]string{"schema.name-mapping.default": `[{"field-id":1,"names":["a"]},{"field-id":2,"names":["p"]},{"field-id":3,"names":["b"]}]`}
		}
		r.commit(t, 2, `[{"id":1,"name":"a","required":false,"type":"long"},{"id":2,"name":"p","required":false,"type":"long"},{"id":3,"name":"b","required":false,"type":"long"}]`)
		r.wants(t, "SELECT SUM(a * 100 + p) FROM t", "314")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE p = 7", "2")
		r.wants(t, "SELECT COUNT(*) FROM t WHERE p = 30", "0")
		want := "<nil>"
		if mapped {
			want = "70"
		}
		r.wants(t, "SELECT SUM(b) FROM t", want)
	}
}
