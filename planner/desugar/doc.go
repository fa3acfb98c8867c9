// Package desugar writes what is short for something else as that: a tree becomes a tree,
// before names are bound.
//
//	macro.go macro_postgres.go  calls that are short for others: AGO(i) is NOW() - i, JSON_GROUP_ARRAY
//	cast.go                  casts to the types of PostgreSQL whose values are numbers of its catalog
//	tablefunc.go option.go   table functions as queries: REPEAT, GLOB, PRAGMA_TABLE_INFO
//	absent.go                table functions that there are not, and what helps
//	views.go views_empty.go  the tables of the catalogs that tools look into, as queries over
//	                         information_schema.tables and .columns: PostgreSQL's pg_catalog, as far as
//	                         GUIs and libraries ask, and SQLite's sqlite_master
package desugar
