package azure_test

import (
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/storetest"
	_ "github.com/parquetsql/parquetsql/store/azure"
)

const (
	testdata = "../../testdata"
	account  = "devstoreaccount1"
	// key is the one that every Azurite has; its documentation says it.
	key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// azurite starts an Azurite. The service that the test asks is at endpoint.
func azurite(t *testing.T) (endpoint string, c *container.Client) {
	t.Helper()
	program := storetest.Program(t, "azurite-blob", "npm install azurite@3.37.0")
	for _, name := range []string{"AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_ACCOUNT_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("AZURE_STORAGE_KEY", key)
	port := storetest.FreePort(t)
	storetest.Start(t, "127.0.0.1:"+port, nil, program, "--inMemoryPersistence", "--skipApiVersionCheck", "--silent", "--disableTelemetry", "--blobPort", port)
	endpoint = "http://127.0.0.1:" + port + "/" + account
	shared, err := container.NewSharedKeyCredential(account, key)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = container.NewClientWithSharedKeyCredential(endpoint+"/box", shared, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Create(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return endpoint, c
}

func put(t *testing.T, c *container.Client, name string, data []byte) {
	t.Helper()
	if _, err := c.NewBlockBlobClient(name).UploadBuffer(context.Background(), data, nil); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestScripts: all scripts over Azurite.
func TestScripts(t *testing.T) {
	endpoint, c := azurite(t)
	for name, data := range storetest.Files(t, testdata) {
		put(t, c, "data/"+name, data)
	}
	storetest.Scripts(t, testdata, storetest.Open(t, "az://"+account+"/box/data?endpoint="+endpoint), 30)
	storetest.Delta(t, testdata, storetest.Open(t, "az://"+account+"/box/data/_delta?endpoint="+endpoint))
}

// TestRequests: what a table of one blob takes: one request for a small blob, two for another, and one
// to see whether it is the same.
func TestRequests(t *testing.T) {
	endpoint, c := azurite(t)
	for file, first := range map[string]int64{"penguins.parquet": 1, "files/parquet-testing/data/alltypes_tiny_pages.parquet": 2} {
		data := storetest.Files(t, testdata)[file]
		put(t, c, "t.parquet", data)
		var requests []int64
		config, err := parquetsql.ParseDSN("az://" + account + "/box/t.parquet?endpoint=" + endpoint)
		if err != nil {
			t.Fatal(err)
		}
		config.OnQuery = func(s parquetsql.QueryStats) { requests = append(requests, s.Requests) }
		connector, err := parquetsql.NewConnector(config)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		for range 2 {
			if _, err := storetest.Rows(db, "SELECT COUNT(*) FROM t"); err != nil {
				t.Fatal(err)
			}
		}
		db.Close()
		if want := []int64{first, 1}; !slices.Equal(requests, want) {
			t.Errorf("%s of %d bytes: %v requests, want %v", file, len(data), requests, want)
		}
	}
	put(t, c, "empty.parquet", nil)
	if _, err := storetest.Rows(storetest.Open(t, "az://"+account+"/box/empty.parquet?endpoint="+endpoint), "SELECT * FROM empty"); err == nil || !strings.Contains(err.Error(), "empty.parquet") {
		t.Errorf("an empty blob: %v", err)
	}
}

// TestKeys: names are taken as they are, under both spellings of the address.
func TestKeys(t *testing.T) {
	endpoint, c := azurite(t)
	data := storetest.Files(t, testdata)["penguins.parquet"]
	for _, name := range storetest.KeyNames {
		put(t, c, "p/"+name, data)
	}
	for _, address := range []string{"az://" + account + "/box/p", "abfss://box@" + account + ".dfs.core.windows.net/p"} {
		storetest.Keys(t, func(rest string) *sql.DB { return storetest.Open(t, address+rest+"?endpoint="+endpoint) }, address)
	}
}

// TestRefusals: errors name the blob, say what to do and show no credentials.
func TestRefusals(t *testing.T) {
	endpoint, c := azurite(t)
	put(t, c, "a.parquet", []byte("PAR1"))
	refused := func(dsn, want string) {
		t.Helper()
		db, err := sql.Open("parquet", dsn+"endpoint="+endpoint)
		if err == nil {
			_, err = storetest.Rows(db, "SELECT * FROM a")
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v, want %s", dsn, err, want)
		}
	}
	refused("az://"+account+"/box/none.parquet?", "az://"+account+"/box/none.parquet: 404")
	refused("az://"+account+"/none/?", "there is no such container")
	refused("az://"+account+"/box/a.parquet?anonymous=maybe&", "option anonymous")
	refused("az://"+account+"?", "an address is az://account/container")
	refused("az://"+account+"/box/a.parquet?anonymous=true&", "az://"+account+"/box/a.parquet: 40")
	t.Setenv("AZURE_STORAGE_KEY", "c2VjcmV0")
	refused("az://"+account+"/box/a.parquet?", "the credentials may not read it")
	t.Setenv("AZURE_STORAGE_KEY", "")
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "?sv=2021-08-06&sig=secret&se=2020-01-01")
	refused("az://"+account+"/box/a.parquet?", "az://"+account+"/box/a.parquet: 403")
}

// TestFaults: random faults between the driver and Azurite.
func TestFaults(t *testing.T) {
	endpoint, c := azurite(t)
	leaktest.Check(t)
	first, second := storetest.Versions(t, testdata)
	target, err := url.Parse(strings.TrimSuffix(endpoint, "/"+account))
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	t.Cleanup(transport.CloseIdleConnections)
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // it is signed
	}, ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }}
	faults := &storetest.Faults{Server: proxy, Expired: func(w http.ResponseWriter) { http.Error(w, "", http.StatusForbidden) }}
	faults.Replace = storetest.InTurn(func(data []byte) { put(t, c, "t.parquet", data) }, first, second)
	faults.Replace()
	front := httptest.NewServer(faults)
	t.Cleanup(front.Close)
	for _, location := range []string{"/box", "/box/t.parquet"} {
		runs := storetest.Runs{Faults: faults, Query: storetest.VersionsQuery, Objects: []string{"t.parquet", "/box/"}, Count: 500}
		runs.Open = func() (*sql.DB, error) {
			return sql.Open("parquet", "az://"+account+location+"?endpoint="+front.URL+"/"+account)
		}
		if testing.Short() {
			runs.Count = 30
		}
		want := storetest.VersionRows(t, first, second)
		runs.Run(t, want[0], want[1])
	}
}

// TestWrites: blobs are written and removed.
func TestWrites(t *testing.T) {
	endpoint, _ := azurite(t)
	storetest.Writes(t, "az://"+account+"/box/written", map[string]string{"endpoint": endpoint})
}
