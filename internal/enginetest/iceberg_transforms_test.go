package enginetest

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The transforms of the specification (Partition Transforms), once more.

// hashOf is Murmur3 of 32 bits, seed 0.
func hashOf(b []byte) int64 {
	h, n := uint32(0), len(b)
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h^bits.RotateLeft32(binary.LittleEndian.Uint32(b)*0xcc9e2d51, 15)*0x1b873593, 13)*5 + 0xe6546b64
	}
	k := uint32(0)
	for i := len(b) - 1; i >= 0; i-- {
		k = k<<8 | uint32(b[i])
	}
	h ^= bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
	h ^= uint32(n)
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return int64((h ^ h>>16) & 0x7fffffff)
}

// transformed is a value of a column with a type and how its values are written in SQL.
type transformed struct {
	typ, avro  string
	transforms []string
	random     func(r *rand.Rand) any
	sql        func(v any) string
	column     func(values []any) flat
}

func floorOf(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// partitionOf is the partition value of a value: a number or a text.
func partitionOf(transform, typ string, v any) any {
	name, rest, _ := strings.Cut(transform, "[")
	var w int64
	fmt.Sscanf(rest, "%d]", &w)
	if s, ok := v.(string); ok {
		switch name {
		case "bucket":
			return hashOf([]byte(s)) % w
		case "truncate":
			r := []rune(s)
			return string(r[:min(int(w), len(r))])
		}
		return s
	}
	n := int64(0)
	switch v := v.(type) {
	case int32:
		n = int64(v)
	case int64:
		n = v
	}
	moment := time.UnixMicro(n).UTC()
	if typ == "date" {
		moment = time.Unix(n*86400, 0).UTC()
	}
	switch name {
	case "bucket":
		return hashOf(binary.LittleEndian.AppendUint64(nil, uint64(n))) % w
	case "truncate":
		return w * floorOf(n, w)
	case "year":
		return int64(moment.Year() - 1970)
	case "month":
		return int64(moment.Year()-1970)*12 + int64(moment.Month()) - 1
	case "day":
		return floorOf(moment.Unix(), 86400)
	case "hour":
		return floorOf(moment.Unix(), 3600)
	}
	return n
}

var transformedTypes = []transformed{
	{"int", "int", []string{"identity", "bucket[5]", "truncate[10]", "void", "unheard"}, func(r *rand.Rand) any { return int32(r.IntN(200) - 100) },
		func(v any) string { return fmt.Sprint(v) }, func(v []any) flat { return ints("c", v...) }},
	{"long", "long", []string{"identity", "bucket[7]", "truncate[1000]"}, func(r *rand.Rand) any { return r.Int64N(20_000) - 10_000 },
		func(v any) string { return fmt.Sprint(v) }, func(v []any) flat { return longs("c", v...) }},
	{"string", "string", []string{"identity", "bucket[4]", "truncate[2]"}, func(r *rand.Rand) any {
		return string([]rune("aäz€𐍈~")[r.IntN(6)]) + strings.Repeat(string(rune('a'+r.IntN(3))), r.IntN(4))
	}, func(v any) string { return "'" + v.(string) + "'" }, func(v []any) flat { return texts("c", v...) }},
	{"date", "int", []string{"identity", "bucket[6]", "year", "month", "day"}, func(r *rand.Rand) any { return int32(r.IntN(4000) - 2000) },
		func(v any) string {
			return "DATE '" + time.Unix(int64(v.(int32))*86400, 0).UTC().Format(time.DateOnly) + "'"
		},
		func(v []any) flat { return flat{name: "c", physical: 1, converted: 6, values: v} }},
	{"timestamp", "long", []string{"identity", "bucket[3]", "year", "month", "day", "hour"}, func(r *rand.Rand) any {
		n := r.Int64N(40_000*3600) - 20_000*3600
		if r.IntN(3) == 0 {
			n -= n % 3600 // where periods begin
		}
		return n*1_000_000 - r.Int64N(2)
	}, func(v any) string {
		return "TIMESTAMP '" + time.UnixMicro(v.(int64)).UTC().Format("2006-01-02 15:04:05.000000") + "'"
	},
		func(v []any) flat { return flat{name: "c", physical: 2, converted: 10, values: v} }},
}

// TestIcebergTransforms: what partition values and what manifest lists say of them takes no row away.
// The tables have several manifests with several files each, of random values.
func TestIcebergTransforms(t *testing.T) {
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 40))
	skipped := 0
	for range rounds {
		for _, of := range transformedTypes {
			for _, transform := range of.transforms {
				skipped += transformRound(t, r, of, transform)
			}
		}
	}
	if skipped == 0 {
		t.Error("no manifest was left out")
	}
	t.Logf("%d manifests were left out", skipped)
}

func transformRound(t *testing.T, r *rand.Rand, of transformed, transform string) (skipped int) {
	table := newOddTable(t, `[{"source-id":2,"field-id":1000,"name":"p","transform":"`+transform+`"}]`)
	avro := of.avro
	if strings.HasPrefix(transform, "bucket") || slices.Contains([]string{"year", "month", "day", "hour"}, transform) {
		avro = "int"
	}
	field := fmt.Sprintf(`{"name":"p","type":["null",%q],"field-id":1000}`, avro)
	bytesOf := func(p any) []byte {
		switch p := p.(type) {
		case string:
			return []byte(p)
		case int64:
			if avro == "int" {
				return binary.LittleEndian.AppendUint32(nil, uint32(p))
			}
			return binary.LittleEndian.AppendUint64(nil, uint64(p))
		}
		return nil
	}
	less := func(a, b any) int {
		if s, ok := a.(string); ok {
			return strings.Compare(s, b.(string))
		}
		return int(min(1, max(-1, a.(int64)-b.(int64))))
	}
	var all []any
	for range 4 {
		var list []oddFile
		var parts []any
		null := false
		base := of.random(r)
		for range []int{1, 2, 3, 10}[r.IntN(4)] {
			if r.IntN(6) == 0 {
				null = true
				f := table.data(t, withID(longs("x", int64(1), int64(1)), 1))
				f.partition = []byte{0}
				list, all = append(list, f), append(all, nil, nil)
				continue
			}
			// Values of one partition.
			values := []any{base}
			for range 30 {
				if v := of.random(r); partitionOf(transform, of.typ, v) == partitionOf(transform, of.typ, base) || transform == "void" || transform == "unheard" {
					values = append(values, v)
				}
			}
			ones := make([]any, len(values))
			for i := range ones {
				ones[i] = int64(1)
			}
			f := table.data(t, withID(longs("x", ones...), 1), withID(of.column(values), 2))
			switch p := partitionOf(transform, of.typ, base).(type) {
			case string:
				f.partition = avroText([]byte{2}, p)
				parts = append(parts, p)
			case int64:
				f.partition = avroLong([]byte{2}, p)
				parts = append(parts, p)
			}
			if transform == "void" {
				f.partition = []byte{0}
			}
			if r.IntN(3) > 0 {
				f.boundOf, f.lower, f.upper = 2, storedBound(slices.MinFunc(values, lessValue)), storedBound(slices.MaxFunc(values, lessValue))
			}
			list, all = append(list, f), append(all, values...)
			if r.IntN(2) == 0 {
				base = of.random(r)
			}
		}
		s := icebergSummary{null: null || transform == "void"}
		if len(parts) > 0 && transform != "void" {
			s.lower, s.upper = bytesOf(slices.MinFunc(parts, less)), bytesOf(slices.MaxFunc(parts, less))
		}
		table.addAll(t, field, []icebergSummary{s}, list...)
	}
	table.commit(t, 2, `[{"id":1,"name":"x","required":false,"type":"long"},{"id":2,"name":"c","required":false,"type":"`+of.typ+`"}]`)
	off := openDir(t, filepath.ToSlash(table.dir)+"?pruning=off")
	if n := one[int](t, off, "SELECT COUNT(*) FROM t"); n != len(all) {
		t.Fatalf("%d rows, want %d", n, len(all))
	}
	warm := openDir(t, filepath.ToSlash(table.dir))
	for range 12 {
		a, b := all[r.IntN(len(all))], of.random(r)
		if a == nil || r.IntN(4) == 0 {
			a = of.random(r)
		}
		x, y := of.sql(a), of.sql(b)
		where := []string{"c = " + x, "c < " + x, "c <= " + x, "c > " + x, "c >= " + x, "c <> " + x, "c IS NULL", "c IS NOT NULL", "c IN (" + x + ", " + y + ")", "NOT (c > " + x + ")", "c BETWEEN " + x + " AND " + y, "c = " + x + " OR c IS NULL"}[r.IntN(12)]
		query := "SELECT COUNT(" + []string{"x", "*"}[r.IntN(2)] + ") FROM t WHERE " + where
		want := one[int](t, off, query)
		db, files := remote(t, filepath.Dir(table.dir))
		if got := one[int](t, db, query); got != want {
			t.Errorf("%s of %s, %s: %d rows, want %d", transform, of.typ, where, got, want)
		}
		if got := one[int](t, warm, query); got != want {
			t.Errorf("%s of %s, %s, with what is known from before: %d rows, want %d", transform, of.typ, where, got, want)
		}
		read := map[string]bool{}
		for _, line := range files.log {
			if name, _, _ := strings.Cut(line, " "); strings.HasPrefix(filepath.Base(name), "m") && strings.HasSuffix(name, ".avro") {
				read[name] = true
			}
		}
		skipped += len(table.list) - len(read)
	}
	return skipped
}

// storedBound is a value as bounds have it.
func storedBound(v any) string {
	switch v := v.(type) {
	case int32:
		return string(binary.LittleEndian.AppendUint32(nil, uint32(v)))
	case int64:
		return string(binary.LittleEndian.AppendUint64(nil, uint64(v)))
	}
	return v.(string)
}

func lessValue(a, b any) int {
	switch a := a.(type) {
	case int32:
		return cmp.Compare(a, b.(int32))
	case int64:
		return cmp.Compare(a, b.(int64))
	}
	return cmp.Compare(a.(string), b.(string))
}
