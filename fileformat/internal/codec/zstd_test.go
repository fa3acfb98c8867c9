package codec

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/parquetsql/parquetsql/fileformat"
)

// zstdFixtures maps the first part of the names of the files in testdata/zstd to their
// decoded content.
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

// TestZstdReference decodes what the reference implementation wrote, with and without
// an output buffer.
func TestZstdReference(t *testing.T) {
	contents := zstdFixtures()
	for _, file := range must(os.ReadDir("testdata/zstd")) {
		kind, _, ok := strings.Cut(file.Name(), "-")
		if !ok {
			continue
		}
		src, data := must(os.ReadFile("testdata/zstd/"+file.Name())), contents[kind]
		for _, dst := range [][]byte{nil, make([]byte, len(data))} {
			if got, err := Decompress(fileformat.Zstd, dst, src, len(data), nil); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: %v", file.Name(), err)
			}
		}
	}
}

// TestZstdFrames reads more than one frame, skippable frames, and bytes that are not a
// frame.
func TestZstdFrames(t *testing.T) {
	data := samples()["text"][:6000] // short, because every prefix is tried
	third := len(data) / 3
	skippable := append([]byte{0x53, 0x2A, 0x4D, 0x18, 5, 0, 0, 0}, "other"...)
	for _, options := range [][]zstd.EOption{
		{zstd.WithEncoderCRC(true)},
		{zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true)},
		{zstd.WithWindowSize(1 << 10)},
	} {
		e := must(zstd.NewWriter(nil, append(options, zstd.WithEncoderConcurrency(1))...))
		src := e.EncodeAll(data[:third], bytes.Clone(skippable))
		src = append(e.EncodeAll(data[third:], append(src, skippable...)), skippable...)
		for _, dst := range [][]byte{nil, make([]byte, len(data))} {
			if got, err := Decompress(fileformat.Zstd, dst, src, len(data), nil); err != nil || !bytes.Equal(got, data) {
				t.Fatal(err)
			}
			for _, after := range [][]byte{{0}, []byte("no frame"), skippable[:6], skippable[:11]} {
				if _, err := Decompress(fileformat.Zstd, dst, append(bytes.Clone(src), after...), len(data), nil); err == nil {
					t.Errorf("no error for %q after the frames", after)
				}
			}
			for n := range src {
				if _, err := Decompress(fileformat.Zstd, dst, src[:n], len(data), nil); err == nil && n < len(src)-len(skippable) {
					t.Fatalf("no error for %d of %d bytes", n, len(src))
				}
			}
		}
	}
}

// TestZstdMost: if frames state their size, the bound is that size; otherwise it is at
// least the size.
func TestZstdMost(t *testing.T) {
	for name, data := range samples() {
		for _, e := range encodings(data) {
			if e.id != fileformat.Zstd {
				continue
			}
			most, err := zstdMost(e.src)
			if err != nil || most < int64(len(data)) || e.name != "streamed" && most != int64(len(data)) {
				t.Errorf("%s, %s: %d, %v for %d bytes", name, e.name, most, err, len(data))
			}
		}
	}
}
