// Package column decodes column chunks: from the bytes of pages, which package
// page finds and decompresses, to levels and physical values.
//
// A Reader delivers a chunk's rows in batches, in order; Skip passes over rows
// and avoids the work that they would take. The values of a batch come either as
// values or as dictionary codes. Which lists, groups and NULLs the levels stand
// for is for the caller to assemble (see package nested).
package column
