package variants

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql/scan"
)

// entry is an element of an array, or a field of an object.
type entry struct {
	key   sql.NullString
	pos   int
	value any
}

// entriesOf is what UNNEST makes rows of.
func entriesOf(v any) []entry {
	var out []entry
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, entry{sql.NullString{String: name, Valid: true}, len(out), v[name]})
		}
	case []any:
		for i, e := range v {
			out = append(out, entry{pos: i, value: e})
		}
	}
	return out
}

// below is how the value that a path leads to is shredded, or one of its entries if each;
// nil if it is not.
func (s *shredding) below(r *rand.Rand, path []step, each bool) *shredding {
	for _, p := range path {
		switch {
		case s == nil:
			return nil
		case p.name == "":
			s = s.element
		default:
			s = s.fields[p.name]
		}
	}
	switch {
	case s == nil || !each:
		return s
	case s.kind == objects:
		names := slices.Sorted(maps.Keys(s.fields))
		return s.fields[names[r.IntN(len(names))]]
	}
	return s.element
}

// unnest compares UNNEST of what a random path leads to, and of what a path leads to in the
// entries, with what was written.
func unnest(t *testing.T, seed uint64, r *rand.Rand, db *sql.DB, s *shredding, rows []any) {
	t.Helper()
	var outer, inner []step
	for range 20 { // until it leads to entries
		if outer = randomPath(r, s); r.IntN(3) == 0 {
			outer = nil
		}
		if b := s.below(r, outer, false); b != nil && b.kind >= objects {
			break
		}
	}
	element := s.below(r, outer, true)
	inner = randomPath(r, element)
	leaf := randomPath(r, element.below(r, inner, true))
	at := func(v any, path []step) any {
		if v, ok := at(v, path); ok {
			return v
		}
		return missing{}
	}
	from := fmt.Sprintf("t, UNNEST(v->'%s') u(x)", text(outer))
	left := fmt.Sprintf("t LEFT JOIN UNNEST(v->'%s') u(x) ON TRUE", text(outer))
	nested := fmt.Sprintf("%s, UNNEST(x->'%s') w(y)", from, text(inner))
	var all, each, lefts, wholes, deep [][]any
	count := 0
	for _, row := range rows {
		entries := entriesOf(at(row, outer))
		if len(entries) == 0 {
			lefts = append(lefts, []any{missing{}, missing{}, missing{}})
		}
		for _, e := range entries {
			count++
			key, pos := any(missing{}), any(int64(e.pos))
			if e.key.Valid {
				key = e.key.String
			}
			all = append(all, []any{key, pos, e.value, at(e.value, inner)})
			each = append(each, []any{at(e.value, inner), at(e.value, leaf)})
			lefts = append(lefts, []any{pos, key, at(e.value, inner)})
			wholes = append(wholes, []any{e.value})
			for _, y := range entriesOf(at(e.value, inner)) {
				deep = append(deep, []any{pos, int64(y.pos), at(y.value, leaf)})
			}
		}
	}
	i, l := "x->'"+text(inner)+"'", "x->'"+text(leaf)+"'"
	sameEntries(t, seed, db, all, "TO_JSON(u.key), u.pos, x, "+i, from, "_file, id, u.pos")
	sameEntries(t, seed, db, each, i+", "+l, from, "_file, id, u.pos")
	sameEntries(t, seed, db, lefts, "u.pos, TO_JSON(u.key), "+i, left, "_file, id, u.pos")
	sameEntries(t, seed, db, wholes, "x", from, "_file, id, u.pos")
	sameEntries(t, seed, db, [][]any{{int64(count)}}, "COUNT(*)", from, "1")
	sameEntries(t, seed, db, [][]any{{int64(len(deep))}}, "COUNT(*)", nested, "1")
	sameEntries(t, seed, db, deep, "u.pos, w.pos, y->'"+text(leaf)+"'", nested, "_file, id, u.pos, w.pos")
}

// sameEntries compares the rows of a query, JSON texts and numbers, with what they are to be.
func sameEntries(t *testing.T, seed uint64, db *sql.DB, want [][]any, columns, from, order string) {
	t.Helper()
	query := "SELECT " + columns + " FROM " + from + " ORDER BY " + order
	found, err := db.Query(query)
	if err != nil {
		t.Fatalf("seed %d: %s: %v", seed, query, err)
	}
	defer found.Close()
	i := 0
	for ; found.Next(); i++ {
		names, _ := found.Columns()
		got, to := make([]sql.NullString, len(names)), make([]any, len(names))
		for k := range got {
			to[k] = &got[k]
		}
		if err := found.Scan(to...); err != nil {
			t.Fatal(err)
		}
		if i >= len(want) {
			continue
		}
		for k, w := range want[i] {
			_, none := w.(missing)
			if none == got[k].Valid || !none && !reflect.DeepEqual(parse(t, got[k].String), parse(t, string(must(json.Marshal(w))))) {
				t.Fatalf("seed %d: %s: row %d is %v, want %v", seed, query, i, got, want[i])
			}
		}
	}
	if err := found.Err(); err != nil || i != len(want) {
		t.Fatalf("seed %d: %s: %d rows, want %d, %v", seed, query, i, len(want), err)
	}
}

// TestUnnestReads: UNNEST of a shredded array reads the columns only that the query asks of
// its elements, and of values that are not shredded only those that there are.
func TestUnnestReads(t *testing.T) {
	item := &shredding{kind: objects, fields: map[string]*shredding{
		"name": {kind: texts}, "price": {kind: integers}, "tags": {kind: arrays, element: &shredding{kind: texts}},
	}}
	s := &shredding{kind: objects, fields: map[string]*shredding{"items": {kind: arrays, element: item}, "text": {kind: texts}}}
	var rows []any
	for i := range 3000 {
		items := []any{}
		for k := range i % 4 {
			items = append(items, map[string]any{"name": fmt.Sprint("n", k), "price": int64(i), "tags": []any{"a", fmt.Sprint("b", i)}})
		}
		rows = append(rows, map[string]any{"items": items, "text": fmt.Sprint("a text of some length, whose number is ", i)})
	}
	data := write(s, [][]any{rows})
	rows[7] = map[string]any{"items": []any{map[string]any{"name": int64(5)}}} // name.value has a value
	other := write(s, [][]any{rows})
	files := fstest.MapFS{"t.parquet": {Data: data, ModTime: time.Unix(1e9, 0)}, "o.parquet": {Data: other, ModTime: time.Unix(1e9, 0)}}
	db := open(t, files, scan.AllPruners)
	const (
		items = "v.typed_value.items.typed_value.list.element."
		name  = items + "typed_value.name.typed_value"
		price = items + "typed_value.price.typed_value"
		tags  = items + "typed_value.tags.typed_value.list.element.typed_value"
	)
	for _, c := range []struct {
		query, answer string
		leaves        []string
	}{
		{"SELECT MAX(x->>'$.name') FROM t, UNNEST(v->'$.items') u(x)", "n2", []string{name}},
		{"SELECT COUNT(*) || ' ' || MAX(u.pos) FROM t, UNNEST(v->'$.items') u(x)", "4500 2", []string{items + "value"}},
		{"SELECT COUNT(x->>'$.name') FROM t LEFT JOIN UNNEST(v->'$.items') u(x) ON x->'$.price' < 100", "150", []string{name, price}},
		{"SELECT MAX(y->>'$') FROM t, UNNEST(v->'$.items') u(x), UNNEST(x->'$.tags') w(y)", "b999", []string{tags}},
		{"SELECT MAX(x->>'$.name') FROM o, UNNEST(v->'$.items') u(x)", "n2", []string{name, items + "typed_value.name.value", "v.metadata"}},
		{"SELECT MAX(u.key || (x->>'$[2].name')) FROM t, UNNEST(v) u(x)", "itemsn2", []string{
			name, "v.typed_value.text.typed_value",
		}},
	} {
		var got, plan string
		if err := db.QueryRow(c.query).Scan(&got); err != nil || got != c.answer {
			t.Errorf("%s: %s, want %s, %v", c.query, got, c.answer, err)
		}
		if err := db.QueryRow("EXPLAIN ANALYZE FORMAT=JSON " + c.query).Scan(&plan); err != nil {
			t.Fatal(c.query, err)
		}
		var p struct{ Operators any }
		if err := json.Unmarshal([]byte(plan), &p); err != nil {
			t.Fatal(err)
		}
		leaves := leavesOf(p.Operators)
		slices.Sort(c.leaves)
		slices.Sort(leaves)
		if !slices.Equal(leaves, c.leaves) {
			t.Errorf("%s reads\n%v, want\n%v", c.query, leaves, c.leaves)
		}
	}
}

// leavesOf are the columns that the scan below a node of EXPLAIN reads.
func leavesOf(node any) (out []string) {
	n, _ := node.(map[string]any)
	leaves, _ := n["leaves"].([]any)
	for _, l := range leaves {
		out = append(out, l.(string))
	}
	children, _ := n["children"].([]any)
	for _, c := range children {
		out = append(out, leavesOf(c)...)
	}
	return out
}
