package slab

import (
	"testing"
)

func unlimited() int64 { return 1 << 40 }

// TestClasses: pieces have the sizes that the constants promise, and each length gets the
// shortest piece that holds it.
func TestClasses(t *testing.T) {
	for class, want := range map[int]int{0: 16 << 10, 1: 20 << 10, 3: 28 << 10, 4: 32 << 10, 5: 40 << 10, classes - 1: 256 << 20} {
		if got := sizeOf(class); got != want {
			t.Errorf("class %d has %d bytes, want %d", class, got, want)
		}
	}
	for class := range classes {
		size := sizeOf(class)
		if classOf(size) != class || class+1 < classes && classOf(size+1) != class+1 {
			t.Errorf("%d bytes are of class %d and one more of %d, want %d", size, classOf(size), classOf(size+1), class)
		}
	}
}

// TestReuse: what was returned is lent again, to whoever asks for as much or a little less.
func TestReuse(t *testing.T) {
	p := newPool(unlimited)
	b := p.get(100_000)
	if len(b) != 100_000 || cap(b) != 112<<10 {
		t.Fatalf("%d bytes of %d", len(b), cap(b))
	}
	p.put(b[:10])
	for _, c := range []struct {
		n    int
		same bool
	}{{1 << 20, false}, {112<<10 + 1, false}, {40_000, false}, {64 << 10, true}, {112 << 10, true}} {
		again := p.get(c.n)
		if len(again) != c.n || (&again[0] == &b[0]) != c.same {
			t.Errorf("%d bytes: %d, the same memory: %v", c.n, len(again), !c.same)
		}
		if c.same {
			p.put(again)
		}
	}
}

// TestNotLent: very short and very long slices are made and not kept, nor is memory of
// other sizes.
func TestNotLent(t *testing.T) {
	p := newPool(unlimited)
	for _, n := range []int{0, 1, least/2 - 1, most + 1} {
		b := p.get(n)
		if len(b) != n || cap(b) != n {
			t.Errorf("%d bytes of %d, want %d", len(b), cap(b), n)
		}
		p.put(b)
	}
	p.put(make([]byte, 100_000))
	p.put(nil)
	if p.bytes != 0 {
		t.Errorf("%d bytes are idle", p.bytes)
	}
}

// TestLimit: what would go beyond the limit is not kept.
func TestLimit(t *testing.T) {
	p := newPool(func() int64 { return 100 << 10 })
	one, two := p.get(64<<10), p.get(64<<10)
	p.put(one)
	p.put(two)
	if p.bytes != 64<<10 {
		t.Errorf("%d bytes are idle", p.bytes)
	}
}

// TestSweep: idle memory goes after two sweeps, and what was returned last stays longest.
func TestSweep(t *testing.T) {
	p := newPool(unlimited)
	p.armed = true // no timer: the test sweeps
	one, two := p.get(64<<10), p.get(64<<10)
	p.put(one)
	p.sweep()
	p.put(two)
	p.armed = true
	p.sweep()
	if p.bytes != 64<<10 {
		t.Fatalf("%d bytes are idle", p.bytes)
	}
	if b := p.get(64 << 10); &b[0] != &two[0] {
		t.Error("the older piece was left")
	}
	p.put(two)
	p.armed = true
	p.sweep()
	p.armed = true
	p.sweep()
	if p.bytes != 0 || p.idle[classOf(64<<10)] != nil {
		t.Errorf("%d bytes are idle", p.bytes)
	}
}

// TestDiscarded: memory that was given back to the system reads as other content, and not
// as a fault, and its neighbours keep theirs.
func TestDiscarded(t *testing.T) {
	pieces := make([][]byte, 64)
	for i := range pieces {
		pieces[i] = make([]byte, sizeOf(classOf(longPieceOfTest))+i%3*(16<<10))
		for at := range pieces[i] {
			pieces[i][at] = byte(i + 1)
		}
	}
	for i := 0; i < len(pieces); i += 2 {
		discard(pieces[i])
		pieces[i][0] = 1
	}
	for i := 1; i < len(pieces); i += 2 {
		for at, b := range pieces[i] {
			if b != byte(i+1) {
				t.Fatalf("byte %d of piece %d is %d", at, i, b)
			}
		}
	}
}

const longPieceOfTest = 64 << 10

// TestShared: the pool of the process keeps some memory and then no longer.
func TestShared(t *testing.T) {
	b := Get(1 << 20)
	Put(b)
	if again := Get(1 << 20); len(again) != 1<<20 {
		t.Errorf("%d bytes", len(again))
	}
}
