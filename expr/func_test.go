package expr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// The results in this file are DuckDB's (1.4). For functions that only MySQL has,
// they are MySQL's.

func TestStringFunctions(t *testing.T) {
	runForms(t, []formCase{
		{"substring('hello', 0, 3)", "he"}, {"substring('hello', 0)", "hello"}, {"substring('hello', -3)", "llo"}, {"substring('hello', -3, 2)", "ll"}, {"substring('hello', -10, 7)", "he"},
		{"substring('hello', 3, -2)", "he"}, {"substring('abc', 5, -3)", "bc"}, {"substring('a', 3, -1)", ""}, {"substring('abc', -5, -3)", ""}, {"substring('abc', 2, -5)", "a"}, {"substring('hello', 2, 0)", ""}, {"substring('hello', 10)", ""}, {"substr('héllo', 2, 2)", "él"}, {"substr('héllo', -2)", "lo"}, {"mid('hello', 2, 9223372036854775807)", "ello"},
		{"left('hello', 2)", "he"}, {"left('hello', -2)", "hel"}, {"right('hello', 2)", "lo"}, {"right('hello', -2)", "llo"}, {"left('hello', 10)", "hello"}, {"right('hé', 1)", "é"}, {"right('hello', -9223372036854775808)", ""},
		{"lpad('abc', 5, 'xy')", "xyabc"}, {"lpad('abc', 2, 'xy')", "ab"}, {"rpad('abc', 6, 'xy')", "abcxyx"}, {"lpad('abc', 5, '')", "ERR"}, {"lpad('é', 3, 'ü')", "üüé"}, {"rpad('abc', -1, 'x')", ""},
		{"repeat('ab', 3)", "ababab"}, {"repeat('ab', -1)", ""}, {"repeat('abcdefghij', 9223372036854775807)", "ERR"}, {"lpad('x', 9223372036854775807, 'y')", "ERR"}, {"space(2)", "  "}, {"space(9999999999)", "ERR"},
		{"position('l', 'hello')", "3"}, {"strpos('hello', '')", "1"}, {"instr('hello', 'z')", "0"}, {"strpos('héllo', 'l')", "3"}, {"locate('l', 'hello')", "3"}, {"locate('l', 'hello', 4)", "4"}, {"locate('l', 'hello', 5)", "0"},
		{"split_part('a,b,c', ',', 2)", "b"}, {"split_part('a,b,c', ',', -1)", "c"}, {"split_part('a,b,c', ',', 0)", ""}, {"split_part('a,b,c', ',', 5)", ""}, {"split_part('abc', '', 2)", "b"}, {"split_part('abc', '', -1)", "c"}, {"split_part('abc', '', 7)", ""},
		{"substring_index('a.b.c', '.', 2)", "a.b"}, {"substring_index('a.b.c', '.', -2)", "b.c"}, {"substring_index('a.b.c', '.', 9)", "a.b.c"},
		{"replace('hello', 'l', 'L')", "heLLo"}, {"replace('hello', '', 'x')", "hello"}, {"reverse('héllo')", "olléh"}, {"translate('hello', 'el', 'ip')", "hippo"}, {"translate('hello', 'el', 'i')", "hio"},
		{"trim('  a  ')", "a"}, {"trim('xxaxx', 'x')", "a"}, {"ltrim('xyaxy', 'yx')", "axy"}, {"rtrim('  a  ')", "  a"}, {"ltrim('  a  ')", "a  "},
		{"ascii('é')", "233"}, {"ascii('')", "0"}, {"unicode('')", "-1"}, {"ord('')", "-1"}, {"unicode('é')", "233"}, {"ord('a')", "97"}, {"chr(233)", "é"}, {"chr(-1)", "ERR"}, {"chr(55296)", "ERR"},
		{"lower('ÀB')", "àb"}, {"upper('àb')", "ÀB"}, {"initcap('hello wORLD')", "Hello World"}, {"strlen('é')", "2"}, {"length('é')", "1"}, {"octet_length('é')", "2"}, {"octet_length(x'00ff01')", "3"}, {"bit_length('é')", "16"}, {"char_length('é')", "1"},
		{"starts_with('hello', 'he')", "true"}, {"ends_with('hello', 'lo')", "true"}, {"suffix('hello', 'x')", "false"}, {"prefix('hello', 'he')", "true"}, {"contains('hello', 'ell')", "true"},
		{"concat('a', NULL, 1)", "a1"}, {"concat_ws(',', 'a', NULL, 'b')", "a,b"}, {"concat_ws(NULL, 'a')", "NULL"}, {"'a' || NULL", "NULL"}, {"'a' || 1 || 'b'", "a1b"}, {"x'61' || x'62'", "6162"}, {"strcmp('a', 'b')", "-1"},
		{"md5('a')", "0cc175b9c0f1b6a831c399e269772661"}, {"sha256('a')", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"}, {"sha1('a')", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"},
		{"hex('abc')", "616263"}, {"hex(255)", "FF"}, {"to_hex(-1)", "FFFFFFFFFFFFFFFF"}, {"unhex('6162')", "6162"}, {"unhex('6g')", "ERR"}, {"bin(5)", "101"}, {"to_base64('abc')", "YWJj"}, {"from_base64('YWJj')", "616263"}, {"from_base64('?')", "ERR"},
		{"decode(x'616263')", "abc"}, {"encode('abc')", "616263"},
	})
}

func TestNumberFunctions(t *testing.T) {
	runForms(t, []formCase{
		{"abs(-5)", "5"}, {"abs(-2.5)", "2.5"}, {"abs(-2.5e0)", "2.5"}, {"abs(-9223372036854775808)", "ERR"}, {"abs(-12345678901234567890.5)", "12345678901234567890.5"}, {"sign(-3)", "-1"}, {"sign(-2.5)", "-1"}, {"sign(0e0)", "0"},
		{"ceil(2.5)", "3"}, {"ceil(-2.5)", "-2"}, {"ceil(-2.5e0)", "-2.0"}, {"floor(-2.5)", "-3"}, {"floor(2.5)", "2"}, {"ceiling(2.1)", "3"}, {"floor(7)", "7"}, {"ceil(9.9)", "10"},
		{"round(2.5)", "3"}, {"round(-2.5)", "-3"}, {"round(2.5e0)", "3.0"}, {"round(-2.5e0)", "-3.0"}, {"round(2.345e0, 2)", "2.35"}, {"round(12345, -2)", "12300"}, {"round(12350, -2)", "12400"}, {"round(-12350, -2)", "-12400"}, {"round(5, 2)", "5"},
		{"round(1e300, 400)", "1e+300"}, {"round(1e300, -400)", "0.0"}, {"round(9223372036854775807, -1)", "ERR"}, {"round(5, -30)", "0"}, {"trunc('nan'::DOUBLE, -1)", "nan"}, {"trunc('inf'::DOUBLE, -1)", "inf"}, {"trunc('-inf'::DOUBLE, -400)", "-inf"}, {"round('nan'::DOUBLE, -400)", "0.0"}, {"trunc(1234.5e0, -2)", "1200.0"}, {"trunc(2.7)", "2"}, {"trunc(-2.7e0)", "-2.0"}, {"trunc(-27, -1)", "-20"},
		{"sqrt(4)", "2.0"}, {"sqrt(-1)", "ERR"}, {"ln(0)", "ERR"}, {"ln(-1)", "ERR"}, {"log(100)", "2.0"}, {"log(2, 8)", "3.0"}, {"log2(8)", "3.0"}, {"log10(1000)", "3.0"}, {"exp(1)", "2.718281828459045"}, {"cbrt(27)", "3.0"},
		{"power(2, 10)", "1024.0"}, {"pow(2, 0.5)", "1.4142135623730951"}, {"degrees(pi())", "180.0"}, {"radians(180)", "3.141592653589793"}, {"atan2(1, 1)", "0.7853981633974483"}, {"sin(0)", "0.0"}, {"asin(2)", "ERR"}, {"sin('inf'::DOUBLE)", "ERR"}, {"sqrt('nan'::DOUBLE)", "nan"},
		{"mod(7, 3)", "1"}, {"bit_count(255)", "8"}, {"gcd(12, 18)", "6"}, {"lcm(4, 6)", "12"}, {"lcm(9223372036854775807, 2)", "ERR"}, {"gcd(-9223372036854775808, -1)", "1"}, {"isnan('nan'::DOUBLE)", "true"}, {"isinf(1e0)", "false"}, {"isfinite(1e0)", "true"},
	})
	runLiterals(t, []formCase{
		{"round(2.345, 2)", "2.35"}, {"round(-2.345, 2)", "-2.35"}, {"round(12355.678, -1)", "12360"}, {"round(2.5, 5)", "2.5"}, {"round(9.995, 2)", "10.00"}, {"round(99.5, -2)", "100"}, {"round(5.5, -40)", "0"},
		{"trunc(2.789, 2)", "2.78"}, {"trunc(-2.789, 1)", "-2.7"}, {"typeof(round(2.345, 2))", "DECIMAL(4,2)"}, {"typeof(ceil(2.5))", "DECIMAL(2,0)"}, {"round(12345678901234567890.55, 1)", "12345678901234567890.6"},
	})
}

func TestDateFunctions(t *testing.T) {
	runForms(t, []formCase{
		{"year(DATE '2020-05-06')", "2020"}, {"month(TIMESTAMP '2020-05-06 10:20:30')", "5"}, {"day(TIMESTAMPTZ '2020-05-06 23:20:30-02')", "7"}, {"hour(TIME '10:20:30')", "10"}, {"minute(TIMESTAMP '1969-12-31 10:20:30')", "20"},
		{"second(TIMESTAMP '2020-01-01 01:02:03.456789')", "3"}, {"millisecond(TIMESTAMP '2020-01-01 01:02:03.456789')", "3456"}, {"microsecond(TIMESTAMP '2020-01-01 01:02:03.456789')", "3456789"}, {"microsecond(TIME '10:20:30.5')", "30500000"},
		{"epoch(TIMESTAMP '2020-01-01 01:02:03.456789')", "1577840523.456789"}, {"epoch(DATE '1970-01-02')", "86400.0"}, {"epoch(TIME '10:20:30.5')", "37230.5"}, {"epoch(INTERVAL '1 month 1 day')", "2678400.0"}, {"epoch(INTERVAL '1 day')", "86400.0"},
		{"week(DATE '2021-01-03')", "53"}, {"isoyear(DATE '2021-01-03')", "2020"}, {"yearweek(DATE '2021-01-03')", "202053"}, {"dayofweek(DATE '2021-01-03')", "0"}, {"weekday(DATE '2021-01-03')", "0"}, {"isodow(DATE '2021-01-03')", "7"}, {"week(DATE '2020-12-31')", "53"}, {"week(DATE '2021-01-04')", "1"},
		{"dayofyear(DATE '2021-12-31')", "365"}, {"quarter(DATE '2021-12-31')", "4"}, {"century(DATE '2000-12-31')", "20"}, {"decade(DATE '2009-12-31')", "200"}, {"millennium(DATE '2001-12-31')", "3"}, {"era(DATE '2001-12-31')", "1"},
		{"julian(DATE '2001-12-31')", "2452275.0"}, {"century(DATE '-0009-12-31')", "-1"}, {"year(DATE '-0009-12-31')", "-9"}, {"decade(DATE '-0009-12-31')", "0"},
		{"year(INTERVAL '14 months')", "1"}, {"month(INTERVAL '14 months')", "2"}, {"day(INTERVAL '40 days')", "40"}, {"hour(INTERVAL '30 hours')", "30"}, {"second(INTERVAL '90 seconds')", "30"}, {"millisecond(INTERVAL '90 seconds')", "30000"}, {"quarter(INTERVAL '14 months')", "1"},
		{"year(TIME '10:20:30')", "ERR"}, {"week(INTERVAL '1 day')", "ERR"}, {"year(5)", "ERR"},
		{"last_day(DATE '2020-02-10')", "2020-02-29"}, {"last_day(TIMESTAMP '2020-02-10 10:00:00')", "2020-02-29"}, {"last_day(DATE '5881580-06-30')", "5881580-06-30"}, {"last_day(DATE '5881580-07-01')", "ERR"}, {"dayname(DATE '2020-01-02')", "Thursday"}, {"monthname(DATE '2020-01-02')", "January"},
		{"make_date(2020, 2, 30)", "ERR"}, {"make_date(2020, 2, 29)", "2020-02-29"}, {"make_date(18000)", "2019-04-14"}, {"make_timestamp(2020, 1, 2, 3, 4, 5.5)", "2020-01-02 03:04:05.5"}, {"make_timestamp(1577934245500000)", "2020-01-02 03:04:05.5"},
		{"to_timestamp(1577934245.5)", "2020-01-02 03:04:05.5+00"}, {"from_unixtime(1577934245)", "2020-01-02 03:04:05"}, {"epoch_ms(1577934245500)", "2020-01-02 03:04:05.5"}, {"epoch_ms(TIMESTAMP '2020-01-02 03:04:05.5')", "1577934245500"}, {"to_timestamp(1e300)", "ERR"},
		{"epoch_us(TIMESTAMP '1969-12-31 23:59:59.5')", "-500000"}, {"unix_timestamp(TIMESTAMP '2020-01-02 03:04:05')", "1577934245"}, {"date(TIMESTAMP '2020-01-02 03:04:05')", "2020-01-02"}, {"to_days(5)", "P5D"}, {"to_months(14)", "P1Y2M"},
		{"datediff(DATE '2020-01-10', DATE '2020-01-01')", "9"}, {"date_add(DATE '2020-01-31', INTERVAL '1 month')", "2020-02-29 00:00:00"}, {"date_sub(DATE '2020-03-31', INTERVAL '1 month')", "2020-02-29 00:00:00"},
	})
}

// TestDateParts checks functions whose first argument is a literal.
func TestDateParts(t *testing.T) {
	for _, c := range []struct{ part, x, trunc string }{
		{"month", "DATE '2020-05-06'", "2020-05-01 00:00:00"}, {"hour", "TIMESTAMP '2020-05-06 10:20:30'", "2020-05-06 10:00:00"}, {"week", "DATE '2021-01-03'", "2020-12-28 00:00:00"}, {"quarter", "DATE '2020-05-06'", "2020-04-01 00:00:00"},
		{"decade", "DATE '2025-05-06'", "2020-01-01 00:00:00"}, {"century", "DATE '2020-05-06'", "2000-01-01 00:00:00"}, {"millennium", "DATE '2020-05-06'", "2000-01-01 00:00:00"}, {"minute", "DATE '2020-05-06'", "2020-05-06 00:00:00"}, {"year", "DATE '2020-05-06'", "2020-01-01 00:00:00"},
		{"month", "TIMESTAMPTZ '2020-05-06 10:20:30'", "2020-05-01 00:00:00+00"}, {"month", "INTERVAL '14 months 3 days'", "P1Y2M"}, {"week", "INTERVAL '17 days'", "P14D"}, {"hour", "INTERVAL '17 days 3 hours 20 minutes'", "P17DT3H"},
		{"day", "TIMESTAMP '2020-05-06 10:20:30'", "2020-05-06 00:00:00"}, {"millisecond", "TIMESTAMP '2020-05-06 10:20:30.123456'", "2020-05-06 10:20:30.123"}, {"isoyear", "DATE '2021-01-01'", "2019-12-30 00:00:00"}, {"minute", "TIMESTAMP '1969-12-31 23:59:59'", "1969-12-31 23:59:00"},
		{"era", "DATE '2020-05-06'", "ERR"}, {"parsec", "DATE '2020-05-06'", "ERR"}, {"hour", "TIMESTAMP '-290308-12-21 19:59:05.224193'", "ERR"},
	} {
		runLiterals(t, []formCase{{"date_trunc('" + c.part + "', " + c.x + ")", c.trunc}})
	}
	runLiterals(t, []formCase{
		{"date_part('isodow', DATE '2021-01-03')", "7"}, {"extract('epoch', TIMESTAMP '2020-01-02 03:04:05.5')", "1577934245.5"}, {"date_part('timezone', TIMESTAMPTZ '2001-12-31')", "0"}, {"date_part('minute', '2020-01-01 10:20:30')", "20"},
		{"date_diff('day', DATE '2020-01-01', DATE '2020-02-01')", "31"}, {"date_diff('month', DATE '2020-01-31', DATE '2020-02-01')", "1"}, {"date_diff('week', DATE '2021-01-03', DATE '2021-01-04')", "0"}, {"date_diff('week', DATE '2021-01-01', DATE '2021-01-08')", "1"},
		{"date_diff('week', TIMESTAMP '2021-01-03 10:00:00', TIMESTAMP '2021-01-10 09:00:00')", "1"}, {"date_diff('week', DATE '2021-01-10', DATE '2021-01-03')", "-1"}, {"date_diff('hour', TIMESTAMP '2020-01-01 00:59:59', TIMESTAMP '2020-01-01 01:00:00')", "1"},
		{"date_diff('year', DATE '2019-12-31', DATE '2020-01-01')", "1"}, {"date_diff('quarter', DATE '2019-12-31', DATE '2020-01-01')", "1"}, {"date_diff('decade', DATE '2019-12-31', DATE '2020-01-01')", "1"}, {"date_diff('isoyear', DATE '2019-12-31', DATE '2020-01-01')", "0"},
		{"date_diff('day', TIMESTAMP '2021-01-03 23:00:00', TIMESTAMP '2021-01-04 01:00:00')", "1"}, {"date_diff('nanosecond', DATE '0001-01-01', DATE '9999-01-01')", "ERR"},
		{"datesub('month', DATE '2020-01-31', DATE '2020-02-29')", "1"}, {"datesub('day', TIMESTAMP '2020-01-01 10:00:00', TIMESTAMP '2020-01-02 09:00:00')", "0"}, {"datesub('year', DATE '2020-02-29', DATE '2021-02-28')", "1"}, {"datesub('quarter', DATE '2020-01-31', DATE '2020-04-30')", "1"},
		{"datesub('month', DATE '2020-03-31', DATE '2020-02-29')", "-1"}, {"datesub('month', TIMESTAMP '2020-01-31 10:00:00', TIMESTAMP '2020-02-29 09:00:00')", "0"}, {"datesub('week', DATE '2021-01-03', DATE '2021-01-16')", "1"},
		{"date_add('day', 3, DATE '2020-01-31')", "2020-02-03 00:00:00"}, {"timestampdiff('hour', TIMESTAMP '2020-01-01 00:30:00', TIMESTAMP '2020-01-01 02:00:00')", "1"},
		{"time_bucket(INTERVAL '5 minutes', TIMESTAMP '2020-01-02 03:04:05')", "2020-01-02 03:00:00"}, {"time_bucket(INTERVAL '1 month', TIMESTAMP '2020-01-22 03:04:05')", "2020-01-01 00:00:00"}, {"time_bucket(INTERVAL '7 days', DATE '2020-01-22')", "2020-01-20"},
		{"time_bucket(INTERVAL '2 months', DATE '2020-02-22')", "2020-01-01"}, {"time_bucket(INTERVAL '1 month 1 day', DATE '2020-02-22')", "ERR"}, {"time_bucket(INTERVAL '7 days', DATE '1999-12-30')", "1999-12-27"},
		{"strftime(DATE '2020-01-02', '%Y/%m/%d %H:%M:%S %a %A %b %B %j %y %p %I %U %W %w %u %f %g %% %-d %-m %Z')", "2020/01/02 00:00:00 Thu Thursday Jan January 002 20 AM 12 00 00 4 4 000000 000 % 2 1 "},
		{"strftime(TIMESTAMP '2020-12-31 13:04:05.678', '%U %W %-H %-I %-M %-S %-y %-j %h %n %G-%V-%u %c|%x %X %z')", "52 52 13 1 4 5 20 366 Dec 678000000 2020-53-4 2020-12-31 13:04:05|2020-12-31 13:04:05 +00"},
		{"strftime('%Y', DATE '2020-01-02')", "2020"}, {"strftime(DATE '2020-01-02', '%L')", "ERR"}, {"strftime(DATE '2020-01-02', '%')", "ERR"},
		{"date_format(TIMESTAMP '2020-01-02 13:04:05', '%W %D %M %Y %h:%i:%s %p %T %r %e %c %k')", "Thursday 2nd January 2020 01:04:05 PM 13:04:05 01:04:05 PM 2 1 13"},
	})
}

func TestRegexp(t *testing.T) {
	runForms(t, []formCase{
		{"regexp_matches('hello', 'l+')", "true"}, {"regexp_full_match('hello', 'l+')", "false"}, {"regexp_like('hello', '^h')", "true"}, {"regexp_full_match('abc', 'a|abc')", "true"},
		{"regexp_extract('hello world', '(\\w+) (\\w+)', 2)", "world"}, {"regexp_extract('hello', 'z')", ""}, {"regexp_extract('hello', '(z)?h', 1)", ""}, {"regexp_extract('abc', 'b', 3)", ""}, {"regexp_extract('abc', 'b', -1)", "ERR"},
		{"regexp_replace('hello', 'l', 'L')", "heLlo"}, {"regexp_replace('hello', '(l)(l)', '\\2-\\1-\\0')", "hel-l-llo"}, {"regexp_replace('abc', 'b', '\\\\')", "a\\c"}, {"regexp_replace('abc', 'b', '$0')", "a$0c"},
		{"regexp_replace('abc', 'b', '\\3')", "abc"}, {"regexp_replace('abc', 'b', '\\x')", "abc"}, {"regexp_replace('abc', '(b)', '[\\1]')", "a[b]c"}, {"regexp_matches('a', '(')", "ERR"}, {"regexp_count('banana', 'a')", "3"},
		{"regexp_replace('http://www.example.com/a/b?c', '^https?://(?:www\\.)?([^/]+)/.*$', '\\1')", "example.com"},
		{"regexp_replace('example.com', '^https?://(?:www\\.)?([^/]+)/.*$', '\\1')", "example.com"},
	})
	runLiterals(t, []formCase{
		{"regexp_replace('hello', 'l', 'L', 'g')", "heLLo"}, {"regexp_replace('Hello', 'h', 'x', 'i')", "xello"}, {"regexp_matches('a\nb', 'a.b')", "false"}, {"regexp_matches('a\nb', 'a.b', 's')", "true"}, {"regexp_matches('a\nb', '^b')", "false"},
		{"regexp_matches('a.b', 'a.b', 'l')", "true"}, {"regexp_matches('axb', 'a.b', 'l')", "false"}, {"regexp_replace('aaa', 'x*', '-', 'g')", "-a-a-a-"}, {"regexp_matches('a', 'a', 'z')", "ERR"}, {"regexp_matches('ABC', 'b', 'i')", "true"},
	})
}

func TestJSON(t *testing.T) {
	const doc = `'{"a":{"b":[1, "x",null]}, "k\u00e9y": true, "a":2}'`
	runForms(t, []formCase{
		{doc + "->'$.a.b[1]'", `"x"`}, {doc + "->'$.a.b[2]'", "null"}, {doc + "->>'$.a.b[2]'", "NULL"}, {doc + "->>'$.a.b[1]'", "x"}, {doc + "->>'a'", `{"b":[1,"x",null]}`}, {doc + "->'$.a'", `{"b":[1,"x",null]}`},
		{doc + `->'$."kéy"'`, "true"}, {doc + "->'$[''kéy'']'", "true"}, {doc + "->'$.none.b'", "NULL"}, {doc + "->'$.a.b.c'", "NULL"}, {doc + "->'$.a.b[7]'", "NULL"}, {doc + "->'$.a.b[-1]'", "null"},
		{"'[1,2]'->0", "1"}, {"'[1,2]'->'$[-1]'", "2"}, {"'[1,2]'->'$[#-1]'", "2"}, {"'[1,2]'->'$[5]'", "NULL"}, {"'[]'->0", "NULL"}, {"'[[1],[2,[3]]]'->'$[1][1][0]'", "3"},
		{`'"a\u00e9\"b"'->>'$'`, `aé"b`}, {"'[1,'->5", "ERR"}, {`'{"a" 1}'->'$.a'`, "ERR"}, {"'{\"a\":tru}'->'$.a'", "ERR"}, {"''->'$.a'", "NULL"},
		{"json_array_length('[1,[2,3],4]')", "3"}, {"json_valid('[1')", "false"}, {"json_type('[1]')", "ARRAY"}, {"to_json(1.50)", "1.50"}, {"to_json('a\"')", `"a\""`},
	})
	for _, path := range []string{"$.", "$x", "$[", "$[x]", "$..", "$[*", "$['a'", `$."a`} {
		if _, err := readSQL("'{}'->'"+strings.ReplaceAll(path, "'", "''")+"'", nil, nil); err == nil {
			t.Errorf("path %s is accepted", path)
		}
	}
}

func TestUnknownFunction(t *testing.T) {
	_, err := function.New("uper", []expr.Expr{expr.NewConst(vector.StringScalar("a"))})
	var missing *errs.NotFoundError
	if !errors.As(err, &missing) || missing.Kind != "function" || missing.Name != "uper" || len(missing.Nearest) == 0 || missing.Nearest[0] != "UPPER" {
		t.Errorf("%v", err)
	}
	if _, err := function.New("upper", nil); err == nil {
		t.Error("UPPER() is accepted")
	}
}
