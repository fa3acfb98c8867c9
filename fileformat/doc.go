// Package fileformat reads the metadata of Apache Parquet files: the footer with
// schema, row groups and statistics, page headers, page indexes and bloom filters.
// Package page below it finds and decompresses pages, package column decodes them
// to levels and values. The three implement the format's specification and know no
// SQL.
//
// A file is laid out so (README.md of the format, "File format"):
//
//	"PAR1"
//	column chunk 1 of row group 1: [dictionary page] data page, data page, …
//	column chunk 2 of row group 1: …
//	…
//	bloom filters, column indexes, offset indexes (anywhere between)
//	FileMetaData, Thrift compact protocol
//	length of FileMetaData, 4 bytes little-endian
//	"PAR1"
//
// Open reads the end and nothing else; everything that it finds is checked
// against the size of the file before it is believed. What concerns one column
// chunk only (its offsets, its indexes) is checked when it is first used, so
// that one damaged chunk does not take the others with it.
//
// Input that is not what the specification asks for is an *errs.CorruptError
// with the file, and where known the row group, the column and the offset. What
// is valid but not read yet wraps errs.ErrUnsupported. Nothing panics.
package fileformat
