package parquetsql

import (
	"context"

	"github.com/parquetsql/parquetsql/planner"
)

// Session is what a program that serves others, such as a database server, says of the client for
// whom it runs a query. What is empty is as without a Session.
type Session struct {
	User     string // CURRENT_USER and its kin
	Database string // CURRENT_DATABASE()
	Version  string // VERSION()

	// Setting has the values of settings that differ from the driver's own, for SHOW and
	// current_setting.
	Setting func(name string) (value string, ok bool)

	// PostgreSQL says that the client's SQL is PostgreSQL's where that and DuckDB's, which is the
	// driver's, write the same and mean something else: x ~ 'b' finds the pattern within x.
	PostgreSQL bool

	// MemoryLimit is how many bytes the query may hold, if that is less than Config.MemoryLimit.
	MemoryLimit int64
}

// WithSession returns a context whose queries are those of a client.
func WithSession(ctx context.Context, s Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

type sessionKey struct{}

// of puts what a context says of the client into a session.
func (s Session) of(out *planner.Session) {
	if s.Version != "" {
		out.Version = s.Version
	}
	out.User, out.Database, out.Setting, out.PostgreSQL = s.User, s.Database, s.Setting, s.PostgreSQL
	if limit := out.Limits.MemoryLimit; s.MemoryLimit > 0 && (limit <= 0 || s.MemoryLimit < limit) {
		out.Limits.MemoryLimit = max(s.MemoryLimit, leastMemory)
	}
}
