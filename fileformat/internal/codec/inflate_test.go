package codec

import (
	"bytes"
	"compress/flate"
	stdgzip "compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
)

// checkInflate compares with the standard library: both return the same bytes or an
// error, for any initial size of the buffer.
func checkInflate(t *testing.T, src []byte) {
	t.Helper()
	r := flate.NewReader(bytes.NewReader(src))
	want, wantErr := io.ReadAll(io.LimitReader(r, 1<<20))
	if len(want) == 1<<20 {
		return
	}
	for _, room := range []int{0, len(want), len(want) + 1000} {
		d := inflater{src: src, dst: make([]byte, min(room, len(want)+1000)), size: len(want) + 1000, look: &looks{}}
		err := d.inflate()
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(d.dst[:d.out], want) {
			t.Fatalf("%x\ngives %d bytes, %v\nwant  %d bytes, %v", src[:min(len(src), 300)], d.out, err, len(want), wantErr)
		}
		if err == nil && wantErr == nil {
			short := inflater{src: src, size: len(want) - 1, look: &looks{}}
			if err := short.inflate(); len(want) > 0 && err == nil {
				t.Fatalf("%d bytes fit into %d", len(want), len(want)-1)
			}
		}
	}
}

// deflated returns streams with every kind of block, each of at most the given number of bytes.
func deflated(r *rand.Rand, most int) [][]byte {
	var out [][]byte
	contents := samples()
	for name, data := range columns() {
		contents[name] = data[:100_000]
	}
	// These frequencies lead to codes of all lengths.
	var steep []byte
	for s := range 22 {
		steep = append(steep, bytes.Repeat([]byte{byte(s)}, 1<<(s/2*2-s/2))...)
	}
	r.Shuffle(len(steep), func(i, j int) { steep[i], steep[j] = steep[j], steep[i] })
	contents["steep"] = steep
	for _, data := range contents {
		data = data[:min(len(data), most)]
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 6, 9} {
			var b bytes.Buffer
			w := must(flate.NewWriter(&b, level))
			must(w.Write(data[:len(data)/2]))
			_ = w.Flush()
			must(w.Write(data[len(data)/2:]))
			_ = w.Close()
			out = append(out, b.Bytes())
		}
	}
	return out
}

func TestInflate(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	most := 150_000
	if testing.Short() {
		most = 40_000
	}
	for _, src := range deflated(r, most) {
		checkInflate(t, src)
		for range 10 {
			checkInflate(t, src[:r.IntN(min(len(src), 20_000))])
			bad := bytes.Clone(src[:min(len(src), 3000)])
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			checkInflate(t, bad)
		}
	}
}

// TestGzipHeader reads a header with a name, a comment and an extra field.
func TestGzipHeader(t *testing.T) {
	var b bytes.Buffer
	w := stdgzip.NewWriter(&b)
	w.Name, w.Comment, w.Extra = "name", "comment", []byte("extra\x00")
	must(w.Write([]byte("content")))
	_ = w.Close()
	src := b.Bytes()
	got, err := Decompress(fileformat.Gzip, nil, src, 7, nil)
	if err != nil || string(got) != "content" {
		t.Fatalf("%q, %v", got, err)
	}
	for n := range len(src) {
		if _, err := Decompress(fileformat.Gzip, nil, src[:n], 7, nil); err == nil {
			t.Errorf("no error for %d of %d bytes", n, len(src))
		}
	}
	for at := len(src) - 8; at < len(src); at++ {
		bad := bytes.Clone(src)
		bad[at] ^= 0x10
		if _, err := Decompress(fileformat.Gzip, nil, bad, 7, nil); err == nil {
			t.Errorf("no error for a wrong byte %d from the end", len(src)-at)
		}
	}
}

// TestInflateFixed: the tables of the fixed codes are made once, and again after
// a block that has its own.
func TestInflateFixed(t *testing.T) {
	empty := bytes.Repeat([]byte{0x02, 0x08, 0x20, 0x80, 0x00}, 100) // each is four blocks of ten bits: 010, then seven zeros
	empty = append(empty, 0x03, 0x00)
	var own bytes.Buffer
	w := must(flate.NewWriter(&own, flate.HuffmanOnly))
	must(w.Write(samples()["text"][:300]))
	_ = w.Close()
	d := inflater{look: &looks{}}
	for i, src := range [][]byte{empty, empty, own.Bytes(), empty} {
		clear(d.lengths[:])
		d.src, d.in, d.out, d.size = src, 0, 0, 300
		if err := d.inflate(); err != nil {
			t.Fatal(i, err)
		}
		if made := d.lengths[0] != 0; i != 2 && made != (i != 1) {
			t.Errorf("stream %d: tables made: %v", i, made)
		}
	}
}

func FuzzInflate(f *testing.F) {
	for _, src := range deflated(rand.New(rand.NewPCG(1, 1)), 40_000) {
		f.Add(src[:min(len(src), 1000)])
	}
	for _, e := range encodings(samples()["text"][:300]) {
		if e.id == fileformat.Gzip {
			f.Add(e.src[10:])
		}
	}
	f.Fuzz(checkInflate)
}

// columns returns pages in PLAIN: numbers of limited range, and strings.
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
