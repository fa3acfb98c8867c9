package vector

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestCivilDate compares with the time package over its range, and goes around
// beyond it.
func TestCivilDate(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 100000 {
		days := r.Int64N(4_000_000) - 2_000_000
		want := time.Unix(days*86400, 0).UTC()
		y, m, d := CivilDate(days)
		if int(y) != want.Year() || m != int(want.Month()) || d != want.Day() {
			t.Fatalf("CivilDate(%d) = %d-%d-%d, want %v", days, y, m, d, want)
		}
		far := r.Int64() >> r.IntN(40)
		if far < -1<<62 || far > 1<<62 {
			continue // years whose reverse leaves 64 bits on the way
		}
		if y, m, d := CivilDate(far); DaysFromCivil(y, m, d) != far {
			t.Fatalf("DaysFromCivil(CivilDate(%d)) = %d", far, DaysFromCivil(y, m, d))
		}
		in, years, months, monthDays := []int64{days, far}, make([]int64, 2), make([]int64, 2), make([]int64, 2)
		CivilYears(years, in)
		CivilMonths(months, in)
		CivilDays(monthDays, in)
		for i, v := range in {
			if y, m, d := CivilDate(v); years[i] != y || months[i] != int64(m) || monthDays[i] != int64(d) {
				t.Fatalf("the parts of day %d are %d, %d, %d, want %d, %d, %d", v, years[i], months[i], monthDays[i], y, m, d)
			}
		}
	}
}

// TestEveryDate walks from day to day as a calendar does.
func TestEveryDate(t *testing.T) {
	year, month, day := int64(-1000), 1, 1
	length := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	first := DaysFromCivil(year, month, day)
	for days := first; days < first+2_000_000; days++ {
		if y, m, d := CivilDate(days); y != year || m != month || d != day {
			t.Fatalf("CivilDate(%d) = %d-%d-%d, want %d-%d-%d", days, y, m, d, year, month, day)
		}
		leap := 0
		if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			leap = 1
		}
		if day++; day > length[month-1]+leap {
			month, day = month+1, 1
		}
		if month > 12 {
			year, month = year+1, 1
		}
	}
}

// TestAppendPadded compares with package fmt.
func TestAppendPadded(t *testing.T) {
	for _, v := range []uint64{0, 1, 9, 10, 99, 100, 999, 1000, 9999, 10000, 123456789, 1<<64 - 1} {
		for width := range 25 {
			if got, want := string(AppendPadded(nil, v, width)), fmt.Sprintf("%0*d", width, v); got != want {
				t.Errorf("%d to %d digits is %s, want %s", v, width, got, want)
			}
		}
	}
}

func TestAppendText(t *testing.T) {
	p38, _ := new(big.Int).SetString("-12345678901234567890123456789012345678", 10)
	d38, _ := Int128FromBig(p38)
	for _, c := range []struct{ got, want string }{
		{string(AppendDate(nil, 0)), "1970-01-01"},
		{string(AppendDate(nil, -719528)), "0000-01-01"},
		{string(AppendDate(nil, 2932896)), "9999-12-31"},
		{string(AppendDate(nil, 2932897)), "10000-01-01"},
		{string(AppendTime(nil, 45296789, Millis)), "12:34:56.789"},
		{string(AppendTime(nil, 1, Nanos)), "00:00:00.000000001"},
		{string(AppendTimestamp(nil, 1, 3_723_000_500_000, ' ')), "1970-01-02 01:02:03.0005"},
		{string(AppendTimestamp(nil, 1, 0, 'T')), "1970-01-02T00:00:00"},
		{string(AppendDecimal64(nil, -5, 2)), "-0.05"},
		{string(AppendDecimal64(nil, 12345, 2)), "123.45"},
		{string(AppendDecimal64(nil, -5, 4096)), "-0." + strings.Repeat("0", 4095) + "5"},
		{string(AppendDecimal64(nil, -5, 4097)), "-5E-4097"},
		{string(AppendDecimal128(nil, Int128{Hi: 1}, 99999)), "1.8446744073709551616E-99980"},
		{string(AppendDecimalBig(nil, big.NewInt(12), 1<<31-1)), "1.2E-2147483646"},
		{string(AppendDecimal64(nil, -1<<63, 0)), "-9223372036854775808"},
		{string(AppendDecimal128(nil, d38, 10)), "-1234567890123456789012345678.9012345678"},
		{string(AppendDecimal128(nil, Int128{Hi: -1 << 63}, 0)), "-170141183460469231731687303715884105728"},
		{string(AppendDecimal128(nil, Int128{Hi: 1}, 0)), "18446744073709551616"},
		{string(AppendInterval(nil, IntervalValue{14, 3, 14706007000})), "P1Y2M3DT4H5M6.007S"},
		{string(AppendInterval(nil, IntervalValue{})), "PT0S"},
		{string(AppendInterval(nil, IntervalValue{-1, 0, -1500000})), "P-1MT-1.5S"},
		{string(AppendUUID(nil, "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff")), "00112233-4455-6677-8899-aabbccddeeff"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	if d, n := SplitTimestamp(-1, Millis); d != -1 || n != 86399999000000 {
		t.Errorf("SplitTimestamp(-1ms) = %d, %d", d, n)
	}
	if d, n := SplitWide(Int128From(-1)); d != -1 || n != 86399999999999 {
		t.Errorf("SplitWide(-1ns) = %d, %d", d, n)
	}
}
