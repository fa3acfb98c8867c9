package parquetsql_test

import (
	"math"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// TestScanners scans values and prints them again.
func TestScanners(t *testing.T) {
	db := openDir(t, "testdata")
	for _, text := range []string{"12.50", "-0.05", "0.00", "123456789012345678901234567890.12345678", "-7"} {
		var d parquetsql.Decimal
		if err := db.QueryRow("SELECT " + text + "::DECIMAL(38, " + scaleOf(text) + ")").Scan(&d); err != nil || !d.Valid || d.String() != text {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	var d parquetsql.Decimal
	if err := db.QueryRow("SELECT -12.50").Scan(&d); err != nil || d.Float64() != -12.5 || d.Unscaled.Int64() != -1250 || d.Scale != 2 {
		t.Errorf("%v, %v", d, err)
	}
	if err := db.QueryRow("SELECT 42").Scan(&d); err != nil || d.String() != "42" {
		t.Errorf("%v, %v", d, err)
	}
	if err := db.QueryRow("SELECT NULL::DECIMAL(9,2)").Scan(&d); err != nil || d.Valid || d.String() != "NULL" {
		t.Errorf("%v, %v", d, err)
	}
	if err := d.Scan("-1.25E-2147483645"); err != nil || d.Unscaled.Int64() != -125 || d.Scale != 2147483647 || d.Float64() != 0 || d.String() != "-1.25E-2147483645" {
		t.Errorf("a scale of two billion: %v, %v", d, err)
	}
	if d.Scan("1E5") == nil || d.Scan("1E-") == nil || d.Scan("1e5") == nil || d.Scan("-") == nil || d.Scan(true) == nil || d.Scan("+-1") == nil {
		t.Error("not a decimal, but no error")
	}

	for text, want := range map[string]parquetsql.Interval{
		"INTERVAL '1 year 2 months 3 days 04:05:06.5'": {Months: 14, Days: 3, Time: 4*time.Hour + 5*time.Minute + 6500*time.Millisecond, Valid: true},
		"INTERVAL '-1 month -2 days -00:00:00.25'":     {Months: -1, Days: -2, Time: -250 * time.Millisecond, Valid: true},
		"INTERVAL '0 days'":                            {Valid: true},
		"INTERVAL '-90 seconds'":                       {Time: -90 * time.Second, Valid: true},
		"INTERVAL '2562047:47:16.854775'":              {Time: math.MaxInt64 / 1000 * 1000, Valid: true},
		"NULL::INTERVAL":                               {},
	} {
		var i parquetsql.Interval
		if err := db.QueryRow("SELECT " + text).Scan(&i); err != nil || i != want {
			t.Errorf("%s: %+v, %v", text, i, err)
		}
	}
	var i parquetsql.Interval
	for _, bad := range []any{"", "P", "1D", "P1", "P1X", "PT1.5H", "P1.5D", "P--1D", 1.5, "PT2562048H", "PT-2562047H-47M-16.9S"} {
		if i.Scan(bad) == nil {
			t.Errorf("%v: no error", bad)
		}
	}

	var u parquetsql.UUID
	const uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	if err := db.QueryRow("SELECT '" + uuid + "'::UUID").Scan(&u); err != nil || u.String() != uuid || u.Bytes[0] != 0x6b || u.Bytes[15] != 0xc8 {
		t.Errorf("%v, %v", u, err)
	}
	if err := db.QueryRow("SELECT NULL::UUID").Scan(&u); err != nil || u.Valid {
		t.Errorf("%v, %v", u, err)
	}
	if u.Scan("6ba7b810-9dad-11d1-80b4-00c04fd430cg") == nil || u.Scan("6ba7b8109dad11d180b400c04fd430c8") == nil {
		t.Error("not a UUID, but no error")
	}
}

// scaleOf is how many digits stand behind the point.
func scaleOf(text string) string {
	for i := range text {
		if text[i] == '.' {
			return string('0' + rune(len(text)-i-1))
		}
	}
	return "0"
}
