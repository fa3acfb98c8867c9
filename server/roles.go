package server

import (
	"context"
	"crypto/rand"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/server/internal/scram"
)

// Verifier is what a file of roles may have in place of a password: who reads it cannot connect
// with it.
func Verifier(password string) (string, error) {
	v, err := scram.New(password)
	return v.String(), err
}

// ReadRoles reads roles of a file of JSON, an object with the name of each:
//
//	{"ana": {"password": "SCRAM-SHA-256$…", "databases": ["sales"], "tables": ["orders", "public_*"]}}
//
// A file that others than its owner can read is an error.
func ReadRoles(path string) (map[string]Role, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s has passwords, and others can read it: chmod 600", path)
	}
	decoder := json.NewDecoder(f)
	decoder.DisallowUnknownFields()
	out := map[string]Role{}
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("the roles in %s: %w", path, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the roles in %s: something follows the object", path)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no roles", path)
	}
	return out, nil
}

// verifiers are the roles' passwords, as they are kept.
type verifiers struct {
	of     map[string]scram.Verifier
	all    []scram.Verifier // by name
	secret []byte           // for names that nobody has
}

func newVerifiers(roles map[string]Role) (verifiers, error) {
	out := verifiers{of: map[string]scram.Verifier{}, secret: make([]byte, 32)}
	rand.Read(out.secret) // never fails
	for _, name := range slices.Sorted(maps.Keys(roles)) {
		r := roles[name]
		var v scram.Verifier
		var err error
		if strings.HasPrefix(r.Password, scram.Mechanism+"$") {
			v, err = scram.Parse(r.Password)
		} else {
			v, err = scram.New(r.Password)
		}
		if err != nil {
			return out, fmt.Errorf("the password of the role %q: %w", name, err)
		}
		out.of[name] = v
		out.all = append(out.all, v)
	}
	return out, nil
}

func (v verifiers) find(user string) scram.Verifier {
	if found, ok := v.of[user]; ok {
		return found
	}
	return scram.Absent(v.secret, user, v.all)
}

// places are the locations, opened once for all roles that see the same tables of them.
type places struct {
	configs map[string]*parquetsql.Config

	mu   sync.Mutex
	open map[string]driver.Connector
}

func newPlaces(c Config) (*places, error) {
	p := &places{configs: map[string]*parquetsql.Config{}, open: map[string]driver.Connector{}}
	for name, config := range c.Databases {
		p.configs[name] = config.Clone()
		if _, err := p.connector(name, nil); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	return p, nil
}

// name is that of the location for a database, false if there is none.
func (p *places) name(database string) (string, bool) {
	if _, ok := p.configs[database]; ok {
		return database, true
	}
	_, ok := p.configs[""]
	return "", ok
}

// connect opens a connection to a location for a role.
func (p *places) connect(ctx context.Context, name string, tables []string) (driver.Conn, error) {
	c, err := p.connector(name, tables)
	if err != nil {
		return nil, err
	}
	return c.Connect(ctx)
}

func (p *places) connector(name string, tables []string) (driver.Connector, error) {
	tables = slices.Clone(tables)
	slices.Sort(tables)
	key := name + "\x00" + strings.Join(tables, "\x00")
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.open[key]; c != nil {
		return c, nil
	}
	config := p.configs[name].Clone()
	if len(tables) > 0 {
		config.Tables = tables
	}
	c, err := parquetsql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	p.open[key] = c
	return c, nil
}

func (p *places) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for key, c := range p.open {
		if closer, ok := c.(io.Closer); ok {
			errs = append(errs, closer.Close())
		}
		delete(p.open, key)
	}
	return errors.Join(errs...)
}
