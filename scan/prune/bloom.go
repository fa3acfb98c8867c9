package prune

import (
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/vector"
)

// Bloom tests whether a value may be in a row group, by the column's bloom filter.
// It is nil without a filter. The row group must be one for which HasBloom is true.
func (c *Column) Bloom(filter *fileformat.BloomFilter) func(vector.Scalar) bool {
	if filter == nil {
		return nil
	}
	test := func(s vector.Scalar) bool { return s.Null || c.mayContain(filter, s) }
	switch {
	case c.Converter().Identity():
		return test
	case c.Converter().IsShredded():
		return func(made vector.Scalar) bool {
			s, ok := c.Converter().Original(made)
			return !ok || test(s)
		}
	}
	return c.widened(test)
}

// widened is a test of the file's values as one of the table's; nil if there is none.
func (c *Column) widened(test func(vector.Scalar) bool) func(vector.Scalar) bool {
	switch {
	case c.Converter().Lossy():
		return nil // several values of the file become one value of the table
	case !c.Converter().Ordered() && !c.Converter().From().IsInteger():
		return nil // there is no proof that a text has one value of the file
	}
	return probe.ThroughCast(c.Converter().From(), c.Converter().To(), test)
}

// HasBloom reports whether the column has a bloom filter that can be used: equal
// values must have the same bytes in the file. This is not so for INTERVAL (30 days
// equal one month), DECIMAL in BYTE_ARRAY (extra leading bytes), INT96 (more
// nanoseconds than a day has) and integers narrower than 32 bits (high bits that
// are ignored).
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
	// 0.0 and -0.0 are equal but differ in the sign bit, which is in the last byte.
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

// BloomColumns are the columns whose bloom filter a probe tests, found by testing
// it with filters that may contain every value.
func BloomColumns(p probe.Probe, get func(int) *probe.Summary) map[int]bool {
	asked := map[int]bool{}
	p.Test(func(i int) *probe.Summary {
		s := get(i)
		if s == nil {
			return nil
		}
		spy := *s
		spy.Bloom = func(vector.Scalar) bool {
			asked[i] = true
			return true
		}
		return &spy
	})
	return asked
}
