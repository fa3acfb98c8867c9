package desugar

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// What follows the arguments of an aggregate (DISTINCT, ORDER BY, FILTER, OVER) belongs to the
// aggregate within.

// Call is what a call is short for; the call itself for most functions.
func Call(c *ast.Call) ast.Expr {
	m := macros[strings.ToLower(c.Name)]
	if m.expand == nil || m.args != len(c.Args) && m.args > 0 || c.ArgNames != nil && !strings.EqualFold(c.Name, "make_interval") || c.Star {
		return c
	}
	return m.expand(c)
}

// macros are the functions by name, with the number of their arguments; 0 is any.
var macros = map[string]struct {
	args   int
	expand func(*ast.Call) ast.Expr
}{
	"_pg_expandarray":         {1, expandArray},
	"ago":                     {1, ago},
	"alias":                   {1, alias},
	"array_lower":             {2, arrayBound},
	"array_remove":            {2, arrayRemove},
	"array_upper":             {2, arrayBound},
	"current_schemas":         {1, currentSchemas},
	"clock_timestamp":         {0, renamed("now")},
	"date_bin":                {3, renamed("time_bucket")},
	"date_trunc":              {3, dateTruncInZone},
	"json_build_array":        {0, jsonBuild},
	"json_build_object":       {0, jsonBuild},
	"jsonb_build_array":       {0, jsonBuild},
	"jsonb_build_object":      {0, jsonBuild},
	"json_agg":                {1, jsonGroupArray},
	"json_extract_path":       {0, jsonPath},
	"json_extract_path_text":  {0, jsonPath},
	"jsonb_extract_path":      {0, jsonPath},
	"jsonb_extract_path_text": {0, jsonPath},
	"jsonb_array_length":      {1, renamed("json_array_length")},
	"jsonb_pretty":            {1, renamed("json_pretty")},
	"set_config":              {3, setConfig},
	"statement_timestamp":     {0, renamed("now")},
	"to_jsonb":                {1, renamed("to_json")},
	"json_object_agg":         {2, jsonGroupObject},
	"json_typeof":             {1, jsonTypeof},
	"jsonb_agg":               {1, jsonGroupArray},
	"jsonb_object_agg":        {2, jsonGroupObject},
	"jsonb_typeof":            {1, jsonTypeof},
	"json_group_array":        {1, jsonGroupArray},
	"json_group_object":       {2, jsonGroupObject},
	"json_group_structure":    {1, jsonGroupStructure},
	"parse_ident":             {1, parseIdent},
	"quote_nullable":          {1, quoteNullable},
	"make_interval":           {0, makeInterval},
	"regexp_match":            {2, regexpMatch},
	"regexp_split_to_table":   {0, rowOfEach("regexp_split_to_array")},
	"string_to_array":         {3, splitWithNull},
	"string_to_table":         {2, rowOfEach("string_to_array")},
	"timestampadd":            {3, quotedUnit},
	"timestampdiff":           {3, quotedUnit},
	"to_date":                 {2, byTemplate},
	"to_regclass":             {1, toObject},
	"to_regnamespace":         {1, toObject},
	"to_regrole":              {1, toObject},
	"to_regtype":              {1, toObject},
	"to_timestamp":            {2, byTemplate},
	"width_bucket":            {2, bucketOf},
}

// ago is the time before now by an interval.
func ago(c *ast.Call) ast.Expr {
	return &ast.Binary{Span: c.Span, Op: ast.Sub, L: Called(c, "now"), R: c.Args[0]}
}

// quotedUnit is a call of MySQL's, where the part of time is a word: TIMESTAMPDIFF(DAY, a, b).
func quotedUnit(c *ast.Call) ast.Expr {
	if id, ok := c.Args[0].(*ast.Ident); ok && len(id.Parts) == 1 {
		c.Args[0] = &ast.Literal{Span: id.Span, Kind: ast.String, Text: id.Parts[0]}
	}
	return c
}

// alias is the name of a column.
func alias(c *ast.Call) ast.Expr {
	if id, ok := c.Args[0].(*ast.Ident); ok {
		return quoted(c, id.Parts[len(id.Parts)-1])
	}
	return c
}

// jsonGroupArray is '[' || STRING_AGG(value, ',') || ']', as JSON.
func jsonGroupArray(c *ast.Call) ast.Expr {
	return joined(c, "[]", jsonText(c, c.Args[0]))
}

// jsonGroupObject is '{' || STRING_AGG(name || ':' || value, ',') || '}', as JSON.
func jsonGroupObject(c *ast.Call) ast.Expr {
	name := Called(c, "to_json", asText(c, c.Args[0]))
	member := concatenated(c, asText(c, name), quoted(c, ":"), jsonText(c, c.Args[1]))
	return joined(c, "{}", member)
}

// jsonGroupStructure is the structure of the elements of an array of all values.
func jsonGroupStructure(c *ast.Call) ast.Expr {
	first := &ast.Literal{Span: c.Span, Kind: ast.Integer, Text: "0"}
	return Called(c, "json_extract", Called(c, "json_structure", joined(c, "[]", jsonText(c, c.Args[0]))), first)
}

// joined is texts of JSON, with commas between them, between brackets. Over the frames of a window it is made of STRING_AGG, which shares the
// texts of all frames.
func joined(c *ast.Call, brackets string, value ast.Expr) ast.Expr {
	all := *c
	if c.Over == nil {
		all.Name, all.Args = "json_group", []ast.Expr{value, quoted(c, brackets)}
		return &all
	}
	all.Name, all.Args = "string_agg", []ast.Expr{value, quoted(c, ",")}
	text := concatenated(c, quoted(c, brackets[:1]), &all, quoted(c, brackets[1:]))
	return &ast.Cast{Span: c.Span, X: text, Type: ast.TypeName{Span: c.Span, Name: "JSON"}}
}

// jsonText is a value as JSON text, where NULL is null.
func jsonText(c *ast.Call, x ast.Expr) ast.Expr {
	return Called(c, "coalesce", asText(c, Called(c, "to_json", x)), quoted(c, "null"))
}

func asText(c *ast.Call, x ast.Expr) ast.Expr {
	return &ast.Cast{Span: c.Span, X: x, Type: ast.TypeName{Span: c.Span, Name: "VARCHAR"}}
}

// Called is a call at the place of another one.
func Called(c *ast.Call, name string, args ...ast.Expr) ast.Expr {
	return &ast.Call{Span: c.Span, Name: name, Args: args}
}

func quoted(c *ast.Call, text string) ast.Expr {
	return &ast.Literal{Span: c.Span, Kind: ast.String, Text: text}
}

func concatenated(c *ast.Call, parts ...ast.Expr) ast.Expr {
	x := parts[0]
	for _, p := range parts[1:] {
		x = &ast.Binary{Span: c.Span, Op: ast.Concat, L: x, R: p}
	}
	return x
}
