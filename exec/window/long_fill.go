package window

import (
	"context"

	"github.com/parquetsql/parquetsql/vector"
)

// longFill is fill over a long partition. It goes ahead of the rows to the values behind them.
type longFill struct {
	value, key int
	near       []point // the two values before the row, and up to two behind it
	next       int     // the row to look at for the next value
}

// point is a value on a line.
type point struct {
	row        int
	value, key vector.Scalar
}

func (f *longFill) bytes() int64                         { return 0 }
func (f *longFill) prepare(context.Context, *long) error { return nil }

func (f *longFill) eval(ctx context.Context, l *long, b block, out *vector.Vector) error {
	values, err := l.rows.Column(b.num, f.value)
	if err != nil {
		return err
	}
	keys, err := l.rows.Column(b.num, f.key)
	if err != nil {
		return err
	}
	results := make([]vector.Scalar, b.n)
	for i := range results {
		row := b.index(i)
		if results[i] = values.Get(row); !values.IsNull(row) || !finite(keys, row) {
			continue
		}
		before, err := f.move(ctx, l, b.from+i)
		if err != nil {
			return err
		}
		line := f.near
		switch {
		case before > 0 && before < len(line): // one before the row and one behind it
			line = line[before-1 : before+1]
		case before > 0: // the last two
			line = line[max(0, before-2):]
		}
		if line = line[:min(2, len(line))]; len(line) == 1 {
			results[i] = line[0].value
		}
		if len(line) < 2 {
			continue
		}
		var v, k vector.Vector
		if err := v.FromScalars(values.Type, []vector.Scalar{line[0].value, line[1].value}); err != nil {
			return err
		}
		if err := k.FromScalars(keys.Type, []vector.Scalar{line[0].key, line[1].key, keys.Get(row)}); err != nil {
			return err
		}
		results[i] = between(&v, &k, 0, 1, 2)
	}
	return out.FromScalars(values.Type, results)
}

// move finds the values near a row, and says how many of them are before it.
func (f *longFill) move(ctx context.Context, l *long, row int) (before int, err error) {
	count := func() {
		for before = 0; before < len(f.near) && f.near[before].row < row; before++ {
		}
		if gone := before - 2; gone > 0 {
			f.near = append(f.near[:0], f.near[gone:]...)
			before = 2
		}
	}
	for count(); len(f.near)-before < 2 && f.next < l.rows.Len(); count() {
		num := l.rows.Find(f.next)
		first, end := l.rows.Block(num)
		values, err := l.rows.Column(num, f.value)
		if err != nil {
			return 0, err
		}
		keys, err := l.rows.Column(num, f.key)
		if err != nil {
			return 0, err
		}
		for ; f.next < end && !(finite(values, f.next-first) && finite(keys, f.next-first)); f.next++ {
		}
		if f.next < end {
			f.near = append(f.near, point{f.next, values.Get(f.next - first), keys.Get(f.next - first)})
			f.next++
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return before, nil
}
