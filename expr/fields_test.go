package expr_test

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// TestFields takes fields of structs in random vectors, and compares each row with what is
// found by going down to it alone.
func TestFields(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		n := 1 + r.IntN(200)
		texts, inner := randomTexts(r, n), structOf(randomNulls(r, bigints(r, n)), randomTexts(r, n))
		st := structOf(randomNulls(r, bigints(r, n)), texts, randomNulls(r, inner))
		randomNulls(r, st)
		b := &vector.Batch{Len: n, Cols: []*vector.Vector{st}}
		if r.IntN(2) == 0 {
			for i := range n {
				if r.IntN(3) > 0 {
					b.Sel = append(b.Sel, int32(i))
				}
			}
		}
		column := map[string]expr.Expr{"st": expr.NewColumn(0, "st", st.Type)}
		for sql, path := range map[string][]int{
			"element_at(st, 'a')": {0}, "element_at(st, 'b')": {1}, "element_at(st, 'c')": {2},
			"st->'$.c.a'": {2, 0}, "element_at(element_at(st, 'c'), 'b')": {2, 1},
		} {
			e, err := readSQL(sql, column, nil)
			if err != nil {
				t.Fatal(sql, err)
			}
			got, err := expr.NewEvaluator(e).Eval(b)
			if err != nil {
				t.Fatal(sql, err)
			}
			for k := range b.Rows() {
				row, v := b.Row(k), st
				for _, field := range path {
					if v.IsNull(row) {
						break
					}
					v = v.Children[field]
				}
				if want, have := valueText(v.Get(row)), valueText(got.Get(row)); v.IsNull(row) != got.IsNull(row) || !v.IsNull(row) && want != have {
					t.Fatalf("%s, row %d: %s, want %s", sql, row, have, want)
				}
			}
		}
	}
}

// structOf has the fields a, b, c, …
func structOf(children ...*vector.Vector) *vector.Vector {
	v := &vector.Vector{Type: vector.Type{Kind: vector.Struct}, Len: children[0].Len, Children: children}
	for i, c := range children {
		v.Type.Fields = append(v.Type.Fields, vector.Field{Name: string(rune('a' + i)), Type: c.Type, Nullable: true})
	}
	return v
}

func bigints(r *rand.Rand, n int) *vector.Vector {
	v := vector.New(vector.Of(vector.BigInt), n)
	for i := range v.I64 {
		v.I64[i] = r.Int64N(100)
	}
	return v
}

// randomTexts are a column that is flat, has a dictionary or is constant.
func randomTexts(r *rand.Rand, n int) *vector.Vector {
	if r.IntN(4) == 0 {
		return vector.NewConstant(vector.StringScalar("all"), n)
	}
	words := varcharVector("", "a", "bc", "def")
	v := &vector.Vector{Type: words.Type, Form: vector.Dictionary, Len: n, Dict: words, Codes: make([]int32, n)}
	for i := range v.Codes {
		v.Codes[i] = r.Int32N(4)
	}
	if r.IntN(2) == 0 {
		flat := vector.New(words.Type, n)
		for i := range flat.Str {
			flat.Str[i] = words.Str[v.Codes[i]]
		}
		v = flat
	}
	return randomNulls(r, v)
}

// randomNulls makes rows of v NULL, in a half of the calls.
func randomNulls(r *rand.Rand, v *vector.Vector) *vector.Vector {
	if r.IntN(2) == 0 {
		return v
	}
	v.Valid = vector.NewValidity(v.Len)
	for i := range v.Len {
		if r.IntN(4) == 0 {
			v.Valid.Clear(i)
		}
	}
	return v
}
