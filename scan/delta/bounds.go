package delta

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/schema"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/vector"
)

// evidence is what the log says of the columns of a version's files. The statistics of a file are a
// text; those of a column are read when a condition needs them first, of all files at once, and stay.
type evidence struct {
	files   []*action.File
	rows    []int64                // of each file; -1: unknown
	columns map[int]*columnBounds  // by place of the table's column
	kept    func(bytes int64) bool // counts what stays in memory; false: there is no room for it
}

// columnBounds is the bounds of a column that is neither a list or a map nor within one.
type columnBounds struct {
	path  string // physical names
	of    vector.Type
	asked *schema.Asked

	mu     sync.Mutex // held while the statistics are read
	bounds atomic.Pointer[files.Bounds]
	blocks []files.Block // of bounds
}

func newEvidence(list []*action.File, of *schema.Schema, m *mapping.Schema) *evidence {
	e := &evidence{files: list, columns: map[int]*columnBounds{}}
	e.rows = make([]int64, len(list))
	for i, f := range list {
		e.rows[i] = schema.Rows(f.Stats)
	}
	e.add(of.Fields, m, nil, nil)
	return e
}

// add notes fields, with the names and the physical names of the structs around them.
func (e *evidence) add(list []schema.Field, m *mapping.Schema, names, physical []string) {
	for _, f := range list {
		names, physical := append(names[:len(names):len(names)], f.Name), append(physical[:len(physical):len(physical)], f.Physical)
		switch f.Type.Kind {
		case vector.Struct:
			e.add(f.Fields, m, names, physical)
			continue
		case vector.List, vector.Map, vector.Variant, vector.Null:
			continue
		}
		if at, ok := m.Column(names...); ok && !f.Partition {
			e.columns[at] = &columnBounds{path: strings.Join(physical, "\x00"), of: f.Type, asked: schema.NewAsked([][]string{physical}, []vector.Type{f.Type})}
		}
	}
}

// of has the bounds of a file.
func (e *evidence) of(i int) func(column int) *probe.Summary {
	return func(column int) *probe.Summary {
		c := e.columns[column]
		if c == nil {
			return nil
		}
		if all := c.bounds.Load(); all != nil {
			return all.Summary(i)
		}
		one := files.NewBounds(c.of, e.rows[i:i+1])
		e.read(c, i, one, 0)
		return one.Summary(0)
	}
}

// read reads the statistics of a file into a row of bounds. Where rows are deleted, bounds may be of
// rows that are gone or not, and a number of NULLs is that of either: only none and all say something.
func (e *evidence) read(c *columnBounds, i int, to *files.Bounds, at int) {
	f, rows := e.files[i], e.rows[i]
	if f.Stats == "" {
		return
	}
	s := c.asked.Read(f.Stats)
	b, nulls := s.Columns[0], s.Columns[0].Nulls
	if deleted := f.Deletion != nil; nulls != 0 && (rows < 0 || deleted && nulls != rows) {
		nulls = -1
	}
	to.Set(at, b.Min, b.Max, nulls, b.Exact && s.Tight && f.Deletion == nil && rows >= 0)
}

// ready implements files.Set.Ready.
func (e *evidence) ready(ctx context.Context, column int) error {
	_, err := e.near(ctx, column)
	return err
}

// near is blocks of files with near values of a column, nil where nothing is known of it.
func (e *evidence) near(ctx context.Context, column int) ([]files.Block, error) {
	c := e.columns[column]
	if c == nil {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bounds.Load() != nil {
		return c.blocks, nil
	}
	all := files.NewBounds(c.of, e.rows)
	if err := e.readAll(ctx, c, all); err != nil {
		return nil, err
	}
	blocks := all.Blocks()
	if e.keeps(all) {
		c.blocks = blocks
		c.bounds.Store(all)
	}
	return blocks, nil
}

// keeps reports whether there is room for what was read of a column, with its blocks.
func (e *evidence) keeps(b *files.Bounds) bool { return e.kept(b.Bytes() + int64(5*len(e.files))) }

// filesAtOnce is how many statistics are read between two looks at the context: a multiple of 64, as
// Bounds asks for.
const filesAtOnce = 1 << 12

// readAll reads the statistics of all files, on all processors.
func (e *evidence) readAll(ctx context.Context, c *columnBounds, to *files.Bounds) error {
	parts := (len(e.files) + filesAtOnce - 1) / filesAtOnce
	return parallel.Some(runtime.GOMAXPROCS(0), parts, func(part int) error {
		from := part * filesAtOnce
		for i := from; i < min(from+filesAtOnce, len(e.files)); i++ {
			e.read(c, i, to, i)
		}
		return ctx.Err()
	})
}

// adopt takes over what an older version has read of files that are in both: most of them, after a
// commit.
func (e *evidence) adopt(old *evidence) {
	var places []int32 // of each file in the older version; -1: it is not there
	for _, c := range e.columns {
		known := old.find(c)
		if known == nil {
			continue
		}
		if places == nil {
			var missing int
			if places, missing = old.places(e.files); missing > len(places)/8 {
				return // it is read when it is needed
			}
		}
		all := files.NewBounds(c.of, e.rows)
		for i, at := range places {
			if at < 0 {
				e.read(c, i, all, i)
			} else {
				all.Copy(i, known, int(at))
			}
		}
		if !e.keeps(all) {
			return
		}
		c.mu.Lock()
		c.blocks = all.Blocks()
		c.bounds.Store(all)
		c.mu.Unlock()
	}
}

// find is what was read of the same column.
func (e *evidence) find(c *columnBounds) *files.Bounds {
	for _, own := range e.columns {
		if own.path == c.path && own.of.Equal(c.of) {
			return own.bounds.Load()
		}
	}
	return nil
}

// places are where the files of a newer version are in this one, and how many are not: both are
// sorted by path.
func (e *evidence) places(newer []*action.File) (out []int32, missing int) {
	out = make([]int32, len(newer))
	at := 0
	for i, f := range newer {
		for at < len(e.files) && e.files[at] != f && e.files[at].Path < f.Path {
			at++
		}
		// Of a path with several deletion vectors the order is not by path.
		same := slices.Index(e.files[at:min(at+2, len(e.files))], f)
		if same < 0 {
			out[i] = -1
			missing++
			continue
		}
		out[i] = int32(at + same)
		at += same + 1
	}
	return out, missing
}
