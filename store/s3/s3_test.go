package s3_test

import (
	"bytes"
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	_ "github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/storetest"
	_ "github.com/parquetsql/parquetsql/store/s3"
)

const (
	testdata  = "../../testdata"
	accessKey = "AKIATEST"
	secretKey = "secretsecretsecret"
)

// credentialsOf sets what the SDK's chain finds, and nothing of the machine's.
func credentialsOf(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "us-east-1",
		"AWS_CONFIG_FILE": t.TempDir() + "/none", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
}

// bucketOf is a client that writes.
func bucketOf(t *testing.T, endpoint string) *sdk.Client {
	t.Helper()
	c := sdk.New(sdk.Options{
		BaseEndpoint: &endpoint, UsePathStyle: true, Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider(accessKey, secretKey, ""),
	})
	if _, err := c.CreateBucket(context.Background(), &sdk.CreateBucketInput{Bucket: aws.String("bucket")}); err != nil {
		t.Fatal(err)
	}
	return c
}

func put(t *testing.T, c *sdk.Client, name string, data []byte) {
	t.Helper()
	in := &sdk.PutObjectInput{Bucket: aws.String("bucket"), Key: &name, Body: bytes.NewReader(data)}
	if _, err := c.PutObject(context.Background(), in); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// fakeS3 is gofakes3 with what it lacks: it ignores If-Match, and sends the checksum of the whole
// object with a part.
type fakeS3 struct {
	http.Handler
	backend gofakes3.Backend
}

func newFake() *fakeS3 {
	b := s3mem.New()
	return &fakeS3{gofakes3.New(b).Server(), b}
}

func (f *fakeS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	want := r.Header.Get("If-Match")
	if want != "" {
		head := httptest.NewRecorder()
		asks := r.Clone(r.Context())
		asks.Method = http.MethodHead
		asks.Header.Del("Range")
		if f.Handler.ServeHTTP(head, asks); head.Code == http.StatusOK && head.Header().Get("ETag") != want {
			refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
			return
		}
	}
	f.Handler.ServeHTTP(&withoutChecksum{w}, r)
}

type withoutChecksum struct{ http.ResponseWriter }

func (w *withoutChecksum) WriteHeader(status int) {
	for name := range w.Header() {
		if strings.HasPrefix(name, "X-Amz-Checksum-") {
			w.Header().Del(name)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = w.Write([]byte("<Error><Code>" + code + "</Code><Message>no</Message></Error>"))
}

// TestScriptsFake: all scripts over gofakes3.
func TestScriptsFake(t *testing.T) {
	credentialsOf(t)
	server := httptest.NewServer(newFake())
	t.Cleanup(server.Close)
	c := bucketOf(t, server.URL)
	for name, data := range storetest.Files(t, testdata) {
		put(t, c, "data/"+name, data)
	}
	storetest.Scripts(t, testdata, storetest.Open(t, "s3://bucket/data?endpoint="+server.URL), 12)
	storetest.Delta(t, testdata, storetest.Open(t, "s3://bucket/data/_delta?endpoint="+server.URL))
}

// gateway starts versitygw.
func gateway(t *testing.T) (endpoint string, c *sdk.Client) {
	t.Helper()
	program := storetest.Program(t, "versitygw", "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	credentialsOf(t)
	address := "127.0.0.1:" + storetest.FreePort(t)
	storetest.Start(t, address, nil, program, "--quiet", "--keep-alive", "--port", address, "--access", accessKey, "--secret", secretKey, "posix", "--sidecar", t.TempDir(), t.TempDir())
	endpoint = "http://" + address
	return endpoint, bucketOf(t, endpoint)
}

// TestScriptsGateway: all scripts over versitygw, which checks signatures and If-Match.
func TestScriptsGateway(t *testing.T) {
	endpoint, c := gateway(t)
	for name, data := range storetest.Files(t, testdata) {
		put(t, c, "data/"+name, data)
	}
	storetest.Scripts(t, testdata, storetest.Open(t, "s3://bucket/data?endpoint="+endpoint), 30)
	storetest.Delta(t, testdata, storetest.Open(t, "s3://bucket/data/_delta?endpoint="+endpoint))
	for name, data := range storetest.IcebergFiles(t, testdata) {
		put(t, c, "lake/"+name, data)
	}
	storetest.Iceberg(t, testdata, storetest.Open(t, "s3://bucket/lake?endpoint="+endpoint))
}

// TestKeys: names are taken as they are, over both servers.
func TestKeys(t *testing.T) {
	for name, serve := range map[string]func(*testing.T) (string, *sdk.Client){"gofakes3": fake, "versitygw": gateway} {
		t.Run(name, func(t *testing.T) {
			endpoint, c := serve(t)
			data := storetest.Files(t, testdata)["penguins.parquet"]
			for _, key := range storetest.KeyNames {
				put(t, c, "p/"+key, data)
			}
			storetest.Keys(t, func(rest string) *sql.DB { return storetest.Open(t, "s3://bucket/p"+rest+"?endpoint="+endpoint) }, "s3://bucket/p")
		})
	}
}

// fake starts gofakes3.
func fake(t *testing.T) (endpoint string, c *sdk.Client) {
	t.Helper()
	credentialsOf(t)
	server := httptest.NewServer(newFake())
	t.Cleanup(server.Close)
	return server.URL, bucketOf(t, server.URL)
}

// TestRefusals: errors name the object, say what to do and show no credentials.
func TestRefusals(t *testing.T) {
	endpoint, _ := gateway(t)
	for dsn, want := range map[string]string{
		"s3://bucket/none.parquet?endpoint=":               "NoSuchKey",
		"s3://none/a.parquet?endpoint=":                    "there is no such bucket",
		"s3://bucket/none/?endpoint=":                      "no object is there",
		"s3://bucket/a.parquet?anonymous=true&endpoint=":   "the credentials may not read it",
		"s3://bucket/a.parquet?path_style=maybe&endpoint=": "option path_style",
		"s3://bucket/a.parquet?profile=nobody&endpoint=":   "nobody",
	} {
		db, err := sql.Open("parquet", dsn+endpoint)
		if err == nil {
			_, err = storetest.Rows(db, "SELECT * FROM a")
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secretKey) || strings.Contains(err.Error(), "Signature=") {
			t.Errorf("%s: %v, want %s", dsn, err, want)
		}
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
	if _, err := storetest.Rows(storetest.Open(t, "s3://bucket/a.parquet?endpoint="+endpoint), "SELECT * FROM a"); err == nil || !strings.Contains(err.Error(), "the secret key is another one") {
		t.Errorf("another key: %v", err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	if _, err := storetest.Rows(storetest.Open(t, "s3://bucket/a.parquet?endpoint="+endpoint), "SELECT * FROM a"); err == nil || !strings.Contains(err.Error(), "no credentials were found") {
		t.Errorf("no key: %v", err)
	}
}

// TestRegion: a bucket in another region is followed.
func TestRegion(t *testing.T) {
	credentialsOf(t)
	target, asked := newFake(), 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && !strings.Contains(r.Header.Get("Authorization"), "/eu-west-3/") {
			asked++
			w.Header().Set("X-Amz-Bucket-Region", "eu-west-3")
			refuse(w, http.StatusMovedPermanently, "PermanentRedirect")
			return
		}
		target.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	put(t, bucketOf(t, server.URL), "a.parquet", storetest.Files(t, testdata)["penguins.parquet"])
	db := storetest.Open(t, "s3://bucket?endpoint="+server.URL)
	for range 2 {
		if got, err := storetest.Rows(db, "SELECT COUNT(*) FROM a"); err != nil || got[0] != "344" {
			t.Errorf("%v, %v", got, err)
		}
	}
	if asked != 1 {
		t.Errorf("the wrong region was asked %d times", asked)
	}
}

// TestFaults: random faults of the service and the network.
func TestFaults(t *testing.T) {
	credentialsOf(t)
	leaktest.Check(t)
	first, second := storetest.Versions(t, testdata)
	target := newFake()
	faults := &storetest.Faults{Server: target, Expired: func(w http.ResponseWriter) { refuse(w, http.StatusBadRequest, "ExpiredToken") }}
	faults.Replace = storetest.InTurn(func(data []byte) {
		if _, err := target.backend.PutObject("bucket", "t.parquet", map[string]string{}, bytes.NewReader(data), int64(len(data)), nil); err != nil {
			t.Error(err)
		}
	}, first, second)
	stale := &staleListing{Handler: target}
	faults.Server, faults.Stale = stale, stale.keep
	front := httptest.NewServer(faults)
	t.Cleanup(front.Close)
	if err := target.backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	faults.Replace()
	want := storetest.VersionRows(t, first, second)
	for _, location := range []string{"s3://bucket/t.parquet", "s3://bucket"} {
		runs := storetest.Runs{Faults: faults, Query: storetest.VersionsQuery, Objects: []string{"t.parquet", "s3://bucket/"}, Count: 500}
		runs.Open = func() (*sql.DB, error) { return sql.Open("parquet", location+"?endpoint="+front.URL) }
		if testing.Short() {
			runs.Count = 50
		}
		runs.Run(t, want[0], want[1])
	}
}

// staleListing answers listings as they were before.
type staleListing struct {
	http.Handler
	mu   sync.Mutex
	kept *httptest.ResponseRecorder // nil: as they are
}

func (s *staleListing) keep(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = nil
	if on {
		s.kept = httptest.NewRecorder()
		s.Handler.ServeHTTP(s.kept, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/bucket?list-type=2&prefix=", nil))
	}
}

func (s *staleListing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	kept := s.kept
	s.mu.Unlock()
	if kept == nil || !r.URL.Query().Has("list-type") {
		s.Handler.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	_, _ = w.Write(kept.Body.Bytes())
}

// TestWrites: objects are written and removed. gofakes3 does not know fresh ones.
func TestWrites(t *testing.T) {
	endpoint, _ := gateway(t)
	storetest.Writes(t, "s3://bucket/written", map[string]string{"endpoint": endpoint})
}
