package codec

import (
	"bytes"
	stdgzip "compress/gzip"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/parquetsql/parquetsql/fileformat"
)

// samples are contents of different kinds and ratios.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var text []byte
	for i := range 9000 {
		text = fmt.Appendf(text, "row %d of the sample; ", i%977)
	}
	return map[string][]byte{"one": {42}, "text": text, "noise": noise, "zeros": make([]byte, 3<<20), "short": []byte("Parquet")}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func gzipOf(parts ...[]byte) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w := stdgzip.NewWriter(&b)
		must(w.Write(p))
		if err := w.Close(); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func lz4Of(data []byte) []byte {
	out := make([]byte, lz4.CompressBlockBound(len(data)))
	n := must(lz4.CompressBlock(data, out, nil))
	if n == 0 { // not compressible: one run of literals
		return lz4Literals(data)
	}
	return out[:n]
}

// lz4Literals is a block of literals only (lz4_Block_format.md).
func lz4Literals(data []byte) []byte {
	if len(data) < 15 {
		return append([]byte{byte(len(data)) << 4}, data...)
	}
	out := []byte{0xf0}
	n := len(data) - 15
	for ; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(append(out, byte(n)), data...)
}

func lz4FrameOf(data []byte) []byte {
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	must(w.Write(data))
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// hadoopOf frames blocks, each of one chunk.
func hadoopOf(compress func([]byte) []byte, blocks ...[]byte) []byte {
	var out []byte
	for _, b := range blocks {
		c := compress(b)
		out = binary.BigEndian.AppendUint32(out, uint32(len(b)))
		out = binary.BigEndian.AppendUint32(out, uint32(len(c)))
		out = append(out, c...)
	}
	return out
}

// hadoopChunks frames one block of several chunks.
func hadoopChunks(compress func([]byte) []byte, chunks ...[]byte) []byte {
	out := make([]byte, 4)
	total := 0
	for _, b := range chunks {
		c := compress(b)
		out = binary.BigEndian.AppendUint32(out, uint32(len(c)))
		out = append(out, c...)
		total += len(b)
	}
	binary.BigEndian.PutUint32(out, uint32(total))
	return out
}

type encoded struct {
	id   fileformat.Codec
	name string
	src  []byte
}

// encodings are the layouts in which other libraries write data.
func encodings(data []byte) []encoded {
	half := len(data) / 2
	zstdOf := func(o ...zstd.EOption) []byte {
		return must(zstd.NewWriter(nil, append(o, zstd.WithEncoderConcurrency(1))...)).EncodeAll(data, nil)
	}
	var stream, br bytes.Buffer
	w := must(zstd.NewWriter(&stream, zstd.WithEncoderConcurrency(1)))
	must(w.Write(data))
	_ = w.Close()
	bw := brotli.NewWriter(&br)
	must(bw.Write(data))
	_ = bw.Close()
	all := []encoded{
		{fileformat.Uncompressed, "", data},
		{fileformat.Snappy, "", snappy.Encode(nil, data)},
		{fileformat.Gzip, "one member", gzipOf(data)},
		{fileformat.Gzip, "three members", gzipOf(data[:half], nil, data[half:])},
		{fileformat.Brotli, "", br.Bytes()},
		{fileformat.Zstd, "single segment", zstdOf(zstd.WithSingleSegment(true))},
		{fileformat.Zstd, "checksum", zstdOf(zstd.WithEncoderCRC(true))},
		{fileformat.Zstd, "streamed", stream.Bytes()},
		{fileformat.Zstd, "two frames", append(zstdOf(), must(zstd.NewWriter(nil)).EncodeAll(nil, nil)...)},
		{fileformat.LZ4Raw, "", lz4Of(data)},
		{fileformat.LZ4, "bare block", lz4Of(data)},
		{fileformat.LZ4, "frame", lz4FrameOf(data)},
		{fileformat.LZ4, "Hadoop", hadoopOf(lz4Of, data)},
		{fileformat.LZO, "bare", lzoLiterals(data)},
		{fileformat.LZO, "Hadoop", hadoopOf(lzoLiterals, data)},
	}
	if half > 0 {
		all = append(all,
			encoded{fileformat.LZ4, "Hadoop, two blocks", hadoopOf(lz4Of, data[:half], data[half:])},
			encoded{fileformat.LZ4, "Hadoop, two chunks", hadoopChunks(lz4Of, data[:half], data[half:])},
			encoded{fileformat.LZO, "Hadoop, two blocks", hadoopOf(lzoLiterals, data[:half], data[half:])})
	}
	return all
}

// TestDecompress decompresses what other libraries wrote, with and without an output
// buffer. With a wrong size, cut off, or with bytes after the end it is an error.
func TestDecompress(t *testing.T) {
	for name, data := range samples() {
		for _, e := range encodings(data) {
			t.Run(fmt.Sprintf("%s/%d %s", name, e.id, e.name), func(t *testing.T) {
				for _, dst := range [][]byte{nil, make([]byte, 0, len(data)), make([]byte, len(data)+100)} {
					got, err := Decompress(e.id, dst, e.src, len(data), nil)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got, data) {
						t.Fatal("different bytes")
					}
				}
				for _, size := range []int{len(data) - 1, len(data) + 1, 2 * len(data), -1} {
					if size == 0 {
						continue
					}
					if _, err := Decompress(e.id, nil, e.src, size, nil); err == nil {
						t.Errorf("no error for size %d instead of %d", size, len(data))
					}
				}
				for _, n := range []int{len(e.src) - 1, len(e.src) / 2, 1} {
					if n == 0 || n >= len(e.src) || e.name == "two frames" && n > len(e.src)/2 {
						continue
					}
					if _, err := Decompress(e.id, nil, e.src[:n], len(data), nil); err == nil {
						t.Errorf("no error for %d of %d bytes", n, len(e.src))
					}
				}
				longer := append(bytes.Clone(e.src), 1, 2, 3)
				if _, err := Decompress(e.id, nil, longer, len(data), nil); err == nil {
					t.Error("no error for data after the end")
				}
			})
		}
	}
}

// TestWrongSize states huge sizes for small inputs: memory must be in proportion to
// the input.
func TestWrongSize(t *testing.T) {
	data := []byte("twenty bytes or more of something")
	var before, after runtime.MemStats
	for _, e := range encodings(data) {
		for _, size := range []int{1 << 20, 1 << 30, 1<<31 - 1} {
			runtime.ReadMemStats(&before)
			if _, err := Decompress(e.id, nil, e.src, size, nil); err == nil {
				t.Errorf("codec %d %s: no error for size %d", e.id, e.name, size)
			}
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 10<<20 { // an LZ4 frame may announce blocks of 4 MiB, and its decoder holds two
				t.Errorf("codec %d %s: size %d allocated %d bytes", e.id, e.name, size, n)
			}
		}
	}
}

// TestEmpty reads empty pages: writers store them as no bytes or as the codec's output
// for empty input.
func TestEmpty(t *testing.T) {
	for _, e := range encodings(nil) {
		for _, src := range [][]byte{nil, e.src} {
			if got, err := Decompress(e.id, nil, src, 0, nil); err != nil || len(got) != 0 {
				t.Errorf("codec %d: %v, %v", e.id, got, err)
			}
		}
		if _, err := Decompress(e.id, nil, nil, 5, nil); err == nil {
			t.Errorf("codec %d: 5 bytes from an empty input", e.id)
		}
	}
	if _, err := Decompress(99, nil, nil, 0, nil); err == nil {
		t.Error("no error for an unknown codec")
	}
}

// TestDamage flips bits: the result must be output of the right size or an error, without
// delay.
func TestDamage(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	data, times := samples()["text"][:5000], 300
	if testing.Short() {
		times = 50
	}
	for _, e := range encodings(data) {
		for range times {
			src := bytes.Clone(e.src)
			for range 1 + r.IntN(3) {
				src[r.IntN(len(src))] ^= 1 << r.IntN(8)
			}
			got, err := Decompress(e.id, nil, src, len(data), nil)
			if err == nil && len(got) != len(data) {
				t.Fatalf("codec %d: %d bytes instead of %d", e.id, len(got), len(data))
			}
		}
	}
}

func TestNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	data := samples()["zeros"]
	for _, e := range encodings(data[:1<<20]) {
		_, _ = Decompress(e.id, nil, e.src, 1<<20, nil)
		_, _ = Decompress(e.id, nil, e.src, 1<<19, nil)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func FuzzLZ4(f *testing.F) {
	for _, e := range encodings(samples()["text"][:300]) {
		if e.id == fileformat.LZ4 {
			f.Add(e.src, 300)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, size int) {
		if size > 1<<20 {
			return
		}
		if out, err := Decompress(fileformat.LZ4, nil, src, size, nil); err == nil && len(out) != size {
			t.Fatalf("%d bytes instead of %d", len(out), size)
		}
	})
}

func FuzzDecompress(f *testing.F) {
	for _, e := range encodings(samples()["text"][:300]) {
		f.Add(int32(e.id), e.src, 300)
	}
	f.Fuzz(func(t *testing.T, id int32, src []byte, size int) {
		if size > 1<<20 {
			return
		}
		if out, err := Decompress(fileformat.Codec(id), nil, src, size, nil); err == nil && len(out) != size {
			t.Fatalf("%d bytes instead of %d", len(out), size)
		}
	})
}

func BenchmarkDecompress(b *testing.B) {
	data := samples()["text"]
	for _, e := range encodings(data) {
		b.Run(fmt.Sprintf("%d %s", e.id, e.name), func(b *testing.B) {
			dst := make([]byte, len(data))
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decompress(e.id, dst, e.src, len(data), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
