// Package nested turns leaf columns into the columns of a table: stored values
// into SQL values, and the levels of repeated and optional fields into lists,
// maps and structs. It also writes all of them as JSON text.
//
// A Parquet file stores only leaves. Two small numbers per entry say which groups
// and lists are around a leaf's value (Dremel, VLDB 2010):
//
//   - the definition level is the number of optional and repeated fields on the
//     path from the root that are present; if it is the maximum, the entry has a
//     value;
//   - the repetition level says which repeated field on the path the entry adds
//     an element to; 0 begins a record.
//
// For the nullable list of nullable integers
//
//	optional group xs (LIST) {        // definition level 1
//	  repeated group list {           // definition level 2, repetition level 1
//	    optional int32 element;       // definition level 3
//	  }
//	}
//
// the records [1,null], [], NULL, [2] are these five entries:
//
//	repetition  definition  value
//	    0           3         1      a record, its list has an element, which is 1
//	    1           2                another element, NULL
//	    0           1                a record, its list has no elements
//	    0           0                a record, its list is NULL
//	    0           3         2
//
// Both levels are absolute, so each node of the type can be computed from the
// levels of any leaf below it (type shape). A list at repetition level r has one
// slot per entry of a level below r for which the list around it has an element.
// The slot is NULL if the definition level is below that of the list. An entry of
// level up to r is an element if its definition level reaches that of the
// repeated field. So a column is built node by node, each with one loop over all
// entries: offsets and validity of the lists, validity of the structs, validity
// of the leaves. The leaves' values, stored without gaps, are then spread over
// their slots. No loop descends the tree for each value.
//
// Leaves of one list repeat its levels. A reader takes the list from one of them
// and checks that the others agree; else a damaged file could mix records. Only
// the leaves that were asked for are read, the rest of a column is NULL.
//
// Lists, maps and structs are vectors with children. JSON text is made of them
// only by AppendJSON, which the last projection calls.
package nested
