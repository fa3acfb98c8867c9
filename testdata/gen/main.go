// Command gen makes the Parquet files of testdata with other projects' writers, and
// their answers with the readers of the same projects. It is a module of its own, so
// that the driver's go.mod stays small.
//
//	npm pack vega-datasets@3.2.1 && tar xzf vega-datasets-3.2.1.tgz
//	go run . -vega package/data -out ..
//	go run . -staff ../../examples/encrypted
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	vega := flag.String("vega", "", "the data folder of the npm package vega-datasets; empty: keep those data sets as they are")
	out := flag.String("out", "..", "the testdata folder")
	example := flag.String("staff", "", "write the data of examples/encrypted into this folder, with new keys, and nothing else")
	shapes := flag.Bool("geospatial", false, "write the files with geometries, and nothing else")
	drift := flag.Bool("drift", false, "write the files that differ in the type of a column, and nothing else")
	byHand := flag.Bool("crafted", false, "write the files that are made byte by byte, and nothing else")
	flag.Parse()
	if *example != "" {
		staff(*example)
		return
	}
	g := &generator{out: *out}
	if *drift {
		g.driftOnly()
		return
	}
	if *shapes {
		g.only(g.geospatial)
		return
	}
	if *byHand {
		g.only(g.craft)
		return
	}
	if *vega != "" {
		g.datasets(*vega)
	}
	g.arrowMatrix()
	g.drift()
	g.encryptedFiles()
	g.parquetGoMatrix()
	g.geospatial()
	g.duckdbTypes()
	g.duckdbCase()
	g.duckdbEncrypted()
	g.scripted()
	g.craft()
	g.writeManifest()
}

// generator collects what it made, for the manifest.
type generator struct {
	out   string
	files []made
}

// made is one line of the manifest.
type made struct{ File, Writer, How, SHA256 string }

// path is a file below testdata, its folder made.
func (g *generator) path(parts ...string) string {
	p := filepath.Join(append([]string{g.out}, parts...)...)
	must(os.MkdirAll(filepath.Dir(p), 0o755))
	return p
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func value[T any](v T, err error) T {
	must(err)
	return v
}
