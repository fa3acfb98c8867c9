// Package session has the functions that tools call when they connect or list what there
// is: settings, users, privileges, and those of PostgreSQL's catalog.
package session

import (
	"fmt"
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
		Binding: define.Overloaded(define.Custom(settingOf, "VARCHAR → VARCHAR"), define.Custom(settingOrNone, "VARCHAR, BOOLEAN → VARCHAR"))},
	{Name: "FORMAT_TYPE", Help: "the name of a type in PostgreSQL by its number there", Example: "FORMAT_TYPE(20, NULL) → bigint",
		Binding: define.Custom(formatType, "BIGINT, BIGINT → VARCHAR")},
	{Name: "QUOTE_IDENT", Help: "the text as a name of SQL, in quotes where PostgreSQL needs them", Example: `QUOTE_IDENT('a b') → "a b"`, Total: true, NotNull: true,
		Binding: define.Fixed(define.TypeText, kernel.Map1(quoteIdent), false, define.WantText)},
	{Name: "QUOTE_LITERAL", Help: "the text as a string of SQL", Example: "QUOTE_LITERAL('it''s') → 'it''s'", Total: true, NotNull: true,
		Binding: define.Fixed(define.TypeText, kernel.Map1(quoteLiteral), false, define.WantText)},
	{Name: "PG_ENCODING_TO_CHAR", Help: "the name of an encoding by its number in PostgreSQL", Example: "PG_ENCODING_TO_CHAR(6) → UTF8", Total: true, NotNull: true,
		Binding: define.Fixed(define.TypeText, kernel.Map1(func(n int64) string { return map[int64]string{0: "SQL_ASCII", 6: "UTF8"}[n] }), false, define.WantInt)},
	{Name: "PG_CHAR_TO_ENCODING", Help: "the number of an encoding in PostgreSQL, -1 if it is not UTF8", Example: "PG_CHAR_TO_ENCODING('UTF8') → 6", Total: true, NotNull: true,
		Binding: define.Fixed(vector.Of(vector.BigInt), kernel.Map1(encodingNumber), false, define.WantText)},
	alias(allowed("HAS_SCHEMA_PRIVILEGE", "HAS_SCHEMA_PRIVILEGE('main', 'USAGE') → true", 2, 3), "HAS_FUNCTION_PRIVILEGE", "HAS_LANGUAGE_PRIVILEGE", "HAS_SERVER_PRIVILEGE",
		"HAS_TYPE_PRIVILEGE", "HAS_TABLESPACE_PRIVILEGE", "HAS_SEQUENCE_PRIVILEGE", "HAS_FOREIGN_DATA_WRAPPER_PRIVILEGE", "PG_HAS_ROLE"),
	allowed("HAS_TABLE_PRIVILEGE", "HAS_TABLE_PRIVILEGE('t', 'SELECT') → true", 2, 3),
	allowed("HAS_DATABASE_PRIVILEGE", "HAS_DATABASE_PRIVILEGE('parquet', 'CONNECT') → true", 2, 3),
	allowed("HAS_ANY_COLUMN_PRIVILEGE", "HAS_ANY_COLUMN_PRIVILEGE('t', 'SELECT') → true", 2, 3),
	allowed("HAS_COLUMN_PRIVILEGE", "HAS_COLUMN_PRIVILEGE('t', 'a', 'SELECT') → true", 3, 4),
	constant("PG_TABLE_IS_VISIBLE", "true: all tables can be named without their schema", "PG_TABLE_IS_VISIBLE(1) → true", vector.BoolScalar(true), 1, 1),
	alias(constant("PG_TYPE_IS_VISIBLE", "true", "PG_TYPE_IS_VISIBLE(20) → true", vector.BoolScalar(true), 1, 1), "PG_OPERATOR_IS_VISIBLE", "PG_COLLATION_IS_VISIBLE",
		"PG_CONVERSION_IS_VISIBLE", "PG_OPCLASS_IS_VISIBLE", "PG_OPFAMILY_IS_VISIBLE", "PG_STATISTICS_OBJ_IS_VISIBLE", "PG_TS_CONFIG_IS_VISIBLE", "PG_TS_DICT_IS_VISIBLE",
		"PG_TS_PARSER_IS_VISIBLE", "PG_TS_TEMPLATE_IS_VISIBLE"),
	constant("PG_RELATION_IS_PUBLISHABLE", "false: nothing is published", "PG_RELATION_IS_PUBLISHABLE(1) → false", vector.BoolScalar(false), 1, 1),
	alias(constant("PG_RELATION_SIZE", "NULL: sizes of PostgreSQL's storage, which do not exist here; `t$files` has those of files", "PG_RELATION_SIZE(1) → NULL", vector.NullOf(vector.Of(vector.BigInt)), 1, 2),
		"PG_TOTAL_RELATION_SIZE", "PG_TABLE_SIZE", "PG_INDEXES_SIZE", "PG_DATABASE_SIZE", "PG_TABLESPACE_SIZE"),
	constant("PG_FUNCTION_IS_VISIBLE", "true", "PG_FUNCTION_IS_VISIBLE(1) → true", vector.BoolScalar(true), 1, 1),
	constant("PG_GET_USERBYID", "the name of the user", "PG_GET_USERBYID(10) → parquet", vector.StringScalar("parquet"), 1, 1),
	absent("PG_GET_EXPR", "the default of a column", 2, 3),
	absent("PG_GET_CONSTRAINTDEF", "the definition of a constraint", 1, 2),
	absent("PG_GET_INDEXDEF", "the definition of an index", 1, 3),
	absent("PG_GET_VIEWDEF", "the definition of a view", 1, 2),
	alias(absent("PG_GET_FUNCTIONDEF", "the definition of a function", 1, 1), "PG_GET_FUNCTION_RESULT", "PG_GET_FUNCTION_SQLBODY", "PG_GET_FUNCTION_ARGUMENTS", "PG_GET_FUNCTION_IDENTITY_ARGUMENTS",
		"PG_GET_PARTKEYDEF", "PG_GET_STATISTICSOBJDEF", "PG_GET_STATISTICSOBJDEF_COLUMNS", "PG_TABLESPACE_LOCATION"),
	alias(absent("PG_GET_RULEDEF", "the definition of a rule", 1, 2), "PG_GET_TRIGGERDEF"),
	absent("PG_GET_SERIAL_SEQUENCE", "the sequence of a column", 2, 2),
	constant("PG_STAT_GET_NUMSCANS", "NULL: how often an index of PostgreSQL was read, which does not exist here", "PG_STAT_GET_NUMSCANS(1) → NULL", vector.NullOf(vector.Of(vector.BigInt)), 1, 1),
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

// settingOrNone is CURRENT_SETTING(name, missing_ok): NULL for a setting that does not exist.
func settingOrNone(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	name, ok := expr.Literal(args[0])
	missing, known := expr.Literal(args[1])
	if ok && known && missing.Type.Kind == vector.Boolean && missing.Bool {
		if _, found := setting.Value(name.Str); !found {
			return expr.NewConst(vector.NullOf(define.TypeText)), nil
		}
	}
	return settingOf(call, args[:1])
}

var textSetting = define.Fixed(define.TypeText, kernel.Try1(currentSetting), true, define.WantText)

func currentSetting(name string) (string, kernel.Outcome) {
	value, ok := setting.Value(name)
	if !ok {
		return "", kernel.Outcome{Err: &errs.NotFoundError{Kind: "setting", Name: name}}
	}
	return value, kernel.Outcome{}
}

// quoteLiteral is a string of SQL. With a backslash in it, it is one in which that is written twice, as
// PostgreSQL writes it, so that it means the same whatever a backslash means.
func quoteLiteral(s string) string {
	text := strings.ReplaceAll(s, "'", "''")
	if strings.Contains(text, `\`) {
		return "E'" + strings.ReplaceAll(text, `\`, `\\`) + "'"
	}
	return "'" + text + "'"
}

func encodingNumber(name string) int64 {
	if strings.EqualFold(strings.ReplaceAll(name, "-", ""), "UTF8") {
		return 6
	}
	return -1
}

// alias gives a function other names.
func alias(f expr.Function, names ...string) expr.Function {
	f.Aliases = names
	return f
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

// formatType binds FORMAT_TYPE. No modifier is the same as -1.
func formatType(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	list, err := define.Arguments(call, args, []define.Want{define.WantInt, define.WantInt})
	if err != nil {
		return nil, err
	}
	if list[1], err = expr.NewCoalesce(list[1], expr.NewConst(vector.IntScalar(-1))); err != nil {
		return nil, err
	}
	return define.Strict(call, list, define.TypeText, kernel.Map2(typeName), false)
}

// typeName is PostgreSQL's name of a type with its modifier, the length of texts or the precision and
// scale of numbers, to which PostgreSQL adds 4.
func typeName(oid, modifier int64) string {
	name, ok := typeNames[oid]
	switch {
	case !ok:
		return "???" // as PostgreSQL says
	case oid == 1042 && modifier >= 4, oid == 1043 && modifier >= 4:
		return fmt.Sprintf("%s(%d)", name, modifier-4)
	case oid == 1700 && modifier >= 4:
		return fmt.Sprintf("%s(%d,%d)", name, (modifier-4)>>16, (modifier-4)&0xffff)
	}
	return name
}

// typeNames are the names by the numbers in PostgreSQL's pg_type.
var typeNames = map[int64]string{
	16: "boolean", 17: "bytea", 20: "bigint", 21: "smallint", 23: "integer", 25: "text", 114: "json", 700: "real", 701: "double precision",
	18: `"char"`, 19: "name", 24: "regproc", 26: "oid", 1042: "character", 2249: "record", 2278: "void", 3802: "jsonb", 199: "json[]", 1000: "boolean[]", 1001: "bytea[]", 1005: "smallint[]",
	1007: "integer[]", 1009: "text[]", 1015: "character varying[]", 1016: "bigint[]", 1021: "real[]", 1022: "double precision[]", 1028: "oid[]", 1115: "timestamp without time zone[]",
	1182: "date[]", 1183: "time without time zone[]", 1185: "timestamp with time zone[]", 1187: "interval[]", 1231: "numeric[]", 2951: "uuid[]", 3807: "jsonb[]",
	1043: "character varying", 1082: "date", 1083: "time without time zone", 1114: "timestamp without time zone",
	1184: "timestamp with time zone", 1186: "interval", 1700: "numeric", 2950: "uuid",
}
