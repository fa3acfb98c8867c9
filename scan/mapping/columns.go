package mapping

import (
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan/convert"
	"github.com/parquetsql/parquetsql/vector"
)

// Mapping says where files have the columns of a table. It is shared by files and goroutines.
type Mapping interface {
	// In finds the table's columns among those of a file. It fails where the file has a
	// column that cannot be the table's.
	In(own []nested.Column, o nested.Options) (*Columns, error)
}

// Columns says where one file has the columns of a table. It is immutable.
type Columns struct {
	own      []nested.Column
	index    []int                  // by table column: index into own, -1: the file does not have it
	types    map[int]vector.Type    // by index into own: instead of its own type
	match    map[int]*convert.Match // by table column; absent: by name
	defaults map[int]*vector.Scalar // by table column, of those that the file does not have
	within   map[int]*vector.Scalar // the same, where a struct, to which index leads, is not NULL
}

// At is a mapping by index: table column i is own[index[i]], or NULL where that is -1. types has
// other types of some of own, by index: NULL in place of what never has a value in the file and
// does not fit the table's type.
func At(own []nested.Column, index []int, types map[int]vector.Type) *Columns {
	return &Columns{own: own, index: index, types: types}
}

// In implements Mapping: the columns are those of the file that the index was made for.
func (c *Columns) In([]nested.Column, nested.Options) (*Columns, error) { return c, nil }

// Column is table column i with the type that it has in the file. It is false if the file does
// not have the column.
func (c *Columns) Column(i int) (nested.Column, bool) {
	if i >= len(c.index) || c.index[i] < 0 {
		return nested.Column{}, false
	}
	out := c.own[c.index[i]]
	if t, ok := c.types[c.index[i]]; ok {
		out.Type = t
	}
	return out, true
}

// Within is the value of a column that the file does not have in the rows in which the STRUCT that
// Column has instead is not NULL; nil: Column has the column.
func (c *Columns) Within(i int) *vector.Scalar { return c.within[i] }

// Match pairs the fields within table column i with those of the file; nil: by name.
func (c *Columns) Match(i int) *convert.Match { return c.match[i] }

// Default is the value of all rows of a column that the file does not have, of the table's
// type; nil: NULL.
func (c *Columns) Default(i int) *vector.Scalar { return c.defaults[i] }
