// Package slab lends memory for bytes that live for a moment: bytes of a file, and
// decompressed pages. Memory that is new to the process costs a page fault for each 4 KiB
// and is cleared, and what is thrown away has to be collected: for a page that is
// decoded once, all this costs as much as the decoding.
//
// There is one pool for the process, since its idle memory is what has a limit: pools of
// connectors would each hold as much. How much is lent has no limit here. Borrowers
// charge it to their query's quota.Budget.
//
// The memory is of the Go heap. Whoever cannot tell whether something still points to a
// piece simply does not return it, and the collector takes care of it.
package slab

import (
	"math/bits"
	"os"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/internal/machine"
)

// Pieces have sizes of four steps per power of two: 16, 20, 24, 28, 32, 40 KiB and so on
// to 256 MiB. So at most a fifth of a piece is not used.
const (
	stepBits = 2
	steps    = 1 << stepBits
	leastLog = 14
	mostLog  = 28
	classes  = steps*(mostLog-leastLog) + 1
)

const (
	// least and most are the sizes of the shortest and of the longest pieces. Others are
	// not lent: they are made, and left to the collector.
	least = 1 << leastLog
	most  = 1 << mostLog
	// A piece of up to a power of two more than what was asked for is better than none, or of
	// one step more from alsoBelow on: borrowers charge what they have asked for.
	alsoLonger = steps
	alsoBelow  = 2 << 20
)

const (
	// sweepEvery is how long a piece stays idle, or up to twice as long.
	sweepEvery = time.Second
	// mostIdle and idleShare limit the idle memory: this many bytes, or this part of the
	// machine's memory.
	mostIdle  = 256 << 20
	idleShare = 16
)

// piece is idle memory.
type piece struct {
	bytes []byte
	sweep int // the number of the sweep before which it was returned
}

// pool is idle memory by class; each list has what was returned last at its end.
type pool struct {
	mu     sync.Mutex
	idle   [classes][]piece
	bytes  int64
	sweeps int
	armed  bool // a sweep will come
	limit  func() int64
}

var shared = newPool(sync.OnceValue(func() int64 {
	if n := machine.Memory(os.DirFS("/")); n > 0 {
		return min(n/idleShare, mostIdle)
	}
	return mostIdle
}))

func newPool(limit func() int64) *pool { return &pool{limit: limit} }

// Get returns n bytes of undefined content.
func Get(n int) []byte { return shared.get(n) }

// Size is the size of the piece that Get(n) is a part of. It may be one that is longer by a
// power of two if it is shorter than alsoBelow, and by a quarter otherwise.
func Size(n int) int {
	if n < least/2 || n > most {
		return n
	}
	return sizeOf(classOf(max(n, least)))
}

// Idle is how many bytes wait for a borrower.
func Idle() int64 {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	return shared.bytes
}

// Drop leaves all idle memory to the collector.
func Drop() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	for _, list := range shared.idle {
		for _, p := range list {
			taken(p.bytes)
		}
	}
	clear(shared.idle[:])
	shared.bytes = 0
}

// Put returns memory that nothing points to any longer: a slice of any length that begins
// where that of Get did. Memory that is not from Get is left to the collector.
func Put(b []byte) { shared.put(b) }

// sizeOf is the size of the pieces of a class.
func sizeOf(class int) int {
	return (steps + class%steps) << (leastLog - stepBits + class/steps)
}

// classOf is the first class whose pieces have n bytes, which are at least least and at
// most most.
func classOf(n int) int {
	log := bits.Len(uint(n-1)) - 1 // of the power of two below n
	if log < leastLog {
		return 0
	}
	part := (n - 1) >> (log - stepBits) & (steps - 1)
	return (log-leastLog)*steps + part + 1
}

func (p *pool) get(n int) []byte {
	if n < least/2 || n > most {
		return make([]byte, n)
	}
	class := classOf(max(n, least))
	if b := p.take(class); b != nil {
		taken(b)
		return b[:n]
	}
	return make([]byte, n, sizeOf(class))
}

// take removes an idle piece of the class, or of one that is a little longer.
func (p *pool) take(class int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	longer := alsoLonger
	if sizeOf(class) >= alsoBelow {
		longer = 1
	}
	for c := class; c < min(classes, class+longer+1); c++ {
		if k := len(p.idle[c]) - 1; k >= 0 {
			b := p.idle[c][k].bytes
			p.idle[c][k] = piece{}
			p.idle[c] = p.idle[c][:k]
			p.bytes -= int64(cap(b))
			return b
		}
	}
	return nil
}

func (p *pool) put(b []byte) {
	n := cap(b)
	if n < least || n > most {
		return
	}
	class := classOf(n)
	if sizeOf(class) != n {
		return
	}
	b = b[:n]
	limit := p.limit()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes+int64(n) > limit {
		return
	}
	poison(b)
	p.bytes += int64(n)
	p.idle[class] = append(p.idle[class], piece{b, p.sweeps})
	p.arm()
}

// arm makes sure that a sweep will come while something is idle.
func (p *pool) arm() {
	if !p.armed && p.bytes > 0 {
		p.armed = true
		time.AfterFunc(sweepEvery, p.sweep)
	}
}

// sweep drops what has been idle since the sweep before the last one.
func (p *pool) sweep() {
	for _, b := range p.old() {
		discard(b)
	}
}

func (p *pool) old() [][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out [][]byte
	for c, list := range p.idle {
		k := 0
		for k < len(list) && list[k].sweep < p.sweeps {
			out = append(out, list[k].bytes)
			p.bytes -= int64(cap(list[k].bytes))
			taken(list[k].bytes)
			k++
		}
		left := append(list[:0], list[k:]...)
		clear(list[len(left):])
		if p.idle[c] = left; len(left) == 0 {
			p.idle[c] = nil
		}
	}
	p.sweeps++
	p.armed = false
	p.arm()
	return out
}
