package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// compareDecode runs the decode benchmark of both trees in turns, hands the results to
// benchstat, and returns how many decoders it finds slower.
func compareDecode(tree string, runs int, tolerate float64) int {
	dir, err := os.MkdirTemp("", "parquetsql-decode-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	sides := []struct{ name, bench string }{{"old", tree}, {"new", "."}}
	for _, s := range sides {
		run(s.bench, "go", "test", "-trimpath", "-c", "-o", filepath.Join(dir, s.name+".test"), "./decode")
	}
	for range runs {
		for _, s := range sides {
			out, err := exec.Command(filepath.Join(dir, s.name+".test"), "-test.run=xxx", "-test.bench=Column/./././^parquetsql$", "-test.benchtime=0.1s").Output()
			if err != nil {
				log.Fatalf("the decode benchmark of the %s tree: %v", s.name, err)
			}
			f, err := os.OpenFile(filepath.Join(dir, s.name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err != nil {
				log.Fatal(err)
			}
			f.Write(out)
			f.Close()
		}
	}
	stat := func(format string) []byte {
		cmd := exec.Command("go", "run", "golang.org/x/perf/cmd/benchstat@latest", "-format", format, "old="+filepath.Join(dir, "old"), "new="+filepath.Join(dir, "new"))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			log.Fatal(err)
		}
		return out
	}
	fmt.Printf("%s", stat("text"))
	return slowerIn(string(stat("csv")), tolerate)
}

// slowerIn counts the rows of benchstat's tables of times whose change is an increase of more
// than tolerate. Where the change is within noise, benchstat has ~ in its place.
func slowerIn(tables string, tolerate float64) (n int) {
	times, column := false, -1
	for line := range strings.Lines(tables) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		if at := slices.Index(cells, "vs base"); at >= 0 {
			times, column = slices.Contains(cells, "sec/op"), at
			continue
		}
		if !times || column >= len(cells) || cells[0] == "geomean" {
			continue
		}
		change, ok := strings.CutPrefix(cells[column], "+")
		percent, err := strconv.ParseFloat(strings.TrimSuffix(change, "%"), 64)
		if ok && err == nil && percent > tolerate*100 {
			n++
		}
	}
	return n
}
