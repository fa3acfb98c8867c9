// Package hashtable maps keys to ids. The first key that is inserted gets the id
// 0, the next different one 1, and so on without gaps. GROUP BY and DISTINCT use
// the id of a group as an index into flat arrays of accumulators, so that nothing
// is allocated per group.
//
// There is one table per shape of key:
//
//	Ints     one 64-bit key; an array indexed by the key itself while the keys
//	         are dense, else open addressing
//	Strings  one string, cloned into an arena
//	Rows     fixed-width rows of 64-bit words, for keys of several columns
//	Columns  keys of any types by their hashes, for partitions, LISTs and MAPs, and keys of several columns that
//	         hardly repeat
//
// A STRUCT is the columns of its fields (fields).
//
// Key columns that rows have from the same side of a join are looked up together, once per
// row of that side (joint).
//
// Every call takes many keys, so that the loop is in this package and the key's
// shape is decided once per batch.
//
// The files:
//
//	hashtable.go, hasher.go, partition.go          hashes, and the share of the hashes that a key belongs to
//	table.go, find.go, fetch.go, notnull.go        what all tables do; finding without inserting; slots fetched ahead; keys that NULL is not
//	column.go, words.go, ints.go, int128s.go, strings.go   tables of one column
//	nested.go, fields.go                           nested values: hashed and compared; STRUCTs
//	multi.go, multi_layout.go, multi_alone.go, multi_keys.go, number.go, rows.go    tables of several columns: packed, or rows of words
//	joint.go, tuple.go                             several columns, some from one side of a join; keys that hardly repeat
//	columns.go, columns_equal.go                   keys that are found by their hashes and compared
//	multimap.go, bulk.go, bulk_filter.go, bulk_lists.go   the build side of a join
//	hashed.go, packed.go, single.go                its keys that are not one word
package hashtable

import "math/bits"

// Mix hashes a 64-bit word: the XOR of the halves of a 128-bit product. Every bit
// of the result depends on the bits at and below its place through the low half
// and on those above through the high half. Sequences, multiples of powers of two
// and floating-point bits are all distributed well.
func Mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// Combine hashes a word into a hash of the words before it.
func Combine(h, x uint64) uint64 {
	return Mix(bits.RotateLeft64(h, 29) ^ x)
}

// The hashed tables double when more than half of the slots are taken: linear
// probing then looks at 1.5 slots for a key that is there and at 2.5 for one
// that is not, on average.
const minSlots = 256

func slotsFor(n int) int {
	size := minSlots
	for size < 2*n+2 {
		size *= 2
	}
	return size
}
