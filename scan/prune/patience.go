package prune

import "sync/atomic"

const (
	// patient is how often in a row something may be read without use, and retried how many are
	// passed over then for each that is read.
	patient = 16
	retried = 7
)

// Patience says whether evidence is worth reading that costs something for each row group, such as
// dictionaries, which are read again with the data. Where row groups are alike, what ruled none of
// many out will not rule out the next one, and of what is large fewer are enough. It is for all goroutines of a scan.
type Patience struct{ useless, passed atomic.Int64 }

// Reads reports whether to read the next piece of evidence.
func (p *Patience) Reads() bool {
	return p.useless.Load() < patient || p.passed.Add(1)%(retried+1) == 0
}

// largePiece is of how many values a piece takes as long as the reading of another one.
const largePiece = 1 << 10

// Note is called when a piece of so many values was read.
func (p *Patience) Note(values int, helped bool) {
	if p.useless.Add(1 + int64(values)/largePiece); helped {
		p.useless.Store(0)
	}
}
