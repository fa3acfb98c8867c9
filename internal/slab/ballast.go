package slab

import (
	"math"
	"runtime/metrics"
	"strings"
	"sync"
)

// The collector runs when the heap has doubled. A query that holds little and makes much
// garbage, as those do which give back their pages soon, has it run all the time: for a few
// megabytes in use, every few megabytes. Memory that nobody touches is no more than
// addresses to the system, but to the collector it is heap in use: with it, there are as
// many bytes of garbage more before it runs.
const (
	// ballastBytes is how much more garbage there is. A collection in the midst of a short query
	// costs it a fifth: while it goes on, each string that is written is noted.
	ballastBytes = 24 << 20
	// mostLive is the heap in use from which on a ballast would change little.
	mostLive = 64 << 20
	// leastLimit is the runtime's memory limit beside which the ballast, which counts there,
	// is little.
	leastLimit = 1 << 30
)

// ballast is the one of the process: two queries need no more than one does.
var ballast struct {
	mu   sync.Mutex
	held strings.Builder // makes memory without clearing it
}

// HoldBallast makes the collector wait longer until DropBallast, where the heap of the program
// is small and has no low limit.
func HoldBallast() {
	ballast.mu.Lock()
	defer ballast.mu.Unlock()
	if ballast.held.Cap() == 0 && wantsBallast() {
		ballast.held.Grow(ballastBytes)
	}
}

// DropBallast leaves the ballast to the collector.
func DropBallast() {
	ballast.mu.Lock()
	defer ballast.mu.Unlock()
	ballast.held.Reset()
}

// Ballast is how many bytes of the heap are ballast.
func Ballast() int64 {
	ballast.mu.Lock()
	defer ballast.mu.Unlock()
	return int64(ballast.held.Cap())
}

func wantsBallast() bool {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/gomemlimit:bytes"}, {Name: "/gc/gogc:percent"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() < mostLive && samples[1].Value.Uint64() >= leastLimit && samples[2].Value.Uint64() < math.MaxUint64
}
