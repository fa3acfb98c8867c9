package fragments

import (
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestSharedDir runs queries at the same time that share a folder which is not there at first. None of them
// fails because of another one's files, and nothing is left.
func TestSharedDir(t *testing.T) {
	exchange := filepath.Join(t.TempDir(), "new")
	db := sql.OpenDB(&Connector{DSN: "../testdata", Store: Dir(exchange), Parallel: 2, Options: parquetsql.StageOptions{SplitBytes: 1, Partitions: 3}})
	defer db.Close()
	var one int
	if err := db.QueryRow("SELECT 1").Scan(&one); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 6 {
				var n int
				if err := db.QueryRow("SELECT COUNT(*) FROM (SELECT Species, COUNT(*) FROM penguins GROUP BY Species)").Scan(&n); err != nil || n != 3 {
					t.Errorf("%d species, error %v", n, err)
				}
			}
		})
	}
	wg.Wait()
	left, err := os.ReadDir(exchange)
	if err != nil && !os.IsNotExist(err) || len(left) > 0 {
		t.Errorf("%d files are left, error %v", len(left), err)
	}
}
