package errs

import (
	"errors"
	"testing"
)

func TestInText(t *testing.T) {
	cause := errors.New("cause")
	text := "SELECT 'ä',\n  x\r\n"
	for _, c := range []struct {
		position, end int
		want          string
	}{
		{0, 6, "cause (line 1, column 1)"},
		{11, 12, "cause (line 1, column 11)"}, // the comma: ä has two bytes
		{15, 16, "cause (line 2, column 3)"},
		{18, 19, "cause (line 3, column 1)"},
		{1000, 1001, "cause (line 3, column 1)"},
		{3, 3, "cause"}, // no part of the text
	} {
		err := At(c.position, c.end, cause)
		outer := At(0, len(text), err)
		if got := InText(outer, text).Error(); got != c.want && c.end > c.position || !errors.Is(outer, cause) {
			t.Errorf("%d to %d: %s, want %s", c.position, c.end, got, c.want)
		}
	}
	syntax := At(0, 3, &SyntaxError{Position: 15, Message: "here"})
	if got, want := InText(syntax, text).Error(), "syntax error at line 2, column 3: here"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
