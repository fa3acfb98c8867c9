// Package scan describes tables made of Parquet files and what a query reads of
// them: the vocabulary of the planner and of the packages that do the work.
//
//	scan/catalog   location → tables: listing, globs, partitions, the union of schemas, cached footers
//	scan/system    the tables that tell of tables: t$files and its siblings, information_schema
//	scan/prune     which rows of a row group statistics, dictionaries, bloom filters and indexes rule out
//	scan/convert   the file's type → the table's type
//	scan/reader    the rows of what is left, in batches, by any number of goroutines
//
// This package imports none of them.
package scan
