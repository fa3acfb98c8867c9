package codec

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/fileformat"
)

// lzoLength appends an instruction with the length n in its low bits or, if it does
// not fit, in an extension (see lzoBlock).
func lzoLength(out []byte, op byte, n, most int) []byte {
	if n <= most {
		return append(out, op|byte(n))
	}
	out = append(out, op)
	for n -= most; n > 255; n -= 255 {
		out = append(out, 0)
	}
	return append(out, byte(n))
}

// lzoRun appends a run of at least 4 literals.
func lzoRun(out, data []byte) []byte { return append(lzoLength(out, 0, len(data)-3, 15), data...) }

var lzoEnd = []byte{0x11, 0, 0}

// lzoLiterals encodes data as a stream without matches.
func lzoLiterals(data []byte) []byte {
	var out []byte
	switch {
	case len(data) == 0:
	case len(data) < 239:
		out = append(append(out, byte(17+len(data))), data...)
	default:
		out = lzoRun(out, data)
	}
	return append(out, lzoEnd...)
}

// TestLZO decodes a sentence that the LZO library compressed at two levels.
func TestLZO(t *testing.T) {
	want := strings.Repeat("Join us now and share the software ", 2)
	for _, text := range []string{
		"000d4a6f696e207573206e6f7720616e642073686172652074686520736f66747770010132880" +
			"0", // cut off
		"000d4a6f696e207573206e6f7720616e642073686172652074686520736f6674777001328800" +
			"0c652074686520736f66747761726520110000",
		"000d4a6f696e207573206e6f7720616e642073686172652074686520736f66747770010" +
			"14a6f696e3d8800110000",
	} {
		src, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decompress(fileformat.LZO, nil, src, len(want), nil)
		if !bytes.HasSuffix(src, lzoEnd) {
			if err == nil {
				t.Error("no error for a stream without end")
			}
			continue
		}
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

// lzoWriter writes a stream, instruction by instruction, and its expected output.
type lzoWriter struct {
	src, data []byte
	state     lzoState
	r         *rand.Rand
}

func (w *lzoWriter) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.r.Uint32())
	}
	return b
}

// instruction writes a random instruction of a random form that the state and
// the data so far allow.
func (w *lzoWriter) instruction() {
	type form struct{ length, distance int }
	op, long := w.r.IntN(6), w.r.IntN(4) == 0
	extra := func(most int) int {
		if long {
			return most + 1 + w.r.IntN(700)
		}
		return 1 + w.r.IntN(most)
	}
	within := func(first, last int) int {
		last = min(last, len(w.data))
		if first > last {
			return 0
		}
		return first + w.r.IntN(last-first+1)
	}
	var f form
	s := w.r.IntN(4)
	switch op {
	case 0:
		if w.state == 0 {
			run := w.noise(4 + w.r.IntN(600))
			w.src, w.data, w.state = lzoRun(w.src, run), append(w.data, run...), lzoLong
			return
		}
		f = form{2, within(1, 1024)}
		base := 1
		if w.state == lzoLong {
			f, base = form{3, within(2049, 3072)}, 2049
		}
		if f.distance == 0 {
			return
		}
		d := f.distance - base
		w.src = append(w.src, byte(d&3<<2|s), byte(d>>2))
	case 1, 2:
		f = form{3 + w.r.IntN(6), within(1, 2048)}
		if f.distance == 0 {
			return
		}
		d := f.distance - 1
		w.src = append(w.src, byte((f.length-1)<<5|d&7<<2|s), byte(d>>3))
	case 3, 4:
		f = form{2 + extra(31), within(1, 16384)}
		if f.distance == 0 {
			return
		}
		d := f.distance - 1
		w.src = append(lzoLength(w.src, 0x20, f.length-2, 31), byte(d&63<<2|s), byte(d>>6))
	case 5:
		f = form{2 + extra(7), within(16385, 49151)}
		if f.distance == 0 {
			return
		}
		d := f.distance - 16384
		w.src = append(lzoLength(w.src, byte(0x10|d>>14<<3), f.length-2, 7), byte(d&63<<2|s), byte(d>>6&255))
	}
	for range f.length {
		w.data = append(w.data, w.data[len(w.data)-f.distance])
	}
	tail := w.noise(s)
	w.src, w.data, w.state = append(w.src, tail...), append(w.data, tail...), lzoState(s)
}

// TestLZOInstructions decodes random streams of all instructions.
func TestLZOInstructions(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		w := lzoWriter{r: r}
		first := w.noise(1 + r.IntN(238))
		w.src, w.data = append([]byte{byte(17 + len(first))}, first...), append(w.data, first...)
		w.state = lzoState(min(len(first), 4))
		for range r.IntN(400) {
			w.instruction()
		}
		w.src = append(w.src, lzoEnd...)
		got, err := Decompress(fileformat.LZO, nil, w.src, len(w.data), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, w.data) {
			t.Fatal("different bytes")
		}
	}
}

// FuzzLZO checks that the decoder stays within its output.
func FuzzLZO(f *testing.F) {
	f.Add(lzoLiterals([]byte("some literals")), 13)
	w := lzoWriter{r: rand.New(rand.NewPCG(1, 1))}
	for range 40 {
		w.instruction()
	}
	f.Add(append(w.src, lzoEnd...), len(w.data))
	f.Fuzz(func(t *testing.T, src []byte, size int) {
		if size < 0 || size > 1<<20 {
			return
		}
		padded := make([]byte, size+8)
		n, err := lzoBlock(src, padded[:size:size])
		if err == nil && (n < 0 || n > size) {
			t.Fatalf("%d of %d bytes", n, size)
		}
		if !bytes.Equal(padded[size:], make([]byte, 8)) {
			t.Fatal("wrote past the output")
		}
		if out, err := Decompress(fileformat.LZO, nil, src, size, nil); err == nil && len(out) != size {
			t.Fatalf("%d bytes instead of %d", len(out), size)
		}
	})
}
