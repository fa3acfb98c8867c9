package codec

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
)

// inPieces decompresses src with cuts of its bytes where it chooses, to a buffer that keeps
// back bytes. The buffer is longer by guard bytes, which must not be written.
func inPieces(t *testing.T, r *rand.Rand, src []byte, size, back int) ([]byte, error) {
	t.Helper()
	p, used, err := NewPieces(src[:min(len(src), MostHead)], int64(len(src)), size)
	if err != nil {
		return nil, err
	}
	const guard = 32
	buffer := bytes.Repeat([]byte{0xEE}, back+LeastRoom+r.IntN(1000)+guard)
	dst := buffer[:len(buffer)-guard]
	var made []byte
	for out := 0; used < len(src); {
		n := 1 + r.IntN(len(src)-used)
		if r.IntN(2) == 0 {
			n = min(n, 1+r.IntN(50))
		}
		end, k, err := p.Decode(dst, out, src[used:used+n])
		made = append(made, dst[out:end]...)
		if p.Made() != len(made) {
			t.Fatalf("%d bytes made, of which %d are told", len(made), p.Made())
		}
		if !bytes.Equal(buffer[len(dst):], bytes.Repeat([]byte{0xEE}, guard)) {
			t.Fatal("bytes behind the buffer are written")
		}
		if err != nil {
			return made, err
		}
		if k < n && len(dst)-end >= LeastRoom {
			t.Fatalf("%d of %d bytes used, with room for %d", k, n, len(dst)-end)
		}
		if used, out = used+k, end; len(dst)-out < LeastRoom || r.IntN(4) == 0 {
			kept := min(out, back)
			copy(dst, dst[out-kept:out])
			out = kept
		}
	}
	return made, p.End()
}

// checkPieces compares with what the decoder of whole blocks makes.
func checkPieces(t *testing.T, r *rand.Rand, src []byte, size int) {
	t.Helper()
	want, wantErr := Decompress(fileformat.Snappy, nil, src, size, nil)
	got, err := inPieces(t, r, src, size, Back)
	if errors.Is(err, ErrFar) {
		if !bytes.HasPrefix(want, got) && wantErr == nil {
			t.Fatalf("%x: other bytes before a copy that reaches far", src)
		}
		return
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%v, want %v: %x", err, wantErr, src)
	}
	if err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%x is %x, want %x", src, got, want)
	}
}

func TestPieces(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range 2000 {
		src, size := snappyBlock(r, i%2 == 0)
		if size > 0 {
			checkPieces(t, r, src, size)
		}
	}
	for _, size := range []int{1, 63, 5000, 200_000, 1_000_000} { // what writers make
		text := make([]byte, size)
		for i := range text {
			text[i] = byte('a' + r.IntN(1+i%7))
		}
		got, err := inPieces(t, r, snappy.Encode(nil, text), size, Back)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes: %v, or other bytes", size, err)
		}
	}
}

// TestPiecesFar: a copy from before what is kept is not damage, one from before the block is.
func TestPiecesFar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := bytes.Repeat([]byte("0123456789abcdef"), 10_000)[:100_000]
	r.Shuffle(len(text), func(i, j int) { text[i], text[j] = text[j], text[i] })
	block := func(offset int) []byte {
		src := []byte{0xA8, 0x8D, 0x06, 61 << 2, 0x9F, 0x86} // 100,008 bytes; a literal of 34,464
		src = append(src, text[:34_464]...)
		src = append(append(src, 61<<2, 0xFF, 0xFF), text[34_464:]...) // one of 65,536
		return append(src, 7<<2|3, byte(offset), byte(offset>>8), byte(offset>>16), 0)
	}
	for _, c := range []struct {
		offset int
		far    bool
		err    error
	}{{Back, false, nil}, {100_000, true, nil}, {100_001, false, errSnappyOffset}} {
		src := block(c.offset)
		want, wantErr := Decompress(fileformat.Snappy, nil, src, 100_008, nil)
		if !errors.Is(wantErr, c.err) {
			t.Fatalf("offset %d: %v, want %v", c.offset, wantErr, c.err)
		}
		got, err := inPieces(t, r, src, 100_008, Back)
		switch {
		case c.far && (err == nil || errors.Is(err, ErrFar)):
		case c.far, !errors.Is(err, c.err):
			t.Errorf("offset %d: %v", c.offset, err)
		case err == nil && !bytes.Equal(got, want):
			t.Errorf("offset %d: other bytes", c.offset)
		}
	}
}

func FuzzPieces(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		src, _ := snappyBlock(r, false)
		f.Add(src, uint64(1))
	}
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		size, err := snappy.DecodedLen(src)
		if err != nil || size == 0 || int64(size) > int64(len(src))*snappyRatio+snappySlack {
			return
		}
		checkPieces(t, rand.New(rand.NewPCG(seed, 1)), src, size)
	})
}
