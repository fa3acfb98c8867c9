package codec

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/parquetsql/parquetsql/fileformat"
)

// TestZstdStreams: a decoder of long pages is used again, also after damaged ones and ones that were
// interrupted, and nothing of it stays after a collection.
func TestZstdStreams(t *testing.T) {
	var pages, stored [2][]byte
	for i := range pages {
		for k := 0; len(pages[i]) <= zstdLong; k++ {
			pages[i] = fmt.Appendf(pages[i], "%d of page %d, %x; ", k, i, k*k)
		}
		var b bytes.Buffer
		w := must(zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1)))
		must(w.Write(pages[i]))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		stored[i] = b.Bytes()
	}
	stop := errors.New("stop")
	decode := func(src []byte, size int, err error) ([]byte, error) {
		return Decompress(fileformat.Zstd, nil, src, size, func() error { return err })
	}
	for i := range 6 {
		page, src := pages[i%2], stored[i%2]
		if out, err := decode(src, len(page), nil); err != nil || !bytes.Equal(out, page) {
			t.Fatalf("page %d: %d bytes, %v", i, len(out), err)
		}
		if _, err := decode(src, len(page), stop); !errors.Is(err, stop) {
			t.Errorf("interrupted: %v", err)
		}
		if _, err := decode(src[:len(src)/2], len(page), nil); err == nil {
			t.Error("half of a page is no error")
		}
		damaged := bytes.Clone(src)
		damaged[len(src)/2] ^= 1
		if out, err := decode(damaged, len(page), nil); err == nil && bytes.Equal(out, page) {
			t.Error("a damaged page is no error")
		}
	}
	must(decode(stored[0], len(pages[0]), nil))
	runtime.GC()
	zstdStreams.mu.Lock()
	defer zstdStreams.mu.Unlock()
	if len(zstdStreams.idle) == 0 {
		t.Error("no decoder was kept")
	}
	for _, d := range zstdStreams.idle {
		if d.Value() != nil {
			t.Error("a decoder is still there after a collection")
		}
	}
}
