package nested

import (
	"slices"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/nested/internal/levels"
)

// leafReader is the methods that a column needs of a *column.Reader.
type leafReader interface {
	Read(rows int) (*column.Batch, error)
	ReadSelected(rows []int64) (*column.Batch, error)
	Skip(rows int64) error
	Row() int64
	Stats() column.Stats
	OnlyLevels()
	Close()
}

// cursor is one leaf of a column. Before damage, the leaves of a column may stop
// at different rows; rows that one has read beyond the others are kept.
type cursor struct {
	node    *fileformat.Node
	leaf    leafReader
	convert *converter // nil: only levels are needed

	*taken // nil: the column is this leaf alone, whose batches are its rows

	// The row numbers of kept and of all if they were selected; nil if they are
	// the last rows that the leaf has read.
	numbers, allNumbers []int64
	memory              []int64 // for them
}

// taken is what a cursor has of its leaf. The many columns of a flat table do not need it.
type taken struct {
	kept column.Batch // read, but not yet taken
	now  column.Batch // the rows at hand
	all  column.Batch // both, to take the rows at hand back
}

// left is how many rows are read, but not yet taken.
func (c *cursor) left() int {
	if c.taken == nil {
		return 0
	}
	return c.kept.Rows
}

// row is the number of the next row for take.
func (c *cursor) row() int64 {
	if len(c.numbers) > 0 {
		return c.numbers[0]
	}
	return c.leaf.Row() - int64(c.left())
}

// read reads the leaf's next rows, or the selected ones if selected is not nil.
func (c *cursor) read(rows int, selected []int64) (*column.Batch, error) {
	if selected == nil {
		return c.leaf.Read(rows)
	}
	return c.leaf.ReadSelected(selected)
}

// fill reads rows if none are kept and the column has any left.
func (c *cursor) fill(rows int, selected []int64) error {
	if c.kept.Rows > 0 {
		return nil
	}
	b, err := c.read(rows, selected)
	if err != nil {
		return err
	}
	c.kept, c.numbers = *b, nil
	if selected != nil {
		c.memory = append(c.memory[:0], selected[:b.Rows]...)
		c.numbers = c.memory
	}
	return nil
}

// ready is the number of wanted rows that are the first of the kept ones.
func (c *cursor) ready(rows int, selected []int64) int {
	rows = min(rows, c.kept.Rows)
	if selected == nil && c.numbers == nil {
		return rows
	}
	first := c.row()
	for i := range rows {
		wanted := first + int64(i)
		have := wanted
		if selected != nil {
			wanted = selected[i]
		}
		if c.numbers != nil {
			have = c.numbers[i]
		}
		if have != wanted {
			return i
		}
	}
	return rows
}

// take makes the next kept rows the rows at hand.
func (c *cursor) take(rows int) {
	c.now, c.all, c.allNumbers = c.kept, c.kept, c.numbers
	if c.numbers != nil {
		c.numbers = c.numbers[rows:]
	}
	if rows == c.kept.Rows {
		c.kept = column.Batch{}
		return
	}
	entries, values := c.measure(rows)
	c.now = cut(&c.kept, c.node, 0, entries, 0, values)
	c.now.Rows = rows
	rest := cut(&c.kept, c.node, entries, c.kept.Count, values, c.kept.NonNull)
	rest.Rows = c.kept.Rows - rows
	c.kept = rest
}

// untake undoes take.
func (c *cursor) untake() { c.kept, c.numbers = c.all, c.allNumbers }

// measure counts the entries and values of the first kept rows.
func (c *cursor) measure(rows int) (entries, values int) {
	b := &c.kept
	entries = rows
	if b.Rep != nil {
		for entries = 0; entries < b.Count; entries++ {
			if b.Rep[entries] == 0 {
				if rows == 0 {
					break
				}
				rows--
			}
		}
	}
	if b.Def == nil {
		return entries, entries
	}
	for _, d := range b.Def[:entries] {
		if int(d) == c.node.MaxDef {
			values++
		}
	}
	return entries, min(values, b.NonNull)
}

// cut is a part of a batch with levels.
func cut(b *column.Batch, n *fileformat.Node, from, to, fromValue, toValue int) column.Batch {
	out := column.Batch{Count: to - from, NonNull: toValue - fromValue, Dict: b.Dict}
	out.Nulls = out.Count - out.NonNull
	if b.Def != nil {
		out.Def = b.Def[from:to]
	}
	if b.Rep != nil {
		out.Rep = b.Rep[from:to]
	}
	if b.Dict != nil {
		out.Codes = b.Codes[fromValue:toValue]
		return out
	}
	v := &out.Values
	switch n.Physical {
	case fileformat.Boolean:
		v.Bool = b.Values.Bool[fromValue:toValue]
	case fileformat.Int32:
		v.Int32 = b.Values.Int32[fromValue:toValue]
	case fileformat.Int64:
		v.Int64 = b.Values.Int64[fromValue:toValue]
	case fileformat.Int96Type:
		v.Int96 = b.Values.Int96[fromValue:toValue]
	case fileformat.Float:
		v.Float = b.Values.Float[fromValue:toValue]
	case fileformat.Double:
		v.Double = b.Values.Double[fromValue:toValue]
	default:
		v.Bytes = b.Values.Bytes[fromValue:toValue]
	}
	return out
}

// skipTo moves past the rows before row.
func (c *cursor) skipTo(row int64) error {
	if before := c.before(row); before < c.left() {
		c.take(before)
		return nil
	}
	if c.taken != nil {
		c.kept, c.numbers = column.Batch{}, nil
	}
	if rows := row - c.leaf.Row(); rows > 0 {
		return c.leaf.Skip(rows)
	}
	return nil
}

// before is the number of kept rows before row.
func (c *cursor) before(row int64) int {
	if c.numbers != nil {
		n, _ := slices.BinarySearch(c.numbers, row)
		return n
	}
	return int(min(max(row-c.row(), 0), int64(c.left())))
}

// levels are those of the rows at hand.
func (c *cursor) levels() levels.Rows {
	return levels.Rows{Def: c.now.Def, Rep: c.now.Rep, Count: c.now.Count, MaxRep: c.node.MaxRep}
}
