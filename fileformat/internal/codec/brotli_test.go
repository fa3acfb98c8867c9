package codec

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// checkBrotli compares with the library: the same bytes or an error from both,
// whatever room there is at first.
func checkBrotli(t *testing.T, src []byte) {
	t.Helper()
	const limit = 1 << 20
	want, wantErr := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(src)), limit))
	if len(want) == limit {
		return
	}
	d := brotliDecoders.Get().(*brotliDecoder)
	for _, room := range []int{0, len(want), len(want) + 1000} {
		size := max(room, len(want))
		if wantErr != nil {
			size = limit
		}
		err := d.decode(make([]byte, 0, room), src, size)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(d.dst[:d.out], want) {
			t.Fatalf("%x\ngives %d bytes, %v\nwant  %d bytes, %v", src[:min(len(src), 300)], d.out, err, len(want), wantErr)
		}
	}
	if wantErr == nil && len(want) > 0 {
		if err := d.decode(nil, src, len(want)-1); err == nil {
			t.Fatalf("%d bytes fit into %d", len(want), len(want)-1)
		}
	}
	d.brotliBits, d.dst = brotliBits{}, nil
	brotliDecoders.Put(d)
}

func brotliOf(data []byte, quality, window int) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: window})
	must(w.Write(data))
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// brotlied are streams of the library's encoder for up to most bytes.
func brotlied(r *rand.Rand, most int) [][]byte {
	contents := samples()
	for name, data := range columns() {
		contents[name] = data
	}
	contents["empty"] = nil
	contents["page"] = bytes.Repeat([]byte(`<html><head><title>The Times and the People of the World</title></head>
<body><p class="text">However, the government announced that international development would not have been possible
without the information of the University. ИНФОРМАЦИЯ республики, información política.</p></body></html>`), 20)
	var words []byte
	for range 3000 {
		length := 4 + r.IntN(12)
		word := brotliWords()[brotliWordStart[length]+r.IntN(1<<brotliWordBits[length])*length:][:length]
		words = brotliTransforms[r.IntN(len(brotliTransforms))].appendTo(words, word)
	}
	contents["words"] = words
	var out [][]byte
	for _, data := range contents {
		for quality := range 12 {
			n := min(len(data), most)
			if quality > 9 { // slow
				n = min(n, 15_000)
			}
			out = append(out, brotliOf(data[:n], quality, []int{0, 10, 16, 18, 24}[r.IntN(5)]))
		}
	}
	return out
}

func TestBrotli(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	most := 150_000
	if testing.Short() {
		most = 3000
	}
	for _, src := range brotlied(r, most) {
		checkBrotli(t, src)
		for range 3 {
			checkBrotli(t, src[:r.IntN(min(len(src), 20_000))])
			bad := bytes.Clone(src[:min(len(src), 3000)])
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			checkBrotli(t, bad)
		}
	}
}

// TestBrotliMade has what no encoder writes.
func TestBrotliMade(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	n := 50
	if testing.Short() {
		n = 10
	}
	for range n {
		src, want := makeBrotli(r)
		got, err := decompressBrotli(nil, src, len(want))
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v; want %d bytes", len(got), err, len(want))
		}
		checkBrotli(t, src)
		for range 3 {
			checkBrotli(t, src[:r.IntN(len(src))])
			bad := bytes.Clone(src)
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			checkBrotli(t, bad)
		}
	}
}

// TestBrotliCut cuts streams behind each of their bytes.
func TestBrotliCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	streams := [][]byte{brotliOf(samples()["text"][:1000], 5, 0), brotliOf(samples()["noise"][:300], 5, 0), brotliOf(bytes.Repeat([]byte("The people of the World, "), 9), 11, 0)}
	for len(streams) < 6 {
		if src, _ := makeBrotli(r); len(src) < 1000 {
			streams = append(streams, src)
		}
	}
	for _, src := range streams {
		for n := range src {
			checkBrotli(t, src[:n])
			if _, err := decompressBrotli(nil, src[:n], 1<<20); err == nil || err == errShort {
				t.Errorf("no error for %d of %d bytes", n, len(src))
			}
		}
		checkBrotli(t, append(bytes.Clone(src), 0))
	}
}

// TestBrotliLarge has meta-blocks and copies of the longest kind.
func TestBrotliLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("20 MB")
	}
	data := append(make([]byte, 18<<20), samples()["text"]...)
	for _, window := range []int{10, 24} {
		src := brotliOf(data, 2, window)
		got, err := Decompress(Brotli, nil, src, len(data))
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
}

// TestBrotliConstants holds what the document has tables for against its checksums.
func TestBrotliConstants(t *testing.T) {
	var forms []byte
	for _, f := range brotliTransforms {
		forms = fmt.Appendf(forms, "%s\x00%c%s\x00", f.before, f.change, f.behind)
	}
	if len(forms) != 648 || len(brotliWords()) != 122_784 {
		t.Errorf("%d and %d bytes", len(forms), len(brotliWords()))
	}
	for name, c := range map[string]struct {
		content []byte
		sum     uint32
	}{
		"dictionary": {brotliWords(), 0x5136cb04},
		"transforms": {forms, 0x3d965f81},
		"Lut0":       {brotliContexts[2][0][:], 0x8e91efb7},
		"Lut1":       {brotliContexts[2][1][:], 0xd01a32f4},
		"Lut2":       {brotliContexts[3][1][:], 0x0dd7a0d6},
	} {
		if sum := crc32.ChecksumIEEE(c.content); sum != c.sum {
			t.Errorf("%s: %08x, want %08x", name, sum, c.sum)
		}
	}
	for s, want := range map[int][4]int{ // the last and the first of a cell: counts of literals and lengths, and their bits
		0: {0, 2, 0, 0}, 63: {8, 9, 1, 0}, 64: {0, 10, 0, 1}, 127: {8, 54, 1, 4}, 191: {8, 9, 1, 0}, 192: {0, 10, 0, 1},
		256: {10, 2, 2, 0}, 320: {10, 10, 2, 1}, 384: {0, 70, 0, 5}, 448: {130, 2, 6, 0}, 512: {10, 70, 2, 5}, 576: {130, 10, 6, 1},
		640: {130, 70, 6, 5}, 703: {22594, 2118, 24, 24},
	} {
		of := brotliCommands[s]
		got := [4]int{int(of >> brotliInsert & 0xFFFF), int(of >> brotliCopy), int(of >> brotliInsertExtra & 31), int(of >> brotliCopyExtra & 31)}
		if got != want || (of&brotliAgain != 0) != (s < 128) {
			t.Errorf("command %d: %v, want %v", s, got, want)
		}
	}
	if last := brotliCounts[25]; last != (brotliRange{16625, 24}) {
		t.Errorf("count 25: %v", last)
	}
}

// TestBrotliWords refers to words of each length in each of their forms.
func TestBrotliWords(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var w bitWriter
	w.put(0b0100001, 7)
	w.put(0, 3)
	w.put(1008-1, 16)
	w.put(1, 1)
	w.align()
	w.bytes = append(w.bytes, make([]byte, 1008)...)
	want := make([]byte, 1008)
	for length := uint(4); length <= 24; length++ {
		for transform := range uint(len(brotliTransforms)) {
			number := uint(r.IntN(1 << brotliWordBits[length]))
			word := brotliWords()[brotliWordStart[length]+int(number*length):][:length]
			n := len(want)
			want = brotliTransforms[transform].appendTo(append(want, 'x'), word)
			want = append(want, 'x')
			w.put(0, 3)
			w.put(uint(len(want)-n-1), 16)
			w.put(0, 1+3+2+4+2+2)
			w.put(1|'x'<<4, 2+2+8)
			// The command that inserts 1 is the first one's next but seven.
			command, extra, extraBits := wordCommand(length)
			w.put(1|(command+8)<<4, 2+2+10)
			distance := 1008 + 1 + transform<<brotliWordBits[length] + number
			symbol, low, bits := uint(16), uint(1), uint(1)
			for distance >= low+1<<bits {
				low += 1 << bits
				symbol++
				bits = 1 + (symbol-16)/2
			}
			w.put(1|symbol<<4, 2+2+6)
			w.put(extra, extraBits)
			w.put(distance-low, bits)
			w.put(extra, extraBits) // of the last command, which ends behind its literal
		}
	}
	w.put(3, 2)
	w.align()
	got, err := Decompress(Brotli, nil, w.bytes, len(want))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v; want %d bytes", len(got), err, len(want))
	}
	checkBrotli(t, w.bytes)
}

// TestBrotliRules has streams that break one rule of the format each.
func TestBrotliRules(t *testing.T) {
	for name, bits := range map[string]string{
		"large window":                          "1 000 100",
		"reserved bit":                          "0 0 11 1",
		"length with leading zeros":             "0 0 10 11110000000000000000 0",
		"metadata's length with leading zeros":  "0 0 11 0 01 1111111100000000 0000000000",
		"fill bits before metadata":             "0 0 11 0 10 10000000 1 00000000",
		"fill bits before what is uncompressed": "0 0 00 0000000000000000 1 1 00 10000000 11",
		"fill bits at the end":                  "0 11 1",
		"symbol twice":                          "0 10 00 0000000000000000 0 0 0 00 0000 00 0 0 10 10 10000000 10000000",
		"symbol outside":                        "0 10 00 0000000000000000 0 0 0 00 0000 00 0 0 10 00 00000000 10 00 1111111111",
		"code for lengths over-subscribed":      "0 10 00 0000000000000000 0 0 0 00 0000 00 0 0 00 1110 1110 1110 1110",
		"code for lengths without symbols":      "0 10 00 0000000000000000 0 0 0 00 0000 00 0 0 00" + strings.Repeat(" 00", 18),
		"lengths beyond the alphabet":           "0 10 00 0000000000000000 0 0 0 00 0000 00 0 0 00" + strings.Repeat(" 00", 6) + " 1110" + strings.Repeat(" 00", 11) + strings.Repeat(" 111", 9),
	} {
		var w bitWriter
		for _, b := range bits {
			if b != ' ' {
				w.put(uint(b-'0'), 1)
			}
		}
		w.align()
		d := new(brotliDecoder)
		err := d.decode(nil, append(w.bytes, make([]byte, 100)...), 1000)
		t.Log(name, err)
		if err == nil || err == errBrotliMore || err == errBrotliInput {
			t.Errorf("%s: %v", name, err)
		}
		checkBrotli(t, w.bytes)
	}
}

// underRace: sync.Pool forgets things at random then.
var underRace = func() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

// TestBrotliMemory: nothing is allocated but the output, and of that little before
// it is there.
func TestBrotliMemory(t *testing.T) {
	data := samples()["text"]
	src, dst := brotliOf(data, 5, 0), make([]byte, len(data))
	if n := testing.AllocsPerRun(50, func() { must(Decompress(Brotli, dst, src, len(data))) }); n > 0 && !underRace {
		t.Errorf("%v allocations", n)
	}
	// A meta-block of 16 MiB whose only command inserts as many literals of one bit.
	var w bitWriter
	w.put(0, 2)
	w.put(2, 2)
	w.put(1<<24-1, 24)
	w.put(0, 1+3+2+4+2+2)
	w.put(1|1<<2, 4)
	w.put(1<<8, 16)
	w.put(1|(448+7*8)<<4, 2+2+10) // from 22,594 on
	w.put(1, 2+2+6)
	w.put(1<<24-22594, 24)
	w.bytes = append(w.bytes, make([]byte, 1000)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Decompress(Brotli, nil, w.bytes, 1<<24)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; err != errBrotliInput || n > 1<<20 {
		t.Errorf("%v, %d bytes", err, n)
	}
}

func FuzzBrotli(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	size, made := 2000, 30
	if testing.Short() {
		size, made = 300, 10
	}
	for _, src := range brotlied(r, size) {
		f.Add(src)
	}
	for range made {
		src, _ := makeBrotli(r)
		f.Add(src[:min(len(src), 3000)])
	}
	f.Fuzz(checkBrotli)
}
