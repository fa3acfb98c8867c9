package remote

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

var lake = flag.String("lake", "", "the folder around a table that bench/iceberg has written with -keep; without it TestLake does nothing")

// TestLake measures the planning of an Iceberg table of 100,000 data files in 1,000 manifests.
func TestLake(t *testing.T) {
	if *lake == "" {
		t.Skip("a measurement: -lake names the folder")
	}
	far, c := bucket(t)
	err := filepath.WalkDir(*lake, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(*lake, p)
		put(t, c, []string{"lake/" + filepath.ToSlash(name)}, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	dsn := "s3://bucket/lake?endpoint=http://" + far
	fmt.Print("| planning | requests | MB | s |\n| --- | ---: | ---: | ---: |\n")
	measure(t, "all files", dsn, "SELECT COUNT(id) FROM t") // COUNT(*) is answered by the manifest list
	measure(t, "all files, COUNT(*)", dsn, "SELECT COUNT(*) FROM t")
	measure(t, "one partition", dsn, "SELECT COUNT(id) FROM t WHERE p = 500")
	measure(t, "none, by bounds", dsn, "SELECT COUNT(id) FROM t WHERE id > 1000000000")
}
