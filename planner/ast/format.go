package ast

import (
	"fmt"
	"strings"
)

// Format writes an expression as a Lisp would, so that structure is plain to
// see: tests compare it.
func Format(e Expr) string {
	switch e := e.(type) {
	case nil:
		return "()"
	case *Ident:
		return strings.Join(e.Parts, ".")
	case *Literal:
		return e.String()
	case *Typed:
		return fmt.Sprintf("(%s '%s')", e.Type, e.Text)
	case *Interval:
		return list("interval", Format(e.Value), e.Unit)
	case *Param:
		if e.Name != "" {
			return ":" + e.Name
		}
		return fmt.Sprintf("$%d", e.Ordinal)
	case *Unary:
		return list(e.Op.String(), Format(e.X))
	case *Binary:
		return list(e.Op.String(), Format(e.L), Format(e.R))
	case *Logic:
		if e.Or {
			return list("OR", formats(e.Args)...)
		}
		return list("AND", formats(e.Args)...)
	}
	return formatPredicate(e)
}

func formatPredicate(e Expr) string {
	switch e := e.(type) {
	case *Between:
		return list(not(e.Not)+"BETWEEN", Format(e.X), Format(e.Lo), Format(e.Hi))
	case *In:
		if e.Query != nil {
			return list(not(e.Not)+"IN", Format(e.X), FormatQuery(e.Query))
		}
		return list(not(e.Not)+"IN", append([]string{Format(e.X)}, formats(e.List)...)...)
	case *Match:
		names := [...]string{Like: "LIKE", ILike: "ILIKE", Regexp: "REGEXP", SimilarTo: "SIMILAR", Glob: "GLOB"}
		parts := []string{Format(e.X), Format(e.Pattern)}
		if e.Escape != nil {
			parts = append(parts, Format(e.Escape))
		}
		return list(not(e.Not)+names[e.Kind], parts...)
	case *Is:
		return list("IS "+not(e.Not)+[...]string{IsNull: "NULL", IsTrue: "TRUE", IsFalse: "FALSE"}[e.Kind], Format(e.X))
	case *DistinctFrom:
		return list("IS "+not(e.Not)+"DISTINCT", Format(e.L), Format(e.R))
	case *Exists:
		return list("EXISTS", FormatQuery(e.Query))
	case *Quantified:
		name := "ANY"
		if e.All {
			name = "ALL"
		}
		if e.Query != nil {
			return list(name, FormatQuery(e.Query))
		}
		return list(name, Format(e.Arg))
	}
	return formatValue(e)
}

func formatValue(e Expr) string {
	switch e := e.(type) {
	case *Case:
		parts := []string{}
		if e.Operand != nil {
			parts = append(parts, Format(e.Operand))
		}
		for _, w := range e.Whens {
			parts = append(parts, "["+Format(w.Cond)+" "+Format(w.Then)+"]")
		}
		return list("CASE", append(parts, Format(e.Else))...)
	case *Cast:
		if e.Try {
			return list("TRY_CAST", Format(e.X), e.Type.String())
		}
		return list("CAST", Format(e.X), e.Type.String())
	case *Call:
		return formatCall(e)
	case *Subscript:
		return list("[]", Format(e.X), Format(e.Index))
	case *Arrow:
		if e.Text {
			return list("->>", Format(e.X), Format(e.Path))
		}
		return list("->", Format(e.X), Format(e.Path))
	case *Field:
		return list(".", Format(e.X), e.Name)
	case *Row:
		return list("ROW", formats(e.Items)...)
	case *Subquery:
		return list("QUERY", FormatQuery(e.Query))
	case *Star:
		return strings.Join(append(append([]string{}, e.Table...), "*"), ".")
	}
	return fmt.Sprintf("%T", e)
}

func formatCall(c *Call) string {
	parts := []string{}
	if c.Distinct {
		parts = append(parts, "DISTINCT")
	}
	if c.Star {
		parts = append(parts, "*")
	}
	parts = append(parts, formats(c.Args)...)
	parts = append(parts, formatOrders(c.OrderBy)...)
	if c.Filter != nil {
		parts = append(parts, list("FILTER", Format(c.Filter)))
	}
	if w := c.Over; w != nil {
		parts = append(parts, list("OVER", append(append([]string{w.Name}, formats(w.Partition)...), formatOrders(w.OrderBy)...)...))
	}
	return list(c.Name, parts...)
}

func formatOrders(orders []Order) []string {
	var out []string
	for _, o := range orders {
		s := "ORDER " + Format(o.Expr)
		if o.Desc {
			s += " DESC"
		}
		out = append(out, s+[...]string{NullsDefault: "", NullsFirst: " NULLS FIRST", NullsLast: " NULLS LAST"}[o.Nulls])
	}
	return out
}

// String is the literal as SQL would have it.
func (l *Literal) String() string {
	switch l.Kind {
	case Null:
		return "NULL"
	case True:
		return "TRUE"
	case False:
		return "FALSE"
	case String:
		return "'" + strings.ReplaceAll(l.Text, "'", "''") + "'"
	case Blob:
		return fmt.Sprintf("x'%x'", l.Text)
	}
	return l.Text
}

// String is the type as SQL has it.
func (t TypeName) String() string {
	if len(t.Args) == 0 {
		return t.Name
	}
	return t.Name + strings.ReplaceAll(strings.Trim(fmt.Sprint(t.Args), "[]"), " ", ",")
}

func not(n bool) string {
	if n {
		return "NOT "
	}
	return ""
}

func formats(list []Expr) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = Format(e)
	}
	return out
}

func list(head string, parts ...string) string {
	s := "(" + head
	for _, p := range parts {
		if p != "" {
			s += " " + p
		}
	}
	return s + ")"
}

// FormatQuery writes a query like Format.
func FormatQuery(q *Query) string {
	var parts []string
	for _, c := range q.With {
		parts = append(parts, list("WITH", append(append([]string{c.Name}, c.Columns...), FormatQuery(c.Query))...))
	}
	parts = append(parts, formatBody(q.Body))
	parts = append(parts, formatOrders(q.OrderBy)...)
	if q.Limit != nil {
		parts = append(parts, "LIMIT "+Format(q.Limit))
	}
	if q.Offset != nil {
		parts = append(parts, "OFFSET "+Format(q.Offset))
	}
	return strings.Join(parts, " ")
}

func formatBody(b Body) string {
	switch b := b.(type) {
	case *Query:
		return list("", FormatQuery(b))
	case *Values:
		var rows []string
		for _, r := range b.Rows {
			rows = append(rows, list("", formats(r)...))
		}
		return list("VALUES", rows...)
	case *SetOp:
		name := [...]string{Union: "UNION", Intersect: "INTERSECT", Except: "EXCEPT"}[b.Kind]
		if b.All {
			name += " ALL"
		}
		return list(name, formatBody(b.L), formatBody(b.R))
	}
	s := b.(*Select)
	head := "SELECT"
	if s.Distinct {
		head += " DISTINCT"
	}
	for _, i := range s.Items {
		head += " " + Format(i.Expr)
		if i.Alias != "" {
			head += ":" + i.Alias
		}
	}
	if s.From != nil {
		head += " FROM " + FormatTable(s.From)
	}
	if s.Where != nil {
		head += " WHERE " + Format(s.Where)
	}
	if s.GroupBy != nil {
		head += " GROUP " + strings.Join(formats(s.GroupBy), " ")
	}
	if s.Having != nil {
		head += " HAVING " + Format(s.Having)
	}
	return head
}

// FormatTable writes what stands in FROM like Format.
func FormatTable(t TableExpr) string {
	var alias string
	var columns []string
	var s string
	switch t := t.(type) {
	case *TableName:
		s, alias, columns = strings.Join(t.Parts, "."), t.Alias, t.Columns
	case *Derived:
		s, alias, columns = list("", FormatQuery(t.Query)), t.Alias, t.Columns
	case *Join:
		parts := []string{FormatTable(t.L), FormatTable(t.R)}
		if t.On != nil {
			parts = append(parts, "ON "+Format(t.On))
		}
		if t.Using != nil {
			parts = append(parts, list("USING", t.Using...))
		}
		kind := t.Kind.String()
		if t.Natural {
			kind = "NATURAL " + kind
		}
		return list(kind, parts...)
	}
	if alias != "" {
		s += ":" + alias
	}
	if columns != nil {
		s += list("", columns...)
	}
	return s
}
