package server

import (
	"bufio"
	"context"
	"errors"
	"os"
	"time"
)

// watchAfter is how long a statement runs before somebody looks whether its client is still there.
const watchAfter = 100 * time.Millisecond

// watchClient ends the work of a client that leaves meanwhile. Nobody else reads from the connection
// until stop returns.
func (n *session) watchClient(cancel context.CancelCauseFunc) (stop func()) {
	looked := make(chan struct{})
	timer := time.AfterFunc(watchAfter, func() {
		defer close(looked)
		_, err := n.reader.Peek(n.reader.Buffered() + 1)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, bufio.ErrBufferFull) {
			cancel(errGone)
		}
	})
	return func() {
		if timer.Stop() {
			return
		}
		// Where the connection is closed, the look has ended by itself.
		_ = n.net.SetReadDeadline(time.Unix(1, 0))
		<-looked
		_ = n.net.SetReadDeadline(time.Time{})
	}
}
