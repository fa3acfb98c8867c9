package estimate

import "github.com/parquetsql/parquetsql/planner/logical"

// How many rows limits and samples leave.

func limited(in *Rows, offset, limit int64) *Rows {
	rows := max(0, in.Count-float64(offset))
	if limit >= 0 {
		rows = min(rows, float64(limit))
	}
	return &Rows{Count: rows, from: []*Rows{in}}
}

func sampled(in *Rows, s *logical.Sample) *Rows {
	rows := in.Count * s.Chance
	switch {
	case s.Of > 0:
		rows = in.Count * float64(s.Size) / float64(s.Of)
	case s.Size > 0:
		rows = min(in.Count, float64(s.Size))
	}
	return &Rows{Count: rows, from: []*Rows{in}}
}

func portioned(in *Rows, p *logical.Portion) *Rows {
	return limited(in, p.Offset, int64(in.Count*p.Percent/100))
}
