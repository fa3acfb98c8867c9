package prune

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// Column is what the statistics of one file say of a column of a table. It must be used by one
// goroutine.
type Column struct {
	*mapping.Column
	class orderClass
	leaf  int  // -1: no statistics describe the column's values
	inner bool // a row has any number of values: see NewInner

	shapes    *shapes // nil: no geometries
	shredded  *Column // of a derived column: see In; nil: no statistics describe it
	onlyNulls bool    // a dictionary says nothing
}

// NewColumn describes a file's column that has type t in the table, whose fields m pairs.
func NewColumn(c nested.Column, o nested.Options, t vector.Type, m *convert.Match) (*Column, error) {
	column, err := mapping.NewColumn(c, o, t, m)
	if err != nil {
		return nil, err
	}
	return Of(column), nil
}

// Of describes a column as it is read.
func Of(c *mapping.Column) *Column {
	out := &Column{Column: c, leaf: -1, shredded: shredded(c), shapes: newShapes(c.Column, c.Options)}
	out.onlyNulls = c.Type.Kind == vector.Null // what a dictionary has is no value of a row
	if c.Flat() {
		out.leaf, out.class = c.Node.Leaf, classOf(c.Column)
	}
	return out
}

// Leaf is the index of the leaf whose statistics describe the column, or -1.
func (c *Column) Leaf() int { return c.leaf }

// Unknown is the summary of rows about which nothing is known.
func Unknown(rows int64) *probe.Summary {
	out := unknown(rows)
	return &out
}

func unknown(rows int64) probe.Summary {
	return probe.Summary{Rows: rows, Nulls: -1, MayHaveNaN: true}
}

// Room is where a summary is made. Who makes another one there does not need the first any longer.
type Room struct {
	summary probe.Summary
	bounds  [2]vector.Scalar
}

// Constant is the summary of rows that all have the same value. It includes a
// dictionary, so that any condition on this column alone can be evaluated.
func Constant(s vector.Scalar, rows int64) *probe.Summary {
	if s.Null || s.Type.Kind == vector.Null {
		return &probe.Summary{Rows: rows, Nulls: rows}
	}
	out := &probe.Summary{Rows: rows, Dict: vector.New(s.Type, 1)}
	out.Dict.Set(0, s)
	if s.IsNaN() {
		out.MayHaveNaN = true
		return out
	}
	out.Min, out.Max, out.MinExact, out.MaxExact = &s, &s, true, true
	return out
}

// Sequence is the summary of the row numbers from first to first+rows-1.
func Sequence(first, rows int64) *probe.Summary {
	if rows <= 0 {
		return Unknown(rows)
	}
	lo, hi := vector.IntScalar(first), vector.IntScalar(first+rows-1)
	return &probe.Summary{Rows: rows, Min: &lo, Max: &hi, MinExact: true, MaxExact: true}
}

// Chunk is what the footer says of the column in a row group.
func (c *Column) Chunk(g *fileformat.RowGroup) *probe.Summary { return c.ChunkIn(new(Room), g) }

// ChunkIn is Chunk, made in a room.
func (c *Column) ChunkIn(room *Room, g *fileformat.RowGroup) *probe.Summary {
	out := c.chunk(room, g)
	out.Shapes = c.shapesOf(g)
	return out
}

func (c *Column) chunk(room *Room, g *fileformat.RowGroup) *probe.Summary {
	out := &room.summary
	*out = unknown(g.NumRows)
	if c.leaf < 0 {
		if !c.Nullable {
			out.Nulls = 0
		}
		return out
	}
	chunk := g.Columns[c.leaf]
	if c.inner {
		out.Rows = max(g.NumRows, chunk.Meta.NumValues)
	}
	c.typeFacts(out)
	st := chunk.Statistics()
	if st == nil || chunk.Meta.NumValues != out.Rows {
		return out
	}
	c.enter(out, &room.bounds, st, c.chunkTrust(chunk))
	return out
}

// chunkTrust says which statistics of a chunk and its pages are trusted.
func (c *Column) chunkTrust(chunk *fileformat.ColumnChunk) pageTrust {
	writer := chunk.File().Meta.Writer
	return pageTrust{
		bounds: !c.class.distrusted(writer, c.Node.Physical, mayHaveDictionary(chunk)) && !c.distrustedInner(writer) &&
			(c.Type.Kind != vector.Decimal || !distrustSmallDecimals(writer)) &&
			(c.Node.Physical != fileformat.Boolean || !distrustBooleans(writer)),
		nulls:     !distrustNullCount(writer),
		nullPages: !distrustNullPages(writer, c.inner),
		cut:       cutsMaximum(writer),
		noNaNs:    c.class == floatOrder && leavesOutNaNs(writer),
	}
}

// enter adds statistics to a summary, whose bounds have their own memory.
func (c *Column) enter(out *probe.Summary, both *[2]vector.Scalar, st *fileformat.Statistics, trust pageTrust) {
	var lo, hi *vector.Scalar
	switch {
	case !trust.bounds:
	case c.class.usable(st.Order) && (st.Min != nil || st.Max != nil):
		lo, hi = c.boundsIn(both, st.Min, st.Max)
		out.MinExact, out.MaxExact = c.exact(st.MinExact), c.exact(st.MaxExact)
	case c.class.deprecatedUsable(c.Node.Physical):
		lo, hi = c.boundsIn(both, st.DeprecatedMin, st.DeprecatedMax)
		out.MinExact, out.MaxExact = c.exact(fileformat.ExactUnknown), c.exact(fileformat.ExactUnknown)
	}
	nulls, nans := st.NullCount, st.NaNCount
	if trust.noNaNs && lo != nil && hi != nil && !c.Converter().IsShredded() {
		nans = 0 // and a zero may stand for that of the other sign
		out.MinExact = st.MinExact == fileformat.Exact && !isZero(lo)
		out.MaxExact = st.MaxExact == fileformat.Exact && !isZero(hi)
	}
	if !trust.nulls || c.inner && nulls < out.Rows {
		nulls = -1
	}
	c.fill(out, lo, hi, nulls, nans)
}

// typeFacts enters what the schema alone proves: a REQUIRED column outside of
// optional groups has no NULL, all values of type UNKNOWN are NULL, and only floats
// have NaN.
func (c *Column) typeFacts(out *probe.Summary) {
	out.MayHaveNaN = c.Type.IsFloat() && c.Converter().Ordered() // no text is NaN
	if c.Node.MaxDef == 0 {
		out.Nulls = 0
	}
	if c.Node.Logical.Kind == fileformat.LogicalUnknown {
		out.Nulls = out.Rows
	}
}

// fill enters bounds and counts, except those that contradict each other.
func (c *Column) fill(out *probe.Summary, lo, hi *vector.Scalar, nulls, nans int64) {
	if out.Nulls < 0 && nulls >= 0 && nulls <= out.Rows {
		out.Nulls = nulls
	}
	if c.Node.MaxDef > 0 && out.Rows > 0 && out.Nulls == out.Rows && (lo != nil && !emptyString(lo) || hi != nil && !emptyString(hi)) {
		out.Nulls = -1 // bounds, but no values: one of the two is wrong
		lo, hi = nil, nil
	}
	if nans == 0 {
		out.MayHaveNaN = false
	}
	out.Min, out.Max = c.Converter().Bound(lo), c.Converter().Bound(hi)
	out.MinExact = out.MinExact && out.Min != nil
	out.MaxExact = out.MaxExact && out.Max != nil
	if out.MayHaveNaN && c.Converter().IsShredded() { // what NaN becomes is above all that numbers become
		nan := vector.Scalar{Type: c.Type, F32: float32(math.NaN()), F64: math.NaN()}
		out.Max, out.MaxExact, out.MayHaveNaN = c.Converter().Bound(&nan), false, false
	}
}

// emptyString reports whether a bound is the empty string, which some writers put
// where they have no bound.
func emptyString(s *vector.Scalar) bool {
	return s.Type.Storage() == vector.StoreString && s.Str == ""
}

// exact reports whether a bound is a value that occurs. If the file does not say,
// bounds of integers are exact, and those of byte arrays are not: they may be
// truncated. Bounds of floats never are: writers treat NaN and zeros differently; enter knows the writers
// that tell of NaN.
func (c *Column) exact(e fileformat.Exactness) bool {
	switch {
	case c.class == floatOrder:
		return false
	case e == fileformat.ExactUnknown:
		return c.class == signedOrder || c.class == unsignedOrder
	}
	return e == fileformat.Exact
}
