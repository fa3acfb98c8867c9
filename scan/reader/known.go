package reader

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/prune"
	"github.com/parquetsql/parquetsql/vector"
)

// What is known of files before they are opened.

// findFiles are the files of the table.
func (s *Scan) findFiles() (files.Found, error) {
	if s.table.Find == nil {
		return files.Found{Files: s.table.Files, Omitted: s.table.Omitted}, nil
	}
	count := s.folds() && len(s.request.Unnested) == 0 && !s.request.OnCorruptSkip && len(s.request.Asks) > 0 &&
		!slices.ContainsFunc(s.request.Asks, func(a scan.MetaAggregate) bool { return a.Kind != scan.CountStar })
	probes := s.planned()
	if len(probes) == 0 {
		return s.table.Find(s.ctx, files.Wanted{Count: count})
	}
	if !s.request.Pruning.Any(scan.PrunePaths) || !s.request.Pruning.Any(scan.PruneStatistics) {
		clear(probes)
	}
	var columns []int
	for _, p := range probes {
		if p != nil {
			columns = append(columns, p.Columns()...)
		}
	}
	columns = slices.DeleteFunc(ascending(columns), func(c int) bool { return c >= s.own })
	return s.table.Find(s.ctx, files.Wanted{Columns: columns, Count: count, Test: func(known func(column int) *probe.Summary) probe.Verdict {
		return s.verdict(probes, func(i int) *probe.Summary {
			if i >= s.own {
				return nil
			}
			return known(i)
		})
	}})
}

// verdict is what all probes together prove of rows, nil ones nothing.
func (s *Scan) verdict(probes []probe.Probe, get func(column int) *probe.Summary) probe.Verdict {
	out := probe.All
	for _, p := range probes {
		v := probe.Some
		if p != nil && s.ctx.Err() == nil {
			v = p.Test(get)
		}
		if v == probe.None {
			return v
		}
		if v == probe.Some {
			out = v
		}
	}
	return out
}

// pruneFile reports whether what is known of a file rules it out. The file is not opened.
func (s *Scan) pruneFile(f *files.File, probes []probe.Probe) bool {
	get := s.knownOf(f)
	for _, p := range probes {
		if s.ctx.Err() == nil && p.Test(get) == probe.None {
			return true
		}
	}
	return false
}

// knownOf has the summaries of columns that are known before the file is opened; nil of others.
func (s *Scan) knownOf(f *files.File) func(i int) *probe.Summary {
	rows := max(f.Rows, 1)
	return func(i int) *probe.Summary {
		if v, ok := f.Value(i); ok {
			return prune.Constant(v, rows)
		}
		switch {
		case i >= s.own:
			return nil
		case s.table.Columns[i].Origin == scan.FromFilePath:
			return prune.Constant(vector.StringScalar(f.Path), rows)
		case f.Bounds != nil && s.request.Pruning.Any(scan.PruneStatistics):
			return f.Bounds(i)
		}
		return nil
	}
}
