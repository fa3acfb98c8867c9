package nested

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// damagedLeaf cannot read the rows from first to end.
type damagedLeaf struct {
	*fakeLeaf
	first, end int64
	skipped    int64 // the next Read skips these rows first
}

func (l *damagedLeaf) Row() int64 { return l.fakeLeaf.Row() + l.skipped }

func (l *damagedLeaf) Skip(rows int64) error {
	l.skipped += rows
	return nil
}

func (l *damagedLeaf) Read(rows int) (*column.Batch, error) {
	row := l.Row()
	if row >= l.first && row < l.end {
		return nil, &column.DamageError{Err: &errs.CorruptError{Column: l.node.Dotted()}, FirstRow: l.first, EndRow: l.end}
	}
	if err := l.fakeLeaf.Skip(l.skipped); err != nil {
		return nil, err
	}
	l.skipped = 0
	if row < l.first {
		rows = min(rows, int(l.first-row))
	}
	return l.fakeLeaf.Read(rows)
}

// ReadSelected alternates Skip and Read of one row, up to the damage.
func (l *damagedLeaf) ReadSelected(rows []int64) (*column.Batch, error) {
	all := &column.Batch{}
	for _, row := range rows {
		if err := l.Skip(row - l.Row()); err != nil {
			return nil, err
		}
		b, err := l.Read(1)
		switch {
		case err == nil:
			appendRow(all, b)
		case all.Rows > 0:
			return all, nil
		default:
			return nil, err
		}
	}
	return all, nil
}

// TestDamage: rows that one leaf has read beyond the damage of another are kept,
// and the rows after all damage are right.
func TestDamage(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round := range uint64(300) {
		g := &sketcher{r: rand.New(rand.NewPCG(seed, round))}
		f := g.structure(3)
		var records []any
		var want []string
		for range 200 {
			v, text := f.value()
			records, want = append(records, []any{v}), append(want, text)
		}
		tb := newTable(t, finish(group("root", 0, 0, f.node)), records)
		lost := make([]bool, len(want))
		r, err := newReader(tb.columns[f.node.Name], nil, Options{}, func(leaf int, levels bool) (leafReader, error) {
			l := &damagedLeaf{fakeLeaf: &fakeLeaf{striped: tb.leaves[leaf], random: g.r}, first: g.r.Int64N(200)}
			l.end = l.first + g.r.Int64N(200-l.first)
			for i := l.first; i < l.end; i++ {
				lost[i] = true
			}
			return l, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var wanted []int64 // the selected rows that were not read yet
		for {
			var v vector.Vector
			row := r.Row()
			rows := wanted
			if len(rows) == 0 && g.r.IntN(2) == 0 {
				rows = randomRows(g.r, row, 200)
			}
			wanted = nil
			var n int
			var err error
			if len(rows) > 0 {
				row = rows[0]
				n, err = r.ReadSelected(rows, &v)
			} else {
				n, err = r.Read(1+g.r.IntN(60), &v)
			}
			var damage *column.DamageError
			if errors.As(err, &damage) {
				if damage.FirstRow > row || damage.EndRow <= row {
					t.Fatalf("seed %d, round %d: at row %d lost are %d to %d", seed, round, row, damage.FirstRow, damage.EndRow)
				}
				if err := r.Skip(damage.EndRow - row); err != nil || len(rows) == 0 && r.Row() != damage.EndRow {
					t.Fatal(err, r.Row())
				}
				i, _ := slices.BinarySearch(rows, damage.EndRow)
				wanted = rows[i:]
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				break
			}
			if len(rows) > 0 {
				wanted = rows[n:]
			}
			for i := range n {
				at := int(row) + i
				if len(rows) > 0 {
					at = int(rows[i])
				}
				if got := string(AppendJSON(nil, &v, i)); got != want[at] || lost[at] {
					t.Fatalf("seed %d, round %d, row %d (lost: %v): %s, want %s", seed, round, at, lost[at], got, want[at])
				}
			}
		}
		if r.Row() != 200 {
			t.Fatalf("seed %d, round %d: ends at row %d", seed, round, r.Row())
		}
	}
}
