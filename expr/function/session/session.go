// Package session has the functions that tools call when they connect or list what there
// is: settings, users, privileges, and those of PostgreSQL's catalog.
package session

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/setting"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Functions are those with arguments.
var Functions = []expr.Function{
	{Name: "CURRENT_SETTING", Help: "the value of a setting, such as those of SHOW VARIABLES", Example: "CURRENT_SETTING('TimeZone') → UTC",
		Binding: define.Custom(settingOf, "VARCHAR → VARCHAR")},
	{Name: "FORMAT_TYPE", Help: "the name of a type in PostgreSQL by its number there", Example: "FORMAT_TYPE(20, NULL) → bigint",
		Binding: define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			list, err := define.Arguments(call, args[:1], []define.Want{define.WantInt})
			if err != nil {
				return nil, err
			}
			return define.Strict(call, list, define.TypeText, kernel.Map1(typeName), false)
		}, "BIGINT, any → VARCHAR")},
	{Name: "QUOTE_IDENT", Help: "the text as a quoted name of SQL", Example: `QUOTE_IDENT('a b') → "a b"`, Total: true, NotNull: true,
		Binding: define.Fixed(define.TypeText, kernel.Map1(func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }), false, define.WantText)},
	allowed("HAS_SCHEMA_PRIVILEGE", "HAS_SCHEMA_PRIVILEGE('main', 'USAGE') → true", 2, 3),
	allowed("HAS_TABLE_PRIVILEGE", "HAS_TABLE_PRIVILEGE('t', 'SELECT') → true", 2, 3),
	allowed("HAS_DATABASE_PRIVILEGE", "HAS_DATABASE_PRIVILEGE('parquet', 'CONNECT') → true", 2, 3),
	allowed("HAS_ANY_COLUMN_PRIVILEGE", "HAS_ANY_COLUMN_PRIVILEGE('t', 'SELECT') → true", 2, 3),
	allowed("HAS_COLUMN_PRIVILEGE", "HAS_COLUMN_PRIVILEGE('t', 'a', 'SELECT') → true", 3, 4),
	constant("PG_TABLE_IS_VISIBLE", "true: all tables can be named without their schema", "PG_TABLE_IS_VISIBLE(1) → true", vector.BoolScalar(true), 1, 1),
	constant("PG_TYPE_IS_VISIBLE", "true", "PG_TYPE_IS_VISIBLE(20) → true", vector.BoolScalar(true), 1, 1),
	constant("PG_FUNCTION_IS_VISIBLE", "true", "PG_FUNCTION_IS_VISIBLE(1) → true", vector.BoolScalar(true), 1, 1),
	constant("PG_GET_USERBYID", "the name of the user", "PG_GET_USERBYID(10) → parquet", vector.StringScalar("parquet"), 1, 1),
	absent("PG_GET_EXPR", "the default of a column", 2, 3),
	absent("PG_GET_CONSTRAINTDEF", "the definition of a constraint", 1, 2),
	absent("PG_GET_INDEXDEF", "the definition of an index", 1, 3),
	absent("PG_GET_VIEWDEF", "the definition of a view", 1, 2),
	absent("OBJ_DESCRIPTION", "the comment on a table", 1, 2),
	absent("COL_DESCRIPTION", "the comment on a column", 2, 2),
	absent("SHOBJ_DESCRIPTION", "the comment on a database", 2, 2),
}

// settingOf is a text, but for the number of threads, as in DuckDB.
func settingOf(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := textSetting.Bind(call, args)
	if err != nil {
		return nil, err
	}
	if s, ok := expr.Literal(args[0]); ok && (strings.EqualFold(s.Str, "threads") || strings.EqualFold(s.Str, "worker_threads")) {
		return expr.NewCast(x, vector.Of(vector.BigInt), false)
	}
	return x, nil
}

var textSetting = define.Fixed(define.TypeText, kernel.Try1(currentSetting), true, define.WantText)

func currentSetting(name string) (string, kernel.Outcome) {
	value, ok := setting.Value(name)
	if !ok {
		return "", kernel.Outcome{Err: &errs.NotFoundError{Kind: "setting", Name: name}}
	}
	return value, kernel.Outcome{}
}

// allowed is a function that says that a user may do something.
func allowed(name, example string, least, most int) expr.Function {
	return constant(name, "true: who can open the files may read them", example, vector.BoolScalar(true), least, most)
}

// absent is a function about something that no table has.
func absent(name, of string, least, most int) expr.Function {
	example := name + "(" + strings.Repeat("1, ", least-1) + "1) → NULL"
	return constant(name, "NULL: "+of+" of PostgreSQL, which does not exist here", example, vector.NullOf(define.TypeText), least, most)
}

// constant is a function of arguments that do not matter.
func constant(name, help, example string, value vector.Scalar, least, most int) expr.Function {
	var forms []expr.Binding
	for n := least; n <= most; n++ {
		forms = append(forms, define.Custom(func(expr.Callee, []expr.Expr) (expr.Expr, error) { return expr.NewConst(value), nil },
			strings.Repeat("any, ", n-1)+"any → "+value.Type.String()))
	}
	return expr.Function{Name: name, Help: help, Example: example, Binding: define.Overloaded(forms...)}
}

// typeName is PostgreSQL's name of a type.
func typeName(oid int64) string {
	if name, ok := typeNames[oid]; ok {
		return name
	}
	return "???" // as PostgreSQL says
}

// typeNames are the names by the numbers in PostgreSQL's pg_type.
var typeNames = map[int64]string{
	16: "boolean", 17: "bytea", 20: "bigint", 21: "smallint", 23: "integer", 25: "text", 114: "json", 700: "real", 701: "double precision",
	1043: "character varying", 1082: "date", 1083: "time without time zone", 1114: "timestamp without time zone",
	1184: "timestamp with time zone", 1186: "interval", 1700: "numeric", 2950: "uuid",
}
