package platforms

import (
	"database/sql"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/grafana/grafana-plugin-sdk-go/data/sqlutil"
)

// TestGrafana makes the frames that a data source plugin hands to Grafana. A panel of
// series needs a column of times and one of numbers; text becomes a label of the series.
func TestGrafana(t *testing.T) {
	db, err := sql.Open("parquet", location)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// $__timeFilter(date) becomes a condition like this one.
	rows, err := db.Query(`SELECT date_trunc('month', date) AS time, weather, SUM(precipitation) AS rain, COUNT(*) AS days
		FROM seattle_weather WHERE date >= '2014-01-01T00:00:00Z' AND date <= '2014-03-31T23:59:59Z' GROUP BY 1, 2 ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	frame, err := sqlutil.FrameFromRows(rows, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if got := frame.TimeSeriesSchema().Type; got != data.TimeSeriesTypeLong {
		t.Fatalf("the frame is %s", got)
	}
	wide, err := data.LongToWide(frame, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, ok := wide.Fields[0].ConcreteAt(0)
	if !ok || !first.(time.Time).Equal(time.Date(2014, 1, 1, 0, 0, 0, 0, time.UTC)) || wide.Rows() != 3 {
		t.Errorf("%d months from %v", wide.Rows(), first)
	}
}

// TestGrafanaTypes checks that every type of the driver has a place in a frame. Bytes and
// texts of other types come as strings.
func TestGrafanaTypes(t *testing.T) {
	db, err := sql.Open("parquet", location)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT TRUE AS b, CAST(1 AS TINYINT) AS i, CAST(2 AS UBIGINT) AS u, CAST(0.5 AS FLOAT) AS f, 0.25e0 AS d, 1.50 AS m,
		'text' AS s, DATE '2024-01-02' AS day, TIMESTAMP '2024-01-02 03:04:05' AS at, TIME '03:04:05' AS time, [1, 2] AS list, {'a': 1} AS struct,
		CAST('2b6f0cc9-04d1-45a3-b0e3-6ca5f8a2f3c1' AS UUID) AS id, INTERVAL '1 month' AS span, CAST(NULL AS BIGINT) AS missing`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	frame, err := sqlutil.FrameFromRows(rows, -1)
	if err != nil {
		t.Fatal(err)
	}
	if len(frame.Fields) != 15 || frame.Rows() != 1 {
		t.Fatalf("%d fields, %d rows", len(frame.Fields), frame.Rows())
	}
	for _, f := range frame.Fields {
		if _, ok := f.ConcreteAt(0); ok == (f.Name == "missing") {
			t.Errorf("%s (%s) is %v", f.Name, f.Type(), f.At(0))
		}
	}
}
