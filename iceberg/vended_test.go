package iceberg_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/iceberg/internal/testcatalog"
	"github.com/parquetsql/parquetsql/internal/storetest"
	_ "github.com/parquetsql/parquetsql/store/s3"
)

// gateway is versitygw with a bucket that has two tables, and users who may read what a policy says.
type gateway struct {
	t        *testing.T
	program  string
	endpoint string
	root     *sdk.Client
	mu       sync.Mutex
	mayRead  map[string]string // by user: the names of objects begin so
	catalog  *testcatalog.Server
	found    map[string]testcatalog.Found
}

const (
	bucket   = "hyperparam-iceberg"
	rootUser = "ROOT"
	rootKey  = "root-root-root"
)

func newGateway(t *testing.T) *gateway {
	t.Helper()
	for name, value := range map[string]string{ // what the SDK would find is good for nothing
		"AWS_ACCESS_KEY_ID": "NOBODY", "AWS_SECRET_ACCESS_KEY": "nothing", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "us-east-1",
		"AWS_CONFIG_FILE": t.TempDir() + "/none", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	g := &gateway{t: t, program: storetest.Program(t, "versitygw", "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0"), mayRead: map[string]string{}, catalog: &testcatalog.Server{}, found: map[string]testcatalog.Found{}}
	address := "127.0.0.1:" + storetest.FreePort(t)
	g.endpoint = "http://" + address
	storetest.Start(t, address, nil, g.program, "--quiet", "--keep-alive", "--port", address, "--access", rootUser, "--secret", rootKey, "--iam-dir", t.TempDir(), "--iam-cache-disable", "posix", "--sidecar", t.TempDir(), t.TempDir())
	g.root = sdk.New(sdk.Options{BaseEndpoint: &g.endpoint, UsePathStyle: true, Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider(rootUser, rootKey, "")})
	ctx := context.Background()
	if _, err := g.root.CreateBucket(ctx, &sdk.CreateBucketInput{Bucket: aws.String(bucket)}); err != nil {
		t.Fatal(err)
	}
	list, err := testcatalog.Folders(testdata + "/icebird")
	if err != nil || len(list) != 2 {
		t.Fatalf("%d tables, %v", len(list), err)
	}
	for _, f := range list {
		key := strings.TrimPrefix(f.Location, "s3a://"+bucket+"/")
		err := filepath.WalkDir(f.Folder, func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(f.Folder, p)
			if err != nil {
				return err
			}
			_, err = g.root.PutObject(ctx, &sdk.PutObjectInput{Bucket: aws.String(bucket), Key: aws.String(key + "/" + filepath.ToSlash(rel)), Body: bytes.NewReader(data)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f.Folder)
		g.found[name] = f
		g.catalog.Add(&testcatalog.Table{Namespace: []string{"db"}, Name: name, File: f.File, Metadata: f.Metadata})
	}
	return g
}

// admin runs the gateway's own tool.
func (g *gateway) admin(args ...string) {
	g.t.Helper()
	args = append([]string{"admin", "--access", rootUser, "--secret", rootKey, "--endpoint-url", g.endpoint}, args...)
	if out, err := exec.Command(g.program, args...).CombinedOutput(); err != nil {
		g.t.Fatalf("%s: %v", out, err)
	}
}

// user makes a user who may read the objects whose names begin so.
func (g *gateway) user(name, prefix string) {
	g.t.Helper()
	g.admin("create-user", "--access", name, "--secret", name+"-secret", "--role", "user")
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mayRead[name] = prefix
	g.policy()
}

// remove makes the keys of a user good for nothing.
func (g *gateway) remove(name string) {
	g.t.Helper()
	g.mu.Lock()
	delete(g.mayRead, name)
	g.policy()
	g.mu.Unlock()
	g.admin("delete-user", "--access", name)
}

func (g *gateway) policy() {
	var statements []string
	for user, prefix := range g.mayRead {
		statements = append(statements, fmt.Sprintf(`{"Effect":"Allow","Principal":{"AWS":[%q]},"Action":["s3:GetObject"],"Resource":["arn:aws:s3:::%s/%s*"]}`, user, bucket, prefix))
	}
	slices.Sort(statements)
	if len(statements) == 0 {
		return
	}
	text := `{"Version":"2012-10-17","Statement":[` + strings.Join(statements, ",") + `]}`
	if _, err := g.root.PutBucketPolicy(context.Background(), &sdk.PutBucketPolicyInput{Bucket: aws.String(bucket), Policy: &text}); err != nil {
		g.t.Fatal(err)
	}
}

// keys are what a catalog vends for a user.
func (g *gateway) keys(user string) map[string]string {
	return map[string]string{"s3.access-key-id": user, "s3.secret-access-key": user + "-secret"}
}

// place are the properties that say where the bucket is.
func (g *gateway) place() map[string]string {
	return map[string]string{"s3.endpoint": g.endpoint, "s3.path-style-access": "true", "client.region": "us-east-1"}
}

func merged(list ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range list {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// same compares a table with what its folder on disk has.
func (g *gateway) same(q interface {
	Query(string, ...any) (*sql.Rows, error)
}, name string) error {
	disk, err := sql.Open("parquet", g.found[name].Folder)
	if err != nil {
		return err
	}
	defer disk.Close()
	want, err := rowsOf(disk, "SELECT * FROM `"+name+"`")
	if err != nil {
		return err
	}
	got, err := rowsOf(q, "SELECT * FROM db."+name)
	slices.Sort(want)
	slices.Sort(got)
	if err == nil && (len(got) == 0 || !slices.Equal(got, want)) {
		err = fmt.Errorf("%d rows, want %d", len(got), len(want))
	}
	return err
}

// TestVended: each table is read with the credentials that the catalog vends for it, of several those
// with the longest prefix, and with no others.
func TestVended(t *testing.T) {
	g := newGateway(t)
	g.user("bunny", "java/")
	g.user("namer", "spark/")
	vend := func(_ *testcatalog.Table) (map[string]string, []testcatalog.Credential) {
		return g.place(), []testcatalog.Credential{
			{Prefix: "s3", Config: g.keys("namer")},
			{Prefix: "s3://" + bucket + "/java/", Config: g.keys("bunny")},
			{Prefix: "s3://" + bucket + "/java/bunnies/metadata/nothing", Config: g.keys("namer")},
			{Prefix: "s3://" + bucket + "/java/bunnies", Config: map[string]string{"fs.s3a.access.key": "for Hadoop"}},
		}
	}
	g.catalog.Vend = vend
	db := serve(t, g.catalog)
	for name := range g.found {
		if err := g.same(db, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Run("metadata by its address alone", func(t *testing.T) {
		f := g.found["bunnies"]
		g.catalog.Add(&testcatalog.Table{Namespace: []string{"db"}, Name: "bunnies", File: f.File})
		if err := g.same(db, "bunnies"); err != nil {
			t.Error(err)
		}
	})
	t.Run("in the table's config", func(t *testing.T) {
		g.catalog.Vend = func(tab *testcatalog.Table) (map[string]string, []testcatalog.Credential) {
			user := map[string]string{"bunnies": "bunny", "rename_column": "namer"}[tab.Name]
			return merged(g.place(), g.keys(user)), nil
		}
		for name := range g.found {
			if err := g.same(db, name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("without", func(t *testing.T) {
		db := serve(t, g.catalog, "vended=off", "s3.endpoint="+g.endpoint, "s3.path-style-access=true")
		if err := g.same(db, "bunnies"); err == nil || !strings.Contains(err.Error(), "does not know the access key") {
			t.Errorf("%v", err)
		}
	})
	t.Run("by the user", func(t *testing.T) {
		g.catalog.Vend = nil
		db := serve(t, g.catalog, "s3.endpoint="+g.endpoint, "s3.path-style-access=true", "s3.access-key-id=bunny", "s3.secret-access-key=bunny-secret")
		if err := g.same(db, "bunnies"); err != nil {
			t.Error(err)
		}
		if err := g.same(db, "rename_column"); err == nil || strings.Contains(err.Error(), "bunny-secret") {
			t.Errorf("what the user may not read: %v", err)
		}
	})
	t.Run("others", func(t *testing.T) {
		g.catalog.Vend = func(*testcatalog.Table) (map[string]string, []testcatalog.Credential) {
			return g.place(), []testcatalog.Credential{{Prefix: "s3://" + bucket, Config: g.keys("namer")}}
		}
		db := serve(t, g.catalog)
		if err := g.same(db, "bunnies"); err == nil || strings.Contains(err.Error(), "namer-secret") {
			t.Errorf("%v", err)
		}
		g.catalog.Vend = func(*testcatalog.Table) (map[string]string, []testcatalog.Credential) {
			return merged(g.place(), map[string]string{"s3.remote-signing-enabled": "true"}), nil
		}
		if err := g.same(serve(t, g.catalog), "bunnies"); err == nil || !strings.Contains(err.Error(), "sign each request itself") {
			t.Errorf("%v", err)
		}
	})
}

// TestVendedKept: what was read of a table's files is kept in cache_dir, also with other credentials.
func TestVendedKept(t *testing.T) {
	g := newGateway(t)
	g.user("bunny", "java/")
	g.user("other", "java/")
	user := "bunny"
	g.catalog.Vend = func(*testcatalog.Table) (map[string]string, []testcatalog.Credential) {
		return g.place(), []testcatalog.Credential{{Prefix: "s3://" + bucket, Config: g.keys(user)}}
	}
	server := httptest.NewServer(g.catalog)
	t.Cleanup(server.Close)
	dir := t.TempDir()
	var read, kept []int64
	for i, u := range []string{"bunny", "other"} {
		user = u
		c, err := parquetsql.ParseDSN("iceberg://host/wh?cache_dir=" + url.QueryEscape(dir) + "&endpoint=" + server.URL)
		if err != nil {
			t.Fatal(err)
		}
		var bytes, cached int64
		c.OnQuery = func(q parquetsql.QueryStats) { bytes, cached = bytes+q.RequestBytes, cached+q.CachedBytes }
		db := openConfig(t, c)
		if err := g.same(db, "bunnies"); err != nil {
			t.Error(i, err)
		}
		db.Close()
		read, kept = append(read, bytes), append(kept, cached)
	}
	if kept[1] == 0 || read[1] >= read[0]/2 {
		t.Errorf("%d bytes were read and %d kept, then %d and %d", read[0], kept[0], read[1], kept[1])
	}
	t.Logf("%d bytes were read and %d kept, then %d and %d", read[0], kept[0], read[1], kept[1])
}

// TestVendedExpires: in a transaction, which asks for the table once, credentials are replaced before
// they end, or when the service takes them no more: at the endpoint for them, or with the table.
func TestVendedExpires(t *testing.T) {
	for _, endpoint := range []bool{true, false} {
		t.Run(fmt.Sprint("endpoint ", endpoint), func(t *testing.T) {
			g := newGateway(t)
			g.user("first", "java/")
			var user atomic.Pointer[string]
			var life atomic.Int64
			first, second := "first", "second"
			user.Store(&first)
			g.catalog.Vend = func(*testcatalog.Table) (map[string]string, []testcatalog.Credential) {
				c := g.keys(*user.Load())
				if l := life.Load(); l > 0 {
					c["s3.session-token-expires-at-ms"] = fmt.Sprint(time.Now().Add(time.Duration(l)).UnixMilli())
				}
				return g.place(), []testcatalog.Credential{{Prefix: "s3://" + bucket + "/java", Config: c}}
			}
			renewals := func() (credentials, tables int) {
				for _, r := range g.catalog.Requests() {
					switch {
					case strings.HasSuffix(r, "/credentials"):
						credentials++
					case strings.Contains(r, "/tables/"):
						tables++
					}
				}
				return credentials, tables
			}
			if endpoint {
				g.catalog.Endpoints = []string{"GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials"}
			}
			// Footers are not kept, so that each query reads.
			db := serve(t, g.catalog, "footer_cache=1")
			tx, err := db.Begin()
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback()
			if err := g.same(tx, "bunnies"); err != nil {
				t.Fatal(err)
			}
			renewals()

			g.remove("first")
			g.user("second", "java/")
			user.Store(&second)
			if err := g.same(tx, "bunnies"); err != nil {
				t.Errorf("after the keys were removed: %v", err)
			}
			if c, n := renewals(); c+n != 1 || (c == 1) != endpoint {
				t.Errorf("asked %d times for credentials and %d times for the table", c, n)
			}

			life.Store(int64(4 * time.Second)) // a quarter before the end they are replaced
			if err := g.same(db, "bunnies"); err != nil {
				t.Error(err)
			}
			tx2, err := db.Begin()
			if err != nil {
				t.Fatal(err)
			}
			defer tx2.Rollback()
			if err := g.same(tx2, "bunnies"); err != nil {
				t.Error(err)
			}
			renewals()
			time.Sleep(3200 * time.Millisecond)
			if err := g.same(tx2, "bunnies"); err != nil {
				t.Error(err)
			}
			if c, n := renewals(); c+n != 1 || (c == 1) != endpoint {
				t.Errorf("near the end: asked %d times for credentials and %d times for the table", c, n)
			}

			// Where the catalog gives no others, the error says so.
			g.catalog.Fault = func(w http.ResponseWriter, r *http.Request) bool {
				if strings.Contains(r.URL.Path, "/tables/") {
					w.WriteHeader(http.StatusForbidden)
					return true
				}
				return false
			}
			g.remove("second")
			if err := g.same(tx2, "bunnies"); err == nil || !strings.Contains(err.Error(), "bunnies") || strings.Contains(err.Error(), "second-secret") {
				t.Errorf("%v", err)
			} else {
				t.Log(err)
			}
		})
	}
}

// TestVendedRotates: queries go on while the keys change under them.
func TestVendedRotates(t *testing.T) {
	g := newGateway(t)
	var user atomic.Pointer[string]
	rotate := func(name string) {
		g.user(name, "java/")
		user.Store(&name)
	}
	rotate("user0")
	g.catalog.Vend = func(*testcatalog.Table) (map[string]string, []testcatalog.Credential) {
		return g.place(), []testcatalog.Credential{{Prefix: "s3://" + bucket, Config: g.keys(*user.Load())}}
	}
	db := serve(t, g.catalog, "footer_cache=1")
	ended := make(chan struct{})
	var wg sync.WaitGroup
	var done atomic.Int64
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
				}
				if err := g.same(db, "bunnies"); err != nil {
					t.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	for i := range 3 {
		time.Sleep(1200 * time.Millisecond)
		rotate(fmt.Sprint("user", i+1))
		g.remove(fmt.Sprint("user", i))
	}
	time.Sleep(300 * time.Millisecond)
	close(ended)
	wg.Wait()
	if n := done.Load(); n < 10 {
		t.Errorf("only %d queries", n)
	}
}
