package expr

import (
	"fmt"

	"github.com/parquetsql/parquetsql/vector"
)

// commonNested is the type for values of two LISTs, MAPs or STRUCTs; common finds that of
// their children. Fields of STRUCTs are united by name, and what one STRUCT lacks is
// NULL. If one has no names, they are united by position.
func commonNested(a, b vector.Type, common func(a, b vector.Type) (vector.Type, error)) (vector.Type, error) {
	fail := func() (vector.Type, error) {
		return a, fmt.Errorf("%s and %s have no common type; use a CAST", a, b)
	}
	if a.Kind != b.Kind || a.Kind != vector.Struct && len(a.Fields) != len(b.Fields) {
		return fail()
	}
	byName := a.Kind == vector.Struct && !unnamed(a) && !unnamed(b)
	if !byName && len(a.Fields) != len(b.Fields) {
		return fail()
	}
	if a.Kind == vector.Struct && unnamed(a) {
		a, b = b, a
	}
	t := vector.Type{Kind: a.Kind}
	for i, f := range a.Fields {
		other := i
		if byName {
			other = fieldNamed(b, f.Name)
		}
		if f.Nullable = f.Nullable || other < 0; other >= 0 {
			g := b.Fields[other]
			c, err := common(f.Type, g.Type)
			if err != nil {
				return a, err
			}
			f.Type, f.Nullable = c, f.Nullable || g.Nullable
		}
		t.Fields = append(t.Fields, f)
	}
	for _, g := range b.Fields {
		if byName && fieldNamed(a, g.Name) < 0 {
			g.Nullable = true
			t.Fields = append(t.Fields, g)
		}
	}
	return t, nil
}
