package function

import (
	"cmp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// absent are functions of other engines that are not here, by lower-case name, and what to
// write, or the reason.
var absent = map[string]string{
	"hash":                   "its numbers are those of DuckDB's own hash; MD5_NUMBER_LOWER and MD5_NUMBER_UPPER are numbers too",
	"md5_number":             "there are no integers of 128 bits; MD5_NUMBER_LOWER and MD5_NUMBER_UPPER are its halves",
	"alias":                  "it takes a column; the names of other results are their texts",
	"bitstring":              "there is no type BIT",
	"bitstring_agg":          "there is no type BIT",
	"bit_position":           "there is no type BIT",
	"get_bit":                "there is no type BIT",
	"set_bit":                "there is no type BIT",
	"union_value":            "there is no type UNION",
	"union_tag":              "there is no type UNION",
	"union_extract":          "there is no type UNION",
	"enum_code":              "an ENUM of Parquet has no list of values",
	"enum_first":             "an ENUM of Parquet has no list of values",
	"enum_last":              "an ENUM of Parquet has no list of values",
	"enum_range":             "an ENUM of Parquet has no list of values",
	"enum_range_boundary":    "an ENUM of Parquet has no list of values",
	"nextval":                "there are no sequences",
	"currval":                "there are no sequences",
	"getvariable":            "there are no variables; use placeholders",
	"setseed":                "RANDOM has no seed",
	"stats":                  "it shows what DuckDB's optimizer knows; EXPLAIN shows what is known here",
	"vector_type":            "it shows how DuckDB computes",
	"create_sort_key":        "its bytes are DuckDB's own",
	"timetz_byte_comparable": "there is no type TIMETZ",
	"json_serialize_sql":     "its trees are DuckDB's own",
	"json_serialize_plan":    "its trees are DuckDB's own",
	"json_deserialize_sql":   "its trees are DuckDB's own",
	"txid_current":           "there are no transactions that write",
	"remap_struct":           "STRUCT_PACK and a CAST to a STRUCT give fields other names, places and types",
	"current_query":          "Config.OnQuery is given the text of each query",
	"current_schemas":        "there is one schema, CURRENT_SCHEMA()",
	"in_search_path":         "there is one schema, CURRENT_SCHEMA()",
	"pg_sleep":               "queries do not wait",
	"sleep_ms":               "queries do not wait",
	"icu_sort_key":           "there are no collations of languages; COLLATE takes NOCASE, NOACCENT and NFC",
	"get_type":               "types are no values; TYPEOF is the name of one",
	"make_type":              "types are no values; CAST names one",
	"finalize":               "states of aggregates are no values",
	"combine":                "states of aggregates are no values",
	"sum_no_overflow":        "it is of DuckDB's optimizer; SUM is exact here",

	// Other engines' names:
	"to_date":                "STRPTIME(x, '%Y-%m-%d') and CAST(x AS DATE) read dates",
	"to_char":                "STRFTIME(x, '%Y-%m-%d') and FORMAT write dates and numbers",
	"to_number":              "CAST(x AS DECIMAL(18, 3)) reads numbers",
	"str_to_date":            "STRPTIME(x, '%Y-%m-%d') reads dates",
	"date_parse":             "STRPTIME(x, '%Y-%m-%d') reads dates",
	"parse_date":             "STRPTIME(x, '%Y-%m-%d') reads dates",
	"from_iso8601_timestamp": "CAST(x AS TIMESTAMPTZ) reads timestamps",
	"from_iso8601_date":      "CAST(x AS DATE) reads dates",
	"format_datetime":        "STRFTIME(x, '%Y-%m-%d') writes dates",
	"getdate":                "NOW() is the time of the query",
	"getutcdate":             "NOW() is the time of the query",
	"sysdatetime":            "NOW() is the time of the query",
	"dateadd":                "write x + INTERVAL '1' DAY, or DATE_ADD(x, INTERVAL '1' DAY)",
	"add_months":             "write x + INTERVAL '1' MONTH",
	"months_between":         "DATE_DIFF('month', a, b) counts months",
	"to_unixtime":            "EPOCH(x) is in seconds",
	"nvl2":                   "write CASE WHEN x IS NOT NULL THEN a ELSE b END",
	"charindex":              "write POSITION(a IN x)",
	"datalength":             "OCTET_LENGTH(x) counts bytes",
	"newid":                  "UUID() is a random one",
	"json_extract_scalar":    "write JSON_EXTRACT_STRING(x, '$.a') or x->>'$.a'",
	"get_json_object":        "write JSON_EXTRACT_STRING(x, '$.a') or x->>'$.a'",
	"json_parse":             "write CAST(x AS JSON)",
	"json_format":            "write CAST(x AS VARCHAR)",
	"array_join":             "write ARRAY_TO_STRING(xs, ',')",
	"approx_distinct":        "write APPROX_COUNT_DISTINCT(x)",
	"approx_percentile":      "write APPROX_QUANTILE(x, 0.5)",
	"percentile_approx":      "write APPROX_QUANTILE(x, 0.5)",
	"percentile":             "write QUANTILE_CONT(x, 0.5)",
	"collect_list":           "write LIST(x)",
	"collect_set":            "write LIST(DISTINCT x)",
	"explode":                "write UNNEST(xs)",
	"posexplode":             "write UNNEST(xs) and GENERATE_SUBSCRIPTS(xs, 1)",
	"sequence":               "write GENERATE_SERIES(a, b)",
	"array_size":             "write LEN(xs)",
	"json_table":             "write UNNEST of a LIST that '->' takes from the JSON",
	"regexp_instr":           "write STRPOS(x, REGEXP_EXTRACT(x, 'pattern'))",
	"bitand":                 "write a & b",
	"bitor":                  "write a | b",
	"safe_cast":              "write TRY_CAST(x AS type)",
	"try_to_number":          "write TRY_CAST(x AS DECIMAL(18, 3))",
	"safe_divide":            "write a / NULLIF(b, 0)",
	"ratio_to_report":        "write x / SUM(x) OVER ()",
}

// missing is the error of a name that no function has.
func missing(name string) error {
	low := strings.ToLower(name)
	if reason := cmp.Or(absent[low], elsewhere[low]); reason != "" {
		return errs.Unsupported("the function %s: %s", strings.ToUpper(name), reason)
	}
	names := slices.Clone(functionNames)
	for _, f := range aggregate.Functions() {
		names = append(append(names, f.Name), f.Aliases...)
	}
	return &errs.NotFoundError{Kind: "function", Name: name, Nearest: errs.Nearest(strings.ToUpper(name), names)}
}
