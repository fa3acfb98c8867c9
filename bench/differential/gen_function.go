package differential

// A form is an expression around arguments of types: each $ stands for the next.
type form struct {
	text string
	args []typ
}

func of(text string, args ...typ) form { return form{text, args} }

// functions are calls by the type of their result. None depends on the order of rows or
// elements where nothing sets it, and few can fail. None has arguments for which DuckDB
// contradicts itself: SUBSTRING of a negative length, ANY of a scalar subquery that is a
// list.
var functions = map[typ][]form{
	integer: {
		of("STRPOS($, $)", text, text), of("ASCII($)", text), of("UNICODE($)", text), of("LEVENSHTEIN($, $)", text, text), of("STRLEN($)", text),
		of("SIGN($)", integer), of("($ // 3)", integer), of("BIT_COUNT($::BIGINT)", integer), of("($ & 7)", integer), of("($ | $)", integer, integer),
		of("XOR($, $)", integer, integer), of("GCD($, $)", integer, integer), of("GREATEST($, $, $)", integer, integer, integer), of("LEAST($, $)", integer, integer),
		of("CAST($ AS BIGINT)", double), of("CAST($ AS BIGINT)", decimal), of("CAST($ AS INTEGER)", boolean), of("TRY_CAST($ AS INTEGER)", text),
		of("YEAR($)", date), of("MONTH($)", date), of("QUARTER($)", date), of("WEEK($)", date), of("ISODOW($)", date), of("DAYOFYEAR($)", date),
		of("DATE_DIFF('month', $, $)", date, date), of("($ - $)", date, date), of("HOUR($)", timestamp), of("EPOCH_MS($)", timestamp),
		of("DATE_PART('week', $)", timestamp), of("DATE_DIFF('hour', $, $)", timestamp, timestamp),
		of("LEN($)", list), of("($)[1]", list), of("($)[$]", list, integer), of("LIST_SUM($)", list), of("LIST_MAX($)", list), of("LIST_MIN($)", list),
		of("LIST_COUNT($)", list), of("LIST_POSITION($, $)", list, integer), of("LIST_UNIQUE($)", list),
		of("LIST_REDUCE(LIST_PREPEND(0, $), (x, y) -> x + COALESCE(y, 0))", list), of("($).a", structure), of("STRUCT_EXTRACT($, 'a')", structure),
	},
	double: {
		of("ROUND($, 1)", double), of("FLOOR($)", double), of("CEIL($)", double), of("TRUNC($)", double), of("SQRT(ABS($))", double), of("LN(ABS($) + 1)", double),
		of("($ / NULLIF($, 0))", integer, integer), of("($ * $)", double, integer), of("SIN($)", double), of("JARO_SIMILARITY($, $)", text, text),
		of("LIST_AVG($)", list), of("CAST($ AS DOUBLE)", decimal), of("EPOCH($)", timestamp), of("GREATEST($, $)", double, double),
	},
	text: {
		of("LOWER($)", text), of("REVERSE($)", text), of("LEFT($, $)", text, integer), of("RIGHT($, $)", text, integer), of("LPAD($, 4, 'xy')", text),
		of("RPAD($, 4, 'xy')", text), of("REPEAT($, 2)", text), of("TRIM($, 'a')", text), of("REPLACE($, $, 'z')", text, text), of("SPLIT_PART($, 'b', $)", text, integer),
		of("CONCAT($, $)", text, text), of("CONCAT_WS('-', $, $, $)", text, text, text), of("SUBSTRING($, $, ABS($))", text, integer, integer), of("($)[$:$]", text, integer, integer),
		of("STRFTIME($, '%Y-%m %a')", date), of("STRFTIME($, '%H:%M:%S.%g')", timestamp), of("MONTHNAME($)", date), of("DAYNAME($)", date), of("CAST($ AS VARCHAR)", date),
		of("CAST($ AS VARCHAR)", timestamp), of("CAST($ AS VARCHAR)", decimal), of("CAST($ AS VARCHAR)", boolean), of("CAST($ AS VARCHAR)", double), of("MD5($)", text), of("HEX($)", text),
		of("TRANSLATE($, 'ab', 'x')", text), of("REGEXP_REPLACE($, '[ab]', 'x', 'g')", text), of("REGEXP_EXTRACT($, 'b+')", text), of("REGEXP_EXTRACT_ALL($, '[a-b]')[1]", text),
		of("ARRAY_TO_STRING($, '-')", list), of("STRING_SPLIT($, 'b')[1]", text), of("FORMAT('{}-{}', $, $)", integer, text), of("PRINTF('%d|%s', $, $)", integer, text),
		of("CHR(CAST(97 + ABS($) % 20 AS INTEGER))", integer), of("($).b", structure), of("TO_BASE64(ENCODE($))", text), of("GREATEST($, $)", text, text),
	},
	boolean: {
		of("CONTAINS($, $)", text, text), of("STARTS_WITH($, $)", text, text), of("SUFFIX($, $)", text, text), of("($ LIKE '%a%')", text), of("($ ILIKE '_B%')", text),
		of("REGEXP_MATCHES($, 'a|^b')", text), of("($ GLOB '*[ab]')", text), of("LIST_CONTAINS($, $)", list, integer), of("LIST_HAS_ANY($, $)", list, list),
		of("LIST_HAS_ALL($, $)", list, list), of("($ = ANY(LIST_SLICE($, 1, 9)))", integer, list), of("($ IN LIST_SLICE($, 1, 9))", integer, list),
	},
	date: {
		of("CAST(DATE_TRUNC('month', $) AS DATE)", date), of("LAST_DAY($)", date), of("MAKE_DATE(2020, 1 + ABS($) % 12, 1 + ABS($) % 28)", integer, integer),
		of("CAST($ AS DATE)", timestamp), of("CAST(($ + INTERVAL 1 MONTH) AS DATE)", date), of("GREATEST($, $)", date, date), of("TRY_CAST($ AS DATE)", text),
	},
	decimal: {
		of("ABS($)", decimal), of("CAST($ AS DECIMAL(9,2))", integer), of("CAST(($ * 2) AS DECIMAL(9,2))", decimal), of("LEAST($, $)", decimal, decimal),
	},
	timestamp: {
		of("CAST($ AS TIMESTAMP)", date), of("($ + INTERVAL 1 MONTH)", timestamp), of("($ - INTERVAL '3 hours')", timestamp), of("DATE_TRUNC('hour', $)", timestamp),
		of("TIME_BUCKET(INTERVAL '7 days', $)", timestamp), of("($ + TO_MINUTES($))", timestamp, integer), of("STRPTIME($, '%Y-%m-%d %H:%M:%S')", stamp), of("GREATEST($, $)", timestamp, timestamp),
	},
	list: {
		of("[$, $]", integer, integer), of("LIST_VALUE($)", integer), of("LIST_SORT($)", list), of("LIST_REVERSE_SORT($)", list), of("LIST_SORT(LIST_DISTINCT($))", list), of("LIST_REVERSE($)", list),
		of("LIST_CONCAT($, $)", list, list), of("LIST_APPEND($, $)", list, integer), of("LIST_PREPEND($, $)", integer, list), of("($)[$:$]", list, integer, integer),
		of("LIST_TRANSFORM($, x -> x + 1)", list), of("LIST_TRANSFORM($, x -> x + $)", list, integer), of("LIST_FILTER($, x -> x > 1)", list), of("[x * 2 FOR x IN $ IF x < 3]", list),
		of("RANGE(ABS($) % 4)", integer), of("FLATTEN([$, $])", list, list), of("LIST_RESIZE($, 2)", list), of("LIST_SLICE($, 1, 2)", list), of("GREATEST($, $)", list, list),
	},
	structure: {
		of("{'a': $, 'b': $}", integer, text), of("STRUCT_PACK(a := $, b := $)", integer, text), of("LEAST($, $)", structure, structure),
	},
}

// call is a function's, nil if there is none of the type.
func (g *generator) call(t typ, s *scope, depth int) *expr {
	calls := functions[t]
	if g.one(2) && len(families[t]) > 0 {
		calls = families[t]
	}
	if len(calls) == 0 || g.one(8) && len(others[t]) > 0 {
		calls = others[t]
	}
	if len(calls) == 0 {
		return nil
	}
	f := calls[g.IntN(len(calls))]
	e := &expr{typ: t, form: f.text}
	for _, a := range f.args {
		if a == stamp {
			e.args = append(e.args, &expr{typ: text, form: pick(g, "'2020-01-31 10:11:12'", "'1999-12-31 23:59:59'", "'2020-02-29 00:00:00'")})
			continue
		}
		e.args = append(e.args, g.expr(a, s, depth-1))
	}
	return e
}

// statistics are aggregates by the type of their result, whose values do not depend on
// the order of the rows.
var statistics = map[typ][]form{
	integer: {
		of("BIT_AND($)", integer), of("BIT_OR($)", integer), of("BIT_XOR($)", integer), of("QUANTILE_DISC($, 0.5)", integer),
	},
	double: {
		of("MEDIAN($)", integer), of("QUANTILE_CONT($, 0.25)", integer), of("STDDEV($)", integer), of("VAR_POP($)", integer), of("COVAR_POP($, $)", integer, integer),
		of("REGR_SLOPE($, $)", integer, integer), of("REGR_AVGX($, $)", integer, integer), of("MAD($)", double), of("SEM($)", integer), of("PRODUCT($)", integer),
	},
	date: {of("QUANTILE_DISC($, 0.25)", date)},
}
