package expr

import (
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// This file writes expressions as SQL.

// String is the column's name.
func (c *Column) String() string { return c.Name }

// String is the value as a literal.
func (c *Const) String() string { return kernel.LiteralText(c.Value) }

// operandText is an operand, in parentheses if it contains an operator.
func operandText(e Expr) string {
	switch e.(type) {
	case *Column, *Const, *Call, *Cast, *Case, *Coalesce, *Render, *Extract, *unkeyed, *keyed, *Guarded:
		return e.String()
	}
	return "(" + e.String() + ")"
}

func infix(l Expr, op string, r Expr) string { return operandText(l) + " " + op + " " + operandText(r) }

func listText(list []Expr) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = e.String()
	}
	return strings.Join(texts, ", ")
}

func notText(not bool) string {
	if not {
		return "NOT "
	}
	return ""
}

// String is l op r.
func (e *Compare) String() string { return infix(e.L, e.Op.String(), e.R) }

// String is l IS [NOT] DISTINCT FROM r.
func (e *DistinctFrom) String() string { return infix(e.L, "IS "+notText(e.Not)+"DISTINCT FROM", e.R) }

// String is the operands joined by AND or OR.
func (e *Logic) String() string {
	op := " AND "
	if e.Or {
		op = " OR "
	}
	texts := make([]string, len(e.Args))
	for i, a := range e.Args {
		texts[i] = a.String()
		if l, ok := a.(*Logic); ok && l.Or != e.Or {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	return strings.Join(texts, op)
}

// String is NOT x.
func (e *Not) String() string { return "NOT " + operandText(e.X) }

// String is x IS [NOT] NULL.
func (e *IsNull) String() string { return operandText(e.X) + " IS " + notText(e.Not) + "NULL" }

// String is x IS [NOT] TRUE or FALSE.
func (e *IsBool) String() string {
	return operandText(e.X) + " IS " + notText(e.Not) + strings.ToUpper(strconv.FormatBool(e.Value))
}

// shownList is the number of values of a long list that String writes.
const shownList = 20

// String is x [NOT] IN (list).
func (e *In) String() string {
	list, more := e.List, ""
	if len(list) > shownList {
		more = ", … " + strconv.Itoa(len(list)-shownList) + " more"
		list = list[:shownList]
	}
	return operandText(e.X) + " " + notText(e.Not) + "IN (" + listText(list) + more + ")"
}

// String is x and what the set says of itself.
func (e *Member) String() string { return operandText(e.X) + " " + e.Set.String() }

// String is x [NOT] LIKE pattern.
func (e *Like) String() string {
	op := notText(e.Not) + "LIKE"
	if e.Insensitive {
		op = notText(e.Not) + "ILIKE"
	}
	text := infix(e.X, op, e.Pattern)
	if e.Escape != nil {
		text += " ESCAPE " + operandText(e.Escape)
	}
	return text
}

// String is CASE with its arms.
func (e *Case) String() string {
	var b strings.Builder
	b.WriteString("CASE")
	for i, w := range e.Whens {
		b.WriteString(" WHEN " + w.String() + " THEN " + e.Thens[i].String())
	}
	if c, ok := e.Else.(*Const); !ok || !c.Value.Null {
		b.WriteString(" ELSE " + e.Else.String())
	}
	b.WriteString(" END")
	return b.String()
}

// String is COALESCE(list).
func (e *Coalesce) String() string { return "COALESCE(" + listText(e.Args) + ")" }

// String is l op r.
func (e *Arith) String() string {
	if e.R == nil {
		return e.Op.String() + operandText(e.L)
	}
	return infix(e.L, e.Op.String(), e.R)
}

// String is -x.
func (e *Neg) String() string { return "-" + operandText(e.X) }

// String is CAST(x AS type).
func (e *Cast) String() string {
	name := "CAST("
	if e.Try {
		name = "TRY_CAST("
	}
	return name + e.X.String() + " AS " + e.T.String() + ")"
}

// String is name(list), and the operator for -> and ->> .
func (e *Call) String() string {
	switch {
	case len(e.Args) != 2:
	case e.Name == "->" || e.Name == "->>":
		return operandText(e.Args[0]) + e.Name + operandText(e.Args[1])
	case e.Name == "||":
		return infix(e.Args[0], e.Name, e.Args[1])
	}
	return e.Name + "(" + listText(e.Args) + ")"
}

// String is the operand: rendering is not part of the expression's text.
func (e *Render) String() string { return e.X.String() }
