package encoding

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
)

// The encoders here are written from the specification in the simplest way and
// share no code with the decoders.

// packBits packs values of w bits from the least significant bit up.
func packBits(values []uint64, w int) []byte {
	out := make([]byte, (len(values)*w+7)/8)
	for i, v := range values {
		for b := range w {
			bit := i*w + b
			out[bit/8] |= byte(v>>b&1) << (bit % 8)
		}
	}
	return out
}

// packBitsMSB packs as the deprecated BIT_PACKED does.
func packBitsMSB(values []uint8, w int) []byte {
	out := make([]byte, (len(values)*w+7)/8)
	for i, v := range values {
		for b := range w {
			bit := i*w + b
			out[bit/8] |= v >> (w - 1 - b) & 1 << (7 - bit%8)
		}
	}
	return out
}

// encodeHybrid writes runs of random kinds and lengths, some of them empty.
func encodeHybrid(r *rand.Rand, values []uint64, w int) []byte {
	var out []byte
	for i := 0; i < len(values); {
		switch r.IntN(8) {
		case 0:
			out = binary.AppendUvarint(out, 1) // no groups
		case 1:
			out = binary.AppendUvarint(out, 0) // no repetitions, so the value that follows is not used
			out = append(out, make([]byte, (w+7)/8)...)
		}
		same := 1
		for i+same < len(values) && values[i+same] == values[i] {
			same++
		}
		if same >= 8 || r.IntN(4) == 0 {
			same = 1 + r.IntN(same)
			out = binary.AppendUvarint(out, uint64(same)<<1)
			for b := 0; b < w; b += 8 {
				out = append(out, byte(values[i]>>b))
			}
			i += same
			continue
		}
		groups := 1 + r.IntN(12)
		if r.IntN(6) == 0 {
			groups = 1 + r.IntN(1000)
		}
		groups = min(groups, (len(values)-i+7)/8)
		run := values[i:min(len(values), i+8*groups)]
		padded := append([]uint64(nil), run...)
		for len(padded) < 8*groups {
			padded = append(padded, r.Uint64()>>1&(1<<w-1)) // padding may have any content
		}
		out = binary.AppendUvarint(out, uint64(groups)<<1|1)
		out = append(out, packBits(padded, w)...)
		i += len(run)
	}
	return out
}

// encodeDelta writes DELTA_BINARY_PACKED; size is the type's number of bits. With
// cut, the last miniblock has no padding.
func encodeDelta(r *rand.Rand, values []int64, size, block, miniblocks int, cut bool) []byte {
	wrap := func(v int64) int64 { return v << (64 - size) >> (64 - size) }
	out := binary.AppendUvarint(nil, uint64(block))
	out = binary.AppendUvarint(out, uint64(miniblocks))
	out = binary.AppendUvarint(out, uint64(len(values)))
	if len(values) == 0 {
		return binary.AppendVarint(out, 0)
	}
	out = binary.AppendVarint(out, values[0])
	var deltas []int64
	for i := 1; i < len(values); i++ {
		deltas = append(deltas, wrap(values[i]-values[i-1]))
	}
	mini := block / miniblocks
	for len(deltas) > 0 {
		n := min(block, len(deltas))
		least := deltas[0]
		for _, d := range deltas[:n] {
			least = min(least, d)
		}
		out = binary.AppendVarint(out, least)
		widths := len(out)
		for range miniblocks {
			out = append(out, byte(r.Uint32())) // the width of an unused miniblock may be anything
		}
		for m := 0; m*mini < n; m++ {
			part := deltas[m*mini : min(n, (m+1)*mini)]
			offsets, w := make([]uint64, mini), 0
			for i, d := range part {
				offsets[i] = uint64(wrap(d-least)) << (64 - size) >> (64 - size)
				w = max(w, bits.Len64(offsets[i]))
			}
			if r.IntN(10) == 0 {
				w += r.IntN(size - w + 1) // wider than needed is allowed
			}
			out[widths+m] = byte(w)
			if cut && n == len(deltas) && (m+1)*mini >= n {
				offsets = offsets[:len(part)]
			}
			out = append(out, packBits(offsets, w)...)
		}
		deltas = deltas[n:]
	}
	return out
}

func lengthsOf(values []string) []int64 {
	var out []int64
	for _, v := range values {
		out = append(out, int64(len(v)))
	}
	return out
}

func encodeDeltaLength(r *rand.Rand, values []string) []byte {
	out := encodeDelta(r, lengthsOf(values), 32, 128, 4, false)
	for _, v := range values {
		out = append(out, v...)
	}
	return out
}

// encodeDeltaByteArray sometimes uses a shorter prefix than possible.
func encodeDeltaByteArray(r *rand.Rand, values []string) []byte {
	var prefixes []int64
	var suffixes []string
	prev := ""
	for _, v := range values {
		p := 0
		for p < len(prev) && p < len(v) && prev[p] == v[p] {
			p++
		}
		if r.IntN(8) == 0 {
			p = r.IntN(p + 1)
		}
		prefixes = append(prefixes, int64(p))
		suffixes = append(suffixes, v[p:])
		prev = v
	}
	return append(encodeDelta(r, prefixes, 32, 128, 4, false), encodeDeltaLength(r, suffixes)...)
}

// encodeSplit is BYTE_STREAM_SPLIT of values that already are bytes.
func encodeSplit(values []string, size int) []byte {
	var out []byte
	for b := range size {
		for _, v := range values {
			out = append(out, v[b])
		}
	}
	return out
}

func encodePlainBytes(values []string) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(v)))
		out = append(out, v...)
	}
	return out
}

// encodeALPDouble and encodeALPFloat use one exponent and factor for all vectors
// and store every value that these do not reproduce exactly as an exception.
func encodeALPDouble(values []float64, e, f, log int) []byte {
	ints := make([]int64, len(values))
	exceptions := make([]bool, len(values))
	for i, v := range values {
		scaled := math.RoundToEven(v * decimalDouble(e) * decimalDouble(-f))
		if math.Abs(scaled) < 1<<62 {
			ints[i] = int64(scaled)
		}
		back := float64(ints[i]) * decimalDouble(f)
		back *= decimalDouble(-e)
		exceptions[i] = math.Float64bits(back) != math.Float64bits(v)
	}
	return encodeALP(ints, exceptions, 8, e, f, log, func(out []byte, i int) []byte {
		return binary.LittleEndian.AppendUint64(out, math.Float64bits(values[i]))
	})
}

func encodeALPFloat(values []float32, e, f, log int) []byte {
	ints := make([]int64, len(values))
	exceptions := make([]bool, len(values))
	for i, v := range values {
		scaled := math.RoundToEven(float64(v * decimalFloat(e) * decimalFloat(-f)))
		if math.Abs(scaled) < 1<<30 {
			ints[i] = int64(scaled)
		}
		back := float32(ints[i]) * decimalFloat(f)
		back *= decimalFloat(-e)
		exceptions[i] = math.Float32bits(back) != math.Float32bits(v)
	}
	return encodeALP(ints, exceptions, 4, e, f, log, func(out []byte, i int) []byte {
		return binary.LittleEndian.AppendUint32(out, math.Float32bits(values[i]))
	})
}

func encodeALP(ints []int64, exceptions []bool, size, e, f, log int, appendValue func([]byte, int) []byte) []byte {
	out := []byte{0, 0, byte(log)}
	out = binary.LittleEndian.AppendUint32(out, uint32(len(ints)))
	var vectors []byte
	count := (len(ints) + 1<<log - 1) >> log
	for from := 0; from < len(ints); from += 1 << log {
		out = binary.LittleEndian.AppendUint32(out, uint32(4*count+len(vectors)))
		to := min(len(ints), from+1<<log)
		placeholder := int64(0)
		for i := to - 1; i >= from; i-- {
			if !exceptions[i] {
				placeholder = ints[i]
			}
		}
		var positions, values []byte
		for i := from; i < to; i++ {
			if exceptions[i] {
				ints[i] = placeholder
				positions = binary.LittleEndian.AppendUint16(positions, uint16(i-from))
				values = appendValue(values, i)
			}
		}
		least, most := ints[from], ints[from]
		for _, v := range ints[from:to] {
			least, most = min(least, v), max(most, v)
		}
		w := bits.Len64(uint64(most - least))
		deltas := make([]uint64, 0, to-from)
		for _, v := range ints[from:to] {
			deltas = append(deltas, uint64(v-least))
		}
		vectors = append(vectors, byte(e), byte(f))
		vectors = binary.LittleEndian.AppendUint16(vectors, uint16(len(positions)/2))
		vectors = append(vectors, binary.LittleEndian.AppendUint64(nil, uint64(least))[:size]...)
		vectors = append(vectors, byte(w))
		vectors = append(vectors, packBits(deltas, w)...)
		vectors = append(append(vectors, positions...), values...)
	}
	return append(out, vectors...)
}
