// Package deletion reads deletion vectors of Delta Lake: which rows of a data file are not in
// the table any more (PROTOCOL.md, "Deletion Vector Format").
//
// A vector is a set of row numbers, from 0. Its bytes are those of a 64-bit Roaring bitmap
// behind a magic number:
//
//	magic     uint32    1681511377
//	buckets   uint64    how many follow
//	bucket    uint32    the high 32 bits of its rows; they ascend
//	          32-bit Roaring bitmap (github.com/RoaringBitmap/RoaringFormatSpec):
//	  cookie      uint32   12346, then the number of containers; or 12347 in the low half,
//	                       the number of containers less one in the high half, then one
//	                       bit for each container: whether it is of runs
//	  header      per container: uint16 the bits 16 to 31 of its rows, uint16 rows less one
//	  offsets     per container uint32, with the first cookie or from 4 containers on
//	  containers  runs: uint16 number, then start and length less one of each;
//	              up to 4,096 rows: uint16 each, ascending; else a bitmap of 8 KiB
//
// An older form has the magic number 1681511376, the number of bitmaps and before each its
// length, all uint32; the specification's example of an inline vector is in it, big-endian.
//
// All other numbers are little-endian. In a file of vectors each one lies between its length and
// its CRC-32, both big-endian, behind one byte with the version of the file's format.
//
// A container stays as it is stored, so a Set takes about as much memory as its bytes.
package deletion
