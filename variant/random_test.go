package variant_test

import (
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// checkRow compares a row of a canonical vector with a model.
func checkRow(t *testing.T, what string, v *vector.Vector, row int, want any) {
	t.Helper()
	x, ok := variant.Get(v, row)
	if want == missing {
		if ok || !v.IsNull(row) {
			t.Fatalf("%s, row %d: %s, want NULL", what, row, x.AppendJSON(nil))
		}
		return
	}
	if !ok {
		t.Fatalf("%s, row %d: NULL, want %s", what, row, modelText(t, want))
	}
	if err := x.Check(); err != nil {
		t.Fatalf("%s, row %d: %v", what, row, err)
	}
	if text := string(x.AppendJSON(nil)); text != modelText(t, want) {
		t.Fatalf("%s, row %d: %s, want %s", what, row, text, modelText(t, want))
	}
	model := encoded(t, want, nil)
	if !sameKinds(x, model) {
		t.Fatalf("%s, row %d: %s has other types in another encoding", what, row, modelText(t, want))
	}
}

// sameKinds reports whether two values with the same JSON text have the same types, where
// integers and decimals, and timestamps of both units, count as one.
func sameKinds(a, b variant.Value) bool {
	wide := map[variant.Kind]variant.Kind{
		variant.Int16: variant.Int8, variant.Int32: variant.Int8, variant.Int64: variant.Int8, variant.Decimal4: variant.Int8, variant.Decimal8: variant.Int8, variant.Decimal16: variant.Int8, variant.TimestampNanos: variant.Timestamp, variant.TimestampNTZNanos: variant.TimestampNTZ,
	}
	same := func(k, l variant.Kind) bool {
		if w, ok := wide[k]; ok {
			k = w
		}
		if w, ok := wide[l]; ok {
			l = w
		}
		return k == l
	}
	if !same(a.Kind(), b.Kind()) || a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		_, x, _ := a.Entry(i)
		if _, y, _ := b.Entry(i); !sameKinds(x, y) {
			return false
		}
	}
	return true
}

// TestRandomShredding shreds random values under random layouts, and compares what
// is read back, whole and by paths, with the values.
func TestRandomShredding(t *testing.T) {
	r := seeded(t)
	for range 400 {
		models := make([]any, 1+r.IntN(7))
		for i := range models {
			if models[i] = randomModel(r, 4); r.IntN(8) == 0 {
				models[i] = missing
			}
		}
		var typed []vector.Type
		if r.IntN(8) > 0 {
			typed = []vector.Type{randomType(r, 4)}
		}
		src := shredRows(t, models, typed...)
		if r.IntN(2) == 0 {
			reform(r, src)
		}
		l, err := variant.NewLayout(src.Type)
		if err != nil {
			t.Fatal(err)
		}
		var whole vector.Vector
		if err := l.Canonical(src, &whole); err != nil {
			t.Fatalf("%v: %v", typed, err)
		}
		for i, x := range models {
			checkRow(t, "canonical", &whole, i, x)
			text, err := rowText(l, src, i)
			if want := x; err != nil || want != missing && text != modelText(t, want) {
				t.Fatalf("JSON text: %s, %v, want %s", text, err, modelText(t, x))
			}
		}
		for range 5 {
			path := randomPath(r, models[r.IntN(len(models))])
			checkPath(t, l, src, &whole, models, path)
		}
	}
}

// rowText is the JSON text of a row of a file's vector.
func rowText(l *variant.Layout, src *vector.Vector, row int) (string, error) {
	var part vector.Vector
	part.Slice(src, row, 1)
	found, err := l.Locate(&part, nil, nil, variant.Text)
	if err != nil {
		return "", err
	}
	switch {
	case found.Text != nil && !found.Text.IsNull(0):
		return found.Text.Str[0], nil
	case found.Typed != nil && !found.Typed.IsNull(0):
		text, err := variant.AppendShredded(nil, found.Typed, 0)
		return string(text), err
	}
	return "null", nil
}

// checkPath reads a path in all ways.
func checkPath(t *testing.T, l *variant.Layout, src, whole *vector.Vector, models []any, path vector.Path) {
	t.Helper()
	located, err := l.Locate(src, nil, path, variant.Values)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var merged, extracted vector.Vector
	var w variant.Writer
	if err := w.Merge(located, src.Len, &merged); err != nil {
		t.Fatal(err)
	}
	variant.Extract(whole, nil, path, &extracted)
	for i, x := range models {
		want := missing
		if x != missing {
			want = modelAt(x, path)
		}
		checkRow(t, "located "+path.String(), &merged, i, want)
		checkRow(t, "extracted "+path.String(), &extracted, i, want)
	}
	for _, wanted := range []variant.Wanted{variant.ValuesAndText, variant.Strings, variant.Text} {
		texts, err := l.Locate(src, nil, path, wanted)
		if err != nil || wanted == variant.Text && texts.Rest != nil {
			t.Fatal(err, texts.Rest)
		}
		if err := w.Merge(texts, src.Len, &merged); err != nil {
			t.Fatal(err)
		}
		for i, x := range models {
			want := any(missing)
			if x != missing {
				want = modelAt(x, path)
			}
			if texts.Text == nil || texts.Text.IsNull(i) {
				checkRow(t, "text "+path.String(), &merged, i, want)
			} else if s, ok := want.(string); wanted == variant.Strings && ok && s == texts.Text.Str[i] {
				continue
			} else if !merged.IsNull(i) || texts.Text.Str[i] != modelText(t, want) {
				t.Fatalf("%s, row %d: the text %s, want %s", path, i, texts.Text.Str[i], modelText(t, want))
			}
		}
	}
	checkListed(t, l, src, path, &extracted)
	checkEntries(t, l, src, whole, path)
	// Only the columns that the layout names are looked at.
	c := l.Columns(path)
	keep := append([]vector.Path{{{Name: "metadata"}}}, c.Values...)
	if c.Typed != nil {
		keep = append(keep, c.Typed)
	}
	again, err := l.Locate(without(src, keep), nil, path, variant.Values)
	if err != nil {
		t.Fatal(err)
	}
	if (again.Typed == nil) != (c.Typed == nil) || c.Typed != nil && !again.Typed.Type.Equal(c.Type) {
		t.Fatalf("%s: columns %v", path, c)
	}
	if err := w.Merge(again, src.Len, &merged); err != nil {
		t.Fatal(err)
	}
	for i, x := range models {
		want := missing
		if x != missing {
			want = modelAt(x, path)
		}
		checkRow(t, "pruned "+path.String(), &merged, i, want)
	}
}

// checkListed reads every other row, as a vector and by visits.
func checkListed(t *testing.T, l *variant.Layout, src *vector.Vector, path vector.Path, want *vector.Vector) {
	t.Helper()
	rows := []int32{}
	for i := 1; i < src.Len; i += 2 {
		rows = append(rows, int32(i))
	}
	located, err := l.Locate(src, rows, path, variant.Values)
	if err != nil {
		t.Fatal(err)
	}
	var merged vector.Vector
	var w variant.Writer
	if err := w.Merge(located, src.Len, &merged); err != nil {
		t.Fatal(err)
	}
	visited := make([]string, src.Len)
	found, err := l.Visit(src, rows, path, func(row int, v *variant.Value) { visited[row] += string(v.AppendJSON(nil)) })
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		x, ok := variant.Get(want, int(row))
		y, same := variant.Get(&merged, int(row))
		if text := string(x.AppendJSON(nil)); ok != same || ok && text != string(y.AppendJSON(nil)) {
			t.Fatalf("%s, row %d: %s of listed rows, want %s", path, row, y.AppendJSON(nil), text)
		}
		if found.Typed != nil && !found.Typed.IsNull(int(row)) {
			visited[row] += string(y.AppendJSON(nil))
		}
		if text := string(x.AppendJSON(nil)); ok && visited[row] != text || !ok && visited[row] != "" {
			t.Fatalf("%s, row %d: visited %s, want %s", path, row, visited[row], text)
		}
	}
}

// without is v with NULL in all leaves that no path leads to or above.
func without(v *vector.Vector, keep []vector.Path) *vector.Vector {
	for _, path := range keep {
		if len(path) == 0 {
			return v
		}
	}
	out := *v
	if len(v.Children) == 0 {
		out.Valid = vector.NewValidity(v.Len)
		for i := range v.Len {
			out.Valid.Clear(i)
		}
		return &out
	}
	out.Children = nil
	for i, c := range v.Children {
		step, below := v.Type.Child(i), []vector.Path(nil)
		if v.Type.Kind == vector.Variant {
			step = vector.Step{Name: v.Type.Fields[i].Name}
		}
		for _, path := range keep {
			if path[0] == step {
				below = append(below, path[1:])
			}
		}
		out.Children = append(out.Children, without(c, below))
	}
	return &out
}

// reform gives leaves below v other forms with the same values.
func reform(r *rand.Rand, v *vector.Vector) {
	for _, c := range v.Children {
		reform(r, c)
	}
	if len(v.Children) > 0 || v.Len == 0 || r.IntN(3) == 0 {
		return
	}
	dict, codes := vector.New(v.Type, 0), make([]int32, v.Len)
	if err := dict.Append(v, nil); err != nil {
		panic(err)
	}
	dict.Valid = nil
	for i := range codes {
		codes[i] = int32(i)
	}
	*v = vector.Vector{Type: v.Type, Form: vector.Dictionary, Len: v.Len, Valid: v.Valid, Codes: codes, Dict: dict}
	if v.Valid != nil && v.Valid.Count(v.Len) == 0 {
		*v = *vector.NewConstant(vector.NullOf(v.Type), v.Len)
	}
}
