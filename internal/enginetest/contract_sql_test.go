package enginetest

import (
	"database/sql"
	"math"
	"reflect"
	"testing"
	"time"
)

// TestLiterals: what is written is what is computed with.
func TestLiterals(t *testing.T) {
	keep(t, openDir(t, "testdata"), say(
		"SELECT .06, 1.50, 1., 1e3, 1.5e-1, -.5", "'0.06' '1.50' '1' 1000d 0.15d '-0.5'",
		"SELECT x'00ff', X'', 0x00FF, 0X0a", "x'00ff' x'' x'00ff' x'0a'",
		"SELECT x'0'", "error: hexadecimal",
		`SELECT 'a\nb', 'it''s', "Sex", '"' FROM penguins LIMIT 1`, `'a\nb' 'it's' 'MALE' '"'`,
		"SELECT 9223372036854775807, -9223372036854775808, 18446744073709551615, 18446744073709551616", "9223372036854775807 -9223372036854775808 18446744073709551615u '18446744073709551616'",
		"SELECT 99999999999999999999999999999999999999", "'99999999999999999999999999999999999999'",
		"SELECT 999999999999999999999999999999999999999", "error: 38",
		"SELECT TRUE, FALSE, NULL, true AND NULL", "true false NULL NULL",
		"SELECT DATE '2024-02-29', TIME '10:11:12.5', TIME '10:11:12'", "2024-02-29T00:00:00Z '10:11:12.500000' '10:11:12.000000'",
		"SELECT DATE '2023-02-29'", "error: DATE 2023-02-29",
		"SELECT DATE 'x'", "error: DATE",
		"SELECT TIMESTAMP '2024-01-02T03:04:05.123456Z', TIMESTAMP '2024-01-02 03:04:05+02:00', TIMESTAMP '2024-01-02'", "2024-01-02T03:04:05.123456Z 2024-01-02T03:04:05Z 2024-01-02T00:00:00Z",
		"SELECT TIMESTAMPTZ '2024-01-02 03:04:05+02:00', TIMESTAMPTZ '2024-01-02 03:04:05', TIMESTAMP WITH TIME ZONE '2024-01-02 03:04:05-01'", "2024-01-02T01:04:05Z 2024-01-02T03:04:05Z 2024-01-02T04:04:05Z",
		"SELECT INTERVAL '1' YEAR, INTERVAL '1 month', INTERVAL 2 DAY, INTERVAL '14 months 3 days 04:05:06.007', INTERVAL '0' DAY", "'P1Y' 'P1M' 'P2D' 'P1Y2M3DT4H5M6.007S' 'PT0S'",
		"SELECT INTERVAL '-1 month 1 day', INTERVAL '-90 minutes'", "'P-1M1D' 'PT-1H-30M'",
		"SELECT INTERVAL 'P1Y2M', INTERVAL 'nonsense'", "error: INTERVAL nonsense",
		"SELECT CAST('00112233-4455-6677-8899-AABBCCDDEEFF' AS UUID), CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID)", "'00112233-4455-6677-8899-aabbccddeeff' '00112233-4455-6677-8899-aabbccddeeff'",
	)...)
}

// TestArithmetic has the rules for numbers.
func TestArithmetic(t *testing.T) {
	keep(t, openDir(t, "testdata/files/duckdb/types_v1_snappy.parquet"), say(
		// Division.
		"SELECT 1/2, 1/0, -1/0, 0/0, 1.0/0, 7.5/2.5", "0.5d +Infd -Infd NaNd +Infd 3d",
		"SELECT 7 DIV 2, -7 DIV 2, 7 // 2, 7 DIV 0, 7 % 0, -7 % 3, 7 % -3, MOD(7, 0), 7.5 % 2, 7.5 % 0", "3 -3 3 NULL NULL -1 1 NULL '1.5' NULL",
		// Integers are computed in 64 bits, and overflow is an error.
		"SELECT tinyint * 1000, smallint * smallint, uinteger + uinteger FROM types_v1_snappy LIMIT 1", "-60000 144000000 0",
		"SELECT 9223372036854775807 + 1", "error: BIGINT",
		"SELECT -9223372036854775808 - 1", "error: BIGINT",
		"SELECT 4611686018427387904 * 2", "error: BIGINT",
		"SELECT -(bigint - 9223372036854775807 - 1) FROM types_v1_snappy WHERE bigint = 0", "error: BIGINT",
		"SELECT ABS(-9223372036854775808)", "error: range",
		"SELECT -9223372036854775808 DIV -1", "error: BIGINT",
		"SELECT -9223372036854775808 % -1", "0",
		// UBIGINT.
		"SELECT ubigint + 1, ubigint + ubigint, ubigint % 7, ubigint DIV 2 FROM types_v1_snappy WHERE ubigint = 150000000000000000", "150000000000000001u 300000000000000000u 4u 75000000000000000u",
		"SELECT ubigint + tinyint, ubigint + (-1) FROM types_v1_snappy WHERE ubigint = 150000000000000000", "149999999999999941 149999999999999999",
		"SELECT ubigint - 1 FROM types_v1_snappy WHERE ubigint = 0", "error: UBIGINT",
		"SELECT -ubigint, 0 - ubigint FROM types_v1_snappy WHERE ubigint = 0", "0 0u",
		"SELECT CAST(18446744073709551615 AS UBIGINT) + CAST(-1 AS INTEGER)", "error: BIGINT",
		"SELECT CAST(18446744073709551615 AS UBIGINT) + 1", "error: UBIGINT",
		"SELECT CAST(18446744073709551615 AS UBIGINT) > -1, CAST(18446744073709551615 AS UBIGINT) = -1, 18446744073709551615 > 9223372036854775807", "true false true",
		"SELECT COUNT(*) FROM types_v1_snappy WHERE ubigint > -1", "96",
		"SELECT COUNT(*) FROM types_v1_snappy WHERE utinyint >= 300 OR utinyint < -5", "0",
		// Decimals are exact.
		"SELECT 0.1 + 0.2 = 0.3, 0.1 + 0.20, 1.0 - 0.9, 1.5 * 1.5, 1.10 = 1.1, -(0.5)", "true '0.30' '0.1' '2.25' true '-0.5'",
		"SELECT decimal4 + decimal9, decimal4 * decimal9, decimal4 - 1, decimal4 + 0.001 FROM types_v1_snappy WHERE decimal9 = 1234.567", "'1234.667' '123.4567' '-0.9' '0.101'",
		"SELECT decimal38 + decimal38 FROM types_v1_snappy WHERE decimal9 = 1234.567", "'246913578024691356.2460000000'",
		"SELECT decimal38 * decimal38 FROM types_v1_snappy", "error: DECIMAL(38,20)",
		"SELECT 0.00000000000000000001 * 0.0000000000000000001", "error: scale",
		"SELECT 99999999999999999999999999999999999999 + 1", "error: DECIMAL(38,0)",
		"SELECT ROUND(2.345, 2), ROUND(2.5), ROUND(-2.5), FLOOR(2.7), CEIL(2.1), ABS(-2.50), TRUNC(2.79), ROUND(1250, -2)", "'2.35' '3' '-3' '2' '3' '2.50' '2' 1300",
		// Floats.
		"SELECT CAST(0.1 AS FLOAT) + 1, CAST(0.1 AS FLOAT) = 0.1, CAST(0.1 AS FLOAT) + 1e0, CAST(0.1 AS FLOAT) = 1e-1, 1 + 1e0, 0.5 + 1e0", "1.1f true 1.1000000014901161d false 2d 1.5d",
		"SELECT CAST(16777217 AS BIGINT) = CAST(16777216 AS FLOAT), 9007199254740993 = 9007199254740992e0, 9007199254740993 = 9007199254740992.0", "true true false",
		"SELECT CAST('NaN' AS DOUBLE) = CAST('NaN' AS DOUBLE), CAST('NaN' AS DOUBLE) > CAST('Infinity' AS DOUBLE), -0e0 = 0e0, -0e0 < 0e0, CAST('NaN' AS FLOAT) > 1e300", "true true true false true",
		// Casts.
		"SELECT CAST(2.5 AS INTEGER), CAST(-2.5 AS INTEGER), CAST(3.5 AS INTEGER), CAST(2.5e0 AS INTEGER), CAST(3.5e0 AS INTEGER), CAST(-2.5e0 AS INTEGER), CAST(CAST(2.5 AS FLOAT) AS INTEGER)", "3 -3 4 2 4 -2 2",
		"SELECT CAST(2.345 AS DECIMAL(3,2)), CAST(-2.345 AS DECIMAL(3,2)), CAST('1.005' AS DECIMAL(4,2)), CAST(1 AS DECIMAL(5,2)), CAST(0.125e0 AS DECIMAL(5,2))", "'2.35' '-2.35' '1.01' '1.00' '0.13'",
		"SELECT CAST(300 AS TINYINT)", "error: TINYINT 300",
		"SELECT CAST(-1 AS UBIGINT)", "error: UBIGINT -1",
		"SELECT CAST(1e20 AS BIGINT)", "error: BIGINT",
		"SELECT CAST(CAST('NaN' AS DOUBLE) AS BIGINT)", "error: BIGINT",
		"SELECT CAST(1e39 AS FLOAT)", "error: FLOAT 1e+39",
		"SELECT CAST(1e300 * 1e300 AS FLOAT), CAST('NaN'::DOUBLE AS FLOAT), CAST(0.1e0 AS FLOAT), TRY_CAST(-1e39 AS FLOAT)", "+Inff NaNf 0.1f NULL",
		"SELECT CAST(1000 AS DECIMAL(3,0))", "error: DECIMAL(3,0)",
		"SELECT CAST('abc' AS INTEGER)", "error: INTEGER abc",
		"SELECT TRY_CAST('abc' AS INTEGER), TRY_CAST(300 AS TINYINT), TRY_CAST('x' AS DATE), CAST(' 12 ' AS INTEGER), '5'::INTEGER", "NULL NULL NULL 12 5",
		"SELECT CAST(TRUE AS VARCHAR), CAST(1.50 AS VARCHAR), CAST(1e0 AS VARCHAR), CAST(1e20 AS VARCHAR), CAST(1e15 AS VARCHAR), CAST(-0e0 AS VARCHAR), CAST(CAST('NaN' AS DOUBLE) AS VARCHAR), CAST(-1/0 AS VARCHAR)", "'true' '1.50' '1.0' '1e+20' '1000000000000000.0' '-0.0' 'nan' '-inf'",
		"SELECT CAST(DATE '2024-01-02' AS VARCHAR), CAST(TIMESTAMP '2024-01-02 03:04:05.120' AS VARCHAR), CAST(TIMESTAMPTZ '2024-01-02 03:04:05Z' AS VARCHAR), CAST(TIME '10:11:12.5' AS VARCHAR), CAST(INTERVAL '1' MONTH AS VARCHAR), CAST(x'6162' AS VARCHAR)", "'2024-01-02' '2024-01-02 03:04:05.12' '2024-01-02 03:04:05+00' '10:11:12.500000' 'P1M' 'ab'",
	)...)
}

// TestComparisons: strings are converted to the other side's type, or fail.
func TestComparisons(t *testing.T) {
	const count = "SELECT COUNT(*) FROM types_v1_snappy WHERE "
	keep(t, openDir(t, "testdata/files/duckdb/types_v1_snappy.parquet"), say(
		count+"date = '1969-12-04'", "1",
		count+"'1969-12-04' = date", "1",
		count+"date = 'tomorrow'", "error: DATE tomorrow",
		count+"timestamp = '1970-01-01T00:00:48.123459Z'", "1",
		count+"timestamp = '1970-01-01 00:00:48.123459+05:00'", "1",
		count+"timestamptz = '2020-02-28 23:00:00Z'", "1",
		count+"timestamptz = '2020-02-29T01:00:00+02:00'", "1",
		count+"timestamptz = '2020-02-28 23:00:00'", "1",
		count+"timestamp BETWEEN '1970-01-01' AND 'x'", "error: TIMESTAMP",
		count+"time = '00:11:59.123457'", "1",
		count+"time = 'noon'", "error: TIME noon",
		count+"uuid = '00000000-0000-4000-8000-000000000001'", "1",
		count+"uuid = '00000000000040008000000000000001'", "1",
		count+"uuid IN ('x')", "error: UUID",
		count+"boolean = 'true'", "32",
		count+"boolean = 'maybe'", "error: BOOLEAN maybe",
		count+"boolean", "32",
		count+"decimal9 = '1234.567'", "1",
		count+"decimal9 = 1234.5670", "1",
		count+"decimal9 > 'much'", "error: much",
		count+"int = '-600000000'", "1",
		count+"tinyint < 1000", "96",
		count+"utinyint IN (1000, 0.1, 2)", "1",
		count+"double < '1.5e0'", "3",
		count+"bigint = 70000000000000000.0", "1",
		count+"blob = 'b1'", "1",
		count+"blob = x'6231'", "1",
		count+"blob IN ('b1', 'b2')", "2",
		count+"blob < 'b2'", "26",
		count+"blob LIKE 'b%'", "error: binary_as_string CAST(blob AS VARCHAR)",
		"SELECT UPPER(blob) FROM types_v1_snappy", "error: binary_as_string CAST(blob AS VARCHAR)",
		"SELECT CAST(blob AS VARCHAR) FROM types_v1_snappy WHERE CAST(blob AS VARCHAR) LIKE '_98'", "'b98'",
		"SELECT CAST(x'ff' AS VARCHAR)", "error: VARCHAR x'ff'",
		"SELECT INTERVAL '1 month' = '30 days', INTERVAL '1 month' = 'P30D', INTERVAL '1 month' < '31 days', INTERVAL '24 hours' = INTERVAL '1 day'", "true true true true",
		"SELECT INTERVAL '1 month' = 'x'", "error: INTERVAL",
		"SELECT 'a' < 'B', 'a' = 'A', 'ä' > 'z', 'Z' < 'a', 'a' < 'ab', '' < 'a'", "false false true true true true",
		"SELECT 'abc' LIKE 'a_c', 'abc' LIKE 'A%', 'abc' ILIKE 'A%', 'a%c' LIKE 'a\\%c' ESCAPE '\\', 'abc' NOT LIKE '%d%', 'äb' LIKE '_b', 'a\\c' LIKE 'a\\c'", "true false true true true true true",
		"SELECT NULL = NULL, NULL IS NULL, 1 IS DISTINCT FROM NULL, NULL IS NOT DISTINCT FROM NULL, NULL AND FALSE, NULL OR TRUE, NOT NULL", "NULL true true true false true NULL",
		"SELECT 1 IN (NULL, 2), 1 IN (NULL, 1), 1 NOT IN (2, NULL), NULL IN (1), 1 BETWEEN NULL AND 0, 1 BETWEEN 2 AND NULL", "NULL true NULL NULL false false",
		"SELECT (1 = 1) IS TRUE, NULL IS TRUE, NULL IS NOT FALSE, NULL IS UNKNOWN", "true false true true",
		"SELECT DATE '2024-01-01' = TIMESTAMP '2024-01-01', DATE '2024-01-01' < TIMESTAMP '2024-01-01 00:00:01', TIMESTAMP '2024-01-01' = TIMESTAMPTZ '2024-01-01 02:00:00+02'", "true true true",
	)...)
}

// TestTemporal: dates, timestamps and intervals.
func TestTemporal(t *testing.T) {
	keep(t, openDir(t, "testdata"), say(
		"SELECT DATE '2024-01-31' + INTERVAL '1' MONTH, DATE '2024-03-31' - INTERVAL '1 month', TIMESTAMP '2024-01-31 10:00:00' + INTERVAL '1 day 1 hour'", "2024-02-29T00:00:00Z 2024-02-29T00:00:00Z 2024-02-01T11:00:00Z",
		"SELECT DATE '2024-01-31' + 1, DATE '2024-01-31' - 1, DATE '2024-01-31' - DATE '2024-01-01', TIMESTAMP '2024-01-31 10:00:00' - TIMESTAMP '2024-01-01 09:00:00'", "2024-02-01T00:00:00Z 2024-01-30T00:00:00Z 30 'P30DT1H'",
		"SELECT YEAR(DATE '2024-12-30'), WEEK(DATE '2024-12-30'), DAYOFWEEK(DATE '2024-01-07'), ISODOW(DATE '2024-01-07'), EXTRACT(DOW FROM DATE '2024-01-07'), QUARTER(DATE '2024-05-01'), EXTRACT(DOY FROM DATE '2024-02-01')", "2024 1 0 7 0 2 32",
		"SELECT HOUR(TIMESTAMPTZ '2024-01-01 00:30:00+02:00'), DAY(TIMESTAMPTZ '2024-01-01 00:30:00+02:00'), CAST(TIMESTAMPTZ '2024-01-01 00:30:00+02:00' AS DATE), CAST(TIMESTAMPTZ '2024-01-01 00:30:00+02:00' AS TIMESTAMP)", "22 31 2023-12-31T00:00:00Z 2023-12-31T22:30:00Z",
		"SELECT DATE_TRUNC('hour', TIMESTAMP '2024-01-01 10:20:30'), DATE_TRUNC('week', TIMESTAMP '2024-01-07 10:20:30'), DATE_TRUNC('month', TIMESTAMPTZ '2024-02-01 00:30:00+01:00')", "2024-01-01T10:00:00Z 2024-01-01T00:00:00Z 2024-01-01T00:00:00Z",
		"SELECT DATE_DIFF('year', DATE '2023-12-31', DATE '2024-01-01'), DATE_DIFF('week', DATE '2024-01-05', DATE '2024-01-08'), DATE_DIFF('week', DATE '2024-01-01', DATE '2024-01-08'), DATE_DIFF('day', TIMESTAMP '2024-01-01 23:59:59', TIMESTAMP '2024-01-02 00:00:00')", "1 0 1 1",
		"SELECT NOW() = CURRENT_TIMESTAMP, CURRENT_DATE = CAST(NOW() AS DATE), NOW() > TIMESTAMPTZ '2020-01-01 00:00:00Z'", "true true true",
		"SELECT TIMESTAMP '9999-12-31 23:59:59.999999', DATE '0001-01-01', CAST('1969-12-31 23:59:59.9' AS TIMESTAMP)", "9999-12-31T23:59:59.999999Z 0001-01-01T00:00:00Z 1969-12-31T23:59:59.9Z",
	)...)
}

// TestFunctions: what their names leave open.
func TestFunctions(t *testing.T) {
	keep(t, openDir(t, "testdata"), say(
		"SELECT CONCAT('a', NULL, 'b', 1, TRUE), 'a' || NULL, 'a' || 'b', GREATEST(1, NULL, 3), LEAST(2, NULL, 3), COALESCE(NULL, 2), NULLIF(1, 1)", "'ab1true' NULL 'ab' 3 2 2 NULL",
		"SELECT LOG(100), LN(1), LOG2(8), SQRT(16), POWER(2, 10)", "2d 0d 3d 4d 1024d",
		"SELECT SUBSTRING('hello', 2), SUBSTRING('hello', -3), SUBSTRING('hello', 2, 2), SUBSTRING('hello', 0, 2), SUBSTRING('hello', -3, 2), SUBSTRING('hello' FROM 2 FOR 3)", "'ello' 'llo' 'el' 'h' 'll' 'ell'",
		"SELECT LENGTH('äb'), CHAR_LENGTH('äb'), STRLEN('äb'), OCTET_LENGTH('äb'), POSITION('b' IN 'äb'), STRPOS('äb', 'b'), SUBSTRING('äbc', 2, 1), LEFT('äbc', 2), RIGHT('äbc', 2), REVERSE('äb')", "2 2 3 3 2 2 'b' 'äb' 'bc' 'bä'",
		"SELECT REGEXP_REPLACE('aaa', 'a', 'b'), REGEXP_REPLACE('aaa', 'a', 'b', 'g'), REGEXP_REPLACE('ab', '(a)(b)', '\\2\\1'), REGEXP_MATCHES('abc', 'b.'), REGEXP_EXTRACT('abc123', '([a-z]+)(\\d+)', 2)", "'baa' 'bbb' 'ba' true '123'",
		"SELECT REGEXP_MATCHES('a', '(?=a)')", "error: (?=",
		"SELECT UPPER('aä'), LOWER('AÄ'), TRIM('  x '), LTRIM('  x'), RTRIM('x  '), REPLACE('aXbX', 'X', 'y'), LPAD('7', 3, '0'), REPEAT('ab', 2)", "'AÄ' 'aä' 'x' 'x' 'x' 'ayby' '007' 'abab'",
	)...)
	keep(t, openDir(t, "testdata"), say(
		"SELECT CASE WHEN NULL THEN 1 ELSE 2.5 END, CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END, CASE WHEN FALSE THEN 1 END, IF(TRUE, 1, 2)", "'2.5' 'b' NULL 1",
		"SELECT VERSION() LIKE 'parquetsql%', DATABASE()", "true 'main'",
	)...)
}

// TestNames: a column's own name, else the user's text as it was written.
func TestNames(t *testing.T) {
	db := openDir(t, "testdata/penguins.parquet")
	for query, want := range map[string][]string{
		"SELECT species, p.ISLAND, `Beak Length (mm)` FROM penguins p":          {"Species", "Island", "Beak Length (mm)"},
		"SELECT penguins.sex, main.penguins.sex FROM penguins":                  {"Sex", "Sex"},
		"SELECT 1+1, 1  +  1, COUNT( * ), 'a'||'b'":                             {"1+1", "1  +  1", "COUNT( * )", "'a'||'b'"},
		"SELECT /* x */ upper(Sex) , Sex::varchar FROM penguins":                {"upper(Sex)", "Sex::varchar"},
		"SELECT Sex AS a, Sex \"B c\", Sex AS 'd', Sex `e` FROM penguins":       {"a", "B c", "d", "e"},
		"SELECT Sex, Sex, 1, 1 FROM penguins":                                   {"Sex", "Sex", "1", "1"},
		"SELECT *, _row FROM penguins":                                          {"Species", "Island", "Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)", "Sex", "_row"},
		"SELECT * EXCLUDE (species, `Sex`, \"Beak Depth (mm)\") FROM penguins":  {"Island", "Beak Length (mm)", "Flipper Length (mm)", "Body Mass (g)"},
		"SELECT * REPLACE (1 AS species, Sex || 'x' AS Sex) FROM penguins":      {"Species", "Island", "Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)", "Sex"},
		"SELECT CASE WHEN Sex = 'x' THEN 1 END, Sex IS NULL FROM penguins":      {"CASE WHEN Sex = 'x' THEN 1 END", "Sex IS NULL"},
		"SELECT SUM(`Body Mass (g)`) FILTER (WHERE Sex = 'MALE') FROM penguins": {"SUM(`Body Mass (g)`) FILTER (WHERE Sex = 'MALE')"},
	} {
		_, names, err := ask(db, query+" LIMIT 1")
		if err != nil && names == nil {
			_, names, err = ask(db, query)
		}
		if err != nil || !reflect.DeepEqual(names, want) {
			t.Errorf("%s: %q, %v; want %q", query, names, err, want)
		}
	}
}

// TestClauses: grouping, order and limits.
func TestClauses(t *testing.T) {
	keep(t, openDir(t, "testdata/files/duckdb/types_v1_snappy.parquet"), say(
		"SELECT enum FROM types_v1_snappy GROUP BY enum ORDER BY enum", "'blue'; 'green'; 'red'; NULL",
		"SELECT enum FROM types_v1_snappy GROUP BY enum ORDER BY enum DESC", "'red'; 'green'; 'blue'; NULL",
		"SELECT enum FROM types_v1_snappy GROUP BY 1 ORDER BY 1 NULLS FIRST", "NULL; 'blue'; 'green'; 'red'",
		"SELECT enum FROM types_v1_snappy GROUP BY 1 ORDER BY 1 DESC NULLS FIRST LIMIT 2", "NULL; 'red'",
		"SELECT tinyint FROM types_v1_snappy ORDER BY tinyint LIMIT 2", "-60; -59",
		"SELECT tinyint FROM types_v1_snappy ORDER BY tinyint DESC LIMIT 2", "58; 57",
		"SELECT tinyint FROM types_v1_snappy ORDER BY tinyint NULLS FIRST LIMIT 1", "NULL",
		"SELECT tinyint FROM types_v1_snappy ORDER BY 1 DESC LIMIT 1 OFFSET 95", "-60",
		"SELECT tinyint FROM types_v1_snappy ORDER BY 1 DESC LIMIT 1 OFFSET 96", "NULL",
		"SELECT tinyint FROM types_v1_snappy ORDER BY 1 LIMIT 1, 2", "-59; -58",
		"SELECT -tinyint AS n FROM types_v1_snappy ORDER BY n LIMIT 1", "-58",
		"SELECT tinyint FROM types_v1_snappy ORDER BY ABS(tinyint), tinyint LIMIT 3", "0; 1; -2",
		"SELECT tinyint FROM types_v1_snappy ORDER BY 2", "error: ORDER BY 2",
		"SELECT tinyint FROM types_v1_snappy ORDER BY 0", "error: ORDER BY 0",
		"SELECT tinyint FROM types_v1_snappy LIMIT -1", "error: LIMIT negative",
		"SELECT tinyint FROM types_v1_snappy LIMIT 0", "",
		"SELECT UPPER(enum) AS e, COUNT(*) AS n FROM types_v1_snappy GROUP BY e HAVING n > 30 ORDER BY n DESC, e LIMIT 2", "'BLUE' 32; 'GREEN' 32",
		"SELECT enum FROM types_v1_snappy GROUP BY enum HAVING MAX(tinyint) = 58", "'green'",
		"SELECT tinyint FROM types_v1_snappy GROUP BY enum", "error: tinyint GROUP BY",
		"SELECT enum FROM types_v1_snappy WHERE COUNT(*) > 1", "error: COUNT WHERE",
		"SELECT SUM(COUNT(*)) FROM types_v1_snappy", "error: COUNT aggregate",
		"SELECT COUNT(*), COUNT(tinyint), COUNT(DISTINCT enum), COUNT(*) FILTER (WHERE tinyint > 0) FROM types_v1_snappy", "120 96 3 47",
		"SELECT DISTINCT enum FROM types_v1_snappy ORDER BY 1", "'blue'; 'green'; 'red'; NULL",
		"SELECT COUNT(*), SUM(tinyint), MIN(enum) FROM types_v1_snappy WHERE FALSE", "0 NULL NULL",
		"SELECT enum, COUNT(*) FROM types_v1_snappy WHERE FALSE GROUP BY enum", "",
		"SELECT SUM(tinyint), SUM(decimal4), SUM(float), AVG(bigint), AVG(decimal4), AVG(ubigint) FROM types_v1_snappy", "-96 '566.4' 7824d 4.13e+18d 5.9d 8.85e+18d",
		"SELECT SUM(bigint) FROM types_v1_snappy", "error: SUM(bigint) BIGINT",
		"SELECT SUM(CAST(bigint AS DECIMAL(38,0))), SUM(CAST(bigint AS DOUBLE)) FROM types_v1_snappy", "'396480000000000000000' 3.9648e+20d",
		"SELECT MIN(boolean), MAX(boolean), MIN(ubigint), MAX(ubigint), MIN(float), MAX(decimal38), MAX(blob), MAX(uuid), MAX(time) FROM types_v1_snappy", "false true 0u 17700000000000000000u -7f '14567901103456790018.5140000000' x'623938' '00000000-0000-4000-8000-000000000118' '23:34:16.567926'",
		"SELECT MIN(date), MAX(timestamp_ns), MIN(timestamptz), MIN(varchar), MIN(enum) FROM types_v1_snappy", "1969-12-01T00:00:00Z 1970-01-01T00:01:58.000000826Z 2020-02-28T22:00:00Z 'text 0' 'blue'",
		"SELECT enum, COUNT(*) FROM types_v1_snappy GROUP BY ALL ORDER BY ALL", "'blue' 32; 'green' 32; 'red' 32; NULL 24",
		"SELECT enum, COUNT(*) AS n, LENGTH(enum) FROM types_v1_snappy GROUP BY ALL ORDER BY ALL DESC NULLS FIRST LIMIT 2", "NULL 24 NULL; 'red' 32 3",
		"SELECT * EXCLUDE (tinyint, SMALLINT) REPLACE (int DIV 2 AS int) FROM (SELECT 1)", "error: unsupported",
		"SELECT enum AS e, MAX(tinyint) AS m FROM types_v1_snappy GROUP BY e HAVING m > 0 AND e > 'c' ORDER BY m", "'red' 57; 'green' 58",
		"SELECT 1 / (tinyint + 59), CAST(bigint AS SMALLINT) FROM types_v1_snappy LIMIT 1", "-1d 0",
		"SELECT 1 AS a, a + 1 AS b, b * 2", "1 2 4",
		"SELECT x FROM types_v1_snappy AS t(x, y) LIMIT 1", "-60",
	)...)
}

// TestPlaceholders: each kind, also in LIMIT and OFFSET; values keep their type.
func TestPlaceholders(t *testing.T) {
	at := time.Date(1970, 1, 1, 2, 0, 48, 123459000, time.FixedZone("", 7200))
	keep(t, openDir(t, "testdata/files/duckdb/types_v1_snappy.parquet"), []promise{
		{"SELECT ?, ?, ?, ?, ?, ?", "1 2.5d 'it''s' true NULL x'00'", []any{1, 2.5, "it''s", true, nil, []byte{0}}},
		{"SELECT $2, $1, $2", "'b' 'a' 'b'", []any{"a", "b"}},
		{"SELECT :x, :y, :x", "1 2 1", []any{sql.Named("y", 2), sql.Named("x", 1)}},
		{"SELECT tinyint FROM types_v1_snappy ORDER BY 1 LIMIT ? OFFSET ?", "-58; -57", []any{2, 2}},
		{"SELECT tinyint FROM types_v1_snappy ORDER BY 1 LIMIT $1 OFFSET $1", "-59", []any{1}},
		{"SELECT tinyint FROM types_v1_snappy ORDER BY 1 LIMIT :n OFFSET :n", "-59", []any{sql.Named("n", 1)}},
		{"SELECT tinyint FROM types_v1_snappy LIMIT ?", "error: LIMIT", []any{-1}},
		{"SELECT tinyint FROM types_v1_snappy LIMIT ?", "error: LIMIT", []any{"x"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE enum = ?", "0", []any{"x' OR 1=1 --"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE timestamp = ?", "1", []any{at}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE timestamptz = ?", "1", []any{time.Date(2020, 2, 28, 23, 0, 0, 0, time.UTC)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "1", []any{time.Date(1969, 12, 4, 0, 0, 0, 0, time.UTC)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "0", []any{time.Date(1969, 12, 4, 12, 0, 0, 0, time.UTC)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "1", []any{"1969-12-04"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE date = ?", "error: DATE", []any{"x"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE ubigint = ?", "0", []any{uint64(math.MaxUint64)}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE uuid = ?", "1", []any{"00000000-0000-4000-8000-000000000001"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE decimal9 = ?", "1", []any{"1234.567"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE blob = ? OR blob = ?", "2", []any{"b1", []byte("b2")}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE tinyint IN (?, ?) OR enum LIKE ?", "34", []any{1, 2, "re%"}},
		{"SELECT COUNT(*) FROM types_v1_snappy WHERE tinyint = ?", "0", []any{nil}},
		{"SELECT ? + 1, ? + 1", "2 2.5d", []any{1, 1.5}},
		{"SELECT '?', `tinyint`, '$1' FROM types_v1_snappy WHERE tinyint = ?", "'?' 1 '$1'", []any{1}},
		{"SELECT ?", "error: []int placeholder", []any{[]int{1}}},
		{"SELECT :x", "error: :x", []any{sql.Named("y", 1)}},
		{"SELECT ?, $1", "error: placeholders", []any{1}},
		{"SELECT ?", "error: ", nil},
	}...)
}
