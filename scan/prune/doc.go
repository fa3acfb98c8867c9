// Package prune turns a Parquet file's statistics and indexes into summaries for a
// probe.Probe, and so decides which rows of a row group need not be read. It never
// rules out a row that could satisfy the filter.
//
// The evidence, cheapest first:
//
//	statistics    the footer's min, max and counts of a chunk   Column.Chunk
//	dictionary    the chunk's distinct values, where the whole
//	              chunk is dictionary-encoded                   Column.Dictionary
//	bloom filter  whether a value may be in the chunk           Column.Bloom
//	page index    min, max and counts of each page              Column.Pages
//	page headers  the same, where there is no page index        Column.HeaderPages
//
// The pages of a column index whose bounds are in the order that it declares
// (boundary_order) are searched; all others are tested one by one. sorting_columns
// is not used: only the values would show that it is wrong, and the bounds of row
// groups and pages already show the order.
//
// Each becomes a probe.Summary in the type of the table's column, which may be
// wider than the file's (see package convert). Whether a bound is trusted depends on the order that the writer declared, on the type, and on the writer:
// bounds.go has the rules, writers.go the writers that got them wrong.
//
// A Column is a mapping.Column with what is known of its statistics. A leaf within a list has its own Column (see NewInner): its statistics rule out
// rows before they are unnested.
//
// selection.Ranges are the result: the rows of a row group that are still to be read.
package prune
