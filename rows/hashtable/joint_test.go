package hashtable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// side makes columns as a join does of rows of one of its sides: dictionary vectors with
// common codes, and with NULLs of the rows over there or of rows without a match.
type side struct {
	r     *rand.Rand
	cols  []string
	dicts []*vector.Vector
	nulls []vector.Validity // by column: of the entries
}

func (s *side) begin() {
	s.dicts, s.nulls = nil, nil
	n := 1 + s.r.IntN(60)
	for _, c := range s.cols {
		dict, nulls := vector.New(kinds[c].typ, n), vector.NewValidity(n)
		for i := range n {
			if kinds[c].set(s.r, dict, i); s.r.IntN(8) == 0 {
				nulls.Clear(i)
			}
		}
		s.dicts, s.nulls = append(s.dicts, dict), append(s.nulls, nulls)
	}
}

func (s *side) columns(n int) (made []*vector.Vector) {
	if len(s.cols) == 0 {
		return nil
	}
	if s.dicts == nil || s.r.IntN(5) == 0 {
		s.begin()
	}
	codes, alone, outer, inner := make([]int32, n), make([]bool, n), s.r.IntN(2) == 0, s.r.IntN(2) == 0
	for i := range codes {
		codes[i], alone[i] = s.r.Int32N(int32(s.dicts[0].Len)), outer && s.r.IntN(6) == 0
	}
	for c, dict := range s.dicts {
		v := &vector.Vector{Type: dict.Type, Form: vector.Dictionary, Len: n, Codes: codes, Dict: dict}
		if outer || inner {
			v.Valid = vector.NewValidity(n)
		}
		for i, code := range codes {
			if alone[i] || inner && !s.nulls[c].Get(int(code)) {
				v.Valid.Clear(i)
			}
		}
		made = append(made, v)
	}
	return made
}

// TestJoint has rows of two sides of joins and columns besides. Later rows may come from
// elsewhere.
func TestJoint(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	names := []string{"string", "tiny", "decimal", "interval", "double", "growing"}
	hashSeed := NewSeed()
	for range 100 {
		a, b := &side{r: r}, &side{r: r}
		var alone, all []string
		for _, c := range names[:2+r.IntN(len(names)-1)] {
			to := []*[]string{&a.cols, &a.cols, &b.cols, &alone}[r.IntN(4)]
			*to = append(*to, c)
		}
		all = append(append(append(all, a.cols...), b.cols...), alone...)
		var types []vector.Type
		for _, c := range all {
			types = append(types, kinds[c].typ)
		}
		order := r.Perm(len(all))
		var mixed []vector.Type
		for _, c := range order {
			mixed = append(mixed, types[c])
		}
		single, elsewhere := randomColumns(r, alone), randomColumns(r, all)
		columns := func(n int) []*vector.Vector {
			made := append(append(a.columns(n), b.columns(n)...), single(n)...)
			if r.IntN(4) == 0 {
				made = elsewhere(n)
			}
			var out []*vector.Vector
			for _, c := range order {
				out = append(out, made[c])
			}
			return out
		}
		t.Run(fmt.Sprint(a.cols, b.cols, alone), func(t *testing.T) {
			checkTable(t, r, columns, mixed, New(mixed, hashSeed, false), New(mixed, hashSeed, true), hashSeed)
		})
	}
}

// TestTuple looks values up once per row of the other side: also where rows of it have no match,
// which have the code of another row.
func TestTuple(t *testing.T) {
	name, city := vector.New(vector.Of(vector.Varchar), 3), vector.New(vector.Of(vector.Varchar), 3)
	copy(name.Str, []string{"a", "b", "a"})
	copy(city.Str, []string{"x", "x", "x"})
	codes := []int32{0, 1, 2, 0, 1, 0}
	v := func(dict *vector.Vector) *vector.Vector {
		v := &vector.Vector{Type: dict.Type, Form: vector.Dictionary, Len: len(codes), Codes: codes, Dict: dict}
		v.SetNull(3)
		return v
	}
	table := New([]vector.Type{name.Type, city.Type}, NewSeed(), false).(*joint)
	cols, ids := []*vector.Vector{v(name), v(city)}, make([]uint32, len(codes))
	if err := table.FindOrInsert(cols, &vector.Batch{Len: len(codes), Cols: cols}, ids); err != nil {
		t.Fatal(err)
	}
	if table.outer != nil || len(table.tuples) != 1 || table.Len() != 3 {
		t.Fatalf("%d tuples and %d ids, want 1 and 3", len(table.tuples), table.Len())
	}
	for i, same := range []int{0, 1, 0, 3, 1, 0} {
		if ids[i] != ids[same] {
			t.Errorf("row %d has id %d, and row %d, which equals it, %d", i, ids[i], same, ids[same])
		}
	}
}
