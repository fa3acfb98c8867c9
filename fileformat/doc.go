// Package fileformat reads the metadata of Apache Parquet files: the footer with
// schema, row groups and statistics, page headers, page indexes and bloom filters.
// Package page below it finds and decompresses pages, package column decodes them
// to levels and values. The three implement the format's specification and know no
// SQL.
//
// The layout of a file (README.md of the format, "File format"):
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
// Open reads only the beginning and the end of the file. Everything that it finds is
// checked against the size of the file before it is used. Metadata of one column
// chunk (its offsets, its indexes) is checked when it is first used, so that a damaged
// chunk does not make the others unreadable.
//
// Of an encrypted file (Encryption.md) only the footer's key is asked for by Open, see
// Keys. The columns with keys of their own are locked until File.Unlock, which decrypts
// their metadata; a query asks for the keys of the columns that it needs. Whatever is
// encrypted in GCM mode is authenticated: pages, headers, indexes and metadata that were
// changed, exchanged or come from another file are a CorruptError. The pages (not their
// headers) of AES_GCM_CTR_V1 are not authenticated, as the format has it. The signature of
// a plaintext footer is verified where the footer's key is known.
//
// Input that violates the specification is an *errs.CorruptError with the file and,
// if known, the row group, the column and the offset. The error of valid input that
// is not supported wraps errs.ErrUnsupported. Nothing panics.
package fileformat
