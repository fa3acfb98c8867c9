package idle

import "testing"

// fake is a watch of a heap that the test makes, and what waits for the pause to end.
type fake struct {
	watch
	heap, live int64
	released   int
	waits      []func()
	stopped    int
	ballast    bool
}

func newFake() *fake {
	f := &fake{watch: watch{open: 1}}
	f.size = func() int64 { return f.heap }
	f.release = func() { f.released++; f.heap = f.live }
	f.weighted, f.drop = func() bool { return f.ballast }, func() { f.ballast = false }
	f.after = func(g func()) func() bool {
		f.waits = append(f.waits, g)
		return func() bool { f.stopped++; return true }
	}
	return f
}

// pass lets the pause end.
func (f *fake) pass() {
	waits := f.waits
	f.waits = nil
	for _, g := range waits {
		g()
	}
}

func (f *fake) query(leaves int64) {
	f.begin()
	f.compute(leaves)
	f.end()
}

func (f *fake) compute(leaves int64) {
	f.enter()
	f.heap += leaves
	f.leave()
}

func TestGivesBack(t *testing.T) {
	f := newFake()
	f.heap, f.live = 10<<20, 10<<20
	f.query(100 << 20)
	if f.released != 0 || len(f.waits) != 1 {
		t.Fatalf("given back %d times, %d waits", f.released, len(f.waits))
	}
	f.pass()
	if f.released != 1 || f.heap != 10<<20 {
		t.Fatalf("given back %d times, heap of %d", f.released, f.heap)
	}
	f.query(4 << 20) // too little
	if len(f.waits) != 0 {
		t.Error("waits for little")
	}
	for range 3 { // but not again and again
		f.query(4 << 20)
	}
	f.pass() // the last of them was later
	if f.pass(); f.released != 2 {
		t.Errorf("given back %d times", f.released)
	}
}

// TestQueriesGoOn: nothing is collected while queries run, or one after the other.
func TestQueriesGoOn(t *testing.T) {
	f := newFake()
	f.query(100 << 20)
	f.begin()
	f.enter()
	for range 3 {
		if f.pass(); f.released != 0 || len(f.waits) != 1 {
			t.Fatalf("given back %d times while a query computes, %d waits", f.released, len(f.waits))
		}
	}
	f.begin()
	f.enter()
	f.leave()
	f.end()
	if f.pass(); f.released != 0 {
		t.Fatal("one of two queries has ended")
	}
	f.leave()
	f.end()
	f.query(1 << 20)
	if f.pass(); f.released != 0 || len(f.waits) != 1 {
		t.Fatalf("given back %d times after the pause of the query before, %d waits", f.released, len(f.waits))
	}
	if f.pass(); f.released != 1 {
		t.Errorf("given back %d times", f.released)
	}
}

// TestUnclosedRows: a query whose rows nobody reads on does not keep the memory of others.
func TestUnclosedRows(t *testing.T) {
	f := newFake()
	f.begin()
	f.compute(1 << 20)
	f.query(100 << 20)
	f.compute(0) // a batch is read
	if f.pass(); f.released != 0 || len(f.waits) != 1 {
		t.Fatalf("given back %d times though rows are read, %d waits", f.released, len(f.waits))
	}
	if f.pass(); f.released != 1 {
		t.Errorf("given back %d times", f.released)
	}
}

// TestNobodyWaits: queries begin and end while memory is given back.
func TestNobodyWaits(t *testing.T) {
	f := newFake()
	f.query(100 << 20)
	f.release = func() {
		f.released++
		f.query(1 << 20)
		f.begin()
		f.enter()
	}
	f.pass()
	if f.released != 1 || len(f.waits) != 1 {
		t.Fatalf("given back %d times, %d waits while a query computes", f.released, len(f.waits))
	}
	f.release = func() { f.released++; f.heap = f.live }
	f.leave()
	f.end()
	f.pass() // a query has begun since
	if f.pass(); f.released != 2 {
		t.Errorf("given back %d times", f.released)
	}
}

// TestClosed: when the last database is closed the timer stops, and a query that ends
// later does not begin another one.
func TestClosed(t *testing.T) {
	f := newFake()
	f.opened()
	f.query(100 << 20)
	f.closed()
	if f.stopped != 0 {
		t.Fatal("stopped while a database is open")
	}
	f.begin()
	f.closed()
	if f.end(); f.stopped != 1 || len(f.waits) != 1 {
		t.Fatalf("stopped %d times, %d waits", f.stopped, len(f.waits))
	}
	if f.pass(); f.released != 0 || len(f.waits) != 0 { // it was too late to stop it
		t.Errorf("given back %d times after Close, %d waits", f.released, len(f.waits))
	}
	f.opened()
	f.query(100 << 20)
	if f.pass(); f.released != 1 {
		t.Errorf("given back %d times", f.released)
	}
	f.query(100 << 20)
	f.release = func() { f.released++; f.closed() }
	if f.pass(); f.released != 2 || f.armed || len(f.waits) != 0 {
		t.Errorf("given back %d times, %d waits", f.released, len(f.waits))
	}
}

// TestBallast: the ballast goes when no query has computed for a while, and with the last database.
func TestBallast(t *testing.T) {
	f := newFake()
	f.begin()
	f.ballast = true
	f.end()
	f.query(1 << 20)
	if f.pass(); f.released != 0 || len(f.waits) != 1 {
		t.Fatalf("given back %d times after the pause of the query before, %d waits", f.released, len(f.waits))
	}
	if f.pass(); f.released != 1 || f.ballast || len(f.waits) != 0 {
		t.Errorf("given back %d times, %d waits, a ballast: %v", f.released, len(f.waits), f.ballast)
	}
	f.ballast = true
	f.begin()
	if f.closed(); f.ballast {
		t.Error("a ballast without a database")
	}
	f.ballast = true
	if f.end(); f.ballast || len(f.waits) != 0 {
		t.Errorf("a ballast after the last query: %v, %d waits", f.ballast, len(f.waits))
	}
}

// TestOthers: where a program is large, the garbage of small queries is left to its own
// collections, and what it has made itself is collected once for nothing.
func TestOthers(t *testing.T) {
	f := newFake()
	f.heap, f.live = 8<<30, 8<<30
	f.query(100 << 20)
	if len(f.waits) != 0 {
		t.Error("100 MiB of 8 GiB are worth a collection")
	}
	f.heap, f.live = 12<<30, 12<<30
	f.query(1 << 20)
	f.pass()
	for range 5 {
		f.query(1 << 20)
		f.pass()
	}
	if f.released != 1 {
		t.Errorf("given back %d times", f.released)
	}
}

// TestHeap: the heap of this process has objects.
func TestHeap(t *testing.T) {
	held := make([]byte, 1<<20)
	if n := heap(); n < int64(len(held)) {
		t.Errorf("%d bytes", n)
	}
	Begin()
	End()
}
