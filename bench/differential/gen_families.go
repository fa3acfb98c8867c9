package differential

// families are more calls by the type of their result, a family of functions after the other,
// so that with those of functions and statistics all functions are drawn that can be; see
// undrawn. LIST_GRADE_UP has a list without duplicates: equal elements have no order in DuckDB. Functions of doubles whose last digits differ between libraries are rounded, and
// 0 is added, which makes 0 of -0.
var families = map[typ][]form{
	integer: {
		// texts
		of("CHAR_LENGTH($)", text), of("OCTET_LENGTH(ENCODE($))", text), of("BIT_LENGTH($)", text), of("LENGTH_GRAPHEME($)", text), of("POSITION($ IN $)", text, text),
		of("DAMERAU_LEVENSHTEIN($, $)", text, text), of("HAMMING(LPAD(MD5($), 4, 'x'), LPAD(MD5($), 4, 'y'))", text, text), of("PARSE_FORMATTED_BYTES(CAST(ABS($ % 100) AS VARCHAR) || ' KiB')", integer),
		of("CAST(MD5_NUMBER_LOWER($) % 1000 AS BIGINT)", text), of("CAST(MD5_NUMBER_UPPER($) % 1000 AS BIGINT)", text),
		// numbers
		of("LCM($ % 100, $ % 100)", integer, integer), of("MOD($, 3)", integer), of("SUBTRACT($, $)", integer, integer), of("MULTIPLY($ % 1000, $ % 1000)", integer, integer),
		of("FACTORIAL(CAST(ABS($ % 10) AS INTEGER))", integer), of("DIVIDE($, 3)", integer), of("CAST(EVEN($ % 100) AS BIGINT)", integer), of("ADD($, $)", integer, integer),
		// dates
		of("MINUTE($)", timestamp), of("SECOND($)", timestamp), of("MILLISECOND($)", timestamp), of("MICROSECOND($)", timestamp), of("NANOSECOND($)", timestamp), of("ISOYEAR($)", date),
		of("YEARWEEK($)", date), of("DAYOFWEEK($)", date), of("DAYOFMONTH($)", timestamp), of("DECADE($)", date), of("CENTURY($)", date), of("MILLENNIUM($)", date), of("ERA($)", date),
		of("CAST(JULIAN($) AS BIGINT)", date), of("EPOCH_US($)", timestamp), of("EPOCH_NS($)", timestamp), of("EXTRACT(dow FROM $)", timestamp), of("DATEDIFF('quarter', $, $)", date, date),
		of("DATE_SUB('month', $, $)", date, date), of("DATESUB('day', $, $)", timestamp, timestamp), of("EXTRACT(month FROM AGE($, $))", timestamp, timestamp),
		of("EXTRACT(day FROM NORMALIZED_INTERVAL($ - $))", timestamp, timestamp), of("WEEKOFYEAR($)", date), of("TIMEZONE_HOUR($)", timestamp), of("TIMEZONE_MINUTE($)", timestamp),
		of("CAST(EPOCH(TO_TIMESTAMP($ % 100000)) AS BIGINT)", integer), of("CAST(EPOCH(MAKE_TIMESTAMPTZ(2020, 1, 2, ABS($ % 24), 4, 5.5)) AS BIGINT)", integer),
		of("CAST(EPOCH(TIMEZONE('Europe/Berlin', $)) AS BIGINT)", timestamp),
		// lists
		of("ARRAY_LENGTH($)", list), of("LIST_AGGREGATE($, 'sum')", list), of("LIST_APPROX_COUNT_DISTINCT([$])", integer), of("LIST_ANY_VALUE($)", list), of("LIST_FIRST($)", list),
		of("LIST_LAST($)", list), of("LIST_BIT_AND($)", list), of("LIST_BIT_OR($)", list), of("LIST_BIT_XOR($)", list), of("LIST_MODE([$])", integer), of("LEN(LIST_ZIP($, $))", list, list),
		of("LEN(LIST_VALUE($, $))", text, text), of("CARDINALITY(LIST_HISTOGRAM($))", list), of("LEN(EQUI_WIDTH_BINS(0, 10 + ABS($ % 100), 3, TRUE))", integer),
		// structs and maps
		of("STRUCT_INSERT($, c := $).c", structure, integer), of("STRUCT_CONCAT($, {'c': $}).c", structure, integer), of("STRUCT_POSITION(ROW($::BIGINT, -77::BIGINT), $::BIGINT)", integer, integer),
		of("STRUCT_EXTRACT_AT($, 1)", structure), of("STRUCT_EXTRACT_AT(STRUCT_VALUES($), 1)", structure), of("CARDINALITY(MAP {1: $, 2: $})", integer, integer), of("MAP([1, 2], [$, $])[1]", integer, integer),
		of("MAP_FROM_ENTRIES([(1, $), (2, $)])[2]", integer, integer), of("LEN(MAP_ENTRIES(MAP {1: $}))", integer), of("MAP_EXTRACT(MAP {'a': $}, $)[1]", integer, text),
		of("MAP_CONCAT(MAP {1: $}, MAP {2: $})[2]", integer, integer), of("MAP_EXTRACT_VALUE(MAP {'a': $, 'b': 2}, $)", integer, text), of("MAP_KEYS(MAP {1: $})[1]", text),
		// JSON
		of("JSON_ARRAY_LENGTH(TO_JSON($))", list), of("CAST(JSON_OBJECT('a', $) -> 'a' AS BIGINT)", integer), of("JSON_TRANSFORM(JSON_OBJECT('a', $ % 1000), '{\"a\": \"INTEGER\"}').a", integer),
		of("JSON_TRANSFORM_STRICT(JSON_OBJECT('a', $ % 1000), '{\"a\": \"INTEGER\"}').a", integer),
		// conditions
		of("IFNULL($, $)", integer, integer), of("IF($, $, $)", boolean, integer, integer), of("TRY(CAST($ AS BIGINT))", text), of("CONSTANT_OR_NULL(1, $)", text),
	},
	double: {
		of("(ROUND(CBRT($), 6) + 0e0)", double), of("(ROUND(EXP(LEAST($, 5)), 6) + 0e0)", double), of("(ROUND(LOG10(ABS($) + 1), 6) + 0e0)", double), of("(ROUND(LOG2(ABS($) + 1), 6) + 0e0)", double),
		of("(ROUND(LOG(ABS($) + 1), 6) + 0e0)", double), of("POWER($, 2)", integer), of("(ROUND(COS($), 6) + 0e0)", double), of("(ROUND(TAN($ / 100), 6) + 0e0)", double),
		of("(ROUND(COT(ABS($) % 1 + 0.5e0), 6) + 0e0)", double), of("(ROUND(ASIN(SIN($)), 4) + 0e0)", double), of("(ROUND(ACOS(COS($)), 4) + 0e0)", double), of("(ROUND(ATAN($), 6) + 0e0)", double),
		of("(ROUND(ATAN2($, $), 6) + 0e0)", double, double), of("(ROUND(SINH(COS($)), 6) + 0e0)", double), of("(ROUND(COSH(SIN($)), 6) + 0e0)", double), of("(ROUND(TANH($), 6) + 0e0)", double),
		of("(ROUND(ASINH($), 6) + 0e0)", double), of("(ROUND(ACOSH(ABS($) + 1), 6) + 0e0)", double), of("(ROUND(ATANH(SIN($) * 0.9e0), 6) + 0e0)", double), of("(ROUND(DEGREES($), 4) + 0e0)", double),
		of("(ROUND(RADIANS($), 6) + 0e0)", double), of("(ROUND(PI() * $, 4) + 0e0)", double), of("(ROUND(GAMMA(ABS($) % 5 + 1), 4) + 0e0)", double), of("(ROUND(LGAMMA(ABS($) + 1), 4) + 0e0)", double),
		of("EVEN($)", double), of("NEXTAFTER($, $)", double, double), of("ROUND_EVEN($, 1)", double), of("FDIV($, 2)", double), of("FMOD($, 2)", double),
		of("(ROUND(JARO_WINKLER_SIMILARITY($, $), 6) + 0e0)", text, text), of("(ROUND(JACCARD($ || 'x', $ || 'x'), 6) + 0e0)", text, text),
		of("LIST_MEDIAN($)", list), of("LIST_MAD($)", list), of("(ROUND(LIST_STDDEV_SAMP($), 6) + 0e0)", list), of("(ROUND(LIST_STDDEV_POP($), 6) + 0e0)", list), of("(ROUND(LIST_VAR_SAMP($), 6) + 0e0)", list),
		of("(ROUND(LIST_VAR_POP($), 6) + 0e0)", list), of("(ROUND(LIST_ENTROPY($), 6) + 0e0)", list), of("(ROUND(LIST_SEM($), 6) + 0e0)", list), of("LIST_PRODUCT([$, 2])", integer),
		of("(ROUND(LIST_SKEWNESS([1, 2, 4, $ % 10]), 4) + 0e0)", integer), of("(ROUND(LIST_KURTOSIS([1, 2, 4, 8, $ % 10]), 4) + 0e0)", integer), of("(ROUND(LIST_KURTOSIS_POP([1, 2, 4, 8, $ % 10]), 4) + 0e0)", integer),
		of("LIST_INNER_PRODUCT([COALESCE($, 0e0), 1e0], [2e0, COALESCE($, 0e0)])", double, double), of("LIST_NEGATIVE_INNER_PRODUCT([COALESCE($, 0e0), 1e0], [2e0, 1e0])", double),
		of("(ROUND(LIST_DISTANCE([COALESCE($, 0e0), 1e0], [2e0, COALESCE($, 0e0)]), 6) + 0e0)", double, double),
		of("(ROUND(LIST_COSINE_SIMILARITY([COALESCE($, 0e0), 1e0], [2e0, 1e0]), 6) + 0e0)", double), of("(ROUND(LIST_COSINE_DISTANCE([COALESCE($, 0e0), 1e0], [2e0, 1e0]), 6) + 0e0)", double),
		of("ARRAY_CROSS_PRODUCT([COALESCE($, 0e0), 1e0, 2e0]::DOUBLE[3], [1e0, 0e0, COALESCE($, 1e0)]::DOUBLE[3])[1]", double, double),
	},
	text: {
		of("LTRIM($, 'a')", text), of("RTRIM($, 'ab')", text), of("LEFT_GRAPHEME($, 2)", text), of("RIGHT_GRAPHEME($, 2)", text), of("SUBSTRING_GRAPHEME($, 1, 2)", text), of("STRIP_ACCENTS($)", text),
		of("NFC_NORMALIZE($)", text), of("FORMAT_BYTES(ABS($ % 1000000))", integer), of("FORMATREADABLEDECIMALSIZE(ABS($ % 1000000))", integer), of("BAR(ABS($ % 10), 0, 10, 5)", integer),
		of("PARSE_FILENAME($ || '/' || $ || '.x')", text, text), of("PARSE_DIRNAME($ || '/' || $)", text, text), of("PARSE_DIRPATH($ || '/' || $)", text, text),
		of("ARRAY_TO_STRING(PARSE_PATH($ || '/' || $), '|')", text, text), of("STRING_SPLIT_REGEX($, '[ab]')[1]", text), of("REGEXP_ESCAPE($)", text), of("SHA1($)", text), of("SHA256($)", text),
		of("DECODE(UNHEX(HEX($)))", text), of("BASE64(ENCODE($))", text), of("DECODE(FROM_BASE64(BASE64(ENCODE($))))", text), of("TO_BASE(ABS($ % 1000000), 16)", integer), of("BIN(ABS($ % 1000000))", integer),
		of("HEX(UNBIN(BIN(ABS($ % 1000))))", integer), of("URL_ENCODE($)", text), of("URL_DECODE(URL_ENCODE($))", text), of("CAST(MAKE_TIME(ABS($ % 24), 5, 6.25) AS VARCHAR)", integer),
		of("LIST_STRING_AGG([$, $])", text, text), of("LIST_AGGREGATE([$, $], 'max')", text, text), of("ARRAY_TO_STRING_COMMA_DEFAULT([$, $])", text, text), of("STRUCT_KEYS($)[1]", structure),
		of("STRUCT_EXTRACT_AT($, 2)", structure), of("MAP_VALUES(MAP {1: $, 2: $})[2]", text, text), of("MAP {COALESCE($, 0): $}[$]", integer, text, integer),
		of("(JSON_OBJECT('a', $, 'b', $) ->> 'a')", integer, text), of("JSON_TYPE(TO_JSON($))", list), of("JSON_KEYS(JSON_OBJECT('a', $, 'b', 1))[2]", integer),
		of("JSON_VALUE(JSON_OBJECT('a', $), 'a')::VARCHAR", integer), of("JSON_STRUCTURE(JSON_OBJECT('a', $))::VARCHAR", text), of("JSON_MERGE_PATCH(JSON_OBJECT('a', $), JSON_OBJECT('b', $))::VARCHAR", integer, text),
		of("JSON_ARRAY($, $)::VARCHAR", integer, text), of("TO_JSON($)::VARCHAR", text), of("JSON('[ 1, ' || CAST($ AS VARCHAR) || ' ]')::VARCHAR", integer), of("JSON_PRETTY(JSON_ARRAY($, 1))::VARCHAR", integer),
		of("JSON_EXTRACT_STRING(JSON_ARRAY($, $), 1)", text, text), of("CAST(JSON_EXTRACT(JSON_ARRAY($, 2), 0) AS VARCHAR)", integer),
		of("IFNULL($, $)", text, text), of("IF($, $, $)", boolean, text, text), of("CAST_TO_TYPE($, NULL::VARCHAR)", integer), of("REGEXP_REPLACE($, '(a)(b)?', '<\\1>')", text), of("CONCAT($, $)", integer, date),
	},
	boolean: {
		of("ENDS_WITH($, $)", text, text), of("REGEXP_FULL_MATCH($, '[ab]+')", text), of("($ SIMILAR TO '(a|b)*')", text), of("LIKE_ESCAPE($, 'a!%', '!')", text), of("ILIKE_ESCAPE($, 'A%', '!')", text),
		of("NOT_LIKE_ESCAPE($, 'b%', '!')", text), of("NOT_ILIKE_ESCAPE($, '_B%', '!')", text), of("ISNAN($)", double), of("ISINF($)", double), of("ISFINITE($)", double), of("SIGNBIT($)", double),
		of("($ && $)", list, list), of("LIST_BOOL_AND([$, $])", boolean, boolean), of("LIST_BOOL_OR([$, $])", boolean, boolean),
		of("STRUCT_CONTAINS(ROW($::BIGINT, $::BIGINT), $::BIGINT)", integer, integer, integer), of("MAP_CONTAINS(MAP {'a': 1}, $)", text), of("MAP_CONTAINS_VALUE(MAP {1: $}, $)", integer, integer),
		of("MAP_CONTAINS_ENTRY(MAP {1: $}, 1, $)", text, text), of("JSON_VALID($)", text), of("JSON_EXISTS(JSON_OBJECT('a', $), 'b')", integer), of("JSON_CONTAINS(JSON_ARRAY($, 1), TO_JSON($))", integer, integer),
		of("IS_HISTOGRAM_OTHER_BIN($)", integer), of("ISFINITE($)", date),
	},
	date: {
		of("CAST(DATE_ADD($, INTERVAL 1 DAY) AS DATE)", date), of("CAST(TRY_STRPTIME($, '%Y-%m-%d') AS DATE)", text), of("MAKE_DATE(CAST($ % 10000 AS INTEGER))", integer), of("IFNULL($, $)", date, date),
		of("CAST(($ + TO_DAYS(CAST($ % 10 AS INTEGER))) AS DATE)", date, integer),
	},
	timestamp: {
		of("($ + TO_MILLENNIA(CAST($ % 2 AS INTEGER)))", timestamp, integer), of("($ + TO_CENTURIES(CAST($ % 3 AS INTEGER)))", timestamp, integer), of("($ + TO_DECADES(CAST($ % 10 AS INTEGER)))", timestamp, integer),
		of("($ + TO_YEARS(CAST($ % 10 AS INTEGER)))", timestamp, integer), of("($ + TO_QUARTERS(CAST($ % 10 AS INTEGER)))", timestamp, integer), of("($ + TO_MONTHS(CAST($ % 10 AS INTEGER)))", timestamp, integer),
		of("($ + TO_WEEKS(CAST($ % 10 AS INTEGER)))", timestamp, integer), of("($ - TO_DAYS(CAST($ % 10 AS INTEGER)))", timestamp, integer), of("($ + TO_HOURS($ % 100))", timestamp, integer),
		of("($ + TO_SECONDS($))", timestamp, double), of("($ + TO_MILLISECONDS($))", timestamp, double), of("($ + TO_MICROSECONDS($ % 1000))", timestamp, integer),
		of("MAKE_TIMESTAMP(2020, 1 + ABS($ % 12), 1 + ABS($ % 28), 3, 4, 5.25)", integer, integer), of("MAKE_TIMESTAMP($ % 1000000000)", integer), of("MAKE_TIMESTAMP_MS($ % 1000000000)", integer),
		of("CAST(MAKE_TIMESTAMP_NS($ % 1000000000) AS TIMESTAMP)", integer), of("DATE_ADD($, INTERVAL 1 MONTH)", timestamp),
	},
	decimal: {of("CAST(ROUND($, 1) AS DECIMAL(9,2))", decimal), of("IFNULL($, $)", decimal, decimal)},
	list: {
		of("ARRAY_PUSH_FRONT($, $)", list, integer), of("ARRAY_PUSH_BACK($, $)", list, integer), of("ARRAY_POP_BACK($)", list), of("ARRAY_POP_FRONT($)", list), of("LIST_GRADE_UP(LIST_TRANSFORM($, (x, i) -> COALESCE(x % 10, 11) * 1000 + i))", list),
		of("LIST_SORT(LIST_INTERSECT($, $))", list, list), of("LIST_WHERE([1, $], [TRUE, FALSE])", integer), of("LIST_SELECT($, [2, 1])", list), of("GENERATE_SERIES(0, ABS($ % 4))", integer), of("($ || $)", list, list),
		of("MAP_VALUES(MAP {1: $, 2: $})", integer, integer), of("REPEAT($, 2)", list), of("LIST_TRANSFORM($, (x, i) -> x + i)", list), of("[x + i FOR x, i IN $ IF x > 1]", list), of("IFNULL($, $)", list, list),
	},
	structure: {
		of("STRUCT_UPDATE($, a := $)", structure, integer), of("STRUCT_CONCAT({'a': $}, {'b': $})", integer, text), of("IFNULL($, $)", structure, structure),
	},
}

// measures are more aggregates by the type of their result.
var measures = map[typ][]form{
	integer: {of("COUNT_IF($)", boolean), of("CARDINALITY(HISTOGRAM($))", integer), of("CARDINALITY(HISTOGRAM_EXACT($, [0, 1, 2]))", integer)},
	double: {
		of("(ROUND(STDDEV_POP($ % 1000), 4) + 0e0)", integer), of("(ROUND(VARIANCE($ % 1000), 4) + 0e0)", integer), of("(ROUND(ENTROPY($), 4) + 0e0)", integer), of("(ROUND(SKEWNESS($ % 100), 3) + 0e0)", integer),
		of("(ROUND(KURTOSIS($ % 100), 3) + 0e0)", integer), of("(ROUND(KURTOSIS_POP($ % 100), 3) + 0e0)", integer), of("(ROUND(GEOMEAN(ABS($ % 100) + 1), 4) + 0e0)", integer), of("(ROUND(FSUM($), 4) + 0e0)", double),
		of("(ROUND(FAVG($), 4) + 0e0)", double), of("(ROUND(WEIGHTED_AVG($, ABS($ % 10) + 1), 4) + 0e0)", integer, integer), of("(ROUND(CORR($ % 100, $ % 100), 4) + 0e0)", integer, integer),
		of("(ROUND(COVAR_SAMP($ % 100, $ % 100), 4) + 0e0)", integer, integer), of("(ROUND(REGR_AVGY($ % 100, $ % 100), 4) + 0e0)", integer, integer), of("(ROUND(REGR_INTERCEPT($ % 100, $ % 100), 4) + 0e0)", integer, integer),
		of("(ROUND(REGR_R2($ % 100, $ % 100), 4) + 0e0)", integer, integer), of("(ROUND(REGR_SXX($ % 100, $ % 100), 3) + 0e0)", integer, integer), of("(ROUND(REGR_SXY($ % 100, $ % 100), 3) + 0e0)", integer, integer),
		of("(ROUND(REGR_SYY($ % 100, $ % 100), 3) + 0e0)", integer, integer),
	},
}

// chosen are aggregates that choose a value by its own order; each $ stands for the same column,
// so that no tie can be seen. ARG_MIN_NULLS_LAST and ARG_MAX_NULLS_LAST have no NULLs: DuckDB's answer to
// ARG_MAX_NULLS_LAST(x, x) is NULL where NULLs are before -0.25, and -0.25 where they are behind.
var chosen = []string{
	"ANY_VALUE($ ORDER BY $)", "FIRST($ ORDER BY $ NULLS FIRST)", "LAST($ ORDER BY $ NULLS FIRST)", "MODE($ ORDER BY $)", "ARG_MIN($, $)", "ARG_MAX($, $)", "ARG_MIN_NULL($, $)", "ARG_MAX_NULL($, $)",
	"ARG_MIN_NULLS_LAST($, $) FILTER (WHERE $ IS NOT NULL)", "ARG_MAX_NULLS_LAST($, $) FILTER (WHERE $ IS NOT NULL)",
}
