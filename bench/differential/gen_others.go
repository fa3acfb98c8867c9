package differential

// others are calls by the type of their result that make or take maps, intervals and instants
// with a time zone, JSON of nested values, lambdas that name more than their own, and collations. No sum of intervals is equal to one of other parts, as 24 hours are to a day:
// which of equal values a group shows is open.
var others = map[typ][]form{
	integer: {
		of("CARDINALITY($)", mapping), of("MAP_KEYS($)[1]", mapping), of("EXTRACT(day FROM $)", interval), of("DATE_PART('month', $)", interval), of("HOUR($)", zoned), of("EPOCH_MS($)", zoned),
		of("DATE_DIFF('day', $, $)", zoned, zoned), of("YEAR($)", interval),
	},
	double: {of("EPOCH($)", interval), of("EPOCH($)", zoned)},
	text: {
		of("($)[$]", mapping, integer), of("MAP_VALUES($)[1]", mapping), of("MAP_EXTRACT($, $)[1]", mapping, integer), of("MAP_ENTRIES($)[1].value", mapping), of("MAP_EXTRACT_VALUE($, $)", mapping, decimal),
		of("STRFTIME($, '%Y-%m-%d %H')", zoned), of("LIST_SORT(MAP_VALUES($))[1]", mapping),
		of("TO_JSON($)::VARCHAR", list), of("TO_JSON($)::VARCHAR", structure), of("TO_JSON($)::VARCHAR", mapping), of("(TO_JSON($) ->> 'b')", structure), of("(TO_JSON($) -> 0)::VARCHAR", list),
		of("JSON_EXTRACT_STRING(TO_JSON({'k': $}), '/k/1')", list),
	},
	boolean: {
		of("MAP_CONTAINS($, $)", mapping, integer), of("MAP_CONTAINS_ENTRY($, $, $)", mapping, integer, text), of("MAP_CONTAINS_VALUE($, $)", mapping, text), of("($ > $)", zoned, timestamp), of("($ <= $)", date, zoned),
		of("($ COLLATE NOCASE = UPPER($))", text, text), of("($ COLLATE NOCASE < UPPER($))", text, text), of("(UPPER($) COLLATE NOCASE IN ($, 'b'))", text, text), of("($ COLLATE NOACCENT = 'a')", text),
		of("LIST_BOOL_OR(LIST_TRANSFORM($, x -> x = $))", list, integer),
	},
	date:      {of("CAST($ AS DATE)", zoned)},
	timestamp: {of("($ + $)", timestamp, interval), of("($ - $)", date, interval), of("($ AT TIME ZONE 'America/New_York')", zoned), of("CAST($ AS TIMESTAMP)", zoned)},
	list: {of("MAP_KEYS($)", mapping), of("LIST_TRANSFORM(MAP_ENTRIES($), e -> e.key)", mapping), of("LIST_FILTER($, x -> x > $)", list, integer),
		of("LIST_TRANSFORM($, x -> LIST_SUM(LIST_TRANSFORM([1, x], y -> y + x))::BIGINT)", list), of("[x + LEN([y FOR y IN [x, 2] IF y > $]) FOR x IN $]", integer, list), of("[LIST_REDUCE($, (x, y) -> x + y, 5)]", list)},
	mapping: {
		of("MAP {COALESCE($, 0): $}", integer, text), of("MAP([1, 2], [$, $])", text, text), of("MAP_CONCAT($, $)", mapping, mapping), of("MAP_FROM_ENTRIES(MAP_ENTRIES($))", mapping),
		of("MAP_FROM_ENTRIES([(1, $), (COALESCE($, 0) % 2 + 5, 'x')])", text, integer), of("IFNULL($, $)", mapping, mapping),
	},
	interval: {
		of("($ - $)", timestamp, timestamp), of("AGE($, $)", timestamp, timestamp), of("TO_MONTHS(CAST($ % 5 AS INTEGER))", integer), of("TO_YEARS(CAST($ % 3 AS INTEGER))", integer), of("($ * -1)", interval),
		of("IFNULL($, $)", interval, interval),
	},
	zoned: {
		of("CAST($ AS TIMESTAMPTZ)", timestamp), of("($ AT TIME ZONE 'Europe/Berlin')", timestamp), of("($ + $)", zoned, interval), of("DATE_TRUNC('month', $)", zoned), of("TO_TIMESTAMP($ % 100000)", integer),
		of("TIME_BUCKET(INTERVAL '7 days', $)", zoned), of("LEAST($, $)", zoned, zoned),
	},
}
