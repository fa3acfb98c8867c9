package variants

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

var names = []string{"a", "b", "c d", "é"}

// randomShredding is a random schema.
func randomShredding(r *rand.Rand, depth int) *shredding {
	s := &shredding{kind: kind(r.IntN(int(arrays) + 1))}
	if depth == 0 && r.IntN(3) > 0 {
		s.kind = objects
	}
	if depth > 2 && s.kind >= objects {
		s.kind = integers
	}
	switch s.kind {
	case objects:
		s.fields = map[string]*shredding{}
		for _, name := range names {
			if r.IntN(3) > 0 {
				s.fields[name] = randomShredding(r, depth+1)
			}
		}
		if len(s.fields) == 0 {
			s.fields["a"] = randomShredding(r, depth+1)
		}
	case arrays:
		s.element = randomShredding(r, depth+1)
	}
	return s
}

// randomValue is a value that s has shredded, mostly; s may be nil. near makes numbers
// of neighbouring rows alike, so that statistics tell them apart.
func randomValue(r *rand.Rand, s *shredding, depth, near int) any {
	k := kind(r.IntN(int(arrays) + 2))
	if s != nil && s.kind != whole && r.IntN(25) > 0 {
		k = s.kind
	}
	if depth > 3 && k >= objects {
		k = integers
	}
	field := func(name string) *shredding {
		if s == nil {
			return nil
		}
		return s.fields[name]
	}
	switch k {
	case integers:
		return int64(near*10 + r.IntN(12))
	case doubles:
		return float64(near*40+r.IntN(50)) / 4
	case texts:
		return fmt.Sprintf("%c%d", 'a'+rune(near), r.IntN(5))
	case booleans:
		return r.IntN(2) == 0
	case objects:
		out := map[string]any{}
		for _, name := range names {
			if r.IntN(4) > 0 && (field(name) != nil || r.IntN(12) == 0) {
				out[name] = randomValue(r, field(name), depth+1, near)
			}
		}
		return out
	case arrays:
		out := []any{}
		var element *shredding
		if s != nil {
			element = s.element
		}
		for range r.IntN(4) {
			out = append(out, randomValue(r, element, depth+1, near))
		}
		return out
	}
	return nil
}

// step is a step of a path.
type step struct {
	name  string
	index int // where name is empty
}

// randomPath leads into s, or beside it.
func randomPath(r *rand.Rand, s *shredding) []step {
	var out []step
	for len(out) < 4 && (len(out) == 0 || r.IntN(4) > 0) {
		if s != nil && s.kind == arrays && r.IntN(6) > 0 {
			out, s = append(out, step{index: r.IntN(4) - 1}), s.element
			continue
		}
		name := names[r.IntN(len(names))]
		out = append(out, step{name: name})
		if s != nil {
			s = s.fields[name]
		}
		if s == nil || s.kind < objects {
			break
		}
	}
	return out
}

// text is the path in SQL.
func text(path []step) string {
	b := strings.Builder{}
	b.WriteByte('$')
	for _, s := range path {
		if s.name == "" {
			fmt.Fprintf(&b, "[%d]", s.index)
		} else {
			fmt.Fprintf(&b, ".%q", s.name)
		}
	}
	return b.String()
}

// at is what the path leads to; false if nothing is there.
func at(v any, path []step) (any, bool) {
	for _, s := range path {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[s.name]
			if !ok || s.name == "" {
				return nil, false
			}
			v = next
		case []any:
			i := s.index
			if i < 0 {
				i += len(x)
			}
			if s.name != "" || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}
