package hashtable_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// field is a nullable field of a nested type.
func field(name string, t vector.Type) vector.Field {
	return vector.Field{Name: name, Type: t, Nullable: true}
}

// schema is the columns that keys are drawn from: Wide and nested ones.
var schema = append(slices.Clone(exectest.Wide), vector.Schema{
	{Name: "list", Nullable: true, Type: vector.ListOf(field("e", vector.Of(vector.TinyInt)))},
	{Name: "map", Nullable: true, Type: vector.Type{Kind: vector.Map, Fields: []vector.Field{
		{Name: "key", Type: vector.Of(vector.Varchar)}, field("value", vector.Of(vector.Boolean)),
	}}},
	{Name: "struct", Nullable: true, Type: vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		field("f", vector.Of(vector.Float)), field("xs", vector.ListOf(field("e", vector.Of(vector.Interval)))),
	}}},
}...)

// randomRows makes rows of schema whose values repeat.
func randomRows(r *rand.Rand, n int) []exectest.Row {
	pool := exectest.WideRows(r, n/3+1)
	rows := make([]exectest.Row, n)
	for i := range rows {
		for c, col := range schema {
			if c < len(exectest.Wide) {
				rows[i] = append(rows[i], pool[r.IntN(len(pool))][c])
			} else {
				rows[i] = append(rows[i], exectest.RandomValue(r, col.Type, 3))
			}
			if col.Nullable && r.IntN(4) == 0 {
				rows[i][c] = vector.NullOf(col.Type)
			}
		}
	}
	return rows
}

// TestMultimap compares the rows of each key with those that a Go map has, for
// random key columns and ways to compare NULL, probed by several goroutines.
func TestMultimap(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	for round := range 3 * len(schema) {
		cols := []int{round % len(schema)}
		for round >= len(schema) && len(cols) < 4 && r.IntN(3) > 0 {
			cols = append(cols, r.IntN(len(schema)))
		}
		keys := make([]hashtable.Key, len(cols))
		for i, c := range cols {
			keys[i] = hashtable.Key{Type: schema[c].Type, Null: hashtable.Equality(r.IntN(2))}
		}
		size := []int{0, 1, 20, 200}[r.IntN(4)]
		t.Run(fmt.Sprint(keys, size), func(t *testing.T) {
			checkMultimap(t, rand.New(rand.NewPCG(seed, uint64(round))), cols, keys, size)
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		})
	}
}

// identity is a key's text, and whether it can match at all.
func identity(row exectest.Row, cols []int, keys []hashtable.Key) (text string, matches bool) {
	for i, c := range cols {
		if row[c].Null && keys[i].Null == hashtable.Equals {
			return "", false
		}
		text += valueText(row[c]) + "|"
	}
	return text, true
}

// valueText is a value's text; of the entries of a MAP with the same key the last
// one counts.
func valueText(s vector.Scalar) string {
	if s.Null || s.Type.Kind != vector.Map {
		return exectest.Text(s)
	}
	keys, values := s.Nested.Children[0], s.Nested.Children[1]
	text := ""
	for i := range keys.Len {
		if !slices.Contains(keys.Str[i+1:keys.Len], keys.Str[i]) {
			text += exectest.Text(keys.Get(i)) + ":" + exectest.Text(values.Get(i)) + ","
		}
	}
	return text
}

// each calls f with the batches of rows in random forms.
func each(t *testing.T, r *rand.Rand, rows []exectest.Row, f func(b *vector.Batch)) {
	source := exectest.NewSource(schema, rows, 100, r)
	for {
		b, err := source.Next(context.Background())
		if err != nil {
			t.Error(err)
		}
		if b == nil || err != nil {
			return
		}
		f(b)
	}
}

func pick(b *vector.Batch, cols []int) []*vector.Vector {
	out := make([]*vector.Vector, len(cols))
	for i, c := range cols {
		out[i] = b.Cols[c]
	}
	return out
}

// number gives the build rows different integers in a column, if there is one, and most probe rows one of them:
// the other columns decide.
func number(r *rand.Rand, cols []int, build, probes []exectest.Row) {
	at := slices.IndexFunc(cols, func(c int) bool { return schema[c].Type.Kind == vector.BigInt })
	if at < 0 {
		return
	}
	c, first := cols[at], r.Int64N(100)-50
	for i, k := range r.Perm(len(build)) {
		build[i] = slices.Clone(build[i])
		if build[i][c] = vector.IntScalar(first + int64(k)); r.IntN(10) == 0 && schema[c].Nullable {
			build[i][c] = vector.NullOf(schema[c].Type)
		}
	}
	for i := range probes {
		probes[i] = slices.Clone(probes[i])
		probes[i][c] = vector.IntScalar(first + int64(i-60))
		if i >= 60 && r.IntN(2) == 0 {
			probes[i][c] = build[i-60][c]
		}
	}
}

func checkMultimap(t *testing.T, r *rand.Rand, cols []int, keys []hashtable.Key, size int) {
	build := randomRows(r, size)
	probes := append(randomRows(r, 60), build...)
	if len(cols) > 1 && r.IntN(2) == 0 {
		number(r, cols, build, probes)
	}
	truth := map[string][]uint32{}
	for i, row := range build {
		if key, ok := identity(row, cols, keys); ok {
			truth[key] = append(truth[key], uint32(i))
		}
	}
	m := hashtable.NewMultimap(keys, hashtable.NewSeed(), false)
	var types []vector.Type
	for _, k := range keys {
		types = append(types, k.Type)
	}
	kept := rowstore.New(types)
	each(t, r, build, func(b *vector.Batch) {
		if err := errors.Join(m.Add(pick(b, cols), b), kept.Append(pick(b, cols), b.Sel, b.Len)); err != nil {
			t.Error(err)
		}
	})
	if err := m.Freeze(context.Background()); err != nil {
		t.Fatal(err)
	}
	if size > 1 && m.Bytes() <= 0 {
		t.Errorf("%d bytes", m.Bytes())
	}
	maps := []*hashtable.Multimap{m}
	if hashtable.AtOnce(keys) {
		var b vector.Batch
		columns := make([][]*vector.Vector, len(keys))
		for i := range kept.Chunks() {
			kept.Chunk(i, &b)
			for c := range columns {
				columns[c] = append(columns[c], b.Cols[c])
			}
		}
		m, err := hashtable.BuildMultimap(context.Background(), keys, columns, hashtable.NewSeed(), 1+r.IntN(4))
		if err != nil {
			t.Fatal(err)
		}
		maps = append(maps, m)
	}
	var wg sync.WaitGroup
	for worker := range 3 * len(maps) {
		r, m := rand.New(rand.NewPCG(r.Uint64(), uint64(worker))), maps[worker%len(maps)]
		wg.Go(func() {
			probe, at, one := m.NewProbe(), 0, new([1]uint32)
			each(t, r, probes, func(b *vector.Batch) {
				ids := make([]uint32, b.Rows())
				if err := probe.Find(pick(b, cols), b, ids); err != nil {
					t.Error(err)
				}
				for _, id := range ids {
					key, ok := identity(probes[at], cols, keys)
					var want, got []uint32
					if want = truth[key]; !ok {
						want = nil
					}
					if id != hashtable.Missing {
						got = m.Rows(id, one)
					}
					if !slices.Equal(got, want) {
						t.Errorf("key %s has the rows %d, want %d", key, got, want)
					}
					at++
				}
			})
		})
	}
	wg.Wait()
}

// TestNestedKeys: which nested values are equal, each against all.
func TestNestedKeys(t *testing.T) {
	floats := vector.ListOf(field("e", vector.Of(vector.Double)))
	list := func(values ...vector.Scalar) vector.Scalar {
		child := exectest.Vector(vector.Of(vector.Double), values)
		return vector.Scalar{Type: floats, Nested: &vector.Vector{Type: floats, Len: 1, Offsets: []int32{0, int32(len(values))}, Children: []*vector.Vector{child}}}
	}
	zero, nan, null := 0.0, 0.0, vector.NullOf(vector.Of(vector.Double))
	nan /= zero
	entries := vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: vector.Of(vector.BigInt)}, field("value", vector.Of(vector.BigInt))}}
	pairs := func(kv ...int64) vector.Scalar {
		v := &vector.Vector{Type: entries, Len: 1, Offsets: []int32{0, int32(len(kv) / 2)}, Children: []*vector.Vector{
			vector.New(vector.Of(vector.BigInt), len(kv)/2), vector.New(vector.Of(vector.BigInt), len(kv)/2),
		}}
		for i, x := range kv {
			v.Children[i%2].I64[i/2] = x
		}
		return vector.Scalar{Type: entries, Nested: v}
	}
	f := vector.FloatScalar
	for _, c := range []struct {
		name    string
		typ     vector.Type
		classes [][]vector.Scalar // equal within a class, different between classes
	}{
		{"list", floats, [][]vector.Scalar{
			{vector.NullOf(floats)}, {list()}, {list(null)}, {list(null, null)}, {list(f(0)), list(f(-zero))},
			{list(f(nan)), list(f(-nan))}, {list(f(0), f(1))}, {list(f(1), f(0))}, {list(f(0), null)},
		}},
		{"map", entries, [][]vector.Scalar{
			{vector.NullOf(entries)}, {pairs()}, {pairs(1, 2), pairs(1, 7, 1, 2)}, {pairs(2, 1)}, {pairs(1, 2, 2, 1), pairs(1, 9, 1, 2, 2, 1)},
			{pairs(2, 1, 1, 2), pairs(1, 9, 2, 1, 1, 2)},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []vector.Scalar
			var class []int
			for i, values := range c.classes {
				for _, v := range values {
					all, class = append(all, v), append(class, i)
				}
			}
			v := exectest.Vector(c.typ, all)
			ids := make([]uint32, len(all))
			table := hashtable.New([]vector.Type{c.typ}, hashtable.NewSeed(), false)
			if err := table.FindOrInsert([]*vector.Vector{v}, &vector.Batch{Len: v.Len}, ids); err != nil {
				t.Fatal(err)
			}
			for i := range all {
				for j := range all {
					if (ids[i] == ids[j]) != (class[i] == class[j]) {
						t.Errorf("values %d and %d have the ids %d and %d, their classes are %d and %d", i, j, ids[i], ids[j], class[i], class[j])
					}
				}
			}
		})
	}
}
