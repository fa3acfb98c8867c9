// Package slt runs sqllogictest scripts, the format that SQLite made and DuckDB
// uses: SQL in, rows out. It runs over any *sql.DB, so that one script tests this
// driver and checks its expected values against another engine.
//
// A script is a list of records with a blank line between them. Lines that begin
// with # are comments.
//
//	statement ok
//	SELECT 1
//
//	statement error
//	SELECT nothing
//	----
//	part of the message
//
//	query IT rowsort label
//	SELECT 1, 'a'
//	----
//	1	a
//
// The letters of a query are one per column: I for integers, R for floating-point
// numbers and decimals, T for all other types. A column that is NULL in each row
// has any letter. The sort mode is nosort (the default), rowsort or valuesort;
// the last two sort both the rows and what is expected. All queries with the same
// label must have the same answer.
//
// Expected values stand one row per line with tabs between them, or one value
// per line. NULL is NULL, an empty string is (empty), a control character within
// a string is its picture (U+2400 and following). A value, a whole line or an
// error message that begins with <REGEX>: is a regular expression (RE2), with
// <!REGEX>: one that must not match.
//
// skipif and onlyif, one engine's name each, stand before a record; the text
// behind the name is the reason. halt ends the script; with skipif or onlyif
// before it, only for some engines.
package slt
