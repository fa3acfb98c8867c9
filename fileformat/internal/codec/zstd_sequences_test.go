package codec

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// zstdSequence is a literal length, a match length and an offset's value.
type zstdSequence struct{ run, match, offset uint64 }

// zstdFrame is a frame of blocks without a length and without a checksum.
func zstdFrame(window byte, blocks ...[]byte) []byte {
	out := append(binary.LittleEndian.AppendUint32(nil, zstdMagic), 0, window)
	for i, b := range blocks {
		header := uint32(len(b))<<3 | zstdCompressed<<1
		if i == len(blocks)-1 {
			header |= 1
		}
		out = append(append(out, byte(header), byte(header>>8), byte(header>>16)), b...)
	}
	return out
}

// zstdCode is the code for a value.
func zstdCode(codes *zstdCodes, value uint64) int {
	return slices.IndexFunc(codes.values, func(c uint64) bool { return c>>32 <= value && value < c>>32+1<<(c&255) })
}

// zstdDescribe makes tables that have all codes of the sequences, and describes
// them.
func zstdDescribe(r *rand.Rand, sequences []zstdSequence) (tables [3]*zstdTable, description []byte) {
	for k, codes := range []*zstdCodes{zstdRuns, zstdOffsets, zstdMatches} {
		var used []int
		for _, s := range sequences {
			if c := zstdCode(codes, [3]uint64{s.run, s.offset, s.match}[k]); !slices.Contains(used, c) {
				used = append(used, c)
			}
		}
		log := uint(max(6, 5+r.IntN(int(codes.accuracy)-4)))
		probabilities, left := make([]int16, slices.Max(used)+1), 1<<log
		for _, c := range used {
			probabilities[c] = 1
			left--
		}
		for left > 0 {
			n := 1 + r.IntN(left)
			probabilities[used[r.IntN(len(used))]] += int16(n)
			left -= n
		}
		for c, p := range probabilities {
			if p == 1 && r.IntN(2) == 0 {
				probabilities[c] = -1
			}
		}
		tables[k] = new(zstdTable)
		tables[k].build(log, probabilities, codes.values)
		description = append(description, zstdDescription(log, probabilities)...)
	}
	return tables, description
}

// zstdEncode is a block of these literals, stored, and sequences in these tables,
// of which the block describes those that have a description.
func zstdEncode(literals []byte, sequences []zstdSequence, tables [3]*zstdTable, modes byte, descriptions []byte) []byte {
	n := len(literals)
	out := append([]byte{byte(n<<4 | 3<<2), byte(n >> 4), byte(n >> 12)}, literals...)
	switch n = len(sequences); {
	case n == 0:
		return append(out, 0)
	case n < 128:
		out = append(out, byte(n))
	case n < 0x7F00:
		out = append(out, byte(n>>8+128), byte(n))
	default:
		n -= 0x7F00
		out = append(out, 255, byte(n), byte(n>>8))
	}
	out = append(append(out, modes), descriptions...)

	// The bits are read from the end, so the last sequence comes first. A state is
	// one of those of its code from which the state after it can be reached.
	var bits zstdBits
	var states [3]uint64
	for i := len(sequences) - 1; i >= 0; i-- {
		s := sequences[i]
		values := [3]uint64{s.run, s.offset, s.match}
		var codes, next [3]uint64
		for k, codesOf := range []*zstdCodes{zstdRuns, zstdOffsets, zstdMatches} {
			codes[k] = codesOf.values[zstdCode(codesOf, values[k])]
			for at, e := range tables[k].entries[:1<<tables[k].log] {
				low, width := e>>16&0xFFFF, e>>8&255
				if e&^0xFFFFFF00 == codes[k] && (i == len(sequences)-1 || low <= states[k] && states[k] < low+1<<width) {
					next[k] = uint64(at)
				}
			}
		}
		if i < len(sequences)-1 {
			for _, k := range [3]int{1, 2, 0} {
				e := tables[k].entries[next[k]]
				bits.put(states[k]-e>>16&0xFFFF, uint(e>>8&255))
			}
		}
		for _, k := range [3]int{0, 2, 1} {
			bits.put(values[k]-codes[k]>>32, uint(codes[k]&255))
		}
		states = next
	}
	for _, k := range [3]int{2, 1, 0} {
		bits.put(states[k], tables[k].log)
	}
	bits.put(1, 1)
	return append(out, bits.bytes()...)
}

// zstdRandom is a frame of blocks with sequences of every form, also of those that
// no encoder writes. Most are valid.
func zstdRandom(r *rand.Rand) []byte {
	var blocks [][]byte
	size := 0
	d := zstdDecoder{recent: [3]uint{1, 4, 8}}
	var tables [3]*zstdTable
	again := false
	for range 1 + r.IntN(4) {
		var literals []byte
		var sequences []zstdSequence
		start := size
		for range []int{3, 50, 3000}[r.IntN(3)] {
			var s zstdSequence
			switch r.IntN(12) {
			case 0, 1, 2, 3:
			case 4:
				s.run = uint64(r.IntN(400))
			case 5:
				s.run = uint64(r.IntN(1 << r.IntN(17)))
			default:
				s.run = uint64(r.IntN(20))
			}
			if size == 0 {
				s.run = max(s.run, 8)
			}
			switch r.IntN(8) {
			case 0:
				s.match = 3 + uint64(r.IntN(400))
			case 1:
				s.match = 3 + uint64(r.IntN(1<<r.IntN(18)))
			default:
				s.match = 3 + uint64(r.IntN(20))
			}
			if size+int(s.run+s.match)-start > zstdMaxBlock {
				continue
			}
			size += int(s.run)
			s.offset = 1 + uint64(r.IntN([]int{min(size, 24), size}[r.IntN(2)]))
			if r.IntN(3) == 0 {
				s.offset = zstdRecent + uint64(r.IntN(3))
			}
			before := d.recent
			if distance := d.recall(uint(s.offset), s.run == 0); r.IntN(1000) > 0 && (distance == 0 || distance > uint(size)) {
				d.recent, s.offset = before, 1
				d.recall(1, false)
			}
			for range s.run {
				literals = append(literals, byte(r.Uint32()))
			}
			size += int(s.match)
			sequences = append(sequences, s)
		}
		for range min(r.IntN(30), zstdMaxBlock-(size-start)) {
			literals = append(literals, byte(r.Uint32()))
			size++
		}
		modes, description := byte(0), []byte(nil)
		switch {
		case len(sequences) > 0 && r.IntN(2) == 0:
			tables, description = zstdDescribe(r, sequences)
			modes, again = 0xA8, false
		case again:
			modes = 0xFC
		default:
			tables = [3]*zstdTable{&zstdRuns.predefined, &zstdOffsets.predefined, &zstdMatches.predefined}
			again = true
		}
		blocks = append(blocks, zstdEncode(literals, sequences, tables, modes, description))
	}
	return zstdFrame(byte((3+r.IntN(15))<<3|r.IntN(8)), blocks...)
}

func TestZstdSequences(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	valid := 0
	for range 200 {
		src := zstdRandom(r)
		checkZstd(t, src)
		if _, err := zstdAnyLength(src, !zstdAssembly); err == nil {
			valid++
		}
		checkZstd(t, src[:r.IntN(len(src))])
		src[r.IntN(len(src))] ^= 1 << r.IntN(8)
		checkZstd(t, src)
	}
	if valid < 100 {
		t.Errorf("%d of 200 are valid", valid)
	}
}

// TestZstdCounts has all forms of the number of sequences.
func TestZstdCounts(t *testing.T) {
	tables := [3]*zstdTable{&zstdRuns.predefined, &zstdOffsets.predefined, &zstdMatches.predefined}
	for _, n := range []int{0, 1, 127, 128, 129, 0x7EFF, 0x7F00, 0x7F00 + 300} {
		sequences := make([]zstdSequence, n)
		for i := range sequences {
			sequences[i] = zstdSequence{0, 3, uint64(1 + i%3)}
		}
		if n > 0 {
			sequences[0].run = 9
		}
		src := zstdFrame(10<<3, zstdEncode([]byte("some literals"), sequences, tables, 0, nil))
		checkZstd(t, src)
		if _, err := Decompress(Zstd, nil, src, 13+3*n); err != nil {
			t.Errorf("%d sequences: %v", n, err)
		}
	}
}

// TestZstdModes has tables of one code each, tables that the block describes, and
// what says neither.
func TestZstdModes(t *testing.T) {
	var run, offset, match zstdTable
	run.same(zstdRuns.values[17])
	offset.same(zstdOffsets.values[3])
	match.same(zstdMatches.values[40])
	rle := [3]*zstdTable{&run, &offset, &match}
	var sequences []zstdSequence
	for i := range uint64(60) {
		sequences = append(sequences, zstdSequence{18 + i%2, 67 + i%16, 5 + i%8})
	}
	literals := make([]byte, 1300)
	for i := range literals {
		literals[i] = byte(i * i)
	}
	block := zstdEncode(literals, sequences, rle, 0x54, []byte{17, 3, 40})
	again := zstdEncode(literals, sequences, rle, 0xFC, nil)
	checkZstd(t, zstdFrame(10<<3, block, again))
	if _, err := zstdAnyLength(zstdFrame(10<<3, block, again), !zstdAssembly); err != nil {
		t.Error(err)
	}
	for name, src := range map[string][]byte{
		"repeats nothing":     zstdFrame(10<<3, again),
		"reserved bit":        zstdFrame(10<<3, zstdEncode(literals, sequences, rle, 0x55, []byte{17, 3, 40})),
		"no such length":      zstdFrame(10<<3, zstdEncode(literals, sequences, rle, 0x54, []byte{36, 3, 40})),
		"no such offset":      zstdFrame(10<<3, zstdEncode(literals, sequences, rle, 0x54, []byte{17, 31, 40})),
		"no bits":             zstdFrame(10<<3, block[:len(block)-1]),
		"one table":           zstdFrame(10<<3, block[:1300+3+2+1]),
		"no modes":            zstdFrame(10<<3, block[:1300+3+1]),
		"no count":            zstdFrame(10<<3, block[:1300+3]),
		"table of 512 states": zstdFrame(10<<3, zstdEncode(literals, sequences, rle, 0x64, []byte{17, 0x05, 0, 0, 0, 0, 40})),
		"bits behind nothing": zstdFrame(10<<3, append(zstdEncode(literals, nil, rle, 0, nil), 1)),
	} {
		checkZstd(t, src)
		if _, err := zstdAnyLength(src, !zstdAssembly); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestZstdFirstBits has bits as near to the start of a page as can be, and many
// sequences in few of them.
func TestZstdFirstBits(t *testing.T) {
	var run, offset, match zstdTable
	run.same(zstdRuns.values[0])
	offset.same(zstdOffsets.values[0])
	match.same(zstdMatches.values[0])
	rle := [3]*zstdTable{&run, &offset, &match}
	predefined := [3]*zstdTable{&zstdRuns.predefined, &zstdOffsets.predefined, &zstdMatches.predefined}
	for n := 1; n < 100; n++ {
		sequences := make([]zstdSequence, n)
		for i := range sequences {
			sequences[i] = zstdSequence{0, 3, zstdRecent}
		}
		repeated := zstdEncode(nil, sequences, rle, 0x54, []byte{0, 0, 0})
		sequences[0].run = 20
		block := append([]byte{20<<3 | zstdLiteralsRLE, 'x'}, zstdEncode(nil, sequences, predefined, 0, nil)[3:]...)
		src := zstdFrame(10<<3, block, repeated)
		checkZstd(t, src)
		checkZstd(t, zstdFrame(10<<3, block))
		if _, err := zstdAnyLength(src, !zstdAssembly); err != nil {
			t.Errorf("%d sequences: %v", n, err)
		}
		for cut := range block {
			checkZstd(t, zstdFrame(10<<3, block[:cut]))
		}
	}
}

// TestZstdLimits has tables at the limits of what may be described.
func TestZstdLimits(t *testing.T) {
	sequences := []zstdSequence{{20, 3, zstdRecent}, {1, 3, zstdRecent}}
	for _, c := range []struct {
		name    string
		log     uint
		offsets []int16
		valid   bool
	}{
		{"one code", 5, []int16{32}, true},
		{"one code behind none", 5, []int16{16, 0, 0, 0, 0, 0, 0, 16}, true},
		{"256 states", 8, []int16{255, 1}, true},
		{"512 states", 9, []int16{511, 1}, false},
		{"the last code", 5, append(append([]int16{16}, make([]int16, 29)...), 16), true},
		{"no such code", 5, append(append([]int16{16}, make([]int16, 30)...), 16), false},
	} {
		var table zstdTable
		table.build(c.log, c.offsets, append(slices.Clone(zstdOffsets.values), 0))
		tables := [3]*zstdTable{&zstdRuns.predefined, &table, &zstdMatches.predefined}
		src := zstdFrame(10<<3, zstdEncode(make([]byte, 30), sequences, tables, 0x20, zstdDescription(c.log, c.offsets)))
		checkZstd(t, src)
		if _, err := zstdAnyLength(src, !zstdAssembly); (err == nil) != c.valid {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
