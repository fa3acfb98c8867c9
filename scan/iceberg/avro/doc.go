// Package avro reads object container files of Avro (avro.apache.org/docs/1.12.0/specification), as
// far as manifests of Iceberg need it: records of numbers, texts, arrays and unions with null, with
// Iceberg's field ids in the schema. Records are read field by field as the caller asks for them.
//
//	file     "Obj" 1, metadata (a map of bytes: avro.schema, avro.codec, …), 16 bytes of a mark, blocks
//	block    long: records; long: bytes; the bytes, compressed by the codec; the mark
//	long     zigzag, then 7 bits a byte, the low ones first, the top bit: more follow
//	bytes    long: length; the bytes. Texts likewise
//	array    blocks: long: elements, where it is negative followed by long: bytes; the elements. 0 ends it
//	union    long: which of its types; the value
//
// It is one of our own because the files are not trusted: the libraries there are make values of
// what a length or a number of elements says, before the bytes are there. Here a value never takes
// more than the bytes that it is made of, schemas cannot contain themselves, and what takes no bytes
// is counted.
package avro
