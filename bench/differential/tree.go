package differential

import "strings"

// An expr is an expression. In its form, each $ stands for the next argument and @ for
// the query.
type expr struct {
	typ   typ
	form  string
	args  []*expr
	query *query
}

// A query is SELECT or a set operation, with what may stand around it.
type query struct {
	with      []*cte
	recursive bool
	body      *selection
	op        string // of a set operation
	sides     [2]*query
	order     []*order
	limit     string // with OFFSET
}

type cte struct {
	name  string // with column list
	mode  string // MATERIALIZED
	query *query
}

type order struct {
	expr *expr
	mode string
}

// A selection is SELECT without ORDER BY. Column i of its answer is named c and i.
type selection struct {
	distinct string // with $ for on
	on       []*expr
	items    []*expr
	from     *from
	where    *expr
	groups   []*expr
	sets     string // what follows GROUP BY, with $ for the groups
	having   *expr
	window   string // what follows FROM and WHERE, with $ for the arguments
	windows  []*expr
	qualify  *expr
	single   bool // an aggregate without GROUP BY, or by ()
}

// A from is a table or query, or a join of two.
type from struct {
	text        string // of a table, with alias; @ stands for the query
	query       *query
	join        string
	left, right *from
	on          *expr
	using       string
}

func (e *expr) write(b *strings.Builder) {
	fill(b, e.form, e.args, e.query)
}

func fill(b *strings.Builder, form string, args []*expr, q *query) {
	for _, r := range form {
		switch r {
		case '$':
			args[0].write(b)
			args = args[1:]
		case '@':
			q.write(b)
		default:
			b.WriteRune(r)
		}
	}
}

func (q *query) String() string {
	var b strings.Builder
	q.write(&b)
	return b.String()
}

func (q *query) write(b *strings.Builder) {
	for i, c := range q.with {
		switch {
		case i > 0:
			b.WriteString(", ")
		case q.recursive:
			b.WriteString("WITH RECURSIVE ")
		default:
			b.WriteString("WITH ")
		}
		b.WriteString(c.name + " AS " + c.mode + "(")
		c.query.write(b)
		b.WriteString(")")
	}
	if len(q.with) > 0 {
		b.WriteString(" ")
	}
	if q.body != nil {
		q.body.write(b)
	} else {
		for i, side := range q.sides {
			if i > 0 {
				b.WriteString(" " + q.op + " ")
			}
			b.WriteString("(")
			side.write(b)
			b.WriteString(")")
		}
	}
	for i, o := range q.order {
		b.WriteString(separator(i, " ORDER BY "))
		o.expr.write(b)
		b.WriteString(o.mode)
	}
	b.WriteString(q.limit)
}

func separator(i int, first string) string {
	if i == 0 {
		return first
	}
	return ", "
}

func (s *selection) write(b *strings.Builder) {
	b.WriteString("SELECT ")
	fill(b, s.distinct, s.on, nil)
	for i, item := range s.items {
		b.WriteString(separator(i, ""))
		item.write(b)
		b.WriteString(" AS " + outName(i))
	}
	if s.from != nil {
		b.WriteString(" FROM ")
		s.from.write(b)
	}
	clause(b, " WHERE ", s.where)
	if s.sets != "" {
		b.WriteString(" GROUP BY ")
		fill(b, s.sets, s.groups, nil)
	}
	clause(b, " HAVING ", s.having)
	fill(b, s.window, s.windows, nil)
	clause(b, " QUALIFY ", s.qualify)
}

func clause(b *strings.Builder, name string, e *expr) {
	if e != nil {
		b.WriteString(name)
		e.write(b)
	}
}

func (f *from) write(b *strings.Builder) {
	if f.join == "" {
		fill(b, f.text, nil, f.query)
		return
	}
	f.left.write(b)
	b.WriteString(f.join)
	if f.right.join != "" {
		b.WriteString("(")
		f.right.write(b)
		b.WriteString(")")
	} else {
		f.right.write(b)
	}
	clause(b, " ON ", f.on)
	b.WriteString(f.using)
}
