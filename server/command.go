package server

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/server/internal/script"
)

// command is a statement about the session, which the driver does not see.
type command struct {
	verb  string // the words of it that tell which it is: BEGIN, SET, FETCH
	name  string // of a setting, a cursor, a savepoint or a statement
	value string
	first bool // SET … TO DEFAULT
	local bool // SET LOCAL
	chain bool // COMMIT AND CHAIN

	query   string // within DECLARE and COPY
	queryAt int    // its first byte in the statement

	binary, hold bool  // of a cursor
	count        int64 // of FETCH; math.MaxInt64: all
	copy         copyOptions
}

// parseCommand reads a statement about the session; nil if it is another one.
func parseCommand(text string) (*command, error) {
	s := script.Scan(text)
	first := s.Next()
	if first.Kind != script.Word {
		return nil, nil
	}
	verb := strings.ToUpper(first.Text)
	c := &command{verb: verb}
	switch verb {
	case "BEGIN":
		if !s.Take("WORK") {
			s.Take("TRANSACTION")
		}
		return c, modes(s)
	case "START":
		if !s.Take("TRANSACTION") {
			return nil, nil
		}
		c.verb = "BEGIN"
		return c, modes(s)
	case "COMMIT", "END":
		c.verb = "COMMIT"
		if !s.Take("WORK") {
			s.Take("TRANSACTION")
		}
		return c, c.chained(s)
	case "ABORT", "ROLLBACK":
		return rollback(s)
	case "SAVEPOINT":
		return c, c.named(s)
	case "RELEASE":
		s.Take("SAVEPOINT")
		return c, c.named(s)
	case "SET":
		return parseSet(s)
	case "RESET", "SHOW":
		return c.setting(s)
	case "DISCARD", "UNLISTEN":
		c.name = strings.ToUpper(s.Next().Text)
		return c, nil
	case "LISTEN", "NOTIFY":
		return nil, &Error{Code: "0A000", Message: verb + " is not supported"}
	case "DEALLOCATE":
		s.Take("PREPARE")
		if s.Take("ALL") {
			return c, nil
		}
		return c, c.named(s)
	case "CLOSE":
		if s.Take("ALL") {
			return c, nil
		}
		return c, c.named(s)
	case "DECLARE":
		return parseDeclare(s, text)
	case "FETCH", "MOVE":
		return parseFetch(verb, s)
	case "COPY":
		return parseCopy(s, text)
	case "PREPARE", "EXECUTE":
		return nil, &Error{Code: "0A000", Message: verb + " is not supported", Hint: "Clients prepare statements by messages of the protocol."}
	}
	return nil, nil
}

// identifier is the name that a token is.
func identifier(t script.Token) (string, error) {
	switch t.Kind {
	case script.Word:
		return strings.ToLower(t.Text), nil
	case script.Quoted:
		return t.Text, nil
	}
	return "", &Error{Code: "42601", Message: fmt.Sprintf("a name is expected at %.20q", t.Text)}
}

func (c *command) named(s *script.Scanner) (err error) {
	c.name, err = identifier(s.Next())
	return err
}

func rollback(s *script.Scanner) (*command, error) {
	if !s.Take("WORK") {
		s.Take("TRANSACTION")
	}
	if !s.Take("TO") {
		c := &command{verb: "ROLLBACK"}
		return c, c.chained(s)
	}
	s.Take("SAVEPOINT")
	c := &command{verb: "ROLLBACK TO"}
	return c, c.named(s)
}

// chained reads AND [NO] CHAIN, and that nothing follows.
func (c *command) chained(s *script.Scanner) error {
	if s.Take("AND", "CHAIN") {
		c.chain = true
	} else {
		s.Take("AND", "NO", "CHAIN")
	}
	return ended(c.verb, s)
}

// ended checks that nothing follows a command.
func ended(verb string, s *script.Scanner) error {
	if t := s.Next(); t.Kind != script.End {
		return &Error{Code: "42601", Message: fmt.Sprintf("%s: %.20q is not expected", verb, t.Text)}
	}
	return nil
}

// modes reads the modes of BEGIN, whichever they are: nothing is written, and what is read is one
// snapshot.
func modes(s *script.Scanner) error {
	for mode(s) {
		ahead := *s
		if ahead.Take(",") && mode(&ahead) {
			*s = ahead
		}
	}
	return ended("BEGIN", s)
}

// mode reads a mode, if one comes next.
func mode(s *script.Scanner) bool {
	return s.Take("ISOLATION", "LEVEL", "SERIALIZABLE") || s.Take("ISOLATION", "LEVEL", "REPEATABLE", "READ") || s.Take("ISOLATION", "LEVEL", "READ", "COMMITTED") ||
		s.Take("ISOLATION", "LEVEL", "READ", "UNCOMMITTED") || s.Take("READ", "ONLY") || s.Take("READ", "WRITE") || s.Take("DEFERRABLE") || s.Take("NOT", "DEFERRABLE")
}

// setting reads RESET and SHOW. What is no setting, as SHOW TABLES, is the driver's.
func (c *command) setting(s *script.Scanner) (*command, error) {
	switch {
	case s.Take("TIME", "ZONE"):
		c.name = "TimeZone"
	case s.Take("TRANSACTION", "ISOLATION", "LEVEL"):
		c.name = "transaction_isolation"
	case s.Take("SESSION", "AUTHORIZATION"):
		c.name = "session_authorization"
	default:
		name, err := settingName(s)
		if err != nil {
			return nil, nil
		}
		c.name = name
	}
	if s.Next().Kind != script.End {
		return nil, nil
	}
	return c, nil
}

// settingName is a name, with points in it where it is the client's own.
func settingName(s *script.Scanner) (string, error) {
	name, err := identifier(s.Next())
	for err == nil && s.Take(".") {
		var part string
		part, err = identifier(s.Next())
		name += "." + part
	}
	return name, err
}

// parseSet reads SET. SET of several settings, and @@name, are MySQL's; the driver knows them.
func parseSet(s *script.Scanner) (*command, error) {
	c := &command{verb: "SET"}
	switch {
	case s.Take("SESSION", "CHARACTERISTICS"), s.Take("TRANSACTION"), s.Take("CONSTRAINTS"):
		c.name = "" // whatever it asks for: nothing is written, and what is read is one snapshot
		return c, nil
	case s.Take("LOCAL"):
		c.local = true
	case s.Take("SESSION", "AUTHORIZATION"):
		c.name = "session_authorization"
	default:
		s.Take("SESSION")
	}
	switch {
	case c.name != "":
	case s.Take("TIME", "ZONE"):
		c.name = "TimeZone"
	case s.Take("NAMES"):
		c.name = "client_encoding"
	default:
		name, err := settingName(s)
		if err != nil {
			return nil, nil
		}
		c.name = name
		if !s.Take("=") && !s.Take("TO") && c.name != "role" {
			return nil, &Error{Code: "42601", Message: fmt.Sprintf("SET %s: = or TO is missing", c.name)}
		}
	}
	return c, c.values(s)
}

// values are DEFAULT, or one or more words, strings and numbers.
func (c *command) values(s *script.Scanner) error {
	if s.Take("DEFAULT") {
		c.first = true
		return ended("SET "+c.name, s)
	}
	var parts []string
	for {
		sign := ""
		if s.Take("-") {
			sign = "-"
		}
		t := s.Next()
		switch t.Kind {
		case script.Word, script.Quoted, script.String, script.Number:
			parts = append(parts, sign+t.Text)
		default:
			return &Error{Code: "42601", Message: fmt.Sprintf("SET %s: a value is expected at %.20q", c.name, t.Text)}
		}
		if !s.Take(",") {
			break
		}
	}
	c.value = strings.Join(parts, ", ")
	return ended("SET "+c.name, s)
}

// inner takes the rest of a statement as a query.
func (c *command) inner(text, rest string) {
	c.query = strings.TrimSpace(rest)
	c.queryAt = len(text) - len(strings.TrimLeft(rest, " \t\r\n"))
}

// parseDeclare reads DECLARE name [BINARY] [INSENSITIVE] [NO SCROLL] CURSOR [WITH HOLD] FOR query.
func parseDeclare(s *script.Scanner, text string) (*command, error) {
	c := &command{verb: "DECLARE"}
	if err := c.named(s); err != nil {
		return nil, err
	}
	for {
		switch {
		case s.Take("BINARY"):
			c.binary = true
		case s.Take("INSENSITIVE"), s.Take("ASENSITIVE"), s.Take("NO", "SCROLL"):
		case s.Take("SCROLL"):
			return nil, &Error{Code: "0A000", Message: "SCROLL is not supported: cursors go forward"}
		case s.Take("CURSOR"):
			if s.Take("WITH", "HOLD") {
				c.hold = true
			} else {
				s.Take("WITHOUT", "HOLD")
			}
			if !s.Take("FOR") {
				return nil, &Error{Code: "42601", Message: "DECLARE: FOR is missing"}
			}
			c.inner(text, s.Rest())
			return c, nil
		default:
			return nil, &Error{Code: "42601", Message: "DECLARE: CURSOR is missing"}
		}
	}
}

// parseFetch reads FETCH and MOVE [FORWARD] [n | ALL | NEXT] [FROM | IN] name.
func parseFetch(verb string, s *script.Scanner) (*command, error) {
	c := &command{verb: verb, count: 1}
	backwards := &Error{Code: "55000", Message: "cursor can only scan forward", Hint: "Declare it with SCROLL option to enable backward scan: which is not supported here."}
	forward := s.Take("FORWARD")
	switch t := s.Peek(); {
	case t.Is("NEXT"):
		s.Next()
	case t.Is("ALL"):
		s.Next()
		c.count = math.MaxInt64
	case t.Kind == script.Number:
		s.Next()
		n, err := strconv.ParseInt(t.Text, 10, 64)
		if err != nil {
			return nil, &Error{Code: "42601", Message: verb + ": a number of rows is expected"}
		}
		c.count = n
	case !forward && (t.Is("BACKWARD") || t.Is("PRIOR") || t.Is("FIRST") || t.Is("LAST") || t.Is("ABSOLUTE") || t.Is("RELATIVE")), t.Is("-"):
		ahead := *s
		ahead.Next()
		if k := ahead.Peek(); k.Kind != script.End { // else it is the cursor's name
			return nil, backwards
		}
	}
	if !s.Take("FROM") {
		s.Take("IN")
	}
	return c, c.named(s)
}
