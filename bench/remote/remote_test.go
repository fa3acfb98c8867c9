// Package remote measures queries over a bucket that is 30 ms away: versitygw behind toxiproxy.
//
//	go test -run Figures -v -figures [-small 10000] [-hits hits.parquet]
//	go test -run Link -v -figures [-wire 100]
//
// -hits names a file with the columns of ClickBench, as bench/hits writes it.
//
// toxiproxy's bandwidth is that of each connection, 100 MB/s. TestLink has a wire in its place that all
// connections share.
package remote

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/parquet-go/parquet-go"
	"github.com/rs/zerolog"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/storetest"
	_ "github.com/parquetsql/parquetsql/store/s3"
)

var (
	figures = flag.Bool("figures", false, "measure; else nothing is done")
	small   = flag.Int("small", 10_000, "how many small files")
	wire    = flag.Float64("wire", 100, "MB/s of all connections together, for the full scan")
	hits    = flag.String("hits", "", "ClickBench's file; without it its query is left out")
)

const accessKey, secretKey = "AKIATEST", "secretsecretsecret"

// far is the address of a proxy before another one: 30 ms, and 100 MB/s of each connection.
func far(t *testing.T, near string) string {
	t.Helper()
	front := "127.0.0.1:" + storetest.FreePort(t)
	proxy := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), "far", front, near)
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Stop)
	for _, toxic := range []string{
		`{"type":"latency","stream":"upstream","attributes":{"latency":30}}`,
		`{"type":"bandwidth","stream":"downstream","attributes":{"rate":100000}}`,
	} {
		if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			t.Fatal(err)
		}
	}
	return front
}

// bucket starts versitygw.
func bucket(t *testing.T) (near string, c *s3.Client) {
	t.Helper()
	program := storetest.Program(t, "versitygw", "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	near = "127.0.0.1:" + storetest.FreePort(t)
	storetest.Start(t, near, nil, program, "--quiet", "--keep-alive", "--port", near, "--access", accessKey, "--secret", secretKey, "posix", "--sidecar", t.TempDir(), t.TempDir())
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_REGION": "us-east-1", "AWS_CONFIG_FILE": "none", "AWS_SHARED_CREDENTIALS_FILE": "none",
	} {
		t.Setenv(name, value)
	}
	endpoint := "http://" + near
	c = s3.New(s3.Options{BaseEndpoint: &endpoint, UsePathStyle: true, Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider(accessKey, secretKey, "")})
	if _, err := c.CreateBucket(context.Background(), &s3.CreateBucketInput{Bucket: aws.String("bucket")}); err != nil {
		t.Fatal(err)
	}
	return near, c
}

// put writes objects, several at a time.
func put(t *testing.T, c *s3.Client, names []string, data []byte) {
	t.Helper()
	next := make(chan string)
	var writers sync.WaitGroup
	for range 16 {
		writers.Go(func() {
			for name := range next {
				in := &s3.PutObjectInput{Bucket: aws.String("bucket"), Key: &name, Body: bytes.NewReader(data)}
				if _, err := c.PutObject(context.Background(), in); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	for _, name := range names {
		next <- name
	}
	close(next)
	writers.Wait()
}

func names(n int, format string) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf(format, i))
	}
	return out
}

type row struct {
	ID               int64
	A, B, C, D, E, F int64
	Text             string
}

// long is a file of two million rows, about 110 MB.
func long(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(250_000))
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]row, 10_000)
	for i := range 200 {
		for k := range rows {
			rows[k] = row{int64(i*len(rows) + k), r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64(), fmt.Sprint(r.Uint32())}
		}
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// measure runs a query in a new connector, then once more in the same, and prints what both took.
func measure(t *testing.T, what, dsn, query string) {
	t.Helper()
	c, err := parquetsql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	var stats parquetsql.QueryStats
	c.OnQuery = func(s parquetsql.QueryStats) { stats = s }
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, state := range []string{"cold", "warm"} {
		if _, err := storetest.Rows(db, query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		fmt.Printf("| %s, %s | %d | %.1f | %.2f |\n", what, state, stats.Requests, float64(stats.RequestBytes)/1e6, stats.Duration.Round(10*time.Millisecond).Seconds())
	}
}

// clickBench measures one row of all 105 columns of ClickBench's file, in the middle of it.
func clickBench(t *testing.T, c *s3.Client, at func(string) string) {
	t.Helper()
	data, err := os.ReadFile(*hits)
	if err != nil {
		t.Fatal(err)
	}
	put(t, c, []string{"hits.parquet"}, data)
	db, err := sql.Open("parquet", *hits)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	id, err := storetest.Rows(db, "SELECT CAST(WatchID AS VARCHAR) FROM hits ORDER BY _row LIMIT 1 OFFSET (SELECT COUNT(*) // 2 FROM hits)")
	if err != nil || len(id) != 1 {
		t.Fatalf("%v, %v", id, err)
	}
	measure(t, fmt.Sprintf("one row of ClickBench's file (%d MB)", len(data)/1e6), at("hits.parquet"), "SELECT * FROM hits WHERE WatchID = "+id[0])
}

func TestFigures(t *testing.T) {
	if !*figures {
		t.Skip("a measurement: -figures makes it")
	}
	near, c := bucket(t)
	penguins, err := os.ReadFile("../../testdata/penguins.parquet")
	if err != nil {
		t.Fatal(err)
	}
	data := long(t)
	put(t, c, []string{"long.parquet"}, data)
	put(t, c, names(60, "parts/k=%d/a.parquet"), penguins)
	put(t, c, names(*small, "small/%05d.parquet"), penguins)
	fmt.Printf("the long file has %.1f MB\n\n| query | requests | MB | s |\n| --- | ---: | ---: | ---: |\n", float64(len(data))/1e6)
	front := far(t, near)
	at := func(path string) string { return "s3://bucket/" + path + "?endpoint=http://" + front }
	if *hits != "" {
		clickBench(t, c, at)
	}
	measure(t, "`COUNT(*)` of a file", at("long.parquet"), "SELECT COUNT(*) FROM long")
	measure(t, "one row of 8 columns by its key", at("long.parquet"), "SELECT * FROM long WHERE ID = 1234567")
	measure(t, "a scan of all columns", at("long.parquet"), "SELECT SUM(A % 7), SUM(B % 7), SUM(C % 7), SUM(D % 7), SUM(E % 7), SUM(F % 7), MAX(Text), MAX(ID % 7) FROM long")
	measure(t, "one of 60 partitions", at("parts"), "SELECT MAX(\"Body Mass (g)\") FROM parts WHERE k = 7")
	measure(t, fmt.Sprintf("`COUNT(*)` of %d small files", *small), at("small"), "SELECT COUNT(*) FROM 's3://bucket/small/*.parquet'")
	measure(t, "the same with `footer_cache=256MiB`", at("small")+"&footer_cache=256MiB", "SELECT COUNT(*) FROM 's3://bucket/small/*.parquet'")
}

// TestLink: a full scan over one wire, and how much of the wire it fills.
func TestLink(t *testing.T) {
	if !*figures {
		t.Skip("a measurement: -figures makes it")
	}
	near, c := bucket(t)
	l := &link{rate: *wire * 1e6, latency: 30 * time.Millisecond}
	front := l.start(t, near)
	put(t, c, names(12, "long/%d.parquet"), long(t))
	for range 3 {
		config, err := parquetsql.ParseDSN("s3://bucket/long?endpoint=http://" + front)
		if err != nil {
			t.Fatal(err)
		}
		var stats parquetsql.QueryStats
		config.OnQuery = func(s parquetsql.QueryStats) { stats = s }
		connector, err := parquetsql.NewConnector(config)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		rows, err := storetest.Rows(db, "SELECT MAX(A), MAX(B), MAX(C), MAX(D), MAX(E), MAX(F), MAX(Text), MAX(ID) FROM 's3://bucket/long/*.parquet' WHERE A <> 0")
		if err != nil {
			t.Fatalf("%v, %v", rows, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		took := stats.Duration.Seconds()
		fmt.Printf("%d requests, %.1f MB in %.2f s: %.0f %% of %.0f MB/s\n", stats.Requests, float64(stats.RequestBytes)/1e6, took, float64(stats.RequestBytes)/took/(*wire*1e4), *wire)
	}
}
