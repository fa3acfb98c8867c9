// Package statistics estimates what a table holds: rows, ranges, and numbers of different
// values. Of many files and row groups it looks at a sample. Where who named the files says
// their rows and bounds, it reads nothing; else it reads the footers that are not in the cache. It
// reads no page.
package statistics

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/vector"
)

// The size of the sample.
const (
	maxFiles  = 16
	maxGroups = 64 // row groups of all files
)

// manyDistinct is the assumed number of different values per row where a dictionary
// became too large.
const manyDistinct = 0.5

// Table is the statistics of one table. It is for one goroutine.
type Table struct {
	table   *files.Set
	rows    float64
	share   float64 // the part of the table's rows that the sample has
	groups  []group
	named   []*files.File                   // the sample, where what is known of the files is enough; else nil
	all     func(column int) *probe.Summary // what is known of all rows; nil: nothing more
	columns map[int]scan.ColumnStatistics
}

// group is a row group of the sample.
type group struct {
	file    *files.File
	columns *mapping.Columns
	*fileformat.RowGroup
}

// Of looks at the table's files. Columns are looked at when they are asked for.
func Of(ctx context.Context, t *files.Set) *Table {
	s := &Table{table: t, columns: map[int]scan.ColumnStatistics{}}
	if t.Sample != nil {
		sample, some, err := t.Sample(ctx)
		if some {
			s.take(sample)
		}
		if some || err != nil {
			return s // reading the table will tell what is wrong
		}
	}
	whole, err := t.Whole(ctx)
	if err != nil {
		return s // reading the table will tell
	}
	s.table, t = whole, whole
	if s.known() {
		return s
	}
	var bytes, seenBytes, seenRows, sampled float64
	sample := spread(t.Files, maxFiles)
	for _, f := range t.Files {
		bytes += float64(f.Size())
	}
	for _, f := range sample {
		m, columns, err := f.Metadata(ctx)
		if err != nil {
			continue // reading the file will tell
		}
		seenBytes += float64(f.Size())
		seenRows += float64(m.NumRows())
		for _, g := range spread(m.RowGroups(), max(1, maxGroups/len(sample))) {
			s.groups = append(s.groups, group{f, columns, g})
			sampled += float64(g.NumRows)
		}
	}
	if seenBytes > 0 {
		s.rows = seenRows * bytes / seenBytes
	}
	if s.rows > 0 {
		s.share = sampled / s.rows
	}
	return s
}

// spread is n elements of a list, at even distances.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// Rows implements scan.Statistics.
func (s *Table) Rows() float64 { return s.rows }

// Column implements scan.Statistics.
func (s *Table) Column(i int) scan.ColumnStatistics {
	c, ok := s.columns[i]
	if !ok {
		c = s.column(i)
		s.columns[i] = c
	}
	return c
}

func (s *Table) column(i int) scan.ColumnStatistics {
	unknown := scan.ColumnStatistics{Nulls: -1}
	switch s.table.Columns[i].Origin {
	case scan.FromFile:
	case scan.FromPartition:
		return s.partition(i)
	default:
		return unknown
	}
	var d distribution
	for _, f := range s.named {
		d.add(boundsOf(f, i))
	}
	if s.all != nil {
		if known := s.all(i); known != nil {
			d.min, d.max = extreme(d.min, known.Min, -1), extreme(d.max, known.Max, 1)
		}
	}
	var file *files.File
	var column *prune.Column
	for _, g := range s.groups {
		if g.file != file {
			file, column = g.file, nil
			if c, ok := g.columns.Column(i); ok {
				column, _ = prune.NewColumn(c, file.NestedOptions(), s.table.Columns[i].Type, g.columns.Match(i))
			}
		}
		if column == nil || column.Leaf() < 0 {
			d.add(chunk{rows: float64(g.NumRows), nulls: float64(g.NumRows)})
			continue
		}
		d.add(chunkOf(column, g.RowGroup))
	}
	if d.rows == 0 {
		return unknown
	}
	return d.whole(s.share)
}

// partition counts the values of a partition column.
func (s *Table) partition(i int) scan.ColumnStatistics {
	values, seen := map[string]bool{}, map[*vector.Scalar]bool{}
	out := scan.ColumnStatistics{}
	for _, f := range s.table.Files {
		v := f.ValueAt(i)
		if v == nil || v.Null || seen[v] {
			continue
		}
		seen[v] = true // many files share it
		values[expr.NewConst(*v).String()] = true
		out.Min, out.Max = extreme(out.Min, v, -1), extreme(out.Max, v, 1)
	}
	out.Distinct = float64(len(values))
	return out
}

// extreme is the lesser (sign -1) or the greater of two values.
func extreme(a, b *vector.Scalar, sign int) *vector.Scalar {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	if order, ok := expr.OrderScalars(b, a); ok && order*sign > 0 {
		return b
	}
	return a
}

// chunk is what the footer says of one column chunk.
type chunk struct {
	rows, nulls float64
	distinct    float64 // 0: unknown
	min, max    *vector.Scalar
}

func chunkOf(c *prune.Column, g *fileformat.RowGroup) chunk {
	summary := c.Chunk(g)
	out := chunk{rows: float64(summary.Rows), nulls: float64(summary.Nulls), min: summary.Min, max: summary.Max}
	meta := g.Columns[c.Leaf()]
	st := meta.Statistics()
	switch {
	case st != nil && st.DistinctCount > 0:
		out.distinct = float64(st.DistinctCount)
	case onlyDictionary(meta):
		out.distinct = dictionaryValues(meta, st)
	case meta.Meta.DictionaryPageOffset > 0: // the writer gave up the dictionary
		out.distinct = out.rows * manyDistinct
	}
	out.distinct = min(out.distinct, out.rows-max(out.nulls, 0))
	return out
}

// onlyDictionary reports whether all values of a chunk are in its dictionary, as far as
// its metadata says.
func onlyDictionary(c *fileformat.ColumnChunk) bool {
	if c.Meta.DictionaryPageOffset <= 0 || c.Meta.DataPageOffset <= c.Meta.DictionaryPageOffset {
		return false
	}
	for _, s := range c.Meta.EncodingStats {
		data := s.Type == fileformat.DataPage || s.Type == fileformat.DataPageV2
		if data && s.Encoding != fileformat.PlainDictionary && s.Encoding != fileformat.RLEDictionary {
			return false
		}
	}
	return true
}

// headerBytes is about the size of a dictionary page's header.
const headerBytes = 20

// dictionaryValues estimates the entries of a dictionary from its size in the file.
func dictionaryValues(c *fileformat.ColumnChunk, st *fileformat.Statistics) float64 {
	size := float64(c.Meta.DataPageOffset - c.Meta.DictionaryPageOffset - headerBytes)
	if c.Meta.TotalCompressedSize > 0 {
		size *= max(1, float64(c.Meta.TotalUncompressedSize)/float64(c.Meta.TotalCompressedSize))
	}
	return max(1, size/width(c, st))
}

// width is the bytes of a value in a dictionary page.
func width(c *fileformat.ColumnChunk, st *fileformat.Statistics) float64 {
	switch c.Leaf.Physical {
	case fileformat.Int32, fileformat.Float:
		return 4
	case fileformat.Int96Type:
		return 12
	case fileformat.FixedLenByteArray:
		return max(1, float64(c.Leaf.TypeLength))
	case fileformat.ByteArray:
		if st != nil && st.Min != nil && st.Max != nil {
			return 4 + float64(len(st.Min)+len(st.Max))/2
		}
		return 16
	}
	return 8
}

// distribution is the chunks of a column that were looked at.
type distribution struct {
	rows, nulls float64
	nullsKnown  float64 // rows of the chunks that say how many NULLs they have
	chunks      []chunk
	min, max    *vector.Scalar
	open        bool // a chunk with values has no bounds
}

func (d *distribution) add(c chunk) {
	d.rows += c.rows
	if c.nulls >= 0 {
		d.nulls += c.nulls
		d.nullsKnown += c.rows
	}
	if c.rows-max(c.nulls, 0) <= 0 {
		return
	}
	d.chunks = append(d.chunks, c)
	if c.min == nil || c.max == nil {
		d.open = true
		return
	}
	d.min, d.max = extreme(d.min, c.min, -1), extreme(d.max, c.max, 1)
}

// whole is the statistics of the table, where the chunks are a share of it.
func (d *distribution) whole(share float64) scan.ColumnStatistics {
	out := scan.ColumnStatistics{Nulls: -1}
	if d.nullsKnown > 0 {
		out.Nulls = d.nulls / d.nullsKnown
	}
	if !d.open {
		out.Min, out.Max = d.min, d.max
	}
	values := d.rows * (1 - max(out.Nulls, 0)) / max(share, 1e-9)
	out.Distinct = d.distinct(values, share)
	if span, ok := span(out.Min, out.Max); ok && discrete(out.Min.Type) && (out.Distinct == 0 || span < out.Distinct) {
		out.Distinct = min(span, values)
	}
	return out
}

// distinct estimates the different values among all values, 0 if the chunks do not
// tell theirs. Chunks whose ranges do not overlap share no values. Those of chunks
// that overlap are taken for random draws from one set of values.
func (d *distribution) distinct(values, share float64) float64 {
	var sum, drawn, widths float64
	for _, c := range d.chunks {
		if c.distinct == 0 {
			return 0
		}
		sum += c.distinct
		drawn += c.rows - max(c.nulls, 0)
		if w, ok := span(c.min, c.max); ok {
			widths += w
		}
	}
	n := float64(len(d.chunks))
	if n == 0 {
		return 0
	}
	apart := min(values, sum/max(share, 1e-9))
	if n == 1 && share > 0.99 {
		return sum
	}
	together := min(drawsFrom(sum/n, drawn/n), values)
	all, ok := span(d.min, d.max)
	if !ok || d.open || widths == 0 || n == 1 {
		return together
	}
	overlap := min(max((widths/all-1)/(n-1), 0), 1)
	return overlap*together + (1-overlap)*apart
}

// drawsFrom is the size of a set, where so many draws from it have given so many different
// values.
func drawsFrom(distinct, draws float64) float64 {
	if distinct >= draws*0.98 {
		return math.Inf(1)
	}
	size := distinct
	for range 30 { // size grows towards the solution of distinct = size·(1-exp(-draws/size))
		size = distinct / (1 - math.Exp(-draws/size))
	}
	return size
}

// span is the number of values from min to max, if the type is stored as integers.
func span(min, max *vector.Scalar) (float64, bool) {
	if min == nil || max == nil {
		return 0, false
	}
	lo, ok := min.Whole()
	hi, ok2 := max.Whole()
	if !ok || !ok2 {
		return 0, false
	}
	return hi.Float64() - lo.Float64() + 1, true
}

// discrete reports whether columns of a type commonly have most values of their range.
func discrete(t vector.Type) bool {
	return t.IsInteger() || t.Kind == vector.Date || t.Kind == vector.Decimal && t.Scale == 0
}
