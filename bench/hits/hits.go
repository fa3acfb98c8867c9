// Package hits writes a table with the 105 columns of ClickBench's hits, with DuckDB.
// The values of the columns that the queries use are distributed as in the original:
// most events have no search phrase, a few URLs are popular and many are rare, one
// counter is busy. Of the other columns only the types and the rough size are alike.
package hits

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // the writer
)

const query = `
WITH r AS (
	SELECT i, hash(i) AS h, hash(i + 1000000007) AS h2, hash(i * 31 + 7) AS h3,
		-- a skewed choice: the square of a uniform number
		pow((hash(i + 99991) %% 1000000) / 1000000.0, 2) AS skew
	FROM range(%[1]d) t(i)
)
SELECT
	(h >> 1)::BIGINT AS WatchID, (h %% 2)::SMALLINT AS JavaEnable,
	CASE WHEN h %% 10 = 0 THEN '' ELSE 'Title ' || (skew * 20000)::INT || CASE WHEN h2 %% 50 = 0 THEN ' - Google' ELSE ' - page' END END AS Title,
	1::SMALLINT AS GoodEvent,
	TIMESTAMP '2013-07-01 00:00:00' + INTERVAL (i * 2678400 // %[1]d) SECOND + INTERVAL (h3 %% 60) SECOND AS EventTime,
	(TIMESTAMP '2013-07-01 00:00:00' + INTERVAL (i * 2678400 // %[1]d) SECOND + INTERVAL (h3 %% 60) SECOND)::DATE AS EventDate,
	CASE WHEN h2 %% 4 = 0 THEN 62 ELSE (skew * 5000)::INT END::INTEGER AS CounterID,
	((h3 %% 100000) * (h2 %% 3 + 1) * 7000)::INTEGER AS ClientIP,
	(skew * 1000)::INTEGER AS RegionID,
	CASE WHEN h2 %% 100 = 0 THEN 435090932899640449 ELSE ((h3 %% %[2]d) * 9223372036)::BIGINT END AS UserID,
	'http://' || CASE WHEN h %% 40 = 0 THEN 'www.google.ru' WHEN h %% 41 = 0 THEN 'images.google.com' ELSE 'site' || (skew * 300)::INT || '.example.com' END
		|| '/path/' || (skew * 50000)::INT || '?q=' || h2 %% 10 AS URL,
	CASE WHEN h3 %% 3 = 0 THEN '' ELSE CASE WHEN h3 %% 2 = 0 THEN 'https://www.' ELSE 'http://' END || 'ref' || (skew * 100)::INT || '.example.org/' || h3 %% 1000 END AS Referer,
	(h %% 7 = 0)::SMALLINT AS IsRefresh, (h2 %% 20 = 0)::SMALLINT AS IsLink, (h2 %% 23 = 0)::SMALLINT AS IsDownload, (h2 %% 29 = 0)::SMALLINT AS DontCountHits,
	(CASE h %% 5 WHEN 0 THEN 1366 WHEN 1 THEN 1920 WHEN 2 THEN 1280 WHEN 3 THEN 0 ELSE 1024 END)::SMALLINT AS ResolutionWidth,
	(CASE h2 %% 5 WHEN 0 THEN 768 WHEN 1 THEN 1080 WHEN 2 THEN 800 WHEN 3 THEN 0 ELSE 600 END)::SMALLINT AS ResolutionHeight,
	(h %% 100 + 1000)::SMALLINT AS WindowClientWidth, (h2 %% 100 + 500)::SMALLINT AS WindowClientHeight,
	(CASE WHEN h3 %% 12 = 0 THEN h3 %% 80 ELSE 0 END)::SMALLINT AS MobilePhone,
	CASE WHEN h3 %% 12 = 0 THEN 'model ' || h3 %% 60 ELSE '' END AS MobilePhoneModel,
	((h %% 9)::SMALLINT - 1)::SMALLINT AS TraficSourceID,
	(CASE WHEN h2 %% 6 = 0 THEN h2 %% 40 ELSE 0 END)::SMALLINT AS SearchEngineID,
	(CASE WHEN h2 %% 30 = 0 THEN h2 %% 20 ELSE 0 END)::SMALLINT AS AdvEngineID,
	CASE WHEN h %% 6 = 0 THEN 'phrase ' || (skew * 10000)::INT ELSE '' END AS SearchPhrase,
	CASE WHEN h %% 11 = 0 THEN 2868770270353813622 ELSE (h3 >> 1)::BIGINT END AS URLHash,
	CASE WHEN h %% 13 = 0 THEN 3594120000172545465 ELSE (h2 >> 1)::BIGINT END AS RefererHash,
	(h %% 256)::SMALLINT AS OS, (h2 %% 100)::SMALLINT AS UserAgent, CASE h3 %% 3 WHEN 0 THEN 'D' WHEN 1 THEN 'F' ELSE 'M' END AS HitColor,
	'' AS Params, '' AS OriginalURL, (h3 %% 1000000000)::INTEGER AS HID, (h %% 5)::BIGINT AS ParamPrice, 'NH' AS BrowserCountry, 'ru' AS BrowserLanguage,
	TIMESTAMP '2013-07-01 00:00:00' + INTERVAL (i * 2678400 // %[1]d) SECOND + INTERVAL (h %% 7200) SECOND AS ClientEventTime,
	TIMESTAMP '2013-07-01 00:00:00' + INTERVAL (i * 2678400 // %[1]d) SECOND + INTERVAL (h2 %% 7200) SECOND AS LocalEventTime,
	(h2 >> 1)::BIGINT AS FUniqID, (h2 %% 4000000)::INTEGER AS IPNetworkID, (h %% 2000000000)::INTEGER AS RemoteIP,
	%[3]s
FROM r`

// The columns that no query uses. Most of the small numbers are 0, most of the texts
// are empty.
const (
	smallints = `CounterClass ResolutionDepth FlashMajor FlashMinor NetMajor NetMinor UserAgentMajor CookieEnable JavascriptEnable IsMobile
		IsArtifical ClientTimeZone SilverlightVersion1 SilverlightVersion2 SilverlightVersion4 IsNotBounce IsOldCounter IsEvent IsParameter WithHash
		Age Sex Income Interests Robotness HistoryLength HTTPError SocialSourceNetworkID ParamCurrencyID HasGCLID`
	integers = `RefererCategoryID RefererRegionID URLCategoryID URLRegionID SilverlightVersion3 CodeVersion WindowName OpenerName SendTiming
		DNSTiming ConnectTiming ResponseStartTiming ResponseEndTiming FetchTiming CLID`
	texts = `FlashMinor2 UserAgentMinor PageCharset SocialNetwork SocialAction SocialSourcePage ParamOrderID ParamCurrency OpenstatServiceName
		OpenstatCampaignID OpenstatAdID OpenstatSourceID UTMSource UTMMedium UTMCampaign UTMContent UTMTerm FromTag`
)

// unused are the expressions of these columns.
func unused() string {
	var out []string
	add := func(names, expression string) {
		for _, name := range strings.Fields(names) {
			out = append(out, fmt.Sprintf(expression+" AS %[2]s", len(out)+2, name))
		}
	}
	add(smallints, "CASE WHEN (h >> %[1]d) %% 4 = 0 THEN (h2 >> %[1]d) %% 30 ELSE 0 END::SMALLINT")
	add(integers, "CASE WHEN (h2 >> (%[1]d - 30)) %% 3 = 0 THEN (h3 >> (%[1]d - 30)) %% 20000 ELSE 0 END::INTEGER")
	add(texts, "CASE WHEN (h3 >> (%[1]d - 40)) %% 20 = 0 THEN 'text ' || (h >> (%[1]d - 40)) %% 200 ELSE '' END")
	return strings.Join(out, ",\n\t")
}

// Write writes hits.parquet with so many rows into dir. Like ClickBench's file it has
// Snappy pages, dictionaries where they pay, and row groups of at most 200,000 rows.
func Write(dir string, rows int) (string, error) { return WriteGroups(dir, rows, 200_000) }

// WriteGroups is Write with row groups of another size.
func WriteGroups(dir string, rows, group int) (string, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return "", err
	}
	defer db.Close()
	file := filepath.Join(dir, "hits.parquet")
	text := fmt.Sprintf(query, rows, max(rows/5, 1), unused())
	_, err = db.Exec(fmt.Sprintf("COPY (%s) TO '%s' (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE %d)", text, filepath.ToSlash(file), group))
	return file, err
}
