package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"path"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/parquetsql/parquetsql/server/internal/scram"
)

// start brings a connection to where it takes statements: TLS, who it is, and which location it
// reads.
func (n *session) start(ctx context.Context) error {
	m, err := n.first()
	if err != nil {
		return err
	}
	if n.full {
		return &Error{Code: "53300", Message: "there are too many connections"}
	}
	n.user, n.database = m.Parameters["user"], m.Parameters["database"]
	if n.user == "" {
		return &Error{Code: "28000", Message: "the name of the user is missing"}
	}
	if n.database == "" {
		n.database = n.user
	}
	if m.Parameters["replication"] != "" && m.Parameters["replication"] != "false" {
		return &Error{Code: "0A000", Message: "replication is not supported"}
	}
	n.negotiate(m)
	if n.server.config.TLS != nil && !n.tls && !n.local() && !n.server.config.Exposed {
		return &Error{Code: "28000", Message: "connections from other machines must use TLS", Hint: "sslmode=require"}
	}
	if err := n.authenticate(); err != nil {
		return err
	}
	if err := n.open(ctx); err != nil {
		return err
	}
	if n.settings, err = newSettings(n, m.Parameters); err != nil {
		return err
	}
	n.in.SetMaxBodyLen(n.server.config.Limits.Message)
	n.out.send(&pgproto3.AuthenticationOk{})
	for _, s := range n.settings.reported() {
		n.out.parameter(s.name, s.value)
	}
	var secret [4]byte
	for i := range secret {
		secret[i] = byte(n.secret >> (24 - 8*i))
	}
	n.out.send(&pgproto3.BackendKeyData{ProcessID: n.number, SecretKey: secret[:]})
	return n.ready()
}

// first reads up to the message that names the user. Before it, a client may ask for TLS.
func (n *session) first() (*pgproto3.StartupMessage, error) {
	for range 3 {
		m, err := n.in.ReceiveStartupMessage()
		if err != nil {
			return nil, quiet(err)
		}
		switch m := m.(type) {
		case *pgproto3.StartupMessage:
			n.frames.startup = false
			return m, nil
		case *pgproto3.CancelRequest:
			var secret uint32
			for _, b := range m.SecretKey {
				secret = secret<<8 | uint32(b)
			}
			if len(m.SecretKey) == 4 {
				n.server.cancel(m.ProcessID, secret)
			}
			return nil, errQuiet
		case *pgproto3.SSLRequest:
			if err := n.secure(); err != nil {
				return nil, err
			}
		case *pgproto3.GSSEncRequest:
			if err := n.answer('N'); err != nil {
				return nil, err
			}
		}
	}
	return nil, errQuiet
}

// quiet tells what is not worth a line: who knocks and leaves, or speaks another protocol.
func quiet(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errQuiet
	}
	return fmt.Errorf("the beginning of a connection: %w", err)
}

// answer writes one byte outside of messages.
func (n *session) answer(b byte) error {
	_, err := n.net.Write([]byte{b})
	return err
}

// secure starts TLS, if there is a certificate.
func (n *session) secure() error {
	if n.server.config.TLS == nil || n.tls {
		return n.answer('N')
	}
	// What came before the handshake may be of somebody between, who must not be believed.
	if n.reader.Buffered() > 0 {
		return &Error{Code: "08P01", Message: "data came before the handshake of TLS"}
	}
	if err := n.answer('S'); err != nil {
		return err
	}
	c := tls.Server(n.net, n.server.config.TLS)
	if err := c.Handshake(); err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	n.over(c)
	n.tls = true
	return nil
}

// local reports whether the client is on this machine.
func (n *session) local() bool {
	a, ok := n.net.RemoteAddr().(*net.TCPAddr)
	return !ok || a.IP.IsLoopback()
}

// negotiate tells a client of a later protocol that this is 3.0, and which of its options are not
// known.
func (n *session) negotiate(m *pgproto3.StartupMessage) {
	var unknown []string
	for name := range m.Parameters {
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
		}
	}
	if m.ProtocolVersion == pgproto3.ProtocolVersion30 && unknown == nil {
		return
	}
	slices.Sort(unknown)
	n.out.send(&pgproto3.NegotiateProtocolVersion{NewestMinorProtocol: 0, UnrecognizedOptions: unknown})
}

// authenticate finds out whether the client knows the password. Without roles nobody is asked;
// then only this machine reaches the server.
func (n *session) authenticate() error {
	if len(n.server.config.Roles) == 0 {
		return nil
	}
	err := n.scram()
	if err != nil && !errors.Is(err, errQuiet) {
		n.server.metrics.refused.Add(1)
	}
	if err != nil {
		return err
	}
	n.role = n.server.config.Roles[n.user]
	if !n.server.count(n, n.role.Connections) {
		return &Error{Code: "53300", Message: fmt.Sprintf("the role %q has too many connections", n.user)}
	}
	return nil
}

func (n *session) scram() error {
	n.out.send(&pgproto3.AuthenticationSASL{AuthMechanisms: []string{scram.Mechanism}})
	first, err := n.password(pgproto3.AuthTypeSASL)
	if err != nil {
		return err
	}
	begun, ok := first.(*pgproto3.SASLInitialResponse)
	if !ok || begun.AuthMechanism != scram.Mechanism {
		return &Error{Code: "28000", Message: "only SCRAM-SHA-256 is supported"}
	}
	exchange, challenge, err := scram.Begin(n.server.verifiers.find(n.user), string(begun.Data))
	if err != nil {
		return &Error{Code: "08P01", Message: err.Error()}
	}
	n.out.send(&pgproto3.AuthenticationSASLContinue{Data: []byte(challenge)})
	second, err := n.password(pgproto3.AuthTypeSASLContinue)
	if err != nil {
		return err
	}
	proof, ok := second.(*pgproto3.SASLResponse)
	if !ok {
		return &Error{Code: "08P01", Message: "the proof of SCRAM is missing"}
	}
	answer, err := exchange.Finish(string(proof.Data))
	switch {
	case errors.Is(err, scram.ErrFailed):
		return &Error{Code: "28P01", Message: fmt.Sprintf("password authentication failed for user %q", n.user)}
	case err != nil:
		return &Error{Code: "08P01", Message: err.Error()}
	}
	n.out.send(&pgproto3.AuthenticationSASLFinal{Data: []byte(answer)})
	return nil
}

// password reads what belongs to a password.
func (n *session) password(kind uint32) (pgproto3.FrontendMessage, error) {
	if err := n.out.flush(); err != nil {
		return nil, err
	}
	if err := n.in.SetAuthType(kind); err != nil {
		return nil, err
	}
	m, err := n.in.Receive()
	if err != nil {
		return nil, quiet(err)
	}
	return m, nil
}

// open connects to the location of the database.
func (n *session) open(ctx context.Context) error {
	missing := &Error{Code: "3D000", Message: fmt.Sprintf("database %q does not exist", n.database)}
	name, ok := n.server.places.name(n.database)
	if !ok {
		return missing
	}
	if may := n.role.Databases; len(may) > 0 && !slices.ContainsFunc(may, func(p string) bool { match, _ := path.Match(p, n.database); return match }) {
		return &Error{Code: "42501", Message: fmt.Sprintf("permission denied for database %q", n.database)}
	}
	conn, err := n.server.places.connect(ctx, name, n.role.Tables)
	if err != nil {
		n.server.log.Error("opening a location", "database", n.database, "error", err.Error())
		return &Error{Code: "58030", Message: fmt.Sprintf("the location of database %q cannot be opened", n.database)}
	}
	n.conn = conn
	return nil
}
