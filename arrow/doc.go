// Package arrow gives the rows of queries as record batches of Apache Arrow.
//
//	db, err := sql.Open("parquet", "data")
//	…
//	reader, err := arrow.QueryArrow(ctx, db, "SELECT id, tags FROM orders WHERE day >= ?", "2024-01-01")
//	if err != nil {
//		return err
//	}
//	defer reader.Release()
//	for reader.Next() {
//		batch := reader.RecordBatch() // valid until the next call of Next, unless it is retained
//		…
//	}
//	return reader.Err()
//
// The batches are those that the driver computes, 2,048 rows or fewer, and are copied into the memory of
// an Arrow allocator. That memory is the caller's: the driver's memory_limit does not count it.
//
// # Types
//
//	BOOLEAN, integers, HALF, FLOAT, DOUBLE   bool, int8 to uint64, float16, float32, float64
//	DECIMAL                                  decimal128 up to 38 digits, decimal256 up to 76; more are an error
//	DATE                                     date32
//	TIME                                     time32 in seconds and milliseconds, time64 in microseconds and nanoseconds
//	TIMESTAMP, TIMESTAMPTZ                   timestamp in the column's unit; the latter with the zone UTC
//	INTERVAL                                 month_day_nano_interval
//	VARCHAR, ENUM                            utf8, or dictionary<int32, utf8>: see Options.Dictionaries
//	BLOB, BSON                               binary
//	JSON, UUID, VARIANT                      the canonical extensions arrow.json, arrow.uuid and arrow.parquet.variant
//	GEOMETRY, GEOGRAPHY                      the extension geoarrow.wkb, see WKBType
//	LIST, MAP, STRUCT                        list, map, struct; a MAP without values has values of type null
//	NULL                                     null
//
// A value that its Arrow type cannot have is an error that names the column: nanoseconds beyond the years
// 1677 to 2262 (of INT96), a DATE beyond 32 bits of days, an INTERVAL beyond 64 bits of nanoseconds, a NULL
// as the key of a MAP.
//
// WriteParquet, WriteStream and WriteFile write the rows of a query as a file.
package arrow
