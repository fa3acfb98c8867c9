package codec

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// zstdAppendix is RFC 8878, Appendix A: of each state the symbol, the number of
// bits and the base of the next state.
var zstdAppendix = []struct {
	name   string
	codes  *zstdCodes
	states [][3]uint64
}{
	{"literal lengths", zstdRuns, [][3]uint64{
		{0, 4, 0}, {0, 4, 16}, {1, 5, 32}, {3, 5, 0}, {4, 5, 0}, {6, 5, 0}, {7, 5, 0}, {9, 5, 0},
		{10, 5, 0}, {12, 5, 0}, {14, 6, 0}, {16, 5, 0}, {18, 5, 0}, {19, 5, 0}, {21, 5, 0}, {22, 5, 0},
		{24, 5, 0}, {25, 5, 32}, {26, 5, 0}, {27, 6, 0}, {29, 6, 0}, {31, 6, 0}, {0, 4, 32}, {1, 4, 0},
		{2, 5, 0}, {4, 5, 32}, {5, 5, 0}, {7, 5, 32}, {8, 5, 0}, {10, 5, 32}, {11, 5, 0}, {13, 6, 0},
		{16, 5, 32}, {17, 5, 0}, {19, 5, 32}, {20, 5, 0}, {22, 5, 32}, {23, 5, 0}, {25, 4, 0}, {25, 4, 16},
		{26, 5, 32}, {28, 6, 0}, {30, 6, 0}, {0, 4, 48}, {1, 4, 16}, {2, 5, 32}, {3, 5, 32}, {5, 5, 32},
		{6, 5, 32}, {8, 5, 32}, {9, 5, 32}, {11, 5, 32}, {12, 5, 32}, {15, 6, 0}, {17, 5, 32}, {18, 5, 32},
		{20, 5, 32}, {21, 5, 32}, {23, 5, 32}, {24, 5, 32}, {35, 6, 0}, {34, 6, 0}, {33, 6, 0}, {32, 6, 0},
	}},
	{"match lengths", zstdMatches, [][3]uint64{
		{0, 6, 0}, {1, 4, 0}, {2, 5, 32}, {3, 5, 0}, {5, 5, 0}, {6, 5, 0}, {8, 5, 0}, {10, 6, 0},
		{13, 6, 0}, {16, 6, 0}, {19, 6, 0}, {22, 6, 0}, {25, 6, 0}, {28, 6, 0}, {31, 6, 0}, {33, 6, 0},
		{35, 6, 0}, {37, 6, 0}, {39, 6, 0}, {41, 6, 0}, {43, 6, 0}, {45, 6, 0}, {1, 4, 16}, {2, 4, 0},
		{3, 5, 32}, {4, 5, 0}, {6, 5, 32}, {7, 5, 0}, {9, 6, 0}, {12, 6, 0}, {15, 6, 0}, {18, 6, 0},
		{21, 6, 0}, {24, 6, 0}, {27, 6, 0}, {30, 6, 0}, {32, 6, 0}, {34, 6, 0}, {36, 6, 0}, {38, 6, 0},
		{40, 6, 0}, {42, 6, 0}, {44, 6, 0}, {1, 4, 32}, {1, 4, 48}, {2, 4, 16}, {4, 5, 32}, {5, 5, 32},
		{7, 5, 32}, {8, 5, 32}, {11, 6, 0}, {14, 6, 0}, {17, 6, 0}, {20, 6, 0}, {23, 6, 0}, {26, 6, 0},
		{29, 6, 0}, {52, 6, 0}, {51, 6, 0}, {50, 6, 0}, {49, 6, 0}, {48, 6, 0}, {47, 6, 0}, {46, 6, 0},
	}},
	{"offsets", zstdOffsets, [][3]uint64{
		{0, 5, 0}, {6, 4, 0}, {9, 5, 0}, {15, 5, 0}, {21, 5, 0}, {3, 5, 0}, {7, 4, 0}, {12, 5, 0},
		{18, 5, 0}, {23, 5, 0}, {5, 5, 0}, {8, 4, 0}, {14, 5, 0}, {20, 5, 0}, {2, 5, 0}, {7, 4, 16},
		{11, 5, 0}, {17, 5, 0}, {22, 5, 0}, {4, 5, 0}, {8, 4, 16}, {13, 5, 0}, {19, 5, 0}, {1, 5, 0},
		{6, 4, 16}, {10, 5, 0}, {16, 5, 0}, {28, 5, 0}, {27, 5, 0}, {26, 5, 0}, {25, 5, 0}, {24, 5, 0},
	}},
}

func TestZstdPredefined(t *testing.T) {
	for _, a := range zstdAppendix {
		if got := 1 << a.codes.predefined.log; got != len(a.states) {
			t.Fatalf("%s: %d states, want %d", a.name, got, len(a.states))
		}
		for i, s := range a.states {
			if got, want := a.codes.predefined.entries[i], a.codes.values[s[0]]|s[1]<<8|s[2]<<16; got != want {
				t.Errorf("%s: state %d is %x, want %x", a.name, i, got, want)
			}
		}
	}
}

// TestZstdValues has the ends of the tables in RFC 8878, section 3.1.1.3.2.1.1.
func TestZstdValues(t *testing.T) {
	for _, c := range []struct {
		codes       *zstdCodes
		code        int
		value, bits uint64
	}{
		{zstdRuns, 0, 0, 0}, {zstdRuns, 15, 15, 0}, {zstdRuns, 16, 16, 1}, {zstdRuns, 23, 40, 3}, {zstdRuns, 24, 48, 4}, {zstdRuns, 25, 64, 6}, {zstdRuns, 35, 65536, 16},
		{zstdMatches, 0, 3, 0}, {zstdMatches, 31, 34, 0}, {zstdMatches, 32, 35, 1}, {zstdMatches, 41, 83, 4}, {zstdMatches, 42, 99, 5}, {zstdMatches, 43, 131, 7}, {zstdMatches, 52, 65539, 16},
		{zstdOffsets, 2, 1, 2}, {zstdOffsets, 3, 5, 3}, {zstdOffsets, 30, 1<<30 - 3, 30},
	} {
		if got, want := c.codes.values[c.code], c.value<<32|c.bits; got != want {
			t.Errorf("code %d is %x, want %x", c.code, got, want)
		}
	}
	if a, b, c := len(zstdRuns.values), len(zstdMatches.values), len(zstdOffsets.values); a != 36 || b != 53 || c != 31 {
		t.Errorf("%d, %d and %d codes", a, b, c)
	}
}

// TestZstdTables reads descriptions of random probabilities; each table must have
// as many states of each code, and lead from any state to any other.
func TestZstdTables(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		codes := []*zstdCodes{zstdRuns, zstdMatches, zstdOffsets}[r.IntN(3)]
		log := 5 + uint(r.IntN(int(codes.accuracy)-4))
		probabilities := zstdProbabilities(r, log, len(codes.values))
		src := zstdDescription(log, probabilities)
		var table zstdTable
		n, err := table.read(append(src, 0xFF, 0xFF), codes)
		if err != nil || n != len(src) || table.log != log {
			t.Fatalf("%v at 1<<%d: read %d of %d bytes, 1<<%d: %v", probabilities, log, n, len(src), table.log, err)
		}
		if _, err := table.read(src[:len(src)-1], codes); err == nil {
			t.Fatalf("%v: read from less", probabilities)
		}
		states, reached := make(map[uint64]int), make(map[uint64]int)
		for _, e := range table.entries[:1<<log] {
			value := e &^ 0xFFFFFF00
			states[value]++
			reached[value] += 1 << (e >> 8 & 255)
			if e>>16&0xFFFF+1<<(e>>8&255) > 1<<log {
				t.Fatalf("%v: entry %x leads out of the table", probabilities, e)
			}
		}
		for s, p := range probabilities {
			value := codes.values[s]
			if states[value] != max(int(p), -int(p)) || p != 0 && reached[value] != 1<<log {
				t.Fatalf("%v: %d states of code %d, which lead to %d", probabilities, states[value], s, reached[value])
			}
		}
	}
}

// zstdProbabilities are random ones that add up to 1<<log.
func zstdProbabilities(r *rand.Rand, log uint, codes int) (p []int16) {
	left := 1 << log
	for left > 0 {
		if len(p) == codes-1 {
			return append(p, int16(left))
		}
		n := 0
		switch r.IntN(4) {
		case 0:
			n = -1
		case 1:
			n = 1 + r.IntN(min(left, 10))
		case 2:
			n = 1 + r.IntN(left)
		}
		p = append(p, int16(n))
		left -= max(n, -n)
	}
	return p
}

// zstdDescription writes what read reads.
func zstdDescription(log uint, probabilities []int16) []byte {
	var out zstdBits
	out.put(uint64(log-5), 4)
	left := 1 << log
	for i := 0; i < len(probabilities); i++ {
		p := int(probabilities[i])
		most := left + 1
		width := uint(0)
		for 1<<width <= most {
			width++
		}
		few := 1<<width - 1 - most
		switch v := p + 1; {
		case v < few:
			out.put(uint64(v), width-1)
		case v < 1<<(width-1):
			out.put(uint64(v), width)
		default:
			out.put(uint64(v+few), width)
		}
		left -= max(p, -p)
		if p != 0 {
			continue
		}
		zeros := 0
		for i+1+zeros < len(probabilities) && probabilities[i+1+zeros] == 0 {
			zeros++
		}
		i += zeros
		for ; zeros >= 3; zeros -= 3 {
			out.put(3, 2)
		}
		out.put(uint64(zeros), 2)
	}
	return out.bytes()
}

// zstdBits are written from the lowest on.
type zstdBits struct {
	whole []byte
	bits  uint64
	count uint
}

func (b *zstdBits) put(v uint64, n uint) {
	b.bits |= v << b.count
	for b.count += n; b.count >= 8; b.count -= 8 {
		b.whole = append(b.whole, byte(b.bits))
		b.bits >>= 8
	}
}

func (b *zstdBits) bytes() []byte {
	if b.count > 0 {
		return append(b.whole, byte(b.bits))
	}
	return b.whole
}

func TestZstdPeek(t *testing.T) {
	src := []byte{1, 2, 3, 4, 5}
	for at := range uint(60) {
		whole := binary.LittleEndian.Uint64(append(src[:5:5], 0, 0, 0))
		if got, want := zstdPeek(src, at)&(1<<25-1), uint32(whole>>at)&(1<<25-1); got != want {
			t.Errorf("bit %d: %x, want %x", at, got, want)
		}
	}
}
