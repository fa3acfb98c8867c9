package exectest

import (
	"context"
	"runtime"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// Forgets reads operators to their end, one after the other, calls end, and reports texts of their
// results that are in memory then, although the vectors of the results still are: those who
// consume them keep them. No other test may run beside it.
func Forgets(t *testing.T, ops []exec.Operator, end func() error) {
	t.Helper()
	before := live()
	texts := int64(0)
	var kept [][]*vector.Vector
	for _, op := range ops {
		for b := range Batches(t, op) {
			kept = append(kept, append([]*vector.Vector(nil), b.Cols...))
			texts += b.TextBytes()
		}
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	grown := live() - before
	switch {
	case texts > 0 && texts < fewTexts:
		t.Logf("%d bytes of texts are too few to tell", texts)
	case texts == 0 || grown > texts/20:
		t.Errorf("%d bytes are in memory after texts of %d bytes", grown, texts)
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(ops)
}

// fewTexts are less than what the runtime itself may take meanwhile, times 20: those of batches of
// two rows.
const fewTexts = 1 << 20

// live is the bytes of the heap that are in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// LongTexts is the schema of NewLongTexts.
var LongTexts = vector.Schema{{Name: "k", Type: vector.Of(vector.BigInt)}, {Name: "s", Type: vector.Of(vector.Varchar)}}

// longTexts is an operator of n rows with texts of a kilobyte, each in memory of its own.
type longTexts struct{ next, n int }

// NewLongTexts is the rows (k, text) for each k less than n.
func NewLongTexts(n int) exec.Operator { return &longTexts{n: n} }

func (o *longTexts) Schema() vector.Schema { return LongTexts }
func (o *longTexts) Close() error          { return nil }

func (o *longTexts) Next(ctx context.Context) (*vector.Batch, error) {
	n := min(vector.BatchSize, o.n-o.next)
	if err := ctx.Err(); n <= 0 || err != nil {
		return nil, err
	}
	b := &vector.Batch{Len: n, Cols: []*vector.Vector{vector.New(LongTexts[0].Type, n), vector.New(LongTexts[1].Type, n)}}
	for i := range n {
		b.Cols[0].I64[i], b.Cols[1].Str[i] = int64(o.next+i), string(make([]byte, 1<<10))
	}
	o.next += n
	return b, nil
}
