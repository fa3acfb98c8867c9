package parquetsql

import (
	"context"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/planner"
)

// The bounds of the statements that a connector keeps. A tree takes up to eighty times the
// bytes of its text.
const (
	mostStatements    = 64
	longestStatement  = 4 << 10
	mostStatementText = 64 << 10
)

// statements are the statements that a connector has parsed last: programs ask the same
// texts again and again. Their tables are looked up at each execution.
type statements struct {
	mu     sync.Mutex
	parsed map[string]*planner.Statement
	order  []string // the oldest first
	bytes  int
}

// parse is planner.Parse. Several connections may call it.
func (s *statements) parse(ctx context.Context, text string) (*planner.Statement, error) {
	s.mu.Lock()
	known := s.parsed[text]
	s.mu.Unlock()
	if known != nil && ctx.Err() == nil {
		return known, nil
	}
	if len(text) <= longestStatement {
		text = strings.Clone(text) // it may be a part of a long one
	}
	out, err := planner.Parse(ctx, text)
	if err == nil && len(text) <= longestStatement {
		s.keep(text, out)
	}
	return out, err
}

func (s *statements) keep(text string, parsed *planner.Statement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parsed[text] != nil {
		return
	}
	for len(s.order) == mostStatements || s.bytes+len(text) > mostStatementText {
		s.bytes -= len(s.order[0])
		delete(s.parsed, s.order[0])
		s.order = s.order[1:]
	}
	if s.parsed == nil {
		s.parsed = map[string]*planner.Statement{}
	}
	s.parsed[text], s.order, s.bytes = parsed, append(s.order, text), s.bytes+len(text)
}
