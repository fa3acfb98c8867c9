package dialect_test

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// formatExpr writes an expression as an S-expression, so that tests can compare its
// structure.
func formatExpr(e ast.Expr) string {
	switch e := e.(type) {
	case nil:
		return "()"
	case *ast.Ident:
		return strings.Join(e.Parts, ".")
	case *ast.Literal:
		return literalText(e)
	case *ast.Typed:
		return fmt.Sprintf("(%s '%s')", typeText(e.Type), e.Text)
	case *ast.Interval:
		return list("interval", formatExpr(e.Value), e.Unit)
	case *ast.Param:
		if e.Name != "" {
			return ":" + e.Name
		}
		return fmt.Sprintf("$%d", e.Ordinal)
	case *ast.Unary:
		return list(e.Op.String(), formatExpr(e.X))
	case *ast.Binary:
		return list(e.Op.String(), formatExpr(e.L), formatExpr(e.R))
	case *ast.Logic:
		if e.Or {
			return list("OR", formats(e.Args)...)
		}
		return list("AND", formats(e.Args)...)
	}
	return formatPredicate(e)
}

func formatPredicate(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Between:
		return list(not(e.Not)+"BETWEEN", formatExpr(e.X), formatExpr(e.Lo), formatExpr(e.Hi))
	case *ast.In:
		if e.Query != nil {
			return list(not(e.Not)+"IN", formatExpr(e.X), formatQuery(e.Query))
		}
		if e.Within != nil {
			return list(not(e.Not)+"WITHIN", formatExpr(e.X), formatExpr(e.Within))
		}
		return list(not(e.Not)+"IN", append([]string{formatExpr(e.X)}, formats(e.List)...)...)
	case *ast.Match:
		names := [...]string{ast.Like: "LIKE", ast.ILike: "ILIKE", ast.Regexp: "REGEXP", ast.SimilarTo: "SIMILAR", ast.Glob: "GLOB", ast.Tilde: "~"}
		parts := []string{formatExpr(e.X), formatExpr(e.Pattern)}
		if e.Escape != nil {
			parts = append(parts, formatExpr(e.Escape))
		}
		return list(not(e.Not)+names[e.Kind], parts...)
	case *ast.Is:
		return list("IS "+not(e.Not)+[...]string{ast.IsNull: "NULL", ast.IsTrue: "TRUE", ast.IsFalse: "FALSE"}[e.Kind], formatExpr(e.X))
	case *ast.DistinctFrom:
		return list("IS "+not(e.Not)+"DISTINCT", formatExpr(e.L), formatExpr(e.R))
	case *ast.Exists:
		return list("EXISTS", formatQuery(e.Query))
	case *ast.Quantified:
		name := "ANY"
		if e.All {
			name = "ALL"
		}
		if e.Query != nil {
			return list(name, formatQuery(e.Query))
		}
		return list(name, formatExpr(e.Arg))
	}
	return formatValue(e)
}

func formatValue(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Case:
		parts := []string{}
		if e.Operand != nil {
			parts = append(parts, formatExpr(e.Operand))
		}
		for _, w := range e.Whens {
			parts = append(parts, "["+formatExpr(w.Cond)+" "+formatExpr(w.Then)+"]")
		}
		return list("CASE", append(parts, formatExpr(e.Else))...)
	case *ast.Cast:
		if e.Try {
			return list("TRY_CAST", formatExpr(e.X), typeText(e.Type))
		}
		return list("CAST", formatExpr(e.X), typeText(e.Type))
	case *ast.Call:
		return formatCall(e)
	case *ast.Subscript:
		return list("[]", formatExpr(e.X), formatExpr(e.Index))
	case *ast.Collate:
		return list("COLLATE", append([]string{formatExpr(e.X)}, e.Names...)...)
	case *ast.Slice:
		return list("[:]", formatExpr(e.X), formatExpr(e.From), formatExpr(e.To), formatExpr(e.Step))
	case *ast.Arrow:
		if e.Text {
			return list("->>", formatExpr(e.X), formatExpr(e.Path))
		}
		return list("->", formatExpr(e.X), formatExpr(e.Path))
	case *ast.Field:
		return list(".", formatExpr(e.X), e.Name)
	case *ast.Lambda:
		return list("LAMBDA "+strings.Join(e.Params, ","), formatExpr(e.Body))
	case *ast.Row:
		return list("ROW", formats(e.Items)...)
	case *ast.Subquery:
		return list("QUERY", formatQuery(e.Query))
	case *ast.Star:
		return strings.Join(append(append([]string{}, e.Table...), "*"), ".")
	}
	return fmt.Sprintf("%T", e)
}

func formatCall(c *ast.Call) string {
	parts := []string{}
	if c.Distinct {
		parts = append(parts, "DISTINCT")
	}
	if c.Star {
		parts = append(parts, "*")
	}
	for i, a := range formats(c.Args) {
		if i < len(c.ArgNames) && c.ArgNames[i] != "" {
			a = c.ArgNames[i] + ":=" + a
		}
		parts = append(parts, a)
	}
	parts = append(parts, formatOrders(c.OrderBy)...)
	if c.Filter != nil {
		parts = append(parts, list("FILTER", formatExpr(c.Filter)))
	}
	if w := c.Over; w != nil {
		if c.IgnoreNulls {
			parts = append(parts, "IGNORE")
		}
		parts = append(parts, list("OVER", append(append(formats(w.Partition), formatOrders(w.OrderBy)...), formatFrame(w.Frame)...)...))
	}
	return list(c.Name, parts...)
}

// formatFrame writes << for UNBOUNDED PRECEDING, < for PRECEDING, == for CURRENT ROW and
// so on.
func formatFrame(f *ast.Frame) (out []string) {
	if f == nil {
		return nil
	}
	bound := func(b ast.FrameBound) {
		if b.Offset != nil {
			out = append(out, formatExpr(b.Offset))
		}
		out = append(out, [...]string{"<<", "<", "==", ">", ">>"}[b.Kind])
	}
	out = append(out, [...]string{ast.Range: "RANGE", ast.Rows: "ROWS", ast.Groups: "GROUPS"}[f.Unit])
	bound(f.Start)
	out = append(out, "TO")
	bound(f.End)
	if f.Exclude != ast.ExcludeNone {
		out = append(out, "EXCLUDE", [...]string{"", "ROW", "GROUP", "TIES"}[f.Exclude])
	}
	return out
}

func formatOrders(orders []ast.Order) []string {
	var out []string
	for _, o := range orders {
		s := "ORDER " + formatExpr(o.Expr)
		if o.Desc {
			s += " DESC"
		}
		out = append(out, s+[...]string{ast.NullsDefault: "", ast.NullsFirst: " NULLS FIRST", ast.NullsLast: " NULLS LAST"}[o.Nulls])
	}
	return out
}

// literalText is the literal as SQL.
func literalText(l *ast.Literal) string {
	switch l.Kind {
	case ast.Null:
		return "NULL"
	case ast.True:
		return "TRUE"
	case ast.False:
		return "FALSE"
	case ast.String:
		return "'" + strings.ReplaceAll(l.Text, "'", "''") + "'"
	case ast.Blob:
		return fmt.Sprintf("x'%x'", l.Text)
	}
	return l.Text
}

// typeText is the type as SQL.
func typeText(t ast.TypeName) string {
	text := t.Name
	if len(t.Args) > 0 {
		text += strings.ReplaceAll(strings.Trim(fmt.Sprint(t.Args), "[]"), " ", ",")
	}
	if len(t.Fields) == 0 {
		return text
	}
	fields := []string{}
	for _, f := range t.Fields {
		fields = append(fields, strings.TrimSpace(f.Name+" "+typeText(f.Type)))
	}
	return list(text, fields...)
}

func not(n bool) string {
	if n {
		return "NOT "
	}
	return ""
}

func formats(list []ast.Expr) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = formatExpr(e)
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

// formatQuery writes a query like formatExpr.
func formatQuery(q *ast.Query) string {
	var parts []string
	for _, c := range q.With {
		parts = append(parts, list("WITH", append(append([]string{c.Name}, c.Columns...), formatQuery(c.Query))...))
	}
	parts = append(parts, formatBody(q.Body))
	parts = append(parts, formatOrders(q.OrderBy)...)
	if q.Limit != nil {
		parts = append(parts, "LIMIT "+formatExpr(q.Limit))
	}
	if q.Offset != nil {
		parts = append(parts, "OFFSET "+formatExpr(q.Offset))
	}
	return strings.Join(parts, " ")
}

func formatBody(b ast.Body) string {
	switch b := b.(type) {
	case *ast.Query:
		return list("", formatQuery(b))
	case *ast.Values:
		var rows []string
		for _, r := range b.Rows {
			rows = append(rows, list("", formats(r)...))
		}
		return list("VALUES", rows...)
	case *ast.SetOp:
		name := b.Kind.String()
		if b.All {
			name += " ALL"
		}
		if b.ByName {
			name += " BY NAME"
		}
		return list(name, formatBody(b.L), formatBody(b.R))
	}
	s := b.(*ast.Select)
	head := "SELECT"
	if s.Distinct {
		head += " DISTINCT"
	}
	for _, i := range s.Items {
		head += " " + formatExpr(i.Expr)
		if i.Alias != "" {
			head += ":" + i.Alias
		}
	}
	if s.From != nil {
		head += " FROM " + formatTable(s.From)
	}
	if s.Where != nil {
		head += " WHERE " + formatExpr(s.Where)
	}
	if s.GroupBy != nil {
		head += " GROUP " + formatGroupings(s.GroupBy)
	}
	if s.Having != nil {
		head += " HAVING " + formatExpr(s.Having)
	}
	return head
}

// formatGroupings writes the elements of GROUP BY; one key stands for itself.
func formatGroupings(list []*ast.Grouping) string {
	var out []string
	for _, g := range list {
		switch {
		case g.Kind != ast.GroupKeys:
			kind := [...]string{ast.GroupRollup: "ROLLUP", ast.GroupCube: "CUBE", ast.GroupSets: "SETS"}[g.Kind]
			out = append(out, "("+kind+" "+formatGroupings(g.Parts)+")")
		case len(g.Keys) == 1:
			out = append(out, formatExpr(g.Keys[0]))
		default:
			out = append(out, "("+strings.Join(formats(g.Keys), " ")+")")
		}
	}
	return strings.Join(out, " ")
}

// formatTable writes an entry of FROM like formatExpr.
func formatTable(t ast.TableExpr) string {
	var alias string
	var columns []string
	var s string
	switch t := t.(type) {
	case *ast.TableName:
		s, alias, columns = strings.Join(t.Parts, "."), t.Alias, t.Columns
	case *ast.Derived:
		s, alias, columns = list("", formatQuery(t.Query)), t.Alias, t.Columns
	case *ast.Join:
		parts := []string{formatTable(t.L), formatTable(t.R)}
		if t.On != nil {
			parts = append(parts, "ON "+formatExpr(t.On))
		}
		if t.Using != nil {
			parts = append(parts, list("USING", t.Using...))
		}
		kind := t.Kind.String()
		if t.Asof {
			kind = "ASOF " + kind
		}
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
