package server_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestFrames: messages that come in parts, which end anywhere, also with the beginning of the connection.
func TestFrames(t *testing.T) {
	_, address := start(t, nil)
	encode := func(messages ...pgproto3.FrontendMessage) (out []byte) {
		for _, m := range messages {
			var err error
			if out, err = m.Encode(out); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	startup := encode(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "ana", "database": "sales"}})
	// The blanks are a length of 0x20202020 for who reads it in the middle of the message.
	rest := encode(query(""), query("SELECT 1"+strings.Repeat(" ", 1265)))
	for _, parts := range [][][]byte{
		{append(startup[:len(startup):len(startup)], rest[0]), rest[1:6], rest[6:]},
		{append(startup[:len(startup):len(startup)], rest[:4]...), rest[4:]},
		{append(startup[:len(startup):len(startup)], rest[:9]...), rest[9:]},
		{append(startup[:len(startup):len(startup)], rest...)},
		{startup[:3], startup[3:4], startup[4:9], startup[9:], rest},
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(20 * time.Second)) // a test that fails
		for i, part := range parts {
			if i > 0 {
				time.Sleep(50 * time.Millisecond) // so that the parts do not come together
			}
			if _, err := c.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		got := receive(t, pgproto3.NewFrontend(c, c), 3)
		if _, answers, _ := strings.Cut(got, " ZI "); answers != "I ZI T?column?:20 D1 CSELECT 1 ZI" {
			t.Errorf("%d parts: %s", len(parts), got)
		}
	}
}

// TestFramesOfRequests: requests for encryption and the startup come at once.
func TestFramesOfRequests(t *testing.T) {
	_, address := start(t, nil)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second)) // a test that fails
	f := pgproto3.NewFrontend(c, c)
	f.Send(&pgproto3.GSSEncRequest{})
	f.Send(&pgproto3.SSLRequest{})
	f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "ana", "database": "sales"}})
	f.Send(query(""))
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	var no [2]byte
	if _, err := c.Read(no[:1]); err != nil || no[0] != 'N' {
		t.Fatalf("%q, %v", no, err)
	}
	if _, err := c.Read(no[1:]); err != nil || no[1] != 'N' {
		t.Fatalf("%q, %v", no, err)
	}
	if got := receive(t, f, 2); !strings.HasSuffix(got, " ZI I ZI") {
		t.Error(got)
	}
}
