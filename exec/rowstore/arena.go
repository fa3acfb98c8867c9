package rowstore

import "strings"

// Arena keeps copies of strings, many per allocation.
type Arena struct {
	block strings.Builder
	bytes int64
}

const arenaBlock = 64 << 10

// Clone is a copy of s that lives in the arena.
func (a *Arena) Clone(s string) string {
	if len(s) == 0 {
		return ""
	}
	if a.block.Cap()-a.block.Len() < len(s) {
		// A Builder never overwrites bytes that it has returned, so the old block
		// stays unchanged for as long as a string refers to it.
		a.block = strings.Builder{}
		// Small tables should not cost a whole block.
		a.block.Grow(max(len(s), min(arenaBlock, int(a.bytes)+512)))
		a.bytes += int64(a.block.Cap())
	}
	from := a.block.Len()
	a.block.WriteString(s)
	return a.block.String()[from:]
}

// Bytes is the memory that the arena holds.
func (a *Arena) Bytes() int64 { return a.bytes }
