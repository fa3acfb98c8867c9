// Package sample draws rows by chance: so many of all or of each so many, and each with the same
// chance. Rows that are not drawn are not looked at where they can be counted.
package sample

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Rows is Size rows, drawn by chance; each row is drawn as likely as any other. Which ones
// they are follows from their numbers and the seed.
type Rows struct {
	Size int
	Of   int64 // so many are drawn of each Of rows, and as large a part of the last ones, rounded; 0: of all
	Seed uint64
}

// reservoir draws rows into a reservoir (Vitter: Random sampling with a reservoir, 1985): the first
// Size rows, and then each row that is drawn takes the place of another one. Rows that are not
// drawn are not looked at. Those whose place was taken stay in cols until they are many.
type reservoir struct {
	Rows
	in     exec.Operator
	env    exec.Env
	random random

	seen   int64   // rows of this part, of Of rows, so far
	next   int64   // the row of this part that is drawn next
	weight float64 // of a row that is drawn, see far

	cols  []*rowstore.Column
	rows  int     // that cols have
	drawn []int32 // of cols: of this part, in any order
	done  []int32 // of cols: of the parts before, in order
	held  int64   // of the budget
	most  int64   // of held, from which on fewer rows are a batch

	picked []int32 // rows of a batch
	marks  []bool
	moved  []int32 // where rows of cols are when some were forgotten
	out    vector.Batch
	ended  bool
	err    error
}

// longTexts is from how many bytes of texts on memory is charged before they are copied, and how
// many bytes are a batch.
const longTexts = 1 << 20

// New draws rows of in, and keeps their order. It keeps no more than a few batches
// where Size is that small.
func New(env exec.Env, in exec.Operator, of Rows) exec.Operator {
	if of.Size <= 0 {
		return exec.NewLimit(in, 0, 0)
	}
	r := &reservoir{Rows: of, in: in, env: env, random: random(of.Seed), most: longTexts}
	if limit := env.Budget.Limit(); limit > 0 {
		r.most = min(r.most, limit/8)
	}
	return r
}

// Schema implements exec.Operator.
func (r *reservoir) Schema() vector.Schema { return r.in.Schema() }

// Close implements exec.Operator.
func (r *reservoir) Close() error {
	r.env.Budget.Release(r.held)
	r.held, r.cols, r.done, r.ended = 0, nil, nil, true
	return r.in.Close()
}

// Next implements exec.Operator.
func (r *reservoir) Next(ctx context.Context) (*vector.Batch, error) {
	for r.err == nil && !r.ended && !r.full() {
		var b *vector.Batch
		if b, r.err = r.in.Next(ctx); r.err != nil {
			break
		}
		if b == nil {
			r.endPart()
			r.ended = true
		} else {
			r.err = r.take(b)
		}
	}
	if r.err != nil || len(r.done) == 0 {
		return nil, r.err
	}
	return r.pass()
}

// full reports whether the rows that are done are a batch.
func (r *reservoir) full() bool {
	return len(r.done) >= vector.BatchSize || len(r.done) > 0 && r.held > r.most
}

// pass passes on rows that are done.
func (r *reservoir) pass() (*vector.Batch, error) {
	n := min(len(r.done), vector.BatchSize)
	for len(r.out.Cols) < len(r.cols) {
		r.out.Cols = append(r.out.Cols, &vector.Vector{})
	}
	r.out.Len, r.out.Sel = n, nil
	for i, c := range r.cols {
		if r.err = r.out.Cols[i].Gather(&c.Vec, r.done[:n]); r.err != nil {
			return nil, r.err
		}
	}
	r.done = append(r.done[:0], r.done[n:]...)
	if r.err = r.compact(); r.err == nil {
		r.err = r.charge(0)
	}
	if r.err != nil {
		return nil, r.err
	}
	return &r.out, nil
}

// take draws rows of a batch.
func (r *reservoir) take(b *vector.Batch) error {
	r.picked = r.picked[:0]
	for from, all := 0, b.Rows(); from < all; {
		n := all - from
		if r.Of > 0 {
			n = int(min(int64(n), r.Of-r.seen))
		}
		for end := r.seen + int64(n); r.next < end; {
			r.keep(int32(r.rows + len(r.picked)))
			r.picked = append(r.picked, int32(b.Row(from+int(r.next-r.seen))))
			r.far()
		}
		r.seen += int64(n)
		if from += n; r.seen == r.Of {
			r.endPart()
		}
	}
	if len(r.picked) == 0 {
		return nil
	}
	return r.add(b)
}

// keep puts a row of cols into the reservoir.
func (r *reservoir) keep(row int32) {
	if len(r.drawn) < r.Size {
		r.drawn = append(r.drawn, row)
	} else {
		r.drawn[r.random.below(r.Size)] = row
	}
}

// far goes to the row that is drawn next. Of few rows each has its chance; of many, those that
// are not drawn are counted (Li: Reservoir-sampling algorithms of time complexity
// O(n(1+log(N/n))), 1994).
func (r *reservoir) far() {
	r.next++
	switch {
	case len(r.drawn) < r.Size:
	case r.Of > 0:
		for r.next < r.Of && r.random.below(int(r.next)+1) >= r.Size {
			r.next++
		}
	default:
		if r.next == int64(r.Size) {
			r.weight = 1
		}
		r.weight *= math.Exp(math.Log(r.random.fraction()) / float64(r.Size))
		r.next += skipped(&r.random, r.weight)
	}
}

// endPart is after the last row of a part.
func (r *reservoir) endPart() {
	if r.Of > 0 && r.seen < r.Of {
		n := int((2*int64(r.Size)*r.seen + r.Of) / (2 * r.Of))
		for i := range n {
			j := i + r.random.below(len(r.drawn)-i)
			r.drawn[i], r.drawn[j] = r.drawn[j], r.drawn[i]
		}
		r.drawn = r.drawn[:n]
	}
	r.sort(r.drawn)
	r.done = append(r.done, r.drawn...)
	r.drawn, r.seen, r.next = r.drawn[:0], 0, 0
}

// sort sorts rows, which are different ones and mostly of a short range.
func (r *reservoir) sort(rows []int32) {
	if len(rows) == 0 {
		return
	}
	first := slices.Min(rows)
	if n := int(slices.Max(rows)-first) + 1; n <= 16*len(rows) {
		r.marks = vector.Resize(r.marks, n)
	} else {
		slices.Sort(rows)
		return
	}
	clear(r.marks)
	for _, row := range rows {
		r.marks[row-first] = true
	}
	at := 0
	for i, marked := range r.marks {
		if marked {
			rows[at] = first + int32(i)
			at++
		}
	}
}

// add copies the picked rows of a batch.
func (r *reservoir) add(b *vector.Batch) error {
	if r.cols == nil {
		r.cols = r.columns(b)
	}
	texts := int64(0)
	if b.TextBytes() > longTexts {
		for _, v := range b.Cols {
			for _, row := range r.picked {
				texts += v.TextBytes(int(row))
			}
		}
		if err := r.charge(texts); err != nil {
			return err
		}
	}
	for i, c := range r.cols {
		if err := c.Append(b.Cols[i], r.picked); err != nil {
			return err
		}
	}
	if r.rows += len(r.picked); r.rows > 2*(len(r.done)+len(r.drawn))+vector.BatchSize {
		if err := r.compact(); err != nil {
			return err
		}
	}
	return r.charge(0)
}

// columns are empty ones. Texts of a part stay for a moment only.
func (r *reservoir) columns(b *vector.Batch) []*rowstore.Column {
	out := make([]*rowstore.Column, len(b.Cols))
	for i, f := range r.Schema() {
		out[i] = rowstore.NewColumn(f.Type)
		out[i].Share = r.Of > 0
	}
	return out
}

// compact forgets the rows of cols that are neither drawn nor done.
func (r *reservoir) compact() error {
	kept := append(append(make([]int32, 0, len(r.done)+len(r.drawn)), r.done...), r.drawn...)
	r.sort(kept)
	for i, c := range r.cols {
		fresh := rowstore.NewColumn(c.Vec.Type)
		fresh.Share = c.Share
		if err := fresh.Append(&c.Vec, kept); err != nil {
			return err
		}
		r.cols[i] = fresh
	}
	r.moved = vector.Resize(r.moved, r.rows)
	for i, row := range kept {
		r.moved[row] = int32(i)
	}
	for _, list := range [][]int32{r.done, r.drawn} { // in their places: else other rows would go next
		for i, row := range list {
			list[i] = r.moved[row]
		}
	}
	r.rows = len(kept)
	return nil
}

// charge reserves memory for what cols hold, and for more bytes.
func (r *reservoir) charge(more int64) error {
	for try := 0; ; try++ {
		n := more
		for _, c := range r.cols {
			n += c.Bytes()
		}
		if n <= r.held {
			r.env.Budget.Release(r.held - n)
			r.held = n
			return nil
		}
		err := r.env.Budget.Need(n - r.held)
		if err == nil {
			r.held = n
			return nil
		}
		if try > 0 || more > 0 {
			return fmt.Errorf("a sample: %w", err)
		}
		if err := r.compact(); err != nil {
			return err
		}
	}
}
