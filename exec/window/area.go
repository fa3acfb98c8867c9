package window

import (
	"context"

	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/vector"
)

// area is rows whose results are computed at once: some rows of a section, or a block of a long
// partition. Row numbers are those of the section or of the partition.
type area struct {
	from, n int
	section *section // or nil
	long    *long    // or nil
	block   block    // of long
}

// anywhere computes a call over sections and long partitions alike.
type anywhere interface {
	// begin is called once per section or long partition, for all of its rows.
	begin(ctx context.Context, a *area) error
	// results writes the results of an area. It is called for all rows in turn.
	results(ctx context.Context, a *area, out *vector.Vector) error
	bytes() int64
	// reads are the values that are found by position, and the frames; nil: none.
	reads() (*values, *framer)
}

// inSection is the evaluator over sections, inLong the one over long partitions.
type (
	inSection struct{ anywhere }
	inLong    struct{ anywhere }
)

func (e inSection) prepare(ctx context.Context, s *section) error {
	return e.begin(ctx, &area{n: s.n, section: s})
}

func (e inSection) eval(ctx context.Context, s *section, from, n int, out *vector.Vector) error {
	return e.results(ctx, &area{from: from, n: n, section: s}, out)
}

func (e inLong) prepare(ctx context.Context, l *long) error {
	return e.begin(ctx, &area{n: l.rows.Len(), long: l})
}

func (e inLong) eval(ctx context.Context, l *long, b block, out *vector.Vector) error {
	return e.results(ctx, &area{from: b.from, n: b.n, long: l, block: b}, out)
}

// column is the values of a column; that of the area's first row is at index first.
func (a *area) column(c int) (v *vector.Vector, first int, err error) {
	if a.long == nil {
		return a.section.vec(c), a.from, nil
	}
	v, err = a.long.rows.Column(a.block.num, c)
	return v, a.block.index(0), err
}

// around is the values of a column around a row: those of the rows from first to behind-1, that of
// the row first at index 0.
func (a *area) around(row, column int) (v *vector.Vector, first, behind int, err error) {
	if a.long == nil {
		return a.section.vec(column), 0, a.section.n, nil
	}
	num := a.long.rows.Find(row)
	first, behind = a.long.rows.Block(num)
	v, err = a.long.rows.Column(num, column)
	return v, first, behind, err
}

// rows is how many rows the section or the partition has.
func (a *area) rows() int {
	if a.long == nil {
		return a.section.n
	}
	return a.long.rows.Len()
}

// spot is where a row is: its partition and its peer group.
type spot struct {
	part       int // the number of the partition within the section
	first, end int // the rows of the partition
	peers      int // the number of the peer group within the partition
	begin      int // of the peer group: its first row, and the one after its last
	behind     int
}

// spots are where the rows are; the peer groups only if they are asked for.
func (a *area) spots(list []spot, peers bool) ([]spot, error) {
	list = vector.Resize(list, a.n)
	if a.long == nil {
		a.section.spots(list, a.from)
		return list, nil
	}
	rows := a.long.rows.Len()
	for i := range list {
		list[i] = spot{end: rows}
		if !peers {
			continue
		}
		g, err := a.long.group(a.from + i)
		if err != nil {
			return nil, err
		}
		list[i].peers, list[i].begin, list[i].behind = g.number, g.first, g.end
	}
	return list, nil
}

// spots are where the rows from the given one on are.
func (s *section) spots(list []spot, from int) {
	at := s.find(from)
	first, base := int32(-1), 0 // of the partition: its first row and peer group
	for i := range list {
		at.forward(s, from+i)
		begin, end := at.bounds(s)
		if begin != first {
			first, base = begin, after(s.peers, int(begin))-1
		}
		peers, behind := at.group(s)
		list[i] = spot{at.part, int(begin), int(end), at.peer - base, int(peers), int(behind)}
	}
}

// frames are the frames of the rows of an area, see framer.
type frames struct{ from, to [3][]int }

// frames are those that a framer has computed. They may be in memory.
func (a *area) frames(f *framer, memory *frames) *frames {
	if a.long != nil {
		return &a.long.framer(f).made
	}
	for p := range f.pieces {
		memory.from[p], memory.to[p] = widened(memory.from[p], f.from[p]), widened(memory.to[p], f.to[p])
	}
	return memory
}

// widened is a list of rows as ints.
func widened(memory []int, rows []int32) []int {
	memory = vector.Resize(memory, len(rows))
	for i, r := range rows {
		memory[i] = int(r)
	}
	return memory
}

// bind makes an aggregate read the rows around a row: those from first to behind-1.
func (a *area) bind(in *input, row int) (first, behind int, err error) {
	if a.long == nil {
		in.bind(a.section)
		return 0, a.section.n, nil
	}
	num := a.long.rows.Find(row)
	first, behind = a.long.rows.Block(num)
	return first, behind, in.bindBlock(a.long, num)
}

// load adds each row of the area, which is all rows, to the group that group says.
func (a *area) load(ctx context.Context, in *input, state aggregate.State, group func(row int) uint32) error {
	if a.long == nil {
		return in.load(ctx, a.section, state, group)
	}
	return a.long.each(ctx, func(b block) error {
		if err := in.bindBlock(a.long, b.num); err != nil {
			return err
		}
		in.groups, in.sel = vector.Resize(in.groups, b.n), vector.Resize(in.sel, b.n)
		for i := range b.n {
			in.groups[i], in.sel[i] = group(b.from+i), int32(i)
		}
		return in.update(state)
	})
}
