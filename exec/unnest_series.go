package exec

import (
	"github.com/parquetsql/parquetsql/expr/series"
	"github.com/parquetsql/parquetsql/vector"
)

// Series describes the values of range(from, to, step) or generate_series for each row
// of the input. From and To are columns of one type, BIGINT or timestamps in
// microseconds; Step is a BIGINT or an INTERVAL.
type Series struct {
	From, To, Step int  // columns of the input
	Inclusive      bool // To is a value too
}

// seriesElements makes the values of the parents of a batch, as they are needed: a
// series may be far longer than memory.
type seriesElements struct {
	s       *Series
	t       vector.Type
	values  vector.Vector // of the output's rows
	current *series.Series
	started bool // the current parent's series
}

func newSeriesElements(s *Series, in vector.Schema) *seriesElements {
	t := in[s.From].Type
	return &seriesElements{s: s, t: t, current: series.New(t, s.Inclusive)}
}

// start begins the series of a row.
func (s *seriesElements) start(b *vector.Batch, row int) error {
	if s.started {
		return nil
	}
	s.started = true
	if s.t.Kind == vector.BigInt {
		from, ok := integer(b.Cols[s.s.From], row)
		to, ok2 := integer(b.Cols[s.s.To], row)
		step, ok3 := integer(b.Cols[s.s.Step], row)
		return s.current.StartIntegers(from, to, step, ok && ok2 && ok3)
	}
	return s.current.Start(b.Cols[s.s.From].Get(row), b.Cols[s.s.To].Get(row), b.Cols[s.s.Step].Get(row))
}

// integer is the value of a row of a BIGINT column; false: it is NULL.
func integer(v *vector.Vector, row int) (int64, bool) {
	if v.IsNull(row) {
		return 0, false
	}
	switch v.Form {
	case vector.Constant:
		return v.I64[0], true
	case vector.Dictionary:
		return v.Dict.I64[v.Codes[row]], true
	}
	return v.I64[row], true
}

// collectSeries lists and computes the next values, up to a batch of them.
func (n *unnest) collectSeries() (bool, error) {
	s, parents := n.series, n.b.Rows()
	s.values.Reset(s.t, vector.BatchSize)
	for n.i < parents && n.rows < vector.BatchSize {
		if err := s.start(n.b, n.b.Row(n.i)); err != nil {
			return false, err
		}
		made, err := s.current.Fill(s.values.I64[n.rows:vector.BatchSize])
		if err != nil {
			return false, err
		}
		if made > 0 {
			n.stretches = append(n.stretches, stretch{parent: int32(n.i), from: int32(n.rows), pos: n.e, count: int32(made)})
			n.rows, n.e = n.rows+made, n.e+int64(made)
		}
		if n.rows < vector.BatchSize {
			if n.ownRow(n.e == 0) {
				n.addAbsent()
			}
			n.i, n.e, s.started = n.i+1, 0, false
		}
	}
	return n.rows > 0, nil
}
