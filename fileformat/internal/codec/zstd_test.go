package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const zstdTestMost = 1 << 20

// zstdOracle refuses output that is longer than zstdTestMost.
var zstdOracle = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
	zstd.WithDecoderMaxWindow(1<<31), zstd.WithDecoderMaxMemory(1<<31)))

// Of the Go code, the assembly and the other decoder.
var zstdOutputs [3][zstdTestMost]byte

// zstdAnyLength decodes src by the given code, whatever its length is.
func zstdAnyLength(src []byte, plain bool) ([]byte, error) {
	d, out := zstdDecoders.Get().(*zstdDecoder), zstdOutputs[0][:]
	was := d.plain
	if d.plain = plain; !plain {
		out = zstdOutputs[1][:]
	}
	err := d.decode(out, src)
	d.plain, out = was, out[:d.out]
	zstdDecoders.Put(d)
	if errors.Is(err, errShort) {
		err = nil
	}
	return out, err
}

// checkZstd compares the Go code, the assembly and another decoder: the same bytes
// or an error from all.
func checkZstd(t *testing.T, src []byte) {
	t.Helper()
	want, wantErr := zstdOracle.DecodeAll(src, zstdOutputs[2][:0])
	got, err := zstdAnyLength(src, true)
	if !zstdAssembly {
		compareZstd(t, src, got, want, err, wantErr)
		return
	}
	same, sameErr := zstdAnyLength(src, false)
	// Behind the end of the bits the assembly may find something else wrong first.
	if (sameErr == nil) != (err == nil) || err == nil && !bytes.Equal(same, got) {
		t.Fatalf("%x\ngives %d bytes, %v\nin assembly %d bytes, %v", src[:min(len(src), 2000)], len(got), err, len(same), sameErr)
	}
	compareZstd(t, src, got, want, err, wantErr)
	if err != nil || len(got) == 0 {
		return
	}
	for _, size := range []int{len(got) - 1, len(got), len(got) + 1} {
		if out, err := Decompress(Zstd, nil, src, size); size > 0 && (err == nil) != (size == len(got)) || err == nil && size > 0 && !bytes.Equal(out, got) {
			t.Fatalf("%x\nhas %d bytes, as a page of %d: %v", src[:min(len(src), 2000)], len(got), size, err)
		}
	}
}

func compareZstd(t *testing.T, src, got, want []byte, err, wantErr error) {
	t.Helper()
	if (err == nil) == (wantErr == nil) && (err != nil || bytes.Equal(got, want)) {
		return
	}
	if !zstdDifference(err, wantErr) {
		t.Fatalf("%x\ngives %d bytes, %v\nwant  %d bytes, %v", src[:min(len(src), 2000)], len(got), err, len(want), wantErr)
	}
}

// zstdDifference tells where the other decoder is known to decide differently. The
// reference implementation (zstd 1.5.4) decides as ours does, but for a distance of
// 0, which no encoder writes.
func zstdDifference(err, wantErr error) bool {
	if err != nil {
		// A distance of 0, which both take for 1, and a table of offsets with more
		// states than the format allows.
		return errors.Is(err, errZstdNoOffset) || errors.Is(err, errZstdAccuracy)
	}
	// Tables with one code only, and descriptions of tables that have less than
	// four bytes up to the end of the block.
	return slices.ContainsFunc([]string{"symbolLen (1) too small", "and no bits", "input too small"}, func(text string) bool {
		return strings.Contains(wantErr.Error(), text)
	})
}

// zstdContents are of many kinds; of some the encoder makes several blocks.
func zstdContents() map[string][]byte {
	all := samples()
	for name, data := range columns() {
		all[name] = data[:min(len(data), 400_000)]
	}
	r := rand.New(rand.NewPCG(5, 5))
	var times, doubles, steep []byte
	at := int64(1_700_000_000_000_000)
	for range 20_000 {
		at += r.Int64N(1_000_000)
		times = binary.LittleEndian.AppendUint64(times, uint64(at))
		doubles = binary.LittleEndian.AppendUint64(doubles, math.Float64bits(float64(r.Int64N(1<<24))/100))
		steep = append(steep, byte(r.ExpFloat64()*3), byte(r.ExpFloat64()*40))
	}
	var runs []byte
	for i := range 40 {
		runs = append(runs, bytes.Repeat([]byte{byte(i)}, i*i*10)...)
		runs = append(runs, all["text"][i*7:][:i*3]...)
	}
	all["times"], all["doubles"], all["steep"], all["runs"] = times, doubles, steep, runs
	all["zeros"] = all["zeros"][:500_000]
	all["empty"] = nil
	return all
}

// zstdEncoders are of all levels and settings.
var zstdEncoders = sync.OnceValue(func() (all []*zstd.Encoder) {
	for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
		for _, options := range [][]zstd.EOption{
			{zstd.WithEncoderCRC(true)},
			{zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true)},
			{zstd.WithWindowSize(1 << 10), zstd.WithAllLitEntropyCompression(true)},
			{zstd.WithWindowSize(64 << 10), zstd.WithNoEntropyCompression(true)},
			{zstd.WithWindowSize(16 << 20), zstd.WithZeroFrames(true)},
		} {
			all = append(all, must(zstd.NewWriter(nil, append(options, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))...)))
		}
	}
	return all
})

// zstdStreams are what they make of data.
func zstdStreams(data []byte) (out [][]byte) {
	skippable := append([]byte{0x53, 0x2A, 0x4D, 0x18, 5, 0, 0, 0}, "other"...)
	for i, e := range zstdEncoders() {
		out = append(out, e.EncodeAll(data, nil))
		switch i % 5 {
		case 0:
			two := e.EncodeAll(data[len(data)/3:], append(e.EncodeAll(data[:len(data)/3], bytes.Clone(skippable)), skippable...))
			out = append(out, two, append(two, skippable...))
		case 2:
			var b bytes.Buffer
			e.Reset(&b)
			must(e.Write(data))
			_ = e.Close()
			out = append(out, b.Bytes())
		}
	}
	return out
}

// TestZstd decodes whole streams, truncated ones and damaged ones.
func TestZstd(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for name, data := range zstdContents() {
		data = data[:min(len(data), 150_000)]
		for i, src := range zstdStreams(data) {
			if testing.Short() && i%8 != len(name)%8 {
				continue
			}
			if got, err := Decompress(Zstd, nil, src, len(data)); err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%s, stream %d: %v", name, i, err)
			}
			for range 3 {
				checkZstd(t, src[:r.IntN(len(src)+1)])
				bad := bytes.Clone(src)
				for range 1 + r.IntN(3) {
					bad[r.IntN(min(len(bad), 1<<(3+r.IntN(15))))] ^= 1 << r.IntN(8)
				}
				checkZstd(t, bad)
			}
		}
	}
}

// TestZstdTruncated cuts a stream of two frames off behind each byte.
func TestZstdTruncated(t *testing.T) {
	text := samples()["text"][:400]
	for _, src := range zstdStreams(text) {
		for n := range src {
			checkZstd(t, src[:n])
			if _, err := Decompress(Zstd, nil, src[:n], len(text)); err == nil && !bytes.HasPrefix(src[n:], []byte{0x53, 0x2A, 0x4D, 0x18}) {
				t.Fatalf("no error for %d of %d bytes", n, len(src))
			}
		}
		for at := range src {
			bad := bytes.Clone(src)
			bad[at] ^= 1 << (at % 8)
			checkZstd(t, bad)
		}
	}
}

// zstdFixtures are what the files in testdata/zstd decode to, by the first part of
// their names.
func zstdFixtures() map[string][]byte {
	rows := func(n int) (text []byte) {
		for i := range n {
			text = fmt.Appendf(text, "row %d of %d, ", i*i%977, i)
		}
		return text
	}
	noise := func(n int, x uint64) (out []byte) {
		for range n {
			x = x*6364136223846793005 + 1442695040888963407
			out = append(out, byte(x>>56))
		}
		return out
	}
	var ints []byte
	for i := range uint64(500) {
		ints = append(append(ints, noise(2, i)...), 0, 0, 0, 0, 0, 0)
	}
	far := append(rows(200), make([]byte, 9<<20)...)
	far = append(append(append(append(far, rows(200)...), noise(64, 1)...), make([]byte, 100)...), rows(200)...)
	return map[string][]byte{"text": rows(300), "ints": ints, "far": far}
}

// TestZstdReference reads what the reference implementation wrote.
func TestZstdReference(t *testing.T) {
	contents := zstdFixtures()
	for _, file := range must(os.ReadDir("testdata/zstd")) {
		kind, _, ok := strings.Cut(file.Name(), "-")
		if !ok {
			continue
		}
		src, data := must(os.ReadFile("testdata/zstd/"+file.Name())), contents[kind]
		for _, plain := range []bool{true, !zstdAssembly} {
			got := make([]byte, len(data))
			if err := (&zstdDecoder{plain: plain}).decode(got, src); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: %v", file.Name(), err)
			}
		}
		if got, err := Decompress(Zstd, nil, src, len(data)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %v", file.Name(), err)
		}
	}
}

// TestZstdAllocations: once a decoder has what it needs, pages cost nothing.
func TestZstdAllocations(t *testing.T) {
	for name, data := range zstdContents() {
		for _, plain := range []bool{true, !zstdAssembly} {
			src, dst := must(zstd.NewWriter(nil)).EncodeAll(data, nil), make([]byte, len(data))
			d := &zstdDecoder{plain: plain}
			if n := testing.AllocsPerRun(5, func() { _ = must(0, d.decode(dst, src)) }); n > 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	}
}

// BenchmarkZstd is ours, with and without assembly, and the encoder's own, which
// has assembly too, on what columns hold.
func BenchmarkZstd(b *testing.B) {
	for name, data := range zstdContents() {
		src, dst := must(zstd.NewWriter(nil)).EncodeAll(data, nil), make([]byte, len(data))
		fast, plain := &zstdDecoder{plain: !zstdAssembly}, &zstdDecoder{plain: true}
		for _, decoder := range []struct {
			name   string
			decode func() error
		}{
			{"ours", func() error { return fast.decode(dst, src) }},
			{"plain", func() error { return plain.decode(dst, src) }},
			{"klauspost", func() error { _, err := zstdOracle.DecodeAll(src, dst[:0]); return err }},
		} {
			b.Run(name+"/"+decoder.name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if err := decoder.decode(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func FuzzZstd(f *testing.F) {
	for _, data := range []string{"", "a", "text", "runs", "times", "steep"} {
		content := zstdContents()[data]
		for _, src := range zstdStreams(content[:min(len(content), 400)]) {
			f.Add(src)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		f.Add(zstdRandom(r))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < 1<<16 {
			checkZstd(t, src)
		}
	})
}
