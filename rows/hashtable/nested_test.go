package hashtable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

func fieldsOf(types ...vector.Type) []vector.Field {
	var fields []vector.Field
	for i, t := range types {
		fields = append(fields, vector.Field{Name: fmt.Sprint("f", i), Type: t, Nullable: true})
	}
	return fields
}

// nestedKinds are the types of the test, each with the kinds of its children.
var nestedKinds = []struct {
	kind     vector.Kind
	children []string
}{
	{vector.List, []string{"tiny"}},
	{vector.List, []string{"string"}},
	{vector.List, []string{"interval"}},
	{vector.Map, []string{"tiny", "string"}},
	{vector.Map, []string{"string", "tiny"}},
	{vector.Struct, []string{"tiny"}},
	{vector.Struct, []string{"string", "interval", "wide"}},
	{vector.List, []string{"nested 0"}},
	{vector.List, []string{"nested 3"}},
	{vector.List, []string{"nested 6"}},
	{vector.Struct, []string{"nested 5", "tiny", "nested 1"}},
	{vector.Struct, []string{"nested 10", "nested 5", "bool"}},
	{vector.Struct, []string{"nested 4", "nested 11"}},
}

func kindType(kind string) vector.Type {
	at := 0
	if n, _ := fmt.Sscanf(kind, "nested %d", &at); n == 0 {
		return kinds[kind].typ
	}
	k := nestedKinds[at]
	var types []vector.Type
	for _, c := range k.children {
		types = append(types, kindType(c))
	}
	return vector.Type{Kind: k.kind, Fields: fieldsOf(types...)}
}

// nestedVector is n values, with children in any form.
func nestedVector(r *rand.Rand, kind string, n int) *vector.Vector {
	at := 0
	if is, _ := fmt.Sscanf(kind, "nested %d", &at); is == 0 {
		return randomVector(r, kind, n, map[string]*vector.Vector{})
	}
	k, v := nestedKinds[at], &vector.Vector{Type: kindType(kind), Len: n}
	rows := n
	if k.kind != vector.Struct {
		rows = 0
		for range n {
			v.Offsets, rows = append(v.Offsets, int32(rows)), rows+r.IntN(3)*r.IntN(2)
			if r.IntN(20) == 0 && k.kind == vector.Map {
				rows += fewEntries
			}
		}
		v.Offsets = append(v.Offsets, int32(rows))
	}
	for i, c := range k.children {
		child := nestedVector(r, c, max(rows, 1))
		if k.kind == vector.Map && i == 0 { // keys are not NULL
			for child.Valid != nil {
				child = nestedVector(r, c, max(rows, 1))
			}
		}
		child.Len = rows
		if child.Form == vector.Flat && child.Type.Storage() != vector.StoreNested {
			child.Len = max(rows, 1)
			child.Slice(child, 0, rows)
		}
		v.Children = append(v.Children, child)
	}
	if r.IntN(2) == 0 {
		v.Valid = vector.NewValidity(n)
		for i := range n {
			if r.IntN(4) == 0 {
				v.Valid.Clear(i)
			}
		}
	}
	switch {
	case n > 0 && r.IntN(6) == 0:
		return vector.NewConstant(v.Get(0), n)
	case n > 0 && v.Valid == nil && r.IntN(3) == 0:
		d := &vector.Vector{Type: v.Type, Form: vector.Dictionary, Len: n, Dict: v, Codes: make([]int32, n)}
		for i := range d.Codes {
			d.Codes[i] = r.Int32N(int32(n))
		}
		return d
	}
	return v
}

// nestedText is a value's identity: of the entries of a MAP with one key the last counts.
func nestedText(s vector.Scalar) string {
	if s.Null || s.Type.Storage() != vector.StoreNested {
		return text(s)
	}
	rows := s.Nested.Children[0].Len
	var parts []string
	for i := range rows {
		if s.Type.Kind == vector.Map {
			key := nestedText(s.Nested.Children[0].Get(i))
			again := false
			for o := i + 1; o < rows; o++ {
				again = again || nestedText(s.Nested.Children[0].Get(o)) == key
			}
			if again {
				continue
			}
		}
		for _, c := range s.Nested.Children {
			parts = append(parts, nestedText(c.Get(i)))
		}
	}
	return s.Type.Kind.String() + "(" + strings.Join(parts, ",") + ")"
}

// TestNestedTables: tables of nested keys, alone and beside others, in every form.
func TestNestedTables(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	hashSeed := NewSeed()
	for round := range 2 * len(nestedKinds) {
		cols := []string{fmt.Sprint("nested ", round%len(nestedKinds))}
		switch r.IntN(4) {
		case 0:
			cols = append(cols, "string", "tiny")
		case 1:
			cols = slices.Insert(cols, 0, fmt.Sprint("nested ", r.IntN(len(nestedKinds))))
		}
		var types []vector.Type
		for _, c := range cols {
			types = append(types, kindType(c))
		}
		columns := func(n int) (made []*vector.Vector) {
			for _, c := range cols {
				made = append(made, nestedVector(r, c, n))
			}
			return made
		}
		t.Run(fmt.Sprint(types), func(t *testing.T) {
			checkTable(t, r, columns, types, New(types, hashSeed, false), New(types, hashSeed, true), hashSeed)
			checkTable(t, r, columns, types, NewColumns(types, hashSeed, true), NewColumns(types, hashSeed, false), hashSeed)
		})
	}
}
