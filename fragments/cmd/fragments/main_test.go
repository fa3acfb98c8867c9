package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/fragments"
)

// TestQuery: a query runs on workers, one of which does nothing but fail at first.
func TestQuery(t *testing.T) {
	store := t.TempDir()
	good := httptest.NewServer(handler(&fragments.Worker{}, fragments.Dir(store)))
	defer good.Close()
	var calls atomic.Int64
	own := handler(&fragments.Worker{}, fragments.Dir(store))
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) < 2 {
			http.Error(w, "not today", http.StatusServiceUnavailable)
			return
		}
		own.ServeHTTP(w, r)
	}))
	defer bad.Close()
	var out bytes.Buffer
	args := []string{"-workers", bad.URL + "," + good.URL, "-store", store, "-dsn", "../../../testdata", "-split", "1", "-partitions", "2"}
	if err := run(t.Context(), append(args, "-sql", "SELECT species, COUNT(*) AS n FROM penguins GROUP BY species ORDER BY species"), &out); err != nil {
		t.Fatal(err)
	}
	if want := "Species,n\nAdelie,152\nChinstrap,68\nGentoo,124\n"; !strings.EqualFold(out.String(), want) { // of palmerpenguins' own page
		t.Errorf("%s", out.String())
	}
	if left, err := fragments.Dir(store).List(t.Context(), ""); len(left) > 0 || err != nil {
		t.Errorf("left are %q, %v", left, err)
	}
	out.Reset()
	if err := run(t.Context(), append(args, "-explain", "-sql", "SELECT DISTINCT species FROM penguins"), &out); err != nil || strings.Count(out.String(), "stage ") < 3 {
		t.Errorf("%s, %v", out.String(), err)
	}
	if err := run(t.Context(), append(args, "-sql", "SELECT ROW_NUMBER() OVER () FROM penguins"), &out); err == nil || !strings.Contains(err.Error(), "allow_gather") {
		t.Error(err)
	}
	if resp, err := http.Post(good.URL, "application/json", strings.NewReader("{}")); err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Errorf("%v, %v", resp, err)
	}
}
