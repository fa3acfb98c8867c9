// Package variant reads and writes VARIANT, Parquet's semi-structured values:
// their binary encoding (VariantEncoding.md of apache/parquet-format, version 1)
// and the columns that they are shredded into (VariantShredding.md).
//
// A Variant is two byte strings. The metadata is a dictionary of field names, the
// value refers to them by number. The object {"b": true, "a": [1]} may be
//
//	metadata  01 02 00 01 02 62 61     version 1, 2 names: offsets 0 1 2, "b" "a"
//	value     02 02 01 00 00 06 07     object, 2 fields: ids 1 0, offsets 0 6, end 7
//	          03 01 00 02 0c 01 04     a: array of 1 element, an int8; b: true
//
// Fields are listed in the order of their names, so that one is found by binary
// search, and each value within the Variant is one that can be read alone. So a
// Value is a view of the two strings; nothing is decoded before it is asked for.
//
// A shredded Variant has some of its values in typed columns. A Layout says which,
// for the vectors that package nested makes of one file:
//
//	VARIANT
//	  metadata     BLOB
//	  value        BLOB          what typed_value does not hold
//	  typed_value  STRUCT        an object, of which typed_value holds some fields
//	    a          STRUCT
//	      value        BLOB      the field a where it is no BIGINT
//	      typed_value  BIGINT    the field a
//
// Everywhere else in the driver a VARIANT vector is canonical: of the type
// vector.VariantType(), with metadata and value only, valid in all its parts, and
// NULL only as a row. Layout.Canonical makes it; what it returns has passed
// Value.Check, so that nothing later can find it damaged.
//
// Package order compares values, by the equivalence classes of the specification.
package variant
