package hashtable

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// column kinds that the test draws from: a type and its values.
var kinds = map[string]struct {
	typ vector.Type
	set func(r *rand.Rand, v *vector.Vector, i int)
}{
	"bool": {vector.Of(vector.Boolean), func(r *rand.Rand, v *vector.Vector, i int) { v.Bool[i] = r.IntN(2) == 0 }},
	"tiny": {vector.Of(vector.TinyInt), func(r *rand.Rand, v *vector.Vector, i int) { v.I64[i] = r.Int64N(7) - 3 }},
	"growing": {vector.Of(vector.BigInt), func(r *rand.Rand, v *vector.Vector, i int) {
		v.I64[i] = r.Int64N(8) << r.IntN(20)
	}},
	"wide": {vector.Of(vector.BigInt), func(r *rand.Rand, v *vector.Vector, i int) {
		v.I64[i] = []int64{math.MinInt64, math.MaxInt64, 0, r.Int64N(1000)}[r.IntN(4)]
	}},
	"unsigned": {vector.Of(vector.UBigInt), func(r *rand.Rand, v *vector.Vector, i int) { v.U64[i] = uint64(r.IntN(5)) - 2 }},
	"double": {vector.Of(vector.Double), func(r *rand.Rand, v *vector.Vector, i int) {
		v.F64[i] = []float64{0, math.Copysign(0, -1), math.NaN(), -math.NaN(), math.Inf(1), 1.5}[r.IntN(6)]
	}},
	"float": {vector.Of(vector.Float), func(r *rand.Rand, v *vector.Vector, i int) {
		v.F32[i] = []float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), 2}[r.IntN(4)]
	}},
	"string": {vector.Of(vector.Varchar), func(r *rand.Rand, v *vector.Vector, i int) { v.Str[i] = fmt.Sprint("s", r.IntN(40))[r.IntN(2):] }},
	"decimal": {vector.DecimalType(30, 2), func(r *rand.Rand, v *vector.Vector, i int) {
		v.I128[i] = vector.MulInt64(r.Int64N(3)-1, math.MaxInt64)
		if r.IntN(300) == 0 { // of 128 bits, after others that have 64
			v.I128[i] = v.I128[i].Mul64(2 + r.Int64N(3))
		}
	}},
	"interval": {vector.Of(vector.Interval), func(r *rand.Rand, v *vector.Vector, i int) {
		m := r.Int64N(3)
		if r.IntN(300) == 0 {
			m += 5_000_000
		}
		v.Interval[i] = vector.IntervalValue{Months: m, Days: 30 * (2 - m%5)}
	}},
}

// text is a value's identity, found without the package: equal for equal keys.
func text(s vector.Scalar) string {
	switch {
	case s.Null:
		return "NULL"
	case s.Type.Kind == vector.Interval:
		return s.Interval.Normal().String()
	case s.F64 != s.F64 || s.F32 != s.F32:
		return "NaN"
	}
	return fmt.Sprint(s.Bool, s.I64, s.U64, s.I128, s.F32+0, s.F64+0, s.Str)
}

func randomVector(r *rand.Rand, kind string, n int, dicts map[string]*vector.Vector) *vector.Vector {
	k := kinds[kind]
	flat := vector.New(k.typ, n)
	for i := range n {
		k.set(r, flat, i)
	}
	v := flat
	switch r.IntN(4) {
	case 0:
		v = vector.NewConstant(flat.Get(0), n)
		if r.IntN(3) == 0 {
			v = vector.NewConstant(vector.NullOf(k.typ), n)
		}
		return v
	case 1:
		if dicts[kind] == nil || r.IntN(4) == 0 {
			dicts[kind] = flat
		}
		v = &vector.Vector{Type: k.typ, Form: vector.Dictionary, Len: n, Dict: dicts[kind], Codes: make([]int32, n)}
		for i := range v.Codes {
			v.Codes[i] = r.Int32N(int32(v.Dict.Len))
		}
	}
	if share := r.IntN(3); share > 0 {
		v.Valid = vector.NewValidity(n)
		for i := range n {
			if r.IntN(5) < share || share == 2 && r.IntN(3) > 0 {
				v.Valid.Clear(i)
			}
		}
	}
	return v
}

func TestTables(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	hashSeed := NewSeed()
	for round := range 150 {
		cols := make([]string, 1+r.IntN(4))
		if round < len(names) {
			cols = cols[:1]
		}
		types := make([]vector.Type, len(cols))
		for i := range cols {
			cols[i] = names[(round+i*r.IntN(len(names)))%len(names)]
			types[i] = kinds[cols[i]].typ
		}
		t.Run(fmt.Sprint(cols), func(t *testing.T) {
			checkTable(t, r, randomColumns(r, cols), types, New(types, hashSeed, false), New(types, hashSeed, true), hashSeed)
			checkTable(t, r, randomColumns(r, cols), types, NewColumns(types, hashSeed, true), NewColumns(types, hashSeed, false), hashSeed)
		})
	}
}

// randomColumns makes vectors of these kinds, each for itself.
func randomColumns(r *rand.Rand, cols []string) func(n int) []*vector.Vector {
	dicts := map[string]*vector.Vector{}
	return func(n int) (made []*vector.Vector) {
		for _, c := range cols {
			made = append(made, randomVector(r, c, n, dicts))
		}
		return made
	}
}

func checkTable(t *testing.T, r *rand.Rand, columns func(n int) []*vector.Vector, types []vector.Type, table, again Table, seed Seed) {
	hasher := NewHasher(len(types), seed)
	truth, truthAgain := naming{}, naming{}
	for range 12 {
		b := &vector.Batch{Len: 1 + r.IntN(200)}
		b.Cols = columns(b.Len)
		if r.IntN(2) == 0 {
			b.Sel = []int32{}
			for i := range b.Len {
				if r.IntN(3) > 0 {
					b.Sel = append(b.Sel, int32(i))
				}
			}
		}
		ids, before := make([]uint32, b.Rows()), make([]uint32, b.Rows())
		if err := table.NewFinder().Find(b.Cols, b, before); err != nil {
			t.Fatal(err)
		}
		known := maps.Clone(truth)
		if err := table.FindOrInsert(b.Cols, b, ids); err != nil {
			t.Fatal(err)
		}
		after := make([]uint32, b.Rows())
		if err := table.NewFinder().Find(b.Cols, b, after); err != nil {
			t.Fatal(err)
		}
		out := make([]*vector.Vector, len(types))
		for c := range out {
			out[c] = &vector.Vector{}
		}
		for range 1 + r.IntN(2) { // the second time texts may come as a dictionary
			if err := table.Keys(ids, out); err != nil {
				t.Fatal(err)
			}
		}
		second := make([]uint32, len(ids))
		if err := again.FindOrInsert(out, &vector.Batch{Len: len(ids), Cols: out}, second); err != nil {
			t.Fatal(err)
		}
		h1, h2, h3 := make([]uint64, len(ids)), make([]uint64, len(ids)), make([]uint64, len(ids))
		hasher.Hash(b.Cols, b, h3)
		table.Hashes(ids, h1)
		again.Hashes(second, h2)
		for i, id := range ids {
			key, back := "", ""
			for c, v := range b.Cols {
				key += nestedText(v.Get(b.Row(i))) + "|"
				back += nestedText(out[c].Get(i)) + "|"
			}
			if !truth.agrees(key, id) || !truthAgain.agrees(key, second[i]) {
				t.Fatalf("%s has ids %d and %d, which other keys have or it had others", key, id, second[i])
			}
			if want, ok := known[key]; ok && before[i] != want || !ok && before[i] != Missing || after[i] != ids[i] {
				t.Fatalf("%s, id %d, was found as %d before and %d after the insertion", key, ids[i], before[i], after[i])
			}
			if key != back || h1[i] != h2[i] || h1[i] != h3[i] {
				t.Fatalf("%s came back as %s, hashes %x %x %x", key, back, h1[i], h2[i], h3[i])
			}
		}
	}
	if table.Len() != len(truth) || again.Len() != len(truth) {
		t.Fatalf("%d and %d ids, want %d", table.Len(), again.Len(), len(truth))
	}
}

// naming checks that keys and ids are one to one. The order in which NULL and the values
// of a batch get their ids is undefined.
type naming map[string]uint32

func (m naming) agrees(key string, id uint32) bool {
	old, ok := m[key]
	if !ok {
		for _, other := range m {
			if other == id {
				return false
			}
		}
		m[key] = id
		return true
	}
	return old == id
}

// TestRepeatedTexts: the texts of keys that have each of them several times come as one dictionary until texts are added.
func TestRepeatedTexts(t *testing.T) {
	types := []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.BigInt)}
	table := New(types, NewSeed(), false)
	fill := func(from int) []uint32 {
		b := &vector.Batch{Len: 40, Cols: []*vector.Vector{vector.New(types[0], 40), vector.New(types[1], 40)}}
		for i := range b.Len {
			b.Cols[0].Str[i], b.Cols[1].I64[i] = fmt.Sprint("t", from+i%4), int64(from+i)
			if i%8 == 3 {
				b.Cols[0].SetNull(i)
			}
		}
		ids := make([]uint32, b.Len)
		if err := table.FindOrInsert(b.Cols, b, ids); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	read := func(ids []uint32, from int, form vector.Form) *vector.Vector {
		t.Helper()
		out := []*vector.Vector{{}, {}}
		if err := table.Keys(ids, out); err != nil {
			t.Fatal(err)
		}
		for i := range ids {
			want := vector.Scalar{Type: types[0], Str: fmt.Sprint("t", from+i%4)}
			if i%8 == 3 {
				want = vector.NullOf(types[0])
			}
			if got := out[0].Get(i); text(got) != text(want) || out[1].I64[i] != int64(from+i) {
				t.Errorf("key %d is %s, want %s", i, text(got), text(want))
			}
		}
		if out[0].Form != form {
			t.Errorf("texts have the form %d, want %d", out[0].Form, form)
		}
		return out[0].Dict
	}
	first := fill(0)
	read(first, 0, vector.Flat)
	dict := read(first, 0, vector.Dictionary)
	if again := read(first[5:5], 0, vector.Dictionary); again != dict {
		t.Error("the dictionary has changed, the texts have not")
	}
	second := fill(100)
	read(second, 100, vector.Flat)
	if read(second, 100, vector.Dictionary) == dict {
		t.Error("the dictionary is that of fewer texts")
	}
	read(first, 0, vector.Dictionary)
}

// TestClustered: keys of sorted rows are clustered, with NULL among them and in both forms of the
// table; in any order they are not.
func TestClustered(t *testing.T) {
	for _, c := range []struct {
		name string
		key  func(i int) int64
		want bool
	}{
		{"ascending", func(i int) int64 { return int64(i / 3 * 7) }, true},
		{"descending", func(i int) int64 { return int64(-i) }, true},
		{"stretches", func(i int) int64 { return int64(i) + int64(i)>>7<<40 }, true},
		{"far from each other", func(i int) int64 { return int64(i) * 1000 }, false},
		{"in any order", func(i int) int64 { return int64(i) * 7919 % 10_007 }, false},
	} {
		v := vector.New(vector.Of(vector.BigInt), 6000)
		for i := range v.I64 {
			v.I64[i] = c.key(i)
		}
		v.SetNull(5990)
		table := New([]vector.Type{v.Type}, NewSeed(), false).(*column)
		if table.Clustered() {
			t.Errorf("%s: no keys are clustered", c.name)
		}
		if err := table.FindOrInsert([]*vector.Vector{v}, &vector.Batch{Len: v.Len}, make([]uint32, v.Len)); err != nil {
			t.Fatal(err)
		}
		if table.Clustered() != c.want {
			t.Errorf("%s: clustered is %v", c.name, !c.want)
		}
	}
}
