package lists

import (
	"context"
	"database/sql"
	"os"
	"runtime"
	"testing"
	"time"

	_ "github.com/parquetsql/parquetsql"
)

// TestBoundedMemory measures the heap while it unnests fifty million elements.
// PARQUETSQL_LISTS names the folder where the file is kept.
func TestBoundedMemory(t *testing.T) {
	dir := os.Getenv("PARQUETSQL_LISTS")
	if dir == "" {
		t.Skip("PARQUETSQL_LISTS does not name a folder for a file of 50 million elements")
	}
	file, err := Write(dir, 50_000_000)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("parquet", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range []string{
		"SELECT i.item FROM lists t, t.xs i",
		"SELECT COUNT(*), SUM(i.item) FROM lists t, t.xs i",
		"SELECT t.place, COUNT(*), SUM(i.item) FROM lists t LEFT JOIN t.xs i GROUP BY t.place",
	} {
		runtime.GC()
		ctx, stop := context.WithCancel(context.Background())
		most := watch(ctx)
		rows := drain(t, db, text)
		stop()
		heap := <-most
		t.Logf("%d rows, at most %d MiB of heap in use: %s", rows, heap>>20, text)
		if heap > 300<<20 {
			t.Errorf("%d bytes of heap in use", heap)
		}
	}
}

// watch measures the heap until the context ends and returns the largest size.
func watch(ctx context.Context) <-chan uint64 {
	out := make(chan uint64, 1)
	go func() {
		most := uint64(0)
		for ctx.Err() == nil {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			time.Sleep(10 * time.Millisecond)
		}
		out <- most
	}()
	return out
}

func drain(t *testing.T, db *sql.DB, text string) (n int) {
	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}
