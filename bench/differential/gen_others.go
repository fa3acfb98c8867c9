package differential

// others are calls by the type of their result that make or take maps, intervals and instants
// with a time zone. No sum of intervals is equal to one of other parts, as 24 hours are to a day:
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
	},
	boolean: {
		of("MAP_CONTAINS($, $)", mapping, integer), of("MAP_CONTAINS_ENTRY($, $, $)", mapping, integer, text), of("MAP_CONTAINS_VALUE($, $)", mapping, text), of("($ > $)", zoned, timestamp), of("($ <= $)", date, zoned),
	},
	date:      {of("CAST($ AS DATE)", zoned)},
	timestamp: {of("($ + $)", timestamp, interval), of("($ - $)", date, interval), of("($ AT TIME ZONE 'America/New_York')", zoned), of("CAST($ AS TIMESTAMP)", zoned)},
	list:      {of("MAP_KEYS($)", mapping), of("LIST_TRANSFORM(MAP_ENTRIES($), e -> e.key)", mapping)},
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
