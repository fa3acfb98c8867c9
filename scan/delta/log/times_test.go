package log

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const begin = `{"protocol":{"minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["inCommitTimestamp"]}}
{"metaData":{"id":"1","format":{"provider":"parquet"},"schemaString":"{}","partitionColumns":[],"configuration":{%s}}}
`

func commitName(v int) string { return fmt.Sprintf("%020d.json", v) }

// TestFileTimes: times of commit files that go back count as a millisecond after the one before.
func TestFileTimes(t *testing.T) {
	table, dir := writeAt(t, map[string]string{commitName(0): fmt.Sprintf(begin, ""), commitName(1): "", commitName(2): "", commitName(3): ""})
	day := func(d int) time.Time { return time.Date(2024, 1, d, 0, 0, 0, 0, time.UTC) }
	for v, at := range []time.Time{day(1), day(5), day(3), day(9)} {
		name := filepath.Join(dir, Folder, commitName(v))
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	l, err := table.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   time.Time
		want int64
	}{{day(1), 0}, {day(4), 0}, {day(5), 1}, {day(5).Add(time.Millisecond), 2}, {day(8), 2}, {day(9), 3}, {day(30), 3}} {
		if got, err := l.VersionAt(t.Context(), c.at); err != nil || got != c.want {
			t.Errorf("%v is version %d, %v, want %d", c.at, got, err, c.want)
		}
	}
	if got, err := l.VersionAt(t.Context(), day(1).Add(-1)); err == nil || !strings.Contains(err.Error(), "version 0") {
		t.Errorf("before the first: %d, %v", got, err)
	}
}

// TestInCommitTimes: from the version on that the properties name, commits have their times
// themselves ("Recommendations for Readers of Tables with In-Commit Timestamps").
func TestInCommitTimes(t *testing.T) {
	own := func(ms int64) string {
		return fmt.Sprintf(`{"commitInfo":{"inCommitTimestamp":%d,"operation":"WRITE"}}`+"\n", ms)
	}
	files := map[string]string{
		commitName(0): fmt.Sprintf(begin, ""), commitName(1): "",
		commitName(2): own(2_000_000_000_000) + fmt.Sprintf(begin, `"delta.enableInCommitTimestamps":"true","delta.inCommitTimestampEnablementVersion":"2","delta.inCommitTimestampEnablementTimestamp":"2000000000000"`),
		commitName(3): own(2_000_000_000_005), commitName(4): own(2_000_000_000_009),
	}
	table, dir := writeAt(t, files)
	for v := range 5 {
		at := time.UnixMilli(1_000_000_000_000 + 1000*int64(9-v)) // of files; they go back
		if err := os.Chtimes(filepath.Join(dir, Folder, commitName(v)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	l, err := table.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for ms, want := range map[int64]int64{
		1_000_000_009_000: 0, 1_000_000_009_001: 1, 1_999_999_999_999: 1, 2_000_000_000_000: 2, 2_000_000_000_004: 2, 2_000_000_000_005: 3, 2_000_000_000_008: 3, 3_000_000_000_000: 4,
	} {
		if got, err := l.VersionAt(t.Context(), time.UnixMilli(ms)); err != nil || got != want {
			t.Errorf("%d is version %d, %v, want %d", ms, got, err, want)
		}
	}
	var seen []string
	if err := l.Commits(t.Context(), func(c Commit) bool {
		seen = append(seen, fmt.Sprint(c.Version, " ", c.Time.UnixMilli(), c.Operation))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	want := "4 2000000000009WRITE, 3 2000000000005WRITE, 2 2000000000000WRITE, 1 1000000009001, 0 1000000009000"
	if got := strings.Join(seen, ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	files[commitName(4)] = `{"commitInfo":{"operation":"WRITE"}}`
	if l, err = write(t, files).Log(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := l.VersionAt(t.Context(), time.UnixMilli(3_000_000_000_000)); err == nil || !strings.Contains(err.Error(), "inCommitTimestamp") {
		t.Errorf("a commit without its time: %d, %v", v, err)
	}
}
