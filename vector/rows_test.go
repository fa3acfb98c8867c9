package vector

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func sameRows(t *testing.T, what string, v *Vector, want model) {
	t.Helper()
	if v.Len != len(want) {
		t.Fatalf("%s of %v: %d rows, want %d", what, v.Type, v.Len, len(want))
	}
	for i, w := range want {
		if got := read(v, i); !reflect.DeepEqual(got, w) {
			t.Fatalf("%s of %v: row %d is %v, want %v", what, v.Type, i, got, w)
		}
	}
}

// eachType runs a check many times for each type.
func eachType(t *testing.T, check func(r *rand.Rand, typ Type, n int)) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, typ := range modelTypes() {
		for range 25 {
			check(r, typ, r.IntN(70))
		}
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestGather(t *testing.T) {
	var out Vector // memory is used again
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		v, m := randomForm(r, typ, n)
		rows := randomRows(r, n)
		noError(t, out.Gather(v, rows))
		sameRows(t, "gather", &out, m.at(rows))
		flat, err := v.Flatten(nil)
		noError(t, err)
		if flat.Form != Flat {
			t.Fatalf("%v: not flat", typ)
		}
		sameRows(t, "flatten", flat, m)
	})
}

func TestAppend(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		out, want := Vector{Type: typ}, model{}
		owned := 0
		for range r.IntN(5) {
			v, m := randomForm(r, typ, n)
			rows := randomRows(r, n)
			switch r.IntN(4) {
			case 0:
				out.AppendNulls(n)
				want = append(want, make(model, n)...)
			case 1:
				noError(t, out.Append(NewConstant(NullOf(Of(Null)), n), nil))
				want = append(want, make(model, n)...)
			case 2:
				noError(t, out.AppendOwned(v, rows, func(list []string) {
					for i, s := range list {
						if s == "under a NULL" {
							t.Fatalf("%v: the text under a NULL is to be copied", typ)
						}
						list[i] = string([]byte(s))
					}
					owned += len(list)
				}))
				want = append(want, m.at(rows)...)
			default:
				noError(t, out.Append(v, rows))
				want = append(want, m.at(rows)...)
			}
		}
		sameRows(t, "append", &out, want)
		if typ.Storage() != StoreString && typ.Storage() != StoreNested && owned > 0 {
			t.Fatalf("%v has no strings", typ)
		}
		out.Reset(typ, 0)
		noError(t, out.Append(NewConstant(NullOf(typ), 3), nil))
		sameRows(t, "append after Reset", &out, make(model, 3))
	})
}

func TestSlice(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		v, m := randomForm(r, typ, n)
		from := r.IntN(n + 1)
		to := from + r.IntN(n-from+1)
		var out, dense Vector
		out.Slice(v, from, to-from)
		sameRows(t, "slice", &out, m[from:to])
		noError(t, dense.Gather(&out, nil))
		sameRows(t, "gather of a slice", &dense, m[from:to])
	})
}

func TestWithout(t *testing.T) {
	var out Vector // memory is used again
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		n *= 1 + r.IntN(4)
		v, m := randomForm(r, typ, n)
		part, rows, want := r.Float64(), []int32{}, model{}
		for i := range n {
			if r.Float64() < part {
				rows = append(rows, int32(i))
			} else {
				want = append(want, m[i])
			}
		}
		got, err := out.Without(v, rows)
		noError(t, err)
		if got.Form != v.Form && typ.Storage() != StoreNested {
			t.Fatalf("%v: form %d became %d", typ, v.Form, got.Form)
		}
		if typ.Storage() == StoreString && got.Owner() != v.Owner() && got.Len > 0 {
			t.Fatalf("%v: owner %d became %d", typ, v.Owner(), got.Owner())
		}
		sameRows(t, "without", got, want)
		sameRows(t, "the source of without", v, m)
	})
}

func TestCopyValues(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		to := randomModel(r, typ, n)
		out := column(typ, to)
		want := append(model{}, to...)
		for range 3 {
			v, m := randomForm(r, typ, n)
			var rows []int32
			switch r.IntN(3) {
			case 0:
				v = NewConstant(NullOf(Of(Null)), n)
				noError(t, out.CopyValues(v, nil))
				continue
			case 1:
				for i := range n {
					if r.IntN(2) == 0 {
						rows = append(rows, int32(i))
					}
				}
				if rows == nil {
					continue
				}
			}
			noError(t, out.CopyValues(v, rows))
			for i := range n {
				if rows == nil {
					want[i] = m[i]
				}
			}
			for _, i := range rows {
				want[i] = m[i]
			}
			out.Valid = nil
			for i, w := range want {
				if w == nil && typ.Kind != Null {
					out.SetNull(i)
				}
			}
		}
		sameRows(t, "copy", out, want)
	})
}

func TestPick(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		sources := []*Vector{NewConstant(NullOf(Of(Null)), n)}
		models := []model{make(model, n)}
		for range 3 {
			v, m := randomForm(r, typ, n)
			sources, models = append(sources, v), append(models, m)
		}
		picks, want := []Pick{}, model{}
		for n > 0 && r.IntN(50) > 0 {
			p := Pick{Source: int32(r.IntN(len(sources))), Row: int32(r.IntN(n))}
			picks, want = append(picks, p), append(want, models[p.Source][p.Row])
		}
		var out Vector
		noError(t, out.Pick(typ, sources, picks))
		sameRows(t, "pick", &out, want)
	})
}

// TestScalars: NewConstant and FromScalars show what Get reads.
func TestScalars(t *testing.T) {
	eachType(t, func(r *rand.Rand, typ Type, n int) {
		v, m := randomForm(r, typ, n+1)
		i := r.IntN(n + 1)
		want := make(model, 4)
		for k := range want {
			want[k] = m[i]
		}
		sameRows(t, "constant", NewConstant(v.Get(i), 4), want)
		values := make([]Scalar, n)
		for k := range values {
			values[k] = v.Get(k)
		}
		var out Vector
		noError(t, out.FromScalars(typ, values))
		sameRows(t, "scalars", &out, m[:n])
	})
}
