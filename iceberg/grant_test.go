package iceberg

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/storage"
)

// grantOf loads the table db.t of a catalog, and is the grant of one of its files.
func grantOf(t *testing.T, h http.HandlerFunc, file string, options map[string]string) storage.Grant {
	t.Helper()
	leaktest.Check(t)
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	all := map[string]string{"endpoint": server.URL}
	for name, value := range options {
		all[name] = value
	}
	c, err := open(storage.Address{Scheme: "iceberg", Authority: "host"}, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	l, err := c.Load(t.Context(), storage.TableName{Schema: []string{"db"}, Name: "t"}, "", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	_, g := l.Grant(file)
	return g
}

// vended is an answer with keys for prefixes.
func vended(keys map[string]string) map[string]any {
	list := []any{}
	for prefix, key := range keys {
		list = append(list, map[string]any{"prefix": prefix, "config": map[string]string{"s3.access-key-id": key}})
	}
	return map[string]any{"metadata-location": "s3://b/t/v1.metadata.json", "storage-credentials": list, "config": map[string]string{}}
}

// TestRenewedElsewhere: credentials that come by another prefix than before are taken.
func TestRenewedElsewhere(t *testing.T) {
	for name, c := range map[string]struct{ first, then map[string]string }{
		"shorter":          {map[string]string{"s3://b/t/": "old"}, map[string]string{"s3://b": "new", "s3://b/u": "wrong", "s3": "wrong"}},
		"longer":           {map[string]string{"s3://b": "old"}, map[string]string{"s3://b/t/data": "new", "s3://b/t/metadata": "wrong"}},
		"the same":         {map[string]string{"s3://b/t": "old"}, map[string]string{"s3://b/t": "new", "s3://b": "wrong", "s3://b/t/data": "wrong"}},
		"in another style": {map[string]string{"s3://b/t": "old"}, map[string]string{"s3a://b/t": "new"}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			g := grantOf(t, func(w http.ResponseWriter, r *http.Request) {
				var out any = map[string]any{}
				if strings.Contains(r.URL.Path, "/tables/") {
					out = vended(c.first)
					if asked++; asked > 1 {
						out = vended(c.then)
					}
				}
				_ = json.NewEncoder(w).Encode(out)
			}, "s3://b/t/data/1.parquet", nil)
			if p := g.Settings(); p["s3.access-key-id"] != "old" {
				t.Fatal(p)
			}
			g.Refused(map[string]string{"s3.access-key-id": "old"})
			p, err := g.Fresh(t.Context())
			if err != nil || p["s3.access-key-id"] != "new" || asked != 2 {
				t.Errorf("%v, %v, asked %d times", p, err, asked)
			}
		})
	}
}

// TestRenewedWithoutToken: where the token of the table has expired, credentials come with the table.
func TestRenewedWithoutToken(t *testing.T) {
	loads := 0
	g := grantOf(t, func(w http.ResponseWriter, r *http.Request) {
		var out any = map[string]any{"endpoints": []string{loadsCredentials}}
		switch {
		case strings.HasSuffix(r.URL.Path, "/credentials"):
			if r.Header.Get("Authorization") != "Bearer of-the-table" {
				t.Errorf("asked with %q", r.Header.Get("Authorization"))
			}
			w.WriteHeader(http.StatusUnauthorized)
		case strings.Contains(r.URL.Path, "/tables/"):
			if r.Header.Get("Authorization") != "Bearer mine" {
				t.Errorf("asked with %q", r.Header.Get("Authorization"))
			}
			loads++
			in := vended(map[string]string{"s3://b": map[bool]string{true: "old", false: "new"}[loads == 1]})
			in["config"] = map[string]string{"token": "of-the-table"}
			out = in
		}
		_ = json.NewEncoder(w).Encode(out)
	}, "s3://b/t/data/1.parquet", map[string]string{"token": "mine"})
	g.Refused(map[string]string{"s3.access-key-id": "old"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if p, err := g.Fresh(ctx); err != nil || p["s3.access-key-id"] != "new" || loads != 2 {
		t.Errorf("%v, %v, loaded %d times", p, err, loads)
	}
}

// TestOwn: what the user has said is the user's own, unless the catalog says something else.
func TestOwn(t *testing.T) {
	said := map[string]string{}
	answer := func(w http.ResponseWriter, r *http.Request) {
		out := map[string]any{}
		if strings.Contains(r.URL.Path, "/tables/") {
			out = vended(nil)
			out["config"] = said
		}
		_ = json.NewEncoder(w).Encode(out)
	}
	for _, c := range []struct {
		user, catalog string
		own           bool
	}{{"http://a", "", true}, {"http://a", "http://a", true}, {"http://a", "http://b", false}, {"http://a", "http://a/", true}, {"http://a/", "http://a", true}, {"", "http://b", false}} {
		said = map[string]string{"s3.region": "x"}
		if c.catalog != "" {
			said["s3.endpoint"] = c.catalog
		}
		options := map[string]string{}
		if c.user != "" {
			options["s3.endpoint"] = c.user
		}
		g := grantOf(t, answer, "s3://b/t/1.parquet", options)
		if got := g.Own("s3.endpoint", g.Settings()["s3.endpoint"]); got != c.own {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestKeysLater: where a catalog vends keys after it had none, or other than the user's, it is another
// store; where it vends the next ones, it is the same.
func TestKeysLater(t *testing.T) {
	c := &catalog{options: map[string]string{"s3.access-key-id": "mine"}}
	a := &access{catalog: c, settings: &settings{properties: map[string]string{}}, grants: map[string]*grant{}}
	place := "http://a"
	grants := map[storage.Grant]string{}
	for _, step := range []struct {
		name, key string
		other     bool
	}{{"no key", "", true}, {"the user's", "mine", true}, {"vended", "first", true}, {"the next one", "second", false}, {"none again", "", false}} {
		config := map[string]*string{"s3.endpoint": &place}
		if step.key != "" {
			config["s3.access-key-id"] = &step.key
		}
		a.update(&loadJSON{Config: config})
		_, g := a.grantFor("s3://b/t/1.parquet")
		if _, known := grants[g]; known == step.other {
			t.Errorf("%s: another store: %v", step.name, !known)
		}
		grants[g] = step.name
	}
}
