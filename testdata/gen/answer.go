package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
)

// column of an answer; testdata/README.md has the form.
type column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable"`
}

type answer struct {
	columns []column
	rows    [][]any
}

// add records a file with its answer. Files with the same content may share an
// answer: as names the file that has it.
func (g *generator) add(file, writer, how string, a *answer, as string) {
	g.addAs(file, writer+" "+version(writer), how, a, as)
}

// addAs is add for a writer whose name includes its version.
func (g *generator) addAs(file, writer, how string, a *answer, as string) {
	data := value(os.ReadFile(filepath.Join(g.out, file)))
	sum := sha256.Sum256(data)
	g.files = append(g.files, made{File: file, Writer: writer, How: how, SHA256: hex.EncodeToString(sum[:])})
	var text bytes.Buffer
	if as != "" {
		must(json.NewEncoder(&text).Encode(map[string]string{"same_as": as}))
	} else {
		text.WriteString(`{"columns":`)
		text.Write(value(json.Marshal(a.columns)))
		text.WriteString(",\"rows\":[\n")
		for i, row := range a.rows {
			if i > 0 {
				text.WriteString(",\n")
			}
			text.Write(value(json.Marshal(row)))
		}
		text.WriteString("\n]}\n")
	}
	must(os.WriteFile(g.path("expected", file+".json"), text.Bytes(), 0o644))
}

// number returns a float as it is written in an answer: in the shortest form for its width.
func number(f float64, bits int) any {
	switch {
	case math.IsNaN(f):
		return map[string]string{"float": "NaN"}
	case math.IsInf(f, 1):
		return map[string]string{"float": "Infinity"}
	case math.IsInf(f, -1):
		return map[string]string{"float": "-Infinity"}
	case bits == 32:
		return float32(f)
	}
	return f
}

func hexOf(b []byte) any { return map[string]string{"hex": hex.EncodeToString(b)} }

// version is the version of the module that contains a writer.
func version(writer string) string {
	module := map[string]string{"arrow-go": "github.com/apache/arrow-go/v18", "parquet-go": "github.com/parquet-go/parquet-go", "duckdb": "github.com/duckdb/duckdb-go/v2"}[writer]
	info, _ := debug.ReadBuildInfo()
	for _, d := range info.Deps {
		if d.Path == module {
			return d.Version
		}
	}
	return "?"
}

func (g *generator) writeManifest() {
	var text bytes.Buffer
	text.WriteString("[\n")
	for i, f := range g.files {
		if i > 0 {
			text.WriteString(",\n")
		}
		text.Write(value(json.Marshal(f)))
	}
	text.WriteString("\n]\n")
	must(os.WriteFile(g.path("manifest.json"), text.Bytes(), 0o644))
}
