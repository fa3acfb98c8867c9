package fileformat

import "github.com/parquetsql/parquetsql/fileformat/internal/thrift"

// Exactness says whether a bound is one of the values.
type Exactness uint8

// The answers of is_min_value_exact and is_max_value_exact.
const (
	ExactUnknown Exactness = iota // the file does not say
	Exact
	Inexact
)

// Statistics summarises the values of a chunk or a page, as the writer states it:
// bytes are PLAIN-encoded values (byte arrays without their length prefix) of
// unverified length, as views of the footer. Whether bounds can be trusted depends
// on Order, on the type and on the writer (see Writer); the caller decides that.
type Statistics struct {
	Order              ColumnOrder // of the column; what Min and Max follow
	Min, Max           []byte      // min_value, max_value; nil where absent, empty where empty
	MinExact, MaxExact Exactness

	// The deprecated min and max, always in signed order. Writers differ in what that
	// order means for byte arrays.
	DeprecatedMin, DeprecatedMax []byte

	NullCount     int64 // -1 where absent: not to be taken for 0
	DistinctCount int64 // -1 where absent
	NaNCount      int64 // -1 where absent: NaNs may be present
}

// readStatistics reads struct Statistics. A negative count counts as absent.
func readStatistics(r *thrift.Reader, f thrift.Field) *Statistics {
	if !r.Struct(f) {
		return nil
	}
	s := &Statistics{NullCount: -1, DistinctCount: -1, NaNCount: -1}
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			s.DeprecatedMax = r.Binary(f)
		case 2:
			s.DeprecatedMin = r.Binary(f)
		case 3:
			s.NullCount = readCount(r, f)
		case 4:
			s.DistinctCount = readCount(r, f)
		case 5:
			s.Max = r.Binary(f)
		case 6:
			s.Min = r.Binary(f)
		case 7:
			s.MaxExact = exactness(r.Bool(f))
		case 8:
			s.MinExact = exactness(r.Bool(f))
		case 9:
			s.NaNCount = readCount(r, f)
		default:
			r.Skip(f)
		}
	}
	return s
}

func exactness(exact bool) Exactness {
	if exact {
		return Exact
	}
	return Inexact
}

// readCount reads a count; it is -1 if it is invalid.
func readCount(r *thrift.Reader, f thrift.Field) int64 {
	n := r.I64(f)
	if !r.Matched() {
		return -1
	}
	return max(n, -1)
}
