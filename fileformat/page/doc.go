// Package page finds and reads the pages of a column chunk: from a file's bytes
// to the decompressed bytes of a page, whose meaning package column decodes.
//
// The steps for each page, in this order:
//
//	find        the header's offset: after the page before, or from the offset index
//	header      Thrift, of unknown length: as many bytes are read as it needs
//	body        CompressedSize bytes after the header
//	checksum    CRC-32 of the body as it is in the file
//	decompress  V1 and dictionary pages as a whole, V2 pages after their levels; long
//	            pages in pieces, while they are decoded
//
// A Reader knows each page's ordinal and first row, from walking the pages or from
// the offset index, and owns the memory of bodies and decompressed pages.
//
// Encryption (the format's Encryption.md) belongs to this package only. In an
// encrypted column, the header and the body of a page are separate modules:
//
//	length (4 bytes), nonce (12 bytes), ciphertext, tag (16 bytes)
//
// Reader.header decrypts a header before it parses it, and Reader.Body decrypts
// a body between checksum and decompression. Both need the module's additional
// data: row group, column, and for data pages the ordinal, which Page has.
package page
