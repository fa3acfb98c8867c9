package exec_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/vector"
)

// lendingTexts is a worker's stream of one place, whose texts, and those of the dictionary unless
// it is kept, are overwritten when the next batch is made.
type lendingTexts struct {
	place  int
	r      *rand.Rand
	left   int
	memory [][]byte
	kept   bool // the dictionary of the last batch
	ended  bool
	out    vector.Batch
}

func (l *lendingTexts) Schema() vector.Schema {
	return vector.Schema{{Name: "n", Type: vector.Of(vector.BigInt)}, {Name: "t", Type: vector.Of(vector.Varchar)}}
}
func (l *lendingTexts) Close() error { return nil }
func (l *lendingTexts) Place() any   { return l.place }
func (l *lendingTexts) Keep()        { l.kept = true }

func (l *lendingTexts) Ended() []any {
	if l.ended {
		l.ended = false
		return []any{l.place}
	}
	return nil
}

// text is a text in memory that will be overwritten.
func (l *lendingTexts) text(s string) string {
	b := []byte(s)
	l.memory = append(l.memory, b)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// scalarOf is a value with the very text of v, of which Get may make a copy.
func scalarOf(v *vector.Vector, row int) vector.Scalar {
	shared := *v
	if shared.Texts = vector.Shared; v.Form == vector.Dictionary {
		dict := *v.Dict
		dict.Texts, shared.Dict = vector.Shared, &dict
	}
	return shared.Get(row)
}

// textOf is the right text of a row.
func textOf(place, row int) string { return strings.Repeat(fmt.Sprint(place, row, " "), 1+row%7) }

func (l *lendingTexts) Next(context.Context) (*vector.Batch, error) {
	if !l.kept {
		for _, b := range l.memory {
			copy(b, bytes.Repeat([]byte{'#'}, len(b)))
		}
	}
	l.memory, l.kept = nil, false
	if l.left--; l.left < 0 {
		l.ended = l.left == -1
		return nil, nil
	}
	rows := 1 + l.r.IntN(50)
	numbers, texts := vector.New(vector.Of(vector.BigInt), rows), vector.New(vector.Of(vector.Varchar), rows)
	for i := range rows {
		row := l.left*100 + i
		numbers.I64[i] = int64(row)
		if texts.Str[i] = l.text(textOf(l.place, row)); row%5 == 0 {
			if texts.Valid == nil {
				texts.Valid = vector.NewValidity(rows)
			}
			texts.Valid.Clear(i)
		}
	}
	l.out = vector.Batch{Len: rows, Cols: []*vector.Vector{numbers, texts}}
	switch l.r.IntN(6) {
	case 0:
		dict := *texts
		dict.Valid, dict.Lease = nil, l
		texts = &vector.Vector{Type: dict.Type, Form: vector.Dictionary, Len: rows, Valid: texts.Valid, Dict: &dict}
		for i := range rows {
			texts.Codes = append(texts.Codes, int32(i))
		}
		l.out.Cols[1] = texts
	case 1: // long
		numbers.I64[0], texts.Str[0], texts.Valid = -1, l.text(strings.Repeat("long", 2<<20)), nil
		l.out.Len, numbers.Len, texts.Len = 1, 1, 1
		numbers.I64, texts.Str = numbers.I64[:1], texts.Str[:1]
	}
	if l.r.IntN(2) == 0 {
		for i := range l.out.Len {
			if l.r.IntN(3) > 0 || i == 0 {
				l.out.Sel = append(l.out.Sel, int32(i))
			}
		}
	}
	return &l.out, nil
}

// TestLentTextsOfResults keeps the texts of all batches that are copied, and looks at those of
// others while they are valid.
func TestLentTextsOfResults(t *testing.T) {
	leaktest.Check(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rounds := uint64(20)
	if testing.Short() {
		rounds = 6
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(seed, round))
		p := &places{passed: map[int]bool{}, changed: make(chan struct{})}
		var in []exec.Operator
		var at []exec.Placed
		for place := range 1 + r.IntN(3) {
			l := &lendingTexts{place: place, r: rand.New(rand.NewPCG(r.Uint64(), 1)), left: r.IntN(30)}
			in, at = append(in, l), append(at, l)
		}
		op := exec.Ordered{Order: p}.Gather(in, at)
		var kept, want []string
		for b := range exectest.Batches(t, op) {
			var got, right []string
			for i := range b.Rows() {
				number, text := b.Cols[0].I64[b.Row(i)], scalarOf(b.Cols[1], b.Row(i))
				switch {
				case number < 0 && b.Cols[1].Owner() == vector.Lent:
					if text.Str != strings.Repeat("long", 2<<20) {
						t.Fatal("a long text has changed")
					}
				case text.Null != (number%5 == 0):
					t.Fatalf("row %d: %+v", number, text)
				case !text.Null:
					got, right = append(got, text.Str), append(right, text.Str)
					if !slices.ContainsFunc(at, func(l exec.Placed) bool { return textOf(l.(*lendingTexts).place, int(number)) == text.Str }) {
						t.Fatalf("row %d has the text %q", number, text.Str)
					}
					right[len(right)-1] = strings.Clone(text.Str)
				}
			}
			if b.Cols[1].Owner() != vector.Lent {
				kept, want = append(kept, got...), append(want, right...)
			}
		}
		if err := op.Close(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(kept, want) {
			t.Fatal("texts that were kept have changed")
		}
	}
}

// TestWideRows: of workers that take much memory the first works alone, unless rows are sparse
// or places short.
func TestWideRows(t *testing.T) {
	leaktest.Check(t)
	for name, c := range map[string]struct {
		sparse  bool
		batches int // of each place
		alone   bool
	}{
		"many rows":    {false, 100, true},
		"sparse":       {true, 100, false},
		"short places": {false, 3, false},
	} {
		p := &places{passed: map[int]bool{}, changed: make(chan struct{}), fails: -1, sparse: c.sparse}
		for range 40 {
			p.sizes = append(p.sizes, c.batches)
		}
		first, second := &placeReader{places: p}, &placeReader{places: p}
		op := exec.Ordered{Order: p, Wide: true}.Gather([]exec.Operator{first, second}, []exec.Placed{first, second})
		var got []int64
		for second.calls.Load() == 0 || c.alone {
			b, err := op.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				break
			}
			got = append(got, b.Cols[0].I64[0])
			time.Sleep(100 * time.Microsecond) // others have time to begin
		}
		if err := op.Close(); err != nil {
			t.Fatal(err)
		}
		if alone := second.calls.Load() <= 1; alone != c.alone && len(got) == 40*c.batches {
			t.Errorf("%s: the first worker worked alone: %v", name, alone)
		}
		if !slices.IsSorted(got) {
			t.Errorf("%s: rows out of order", name)
		}
	}
}
