package session

import (
	"slices"
	"strings"
)

// reserved are the words that are no names without quotes in PostgreSQL 15, in their order: those that
// pg_get_keywords has with another catcode than U.
var reserved = strings.Fields(`all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char character check coalesce
	collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp
	current_user dec decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign freeze from full grant
	greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull join lateral leading least left like
	limit localtime localtimestamp national natural nchar none normalize not notnull null nullif numeric offset on only or order out outer overlaps
	overlay placing position precision primary real references returning right row select session_user setof similar smallint some substring symmetric
	table tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic verbose when where window with
	xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`)

// quoteIdent is a text as a name. One of small letters, digits and _ that is no word of the language
// needs no quotes.
func quoteIdent(s string) string {
	plain := s != "" && (s[0] < '0' || s[0] > '9')
	for i := 0; plain && i < len(s); i++ {
		c := s[i]
		plain = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
	}
	if _, word := slices.BinarySearch(reserved, s); plain && !word {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
