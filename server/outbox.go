package server

import (
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// outbox collects messages and writes them in large parts. A client that does not take them slows
// its own statement down, and after some time its connection ends.
type outbox struct {
	to       net.Conn
	patience time.Duration
	sent     *atomic.Int64
	buffer   []byte
	err      error // of a write; nothing more is written after it
}

// part is about how many bytes are written at once.
const part = 64 << 10

// send puts a message into the box.
func (o *outbox) send(m pgproto3.BackendMessage) {
	if o.err != nil {
		return
	}
	b, err := m.Encode(o.buffer)
	if err != nil {
		o.err = err
		return
	}
	o.buffer = b
	o.full()
}

// full writes if there is enough.
func (o *outbox) full() {
	if len(o.buffer) >= part {
		_ = o.flush() // the error stays
	}
}

// flush writes what there is.
func (o *outbox) flush() error {
	if o.err != nil || len(o.buffer) == 0 {
		return o.err
	}
	// Each part has its time: rows may be longer than a part.
	for rest := o.buffer; len(rest) > 0 && o.err == nil; {
		now := rest[:min(len(rest), part)]
		if o.err = o.to.SetWriteDeadline(time.Now().Add(o.patience)); o.err == nil {
			_, o.err = o.to.Write(now)
		}
		o.sent.Add(int64(len(now)))
		rest = rest[len(now):]
	}
	if cap(o.buffer) > 4*part {
		o.buffer = nil
	}
	o.buffer = o.buffer[:0]
	return o.err
}

// parameter tells the client the value of a parameter.
func (o *outbox) parameter(name, value string) {
	o.send(&pgproto3.ParameterStatus{Name: name, Value: withoutNUL(value)})
}
