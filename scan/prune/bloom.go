package prune

import (
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// Bloom is the membership test of a bloom filter of the column, for a row group
// where HasBloom; nil without a filter.
func (c *Column) Bloom(filter *fileformat.BloomFilter) func(vector.Scalar) bool {
	if filter == nil {
		return nil
	}
	test := func(s vector.Scalar) bool { return s.Null || c.mayContain(filter, s) }
	switch {
	case c.convert.Identity():
		return test
	case c.convert.Lossy():
		return nil // a value of the table stands for several of the file
	}
	return probe.ThroughCast(c.convert.From(), c.convert.To(), test)
}

// HasBloom reports whether a bloom filter could decide anything: one value must
// have one form in the file. INTERVALs of 30 days and of a month are equal,
// a DECIMAL in a BYTE_ARRAY may have leading bytes, INT96 more nanoseconds than
// a day has, and integers narrower than 32 bits stray high bits.
func (c *Column) HasBloom(g *fileformat.RowGroup) bool {
	if c.leaf < 0 || g.Columns[c.leaf].Meta.BloomFilterOffset <= 0 {
		return false
	}
	n := c.Node
	switch {
	case c.class == unordered || c.class == int96Order || n.Physical == fileformat.Boolean:
		return false
	case c.class == decimalOrder && n.Physical == fileformat.ByteArray:
		return false
	case c.narrow():
		return false
	}
	return true
}

func (c *Column) mayContain(filter *fileformat.BloomFilter, s vector.Scalar) bool {
	if s.IsNaN() {
		return true // NaN has many bit patterns
	}
	plain, ok := nested.PlainBytes(c.Node, s)
	if !ok {
		return true
	}
	if filter.MayContainHash(fileformat.HashBytes(plain)) {
		return true
	}
	if c.class != floatOrder || !isZero(&s) {
		return false
	}
	// The zeros are equal but differ in their sign bit, which is the last byte's.
	plain = append([]byte(nil), plain...)
	plain[len(plain)-1] ^= 0x80
	return filter.MayContainHash(fileformat.HashBytes(plain))
}

func isZero(s *vector.Scalar) bool {
	if s.Type.Storage() == vector.StoreFloat32 {
		return s.F32 == 0
	}
	return s.F64 == 0
}
