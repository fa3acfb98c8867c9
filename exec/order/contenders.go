package order

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// contenders passes on the rows that may be among the first n of their partition, and drops
// those that n rows of the same input come strictly before. What ranks the rows then keeps and
// sorts fewer. Rows that are equally far are all passed on, so that any choice among them is
// left to others.
//
// Of a row's sort key it looks at the first 16 bytes. It is a filter: where it is not worth its
// time or its memory, it passes everything on from there.
type contenders struct {
	Contenders
	in        exec.Operator
	env       exec.Env
	enc       *keyEncoder
	partition *exec.ExprSet
	table     hashtable.Table

	firsts []rank // n places of each partition: a heap, the last row at the top
	counts []int32
	held   int64 // of the budget
	ended  bool  // all rows pass

	batch keyBuf
	ids   []uint32
	sel   []int32
	out   vector.Batch

	looked                bool
	seen, dropped, groups int // rows and partitions since the last look at what it is worth
}

// rank is the first 16 bytes of a sort key, see keyWords. That of a short key may be equal to that of a
// longer one, and is never after it.
type rank struct{ hi, lo uint64 }

func (r rank) after(o rank) bool { return r.hi > o.hi || r.hi == o.hi && r.lo > o.lo }

const (
	// firstLook is after how many rows contenders guesses how large partitions are, and rowsWorth
	// how many times N that must be.
	firstLook = 8 * vector.BatchSize
	rowsWorth = 3
	// lookRows is after how many rows contenders looks at what it is worth.
	lookRows = 64 * vector.BatchSize
	// worthShare: at least one in so many rows must be dropped, once there are few new partitions.
	worthShare = 16
	// longKeys is from how many bytes of texts on a batch passes as it is.
	longKeys = 1 << 20
)

// Contenders are the first N rows of each partition.
type Contenders struct {
	Partition []expr.Expr
	Keys      []expr.SortKey
	N         int
	Expected  float64 // about how many rows the input has
}

// NewContenders drops rows of an input that are not among the contenders. It may pass on more,
// and keeps the order of the rows.
func NewContenders(env exec.Env, in exec.Operator, first Contenders) (exec.Operator, error) {
	enc, err := newKeyEncoder(env, first.Keys)
	if err != nil {
		return nil, err
	}
	c := &contenders{Contenders: first, in: in, env: env, enc: enc, partition: exec.NewExprSet(env)}
	types := make([]vector.Type, len(first.Partition))
	for i, e := range first.Partition {
		c.partition.Add(e)
		types[i] = e.Type()
	}
	c.table = hashtable.New(types, hashtable.NewSeed(), false)
	return c, nil
}

// Schema implements exec.Operator.
func (c *contenders) Schema() vector.Schema { return c.in.Schema() }

// Close implements exec.Operator.
func (c *contenders) Close() error {
	c.end()
	return c.in.Close()
}

// end gives the memory back: all rows pass from now on.
func (c *contenders) end() {
	c.env.Budget.Release(c.held)
	c.held, c.ended = 0, true
	c.table, c.firsts, c.counts, c.batch = nil, nil, nil, keyBuf{}
}

// Next implements exec.Operator.
func (c *contenders) Next(ctx context.Context) (*vector.Batch, error) {
	for {
		b, err := c.in.Next(ctx)
		if b == nil { // who sorts the rows needs the memory now
			c.end()
		}
		if err != nil || c.ended || b.Rows() == 0 {
			return b, err
		}
		if b.TextBytes() > longKeys {
			return b, nil
		}
		c.sel = c.sel[:0]
		if err := c.enc.each(b, c.take); err != nil {
			return nil, err
		}
		rows := b.Rows()
		if len(c.sel) < rows {
			c.out = vector.Batch{Len: b.Len, Cols: b.Cols, Sel: c.sel}
			b = &c.out
		}
		c.look(rows, rows-b.Rows())
		if b.Rows() > 0 {
			return b, nil
		}
	}
}

// take lists the rows of a part that pass.
func (c *contenders) take(values []*vector.Vector, part *vector.Batch) error {
	c.batch.reset()
	if err := c.enc.encode(values, part, &c.batch); err != nil {
		return err
	}
	by, err := c.partition.Eval(part)
	if err != nil {
		return err
	}
	c.ids = vector.Resize(c.ids, part.Rows())
	before := c.table.Len()
	if err := c.table.FindOrInsert(by, part, c.ids); err != nil {
		return err
	}
	c.groups += c.table.Len() - before
	if n := c.table.Len(); n > len(c.counts) {
		c.counts = append(c.counts, make([]int32, n-len(c.counts))...)
		c.firsts = append(c.firsts, make([]rank, n*c.N-len(c.firsts))...)
	}
	for i, id := range c.ids {
		hi, lo := keyWords(c.batch.key(i))
		if c.passes(int(id), rank{hi, lo}) {
			c.sel = append(c.sel, int32(part.Row(i)))
		}
	}
	return nil
}

// passes reports whether a row may be among the first of its partition.
func (c *contenders) passes(id int, r rank) bool {
	heap, n := c.firsts[id*c.N:][:c.N], int(c.counts[id])
	if n < c.N {
		heap[n] = r
		for i := n; i > 0 && heap[i].after(heap[(i-1)/2]); i = (i - 1) / 2 {
			heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
		}
		c.counts[id]++
		return true
	}
	if !heap[0].after(r) {
		return !r.after(heap[0])
	}
	i := 0
	for child := 1; child < n; child = 2*i + 1 {
		if child+1 < n && heap[child+1].after(heap[child]) {
			child++
		}
		if !heap[child].after(r) {
			break
		}
		heap[i], i = heap[child], child
	}
	heap[i] = r
	return true
}

// look charges the memory, and ends where too few rows are dropped: partitions have few rows, or
// each row comes before those that were read.
func (c *contenders) look(rows, dropped int) {
	c.seen, c.dropped = c.seen+rows, c.dropped+dropped
	n := c.table.Bytes() + 16*int64(cap(c.firsts)) + 4*int64(cap(c.counts)) + c.batch.bytes()
	if n > c.held {
		if c.env.Budget.Reserve(n-c.held) != nil {
			c.end()
			return
		}
		c.held = n
	}
	if !c.looked && c.seen >= firstLook {
		if c.looked = true; c.perPartition() < rowsWorth*float64(c.N) {
			c.end()
		}
		return
	}
	if c.seen < lookRows {
		return
	}
	few := c.dropped < c.seen/worthShare && c.groups < c.seen/2
	if c.seen, c.dropped, c.groups = 0, 0, 0; few {
		c.end()
	}
}

// perPartition is about how many rows a partition will have. Most are there where most keys
// repeat; else, of s rows with d repeated keys among G keys that are equally frequent, d is about
// s*s/2G.
func (c *contenders) perPartition() float64 {
	s, d := float64(c.seen), float64(c.seen-c.groups)
	if d > s/2 {
		return c.Expected / float64(c.groups)
	}
	return 2 * d * c.Expected / (s * s)
}
