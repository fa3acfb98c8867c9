package enginetest

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
)

// predicates makes random predicates over a table, in every form that pruning knows,
// over columns of every type and functions of them. The values are those of the
// table, the bounds of its pages and row groups, and their neighbours.
type predicates struct {
	*rand.Rand
	db     *sql.DB // without pruning
	table  string  // quoted
	all    table
	bounds map[string][]string // by column: min and max of pages and row groups, as text
	row    int                 // the current row: a predicate with finds is true for it
	here   string              // the current row as a condition
	where  []string            // by row
}

// predicate is a condition and the values of its placeholders. finds says that it is
// true for the current row.
type predicate struct {
	text  string
	args  []any
	finds bool
}

// newPredicates is for a table whose rows are all; each row ends with its rowID.
func newPredicates(r *rand.Rand, db *sql.DB, name string, all table) *predicates {
	p := &predicates{Rand: r, db: db, table: quoted(name), all: all, bounds: map[string][]string{}}
	for _, part := range []string{"$pages", "$columns"} {
		found, err := queryTable(db, "SELECT column, min, max FROM "+quoted(name+part)+" WHERE min IS NOT NULL OR max IS NOT NULL LIMIT 5000")
		if err != nil {
			continue
		}
		for _, row := range found.rows {
			for _, v := range row[1:] {
				if s, ok := v.(string); ok {
					c := row[0].(string)
					p.bounds[c] = append(p.bounds[c], s)
				}
			}
		}
	}
	for _, row := range all.rows {
		id := row[len(row)-3:] // rowID
		p.where = append(p.where, fmt.Sprintf("_file = '%s' AND _row_group = %d AND _row = %d", strings.ReplaceAll(id[0].(string), "'", "''"), id[1], id[2]))
	}
	return p
}

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// anyColumn is a column that has an order.
func (p *predicates) anyColumn() string {
	for range 20 {
		if c := p.all.types[p.IntN(len(p.all.types))]; ordered(c.DatabaseTypeName()) {
			return quoted(c.Name())
		}
	}
	return "_row"
}

func ordered(kind string) bool {
	switch kind {
	case "LIST", "MAP", "JSON", "BSON", "VARIANT", "GEOMETRY", "GEOGRAPHY", "NULL":
		return false
	}
	return true
}

// predicate combines comparisons up to depth levels. It returns false if it finds
// none.
func (p *predicates) predicate(depth int) (predicate, bool) {
	if depth == 2 {
		p.row = p.IntN(len(p.all.rows))
		p.here = p.where[p.row]
	}
	if depth == 0 || p.IntN(3) == 0 {
		return p.comparison()
	}
	a, ok := p.predicate(depth - 1)
	if !ok {
		return a, false
	}
	switch p.IntN(6) {
	case 0, 1, 2:
		b, ok := p.predicate(depth - 1)
		if !ok {
			return a, true
		}
		args := append(a.args[:len(a.args):len(a.args)], b.args...)
		if p.IntN(2) == 0 {
			return predicate{"(" + a.text + " AND " + b.text + ")", args, a.finds && b.finds}, true
		}
		return predicate{"(" + a.text + " OR " + b.text + ")", args, a.finds || b.finds}, true
	case 3:
		return predicate{"NOT (" + a.text + ")", a.args, false}, true
	case 4:
		form := pick(p.Rand, []string{"IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE"})
		return predicate{"(" + a.text + ") " + form, a.args, a.finds && (form == "IS TRUE" || form == "IS NOT FALSE")}, true
	}
	return a, true
}

// comparison compares one column, or a function of one.
func (p *predicates) comparison() (predicate, bool) {
	c := p.all.types[p.IntN(len(p.all.types))]
	kind, name, v := c.DatabaseTypeName(), quoted(c.Name()), p.all.rows[p.row][p.columnIndex(c)]
	x := operand{p: p, text: name, kind: kind, column: c.Name(), value: v}
	if !ordered(kind) || p.IntN(14) == 0 {
		if p.IntN(2) == 0 {
			return predicate{name + " IS NULL", nil, v == nil}, true
		}
		return predicate{name + " IS NOT NULL", nil, v != nil}, true
	}
	if kind == "BOOLEAN" && p.IntN(2) == 0 {
		b, _ := v.(bool)
		return predicate{name, nil, b}, true
	}
	if p.IntN(3) == 0 {
		if f, ok := x.inFunction(); ok {
			x = f
		}
	}
	return x.compared()
}

func (p *predicates) columnIndex(c *sql.ColumnType) int {
	for i, t := range p.all.types {
		if t == c {
			return i
		}
	}
	return -1
}

// operand is the left side of a comparison and its value in the current row.
type operand struct {
	p      *predicates
	text   string
	kind   string // DatabaseTypeName
	column string // the column whose bounds are of interest; "" for a function
	value  any
}

// functions are functions of a column x by its type: those that pruning knows to be
// monotone, and some that are not.
var functions = map[string][]string{
	"INTEGER": {"x + 1", "x - 3", "-x", "x * 2", "x * -1", "x / 4", "x DIV 3", "x % 3", "ABS(x)", "CAST(x AS DOUBLE)", "CAST(x AS FLOAT)", "CAST(x AS DECIMAL(25,2))",
		"CAST(x AS VARCHAR)", "TRY_CAST(x AS SMALLINT)", "CAST(x AS BIGINT)", "x * 1.5", "x + 9223372036854775800", "COALESCE(x, 7)", "ROUND(x, -1)"},
	"DECIMAL":   {"x + 1", "x - 0.5", "-x", "x * -2", "CAST(x AS DOUBLE)", "CAST(x AS BIGINT)", "ROUND(x)", "FLOOR(x)", "CEIL(x)", "CAST(x AS DECIMAL(38,3))", "TRY_CAST(x AS DECIMAL(3,1))", "ABS(x)"},
	"DOUBLE":    {"x + 1", "x - 1e10", "-x", "x * 2", "CAST(x AS FLOAT)", "CAST(x AS DOUBLE)", "TRY_CAST(x AS BIGINT)", "ROUND(x)", "FLOOR(x)", "CEIL(x)", "TRUNC(x)", "ABS(x)", "1 - x"},
	"DATE":      {"YEAR(x)", "MONTH(x)", "x + INTERVAL '1' MONTH", "x - INTERVAL '3' DAY", "LAST_DAY(x)", "DATE_TRUNC('year', x)", "CAST(x AS TIMESTAMP)", "CAST(x AS VARCHAR)"},
	"TIMESTAMP": {"DATE(x)", "YEAR(x)", "x + INTERVAL '1' MONTH", "x - INTERVAL '90' MINUTE", "x + INTERVAL '1 month -1 day'", "DATE_TRUNC('month', x)", "DATE_TRUNC('hour', x)", "CAST(x AS DATE)", "CAST(x AS TIMESTAMPTZ)", "HOUR(x)", "LAST_DAY(x)"},
	"VARCHAR":   {"UPPER(x)", "LENGTH(x)", "x || 'a'", "SUBSTRING(x, 1, 2)", "COALESCE(x, 'b')", "CAST(x AS BLOB)"},
	"BOOLEAN":   {"CAST(x AS INTEGER)", "NOT x", "COALESCE(x, TRUE)"},
}

func family(kind string) string {
	switch kind {
	case "TINYINT", "SMALLINT", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT":
		return "INTEGER"
	case "FLOAT", "HALF":
		return "DOUBLE"
	case "TIMESTAMPTZ":
		return "TIMESTAMP"
	case "ENUM":
		return "VARCHAR"
	}
	return kind
}

// inFunction is a function of the operand, and false where it fails for the row.
func (x operand) inFunction() (operand, bool) {
	list := functions[family(x.kind)]
	if len(list) == 0 {
		return x, false
	}
	f := pick(x.p.Rand, list)
	text := "(" + strings.ReplaceAll(f, "x", x.text) + ")"
	if strings.Contains(f, "x ||") {
		text = "(" + x.text + f[1:] + ")"
	}
	got, err := queryTable(x.p.db, "SELECT "+text+" FROM "+x.p.table+" WHERE "+x.p.here)
	if err != nil || len(got.rows) != 1 {
		return x, false
	}
	return operand{p: x.p, text: text, kind: got.types[0].DatabaseTypeName(), value: got.rows[0][0]}, true
}

// compared is a comparison of the operand with values near its own.
func (x operand) compared() (predicate, bool) {
	p := x.p
	own, ok := x.literal(x.value, true)
	if !ok {
		return predicate{x.text + " IS NULL", nil, x.value == nil}, true
	}
	near, ok := x.near()
	if !ok {
		return predicate{}, false
	}
	with := func(format string, of ...predicate) predicate {
		var args []any
		texts := []any{x.text}
		for _, o := range of {
			args, texts = append(args, o.args...), append(texts, o.text)
		}
		return predicate{text: fmt.Sprintf(format, texts...), args: args}
	}
	finds := func(q predicate) (predicate, bool) { q.finds = true; return q, true }
	switch p.IntN(14) {
	case 0:
		return finds(with("%s >= %s", own))
	case 1:
		return finds(with("%s <= %s", own))
	case 2:
		return finds(with("%s IS NOT DISTINCT FROM %s", own))
	case 3:
		return x.in(own)
	case 4, 5:
		other, ok := x.near()
		if !ok {
			return predicate{}, false
		}
		return with(pick(p.Rand, []string{"%s BETWEEN %s AND %s", "%s NOT BETWEEN %s AND %s"}), near, other), true
	case 6:
		return with("%s IS DISTINCT FROM %s", near), true
	case 7, 8:
		if s, ok := x.value.(string); ok && family(x.kind) == "VARCHAR" {
			return x.like(s), true
		}
	case 9:
		return finds(with("%s = %s", own))
	}
	return with("%s "+pick(p.Rand, []string{"=", "<>", "<", "<=", ">", ">="})+" %s", near), true
}

// in is an IN of few or many values, sometimes with NULL, sometimes NOT.
func (x operand) in(own predicate) (predicate, bool) {
	n, not := 1+x.p.IntN(3), x.p.IntN(4) == 0
	if x.p.IntN(3) == 0 {
		n = 10 + x.p.IntN(300)
	}
	out := predicate{finds: !not}
	var texts []string
	add := func(v predicate) { texts, out.args = append(texts, v.text), append(out.args, v.args...) }
	for range n {
		if v, ok := x.near(); ok {
			add(v)
		}
	}
	switch {
	case !not:
		add(own)
	case len(texts) == 0:
		return out, false
	}
	if x.p.IntN(6) == 0 {
		texts = append(texts, "NULL")
	}
	out.text = x.text + map[bool]string{true: " NOT IN (", false: " IN ("}[not] + strings.Join(texts, ", ") + ")"
	return out, true
}

// like matches a beginning of the operand's value.
func (x operand) like(s string) predicate {
	runes := []rune(strings.ToValidUTF8(s, ""))
	prefix := string(runes[:x.p.IntN(len(runes)+1)])
	escaped := strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(prefix)
	plain := !strings.ContainsAny(prefix, "%_!") && prefix == s[:min(len(prefix), len(s))]
	switch x.p.IntN(5) {
	case 0:
		return predicate{x.text + " LIKE ? ESCAPE '!'", []any{escaped + "%"}, strings.HasPrefix(s, prefix)}
	case 1:
		return predicate{x.text + " NOT LIKE ?", []any{prefix + "%"}, false}
	case 2:
		return predicate{x.text + " ILIKE ?", []any{strings.ToUpper(prefix) + "%"}, false}
	case 3:
		return predicate{x.text + " LIKE ?", []any{prefix + pick(x.p.Rand, []string{"_%", "_", "%a%", ""})}, false}
	}
	return predicate{x.text + " LIKE ?", []any{prefix + "%"}, plain}
}
