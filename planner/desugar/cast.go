package desugar

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// Cast is what a cast to one of PostgreSQL's types of objects stands for; the cast itself for other
// types. Of a text, which names an object, it is the number that the catalog has for it; of a number
// it is the name: 'orders'::regclass is 16387, and c.oid::regclass is orders.
func Cast(c *ast.Cast) ast.Expr {
	if len(c.Type.Args) > 0 || len(c.Type.Fields) > 0 {
		return c
	}
	of, ok := objects[c.Type.Name]
	if !ok {
		return c
	}
	name, isText := objectName(c.X)
	_, param := c.X.(*ast.Param)
	switch {
	case isText && strings.Trim(name, "0123456789") == "" && name != "":
		return &ast.Literal{Span: c.Span, Kind: ast.Integer, Text: name}
	case of.catalog == "" && isText:
		return &ast.Literal{Span: c.Span, Kind: ast.String, Text: name}
	case of.catalog == "":
		return textOf(c)
	case isText && of.known[name] != "":
		return &ast.Literal{Span: c.Span, Kind: ast.Integer, Text: of.known[name]}
	case isText:
		return lookUp(c, of.catalog, "oid", of.column, &ast.Literal{Span: c.Span, Kind: ast.String, Text: name})
	case param:
		return lookUp(c, of.catalog, "oid", of.column, textOf(c))
	}
	number := &ast.Cast{Span: c.Span, X: c.X, Type: ast.TypeName{Span: c.Span, Name: "BIGINT"}, Try: true}
	return lookUp(c, of.catalog, of.column, "oid", number)
}

// Array is the list that an array in a text means, '{a,"b c",NULL}': what PostgreSQL's clients write
// behind = ANY. Other expressions stay as they are.
func Array(x ast.Expr) ast.Expr {
	if list, ok := arrayLiteral(x); ok {
		return list
	}
	return x
}

func arrayLiteral(x ast.Expr) (*ast.Call, bool) {
	l, ok := x.(*ast.Literal)
	if !ok || l.Kind != ast.String || !strings.HasPrefix(l.Text, "{") || !strings.HasSuffix(l.Text, "}") {
		return nil, false
	}
	call := &ast.Call{Span: l.Span, Name: "list_value"}
	rest := strings.TrimSpace(l.Text[1 : len(l.Text)-1])
	for rest != "" {
		e := &ast.Literal{Span: l.Span, Kind: ast.String}
		if rest, ok = arrayElement(e, rest); !ok {
			return nil, false
		}
		call.Args = append(call.Args, e)
	}
	return call, true
}

// arrayElement reads an element and the comma behind it.
func arrayElement(e *ast.Literal, text string) (rest string, ok bool) {
	var out strings.Builder
	quoted := strings.HasPrefix(text, `"`)
	i := 0
	if quoted {
		i = 1
	}
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			out.WriteByte(text[i])
			continue
		case quoted && c == '"', !quoted && c == ',':
		case !quoted && strings.IndexByte(`{}"`, c) >= 0:
			return "", false
		default:
			out.WriteByte(c)
			continue
		}
		break
	}
	e.Text = out.String()
	rest = text[min(i, len(text)):]
	if quoted {
		if rest == "" {
			return "", false
		}
		rest = strings.TrimSpace(rest[1:])
	} else {
		if e.Text = strings.TrimSpace(e.Text); strings.EqualFold(e.Text, "null") {
			e.Kind = ast.Null
		}
		if e.Text == "" {
			return "", false
		}
	}
	if rest == "" {
		return "", true
	}
	after, comma := strings.CutPrefix(rest, ",")
	after = strings.TrimSpace(after)
	return after, comma && after != ""
}

// objects are the types of objects, with the table of the catalog that has their names.
var objects = map[string]struct {
	catalog, column string
	known           map[string]string // numbers of objects that the table does not list
}{
	"REGCLASS": {"pg_class", "relname", map[string]string{
		"pg_type": "1247", "pg_attribute": "1249", "pg_proc": "1255", "pg_class": "1259", "pg_authid": "1260", "pg_database": "1262", "pg_foreign_server": "1417",
		"pg_tablespace": "1213", "pg_trigger": "2620", "pg_constraint": "2606", "pg_namespace": "2615", "pg_rewrite": "2618", "pg_cast": "2605", "pg_language": "2612",
		"pg_am": "2601", "pg_opclass": "2616", "pg_extension": "3079", "pg_largeobject": "2613", "pg_conversion": "2607", "pg_operator": "2617", "pg_collation": "3456",
		"pg_event_trigger": "3466", "pg_ts_config": "3602", "pg_ts_dict": "3600", "pg_policy": "3256", "pg_publication": "6104", "pg_subscription": "6100",
		"pg_statistic_ext": "3381", "pg_default_acl": "826",
	}},
	"REGTYPE":       {"pg_type", "typname", nil},
	"REGNAMESPACE":  {"pg_namespace", "nspname", nil},
	"REGROLE":       {"pg_roles", "rolname", nil},
	"REGPROC":       {}, // there are no functions in the catalog: a text stays one
	"REGPROCEDURE":  {},
	"REGOPER":       {},
	"REGOPERATOR":   {},
	"REGCOLLATION":  {},
	"REGCONFIG":     {},
	"REGDICTIONARY": {},
}

// objectName is the name that a text has, without its schema and quotes.
func objectName(x ast.Expr) (string, bool) {
	l, ok := x.(*ast.Literal)
	if !ok || l.Kind != ast.String {
		return "", false
	}
	name := strings.TrimSpace(l.Text)
	for _, schema := range []string{"pg_catalog.", "main.", `"main".`, `"pg_catalog".`} {
		name = strings.TrimPrefix(name, schema)
	}
	if len(name) > 1 && strings.HasPrefix(name, `"`) && strings.HasSuffix(name, `"`) {
		name = strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
	}
	return name, true
}

func textOf(c *ast.Cast) ast.Expr {
	return &ast.Cast{Span: c.Span, X: c.X, Type: ast.TypeName{Span: c.Span, Name: "VARCHAR"}}
}

// lookUp is (SELECT column FROM pg_catalog.table WHERE key = x).
func lookUp(c *ast.Cast, table, column, key string, x ast.Expr) ast.Expr {
	name := func(parts ...string) *ast.Ident { return &ast.Ident{Span: c.Span, Parts: parts} }
	const alias = "pg_object"
	s := &ast.Select{
		Span:  c.Span,
		Items: []ast.Item{{Expr: name(alias, column)}},
		From:  &ast.TableName{Span: c.Span, Parts: []string{"pg_catalog", table}, Alias: alias},
		Where: &ast.Binary{Span: c.Span, Op: ast.Eq, L: name(alias, key), R: x},
	}
	return &ast.Subquery{Span: c.Span, Query: &ast.Query{Span: c.Span, Body: s}}
}
