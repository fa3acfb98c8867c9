package partition

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

func of(t vector.Type, n int64) vector.Scalar { return vector.Scalar{Type: t, I64: n} }

func text(t vector.Type, s string) vector.Scalar { return vector.Scalar{Type: t, Str: s} }

var (
	integer, long, date  = vector.Of(vector.Integer), vector.Of(vector.BigInt), vector.Of(vector.Date)
	micros, nanos        = vector.TimestampType(vector.Micros, false), vector.TimestampType(vector.Nanos, true)
	varchar, blob, clock = vector.Of(vector.Varchar), vector.Of(vector.Blob), vector.TimeType(vector.Micros)
)

// TestHash: the test values of Appendix B.
func TestHash(t *testing.T) {
	at := time.Date(2017, 11, 16, 22, 31, 8, 0, time.UTC)
	for _, c := range []struct {
		v    vector.Scalar
		want int32
	}{
		{of(integer, 34), 2017239379}, {of(long, 34), 2017239379}, {of(vector.DecimalType(9, 2), 1420), -500754589},
		{vector.Scalar{Type: vector.DecimalType(38, 2), I128: vector.Int128From(1420)}, -500754589},
		{of(date, at.Unix()/86400), -653330422}, {of(clock, (22*3600+31*60+8)*1e6), -662762989},
		{of(micros, at.UnixMicro()), -2047944441}, {of(micros, at.UnixMicro()+1), -1207196810},
		{of(nanos, at.UnixNano()), -2047944441}, {of(nanos, at.UnixNano()+1001), -1207196810},
		{text(varchar, "iceberg"), 1210000089}, {text(blob, "\x00\x01\x02\x03"), -188683207},
		{text(vector.Of(vector.UUID), "\xf7\x9c\x3e\x09\x67\x7c\x4b\xbd\xa4\x79\x3f\x34\x9c\xb7\x85\xe7"), 1488055340},
	} {
		if got, ok := hash(c.v); !ok || int32(got) != c.want {
			t.Errorf("%s: %d, want %d", c.v.Type, int32(got), c.want)
		}
	}
	if b, ok := (Transform{Bucket, 100}).BucketOf(text(varchar, "iceberg")); !ok || b != 1210000089%100 {
		t.Errorf("bucket %d", b)
	}
	if _, ok := (Transform{Bucket, 100}).BucketOf(vector.FloatScalar(1)); ok {
		t.Error("a bucket of a DOUBLE")
	}
}

// TestLeast: bytes of two's complement, as few as there can be.
func TestLeast(t *testing.T) {
	for n, want := range map[int64]string{0: "00", 127: "7f", 128: "0080", -1: "ff", -128: "80", -129: "ff7f", 1420: "058c"} {
		if got := fmt.Sprintf("%x", least(vector.Int128From(n))); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestTruncate: the examples of Truncate Transform Details, the other way round.
func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		n         int64
		v         vector.Scalar
		low, high any // nil: none
	}{
		{10, of(integer, 0), int64(0), int64(9)}, {10, of(long, -10), int64(-10), int64(-1)}, {10, of(long, math.MaxInt64-3), int64(math.MaxInt64 - 3), nil},
		{50, of(vector.DecimalType(9, 2), 1050), int64(1050), int64(1099)},
		{3, text(varchar, "ice"), "ice", "icf"}, {3, text(varchar, "ic"), "ic", "ic"}, {3, text(varchar, "äöü"), "äöü", "äö\xc3\xbd"},
		{3, text(blob, "\x01\x02\xff"), "\x01\x02\xff", "\x01\x03"}, {1, text(blob, "\xff"), "\xff", nil},
	} {
		r := Transform{Truncate, c.n}.Of(c.v.Type, c.v, c.v)
		show := func(s *vector.Scalar) any {
			switch {
			case s == nil:
				return nil
			case s.Str != "":
				return s.Str
			}
			return s.I64
		}
		if show(r.Min) != c.low || show(r.Max) != c.high {
			t.Errorf("%v of %q %d: %v to %v", c.n, c.v.Str, c.v.I64, show(r.Min), show(r.Max))
		}
	}
}

// TestTimes: a time is within the range of its year, month, day and hour, which is as long as that.
func TestTimes(t *testing.T) {
	seed := time.Now().UnixNano()
	rng := rand.New(rand.NewSource(seed))
	for range 2000 {
		at := time.Unix(rng.Int63n(8e9)-4e9, rng.Int63n(1e9)).UTC()
		months := int64(at.Year()-1970)*12 + int64(at.Month()) - 1
		floor := func(n, by int64) int64 { return int64(math.Floor(float64(n) / float64(by))) }
		for kind, v := range map[Kind]int64{Year: int64(at.Year() - 1970), Month: months, Day: floor(at.Unix(), 86400), Hour: floor(at.Unix(), 3600)} {
			for _, typ := range []vector.Type{micros, nanos, date} {
				n := at.UnixMicro()
				switch {
				case typ.Equal(nanos):
					n = at.UnixNano()
				case typ.Equal(date):
					n = floor(at.Unix(), 86400)
				}
				tr := Transform{Kind: kind}
				r := tr.Of(typ, of(integer, v), of(integer, v))
				if kind == Hour && typ.Equal(date) {
					continue
				}
				if r.Min == nil || r.Max == nil || n < r.Min.I64 || n > r.Max.I64 {
					t.Fatalf("seed %d: %s of %s %s: %v", seed, tr, typ, at, r)
				}
				next := tr.Of(typ, of(integer, v+1), of(integer, v+1))
				// Before 1970 the range begins one period earlier, for old writers.
				after, early := r.Max.I64+1, v+1 <= 0 && !(kind == Day && typ.Equal(date))
				if next.Min == nil || early && next.Min.I64 >= after || !early && next.Min.I64 != after {
					t.Fatalf("seed %d: %s of %s: %d to %d, then from %d", seed, tr, typ, r.Min.I64, r.Max.I64, next.Min.I64)
				}
			}
		}
	}
	for _, n := range []int64{math.MaxInt64, math.MinInt64, 1 << 40} { // out of any range
		for _, k := range []Kind{Year, Month, Day, Hour} {
			if r := (Transform{Kind: k}).Of(micros, of(integer, n), of(integer, n)); r.Min != nil && r.Max != nil && r.Min.I64 > r.Max.I64 {
				t.Errorf("%d: %v", n, r)
			}
		}
	}
}

func TestSpec(t *testing.T) {
	var s Spec
	text := `{"spec-id": 3, "fields": [{"source-id": 4, "field-id": 1000, "name": "ts_day", "transform": "day"}, {"source-ids": [1, 2], "field-id": 1001, "name": "x", "transform": "bucket[16]"},
		{"source-id": 1, "name": "b", "transform": "bucket[16]"}, {"source-id": 1, "name": "z", "transform": "zorder"}, {"source-id": 1, "name": "t", "transform": "truncate[0]"}]}`
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s); got != "{3 [{4 1000 ts_day day} {0 1001 x unknown} {1 1002 b bucket[16]} {1 1003 z unknown} {1 1004 t unknown}]}" {
		t.Error(got)
	}
	var list Spec
	if err := json.Unmarshal([]byte(`[{"source-id": 1, "name": "a", "transform": "identity"}]`), &list); err != nil || len(list.Fields) != 1 || list.Fields[0].Transform.Kind != Identity {
		t.Error(list, err)
	}
}
