// Package files is what a table of files is made of, and how they are opened. It does not matter
// who names the files: a folder of the catalog, or a log.
//
// A Set is the table: its columns, and its Files. A File is where the bytes are (an entry of a
// store), where the table's columns are in it (a mapping), what is known without opening it
// (values that all rows have, rows, bounds) and which of its rows do not count (Deletes).
//
// Who makes a Set asks a Cache for the Footers of one moment, makes each File with
// Footers.File, and fills in its exported fields. Then neither the Set nor its files are
// changed any more; several goroutines may use them.
//
// File.Open has the footer, which the Cache keeps up to a number of bytes, as it keeps the
// indexes of chunks. An Opener opens the files of a scan, some of them ahead.
package files
