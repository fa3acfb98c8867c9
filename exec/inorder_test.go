package exec_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// places hands out the numbers from 0 to count-1 to workers: the first that is ready,
// or else the first that is not, which the worker gets ready before it asks again, as
// a file is opened. The rows of a place are the place's number times 1000, plus 0, 1,
// 2 and so on.
type places struct {
	mu      sync.Mutex
	sizes   []int // batches of each place
	next    int   // the first that nobody gets ready
	opening int   // how many are got ready
	ready   []int // in no order
	passed  map[int]bool
	first   int
	changed chan struct{}
	wide    bool
	sparse  bool
	fails   int // the place that ends with errPlace; -1: none
}

var errPlace = errors.New("this place fails")

func (p *places) First() (any, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.first, p.changed
}

func (p *places) Sparse() <-chan struct{} {
	if !p.sparse {
		return nil
	}
	always := make(chan struct{})
	close(always)
	return always
}

func (p *places) Pass(place any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passed[place.(int)] = true
	for p.passed[p.first] {
		p.first++
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// take is the place that a worker reads next; false is the end.
func (p *places) take() (int, bool) {
	for {
		p.mu.Lock()
		switch {
		case len(p.ready) > 0:
			place := slices.Min(p.ready)
			p.ready = slices.DeleteFunc(p.ready, func(i int) bool { return i == place })
			p.mu.Unlock()
			return place, true
		case p.next < len(p.sizes):
			place := p.next
			p.next++
			p.opening++
			p.mu.Unlock()
			for range rand.IntN(30) {
				runtime.Gosched()
			}
			p.mu.Lock()
			p.opening--
			p.ready = append(p.ready, place)
		case p.opening == 0:
			p.mu.Unlock()
			return 0, false
		}
		p.mu.Unlock()
		runtime.Gosched()
	}
}

// placeReader is a worker's stream.
type placeReader struct {
	*places
	at, batch int
	begun     bool
	ended     []any
	out       vector.Batch
	closed    int
	calls     atomic.Int64
}

func (r *placeReader) Schema() vector.Schema { return exectest.OneColumn }
func (r *placeReader) Close() error          { r.closed++; return nil }

func (r *placeReader) Place() any {
	if !r.begun {
		return nil
	}
	return r.at
}

func (r *placeReader) Ended() []any {
	out := r.ended
	r.ended = nil
	return out
}

func (r *placeReader) Next(ctx context.Context) (*vector.Batch, error) {
	r.calls.Add(1)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if rand.IntN(3) == 0 {
			runtime.Gosched()
		}
		if !r.begun {
			if r.at, r.begun = r.take(); !r.begun {
				return nil, nil
			}
			r.batch = 0
		}
		if r.batch == r.sizes[r.at] {
			if r.at == r.fails {
				return nil, errPlace
			}
			if r.batch > 0 {
				r.ended = append(r.ended, r.at)
			} else {
				r.Pass(r.at)
			}
			r.begun = false
			continue
		}
		v := vector.New(vector.Of(vector.BigInt), 1)
		v.I64[0] = int64(r.at*1000 + r.batch)
		if r.batch++; v.I64[0]%29 == 0 {
			r.out = vector.Batch{Len: 1, Cols: []*vector.Vector{v, vector.NewConstant(longText, 1)}}
			return &r.out, nil
		}
		r.out = vector.Batch{Len: 1, Cols: []*vector.Vector{v}}
		return &r.out, nil
	}
}

// longText is so long that workers wait for the consumer of its batch under a memory limit; to
// copy it takes so long that few rows have it.
var longText = vector.StringScalar(strings.Repeat("x", 1<<20))

func newPlaces(env exec.Env, sizes []int, fails, workers int) exec.Operator {
	p := &places{sizes: sizes, passed: map[int]bool{}, changed: make(chan struct{}), fails: fails}
	p.wide, p.sparse = rand.IntN(2) == 0, rand.IntN(2) == 0
	var in []exec.Operator
	var at []exec.Placed
	for range workers {
		r := &placeReader{places: p}
		in, at = append(in, r), append(at, r)
	}
	return exec.Ordered{Env: env, Order: p, Wide: p.wide}.Gather(in, at)
}

// TestOrderedGather merges workers that take places of any number of batches, none and
// more than a worker may be ahead among them.
func TestOrderedGather(t *testing.T) {
	leaktest.Check(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	rounds := 200
	if testing.Short() {
		rounds = 60
	}
	for range rounds {
		sizes, fails := make([]int, r.IntN(30)), -1
		for i := range sizes {
			sizes[i] = max(0, []int{r.IntN(3) - 1, r.IntN(10), r.IntN(200)}[r.IntN(3)])
		}
		if len(sizes) > 0 && r.IntN(3) == 0 {
			fails = r.IntN(len(sizes))
		}
		var want []int64
		for place, n := range sizes {
			for i := range n {
				want = append(want, int64(place*1000+i))
			}
			if place == fails {
				break
			}
		}
		workers, env := 1+r.IntN(6), exec.Env{Budget: quota.New(r.Int64N(2) << 20)}
		op := newPlaces(env, sizes, fails, workers)
		got, err := firsts(op, -1)
		if wrong := errors.Is(err, errPlace) != (fails >= 0); wrong || !slices.Equal(got, want) {
			t.Errorf("%d workers, places %v, %d fails: %d rows, want %d, %v", workers, sizes, fails, len(got), len(want), err)
		}
		stop := newPlaces(env, sizes, -1, workers) // closed while workers run
		if _, err := firsts(stop, r.IntN(40)); err != nil {
			t.Error(err)
		}
	}
}

// firsts reads up to n rows, all if n is -1, and closes the operator.
func firsts(op exec.Operator, n int) (out []int64, err error) {
	defer func() { err = errors.Join(err, op.Close(), op.Close()) }()
	for n < 0 || len(out) < n {
		b, err := op.Next(context.Background())
		if b == nil || err != nil {
			if again, err2 := op.Next(context.Background()); again != nil || !errors.Is(err2, err) {
				return nil, fmt.Errorf("after the end: %v, %v", again, err2)
			}
			return out, err
		}
		for i := range b.Rows() {
			out = append(out, b.Cols[0].I64[b.Row(i)])
		}
	}
	return out, nil
}

// onePlace is a stream whose rows all have one place.
type onePlace struct {
	exec.Operator
	place int
	ended []any
}

func (o *onePlace) Place() any { return o.place }

func (o *onePlace) Ended() []any {
	out := o.ended
	o.ended = nil
	return out
}

func (o *onePlace) Next(ctx context.Context) (*vector.Batch, error) {
	b, err := o.Operator.Next(ctx)
	if b == nil && err == nil {
		o.ended = []any{o.place}
	}
	return b, err
}

// TestOrderedGatherLife: see exectest.RunLife. Each worker has one place, and the input
// that fails has the first: an error comes after the rows before it.
// megabytes is a worker that reads one place: batches of one text of a megabyte each.
type megabytes struct {
	place int
	made  atomic.Int64
	batch vector.Batch
	ended []any
}

func (l *megabytes) Schema() vector.Schema {
	return vector.Schema{{Name: "t", Type: vector.Of(vector.Varchar)}}
}
func (l *megabytes) Close() error { return nil }
func (l *megabytes) Place() any   { return l.place }
func (l *megabytes) Ended() []any { ended := l.ended; l.ended = nil; return ended }

func (l *megabytes) Next(context.Context) (*vector.Batch, error) {
	if l.made.Load() == 40 {
		l.ended = []any{l.place}
		return nil, nil
	}
	l.made.Add(1)
	v := &vector.Vector{}
	v.Reset(vector.Of(vector.Varchar), 1)
	v.Str[0] = strings.Repeat("x", 1<<20)
	l.batch = vector.Batch{Len: 1, Cols: []*vector.Vector{v}}
	return &l.batch, nil
}

// TestOrderedGatherTexts: a worker whose turn has not come waits when the texts that it has made
// are long, and goes on in its turn.
func TestOrderedGatherTexts(t *testing.T) {
	p := &places{sizes: []int{40, 40}, passed: map[int]bool{}, changed: make(chan struct{}), fails: -1}
	first, second := &megabytes{}, &megabytes{place: 1}
	op := exec.Ordered{Order: p}.Gather([]exec.Operator{first, second}, []exec.Placed{first, second})
	defer op.Close()
	for i := range 80 {
		b, err := op.Next(context.Background())
		if err != nil || b == nil || len(b.Cols[0].Str[0]) != 1<<20 {
			t.Fatalf("batch %d: %v, %v", i, b, err)
		}
		for i < 20 && second.made.Load() < 3 {
			runtime.Gosched()
		}
		if made := second.made.Load(); i < 20 && made > 5 {
			t.Fatalf("%d batches are made ahead", made)
		}
	}
	if b, err := op.Next(context.Background()); b != nil || err != nil {
		t.Errorf("behind the end: %v, %v", b, err)
	}
}

func TestOrderedGatherLife(t *testing.T) {
	exectest.RunLife(t, func(in []exec.Operator) exec.Operator {
		p := &places{passed: map[int]bool{}, changed: make(chan struct{})}
		var at []exec.Placed
		for i, op := range in {
			one := &onePlace{Operator: op, place: len(in) - 1 - i}
			in[i], at = one, append(at, one)
		}
		return exec.Ordered{Order: p}.Gather(in, at)
	})
}

// TestConcat unites inputs one after the other.
func TestConcat(t *testing.T) {
	exectest.Run(t, exectest.Case{
		Schema: exectest.Wide, Rows: exectest.WideRows,
		Build: func(in []exec.Operator) exec.Operator {
			return exec.NewConcat(append([]exec.Operator{exec.NewValues(exectest.Wide, nil)}, in...))
		},
		Want: func(rows []exectest.Row) []exectest.Row { return rows },
	})
}
