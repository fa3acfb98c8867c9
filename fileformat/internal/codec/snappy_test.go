package codec

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
)

// TestSnappyOffset0 has a copy with the distance 0 at both ends of a block and in the
// middle. It is an error in Snappy but a repeat in S2: a decoder that accepts S2 would
// return wrong rows for damaged pages.
func TestSnappyOffset0(t *testing.T) {
	for _, literals := range []int{1, 60, 500} {
		text := bytes.Repeat([]byte("abcdefghi"), 60)[:literals]
		whole := snappy.Encode(nil, text)
		_, length := binary.Uvarint(whole)
		for _, after := range []int{0, 50} {
			src := binary.AppendUvarint(nil, uint64(literals+5+4*after))
			src = append(append(src, whole[length:]...), 1<<2|1, 0)
			for range after {
				src = append(src, 1, 1)
			}
			if _, err := Decompress(fileformat.Snappy, nil, src, literals+5+4*after, nil); err == nil {
				t.Errorf("%d literals, %d copies after: no error", literals, after)
			}
			src[len(src)-2*after-1] = 1
			if _, err := Decompress(fileformat.Snappy, nil, src, literals+5+4*after, nil); err != nil {
				t.Errorf("%d literals, %d copies after: with distance 1: %v", literals, after, err)
			}
		}
	}
}

// TestSnappyOffset0Late has such a copy behind many with the offset 8 that no short literals are between:
// the assembly then has no way of its own for that offset any more.
func TestSnappyOffset0Late(t *testing.T) {
	for _, offset := range []byte{8, 0} {
		var body []byte
		size := 0
		add := func(element ...byte) { body, size = append(body, element...), size+16 }
		literal := append([]byte{15 << 2}, "abcdefghijklmnop"...)
		add(literal...)
		for range 40 {
			add(literal...)
			add(15<<2|2, 8, 0)
		}
		add(15<<2|2, offset, 0)
		for range 20 {
			add(literal...)
		}
		src := append(binary.AppendUvarint(nil, uint64(size)), body...)
		if _, err := Decompress(fileformat.Snappy, nil, src, size, nil); (err == nil) != (offset > 0) {
			t.Errorf("offset %d: %v", offset, err)
		}
		checkSnappy(t, src, size)
	}
}

// TestSnappyNothing: elements of a block that states no bytes are an error.
func TestSnappyNothing(t *testing.T) {
	for _, n := range []int{1, 10, 100} {
		src := append([]byte{0}, bytes.Repeat([]byte{4 << 2, 1, 2, 3, 4, 5}, n)...)
		if _, err := decompressSnappy(nil, src, 0, &looks{}); err == nil {
			t.Errorf("%d elements: no error", n)
		}
	}
}

// snappyBlock is a random block: literals of all lengths, copies of all kinds, offsets
// far, near and below 8, and now and then those of sorted numbers: short literals and copies
// from 8 bytes before. Where wild, some elements are not valid.
func snappyBlock(r *rand.Rand, wild bool) (src []byte, size int) {
	var body []byte
	sorted := 0
	for range r.IntN(400) {
		if r.IntN(50) == 0 {
			sorted = 10 + r.IntN(200)
		}
		if sorted > 0 && size >= 8 && r.IntN(20) > 0 {
			sorted--
			n := 1 + r.IntN(5+12*r.IntN(2))
			body = append(body, byte(n-1)<<2)
			for range n {
				body = append(body, byte(r.Uint32()))
			}
			c, offset := 1+r.IntN(64), byte(8)
			if r.IntN(8) == 0 {
				offset = byte(1 + r.IntN(8)) // there are 8 bytes
			}
			if wild && r.IntN(60) == 0 {
				offset = 0
			}
			if c >= 4 && c < 12 && r.IntN(2) == 0 {
				body = append(body, byte(c-4)<<2|1, offset)
			} else {
				body = append(body, byte(c-1)<<2|2, offset, 0)
			}
			size += n + c
			continue
		}
		switch kind := r.IntN(8); {
		case kind < 3 || size == 0:
			n := 1 + r.IntN(20)
			switch r.IntN(300) {
			case 0:
				n = 1 + r.IntN(70_000)
			case 1, 2, 3, 4, 5, 6, 7, 8, 9:
				n = 1 + r.IntN(300)
			}
			if n <= 60 {
				body = append(body, byte(n-1)<<2)
			} else {
				bytes := 1 + (bits.Len(uint(n-1))-1)/8
				bytes += r.IntN(5 - bytes)
				body = append(body, byte(59+bytes)<<2)
				body = append(body, binary.LittleEndian.AppendUint32(nil, uint32(n-1))[:bytes]...)
			}
			for range n {
				body = append(body, byte('a'+r.IntN(26)))
			}
			size += n
		default:
			n, offset := 1+r.IntN(64), 1+r.IntN(min(size, 1<<(1+r.IntN(16))))
			if wild && r.IntN(100) == 0 {
				offset = r.IntN(1 << 16)
			}
			switch {
			case kind < 5 && offset < 1<<11:
				n = 4 + r.IntN(8)
				body = append(body, byte(offset>>8)<<5|byte(n-4)<<2|1, byte(offset))
			case kind < 7 && offset < 1<<16:
				body = append(body, byte(n-1)<<2|2, byte(offset), byte(offset>>8))
			default:
				body = binary.LittleEndian.AppendUint32(append(body, byte(n-1)<<2|3), uint32(offset))
			}
			size += n
		}
	}
	if wild {
		size += r.IntN(3) - 1
		body = body[:len(body)-r.IntN(min(len(body), 3)+1)]
	}
	size = max(size, 0)
	return append(binary.AppendUvarint(nil, uint64(size)), body...), size
}

// checkSnappy compares with the decoder of github.com/golang/snappy.
func checkSnappy(t *testing.T, src []byte, size int) {
	t.Helper()
	const guard = 32
	buffer := bytes.Repeat([]byte{0xEE}, size+guard)
	want, wantErr := snappy.Decode(nil, src)
	for name, decode := range map[string]func(dst, src []byte) ([]byte, error){
		"whole":      func(dst, src []byte) ([]byte, error) { return decompressSnappy(dst, src, size, &looks{}) },
		"twin":       decodeTwin,
		"by element": func(dst, src []byte) ([]byte, error) { return decodeLoop(dst, src, snappyByElement) },
		"by unit":    func(dst, src []byte) ([]byte, error) { return decodeLoop(dst, src, snappyByUnit) },
	} {
		got, err := decode(buffer[:size], src)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s: %v, want %v: %x", name, err, wantErr, src)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%s: %x is %x, want %x", name, src, got, want)
		}
		if !bytes.Equal(buffer[size:], bytes.Repeat([]byte{0xEE}, guard)) {
			t.Fatalf("%s: %x: bytes behind the output are written", name, src)
		}
	}
}

// decodeTwin is decompressSnappy without assembly.
func decodeTwin(dst, src []byte) ([]byte, error) { return decodeLoop(dst, src, snappyUnknown) }

// decodeLoop is decompressSnappy with one loop of the assembly, or without assembly if it is
// unknown.
func decodeLoop(dst, src []byte, loop snappyLoop) ([]byte, error) {
	from, err := snappyHead(src, len(dst))
	if err != nil {
		return nil, err
	}
	s := snappyDecoder{src: src, dst: dst, in: from, stop: len(dst), loop: loop}
	for s.in < len(src) {
		if loop == snappyUnknown {
			for s.short() && s.long() {
			}
		} else {
			s.elements()
		}
		if s.in == len(src) {
			break
		}
		if err := s.element(); err != nil {
			return nil, err
		}
	}
	if s.out != len(dst) {
		return nil, errShort
	}
	return dst, nil
}

func TestSnappyBlocks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 1000 {
		src, size := snappyBlock(r, i%2 == 0)
		checkSnappy(t, src, size)
	}
	for _, size := range []int{1, 7, 100, 5000, 200_000} { // what writers make
		text := make([]byte, size)
		for i := range text {
			text[i] = byte('a' + r.IntN(1+i%7))
		}
		checkSnappy(t, snappy.Encode(nil, text), size)
	}
}

func FuzzSnappy(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		src, _ := snappyBlock(r, false)
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		size, err := snappy.DecodedLen(src)
		if err != nil || int64(size) > int64(len(src))*snappyRatio+snappySlack {
			return // no block of that size can be so short
		}
		checkSnappy(t, src, size)
	})
}
