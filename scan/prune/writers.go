package prune

import (
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
)

// Writers known to have written wrong statistics, each with the report. A writer
// that is not listed is trusted as far as the specification goes.
//
//	parquet-mr before 1.8.0            BYTE_ARRAY and FIXED min/max overwritten by a
//	                                   reused buffer (PARQUET-251). Files of that time
//	                                   may lack created_by (PARQUET-297).
//	parquet-mr before 1.10             null_count too small (StarRocks/starrocks#78329,
//	                                   apache/doris#67573)
//	Arrow C++ 6 to 10                  min/max of byte arrays from a dictionary array are
//	                                   those of the first batch (apache/arrow#15042)
//	parquet-cpp, before Arrow 6.0.0    null_count 0 for dictionary arrays with NULLs
//	                                   (ARROW-12513), those of parents not counted
//	                                   (PARQUET-2067)
//	arrow2 and Polars, which grew      null_count of dictionary arrays is that of the
//	out of it                          dictionary (jorgecarleitao/arrow2#1414), that of
//	                                   parents is not counted (pola-rs/polars#20621)
//	parquet-cpp, before Arrow 4.0.0    DECIMAL in FIXED or BYTE_ARRAY compared as signed
//	                                   chars (PARQUET-1655, apache/arrow#9582)
//	parquet-go (three lineages)        DECIMAL in FIXED or BYTE_ARRAY compared unsigned
//	                                   (parquet-go/parquet-go#595, of 2026-08; no release
//	                                   with the fix had another number at the time)
//	Polars                             DECIMAL bounds of pages merged unsigned
//	                                   (pola-rs/polars#25965, #29347); null_count of a
//	                                   chunk multiplied by its pages (#29321); null_pages
//	                                   set for each page without bounds, such as one with
//	                                   a NaN (polars-parquet's serialize_column_index; seen
//	                                   in files of nodejs-polars 0.26.1); min of BOOLEAN is
//	                                   false if there are NULLs (#26667). Its created_by has
//	                                   no version.
//	ClickHouse                         DECIMAL compared unsigned, until 25.8
//	                                   (ClickHouse/ClickHouse#83754)
//	parquet-rs (arrow-rs)              before 5.2.0 byte arrays ordered by length first
//	                                   (apache/arrow-rs#641, #643); before 13.0.0 DECIMAL in
//	                                   FIXED compared unsigned (#1532, #1621); DECIMAL in
//	                                   BYTE_ARRAY compared unsigned or without regard to
//	                                   length (#10860, #11073); null_pages set for pages of
//	                                   a list with as many NULLs and empty lists as rows
//	                                   (seen in files of 51.0.0 to 59.3.0)
//	arrow2, as Polars used it          a maximum of a chunk less than some of its values,
//	                                   of integers too (pola-rs/polars#7842)
//	hyparquet-writer                   maxima of byte arrays cut to 16 bytes and not raised,
//	                                   in chunks and column indexes, and UUIDs written as
//	                                   text (hyparam/hyparquet-writer#31); bounds of DECIMAL
//	                                   in INT32 are the bits of a float (#38, #43); null_count
//	                                   of JSON counts the text "null" (seen in files of 0.7.0
//	                                   to 0.11.2). Its created_by has no version.
//	parquet-go/parquet-go              min/max of FLOAT and DOUBLE chunks with a
//	                                   dictionary leave values out if one is NaN (seen
//	                                   in files of v0.32.0)
//	arrow-go                           min, max and null_pages of nullable elements of lists
//	                                   leave out a batch with as many values as empty lists
//	                                   (seen in files of v18.8.0)
//	arrow-go before 12.0.0             min of BOOLEAN leaves false out (seen in files of
//	                                   v10.0.1, and not in those of v12.0.1)
//	arrow-go before 18.8.0             records split over pages with an offset index
//	                                   (apache/arrow-go#882, #887); parquet-rs too, until
//	                                   its reader relied on it (apache/arrow-rs#3680, #4943)
//	segmentio/parquet-go               a maximum of a column index is cut to 16 bytes and not
//	                                   raised (segmentio/parquet-go#495; fixed in 2023-04, but
//	                                   its created_by has no version or 0.0.0)
//	xitongsys/parquet-go               sizes in the offset index are wrong, all-NULL pages
//	                                   have bounds
//	                                   (xitongsys/parquet-go#547, #567)
//
// Other errors show in the file itself and need no list: a maximum that was too long is left
// empty (ClickHouse/ClickHouse#103334) or cut to bytes 0xFF (parquet-go/parquet-go);
// bounds have their length in front (bytedance/bolt#46); UINT64 bounds in signed
// order (pola-rs/polars#16683) contradict each other wherever the order matters;
// all-NULL pages marked as having bounds (apache/arrow-rs#6310) have a
// null_count equal to their rows; offset indexes without pages
// (apache/arrow-rs#4459) do not cover the rows; a bound that is NaN
// (PARQUET-1246, parquet-go/parquet-go#459) is dropped, and so is a null_count above
// the number of values (NVIDIA/cudf#9221) or below 0 (aloneguid/parquet-dotnet#735);
// a bloom filter longer than its stated length (duckdb/duckdb#23826,
// ClickHouse/ClickHouse#112498) is not used. Bounds of a whole Arrow dictionary
// instead of the chunk (apache/arrow#42930, pola-rs/polars#18867) are too wide,
// which harms nothing as bounds of byte arrays never count as values that occur.
//
// Reports of wrong results that are the reader's fault and need nothing here: apache/parquet-java#3249, apache/iceberg#12458 (readers that
// trust bloom_filter_length), apache/arrow#47995 (merging of statistics that were
// read), duckdb/duckdb#23504 (RETURN_STATS; the file's own statistics are right),
// duckdb/duckdb#19131 (equality loses rows in DuckDB 1.4.0 and not before; the file of
// fraugster/parquet-go v0.3.0 is not public). That writer leaves column_orders and
// encoding_stats out (file_writer.go, chunk_writer.go), so that neither its bounds nor
// its dictionaries are used here.

// What else a file says is trusted, as there is no cheap proof: bounds and null_count of chunks, bloom
// filters, null_pages and bounds of pages where nothing contradicts them. A file that lies there
// loses rows with pruning=on. Not trusted are boundary_order (the bounds are compared), the first
// rows of an offset index (each page that is read must have as many), null_counts of pages
// (their sum must be the chunk's) and, of most writers, encodings (see countsEncodings).
// distinct_count serves estimates only; sorting columns and histograms serve nothing.

// countsEncodings reports whether encodings and encoding_stats of a chunk are those of its pages.
// Known are the writers whose source counts them as each page is written:
//
//	parquet-mr          ParquetFileWriter.writeDataPage, ColumnChunkPageWriteStore.writePage
//	parquet-cpp-arrow   SerializedPageWriter::WriteDataPage in parquet/column_writer.cc
//	parquet-go          arrow-go since its first writer, of 7.0.0: serializedPageWriter in
//	                    parquet/file/page_writer.go; a page has the encoding that was in use
//	                    when it was built, also those that wait for the dictionary
//	parquet-rs          encodings in all versions (write_column_metadata, from 19.0.0 on
//	                    write_data_page in column/writer), encoding_stats since 55.0.0; a chunk
//	                    of such a version without them comes from another writer's file
//	                    (SerializedRowGroupWriter::append_column)
func countsEncodings(w fileformat.Writer, counted bool) bool {
	switch w.Application {
	case "parquet-mr", "parquet-cpp-arrow":
		return w.HasVersion
	case "parquet-go":
		return w.HasVersion && !w.Before(7, 0, 0)
	case "parquet-rs":
		return w.HasVersion && (counted || w.Before(55, 0, 0))
	}
	return false
}

// distrustAll reports whether min and max of all types are distrusted.
func distrustAll(w fileformat.Writer) bool { return strings.HasPrefix(w.Application, "arrow2") }

// distrustBytes reports whether min and max of byte arrays are distrusted;
// dictionary says whether the chunk, or the column, may have a dictionary.
func distrustBytes(w fileformat.Writer, dictionary bool) bool {
	switch w.Application {
	case "parquet-mr":
		return !w.HasVersion || w.Before(1, 8, 0)
	case "parquet-cpp-arrow":
		return dictionary && w.HasVersion && !w.Before(6, 0, 0) && w.Before(11, 0, 0)
	case "parquet-rs":
		return !w.HasVersion || w.Before(5, 2, 0)
	case "hyparquet":
		return true
	}
	return false
}

// distrustDecimals reports the same of DECIMALs stored in byte arrays.
func distrustDecimals(w fileformat.Writer, physical fileformat.PhysicalType) bool {
	switch app := w.Application; {
	case app == "parquet-mr":
		return !w.HasVersion || w.Before(1, 10, 0)
	case app == "parquet-cpp-arrow":
		return !w.HasVersion || w.Before(4, 0, 0)
	case physical == fileformat.ByteArray:
		// Values of different lengths need a special comparison, which most writers
		// lacked: only writers known to have it are trusted.
		return true
	case app == "parquet-rs":
		return !w.HasVersion || w.Before(13, 0, 0)
	case app == "parquet-cpp", app == "polars", strings.HasPrefix(app, "clickhouse"):
		return true
	}
	return isParquetGo(w)
}

// distrustSmallDecimals reports the same of DECIMALs stored in integers.
func distrustSmallDecimals(w fileformat.Writer) bool { return w.Application == "hyparquet" }

// distrustBooleans reports the same of BOOLEANs.
func distrustBooleans(w fileformat.Writer) bool {
	return w.Application == "polars" || w.Application == "parquet-go" && (!w.HasVersion || w.Before(12, 0, 0))
}

func isParquetGo(w fileformat.Writer) bool {
	return strings.HasPrefix(w.Application, "github.com/") && strings.HasSuffix(w.Application, "/parquet-go") || w.Application == "parquet-go"
}

// distrustFloats reports the same of FLOAT16, FLOAT and DOUBLE.
func distrustFloats(w fileformat.Writer) bool { return w.Application != "parquet-go" && isParquetGo(w) }

// leavesOutNaNs reports whether a chunk of floats with a NaN has neither min nor max. Of DuckDB it is
// SetParquetStatistics in writer/primitive_column_writer.cpp, where each value is looked at
// (FloatingPointOperator in parquet_write_operators.hpp); bench writes such files with 1.5.5.
func leavesOutNaNs(w fileformat.Writer) bool {
	return w.Application == "duckdb" && w.HasVersion && !w.Before(1, 5, 5)
}

// distrustNullCount reports whether null_count of chunks and pages is distrusted.
func distrustNullCount(w fileformat.Writer) bool {
	switch app := w.Application; app {
	case "parquet-mr":
		return !w.HasVersion || w.Before(1, 10, 0)
	case "parquet-cpp-arrow":
		return !w.HasVersion || w.Before(6, 0, 0)
	case "parquet-cpp", "polars", "hyparquet":
		return true
	default:
		return strings.HasPrefix(app, "arrow2")
	}
}

// distrustNullPages reports whether null_pages of column indexes is distrusted; inner
// says whether the leaf is within a list.
func distrustNullPages(w fileformat.Writer, inner bool) bool {
	return distrustNullCount(w) || inner && w.Application == "parquet-rs"
}

// distrustPageIndex reports whether column and offset indexes are distrusted.
// Apache's arrow-go calls itself "parquet-go version 18.8.0", and its indexes are
// right; xitongsys's has no number: "parquet-go version latest".
func distrustPageIndex(w fileformat.Writer) bool {
	return w.Application == "parquet-go" && (!w.HasVersion || w.Before(7, 0, 0))
}

// cutsMaximum reports whether the maximum of a byte array in a column index may
// be cut short without being raised.
func cutsMaximum(w fileformat.Writer) bool {
	return w.Application == "github.com/segmentio/parquet-go"
}

// splitsRecords reports whether the writer may have split a record of a repeated
// column over two pages although it wrote an offset index. A reader that follows the
// index then misses the rest of the record. The index does not show it, so only
// writers known not to do this are trusted.
func splitsRecords(w fileformat.Writer) bool {
	switch app := w.Application; app {
	case "parquet-mr", "parquet-cpp-arrow":
		return false
	case "parquet-rs":
		return !w.HasVersion || w.Before(48, 0, 0)
	case "parquet-go":
		return !w.HasVersion || w.Before(18, 8, 0)
	default:
		return !isParquetGo(w)
	}
}

// distrustElements reports whether bounds and null_pages of a leaf within a list are
// distrusted; nullable says whether the element, or a group between it and the list,
// may be NULL. This is for both writers that call themselves "parquet-go" (see
// distrustPageIndex).
func distrustElements(w fileformat.Writer, physical fileformat.PhysicalType, nullable bool) bool {
	return w.Application == "parquet-go" && (nullable || physical == fileformat.FixedLenByteArray)
}
