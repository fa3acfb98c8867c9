package vector

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// StepKind is how a Step goes on.
type StepKind uint8

// The kinds of steps.
const (
	FieldStep    StepKind = iota // the field Name of a STRUCT or object, the value of the key Name of a MAP
	PositionStep                 // the element of a LIST or array at Position
	ElementStep                  // each element of a LIST
	KeyStep                      // each key of a MAP
	ValueStep                    // each value of a MAP
)

// Step goes from a value to a value within it, or to several.
type Step struct {
	Kind     StepKind
	Name     string // FieldStep
	Position int64  // PositionStep: from 0, or from the end where negative
}

// Path leads from a value to values within it, at any depth. The empty path is
// the value itself. Equal paths have equal steps.
type Path []Step

// FieldPath is the path through fields of these names.
func FieldPath(names ...string) Path {
	p := make(Path, len(names))
	for i, name := range names {
		p[i].Name = name
	}
	return p
}

// Child is the step from a value of type t to its i-th child.
func (t Type) Child(i int) Step {
	switch {
	case t.Kind == List:
		return Step{Kind: ElementStep}
	case t.Kind == Map && i == 0:
		return Step{Kind: KeyStep}
	case t.Kind == Map:
		return Step{Kind: ValueStep}
	}
	return Step{Name: t.Fields[i].Name}
}

// Then is p with more steps behind it, in memory of its own.
func (p Path) Then(steps ...Step) Path { return append(slices.Clip(p), steps...) }

// Equal reports whether two paths have the same steps.
func (p Path) Equal(o Path) bool { return slices.Equal(p, o) }

// HasPrefix reports whether p begins with the steps of o: what o leads to holds
// what p leads to.
func (p Path) HasPrefix(o Path) bool { return len(p) >= len(o) && p[:len(o)].Equal(o) }

// String is the path with $ for the value that it begins at, in the notation
// that ParsePath reads: $.items[0]."unit price". Steps that ParsePath does not
// have are [*] for each element, [key] and [value] for those of a MAP.
func (p Path) String() string {
	b := []byte{'$'}
	for _, s := range p {
		switch s.Kind {
		case FieldStep:
			b = appendName(append(b, '.'), s.Name)
		case PositionStep:
			b = append(strconv.AppendInt(append(b, '['), s.Position, 10), ']')
		default:
			b = append(b, [...]string{ElementStep: "[*]", KeyStep: "[key]", ValueStep: "[value]"}[s.Kind]...)
		}
	}
	return string(b)
}

// appendName quotes all names but those of ASCII letters, digits and _.
func appendName(b []byte, name string) []byte {
	plain := name != ""
	for i := range len(name) {
		c := name[i]
		plain = plain && (c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z')
	}
	if plain {
		return append(b, name...)
	}
	b = append(b, '"')
	for i := range len(name) {
		if name[i] == '"' || name[i] == '\\' {
			b = append(b, '\\')
		}
		b = append(b, name[i])
	}
	return append(b, '"')
}

// ErrPath is the error of ParsePath for what is no path.
var ErrPath = errors.New("a path must look like $.key.\"other key\"[0]")

// ParsePath reads the paths of SQL's JSON functions: $ and then .key, ."key",
// ['key'] and [n] steps, where n is negative or #-n from the end. A backslash
// within quotes stands before quotes and backslashes. A text without $ is one
// key. All steps are FieldSteps and PositionSteps.
func ParsePath(text string) (Path, error) {
	if !strings.HasPrefix(text, "$") {
		return FieldPath(text), nil
	}
	var p Path
	for rest := text[1:]; rest != ""; {
		var s Step
		var ok bool
		switch rest[0] {
		case '.':
			s.Name, rest, ok = cutKey(rest[1:])
		case '[':
			s, rest, ok = cutSubscript(rest[1:])
		}
		if !ok {
			return nil, fmt.Errorf("%w, not %s", ErrPath, text)
		}
		p = append(p, s)
	}
	return p, nil
}

// cutKey takes a quoted key, or one up to the next step.
func cutKey(text string) (key, rest string, ok bool) {
	if text == "" {
		return "", "", false
	}
	if text[0] == '"' {
		return cutQuoted(text)
	}
	end := strings.IndexAny(text, ".[")
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:], end > 0 && text[:end] != "*"
}

// cutQuoted takes a text in single or double quotes.
func cutQuoted(text string) (value, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			return b.String(), text[i+1:], true
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

func cutSubscript(text string) (s Step, rest string, ok bool) {
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		s.Name, rest, ok = cutQuoted(text)
		if !ok || !strings.HasPrefix(rest, "]") {
			return s, "", false
		}
		return s, rest[1:], true
	}
	number, rest, ok := strings.Cut(text, "]")
	if !ok {
		return s, "", false
	}
	number = strings.TrimPrefix(strings.TrimSpace(number), "#")
	v, err := strconv.ParseInt(number, 10, 32)
	return Step{Kind: PositionStep, Position: v}, rest, err == nil
}
