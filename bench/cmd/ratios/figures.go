package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
)

// figures are the ratios that README.md, docs/comparison.md and the picture tell. Other suites of
// the file stay as they are when some are measured.
type figures struct {
	DuckDB  string         `json:"duckdb"`
	Threads int            `json:"threads"`
	Suites  []suiteFigures `json:"suites"`
}

// suiteFigures are the ratios of a suite: our time over DuckDB's, a query each.
type suiteFigures struct {
	Suite   string   `json:"suite"`
	Data    string   `json:"data"`
	Runs    int      `json:"runs"`
	Queries []ratios `json:"queries"`

	First []firstRatios `json:"first,omitempty"` // with -first
}

// ratios are those of one query: by the clock, and of processor time.
type ratios struct {
	Query     int     `json:"query"`
	Clock     float64 `json:"clock"`
	Processor float64 `json:"processor"`
}

func (s suiteFigures) mean() float64 {
	sum := 0.0
	for _, q := range s.Queries {
		sum += math.Log(q.Clock)
	}
	return math.Exp(sum / float64(max(1, len(s.Queries))))
}

func readFigures(name string) (figures, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return figures{}, nil
	}
	var f figures
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err
}

// add puts a suite in the place of what the file had of it. What -first does not measure, or what
// it alone measures, stays.
func (f *figures) add(s suiteFigures) {
	i := slices.IndexFunc(f.Suites, func(old suiteFigures) bool { return old.Suite == s.Suite })
	if i < 0 {
		f.Suites = append(f.Suites, s)
		return
	}
	old := &f.Suites[i]
	if s.Queries == nil {
		s.Queries, s.Runs, s.Data = old.Queries, old.Runs, old.Data
	}
	if s.First == nil {
		s.First = old.First
	}
	*old = s
}

// write writes one line for each query, so that changes can be read.
func (f *figures) write(name string) error {
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}
