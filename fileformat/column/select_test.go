package column

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// TestReadSelected reads some rows of random chunks, mixed with other ways to read
// and skip.
func TestReadSelected(t *testing.T) {
	eachRandomChunk(t, func(r *rand.Rand, reader *Reader, want records) {
		at := reader.Row()
		if r.IntN(4) == 0 {
			b, err := reader.Read(1 + r.IntN(20))
			if err != nil || !reflect.DeepEqual(appendRecords(t, nil, reader.leaf, reader.options, b), want[at:reader.Row()]) {
				t.Fatalf("rows %d to %d are wrong: %v", at, reader.Row(), err)
			}
			return
		}
		rows := someRows(r, at, reader.total)
		b, err := reader.ReadSelected(rows)
		if err != nil {
			t.Fatal(err)
		}
		got := appendRecords(t, nil, reader.leaf, reader.options, b)
		if wanted := pick(want, rows); !reflect.DeepEqual(got, wanted) || reader.Row() != rows[len(rows)-1]+1 {
			t.Fatalf("rows %d, then at %d:\ngot  %q\nwant %q", rows, reader.Row(), got, wanted)
		}
	})
}

// someRows returns at least one of the rows from a given row on.
func someRows(r *rand.Rand, from, total int64) (rows []int64) {
	step := 1 + r.Int64N(30)
	for row := min(total-1, from+r.Int64N(step)); row < total && len(rows) < 20; row += 1 + r.Int64N(step) {
		rows = append(rows, row)
	}
	return rows
}

func pick(all records, rows []int64) (out records) {
	for _, row := range rows {
		out = append(out, all[row])
	}
	return out
}

// TestReadSelectedDamage damages a page of random chunks: selected rows are read or
// lost exactly as if they were read one by one.
func TestReadSelectedDamage(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		c, _, pageRows := randomChunk(r)
		broken := &c.Pages[1+r.IntN(len(c.Pages)-1)]
		broken.Body = bytes.Clone(broken.Body)
		for i := range min(len(broken.Body), 1+r.IntN(8)) {
			broken.Body[i] ^= 0xff
		}
		o := Options{WholePages: true}
		if _, file, offsets := c.Build(); pageRows != nil && r.IntN(2) == 0 {
			o.Offset = indexOf(offsets[1:], int64(len(file)), pageRows...)
		}
		together, alone := newReader(t, c, o), newReader(t, c, o)
		for from := int64(0); from < c.Rows; {
			rows := someRows(r, from, c.Rows)
			got := salvageSelected(t, together, rows, len(rows))
			want := salvageSelected(t, alone, rows, 1)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("rows %d:\ngot  %q\nwant %q", rows, got, want)
			}
			from = rows[len(rows)-1] + 1
		}
	}
}

// salvageSelected reads some rows, up to n at a time, and returns the damage of rows
// that are lost.
func salvageSelected(t *testing.T, r *Reader, rows []int64, n int) (out records) {
	t.Helper()
	for len(rows) > 0 {
		b, err := r.ReadSelected(rows[:min(n, len(rows))])
		var damage *DamageError
		switch {
		case errors.As(err, &damage):
			if damage.FirstRow != rows[0] || damage.EndRow < rows[0] {
				t.Fatalf("rows %d to %d are lost, at row %d", damage.FirstRow, damage.EndRow, rows[0])
			}
			for ; len(rows) > 0 && rows[0] < damage.EndRow; rows = rows[1:] {
				out = append(out, fmt.Sprintf("lost up to %d: %v", damage.EndRow, err))
			}
		case err != nil || b.Rows == 0:
			t.Fatal(err)
		default:
			out = appendRecords(t, out, r.leaf, r.options, b)
			if rows = rows[b.Rows:]; len(rows) > 0 && r.Row() > rows[0] {
				t.Fatalf("at row %d, beyond row %d", r.Row(), rows[0])
			}
		}
	}
	return out
}

// TestReadSelectedPages opens only the pages of selected rows, and refuses rows that
// were passed, that do not exist or that do not ascend.
func TestReadSelectedPages(t *testing.T) {
	c := tenPages(0, 2, 3, 4, 6, 8, 9)
	_, file, offsets := c.Build()
	index := indexOf(offsets, int64(len(file)), 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
	for _, o := range []Options{{}, {Offset: index}} {
		r := newReader(t, c, o)
		b, err := r.ReadSelected([]int64{12, 13, 51, 55, 56, 78})
		if err != nil {
			t.Fatal(err)
		}
		want := records{"12", "13", "51", "55", "56", "78"}
		if got := appendRecords(t, nil, r.leaf, o, b); !reflect.DeepEqual(got, want) {
			t.Errorf("got %q", got)
		}
		if stats := r.Stats(); stats.PagesDecoded != 3 || stats.PagesSkipped != 5 || r.Row() != 79 {
			t.Errorf("%+v at row %d", stats, r.Row())
		}
	}
	for _, rows := range [][]int64{{4}, {100}, {50, 49}} {
		r := newReader(t, tenPages(), Options{})
		if err := r.Skip(5); err != nil {
			t.Fatal(err)
		}
		if _, err := r.ReadSelected(rows); err == nil {
			t.Errorf("read the rows %d", rows)
		}
	}
}

func TestZeroBehind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		levels := make([]uint8, r.IntN(40))
		for i := range levels {
			levels[i] = []uint8{0, 0, 1, 2, 0x7f, 0x80, 0x81, 0xff}[r.IntN(8)]
		}
		n := r.IntN(20)
		at, zeros := 0, 0
		for ; at < len(levels) && (levels[at] != 0 || zeros < n); at++ {
			if levels[at] == 0 {
				zeros++
			}
		}
		if gotAt, gotZeros := zeroAfter(levels, n); gotAt != at || gotZeros != zeros {
			t.Fatalf("%d zeros of %v: %d, %d, want %d, %d", n, levels, gotAt, gotZeros, at, zeros)
		}
	}
}
