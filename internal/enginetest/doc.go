// Package enginetest tests the whole engine through database/sql where SQL in
// and rows out (testdata/slt) is not enough: random predicates with and without
// pruning, damaged and mutated files, memory and goroutines. It has no other
// contents. Its tests run in the repository's root folder.
package enginetest
