// Package server lets programs that speak PostgreSQL's protocol read Parquet files: psql, JDBC and
// ODBC drivers, psycopg2, and the tools that stand on them. It is named for what it does: it
// listens, knows who asks, bounds what they take and tells what happened. PostgreSQL's protocol is
// its way of talking; the SQL is the driver's.
//
//	s, err := server.New(server.Config{
//		Databases: map[string]*parquetsql.Config{"sales": {Path: "/data/sales"}},
//		Roles:     map[string]server.Role{"ana": {Password: "…"}},
//	})
//	err = s.Serve(listener)
//
// It imports the root package of the driver and nothing below it.
//
//	server.go config.go roles.go  the server, what it is told, who may do what
//	session.go startup.go         a connection: its beginning, and its messages
//	frames.go                     where messages begin and end
//	simple.go extended.go         the two ways to run statements
//	statement.go portal.go stream.go  statements, running ones, their rows
//	command.go run.go             statements that are about the session
//	settings.go transaction.go cursor.go copy.go  SET, BEGIN, DECLARE, COPY
//	errors.go outbox.go           errors as PostgreSQL's, messages on their way
//	memory.go watch.go            who may run how large a query; clients that vanish
//	metrics.go                    what Prometheus asks
package server

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Server answers PostgreSQL's protocol.
type Server struct {
	config    Config
	log       *slog.Logger
	places    *places
	memory    *pool
	metrics   metrics
	verifiers verifiers

	ctx  context.Context // ends with Close, and the queries with it
	stop context.CancelFunc

	mu        sync.Mutex
	listeners map[net.Listener]bool
	sessions  map[uint32]*session // by their numbers
	byRole    map[string]int
	number    uint32
	closing   bool
	ended     sync.WaitGroup // of connections
}

// ErrClosed is returned by Serve after Shutdown or Close.
var ErrClosed = errors.New("the server is closed")

// New makes a server. It opens no files: a location that does not exist is an error of those who
// connect to it.
func New(c Config) (*Server, error) {
	c = c.withDefaults()
	s := &Server{config: c, log: c.Log, listeners: map[net.Listener]bool{}, sessions: map[uint32]*session{}, byRole: map[string]int{}}
	if err := c.check(); err != nil {
		return nil, err
	}
	var err error
	if s.verifiers, err = newVerifiers(c.Roles); err != nil {
		return nil, err
	}
	if s.places, err = newPlaces(c); err != nil {
		return nil, err
	}
	s.memory = newPool(c.Limits.Memory, c.Limits.Queries)
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s, nil
}

// Serve takes connections until the server is closed. An address that others than this machine
// reach is refused unless there are roles with passwords and TLS, or Config.Exposed is set.
func (s *Server) Serve(l net.Listener) error {
	if err := s.admitListener(l.Addr()); err != nil {
		l.Close()
		return err
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		l.Close()
		return ErrClosed
	}
	s.listeners[l] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.listeners, l)
		s.mu.Unlock()
	}()
	for {
		c, err := l.Accept()
		var temporary interface{ Temporary() bool }
		switch {
		case err == nil:
			s.accept(c)
		case s.isClosing():
			return ErrClosed
		case errors.As(err, &temporary) && temporary.Temporary():
			s.log.Warn("accepting a connection", "error", err)
			time.Sleep(50 * time.Millisecond) // too many open files: others will close
		default:
			return err
		}
	}
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// accept starts a session.
func (s *Server) accept(c net.Conn) {
	s.metrics.connections.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		c.Close()
		return
	}
	n := newSession(s, c)
	for s.number++; s.number == 0 || s.sessions[s.number] != nil; s.number++ {
	}
	n.number = s.number
	n.full = len(s.sessions) >= s.config.Limits.Connections
	s.sessions[n.number] = n
	s.ended.Go(func() {
		n.run(s.ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sessions, n.number)
		if n.counted {
			s.byRole[n.user]--
		}
	})
}

// count says whether a role may have another connection.
func (s *Server) count(n *session, most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if most > 0 && s.byRole[n.user] >= most {
		return false
	}
	s.byRole[n.user]++
	n.counted = true
	return true
}

// cancel ends the statement of a connection, if the client knows its secret.
func (s *Server) cancel(number, secret uint32) {
	s.mu.Lock()
	n := s.sessions[number]
	s.mu.Unlock()
	if n != nil && n.secret == secret {
		n.interrupt(errCancelled)
	}
}

// Shutdown takes no more connections, lets the statements that run end, and closes the connections.
// When ctx ends it ends the statements too, and returns its error.
func (s *Server) Shutdown(ctx context.Context) error {
	for _, n := range s.closeListeners() {
		n.endWhenIdle()
	}
	done := make(chan struct{})
	go func() {
		s.ended.Wait()
		close(done)
	}()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return errors.Join(err, s.Close())
}

// Close ends all statements and connections.
func (s *Server) Close() error {
	for _, n := range s.closeListeners() {
		n.interrupt(errShutdown)
		n.raw.Close()
	}
	s.stop()
	s.ended.Wait()
	return s.places.close()
}

// closeListeners returns the sessions that there are.
func (s *Server) closeListeners() []*session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	for l := range s.listeners {
		l.Close()
	}
	var out []*session
	for _, n := range s.sessions {
		out = append(out, n)
	}
	return out
}

// newSecret is the number that a client must know to cancel its statements.
func newSecret() uint32 {
	var b [4]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	return binary.BigEndian.Uint32(b[:])
}

// admitListener refuses an address that others reach, where that would show the data to anybody.
func (s *Server) admitListener(a net.Addr) error {
	c := s.config
	if tcp, ok := a.(*net.TCPAddr); !ok || tcp.IP.IsLoopback() {
		return nil
	}
	switch {
	case len(c.Roles) == 0:
		return fmt.Errorf("%s can be reached by other machines: give roles with passwords, or listen on 127.0.0.1", a)
	case c.TLS == nil && !c.Exposed:
		return fmt.Errorf("%s can be reached by other machines: give a certificate for TLS, or say that the network is safe without", a)
	}
	return nil
}
