package desugar

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// Functions of PostgreSQL that other functions here compute, under the names and with the arguments that
// its tools write.

// renamed is the function of another name.
func renamed(name string) func(*ast.Call) ast.Expr {
	return func(c *ast.Call) ast.Expr {
		same := *c
		same.Name = name
		return &same
	}
}

// rowOfEach is a row for each element of the list that the function of a name makes.
func rowOfEach(name string) func(*ast.Call) ast.Expr {
	return func(c *ast.Call) ast.Expr { return Called(c, "unnest", Called(c, name, c.Args...)) }
}

// lambda is x → body, where body is made of x.
func lambda(c *ast.Call, body func(x ast.Expr) ast.Expr) ast.Expr {
	const name = "pg_x"
	return &ast.Lambda{Span: c.Span, Params: []string{name}, Body: body(&ast.Ident{Span: c.Span, Parts: []string{name}})}
}

// literal is the text of a string.
func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.Literal)
	if !ok || l.Kind != ast.String {
		return "", false
	}
	return l.Text, true
}

// maxLine is how long PostgreSQL's lines of base64 are.
const maxLine = "76"

// Coded is encode(bytes, 'hex' | 'base64') and decode(text, …) as PostgreSQL means them; DuckDB's second
// argument says what becomes of bytes that are no text.
func Coded(c *ast.Call) ast.Expr {
	format, _ := literal(c.Args[1])
	switch strings.ToLower(c.Name) + " " + format {
	case "encode hex":
		return Called(c, "lower", Called(c, "hex", c.Args[0]))
	case "encode base64":
		lines := Called(c, "regexp_replace", Called(c, "to_base64", c.Args[0]), quoted(c, "(.{"+maxLine+"})"), quoted(c, "\\1\n"), quoted(c, "g"))
		return Called(c, "rtrim", lines, quoted(c, "\n"))
	case "decode hex":
		return Called(c, "unhex", c.Args[0])
	case "decode base64":
		return Called(c, "from_base64", c.Args[0])
	}
	return c
}

// arrayRemove is a list without the elements that are a value.
func arrayRemove(c *ast.Call) ast.Expr {
	return Called(c, "list_filter", c.Args[0], lambda(c, func(x ast.Expr) ast.Expr {
		return &ast.DistinctFrom{Span: c.Span, L: x, R: c.Args[1]}
	}))
}

// splitWithNull is string_to_array(text, separator, null), where parts that are the text null are NULL.
func splitWithNull(c *ast.Call) ast.Expr {
	parts := Called(c, "string_to_array", c.Args[0], c.Args[1])
	return Called(c, "list_transform", parts, lambda(c, func(x ast.Expr) ast.Expr { return Called(c, "nullif", x, c.Args[2]) }))
}

// jsonTypeof is the type of a JSON value under PostgreSQL's names.
func jsonTypeof(c *ast.Call) ast.Expr {
	of := &ast.Case{Span: c.Span, Operand: Called(c, "json_type", c.Args[0]), Else: quoted(c, "number")}
	for _, name := range [][2]string{{"OBJECT", "object"}, {"ARRAY", "array"}, {"VARCHAR", "string"}, {"BOOLEAN", "boolean"}, {"NULL", "null"}} {
		of.Whens = append(of.Whens, ast.When{Cond: quoted(c, name[0]), Then: quoted(c, name[1])})
	}
	return &ast.Case{Span: c.Span, Whens: []ast.When{{Cond: &ast.Is{Span: c.Span, X: c.Args[0], Not: true}, Then: of}}}
}

// jsonPath is json_extract_path(x, 'a', 'b') and json_extract_path_text, with any number of keys.
func jsonPath(c *ast.Call) ast.Expr {
	if len(c.Args) < 2 || len(c.Args) == 2 && !strings.HasPrefix(strings.ToLower(c.Name), "jsonb") {
		return c
	}
	if numbersOf(c.Args[1:]) > mostNumbers {
		return c
	}
	return alongKeys(c.Span, c.Args[0], c.Args[1:], strings.HasSuffix(strings.ToLower(c.Name), "_text"))
}

// alongKeys takes one key after the other. A text of digits is a key of an object and an index of an array.
func alongKeys(s ast.Span, x ast.Expr, keys []ast.Expr, text bool) ast.Expr {
	for i, key := range keys {
		text := text && i == len(keys)-1
		name, ok := literal(key)
		if !ok || strings.ContainsAny(name, quotes) {
			x = &ast.Arrow{Span: s, X: x, Path: key, Text: text}
			continue
		}
		of := x
		x = &ast.Arrow{Span: s, X: of, Path: &ast.Literal{Span: s, Kind: ast.String, Text: `$."` + name + `"`}, Text: text}
		if n, err := strconv.Atoi(name); err == nil {
			index := &ast.Arrow{Span: s, X: of, Path: &ast.Literal{Span: s, Kind: ast.Integer, Text: strconv.Itoa(n)}, Text: text}
			x = &ast.Call{Span: s, Name: "coalesce", Args: []ast.Expr{x, index}}
		}
	}
	return x
}

// quotes are what a key has no path with.
const quotes = `"\`

// mostNumbers is how many keys may be numbers: each doubles the expression before it.
const mostNumbers = 4

func numbersOf(keys []ast.Expr) (n int) {
	for _, key := range keys {
		name, ok := literal(key)
		if _, err := strconv.Atoi(name); ok && err == nil {
			n++
		}
	}
	return n
}

// JSONKeys is what keys lead to in x, as JSON or text. They are an array in a text or a list; ok says
// that they are constants that have a path.
func JSONKeys(s ast.Span, x, keys ast.Expr, text bool) (out ast.Expr, ok bool) {
	if cast, is := keys.(*ast.Cast); is {
		keys = cast.X
	}
	list, is := Array(keys).(*ast.Call)
	if !is || !strings.EqualFold(list.Name, "list_value") {
		return x, false
	}
	for _, key := range list.Args {
		if name, is := literal(key); !is || strings.ContainsAny(name, quotes) {
			return x, false
		}
	}
	if numbersOf(list.Args) > mostNumbers {
		return x, false
	}
	if len(list.Args) == 0 {
		return &ast.Arrow{Span: s, X: x, Path: &ast.Literal{Span: s, Kind: ast.String, Text: "$"}, Text: text}, true
	}
	return alongKeys(s, x, list.Args, text), true
}

// parts are the arguments of make_interval in their order.
var parts = []string{"years", "months", "weeks", "days", "hours", "mins", "secs"}

// makeInterval is the sum of its parts, by their places or names.
func makeInterval(c *ast.Call) ast.Expr {
	if len(c.Args) > len(parts) || len(c.Args) == 0 {
		return c
	}
	var sum ast.Expr
	for i, x := range c.Args {
		name := parts[i]
		if c.ArgNames != nil && c.ArgNames[i] != "" {
			name = strings.ToLower(c.ArgNames[i])
		}
		function := "to_" + name
		switch name {
		case "mins":
			function = "to_minutes"
		case "secs":
			function = "to_seconds"
		case "years", "months", "weeks", "days", "hours":
		default:
			return c
		}
		part := Called(c, function, x)
		if sum == nil {
			sum = part
		} else {
			sum = &ast.Binary{Span: c.Span, Op: ast.Add, L: sum, R: part}
		}
	}
	return sum
}

// regexpMatch is the groups of the first match, or the whole match where there are none; NULL without
// a match.
func regexpMatch(c *ast.Call) ast.Expr {
	pattern, ok := literal(c.Args[1])
	re, err := regexp.Compile(pattern)
	if !ok || err != nil || re.NumSubexp() > mostGroups || !Fixed(c.Args[0]) || mayLack(pattern) {
		return c
	}
	var groups []ast.Expr
	for n := min(1, re.NumSubexp()); n <= re.NumSubexp(); n++ {
		groups = append(groups, Called(c, "regexp_extract", c.Args[0], c.Args[1], whole(c, strconv.Itoa(n))))
	}
	return matching(c, Called(c, "list_value", groups...))
}

// mostGroups is how many groups a pattern may have: the text is searched for each.
const mostGroups = 20

// mayLack reports whether a group may take no part in a match: it is NULL then, and a group that is empty
// is not.
func mayLack(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return true
	}
	var lacks func(re *syntax.Regexp, optional bool) bool
	lacks = func(re *syntax.Regexp, optional bool) bool {
		if optional && re.Op == syntax.OpCapture {
			return true
		}
		optional = optional || re.Op == syntax.OpStar || re.Op == syntax.OpQuest || re.Op == syntax.OpAlternate || re.Op == syntax.OpRepeat && re.Min == 0
		return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return lacks(sub, optional) })
	}
	return lacks(re, false)
}

// drawn are the functions that have another value each time.
var drawn = []string{"random", "uuid", "gen_random_uuid", "uuidv4", "uuidv7"}

// Fixed reports whether an expression has the same value at each of its places in the tree.
func Fixed(e ast.Expr) bool {
	fixed := true
	ast.Walk(e, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Call:
			fixed = fixed && !slices.Contains(drawn, strings.ToLower(e.Name))
		case *ast.Subquery:
			fixed = false
		}
		return fixed
	})
	return fixed
}

// matching is a value where the first argument matches the second one, else NULL.
func matching(c *ast.Call, then ast.Expr) ast.Expr {
	return &ast.Case{Span: c.Span, Whens: []ast.When{{Cond: Called(c, "regexp_matches", c.Args[0], c.Args[1]), Then: then}}}
}

// SubstringOf is substring(text from pattern), where the pattern is a string: the first group of it, or
// the whole match.
func SubstringOf(c *ast.Call) ast.Expr {
	if len(c.Args) != 2 {
		return c
	}
	pattern, ok := literal(c.Args[1])
	re, err := regexp.Compile(pattern)
	if _, number := strconv.Atoi(strings.TrimSpace(pattern)); !ok || err != nil || number == nil || !Fixed(c.Args[0]) {
		return c
	}
	return matching(c, Called(c, "regexp_extract", c.Args[0], c.Args[1], whole(c, strconv.Itoa(min(1, re.NumSubexp())))))
}

// templates are PostgreSQL's patterns of a template and the letters of STRPTIME that read the same; the
// longer ones first. Without letters they mean something else there.
var templates = [][2]string{
	{"SSSS", ""}, {"YYYY", "%Y"}, {"MONTH", "%B"}, {"HH24", "%H"}, {"HH12", "%I"}, {"A.M.", ""}, {"P.M.", ""}, {"DDD", "%j"}, {"MON", "%b"}, {"DAY", "%A"}, {"YY", ""}, {"MM", "%m"},
	{"DD", "%d"}, {"DY", "%a"}, {"HH", "%I"}, {"MI", "%M"}, {"SS", "%S"}, {"MS", "%g"}, {"US", "%f"}, {"AM", "%p"}, {"PM", "%p"}, {"TZH:TZM", "%z"}, {"TZH", "%z"},
}

// byTemplate is to_date(text, template) and to_timestamp(text, template), where the template is a string
// of patterns that STRPTIME has too; others stay.
func byTemplate(c *ast.Call) ast.Expr {
	template, ok := literal(c.Args[1])
	if !ok {
		return c
	}
	format, ok := strptimeFormat(template)
	if !ok || !strings.Contains(format, "%Y") || strings.Contains(format, "%I") != strings.Contains(format, "%p") {
		return c // without a year it is 1 BC, and without AM 12 is midnight
	}
	name := "TIMESTAMPTZ"
	if strings.EqualFold(c.Name, "to_date") {
		name = "DATE"
	}
	read := Called(c, "strptime", c.Args[0], quoted(c, format))
	return &ast.Cast{Span: c.Span, X: read, Type: ast.TypeName{Span: c.Span, Name: name}}
}

// strptimeFormat is the format for a template; false if it has none.
func strptimeFormat(template string) (format string, ok bool) {
	var out strings.Builder
next:
	for rest := template; rest != ""; {
		if strings.HasPrefix(rest, `"`) {
			text, after, ended := strings.Cut(rest[1:], `"`)
			if !ended {
				return "", false
			}
			out.WriteString(strings.ReplaceAll(text, "%", "%%"))
			rest = after
			continue
		}
		for _, t := range templates {
			if len(rest) >= len(t[0]) && strings.EqualFold(rest[:len(t[0])], t[0]) {
				if t[1] == "" {
					return "", false
				}
				out.WriteString(t[1])
				rest = rest[len(t[0]):]
				continue next
			}
		}
		switch c := rest[0]; {
		case strings.HasPrefix(strings.ToUpper(rest), "FM"):
			rest = rest[2:]
		case c|0x20 >= 'a' && c|0x20 <= 'z' && c != 'T', c >= '0' && c <= '9', c == '%':
			return "", false
		default:
			out.WriteByte(c)
			rest = rest[1:]
		}
	}
	return out.String(), true
}

// rowsOf are functions in FROM that make a row for each element of a list, and how the list is made of
// their arguments.
var rowsOf = map[string]string{
	"generate_subscripts": "", "json_array_elements": "json_elements", "jsonb_array_elements": "json_elements", "json_object_keys": "json_keys", "jsonb_object_keys": "json_keys",
	"regexp_split_to_table": "regexp_split_to_array", "string_to_table": "string_to_array", "json_array_elements_text": "texts", "jsonb_array_elements_text": "texts",
}

// Rows is a function in FROM as UNNEST of a list; the function itself if it is none of those.
func Rows(f *ast.TableFunction) *ast.TableFunction {
	name := strings.ToLower(f.Name)
	list, known := rowsOf[name]
	if !known || len(f.Options) > 0 || len(f.Args) == 0 {
		return f
	}
	at := &ast.Call{Span: f.Span}
	out := *f
	switch {
	case list == "" && len(f.Args) == 2:
		out.Name, out.Args = "generate_series", []ast.Expr{Called(at, "array_lower", f.Args...), Called(at, "array_upper", f.Args...)}
		for i, bound := range out.Args {
			out.Args[i] = Call(bound.(*ast.Call))
		}
	case list == "json_elements":
		out.Name, out.Args = "unnest", []ast.Expr{Called(at, "from_json", f.Args[0], quoted(at, `["JSON"]`))}
	case list == "texts":
		elements := Called(at, "from_json", f.Args[0], quoted(at, `["JSON"]`))
		out.Name, out.Args = "unnest", []ast.Expr{Called(at, "list_transform", elements, lambda(at, func(x ast.Expr) ast.Expr {
			return &ast.Arrow{Span: f.Span, X: x, Path: quoted(at, "$"), Text: true}
		}))}
	default:
		out.Name, out.Args = "unnest", []ast.Expr{Called(at, list, f.Args...)}
	}
	if out.Alias == "" {
		out.Alias = f.Name
	}
	return &out
}

// parseIdent is the parts of a qualified name, without their quotes.
func parseIdent(c *ast.Call) ast.Expr {
	parts := Called(c, "regexp_extract_all", c.Args[0], quoted(c, `"(?:[^"]|"")*"|[^.]+`))
	return Called(c, "list_transform", parts, lambda(c, func(x ast.Expr) ast.Expr {
		inner := Called(c, "substr", x, whole(c, "2"), &ast.Binary{Span: c.Span, Op: ast.Sub, L: Called(c, "len", x), R: whole(c, "2")})
		unquoted := Called(c, "replace", inner, quoted(c, `""`), quoted(c, `"`))
		return &ast.Case{Span: c.Span, Whens: []ast.When{{Cond: Called(c, "starts_with", x, quoted(c, `"`)), Then: unquoted}}, Else: Called(c, "lower", x)}
	}))
}

// setConfig is set_config(name, value, local): the value. What a statement sets has no effect here, and
// values that would have one are set by SET.
func setConfig(c *ast.Call) ast.Expr { return asText(c, c.Args[1]) }
