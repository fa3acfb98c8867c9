package schema

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/scan/delta/internal/pull"
	"github.com/parquetsql/parquetsql/vector"
)

// Statistics is what the log says of a data file ("Per-file Statistics").
type Statistics struct {
	Rows  int64 // of the file, those that are deleted included; -1: unknown
	Tight bool  // Columns are about the rows that are left, and not only about those of the file
	// Columns has what is said of each column that was asked for.
	Columns []Bounds
}

// Bounds is what is said of a column. No value that is neither NULL nor NaN is below Min or
// above Max.
type Bounds struct {
	Type     vector.Type
	Min, Max *vector.Scalar // nil: unknown
	Exact    bool           // Min and Max are values of the column
	Nulls    int64          // how many values are NULL; -1: unknown
}

// Asked is the columns that statistics are wanted of. It is immutable.
type Asked struct {
	root  node
	types []vector.Type
}

// node is a name in statistics, which are as deep as the schema.
type node struct {
	fields map[string]*node
	column int // index into types; -1: it is within others
}

// NewAsked asks for columns that are not within a LIST or MAP, by the physical names that lead to
// them.
func NewAsked(paths [][]string, types []vector.Type) *Asked {
	a := &Asked{root: node{column: -1}, types: types}
	for i, p := range paths {
		n := &a.root
		for _, name := range p {
			next := n.fields[name]
			if next == nil {
				next = &node{column: -1}
				if n.fields == nil {
					n.fields = map[string]*node{}
				}
				n.fields[name] = next
			}
			n = next
		}
		n.column = i
	}
	return a
}

// Read reads the statistics of a file. Those that cannot be read are unknown: rows stay.
func (a *Asked) Read(text string) Statistics {
	out := Statistics{Rows: -1, Tight: true, Columns: a.unknown()}
	exact := make([]bool, 2*len(a.types))
	r := pull.New(text)
	r.Object(func(name string) {
		switch name {
		case "numRecords":
			if n, ok := r.Int(); ok && n >= 0 {
				out.Rows = n
			}
		case "tightBounds":
			if !r.Null() {
				out.Tight = r.Bool()
			}
		case "minValues":
			a.values(r, &a.root, func(i int) { out.Columns[i].Min, exact[2*i] = bound(r, a.types[i], false) })
		case "maxValues":
			a.values(r, &a.root, func(i int) { out.Columns[i].Max, exact[2*i+1] = bound(r, a.types[i], true) })
		case "nullCount":
			a.values(r, &a.root, func(i int) { out.Columns[i].Nulls = count(r) })
		default:
			r.Skip()
		}
	})
	if r.Err() != nil {
		return Statistics{Rows: -1, Columns: a.unknown()}
	}
	for i := range out.Columns {
		out.Columns[i].Exact = exact[2*i] && exact[2*i+1]
	}
	out.check()
	return out
}

func (a *Asked) unknown() []Bounds {
	out := make([]Bounds, len(a.types))
	for i, t := range a.types {
		out[i] = Bounds{Type: t, Nulls: -1}
	}
	return out
}

// Rows is how many rows the statistics of a file say that it has; -1: they do not. What comes
// behind that number, which is mostly all, is not read.
func Rows(text string) int64 {
	if n := firstRows(text); n >= 0 {
		return n
	}
	rows := int64(-1)
	r := pull.New(text)
	r.Object(func(name string) {
		if name != "numRecords" {
			r.Skip()
			return
		}
		if n, ok := r.Int(); ok && n >= 0 {
			rows = n
			r.Fail(errEnough)
		}
	})
	if r.Err() != nil && r.Err() != errEnough {
		return -1
	}
	return rows
}

// firstRows is the number of rows of a text that begins with it, as those of all writers do; -1: it does
// not.
func firstRows(text string) int64 {
	const most = 18 // digits: that is no overflow
	digits, ok := strings.CutPrefix(text, `{"numRecords":`)
	if !ok {
		return -1
	}
	n := int64(0)
	for i := range min(len(digits), most+1) {
		switch c := digits[i]; {
		case '0' <= c && c <= '9' && i < most && (i == 0 || n > 0):
			n = 10*n + int64(c-'0')
		case (c == ',' || c == '}') && i > 0:
			return n
		default:
			return -1
		}
	}
	return -1
}

var errEnough = errors.New("the number of rows was read")

// check makes numbers of NULLs unknown that cannot be, or that say nothing: where rows were
// deleted since, only none and all of them do.
func (s *Statistics) check() {
	for i := range s.Columns {
		c := &s.Columns[i]
		if s.Rows >= 0 && c.Nulls > s.Rows || !s.Tight && c.Nulls != 0 && c.Nulls != s.Rows {
			c.Nulls = -1
		}
	}
}

// values calls read for the columns that are asked for.
func (a *Asked) values(r *pull.Reader, n *node, read func(column int)) {
	if !r.IsObject() { // a struct that is NULL in all rows
		r.Skip()
		return
	}
	r.Object(func(name string) {
		switch next := n.fields[name]; {
		case next == nil:
			r.Skip()
		case next.fields != nil:
			a.values(r, next, read)
		default:
			read(next.column)
		}
	})
}

// count is a number of NULLs. What is no integer is unknown.
func count(r *pull.Reader) int64 {
	raw := pull.New(r.Raw())
	n, ok := raw.Int()
	if !ok || n < 0 {
		return -1
	}
	return n
}

// cutAfter is how many characters writers keep of a text: of a longer one they write a beginning.
const cutAfter = 32

// bound reads a bound of a column: a value that no value is below or, of an upper one, above. It
// is exact where it is sure to be a value of the column.
func bound(r *pull.Reader, t vector.Type, upper bool) (*vector.Scalar, bool) {
	text, isText := "", r.IsText()
	if isText {
		text, _ = r.Text()
	} else if text = r.Raw(); text == "null" {
		return nil, false
	}
	switch {
	case t.Kind == vector.Varchar:
		if !isText {
			return nil, false
		}
		return textBound(text, t, upper), false
	case t.IsTimestamp():
		if !isText {
			return nil, false
		}
		return timeBound(text, t, upper), false
	case t.IsFloat():
		return floatBound(text, t), false
	case t.Kind == vector.Decimal:
		return decimalBound(text, t), true
	case t.Kind == vector.Date && !isText, t.Kind != vector.Date && !t.IsInteger() && t.Kind != vector.Boolean:
		return nil, false // binary and others: no writer's form of them is specified
	}
	s, ok := parse(text, t)
	if !ok {
		return nil, false
	}
	return &s, true
}

// textBound is a bound of texts. A text that may be a beginning is below those that begin with
// it; so the upper bound is the first text after all these.
func textBound(text string, t vector.Type, upper bool) *vector.Scalar {
	if upper && utf8.RuneCountInString(text) >= cutAfter {
		after, ok := vector.TextAfter(text)
		if !ok {
			return nil
		}
		text = after
	}
	return &vector.Scalar{Type: t, Str: strings.Clone(text)}
}

// timeBound is a bound of timestamps, which are cut after their milliseconds.
func timeBound(text string, t vector.Type, upper bool) *vector.Scalar {
	s, ok := cast(text, t)
	if !ok {
		return nil
	}
	if upper && s.I64%1000 == 0 {
		s.I64 += 999
	}
	return &s
}

// floatBound is a bound of floats. NaN is none: writers differ in whether it counts.
func floatBound(text string, t vector.Type) *vector.Scalar {
	s, ok := parse(text, t)
	if !ok || s.IsNaN() {
		return nil
	}
	return &s
}

// decimalBound is a bound of decimals. Some writers give the nearest float instead, which has an
// exponent or 16 to 17 digits.
func decimalBound(text string, t vector.Type) *vector.Scalar {
	digits, point := 0, -1
	for i, c := range []byte(text) {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case c == '.' && point < 0:
			point = i
		case c != '-' || i > 0:
			return nil
		}
	}
	if point >= 0 && len(text)-point-1 > t.Scale || t.Precision > 15 && (digits == 16 || digits == 17) {
		return nil
	}
	s, ok := cast(text, t)
	if !ok {
		return nil
	}
	return &s
}
