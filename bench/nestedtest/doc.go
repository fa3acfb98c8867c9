// Package nestedtest compares nested columns with what other writers wrote: random
// schemas and records, written by arrow-go and by parquet-go (with levels from a
// striper of its own), are read through database/sql and compared by value.
package nestedtest
