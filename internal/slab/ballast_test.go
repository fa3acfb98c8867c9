package slab

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// TestBallast: the ballast is one, counts as heap, and takes no memory of the system.
func TestBallast(t *testing.T) {
	debug.FreeOSMemory()
	heap, before := inUse(), resident(t)
	HoldBallast()
	HoldBallast()
	if n := Ballast(); n < ballastBytes || n > ballastBytes+ballastBytes/8 {
		t.Fatalf("%d bytes of ballast", n)
	}
	runtime.GC()
	if n := inUse() - heap; n < ballastBytes-ballastBytes/8 || n > 2*ballastBytes {
		t.Errorf("the heap is %d bytes longer", n)
	}
	if n := resident(t) - before; n > ballastBytes/2 {
		t.Errorf("%d bytes more are resident", n)
	}
	DropBallast()
	runtime.GC()
	if n := inUse() - heap; Ballast() != 0 || n > ballastBytes/2 {
		t.Errorf("%d bytes of ballast, and a heap that is %d bytes longer, after its end", Ballast(), n)
	}
}

// TestNoBallast: where the program has limited its memory, or turned the collector off, and
// where its heap is large.
func TestNoBallast(t *testing.T) {
	hold := func(name string) {
		t.Helper()
		if HoldBallast(); Ballast() != 0 {
			t.Errorf("a ballast %s", name)
		}
		DropBallast()
	}
	old := debug.SetMemoryLimit(leastLimit - 1)
	hold("under a low limit")
	debug.SetMemoryLimit(old)
	percent := debug.SetGCPercent(-1)
	hold("without collections")
	debug.SetGCPercent(percent)
	program := make([]byte, mostLive)
	runtime.GC()
	hold("in a large program")
	runtime.KeepAlive(program)
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// resident is the memory of the system that the process has; 0 where the system does not tell.
func resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
