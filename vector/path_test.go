package vector

import (
	"errors"
	"testing"
)

func TestParsePath(t *testing.T) {
	at := func(n int64) Step { return Step{Kind: PositionStep, Position: n} }
	key := func(s string) Step { return Step{Name: s} }
	for _, c := range []struct {
		text string
		want Path
		back string // of String; "": the text
	}{
		{"$", nil, ""},
		{"$.a[0].b", Path{key("a"), at(0), key("b")}, ""},
		{"$[-1][12]", Path{at(-1), at(12)}, ""},
		{"$[#-2]", Path{at(-2)}, "$[-2]"},
		{"$[ 3 ]", Path{at(3)}, "$[3]"},
		{`$."a.b"."[c]"`, Path{key("a.b"), key("[c]")}, ""},
		{`$['it\'s']["say \"\\\""]`, Path{key("it's"), key(`say "\"`)}, `$."it's"."say \"\\\""`},
		{`$.Größe`, Path{key("Größe")}, `$."Größe"`},
		{`$.""`, Path{key("")}, ""},
		{"key.with.dots", Path{key("key.with.dots")}, `$."key.with.dots"`},
		{"", Path{key("")}, `$.""`},
	} {
		got, err := ParsePath(c.text)
		if err != nil || !got.Equal(c.want) {
			t.Errorf("%s: %v, %v", c.text, got, err)
			continue
		}
		if c.back == "" {
			c.back = c.text
		}
		if got.String() != c.back {
			t.Errorf("%s is written %s, want %s", c.text, got, c.back)
		}
		if again, err := ParsePath(got.String()); err != nil || !again.Equal(got) {
			t.Errorf("%s comes back as %v, %v", got, again, err)
		}
	}
	for _, text := range []string{"$a", "$.", "$..a", "$.*", "$[", "$[*]", "$[a]", "$['a'", "$['a]", `$."a`, "$[1", "$[99999999999]"} {
		if got, err := ParsePath(text); !errors.Is(err, ErrPath) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestPath(t *testing.T) {
	group := Type{Kind: Struct, Fields: []Field{{Name: "a.b", Type: Of(BigInt)}, {Name: "c", Type: Of(Varchar)}}}
	list := ListOf(Field{Name: "element", Type: group})
	pairs := Type{Kind: Map, Fields: []Field{{Name: "key", Type: Of(Varchar)}, {Name: "value", Type: list}}}
	p := Path{pairs.Child(1), list.Child(0), group.Child(0)}
	if got := p.String(); got != `$[value][*]."a.b"` {
		t.Error(got)
	}
	if got := (Path{pairs.Child(0)}).String(); got != "$[key]" {
		t.Error(got)
	}
	if p.Equal(p[:2]) || !p.Equal(Path{{Kind: ValueStep}, {Kind: ElementStep}, {Name: "a.b"}}) {
		t.Error("equality")
	}
	if !p.HasPrefix(p) || !p.HasPrefix(p[:1]) || !p.HasPrefix(nil) || p[:1].HasPrefix(p) || p.HasPrefix(FieldPath("a")) {
		t.Error("prefixes")
	}
	if FieldPath("a.b").HasPrefix(FieldPath("a")) || FieldPath("a.b").Equal(FieldPath("a", "b")) {
		t.Error("a dot in a name separates steps")
	}
	// Paths from a common beginning do not share memory.
	start := make(Path, 1, 4)
	x, y := start.Then(Step{Name: "x"}), start.Then(Step{Name: "y"})
	if x[1].Name != "x" || y[1].Name != "y" {
		t.Error(x, y)
	}
}
