package iceberg

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/parquetsql/parquetsql/storage"
)

// access is what the catalog says about reading the files of a table. It outlives the queries: what
// one of them learns, all use.
type access struct {
	catalog  *catalog
	settings *settings
	table    storage.TableName

	renewing chan struct{} // who holds it asks

	mu      sync.Mutex
	token   string            // of the table; "": the catalog's
	config  map[string]string // that of the table over those of the catalog
	parts   []part            // the longest prefix first
	until   time.Time         // when the first of the credentials end; zero: nobody says it
	got     time.Time         // when they came
	refused bool
	grants  map[string]*grant // by prefix and by what does not change
}

// part is a StorageCredential.
type part struct {
	prefix string
	config map[string]string
}

// accessOf is that of a table.
func (c *catalog) accessOf(s *settings, t storage.TableName) *access {
	key := strings.Join(append(slices.Clone(t.Schema), t.Name), "\x1f")
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.accesses[key]
	if a == nil {
		a = &access{catalog: c, settings: s, table: t, renewing: make(chan struct{}, 1), grants: map[string]*grant{}}
		c.accesses[key] = a
	}
	return a
}

// update takes what a load has said.
func (a *access) update(in *loadJSON) {
	config := a.settings.filesOf()
	set(config, in.Config)
	parts := partsOf(in.Credentials)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.token, a.config = text(in.Config["token"]), config
	a.take(parts)
}

// take takes credentials. mu is held.
func (a *access) take(parts []part) {
	a.parts, a.got, a.refused = parts, time.Now(), false
	if a.until = (time.Time{}); len(parts) == 0 {
		a.until = endOf(a.config)
	}
	for _, p := range parts {
		if end := endOf(p.config); !end.IsZero() && (a.until.IsZero() || end.Before(a.until)) {
			a.until = end
		}
	}
}

func set(to map[string]string, from map[string]*string) {
	for name, value := range from {
		if delete(to, name); value != nil {
			to[name] = *value
		}
	}
}

// partsOf are credentials that stores here may know: catalogs have some for Hadoop beside them.
func partsOf(list []credentialJSON) []part {
	var out []part
	for _, c := range list {
		p := part{prefix: storage.SameScheme(c.Prefix), config: map[string]string{}}
		set(p.config, c.Config)
		maps.DeleteFunc(p.config, func(name, _ string) bool {
			return !slices.ContainsFunc(groups, func(g string) bool { return strings.HasPrefix(name, g) })
		})
		if len(p.config) > 0 {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b part) int { return len(b.prefix) - len(a.prefix) })
	return out
}

// endOf is when the first of the credentials in properties ends, which they say in milliseconds:
// s3.session-token-expires-at-ms, gcs.oauth2.token-expires-at, adls.sas-token-expires-at-ms.ACCOUNT.
func endOf(config map[string]string) (end time.Time) {
	for name, value := range config {
		if !strings.Contains(name, "expires-at") {
			continue
		}
		if ms, err := strconv.ParseInt(value, 10, 64); err == nil && ms > 0 {
			if t := time.UnixMilli(ms); end.IsZero() || t.Before(end) {
				end = t
			}
		}
	}
	return end
}

// grantFor implements storage.Loaded's Grant.
func (a *access) grantFor(file string) (string, storage.Grant) {
	a.mu.Lock()
	defer a.mu.Unlock()
	prefix, p := "", a.config
	for _, o := range a.parts {
		if strings.HasPrefix(file, o.prefix) {
			prefix, p = o.prefix, o.config
			break
		}
	}
	if len(p) == 0 && len(a.config) == 0 {
		return "", nil
	}
	key := prefix + "\x00" + a.fixedOf(a.config) + "\x00" + a.fixedOf(p)
	g := a.grants[key]
	if g == nil {
		g = &grant{access: a, prefix: prefix, file: file}
		a.grants[key] = g
	}
	return prefix, g
}

// fixed are the ends of the names of properties that say how a store is asked, besides those that say
// where it is, and not who asks.
var fixed = []string{"region", "path-style-access", "no-auth", "user-project"}

// credentials are what the names of properties begin with that say who asks.
var credentials = []string{"s3.access-key-id", "s3.secret-access-key", "s3.session-token", "gcs.oauth2.token", "adls.sas-token.", "adls.auth.shared-key."}

// fixedOf is a text of what a store keeps as long as it is open: where it is, which credentials there
// are, and whether they are the user's own. Where that changes, it is another store.
func (a *access) fixedOf(config map[string]string) string {
	begins := func(name string) bool {
		return slices.ContainsFunc(credentials, func(c string) bool { return strings.HasPrefix(name, c) && !strings.Contains(name, "expires-at") })
	}
	ends := func(name string) bool {
		return slices.ContainsFunc(fixed, func(end string) bool { return strings.HasSuffix(name, end) })
	}
	var out []string
	for _, name := range sortedKeys(config) {
		switch value := config[name]; {
		case storage.NamesService(name) || ends(name):
			out = append(out, name+"="+value)
		case value != "" && begins(name):
			out = append(out, name+" "+strconv.FormatBool(a.catalog.saidByUser(name, value)))
		}
	}
	return strings.Join(out, "\x01")
}

// grant is a storage.Grant: the credentials of a prefix, whichever the catalog has given last.
type grant struct {
	access *access
	prefix string // "": what the table has for all of its files
	file   string // the first that it was for
}

var _ storage.Grant = (*grant)(nil)

// Settings implements storage.Grant.
func (g *grant) Settings() map[string]string {
	g.access.mu.Lock()
	defer g.access.mu.Unlock()
	return g.properties()
}

func (g *grant) properties() map[string]string {
	out := maps.Clone(g.access.config)
	if p := g.part(); p != nil {
		maps.Copy(out, p.config)
	}
	return out
}

// part is the part with the prefix; nil: there is none. Where the catalog has others since, it is the
// longest that all files of the prefix begin with, else the longest that the first of them does.
func (g *grant) part() *part {
	parts := g.access.parts
	for _, begins := range []func(prefix string) bool{
		func(prefix string) bool { return prefix == g.prefix },
		func(prefix string) bool { return strings.HasPrefix(g.prefix, prefix) },
		func(prefix string) bool { return strings.HasPrefix(g.file, prefix) },
	} {
		if i := slices.IndexFunc(parts, func(p part) bool { return begins(p.prefix) }); i >= 0 {
			return &parts[i]
		}
	}
	return nil
}

// Own implements storage.Grant.
func (g *grant) Own(property, value string) bool { return g.access.catalog.saidByUser(property, value) }

// saidByUser reports whether a property has the value that the user has set. A slash at the end of an
// address does not count.
func (c *catalog) saidByUser(property, value string) bool {
	value = strings.TrimRight(value, "/")
	return value != "" && value == strings.TrimRight(c.options[property], "/")
}

// Refused implements storage.Grant. Many reads may see that the same credentials are refused, when
// others have come since.
func (g *grant) Refused(used map[string]string) {
	g.access.mu.Lock()
	defer g.access.mu.Unlock()
	now := g.properties()
	for name, value := range used {
		if now[name] != value {
			return
		}
	}
	g.access.refused = true
}

// early is how long before their end credentials are replaced; of a short life it is a quarter.
const early = 5 * time.Minute

// Fresh implements storage.Grant.
func (g *grant) Fresh(ctx context.Context) (map[string]string, error) {
	a := g.access
	if out, due := g.state(); !due {
		return out, nil
	}
	select {
	case a.renewing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-a.renewing }()
	out, due := g.state()
	if !due {
		return out, nil
	}
	if err := a.renew(ctx); err != nil {
		a.mu.Lock()
		good := !a.refused && time.Now().Before(a.until)
		a.mu.Unlock()
		if good && ctx.Err() == nil {
			return out, nil // they are still good
		}
		return nil, err
	}
	return g.Settings(), nil
}

// state are the properties, and whether they have to be asked for anew.
func (g *grant) state() (map[string]string, bool) {
	a := g.access
	a.mu.Lock()
	defer a.mu.Unlock()
	due := a.refused
	if !a.until.IsZero() {
		life := a.until.Sub(a.got)
		due = due || !time.Now().Before(a.until.Add(-min(early, max(0, life/4))))
	}
	return g.properties(), due
}

// loadsCredentials is the endpoint that has the credentials without the table.
const loadsCredentials = "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials"

// renew asks for credentials: where the catalog cannot be asked for them alone, for the table.
func (a *access) renew(ctx context.Context) error {
	c, s := a.catalog, a.settings
	if s.has(loadsCredentials) {
		a.mu.Lock()
		token := a.token
		a.mu.Unlock()
		what := "the credentials of table " + shown(a.table)
		body, err := c.get(ctx, s.address("namespaces/"+s.namespace(a.table.Schema)+"/tables/"+encoded(a.table.Name)+"/credentials"), request{what: what, token: token})
		if err != nil && !isMissing(err) && (token == "" || !isExpired(err)) { // a token of the table comes with the table
			return err
		}
		var in struct {
			Credentials []credentialJSON `json:"storage-credentials"`
		}
		if err == nil {
			if err := json.Unmarshal(body, &in); err != nil {
				return c.wrong(what, err)
			}
			if parts := partsOf(in.Credentials); len(parts) > 0 {
				a.mu.Lock()
				defer a.mu.Unlock()
				a.take(parts)
				return nil
			}
		}
	}
	in, err := c.load(ctx, s, a.table, "", mostAnswer)
	if err != nil {
		return err
	}
	a.update(in)
	return nil
}
