package prune

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// orderClass groups columns by what their min and max mean.
type orderClass uint8

const (
	unordered     orderClass = iota // bounds mean nothing
	signedOrder                     // booleans, signed integers and types stored as such
	unsignedOrder                   // unsigned integers
	floatOrder                      // FLOAT, DOUBLE, FLOAT16
	int96Order                      // timestamps in 12 bytes
	byteOrder                       // byte arrays, byte by byte
	decimalOrder                    // byte arrays that hold a DECIMAL
)

// classOf follows union ColumnOrder of parquet.thrift, which lists the order of
// each type. A type is unordered if it has no order there, or if this engine
// orders it differently (BSON is compared as a document).
func classOf(c nested.Column) orderClass {
	n := c.Node
	if n.Logical.Kind == fileformat.LogicalUnknownFuture {
		return unordered // a later version of the format may define its order
	}
	switch c.Type.Kind {
	case vector.Null, vector.Interval, vector.Variant, vector.BSON, vector.Geometry, vector.Geography,
		vector.List, vector.Map, vector.Struct:
		return unordered
	case vector.Half, vector.Float, vector.Double:
		return floatOrder
	case vector.UTinyInt, vector.USmallInt, vector.UInteger, vector.UBigInt:
		return unsignedOrder
	}
	switch n.Physical {
	case fileformat.Int96Type:
		return int96Order
	case fileformat.ByteArray, fileformat.FixedLenByteArray:
		if c.Type.Kind == vector.Decimal {
			return decimalOrder
		}
		return byteOrder
	}
	return signedOrder
}

// usable reports whether min_value and max_value under the declared order are
// bounds in the order of the class. Without a declared order the specification
// leaves their meaning undefined.
func (k orderClass) usable(o fileformat.ColumnOrder) bool {
	switch k {
	case unordered:
		return false
	case floatOrder:
		return o == fileformat.OrderType || o == fileformat.OrderTotal
	case int96Order:
		return o == fileformat.OrderInt96
	}
	return o == fileformat.OrderType
}

// deprecatedUsable reports whether the deprecated min and max are bounds: they
// are in signed order, which is right for some types only. It is wrong for
// FLOAT16, whose values are byte arrays.
func (k orderClass) deprecatedUsable(p fileformat.PhysicalType) bool {
	return k == signedOrder || k == floatOrder && p != fileformat.FixedLenByteArray
}

// distrusted reports whether the writer is known to write wrong bounds of this
// class; dictionary says whether the chunk may have a dictionary.
func (k orderClass) distrusted(w fileformat.Writer, p fileformat.PhysicalType, dictionary bool) bool {
	if distrustAll(w) {
		return true
	}
	switch k {
	case byteOrder:
		return distrustBytes(w, dictionary)
	case decimalOrder:
		return distrustBytes(w, dictionary) || distrustDecimals(w, p)
	case floatOrder:
		return distrustFloats(w)
	}
	return false
}

// bounds converts a chunk's or a page's min and max to the file's SQL type; nil is
// unknown.
func (c *Column) bounds(min, max []byte) (lo, hi *vector.Scalar) {
	if min == nil && max == nil {
		return nil, nil
	}
	return c.boundsIn(new([2]vector.Scalar), min, max)
}

// boundsIn is bounds that are kept in both.
func (c *Column) boundsIn(both *[2]vector.Scalar, min, max []byte) (lo, hi *vector.Scalar) {
	lo, hi = c.scalar(&both[0], min), c.scalar(&both[1], max)
	if lo != nil && lo.IsNaN() || hi != nil && hi.IsNaN() {
		// A writer that compares with NaN may have missed any smaller or greater value.
		return nil, nil
	}
	variable := c.Node.Physical == fileformat.ByteArray
	switch {
	case c.class == floatOrder:
		widenZero(lo, math.Copysign(0, -1))
		widenZero(hi, 0)
	case variable && (lengthPrefixed(min) || lengthPrefixed(max)):
		return nil, nil
	case c.class == byteOrder && (variable || len(max) != c.Node.TypeLength) && leftOver(max):
		hi = nil
	}
	if lo != nil && hi != nil && !inOrder(lo, hi) {
		return nil, nil
	}
	if c.narrow() && (lo == nil || hi == nil) {
		// A bound is outside of the type. Other values may be, too; they lose their
		// high bits when they are read and may become any value.
		return nil, nil
	}
	return lo, hi
}

// narrow reports whether the file stores more bits than the type has.
func (c *Column) narrow() bool {
	return c.Node.Logical.Kind == fileformat.LogicalInteger && c.Node.Logical.BitWidth < 32
}

// leftOver reports whether max may be all that a writer kept of a max that was too
// long: no bytes, or only bytes 0xFF, which cannot be incremented. Both are less
// than the real max.
func leftOver(max []byte) bool { return len(bytes.Trim(max, "\xff")) == 0 }

// afterPrefix returns the least byte array that is greater than every byte array
// with the prefix; nil if there is none.
func afterPrefix(prefix []byte) []byte {
	for n := len(prefix); n > 0; n-- {
		if prefix[n-1] != 0xff {
			out := bytes.Clone(prefix[:n])
			out[n-1]++
			return out
		}
	}
	return nil
}

// lengthPrefixed reports whether a bound of a BYTE_ARRAY begins with its length.
// Values in pages do, bounds should not.
func lengthPrefixed(b []byte) bool {
	return len(b) >= 4 && uint64(binary.LittleEndian.Uint32(b)) == uint64(len(b)-4)
}

// scalar decodes a bound from its PLAIN bytes into to; nil if they are not a value.
func (c *Column) scalar(to *vector.Scalar, plain []byte) *vector.Scalar {
	if plain == nil {
		return nil
	}
	var ok bool
	if *to, ok = nested.ScalarOf(c.Node, c.Options, plain); !ok || to.Null {
		return nil
	}
	return to
}

// widenZero replaces a bound that is zero by the given zero: -0.0 for a min, 0.0 for
// a max. Writers do not agree whether -0.0 is less than 0.0.
func widenZero(s *vector.Scalar, zero float64) {
	if s == nil {
		return
	}
	if s.F32 == 0 {
		s.F32 = float32(zero)
	}
	if s.F64 == 0 {
		s.F64 = zero
	}
}

// inOrder reports whether two bounds of one column do not contradict each other.
func inOrder(lo, hi *vector.Scalar) bool {
	c, ok := expr.OrderScalars(lo, hi)
	return ok && c <= 0
}
