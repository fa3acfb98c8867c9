// Package nestedtest compares nested columns with what foreign writers wrote:
// random schemas and records, written by arrow-go and by parquet-go (with levels
// from a striper of its own), are read through database/sql and compared with
// the records by meaning.
package nestedtest
