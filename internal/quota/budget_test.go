package quota

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/slab"
)

// TestPages: pages may take half of the limit and freePages, whatever operators hold, and all that
// operators leave.
func TestPages(t *testing.T) {
	b := New(64 << 20)
	if err := b.Reserve(64 << 20); err != nil {
		t.Fatal(err)
	}
	one, two := b.Pages(), b.Pages()
	if err := errors.Join(one.Reserve(freePages/2), two.Reserve(freePages/2), one.Reserve(16<<20), one.Reserve(16<<20)); err != nil {
		t.Fatal(err)
	}
	if err := two.Reserve(8 << 20); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("more than half: %v", err)
	}
	b.Release(64 << 20)
	if err := two.Reserve(32 << 20); err != nil {
		t.Error(err)
	}
	if err := two.Reserve(8 << 20); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("more than all: %v", err)
	}
	one.Release(32 << 20)
	two.Release(16 << 20)
	if err := one.Reserve(52 << 20); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("beside a page of 16 MiB: %v", err)
	}
	two.Release(16 << 20)
	if err := two.Reserve(64 << 20); err != nil {
		t.Error(err)
	}
	two.Release(64<<20 + freePages/2)
	one.Release(freePages / 2)
	if used := b.pages.Load(); used != 0 {
		t.Errorf("%d bytes are charged at the end", used)
	}
	tight := New(1 << 20)
	if err := errors.Join(tight.Reserve(1<<20), tight.Pages().Reserve(freePages)); err != nil {
		t.Errorf("few pages at a small limit: %v", err)
	}
	many := New(16 << 20)
	for i := range 1000 { // readers of a page of 100 KB each
		if err := many.Pages().Reserve(100 << 10); err != nil {
			if held := int64(i * 100 << 10); held < freePages+8<<20 {
				t.Errorf("after %d bytes: %v", held, err)
			}
			break
		}
	}
	if held := many.pages.Load(); held > freePages+16<<20 {
		t.Errorf("the pages of many readers hold %d bytes", held)
	}
	var none *Budget
	p := none.Pages()
	if err := p.Reserve(1 << 40); err != nil {
		t.Error(err)
	}
	p.Release(1 << 40)
}

// TestPagesAreLeft: operators leave room to pages that are being read, and for those that
// were, as others of that size will come, up to half of the limit.
func TestPagesAreLeft(t *testing.T) {
	b := New(16 << 20)
	pages := b.Pages()
	if err := errors.Join(pages.Reserve(4<<20+freePages), b.Reserve(12<<20)); err != nil {
		t.Fatal(err)
	}
	if err := b.Reserve(1); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("beside pages: %v", err)
	}
	b.Release(12 << 20)
	if err := errors.Join(pages.Reserve(8<<20), b.Reserve(8<<20)); err != nil {
		t.Error(err)
	}
	pages.Release(12<<20 + freePages)
	if err := b.Reserve(1); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("after pages: %v", err)
	}
	if err := b.Need(8 << 20); err != nil {
		t.Errorf("the rest, for who cannot spill: %v", err)
	}
	if err := b.Need(1); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("more than all: %v", err)
	}
}

// TestCrowded: batches should point to few pages where these hold a part of the limit.
func TestCrowded(t *testing.T) {
	b := New(64 << 20)
	one, two := b.Pages(), b.Pages()
	for _, step := range []struct {
		pages        *Pages
		bytes        int64
		first, other bool
	}{
		{one, crowdedPages, false, false},
		{one, freePages, false, false},
		{one, 2<<20 + 1, true, false},
		{two, crowdedPages + 1, true, true},
		{one, -6 << 20, false, false},
	} {
		if step.bytes < 0 {
			step.pages.Release(-step.bytes)
		} else if err := step.pages.Reserve(step.bytes); err != nil {
			t.Fatal(err)
		}
		if one.Crowded() != step.first || two.Crowded() != step.other {
			t.Errorf("after %d bytes: %v, %v", step.bytes, one.Crowded(), two.Crowded())
		}
	}
}

// TestHalf: what a half reserves is charged to the whole, and it ends at half of it, or
// where the whole is used up.
func TestHalf(t *testing.T) {
	whole := New(100)
	half := whole.Half()
	if err := half.Reserve(40); err != nil || whole.Used() != 40 || half.Used() != 40 {
		t.Errorf("%v, used %d of the whole, %d of the half", err, whole.Used(), half.Used())
	}
	if err := half.Reserve(20); err == nil || whole.Used() != 40 {
		t.Errorf("60 of the half: %v, used %d", err, whole.Used())
	}
	if err := whole.Reserve(55); err != nil {
		t.Error(err)
	}
	if err := half.Reserve(10); err == nil || half.Used() != 40 || whole.Used() != 95 {
		t.Errorf("105 of the whole: %v, used %d and %d", err, half.Used(), whole.Used())
	}
	half.Release(40)
	if whole.Used() != 55 {
		t.Errorf("used %d after the release", whole.Used())
	}
	if New(0).Half().Reserve(1<<40) != nil || (*Budget)(nil).Half().Reserve(1) != nil {
		t.Error("half of no limit is no limit")
	}
}

// TestRefused: the error of a reservation reserves nothing, also where there is room again.
func TestRefused(t *testing.T) {
	b := New(100)
	if err := b.Refused(40); !errors.Is(err, errs.ErrMemoryLimit) || b.Used() != 0 {
		t.Errorf("%v, used %d", err, b.Used())
	}
}

// TestGarbage: what a query throws away does not pile up, even where the program never
// collects garbage by itself: what operators made, and the pages that they read.
func TestGarbage(t *testing.T) {
	const step = 256 << 10
	b := New(8 << 20)
	t.Run("operators", func(t *testing.T) {
		wantBounded(t, b, step, func() error { return b.Reserve(step) }, func() { b.Release(step) })
	})
	pages := b.Pages()
	t.Run("pages", func(t *testing.T) {
		wantBounded(t, b, step, func() error { return pages.Reserve(step) }, func() { pages.Release(step) })
	})
}

// TestGarbageBeforeLongPages: what was thrown away is collected before a long page is read,
// and so is idle memory.
func TestGarbageBeforeLongPages(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	b := New(128 << 20)
	pages := b.Pages()
	if err := pages.Reserve(4 << 20); err != nil { // looks at the heap for the first time
		t.Fatal(err)
	}
	before, _ := heapSize()
	for range 4 {
		slab.Put(slab.Get(60 << 20))
		if err := pages.Reserve(100 << 20); err != nil {
			t.Fatal(err)
		}
		page := make([]byte, 100<<20)
		if now, _ := heapSize(); now-before > 150<<20 {
			t.Errorf("the heap has grown by %d bytes", now-before)
		}
		pages.Release(int64(len(page)))
	}
}

// wantBounded makes half a gigabyte in steps.
func wantBounded(t *testing.T, b *Budget, step int, reserve func() error, release func()) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	before, _ := heapSize()
	most := before
	var held []byte
	for range (512 << 20) / step {
		if err := reserve(); err != nil {
			t.Fatal(err)
		}
		held = make([]byte, step)
		now, _ := heapSize()
		most = max(most, now)
		release()
	}
	if most-before > b.Limit()+64<<20 {
		t.Errorf("the heap has grown from %d to %d bytes", before, most)
	}
	if len(held) != step {
		t.Error(len(held))
	}
}

// TestFreedMemoryCounts: what a collection has freed, and the process still has, is given back
// to the system where it is more than the limit.
func TestFreedMemoryCounts(t *testing.T) {
	debug.FreeOSMemory()
	b := New(16 << 20)
	if err := b.Reserve(lookBytes); err != nil { // looks at the heap for the first time
		t.Fatal(err)
	}
	before := resident()
	pages := make([][]byte, 16)
	for i := range pages {
		pages[i] = make([]byte, 8<<20)
	}
	runtime.KeepAlive(pages)
	runtime.GC()
	b.Release(lookBytes)
	if now := resident(); now-before > 48<<20 {
		t.Errorf("the process has %d bytes more", now-before)
	}
}

// TestIdleMemoryGoes: memory that waits for a borrower goes as soon as the heap would grow past the
// limit, also where a collection has found little a moment ago.
func TestIdleMemoryGoes(t *testing.T) {
	const limit = 64 << 20
	slab.Drop()
	debug.FreeOSMemory()
	b := New(limit)
	b.Coming(lookBytes)              // looks at the heap for the first time
	b.Coming(limit + 2*garbageBytes) // collects
	page := slab.Get(24 << 20)
	other := slab.Get(24 << 20)
	slab.Put(page)
	slab.Put(other)
	if slab.Idle() == 0 {
		t.Skip("nothing waits for a borrower")
	}
	if b.Coming(40 << 20); slab.Idle() > 0 {
		t.Errorf("%d bytes wait for a borrower", slab.Idle())
	}
}

// resident is what the runtime has of the system's memory.
func resident() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64()) - int64(samples[1].Value.Uint64())
}

// TestBallast: a query that keeps rows and has taken some memory, at once or in small parts that it
// gives back, gets a ballast; one that passes rows on does not, nor one under a low limit.
func TestBallast(t *testing.T) {
	debug.FreeOSMemory()
	for _, c := range []struct {
		limit, n     int64
		keeps, wants bool
	}{
		{0, ballastFrom, false, false}, {0, ballastFrom - 1, true, false}, {ballastLimit - 1, ballastFrom, true, false},
		{ballastLimit, ballastFrom, true, true}, {0, ballastFrom, true, true},
	} {
		b := New(c.limit)
		if c.keeps {
			b.Keeps()
		}
		half := b.Half()
		const parts = 16
		for range parts - 1 {
			if err := half.Reserve(c.n / parts); err != nil || slab.Ballast() > 0 {
				t.Fatalf("%+v: a ballast after a part of it, %v", c, err)
			}
			half.Release(c.n / parts)
		}
		if err := half.Reserve(c.n - c.n/parts*(parts-1)); err != nil {
			t.Fatal(err)
		}
		if got := slab.Ballast() > 0; got != c.wants {
			t.Errorf("%+v: a ballast: %v", c, got)
		}
		slab.DropBallast()
		half.Release(c.n - c.n/parts*(parts-1))
		if err := half.Reserve(c.n); err != nil || c.wants && slab.Ballast() > 0 {
			t.Errorf("%+v: a second ballast, %v", c, err)
		}
		slab.DropBallast()
	}
}

// TestCollectEnds: nobody waits for a collection when the context has ended.
func TestCollectEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for _, limit := range []int64{0, 1 << 40} {
		if err := New(limit).Collect(ctx); err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	cancel()
	for _, limit := range []int64{0, 1 << 40} {
		if err := New(limit).Collect(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("limit %d, cancelled: %v", limit, err)
		}
	}
}

// TestNextCollection: the heap grows by less where it comes to the edge.
func TestNextCollection(t *testing.T) {
	for _, c := range []struct{ heap, again, edge, least, want int64 }{
		{100, 32, 200, 8, 132}, {180, 32, 200, 8, 200}, {195, 32, 200, 8, 203}, {300, 32, 200, 8, 308}, {300, 4, 200, 8, 304},
	} {
		if got := next(c.heap, c.again, c.edge, c.least); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestUncharged: what a collection at the limit finds in use, but not charged, is left free by
// those who can spill, up to a half of the limit; who cannot may have all of it.
func TestUncharged(t *testing.T) {
	b := New(64 << 20)
	b.Made(lookBytes) // looks at the heap for the first time
	if err := b.Reserve(60 << 20); err != nil {
		t.Fatal(err)
	}
	b.Release(60 << 20)
	held := make([]byte, 140<<20)
	b.Made(lookBytes)
	if err := b.Reserve(34 << 20); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("more than a half beside %d bytes that are not charged: %v", len(held), err)
	}
	if err := errors.Join(b.Reserve(30<<20), b.Need(30<<20)); err != nil {
		t.Error(err)
	}
	b.Release(60 << 20)
	runtime.KeepAlive(held)
}

// TestRefusedMeanwhile refuses much to one goroutine while another one takes little, which is always there.
func TestRefusedMeanwhile(t *testing.T) {
	b := New(100)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 100_000 {
			if b.Reserve(1000) == nil {
				t.Error("1000 bytes of 100")
			}
		}
	})
	wg.Go(func() {
		for range 100_000 {
			if err := b.Need(50); err != nil {
				t.Error(err)
				return
			}
			b.Release(50)
		}
	})
	wg.Wait()
}
