package rowstore

import (
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// Arena keeps copies of strings, many per allocation.
type Arena struct {
	block strings.Builder
	bytes int64

	blocks int // how many there were
}

const arenaBlock = 64 << 10

// longString is how long a string is that gets memory of its own: a few of them would keep all of a
// block in use.
const longString = arenaBlock / 16

// Clone is a copy of s that lives in the arena.
func (a *Arena) Clone(s string) string {
	if len(s) == 0 {
		return ""
	}
	a.makeRoom(len(s))
	from := a.block.Len()
	a.block.WriteString(s)
	return a.block.String()[from:]
}

// CloneAll replaces strings by copies that lie together in the arena, but for long ones.
func (a *Arena) CloneAll(list []string) {
	total := 0
	for _, s := range list {
		if len(s) < longString {
			total += len(s)
		}
	}
	a.makeRoom(total)
	from := a.block.Len()
	for i, s := range list {
		if len(s) < longString {
			a.block.WriteString(s)
			continue
		}
		list[i] = strings.Clone(s)
		a.bytes += int64(len(s))
	}
	all := a.block.String()[from:]
	for i, s := range list {
		if len(s) < longString {
			list[i], all = all[:len(s)], all[len(s):]
		}
	}
}

// join appends copies of the listed texts of v, which is flat, one behind the other, each with its
// length in front, in bytes of seven bits, the lowest first. NULLs have the length 0. There is room
// for them. It returns the memory from from on.
func (a *Arena) join(v *vector.Vector, rows []int32, from int) string {
	for _, row := range rows {
		if v.Valid != nil && !v.Valid.Get(int(row)) { // the string under a NULL may be large
			a.block.WriteByte(0)
			continue
		}
		n := len(v.Str[row])
		for ; n >= 0x80; n >>= 7 {
			a.block.WriteByte(byte(n) | 0x80)
		}
		a.block.WriteByte(byte(n))
		a.block.WriteString(v.Str[row])
	}
	return a.block.String()[from:]
}

// place is where copies of n bytes will be: the number of their memory, and where in it.
func (a *Arena) place(n int) (block, from int) {
	a.makeRoom(n)
	return a.blocks, a.block.Len()
}

// makeRoom makes sure that the block has room for n bytes.
func (a *Arena) makeRoom(n int) {
	if a.block.Cap()-a.block.Len() >= n {
		return
	}
	// A Builder never overwrites bytes that it has returned, so the old block
	// stays unchanged for as long as a string refers to it.
	a.block = strings.Builder{}
	// Small tables should not cost a whole block.
	a.block.Grow(max(n, min(arenaBlock, int(a.bytes/2)+512)))
	a.bytes += int64(a.block.Cap())
	a.blocks++
}

// Bytes is the memory that the arena holds.
func (a *Arena) Bytes() int64 { return a.bytes }
