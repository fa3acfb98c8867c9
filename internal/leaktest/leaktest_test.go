package leaktest

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// failing records calls of Errorf and does not fail.
type failing struct {
	testing.TB
	errors  int
	cleanup []func()
}

func (f *failing) Helper()               {}
func (f *failing) Failed() bool          { return false }
func (f *failing) Errorf(string, ...any) { f.errors++ }
func (f *failing) Cleanup(c func())      { f.cleanup = append(f.cleanup, c) }
func (f *failing) end() int              { f.cleanup[0](); return f.errors }

func TestCheck(t *testing.T) {
	clean := &failing{TB: t}
	Check(clean)
	done := make(chan struct{})
	go close(done)
	<-done
	if clean.end() != 0 {
		t.Error("a goroutine that ended was reported")
	}

	defer func(was time.Duration) { patience = was }(patience)
	patience = 0 // what leaks here is there for certain
	leaky := &failing{TB: t}
	Check(leaky)
	stop := make(chan struct{})
	go func() { <-stop }()
	want := 1
	f, err := os.Create(filepath.Join(t.TempDir(), "open"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/self/fd"); err == nil {
		want = 2
	}
	if got := leaky.end(); got != want {
		t.Errorf("%d leaks were reported, want %d", got, want)
	}
	close(stop)
	f.Close()
}
