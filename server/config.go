package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/parquetsql/parquetsql"
)

// Config says what a server shows, and to whom. Fields that are empty have defaults.
type Config struct {
	// Databases are the locations by the names that clients connect to. The one named "" is for
	// every name that is not here.
	Databases map[string]*parquetsql.Config
	// Roles are those who may connect. Without any, everybody on this machine may, under any name,
	// and nobody else.
	Roles map[string]Role
	// TLS, unless nil, has the certificate. Clients on other machines must use it then.
	TLS *tls.Config
	// Exposed allows clients on other machines without TLS: passwords stay secret, rows do not.
	Exposed bool
	// Limits are what connections may take.
	Limits Limits
	// Log gets a line for each connection and each statement. The default is that of log/slog.
	Log *slog.Logger
}

// Role is somebody who may connect.
type Role struct {
	// Password is the password, or better what PostgreSQL keeps of one, SCRAM-SHA-256$…: see
	// Verifier.
	Password string `json:"password"`
	// Databases are those that the role may connect to; none means all.
	Databases []string `json:"databases,omitempty"`
	// Tables are the tables that the role sees, by name, where * stands for any letters; none means
	// all. A role with Tables names no files by their paths.
	Tables []string `json:"tables,omitempty"`
	// Connections is how many the role may have at a time; 0: as many as there are.
	Connections int `json:"connections,omitempty"`
}

// Limits bound what connections take, each and all together.
type Limits struct {
	// Connections is how many there may be at a time: 200. One more is told so.
	Connections int
	// Queries is how many run at a time, or wait with rows that were not fetched: 0, any number that
	// Memory has room for. Others wait for their turn.
	Queries int
	// Memory is how many bytes all queries together may hold: what memory_limit is for one query.
	// The first one gets half of it, each other half of what is left, but 16 MiB at least.
	Memory int64
	// QueryMemory is the most that one query may hold: 0, what the location says.
	QueryMemory int64
	// Rows is how many rows a statement may return: 0, any number.
	Rows int64
	// Time is how long a statement may run: 0, any time. A client may ask for less with SET
	// statement_timeout.
	Time time.Duration
	// Wait is how long a statement may wait for its turn: 30 s.
	Wait time.Duration
	// Idle is how long a client may send nothing: 0, any time. With rows that it has not fetched it is
	// ten minutes where Idle does not say less.
	Idle time.Duration
	// Unread is how long a client may leave what it is sent: 60 s. Then the connection is closed.
	Unread time.Duration
	// Startup is how long a client may take until it is known: 15 s.
	Startup time.Duration
	// Message is the bytes that a message of a client may have, once it is known: 8 MiB. Before, it
	// is 10,000.
	Message int
	// Statements is how many prepared statements, and how many portals, a connection may have: 1000.
	Statements int
}

const (
	maxUnknownMessage = 10_000 // of a client that has not proved who it is
	idleWithRows      = 10 * time.Minute
)

func (c Config) withDefaults() Config {
	l := &c.Limits
	for _, d := range []struct {
		at    *time.Duration
		value time.Duration
	}{{&l.Wait, 30 * time.Second}, {&l.Unread, time.Minute}, {&l.Startup, 15 * time.Second}} {
		if *d.at == 0 {
			*d.at = d.value
		}
	}
	for _, d := range []struct {
		at    *int
		value int
	}{{&l.Connections, 200}, {&l.Message, 8 << 20}, {&l.Statements, 1000}} {
		if *d.at == 0 {
			*d.at = d.value
		}
	}
	if l.Memory == 0 {
		l.Memory = parquetsql.NewConfig().MemoryLimit
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return c
}

func (c Config) check() error {
	if len(c.Databases) == 0 {
		return errors.New("the server has no database: give a location")
	}
	for name, d := range c.Databases {
		if d == nil {
			return fmt.Errorf("the database %q has no location", name)
		}
	}
	for name, r := range c.Roles {
		if name == "" || r.Password == "" {
			return fmt.Errorf("the role %q has no name or no password", name)
		}
	}
	if m := c.Limits.Memory; m > 0 && m < leastGrant {
		return fmt.Errorf("%d bytes of memory are too few: a query gets %d at least", m, leastGrant)
	}
	return nil
}
