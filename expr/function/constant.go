package function

import (
	"cmp"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Query is what functions know about the query that calls them.
type Query struct {
	Now     time.Time // the same instant for the whole query
	Version string    // of the driver

	User, Database string // empty: parquet
}

// constantFunction is a function without arguments that has one value in a query.
type constantFunction struct {
	expr.Function
	value func(Query) vector.Scalar
}

var (
	typeInstant = vector.TimestampType(vector.Micros, true)
	typeLocal   = vector.TimestampType(vector.Micros, false)
	typeTime    = vector.TimeType(vector.Micros)
	typeDate    = vector.Of(vector.Date)
	typeText    = vector.Of(vector.Varchar)
)

var constantFunctions = []constantFunction{
	{expr.Function{Name: "VERSION", Aliases: []string{"WORKER_VERSION"}, Help: "the version of the driver", Example: "LENGTH(VERSION()) > 0 → true", Binding: gives(typeText)},
		func(q Query) vector.Scalar { return vector.StringScalar(q.Version) }},
	{expr.Function{Name: "DATABASE", Aliases: []string{"SCHEMA", "CURRENT_SCHEMA"}, Help: "the name of the schema", Example: "DATABASE() → main", Binding: gives(typeText)},
		func(Query) vector.Scalar { return vector.StringScalar("main") }},
	{expr.Function{Name: "CURRENT_CATALOG", Aliases: []string{"CURRENT_DATABASE"}, Help: "the name of the catalog", Example: "CURRENT_CATALOG() → parquet", Binding: gives(typeText)},
		func(q Query) vector.Scalar { return vector.StringScalar(cmp.Or(q.Database, "parquet")) }},
	{expr.Function{Name: "CURRENT_USER", Aliases: []string{"USER", "SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE"}, Help: "the name of the user", Example: "CURRENT_USER → parquet", Binding: gives(typeText)},
		func(q Query) vector.Scalar { return vector.StringScalar(cmp.Or(q.User, "parquet")) }},
	{expr.Function{Name: "PG_IS_IN_RECOVERY", Help: "false", Example: "PG_IS_IN_RECOVERY() → false", Binding: gives(vector.Of(vector.Boolean))},
		func(Query) vector.Scalar { return vector.BoolScalar(false) }},
	{expr.Function{Name: "PG_CLIENT_ENCODING", Aliases: []string{"GETDATABASEENCODING"}, Help: "UTF8", Example: "PG_CLIENT_ENCODING() → UTF8", Binding: gives(typeText)},
		func(Query) vector.Scalar { return vector.StringScalar("UTF8") }},
	{expr.Function{Name: "INET_SERVER_ADDR", Aliases: []string{"INET_CLIENT_ADDR"}, Help: "NULL: an address of PostgreSQL, which does not exist here", Example: "INET_SERVER_ADDR() → NULL", Binding: gives(typeText)},
		func(Query) vector.Scalar { return vector.NullOf(typeText) }},
	{expr.Function{Name: "CONNECTION_ID", Aliases: []string{"PG_BACKEND_PID", "TXID_CURRENT"}, Help: "a number for the connection: always 1", Example: "CONNECTION_ID() → 1", Binding: gives(vector.Of(vector.BigInt))},
		func(Query) vector.Scalar { return vector.IntScalar(1) }},
	{expr.Function{Name: "NOW", Aliases: []string{"CURRENT_TIMESTAMP", "UTC_TIMESTAMP", "GET_CURRENT_TIMESTAMP", "TRANSACTION_TIMESTAMP"},
		Help: "the instant at which the query began", Example: "NOW() = CURRENT_TIMESTAMP → true", Binding: gives(typeInstant)},
		func(q Query) vector.Scalar { return vector.Scalar{Type: typeInstant, I64: q.Now.UnixMicro()} }},
	{expr.Function{Name: "LOCALTIMESTAMP", Aliases: []string{"CURRENT_LOCALTIMESTAMP"}, Help: "the instant at which the query began, in UTC and without zone", Example: "LOCALTIMESTAMP > DATE '2020-01-01' → true", Binding: gives(typeLocal)},
		func(q Query) vector.Scalar { return vector.Scalar{Type: typeLocal, I64: q.Now.UnixMicro()} }},
	{expr.Function{Name: "CURRENT_DATE", Aliases: []string{"CURDATE", "TODAY", "UTC_DATE"},
		Help: "the day on which the query began, in UTC", Example: "CURRENT_DATE > DATE '2020-01-01' → true", Binding: gives(typeDate)},
		func(q Query) vector.Scalar {
			now := q.Now.UTC()
			return vector.Scalar{Type: typeDate, I64: vector.DaysFromCivil(int64(now.Year()), int(now.Month()), now.Day())}
		}},
	{expr.Function{Name: "CURRENT_TIME", Aliases: []string{"CURTIME", "LOCALTIME", "CURRENT_LOCALTIME", "UTC_TIME", "GET_CURRENT_TIME"},
		Help: "the time of day at which the query began, in UTC", Example: "CURRENT_TIME = LOCALTIME → true", Binding: gives(typeTime)},
		func(q Query) vector.Scalar {
			now := q.Now.UTC()
			return vector.Scalar{Type: typeTime, I64: now.Sub(now.Truncate(24 * time.Hour)).Microseconds()}
		}},
}

// gives is the signature of a constant. It has no binder, because the value is that of a
// query.
func gives(t vector.Type) expr.Binding {
	return expr.Binding{Signatures: []expr.Signature{{Args: []string{}, Result: t.String()}}}
}

// IsValue reports whether a name stands for a function without parentheses, in quotes too, where
// no column has it: user.
func IsValue(name string) bool {
	switch strings.ToLower(name) {
	case "user", "current_user", "session_user", "current_role", "current_catalog", "current_schema", "current_date", "current_time",
		"current_timestamp", "localtime", "localtimestamp":
		return true
	}
	return false
}

// Constant is the value of a function that is the same for a whole query. ok is false if
// no such function has the name.
func Constant(name string, q Query) (value vector.Scalar, ok bool) {
	f, ok := constants[strings.ToUpper(name)]
	if !ok {
		return vector.Scalar{}, false
	}
	return f.value(q), true
}

// Today is the arguments of a call with the one that it leaves out: AGE(x) is
// AGE(CURRENT_DATE, x).
func Today(name string, args []expr.Expr, q Query) []expr.Expr {
	if !strings.EqualFold(name, "AGE") || len(args) != 1 {
		return args
	}
	today, _ := Constant("CURRENT_DATE", q)
	return []expr.Expr{expr.NewConst(today), args[0]}
}

// described are the constants as other functions.
func described() []expr.Function {
	var out []expr.Function
	for _, f := range constantFunctions {
		out = append(out, f.Function)
	}
	return out
}
