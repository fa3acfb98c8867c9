package main

import "fmt"

// suiteTitles are the suites of the picture, for people.
var suiteTitles = map[string]string{
	"clickbench": "ClickBench", "tpch": "TPC-H", "tpcds": "TPC-DS", "events": "Events of services", "lookups": "Points and ranges", "variant": "VARIANTs",
}

// queryNames are the names of queries for which no benchmark has numbers that people know. A name is at
// most 16 characters, which is what a bar has room for.
var queryNames = map[string][]string{
	"lookups": {"id", "id, one column", "100 ids", "20 ids", "key", "absent name", "absent id", "MIN, MAX", "last 10"},
	"events": {"COUNT(*)", "status >= 500", "kind, latency", "a day", "IN, <>", "errors", "decimals", "id, all columns", "trace", "absent trace", "session", "20 ids", "4 ids",
		"last 10", "slowest 10", "slowest 503", "largest 5", "by trace", "by country", "in a city", "by agent", "in a box", "UNNEST", "by product", "by tag", "list_contains",
		"dear items", "len", "map, by zone", "LIKE, rare", "LIKE %a%b%", "LIKE a%", "lower LIKE", "regexp", "length", "by service", "by session", "by client", "2 DISTINCT",
		"DISTINCT by kind", "MIN, MAX", "MIN of texts", "by hour", "by 15 minutes", "join services", "join accounts", "join, condition"},
	"variant": twice("whole", "BETWEEN", "name", "3 conditions", "by kind", "GET, AVG", "by name", "LIKE", "all text", "some text"),
}

// twice is names of queries over two tables, of which the second has a name.
func twice(second string, names ...string) []string {
	for _, name := range names {
		names = append(names, fmt.Sprintf("%s: %s", second, name))
	}
	return names
}

// nameOf is what a bar is called.
func nameOf(suite string, query int) string {
	if names := queryNames[suite]; query <= len(names) {
		return names[query-1]
	}
	return fmt.Sprintf("Q%d", query)
}
