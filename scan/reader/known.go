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
			v = s.test(p, get)
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

// rulesOut reports whether what is known of a file rules it out. The file is not opened.
func (s *Scan) rulesOut(probes []probe.Probe, get func(i int) *probe.Summary) bool {
	for _, p := range probes {
		if s.ctx.Err() == nil && s.test(p, get) == probe.None {
			return true
		}
	}
	return false
}

// known has what is known of a file before it is opened. It may be used for one file after the other.
type known struct {
	scan *Scan
	file *files.File
	rows int64
}

func (k *known) of(f *files.File) { k.file, k.rows = f, max(f.Rows, 1) }

// summary is that of a column of the file; nil: nothing is known of it.
func (k *known) summary(i int) *probe.Summary {
	if v, ok := k.file.Value(i); ok {
		return prune.Constant(v, k.rows)
	}
	switch {
	case i >= k.scan.own:
		return nil
	case k.scan.table.Columns[i].Origin == scan.FromFilePath:
		return prune.Constant(vector.StringScalar(k.file.Path), k.rows)
	case k.file.Bounds != nil && k.scan.request.Pruning.Any(scan.PruneStatistics):
		return k.file.Bounds(i)
	}
	return nil
}
