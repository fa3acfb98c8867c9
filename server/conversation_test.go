package server_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestConversations compares what the server says, message by message, with what PostgreSQL 15 says.
// The file testdata/conversations.txt has conversations, each over a new connection: the client's
// messages, a line each, and behind = PostgreSQL's answer. Where the server differs on purpose, its
// own answer stands behind ! with the reason.
//
//	Q text                      a simple query; QS one that is skipped
//	P name [oid …] text         Parse; - is no name
//	B portal statement formats args…   Bind: formats of the columns as 01 or -, arguments as text, \N is NULL
//	DS, DP, CS, CP name         Describe and Close of a statement or portal
//	E portal rows               Execute
//	S, H, F                     Sync, Flush, a function call
//	X hex                       bytes; XR such as are answered by ReadyForQuery
func TestConversations(t *testing.T) {
	const path = "testdata/conversations.txt"
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, address := start(t, nil)
	var out bytes.Buffer
	n := 0
	for block := range strings.SplitSeq(strings.TrimSpace(string(file)), "\n\n") {
		var messages []string
		var title, want, ours string
		for line := range strings.SplitSeq(block, "\n") {
			switch {
			case strings.HasPrefix(line, "# "):
				title = line
			case strings.HasPrefix(line, "= "):
				want = line[2:]
			case strings.HasPrefix(line, "! "):
				ours = line[2:]
			default:
				messages = append(messages, line)
			}
		}
		if *postgres != "" {
			want = converse(t, postgresAddress(t), "postgres", messages)
			fmt.Fprintf(&out, "%s\n%s\n= %s\n", title, strings.Join(messages, "\n"), want)
			if ours != "" {
				fmt.Fprintf(&out, "! %s\n", ours)
			}
			fmt.Fprintln(&out)
		}
		if differs, _, ok := strings.Cut(ours, " // "); ok {
			want = differs
		}
		if got := converse(t, address, "ana", messages); got != want {
			t.Errorf("%s\n%s\n%s\nPostgreSQL:\n%s", title, strings.Join(messages, "\n"), got, want)
		}
		n++
	}
	if *postgres != "" {
		if err := os.WriteFile(path, append(bytes.TrimSpace(out.Bytes()), '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n < 50 {
		t.Errorf("%d conversations", n)
	}
}

// postgresAddress is the host and the port of the PostgreSQL that the flag names.
func postgresAddress(t *testing.T) string {
	t.Helper()
	_, rest, _ := strings.Cut(*postgres, "@")
	address, _, _ := strings.Cut(rest, "/")
	if address == "" {
		t.Fatal("-postgres is postgres://USER@HOST:PORT/DATABASE")
	}
	return address
}

// converse sends messages at once, and returns the answers up to the last ReadyForQuery.
func converse(t *testing.T, address, user string, messages []string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second)) // a test that fails
	f := pgproto3.NewFrontend(c, c)
	f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": user, "database": "postgres"}})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	receive(t, f, 1)
	ready := 0
	var sent []byte
	for _, line := range messages {
		m, ends := message(t, line)
		sent = append(sent, m...)
		if ends {
			ready++
		}
	}
	if _, err := c.Write(sent); err != nil {
		t.Fatal(err)
	}
	return receive(t, f, ready)
}

// receive is the answers up to so many ReadyForQuery, or to the end of the connection.
func receive(t *testing.T, f *pgproto3.Frontend, ready int) string {
	t.Helper()
	var got []string
	for ready > 0 {
		m, err := f.Receive()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return strings.Join(append(got, "end"), " ")
		}
		if err != nil {
			return strings.Join(append(got, err.Error()), " ")
		}
		switch m := m.(type) {
		case *pgproto3.ErrorResponse:
			got = append(got, fmt.Sprintf("%c%s@%d", m.Severity[0], m.Code, m.Position))
			continue
		case *pgproto3.NoticeResponse:
			got = append(got, m.Severity+m.Code)
			continue
		case *pgproto3.ParameterStatus:
			got = append(got, m.Name+"="+m.Value)
			continue
		case *pgproto3.ReadyForQuery:
			ready--
		}
		got = append(got, short(m))
	}
	return strings.Join(got, " ")
}

// message is the bytes of a line, and whether the server is ready once it has answered it.
func message(t *testing.T, line string) (data []byte, ends bool) {
	t.Helper()
	kind, rest, _ := strings.Cut(line, " ")
	words := strings.Split(rest, " ")
	name := func(i int) string {
		if i >= len(words) {
			t.Fatalf("%q: a word is missing", line)
		}
		return strings.TrimPrefix(words[i], "-")
	}
	unescape := strings.NewReplacer(`\n`, "\n", `\N`, `\N`, `\t`, "\t")
	var m pgproto3.FrontendMessage
	switch kind {
	case "Q":
		m, ends = &pgproto3.Query{String: unescape.Replace(rest)}, true
	case "QS":
		m = &pgproto3.Query{String: rest}
	case "P":
		statement := name(0)
		_, rest, _ = strings.Cut(rest, " ")
		var types []uint32
		for word, after, _ := strings.Cut(rest, " "); word != "" && strings.Trim(word, "0123456789") == ""; word, after, _ = strings.Cut(rest, " ") {
			oid, _ := strconv.ParseUint(word, 10, 32)
			types, rest = append(types, uint32(oid)), after
		}
		m = &pgproto3.Parse{Name: statement, Query: unescape.Replace(rest), ParameterOIDs: types}
	case "B":
		b := &pgproto3.Bind{DestinationPortal: name(0), PreparedStatement: name(1)}
		if len(words) > 2 {
			for _, format := range name(2) {
				b.ResultFormatCodes = append(b.ResultFormatCodes, int16(format-'0'))
			}
			for _, arg := range words[3:] {
				if arg == `\N` {
					b.Parameters = append(b.Parameters, nil)
				} else {
					b.Parameters = append(b.Parameters, []byte(arg))
				}
			}
		}
		m = b
	case "DS", "DP":
		m = &pgproto3.Describe{ObjectType: kind[1], Name: name(0)}
	case "CS", "CP":
		m = &pgproto3.Close{ObjectType: kind[1], Name: name(0)}
	case "E":
		most := uint64(0)
		if len(words) > 1 {
			most, _ = strconv.ParseUint(words[1], 10, 32)
		}
		m = &pgproto3.Execute{Portal: name(0), MaxRows: uint32(most)}
	case "S":
		m, ends = &pgproto3.Sync{}, true
	case "H":
		m = &pgproto3.Flush{}
	case "F":
		m, ends = &pgproto3.FunctionCall{Function: 1}, true
	case "X", "XR":
		data, err := hex.DecodeString(rest)
		if err != nil {
			t.Fatal(err)
		}
		return data, kind == "XR"
	default:
		t.Fatalf("%q", line)
	}
	data, err := m.Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data, ends
}
