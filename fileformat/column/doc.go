// Package column decodes column chunks: from the bytes of pages, which package
// page finds and decompresses, to levels and physical values.
//
// A Reader delivers a chunk's rows in batches, in order; Skip passes rows without
// the work of decoding them. The values of a batch are either values or dictionary
// codes. The caller assembles lists, groups and NULLs from the levels (see package
// nested).
package column
