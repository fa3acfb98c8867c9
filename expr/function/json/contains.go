package json

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// containing is JSON_CONTAINS. It keeps the tree of the part, which is often the same for all rows.
type containing struct {
	whole   trees
	part    *tree // of text
	text    string
	needles []string // see needlesOf
}

func containsKernel() kernel.Func {
	return kernel.TryWith2((&containing{}).test)()
}

func (c *containing) test(m *quota.Meter, s, part string) (bool, kernel.Outcome) {
	if c.part == nil || c.text != part {
		var err error
		if c.part, err = parse(m, part); err != nil {
			return false, kernel.Outcome{Err: err}
		}
		c.text = strings.Clone(part) // the memory of the batch is used again
		c.needles = appendNeedles(c.needles[:0], c.part)
	}
	if c.lacks(s) {
		ok, err := jsontext.Valid(s, m.Teller())
		if !ok && err == nil {
			err = errJSON
		}
		return false, kernel.Outcome{Err: err}
	}
	a, err := c.whole.parse(m, s)
	if err != nil {
		return false, kernel.Outcome{Err: err}
	}
	w := watch{meter: m}
	has := a.contains(&w, c.part)
	return has, kernel.Outcome{Err: w.err}
}

// lacks reports that the part cannot be in a text, as bytes that it would have are not there. It
// spares the tree of the text.
func (c *containing) lacks(s string) bool {
	for _, needle := range c.needles {
		if !hasNeedle(s, needle) {
			return strings.IndexByte(s, '\\') < 0
		}
	}
	return false
}

const (
	// needleWindow is up to how many bytes strings.Contains compares as vectors. In longer texts it looks for
	// the first byte alone at first, which is a quote here, as many are.
	needleWindow = 64
	// mostWindows is how many bytes are searched by windows.
	mostWindows = 16 * needleWindow
)

// hasNeedle is strings.Contains.
func hasNeedle(s, needle string) bool {
	if len(s) > mostWindows || len(needle) > needleWindow/2 {
		return strings.Contains(s, needle)
	}
	for from := 0; ; from += needleWindow - len(needle) + 1 {
		to := min(from+needleWindow, len(s))
		if strings.Contains(s[from:to], needle) {
			return true
		}
		if to == len(s) {
			return false
		}
	}
}

// maxNeedles is how many needles a part has at most: each is searched in every text.
const maxNeedles = 4

// appendNeedles appends texts that every JSON text without backslashes has which contains the value.
// Only ASCII counts, as bytes that are not UTF-8 are replaced.
func appendNeedles(needles []string, t *tree) []string {
	for _, item := range t.items {
		needles = appendNeedles(needles, item)
	}
	switch t.kind {
	case '"':
		needles = appendNeedle(needles, t.text)
	case '0':
		if isWhole(t.text) && len(needles) < maxNeedles {
			needles = append(needles, t.text)
		}
	}
	for _, key := range t.keys {
		needles = appendNeedle(needles, key)
	}
	return needles
}

func appendNeedle(needles []string, s string) []string {
	if len(needles) == maxNeedles || !jsontext.IsPlain(s) {
		return needles
	}
	for i := range len(s) {
		if s[i] >= 0x80 {
			return needles
		}
	}
	return append(needles, string(vector.AppendQuoted(nil, s)))
}
