package remote

import (
	"context"
	"errors"
	"io"
	"time"
)

// stallAfter is how long a request may neither bring nor take a byte before it is given up and repeated.
const stallAfter = 30 * time.Second

// errStalled is why a request was given up.
var errStalled = errors.New("no bytes came or went for 30 seconds")

// watch is a context that ends when nothing has come or gone for a while. alive puts that off.
func watch(ctx context.Context) (watched context.Context, alive, end func()) {
	watched, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(stallAfter, func() { cancel(errStalled) })
	return watched, func() { timer.Reset(stallAfter) }, func() {
		timer.Stop()
		cancel(nil)
	}
}

// fill reads a body into p. It returns how much came.
func fill(body io.Reader, p []byte, alive func()) (n int, err error) {
	for n < len(p) {
		more, err := body.Read(p[n:])
		if n += max(more, 0); err != nil {
			if n == len(p) {
				return n, nil
			}
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
		if more > 0 {
			alive()
		}
	}
	return n, nil
}

// mostDrained is how much of a body is read in order to use its connection again.
const mostDrained = 4 << 10

// finish closes a body of which all that is needed was read.
func finish(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, mostDrained) // else the connection is not used again
	_ = body.Close()                               // it was only read
}
