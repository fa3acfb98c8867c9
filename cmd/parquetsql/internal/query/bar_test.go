package query

import (
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

func TestBar(t *testing.T) {
	stats := parquetsql.QueryStats{RowsPassed: 500_000, RowsPlanned: 2_000_000, BytesRead: 1_500_000, BytesPlanned: 6_000_000, Rows: 12, Requests: 40, RequestBytes: 2_000_000, CachedBytes: 7000, Retries: 1}
	b := &bar{columns: 160, begin: time.Now(), stats: func() parquetsql.QueryStats { return stats }}
	line := b.line()
	for _, want := range []string{"500k of 2M rows", "1.5MB of 6MB", "12 rows out", "40 requests, 2MB, 7kB cached, 1 repeated", " s"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q has no %q", line, want)
		}
	}
	b.columns = 20
	if n := len([]rune(b.line())); n >= 20 {
		t.Errorf("on a screen of 20 columns the bar has %d", n)
	}
	stats = parquetsql.QueryStats{}
	if line := b.line(); !strings.HasSuffix(line, " s") || strings.Contains(line, "rows") {
		t.Errorf("without counters the bar is %q", line)
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1k", 1234567: "1.23M", 999_999: "1M", 13493022: "13.5M", 5e9: "5G"} {
		if got := short(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
