// Package scan describes tables made of Parquet files and what a query reads from
// them. The planner and the packages that do the work share its types:
//
//	scan/catalog   location → tables: listing, globs, partitions, the union of schemas, cached footers
//	scan/system    tables about tables: t$files and the like, information_schema
//	scan/prune     finds the rows that statistics, dictionaries, bloom filters and indexes rule out
//	scan/statistics   estimates what a table holds, for choosing between plans
//	scan/convert   converts values from the file's type to the table's type
//	scan/reader    reads the remaining rows in batches, in any number of goroutines
//
// This package imports none of them.
package scan
