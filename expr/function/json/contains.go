package json

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// containing is JSON_CONTAINS. It keeps the tree of a part that is the same for all rows.
type containing struct {
	whole, part trees
	known       tree     // of the part; nil: it is another one in each row
	text        string   // of known
	needles     []string // of known; see appendNeedles
}

func containsKernel() kernel.Func {
	c := &containing{}
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		texts, parts := kernel.OperandOf[string](args[0]), kernel.OperandOf[string](args[1])
		if !parts.Constant() {
			c.known = nil
		} else if err := c.knows(out.Meter, parts.At(0)); err != nil {
			return err
		}
		for _, i := range kernel.Listed(rows, n) {
			var err error
			if out.Bool[i], err = c.test(out.Meter, texts.At(i), parts.At(i)); err != nil {
				return err
			}
		}
		return nil
	}
}

// knows makes a part known.
func (c *containing) knows(m *quota.Meter, part string) (err error) {
	if c.known != nil && c.text == part {
		return nil
	}
	c.text = strings.Clone(part) // the memory of the batch is used again
	if c.known, err = c.part.parse(m, c.text); err == nil {
		c.needles = appendNeedles(c.needles[:0], c.known)
	}
	return err
}

func (c *containing) test(m *quota.Meter, s, text string) (bool, error) {
	part := c.known
	if part != nil && c.lacks(s) {
		ok, err := jsontext.Valid(s, m.Teller())
		if !ok && err == nil {
			err = errJSON
		}
		return false, err
	}
	a, err := c.whole.parse(m, s)
	if err == nil && part == nil {
		part, err = c.part.parse(m, text)
	}
	if err != nil {
		return false, err
	}
	w := watch{meter: m}
	has := a.contains(&w, part)
	return has, w.err
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
func appendNeedles(needles []string, t tree) []string {
	for i := range t {
		switch n := &t[i]; n.Kind {
		case '"':
			needles = appendNeedle(needles, n.Text())
		case '0':
			if isWhole(n.Raw) && n.Raw != "-0" && n.Raw != "0" && len(needles) < maxNeedles {
				needles = append(needles, n.Raw)
			}
		}
		if t[i].Named {
			needles = appendNeedle(needles, t[i].Name)
		}
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
