package temporal

import (
	"encoding/binary"
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// UUIDFunctions read the parts of UUIDs (RFC 9562, section 4 and 5.7).
var UUIDFunctions = []expr.Function{
	{Name: "UUID_EXTRACT_VERSION", Help: "the version of a UUID", Example: "UUID_EXTRACT_VERSION(UUID '018f9a8e-7c2b-7d4e-8a3b-1c2d3e4f5a6b') → 7",
		Binding: define.Fixed(define.TypeInt, kernel.Map1(func(s string) int64 { return uuidVersion(s) }), false, wantUUID)},
	{Name: "UUID_EXTRACT_TIMESTAMP", Help: "the instant in a UUID of version 7", Example: "UUID_EXTRACT_TIMESTAMP(UUID '018f9a8e-7c2b-7d4e-8a3b-1c2d3e4f5a6b') → 2024-05-21 09:49:40.267+00",
		Binding: define.Fixed(vector.TimestampType(vector.Micros, true), kernel.Try1(uuidInstant), true, wantUUID)},
}

var wantUUID = define.Want{Types: "UUID", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	return define.ImplicitCast(e, function, vector.Of(vector.UUID), func(t vector.Type) bool { return t.Kind == vector.UUID })
}}

// uuidVersion is the upper half of the seventh byte.
func uuidVersion(s string) int64 {
	if len(s) != 16 {
		return 0
	}
	return int64(s[6] >> 4)
}

// uuidInstant is in the first 48 bits of version 7, in milliseconds.
func uuidInstant(s string) (int64, kernel.Outcome) {
	if v := uuidVersion(s); v != 7 {
		return 0, kernel.Outcome{Err: fmt.Errorf("UUID_EXTRACT_TIMESTAMP: a UUID of version %d has no time, only one of version 7", v)}
	}
	return int64(binary.BigEndian.Uint64([]byte(s))>>16) * 1000, kernel.Outcome{}
}
