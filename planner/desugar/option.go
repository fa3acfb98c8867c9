package desugar

import (
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// options are those of read_parquet, and what says the same as one that is not here.
var options = map[string]string{
	"hive_partitioning": "", "filename": "", "file_row_number": "",
	// What changes no answer: columns are united by their names in any case, and the rest only helps
	// DuckDB, or is asked of writers.
	"union_by_name": "",
	"compression":   "", "parquet_version": "", "can_have_nan": "", "explicit_cardinality": "", "debug_use_openssl": "",

	"binary_as_string":    "the location has it (binary_as_string in the DSN), and CAST(x AS VARCHAR) decodes UTF-8",
	"hive_types":          "use CAST(x AS type)",
	"hive_types_autocast": "use CAST(x AS VARCHAR)",
	"schema":              "columns are found by their names; use CAST(x AS type) and AS",
	"encryption_config":   "keys are given to the location (footer_key and column_key in the DSN)",
	"file_index":          "_file is the path of a row's file",
}

// CheckOption is the error of an option that read_parquet does not take; else nil.
func CheckOption(function, name string) error {
	instead, known := options[strings.ToLower(name)]
	switch {
	case !known:
		return errs.Unsupported("the option %s of %s; there are hive_partitioning, union_by_name, filename and file_row_number", name, function)
	case instead != "":
		return errs.Unsupported("the option %s of %s; %s", name, function, instead)
	}
	return nil
}
