package remote

import (
	"bytes"
	"io"
)

// Content is what one request writes. Services read it with Reader only: a request whose content is still read
// goes on, however long it takes.
type Content struct {
	data  []byte
	alive func()
}

// Size is how many bytes it has.
func (c Content) Size() int64 { return int64(len(c.data)) }

// Reader reads all of it from the beginning. A request that is sent once more needs another one.
func (c Content) Reader() io.ReadSeeker { return &contentReader{bytes.NewReader(c.data), c.alive} }

// contentReader has no method WriteTo: that would hand over all bytes in one call.
type contentReader struct {
	io.ReadSeeker
	alive func()
}

// Read implements io.Reader.
func (r *contentReader) Read(p []byte) (n int, err error) {
	if n, err = r.ReadSeeker.Read(p); n > 0 {
		r.alive()
	}
	return n, err
}
