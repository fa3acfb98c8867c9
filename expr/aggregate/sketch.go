package aggregate

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// A sketch is what is kept of the different values of a group: the hashes of few of them, which are
// counted, then the registers of a HyperLogLog, from which their number is estimated (Flajolet and
// others, 2007; the estimate is that of Ertl, "New cardinality estimation algorithms for
// HyperLogLog sketches", 2017). Which values there are decides all of it; the order in which they
// come does not.
type sketch struct {
	// hashes are n of them, none of them 0. Up to listedHashes they are a list, beyond that a hash table
	// of a power of two places, of which 0 are free.
	hashes    []uint64
	n         int
	registers *[registers]uint8 // instead of the hashes, if not nil
}

const (
	registerBits = 12
	// registers is how many a sketch has. The standard error of the estimate is 1.04/√registers, 1.6 %.
	registers = 1 << registerBits
	// mostRank is the highest value of a register: the zeros before the first one in the bits of a hash that
	// do not say which register, and one more.
	mostRank = 64 - registerBits + 1

	listedHashes = 16
	mostPlaces   = registers / 16 // of 8 bytes: half of what the registers take
	// MostCounted is up to how many different values a sketch counts them.
	MostCounted = mostPlaces / 4 * 3
)

// sketchMemory is where sketches have their hashes: pieces of larger arrays.
type sketchMemory struct {
	free  []uint64
	bytes int64
}

// mostChunk is how many hashes the arrays are made for, after the first smaller ones.
const mostChunk = 1 << 16

func (m *sketchMemory) take(n int) []uint64 {
	if n > len(m.free) {
		size := max(n, min(mostChunk, int(m.bytes/8)), 32)
		m.free = make([]uint64, size)
		m.bytes += int64(size) * 8
	}
	piece := m.free[:n:n]
	m.free = m.free[n:]
	return piece
}

// add adds the hash of a value.
func (s *sketch) add(h uint64, m *sketchMemory) {
	if s.registers != nil {
		s.raise(h)
		return
	}
	if h == 0 {
		h = 1
	}
	if len(s.hashes) <= listedHashes {
		for _, x := range s.hashes[:s.n] {
			if x == h {
				return
			}
		}
		if s.n == len(s.hashes) {
			s.grow(m)
			s.add(h, m)
			return
		}
		s.hashes[s.n] = h
		s.n++
		return
	}
	at := s.place(h)
	if s.hashes[at] == h {
		return
	}
	if s.n == len(s.hashes)/4*3 {
		s.grow(m)
		s.add(h, m)
		return
	}
	s.hashes[at] = h
	s.n++
}

// place is where the table has the hash, or the free place for it.
func (s *sketch) place(h uint64) int {
	mask := len(s.hashes) - 1
	at := int(h) & mask
	for s.hashes[at] != 0 && s.hashes[at] != h {
		at = (at + 1) & mask
	}
	return at
}

// grow makes room for more hashes, or registers of them.
func (s *sketch) grow(m *sketchMemory) {
	old := s.hashes
	if len(old) == mostPlaces {
		s.toRegisters(m)
		return
	}
	s.hashes = m.take(max(2, 2*len(old)))
	if len(s.hashes) <= listedHashes {
		copy(s.hashes, old)
		return
	}
	for _, h := range old {
		if h != 0 {
			s.hashes[s.place(h)] = h
		}
	}
}

func (s *sketch) toRegisters(m *sketchMemory) {
	old := s.hashes
	*s = sketch{registers: new([registers]uint8)}
	m.bytes += registers
	for _, h := range old {
		if h != 0 {
			s.raise(h)
		}
	}
}

// raise lets the hash's register know of it.
func (s *sketch) raise(h uint64) {
	rank := uint8(bits.LeadingZeros64(h<<registerBits|1<<(registerBits-1)) + 1)
	if r := &s.registers[h>>(64-registerBits)]; rank > *r {
		*r = rank
	}
}

// merge adds the values of another one.
func (s *sketch) merge(o *sketch, m *sketchMemory) {
	if o.registers == nil {
		for _, h := range o.hashes {
			if h != 0 {
				s.add(h, m)
			}
		}
		return
	}
	if s.registers == nil {
		s.toRegisters(m)
	}
	for i, r := range o.registers {
		s.registers[i] = max(s.registers[i], r)
	}
}

// count is the number of values: exact up to MostCounted.
func (s *sketch) count() int64 {
	if s.registers == nil {
		return int64(s.n)
	}
	of := s.ranks()
	z := registers * sketchTau(1-of[mostRank]/registers)
	for k := mostRank - 1; k >= 1; k-- {
		z = (z + of[k]) / 2
	}
	z += registers * sketchSigma(of[0]/registers)
	return int64(math.Round(registers * registers / (2 * math.Ln2) / z))
}

// ranks is how many registers have which rank. Neighbours are counted apart: they are often of one rank,
// and a number that has just been written takes long to read.
func (s *sketch) ranks() (of [mostRank + 1]float64) {
	var apart [4][256]int32
	for i := 0; i < registers; i += len(apart) {
		r := s.registers[i:][:len(apart)]
		apart[0][r[0]]++
		apart[1][r[1]]++
		apart[2][r[2]]++
		apart[3][r[3]]++
	}
	for k := range of {
		for i := range apart {
			of[k] += float64(apart[i][k])
		}
	}
	return of
}

// sketchSigma is Ertl's sum for the registers that no value has raised.
func sketchSigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for {
		before := z
		x *= x
		z += x * y
		y *= 2
		if z == before {
			return z
		}
	}
}

// sketchTau is Ertl's sum for the registers that cannot be raised further.
func sketchTau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for {
		before := z
		x = math.Sqrt(x)
		y /= 2
		z -= (1 - x) * (1 - x) * y
		if z == before {
			return z / 3
		}
	}
}

// appendBytes appends the sketch as other machines read it.
func (s *sketch) appendBytes(b []byte) []byte {
	if s.registers != nil {
		return append(b, s.registers[:]...)
	}
	for _, h := range s.hashes {
		if h != 0 {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
	}
	return b
}

// mergeBytes adds the values of a sketch of another machine.
func (s *sketch) mergeBytes(b string, m *sketchMemory) error {
	switch {
	case len(b) == registers:
		var o [registers]uint8
		copy(o[:], b)
		for _, r := range o {
			if r > mostRank {
				return fmt.Errorf("a sketch of different values has a register of %d", r)
			}
		}
		s.merge(&sketch{registers: &o}, m)
	case len(b)%8 == 0 && len(b) <= 8*MostCounted:
		for ; b != ""; b = b[8:] {
			s.add(binary.LittleEndian.Uint64([]byte(b[:8])), m)
		}
	default:
		return fmt.Errorf("a sketch of different values has %d bytes", len(b))
	}
	return nil
}
