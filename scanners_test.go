package parquetsql_test

import (
	"database/sql"
	"encoding/json"
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
	for src, want := range map[any]string{1.5: "1.5", float32(0.1): "0.1", 1e21: "1000000000000000000000", "1.25e3": "1250", "1E5": "100000", uint64(math.MaxUint64): "18446744073709551615"} {
		if err := d.Scan(src); err != nil || d.String() != want {
			t.Errorf("%v: %v, %v", src, d, err)
		}
	}
	if d.Scan("1E99999") == nil || d.Scan("1E-9223372036854775808") == nil || d.Scan("1E-3000000000") == nil || d.Scan("1E-") == nil || d.Scan(math.NaN()) == nil || d.Scan(math.Inf(1)) == nil || d.Scan("-") == nil || d.Scan(true) == nil || d.Scan("+-1") == nil {
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
	for text, want := range map[string]parquetsql.Interval{
		"1 day":                             {Days: 1, Valid: true},
		"1 year 2 mons -3 days -04:05:06.5": {Months: 14, Days: -3, Time: -(4*time.Hour + 5*time.Minute + 6500*time.Millisecond), Valid: true},
		"90 Minutes 1.5 secs":               {Time: 90*time.Minute + 1500*time.Millisecond, Valid: true},
		"00:00":                             {Valid: true},
	} {
		if err := i.Scan(text); err != nil || i != want {
			t.Errorf("%s: %+v, %v", text, i, err)
		}
	}
	for _, bad := range []any{"1 fortnight", "1", "day", "1 day 2", "x days", "1:x", "1:2:3:4", "1D days", "-:1", "99999999999999999999 days", "1.5 days", "", "P", "1D", "P1", "P1X", "PT1.5H", "P1.5D", "P--1D", 1.5, "PT2562048H", "PT-2562047H-47M-16.9S"} {
		if i.Scan(bad) == nil {
			t.Errorf("%v: no error", bad)
		}
	}

	var u parquetsql.UUID
	const uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	if err := db.QueryRow("SELECT '" + uuid + "'::UUID").Scan(&u); err != nil || u.String() != uuid || u.Bytes[0] != 0x6b || u.Bytes[15] != 0xc8 {
		t.Errorf("%v, %v", u, err)
	}
	if err := db.QueryRow("SELECT UNHEX('6ba7b8109dad11d180b400c04fd430c8')").Scan(&u); err != nil || u.String() != uuid {
		t.Errorf("a BLOB: %v, %v", u, err)
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

// values has each type of value twice: present, and NULL in a pointer's place.
type values struct {
	D, NoD parquetsql.Decimal
	U, NoU parquetsql.UUID
	I, NoI parquetsql.Interval
	J, NoJ parquetsql.JSON[[]string]
	N      sql.Null[parquetsql.Decimal]
}

// TestValuesTravel takes values out of a row, through JSON, and back as arguments.
func TestValuesTravel(t *testing.T) {
	db := openDir(t, "testdata")
	var v values
	query := "SELECT 12.50, NULL::DECIMAL(4,2), '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID, NULL::UUID, INTERVAL '1 month 2 hours', NULL::INTERVAL, ['a', 'b'], NULL::VARCHAR[], 0.25"
	if err := db.QueryRow(query).Scan(&v.D, &v.NoD, &v.U, &v.NoU, &v.I, &v.NoI, &v.J, &v.NoJ, &v.N); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	const want = `{"D":12.50,"NoD":null,"U":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","NoU":null,"I":"P1MT2H","NoI":null,"J":["a","b"],"NoJ":null,"N":{"V":0.25,"Valid":true}}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
	var back values
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(back); err != nil || string(again) != want {
		t.Errorf("%s, %v", again, err)
	}
	if err := json.Unmarshal([]byte(`{"D":"7.25"}`), &back); err != nil || back.D.String() != "7.25" {
		t.Errorf("a number in a string: %v, %v", back.D, err)
	}
	for _, bad := range []string{`{"D":true}`, `{"U":7}`, `{"I":"x"}`, `{"J":7}`} {
		if json.Unmarshal([]byte(bad), &back) == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	var types string
	err = db.QueryRow("SELECT concat_ws(' ', typeof(?), typeof(?), typeof(?), typeof(?), typeof(?))", v.D, &v.NoD, v.U, &v.I, v.J).Scan(&types)
	if err != nil || types != "DECIMAL(4,2) \"NULL\" UUID INTERVAL VARCHAR" {
		t.Errorf("%s, %v", types, err)
	}
	var all bool
	err = db.QueryRow("SELECT ? = 12.5 AND ? IS NULL AND ? = ['a', 'b'] AND ? = 0.25 AND DATE '2020-01-01' + ? = TIMESTAMP '2020-02-01 02:00:00' AND ? = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID",
		v.D, v.NoU, v.J, v.N, v.I, v.U).Scan(&all)
	if err != nil || !all {
		t.Errorf("%v, %v", all, err)
	}
	text, err = json.Marshal(map[parquetsql.UUID]parquetsql.Interval{v.U: v.I}) // TextMarshaler makes the key
	if err != nil || string(text) != `{"6ba7b810-9dad-11d1-80b4-00c04fd430c8":"P1MT2H"}` {
		t.Errorf("%s, %v", text, err)
	}
}
