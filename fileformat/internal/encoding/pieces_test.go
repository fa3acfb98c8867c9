package encoding

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// piecesOf continues data from at on, in pieces of random lengths, each in memory of its own.
// The memory of numbers is overwritten when the next piece is asked for.
func piecesOf(r *rand.Rand, data []byte, first int, texts bool) (piece []byte, more More) {
	first = min(first, len(data))
	at, last := first, append([]byte(nil), data[:first]...)
	return last, func(rest, need int) ([]byte, error) {
		n := min(len(data)-at, max(need-rest, 0)+r.IntN(40))
		next := append([]byte(nil), data[at-rest:at+n]...)
		if !texts {
			for i := range last {
				last[i] = 0xEE
			}
		}
		at, last = at+n, next
		return next, nil
	}
}

// comparePieces reads and skips the same values of a page as a whole and in pieces, up to a
// number that the page may not have.
func comparePieces[T any](t *testing.T, r *rand.Rand, name string, data []byte, n int, texts bool, whole, parts Decoder[T]) {
	t.Helper()
	if err := whole.Reset(data, n); err != nil {
		t.Fatal(err)
	}
	piece, more := piecesOf(r, data, 1+r.IntN(60), texts)
	if err := parts.Reset(piece, n); err != nil {
		t.Fatal(err)
	}
	parts.(Pieced).Continue(more)
	var all, want []T
	for done := 0; done < n; {
		k := 1 + r.IntN(50)
		if r.IntN(20) == 0 {
			k = 1 + r.IntN(n)
		}
		if r.IntN(3) == 0 {
			a, errA := whole.Skip(k)
			b, errB := parts.Skip(k)
			if a != b || (errA == nil) != (errB == nil) {
				t.Fatalf("%s: skipping %d of %d at %d: %d, %v; want %d, %v", name, k, n, done, b, errB, a, errA)
			}
			if errA != nil {
				break
			}
			done += a
			continue
		}
		x, y := make([]T, k), make([]T, k)
		a, errA := whole.Decode(x)
		b, errB := parts.Decode(y)
		if a != b || (errA == nil) != (errB == nil) {
			t.Fatalf("%s: %d of %d at %d: %d, %v; want %d, %v", name, k, n, done, b, errB, a, errA)
		}
		if errA != nil {
			break
		}
		all, want, done = append(all, y[:b]...), append(want, x[:a]...), done+a
	}
	if !reflect.DeepEqual(all, want) {
		t.Fatalf("%s: other values", name)
	}
}

// codesOf decodes indices.
type codesOf struct {
	Indices
	entries int
}

func (c *codesOf) Reset(data []byte, n int) error { return c.Indices.Reset(data, c.entries, n) }

// randomRuns is a section of dictionary codes below entries: runs of both kinds, the last of
// which may be cut off.
func randomRuns(r *rand.Rand, width uint, entries int) (data []byte, n int) {
	data = []byte{byte(width)}
	for range 1 + r.IntN(30) {
		count := 1 + r.IntN(40)
		if r.IntN(2) == 0 {
			data = binary.AppendUvarint(data, uint64(count)<<1)
			value := binary.LittleEndian.AppendUint32(nil, uint32(r.IntN(entries)))
			data, n = append(data, value[:(width+7)/8]...), n+count
			continue
		}
		data = binary.AppendUvarint(data, uint64(count)<<1|1)
		bits := make([]byte, count*int(width)+8)
		for i := range 8 * count {
			v := uint64(r.IntN(entries)) << (uint(i) * width % 8)
			at := uint(i) * width / 8
			binary.LittleEndian.PutUint64(bits[at:], binary.LittleEndian.Uint64(bits[at:])|v)
		}
		data, n = append(data, bits[:count*int(width)]...), n+8*count
	}
	if r.IntN(3) == 0 {
		data = data[:len(data)-r.IntN(min(len(data)-1, 6))]
	}
	return data, n
}

func TestInPieces(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	for range 400 {
		n := 1 + r.IntN(500)
		numbers := make([]byte, 12*n)
		for i := range numbers {
			numbers[i] = byte(r.IntN(256))
		}
		cut := func(b []byte) []byte {
			if r.IntN(4) == 0 {
				return b[:len(b)-r.IntN(min(len(b), 20))]
			}
			return b
		}
		comparePieces(t, r, "4 bytes", cut(numbers[:4*n]), n, false, newPlain32[int32](), newPlain32[int32]())
		comparePieces(t, r, "8 bytes", cut(numbers[:8*n]), n, false, newPlain64[int64](), newPlain64[int64]())
		comparePieces(t, r, "12 bytes", cut(numbers), n, false, newPlain96(), newPlain96())
		comparePieces(t, r, "fixed", cut(numbers[:7*n]), n, true, &plainFixed{length: 7}, &plainFixed{length: 7})
		comparePieces(t, r, "empty", nil, n, true, &plainFixed{}, &plainFixed{})
		var texts []byte
		for range n {
			s := strings.Repeat("x", r.IntN(30)) + fmt.Sprint(r.IntN(100))
			if r.IntN(100) == 0 {
				s = strings.Repeat(s, 100)
			}
			texts = append(binary.LittleEndian.AppendUint32(texts, uint32(len(s))), s...)
		}
		if r.IntN(8) == 0 { // a length that is too long
			texts = append(texts[:r.IntN(len(texts))], 0xFF, 0xFF, 0xFF, byte(r.IntN(256)))
		}
		comparePieces(t, r, "texts", cut(texts), n, true, &plainBytes{}, &plainBytes{})
		width := uint(1 + r.IntN(32))
		entries := int(1)<<min(width, 30) - r.IntN(2)
		data, n := randomRuns(r, width, max(entries, 1))
		comparePieces(t, r, fmt.Sprintf("codes of %d bits", width), data, n, false, &codesOf{entries: entries}, &codesOf{entries: entries})
	}
}

// TestViewInPieces: a view is of the page's next values, or there is none.
func TestViewInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	data := make([]byte, 8*100_000)
	for i := range 100_000 {
		binary.LittleEndian.PutUint64(data[8*i:], uint64(i))
	}
	d := newPlain64[int64]()
	piece, more := piecesOf(r, data, 100, false)
	if err := d.Reset(piece, 100_000); err != nil {
		t.Fatal(err)
	}
	d.Continue(more)
	views := 0
	for at := 0; at < 100_000; {
		n := min(1+r.IntN(3000), 100_000-at)
		if r.IntN(20) == 0 {
			n = 100_000 - at
		}
		values, ok, err := d.View(n)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			values = make([]int64, n)
			if _, err := d.Decode(values); err != nil {
				t.Fatal(err)
			}
		} else {
			views++
		}
		for i, v := range values {
			if v != int64(at+i) {
				t.Fatalf("value %d is %d", at+i, v)
			}
		}
		if at += len(values); len(values) != n {
			t.Fatalf("%d values of %d", len(values), n)
		}
	}
	if views == 0 {
		t.Log("this machine has no views")
	}
}
