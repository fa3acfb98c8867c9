package reader

import (
	"context"
	"math"

	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/statistics"
	"github.com/parquetsql/parquetsql/vector"
)

// Files is a table of files as a scan.Source.
type Files struct{ *files.Set }

// Source is Files, for those who need not know this package.
func Source(t *files.Set) scan.Source { return Files{t} }

// Bytes implements scan.Source.
func (f Files) Bytes() (n int64) {
	for _, file := range f.Set.Files {
		n += min(file.Size(), math.MaxInt64-n) // a log may say any size
	}
	return n + min(f.Set.Size, math.MaxInt64-n)
}

// Answers implements scan.Source.
func (f Files) Answers() bool { return f.Set.Scan.Pruning.Any(scan.PruneMetadata) }

// Statistics implements scan.Source.
func (f Files) Statistics(ctx context.Context) scan.Statistics {
	return statistics.Of(ctx, f.Set)
}

// Scan implements scan.Source.
func (f Files) Scan(ctx context.Context, r scan.Request) (scan.Scan, error) {
	r.Options = f.Set.Scan
	s, err := New(ctx, f.Set, r)
	if err != nil {
		return nil, err // not a nil pointer in the interface
	}
	return pass{s}, nil
}

// pass is a Scan as a scan.Scan.
type pass struct{ *Scan }

// NewReader implements scan.Scan.
func (p pass) NewReader() scan.Reader { return p.Scan.NewReader() }

// NewBound implements scan.Scan.
func (p pass) NewBound() int { return p.AddProbe(nil) }

// Metadata implements scan.Scan.
func (p pass) Metadata(ctx context.Context, asks []scan.MetaAggregate) ([]vector.Scalar, bool, error) {
	values, rest, err := p.Scan.Metadata(ctx, asks)
	return values, rest == nil, err
}
