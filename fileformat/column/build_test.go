package column

import (
	"bytes"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// newReader writes the chunk and opens it.
func newReader(t testing.TB, c *chunktest.Chunk, o Options) *Reader {
	t.Helper()
	chunk, file, _ := c.Build()
	if o.Source == nil {
		o.Source = bytes.NewReader(file)
	}
	r, err := NewReader(chunk, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
