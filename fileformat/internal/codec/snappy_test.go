package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"
)

// checkSnappy compares with Google's decoder: the same bytes or an error from both.
func checkSnappy(t *testing.T, src []byte) {
	t.Helper()
	n, err := snappy.DecodedLen(src)
	if err != nil {
		if _, err := decompressSnappy(nil, src, n); err == nil {
			t.Fatalf("%x: takes a length that is none", src)
		}
		return
	}
	if n > 1<<20 {
		return
	}
	_, length := binary.Uvarint(src)
	got := make([]byte, n)
	err = snappyBlock(got, src[length:])
	want, wantErr := snappy.Decode(nil, src)
	if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%x\ngives %x, %v\nwant  %x, %v", src, got, err, want, wantErr)
	}
}

// snappyElements is a block of random elements of every form, also of those that
// no encoder writes.
func snappyElements(r *rand.Rand) []byte {
	var body []byte
	size := 0
	for range 1 + r.IntN(40) {
		if size == 0 || r.IntN(3) == 0 {
			n := 1 + r.IntN([]int{4, 20, 300}[r.IntN(3)])
			switch extra := r.IntN(5); {
			case n <= 60 && extra == 0:
				body = append(body, byte(n-1)<<2)
			default:
				if n > 256 {
					extra = max(extra, 2)
				}
				extra = max(extra, 1)
				body = append(body, byte(59+extra)<<2)
				body = append(body, binary.LittleEndian.AppendUint32(nil, uint32(n-1))[:extra]...)
			}
			for range n {
				body = append(body, byte(r.Uint32()))
			}
			size += n
			continue
		}
		distance := 1 + r.IntN(min(size, []int{20, 1000}[r.IntN(2)]))
		switch form := r.IntN(3); {
		case form == 0 && distance < 2048:
			n := 4 + r.IntN(8)
			body = append(body, byte(distance>>8<<5|(n-4)<<2|1), byte(distance))
			size += n
		case form == 1:
			n := 1 + r.IntN(64)
			body = append(body, byte((n-1)<<2|2), byte(distance), byte(distance>>8))
			size += n
		default:
			n := 1 + r.IntN(64)
			body = binary.LittleEndian.AppendUint32(append(body, byte((n-1)<<2|3)), uint32(distance))
			size += n
		}
	}
	return append(binary.AppendUvarint(nil, uint64(size)), body...)
}

func TestSnappyElements(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 3000 {
		src := snappyElements(r)
		checkSnappy(t, src)
		if n, err := snappy.DecodedLen(src); err != nil || n == 0 {
			t.Fatal("the test's blocks are wrong")
		}
		checkSnappy(t, src[:r.IntN(len(src))])
		src[r.IntN(len(src))] ^= 1 << r.IntN(8)
		checkSnappy(t, src)
	}
}

// TestSnappyOffset0 is the copy that S2 calls a repeat: at both ends of a block
// and in the middle, where other code decodes it.
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
			if _, err := Decompress(Snappy, nil, src, literals+5+4*after); err == nil {
				t.Errorf("%d literals, %d copies behind: no error", literals, after)
			}
			src[len(src)-2*after-1] = 1
			if _, err := Decompress(Snappy, nil, src, literals+5+4*after); err != nil {
				t.Errorf("%d literals, %d copies behind: with distance 1: %v", literals, after, err)
			}
		}
	}
}

func FuzzSnappy(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		f.Add(snappyElements(r))
	}
	f.Add(snappy.Encode(nil, samples()["text"][:400]))
	f.Fuzz(checkSnappy)
}

// BenchmarkSnappy is ours and Google's, which has assembly for some machines, on
// what columns hold.
func BenchmarkSnappy(b *testing.B) {
	for name, data := range columns() {
		src, dst := snappy.Encode(nil, data), make([]byte, len(data))
		for _, decoder := range []struct {
			name   string
			decode func(dst, src []byte) ([]byte, error)
		}{
			{"ours", func(dst, src []byte) ([]byte, error) { return decompressSnappy(dst, src, len(dst)) }},
			{"golang", snappy.Decode},
		} {
			b.Run(name+"/"+decoder.name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if _, err := decoder.decode(dst, src); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// columns are pages in PLAIN: numbers of limited range, and strings.
func columns() map[string][]byte {
	r := rand.New(rand.NewPCG(7, 7))
	var ints, strings []byte
	for range 1 << 16 {
		v := r.Int64N(1 << 24)
		ints = binary.LittleEndian.AppendUint64(ints, uint64(v))
		s := fmt.Sprintf("value %d", v)
		strings = append(binary.LittleEndian.AppendUint32(strings, uint32(len(s))), s...)
	}
	return map[string][]byte{"int64": ints, "strings": strings}
}
