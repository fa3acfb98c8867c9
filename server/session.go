package server

import (
	"bufio"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// session is a connection of a client. All but interrupt and endWhenIdle is for its own goroutine.
type session struct {
	server *Server
	raw    net.Conn      // never changes: to close it ends TLS over it, too
	net    net.Conn      // raw, or TLS over it
	reader *bufio.Reader // of net, or of TLS over it
	frames *frames       // of reader
	in     *pgproto3.Backend
	out    *outbox
	tls    bool

	number, secret uint32
	full           bool // one connection too many
	counted        bool // among those of its role

	user, database string
	role           Role
	conn           driver.Conn
	settings       *settings

	transaction transaction
	statements  map[string]*statement
	portals     map[string]*portal
	skipping    bool      // after an error, until Sync
	began       time.Time // when the statement's time began, over all its messages; zero: there is none

	mu      sync.Mutex
	current context.CancelCauseFunc // ends the statement that runs; nil: none does
	waiting bool                    // for a message
	pending error                   // ends the next part of the statement: it came between two parts
	ending  bool                    // the server shuts down
}

func newSession(s *Server, c net.Conn) *session {
	n := &session{server: s, raw: c, secret: newSecret(), statements: map[string]*statement{}, portals: map[string]*portal{}}
	n.over(c)
	return n
}

// over makes messages go over a connection.
func (n *session) over(c net.Conn) {
	n.net = c
	n.reader = bufio.NewReader(c)
	n.frames = &frames{from: n.reader, startup: true}
	n.in = pgproto3.NewBackend(n.frames, io.Discard)
	n.in.SetMaxBodyLen(maxUnknownMessage)
	n.out = &outbox{to: c, patience: n.server.config.Limits.Unread, sent: &n.server.metrics.bytes}
}

// The reasons why statements end early.
var (
	errCancelled = errors.New("the client has cancelled the statement")
	errShutdown  = errors.New("the server shuts down")
	errGone      = errors.New("the client is gone")
	errTime      = errors.New("the statement has taken too long")
)

// run is the life of the connection.
func (n *session) run(ctx context.Context) {
	metrics := &n.server.metrics
	metrics.open.Add(1)
	defer metrics.open.Add(-1)
	defer n.net.Close()
	defer n.release()
	// A defect must not end the other connections. The driver returns its own as errors.
	defer func() {
		if p := recover(); p != nil {
			n.server.log.Error("a connection ends by a panic", "user", n.user, "panic", p, "stack", string(debug.Stack()))
			n.fail(ctx, &Error{Severity: "FATAL", Code: "XX000", Message: "internal error of the server"})
			_ = n.out.flush() // the connection ends anyway
		}
	}()
	_ = n.net.SetDeadline(time.Now().Add(n.server.config.Limits.Startup)) // a closed connection shows below
	err := n.start(ctx)
	if err == nil {
		_ = n.net.SetDeadline(time.Time{})
		n.server.log.Info("connected", "user", n.user, "database", n.database, "from", n.net.RemoteAddr().String(), "tls", n.tls)
		err = n.messages(ctx)
	}
	var told *Error
	switch {
	case errors.As(err, &told):
		told.Severity = "FATAL"
		n.fail(ctx, told)
		_ = n.out.flush() // the connection ends anyway
		n.server.log.Warn("connection ended", "user", n.user, "from", n.net.RemoteAddr().String(), "error", told.Message)
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errQuiet):
		n.server.log.Info("connection ended", "user", n.user, "from", n.net.RemoteAddr().String(), "error", err.Error())
	}
}

// errQuiet ends a connection of which there is nothing to say.
var errQuiet = errors.New("the connection ends")

// release gives back what the connection has.
func (n *session) release() {
	for name := range n.portals {
		n.closePortal(name)
	}
	n.transaction.end()
	if n.conn != nil {
		_ = n.conn.Close() // it has no state
	}
}

// messages answers messages until the client leaves.
func (n *session) messages(ctx context.Context) error {
	for {
		m, err := n.receive()
		var broken *brokenMessage
		if errors.As(err, &broken) {
			err = n.answerBroken(ctx, broken)
			m = nil
		}
		if err != nil {
			return err
		}
		switch m.(type) {
		case nil:
			continue
		case *pgproto3.Terminate:
			return nil
		}
		if err := n.message(ctx, m); err != nil {
			return err
		}
	}
}

// brokenMessage is a message whose content is none of its kind. The messages behind it are read.
type brokenMessage struct {
	kind byte
	err  error
}

func (e *brokenMessage) Error() string { return "a message breaks the protocol: " + e.err.Error() }

// answerBroken tells the error of a message, as others of its kind are told.
func (n *session) answerBroken(ctx context.Context, m *brokenMessage) error {
	if n.skipping {
		return nil
	}
	n.failed(ctx, &Error{Code: "08P01", Message: m.Error()})
	if m.kind == 'Q' || m.kind == 'F' {
		n.endOfSeries(true)
		return n.ready()
	}
	n.skipping = true
	return n.out.err
}

// receive waits for the next message. What is written leaves before it waits.
func (n *session) receive() (pgproto3.FrontendMessage, error) {
	if n.frames.waiting() {
		if err := n.out.flush(); err != nil {
			return nil, err
		}
	}
	if err := n.wait(); err != nil {
		return nil, err
	}
	m, err := n.in.Receive()
	n.mu.Lock()
	n.waiting = false
	ending := n.ending
	n.mu.Unlock()
	var tooLong *pgproto3.ExceededMaxBodyLenErr
	var timeout net.Error
	switch {
	case err == nil:
		return m, nil
	case ending:
		return nil, &Error{Code: "57P01", Message: "terminating connection: the server shuts down"}
	case errors.As(err, &tooLong):
		return nil, &Error{Code: "08P01", Message: "a message is too long: " + err.Error()}
	case errors.As(err, &timeout) && timeout.Timeout():
		return nil, &Error{Code: "57P05", Message: "terminating connection: the client has sent nothing for too long"}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return nil, errQuiet
	case isNetwork(err):
		return nil, err
	case n.frames.broken():
		return nil, &brokenMessage{n.frames.kind, err}
	}
	return nil, &Error{Code: "08P01", Message: "a message breaks the protocol: " + err.Error()}
}

func isNetwork(err error) bool {
	var op *net.OpError
	return errors.As(err, &op)
}

// wait notes that the session waits for a message, and for how long.
func (n *session) wait() error {
	idle := n.server.config.Limits.Idle
	if n.hasRows() && (idle == 0 || idle > idleWithRows) {
		idle = idleWithRows
	}
	deadline := time.Time{}
	if idle > 0 {
		deadline = time.Now().Add(idle)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ending {
		return &Error{Code: "57P01", Message: "terminating connection: the server shuts down"}
	}
	n.waiting, n.pending = true, nil
	return n.net.SetReadDeadline(deadline)
}

// hasRows reports whether a portal keeps a query running.
func (n *session) hasRows() bool {
	for _, p := range n.portals {
		if p.rows != nil {
			return true
		}
	}
	return false
}

// message answers one message.
func (n *session) message(ctx context.Context, m pgproto3.FrontendMessage) error {
	if n.skipping {
		if _, sync := m.(*pgproto3.Sync); !sync {
			return nil
		}
	}
	switch m := m.(type) {
	case *pgproto3.Query:
		n.simple(ctx, m.String)
		return n.ready()
	case *pgproto3.Sync:
		failed := n.skipping
		n.skipping = false
		n.endOfSeries(failed)
		return n.ready()
	case *pgproto3.Flush:
		return n.out.flush()
	case *pgproto3.Parse, *pgproto3.Bind, *pgproto3.Describe, *pgproto3.Execute, *pgproto3.Close:
		if err := n.extended(ctx, m); err != nil {
			n.failed(ctx, err)
			n.skipping = true
		}
		return n.out.err
	case *pgproto3.FunctionCall:
		n.failed(ctx, &Error{Code: "0A000", Message: "function calls by their number are not supported"})
		n.endOfSeries(true)
		return n.ready()
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		return nil // of a COPY that has failed
	}
	return &Error{Code: "08P01", Message: "a message is not expected here"}
}

// ready ends the answer to a query, or to a series of messages.
func (n *session) ready() error {
	n.began = time.Time{}
	n.settings.report(n.out.parameter)
	n.out.send(&pgproto3.ReadyForQuery{TxStatus: n.transaction.status()})
	return n.out.err
}

// failed tells an error; a transaction fails with it.
func (n *session) failed(ctx context.Context, err error) {
	n.transaction.fail()
	n.fail(ctx, err)
}

// fail tells an error.
func (n *session) fail(ctx context.Context, err error) {
	e := asError(err)
	n.server.metrics.failed(e.Code)
	n.out.send(e.message())
}

// during notes how the work that begins now can be ended: by the client, by time, or because the
// client is gone. The function that it returns says that the work has ended. spent is the time that
// the statement has run before, in other messages; nil: none.
func (n *session) during(cancel context.CancelCauseFunc, spent *time.Duration) (stop func()) {
	n.mu.Lock()
	n.current = cancel
	if n.pending != nil {
		cancel(n.pending)
	}
	n.mu.Unlock()
	unwatch := n.watchClient(cancel)
	timer := (*time.Timer)(nil)
	if n.began.IsZero() {
		n.began = time.Now()
	}
	begin := time.Now()
	if deadline := n.deadline(begin, spent); !deadline.IsZero() {
		timer = time.AfterFunc(time.Until(deadline), func() { cancel(errTime) })
	}
	return func() {
		if spent != nil {
			*spent += time.Since(begin)
		}
		if timer != nil {
			timer.Stop()
		}
		unwatch()
		n.mu.Lock()
		n.current = nil
		n.mu.Unlock()
	}
}

// deadline is when work must end that begins now; zero: never. The client's limit begins anew with
// each message that runs a portal, as in PostgreSQL; the server's own counts all of them.
func (n *session) deadline(now time.Time, spent *time.Duration) (at time.Time) {
	if limit := n.settings.timeout; limit > 0 {
		at = n.began.Add(limit)
	}
	limit := n.server.config.Limits.Time
	if limit == 0 {
		return at
	}
	own := n.began.Add(limit)
	if spent != nil && *spent > 0 {
		own = now.Add(limit - *spent)
	}
	if at.IsZero() || own.Before(at) {
		at = own
	}
	return at
}

// interrupt ends the statement that runs.
func (n *session) interrupt(why error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.current != nil:
		n.current(why)
	case !n.waiting:
		n.pending = why
	}
}

// endWhenIdle ends the connection as soon as no statement runs.
func (n *session) endWhenIdle() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ending = true
	if n.waiting {
		_ = n.net.SetReadDeadline(time.Now()) // a closed connection ends by itself
	}
}
