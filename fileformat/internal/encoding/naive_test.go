package encoding

import (
	"encoding/binary"
	"math"
)

// The decoders here are the reference of the fuzz targets: they read one bit at a
// time and compute everything in 64 bits. Each returns up to n values, up to the end
// of the bytes or the first error.

func naiveBits(data []byte, bit, w int) uint64 {
	v := uint64(0)
	for b := range w {
		v |= uint64(data[(bit+b)/8]>>((bit+b)%8)&1) << b
	}
	return v
}

func naiveHybrid(data []byte, w, n int) (out []uint64) {
	for len(out) < n {
		header, size := binary.Uvarint(data)
		if size <= 0 || header > math.MaxUint32 {
			return out
		}
		data = data[size:]
		count := int(header >> 1)
		if header&1 == 0 {
			size := (w + 7) / 8
			if len(data) < size {
				return out
			}
			v := naiveBits(data, 0, 8*size)
			if v >= 1<<w {
				return out
			}
			for i := 0; i < count && len(out) < n; i++ {
				out = append(out, v)
			}
			data = data[size:]
			continue
		}
		for i := 0; i < 8*count && len(out) < n; i++ {
			if (i+1)*w > 8*len(data) {
				return out
			}
			out = append(out, naiveBits(data, i*w, w))
		}
		data = data[min(count*w, len(data)):]
	}
	return out
}

// naiveDelta also returns whether these are all values of the sequence, and the bytes
// that follow it; rest is nil if the padding of the last miniblock is cut off.
func naiveDelta(data []byte, size, n int) (out []int64, rest []byte, all bool) {
	ok := true
	number := func() uint64 {
		v, k := binary.Uvarint(data)
		if k <= 0 {
			ok = false
			return 0
		}
		data = data[k:]
		return v
	}
	signed := func() int64 {
		v := number()
		return int64(v>>1) ^ -int64(v&1)
	}
	wrap := func(v int64) int64 { return v << (64 - size) >> (64 - size) }
	block, miniblocks, total := number(), number(), number()
	if !ok || max(block, miniblocks, total) > math.MaxInt32 || total > uint64(n) {
		return nil, nil, false
	}
	if total == 0 {
		return nil, data, true
	}
	if miniblocks == 0 || block == 0 || block%(8*miniblocks) != 0 {
		return nil, nil, false
	}
	last := wrap(signed())
	if !ok {
		return nil, nil, false
	}
	out = append(out, last)
	mini := int(block / miniblocks)
	for len(out) < int(total) {
		least := signed()
		if !ok || len(data) < int(miniblocks) {
			return out, nil, false
		}
		widths := data[:miniblocks]
		data = data[miniblocks:]
		for m := 0; m < len(widths) && len(out) < int(total); m++ {
			w := int(widths[m])
			if w > map[int]int{32: 34, 64: 64}[size] {
				return out, nil, false
			}
			for i := 0; i < mini && len(out) < int(total); i++ {
				if (i+1)*w > 8*len(data) {
					return out, nil, false
				}
				last = wrap(last + least + int64(naiveBits(data, i*w, w)))
				out = append(out, last)
			}
			if mini/8*w > len(data) {
				return out, nil, len(out) == int(total)
			}
			data = data[mini/8*w:]
		}
	}
	return out, data, true
}

// naiveDeltaLength returns all values of the page, or false.
func naiveDeltaLength(data []byte, n int) (out []string, ok bool) {
	lengths, text, all := naiveDelta(data, 32, n)
	if !all || text == nil {
		return nil, false
	}
	for _, size := range lengths {
		if size < 0 || size > int64(len(text)) {
			return nil, false
		}
		out = append(out, string(text[:size]))
		text = text[size:]
	}
	return out, true
}

func naiveDeltaByteArray(data []byte, n int) (out []string, ok bool) {
	prefixes, rest, all := naiveDelta(data, 32, n)
	if !all || rest == nil {
		return nil, false
	}
	if len(prefixes) == 0 {
		return nil, true
	}
	suffixes, ok := naiveDeltaLength(rest, n)
	if !ok || len(suffixes) < len(prefixes) {
		return nil, false
	}
	prev := ""
	for i, p := range prefixes {
		if p < 0 || p > int64(len(prev)) {
			return nil, false
		}
		prev = prev[:p] + suffixes[i]
		out = append(out, prev)
	}
	return out, true
}

// naiveALP returns the bits of the values, or false.
func naiveALP(data []byte, size, n int) (out []uint64, ok bool) {
	word := func(at int) uint64 { return naiveBits(data, 8*at, 8*size) }
	if len(data) < 7 || data[0] != 0 || data[1] != 0 || data[2] < 3 || data[2] > 15 {
		return nil, false
	}
	total, vector := int(naiveBits(data, 24, 32)), 1<<data[2]
	data = data[7:]
	vectors := (total + vector - 1) / vector
	if total > n || 4*vectors > len(data) {
		return nil, false
	}
	for v := range vectors {
		at := int(naiveBits(data, 32*v, 32))
		if v == 0 && at != 4*vectors || at < 4*vectors || at+5+size > len(data) {
			return nil, false
		}
		e, f, exceptions := int(data[at]), int(data[at+1]), int(naiveBits(data, 8*at+16, 16))
		least, w := word(at+4), int(data[at+4+size])
		if e > map[int]int{4: 10, 8: 18}[size] || f > e || w > 8*size {
			return nil, false
		}
		count := min(vector, total-v*vector)
		packed := at + 5 + size
		positions := packed + (count*w+7)/8
		values := positions + 2*exceptions
		end, next := values+size*exceptions, len(data)
		if v+1 < vectors {
			next = int(naiveBits(data, 32*v+32, 32))
		}
		if end != next || end > len(data) {
			return nil, false
		}
		for i := range count {
			x := least + naiveBits(data, 8*packed+i*w, w)
			if size == 4 {
				y := float32(int32(x)) * decimalFloat(f)
				y *= decimalFloat(-e)
				out = append(out, uint64(math.Float32bits(y)))
			} else {
				y := float64(int64(x)) * decimalDouble(f)
				y *= decimalDouble(-e)
				out = append(out, math.Float64bits(y))
			}
		}
		for i := range exceptions {
			p := int(naiveBits(data, 8*positions+16*i, 16))
			if p >= count {
				return nil, false
			}
			out[v*vector+p] = word(values + i*size)
		}
	}
	return out, true
}
