// Package reader reads a file set: rows as batches, by several readers that share the work.
//
// A Scan has a queue of work: files to open, row groups to prune, morsels to read (queue.go). A
// reader takes the next piece (reader.go, morsels.go), and gets another one ready meanwhile
// (ahead.go). What a file set says of a file rules it out before it is opened (known.go),
// its footer row groups (ruled.go), bloom filters and page indexes rows of them (group.go, indexes.go), and what a
// log has deleted leaves before anything is decoded (deleted.go). Of the rows that are left, the columns
// that conjuncts need are decoded first, the others for the rows that satisfy them (morsel.go,
// rest.go). What was read so far may rule out more (bound.go, better.go).
package reader
