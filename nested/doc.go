// Package nested turns leaf columns into the columns of a table: a stored value
// into a SQL value, and the levels of repeated and optional fields into lists,
// maps and structs. It has the JSON text of all of them, too.
//
// A Parquet file stores only leaves. What is around a leaf's value is told by
// two small numbers an entry (Dremel's, VLDB 2010):
//
//   - the definition level counts how many of the optional and repeated fields
//     on the path from the root are there; where it is the maximum, the entry
//     has a value;
//   - the repetition level says at which repeated field on the path the entry
//     begins another element; 0 begins a record.
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
// Both levels are absolute, so each node of the type can be worked out on its
// own from the levels of any leaf below it (type shape). A list at repetition
// level r has a slot for each entry of level below r that the list around it has
// an element for; the slot is NULL where the definition level is below that of
// the list, and each entry of level up to r whose definition level reaches the
// repeated field's is an element. So a column is built node by node, with one
// loop over all entries each: offsets and validity of the lists, validity of the
// structs, validity of the leaves, whose values, stored without gaps, are then
// spread over their slots. No loop descends the tree for a value.
//
// Leaves that lie next to each other repeat what is around both. A reader takes
// it from one of them, and checks that the others say the same: else a damaged
// file could mix records. Of a column only the leaves that are asked for are
// read, all else of it is NULL.
package nested
