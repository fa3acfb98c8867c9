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
	"pg_advisory_lock":       "the driver only reads: there is nothing to lock, and nothing to migrate",
	"pg_try_advisory_lock":   "the driver only reads: there is nothing to lock, and nothing to migrate",
	"get_lock":               "the driver only reads: there is nothing to lock, and nothing to migrate",
	"pg_sleep":               "queries do not wait",
	"sleep_ms":               "queries do not wait",
	"icu_sort_key":           "there are no collations of languages; COLLATE takes NOCASE, NOACCENT and NFC",
	"get_type":               "types are no values; TYPEOF is the name of one",
	"make_type":              "types are no values; CAST names one",
	"finalize":               "states of aggregates are no values",
	"combine":                "states of aggregates are no values",
	"sum_no_overflow":        "it is of DuckDB's optimizer; SUM is exact here",
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
