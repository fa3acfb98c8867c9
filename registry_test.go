package parquetsql_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// TestRegisterConfig opens a database by the name of a Config with a file system, which
// no DSN can say.
func TestRegisterConfig(t *testing.T) {
	name := t.Name()
	told := 0
	c := &parquetsql.Config{FS: os.DirFS("testdata"), OnQuery: func(parquetsql.QueryStats) { told++ }}
	if err := parquetsql.RegisterConfig(name, c); err != nil {
		t.Fatal(err)
	}
	defer parquetsql.DeregisterConfig(name)
	c.FS = nil // the registry has a copy
	db, err := sql.Open("parquet", "config:"+name+"?parallelism=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM penguins").Scan(&n); err != nil || n != 344 || told != 1 {
		t.Errorf("%d rows, %v, told %d times", n, err, told)
	}
	got, err := parquetsql.ParseDSN("config:" + name + "?parallelism=3")
	if err != nil || got.Parallelism != 3 || got.FS == nil {
		t.Errorf("%v, %v", got, err)
	}

	for what, err := range map[string]error{
		"the name is taken":  parquetsql.RegisterConfig(name, c),
		"no name":            parquetsql.RegisterConfig("", c),
		"a name with a ?":    parquetsql.RegisterConfig("a?b", c),
		"not a valid Config": parquetsql.RegisterConfig(name+"2", &parquetsql.Config{Path: "x", Pruning: "often"}),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "parquet: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	parquetsql.DeregisterConfig(name)
	if _, err := sql.Open("parquet", "config:"+name); err == nil || !strings.Contains(err.Error(), "RegisterConfig") {
		t.Errorf("a name that is not registered: %v", err)
	}
	if err := db.QueryRow("SELECT COUNT(*) FROM penguins").Scan(&n); err != nil {
		t.Errorf("the open database: %v", err)
	}
}

// TestFileURL opens the same folder by its path as a URL.
func TestFileURL(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	slashed := "/" + strings.TrimPrefix(filepath.ToSlash(dir), "/")
	for _, url := range []string{"file://" + slashed, "file://localhost" + slashed + "?parallelism=1", "file://" + strings.Replace(slashed, "testdata", "%74estdata", 1)} {
		db := openDir(t, url)
		var n int
		if err := db.QueryRow("SELECT COUNT(*) FROM penguins").Scan(&n); err != nil || n != 344 {
			t.Errorf("%s: %d, %v", url, n, err)
		}
	}
	for _, url := range []string{"file://elsewhere/data", "file://", "file:///a#b", "file:///%zz"} {
		if _, err := parquetsql.ParseDSN(url); err == nil {
			t.Errorf("%s: no error", url)
		}
	}
	c, err := parquetsql.ParseDSN("file:///C:/data/sales")
	if err != nil || c.Path != "C:/data/sales" {
		t.Errorf("%v, %v", c, err)
	}
}
